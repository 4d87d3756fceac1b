"""Splits: drawn by task, the same whatever else is there; attempts and sub-agents stay together."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.study.splitting import Splits, keys, parsed
from reviewer.trace import TraceInfo

SHARES = (("train", 0.7), ("dev", 0.1), ("test", 0.2))
INFOS = st.lists(
    st.builds(
        lambda n, task, bench, words, parent, anonymous: TraceInfo(
            f"t1-{n}",
            "c",
            "plain",
            task_id=task,
            benchmark=bench,
            task=words,
            parent_id=f"t1-{parent}" if parent is not None else "",
            meta={"task_id_from": "file"} if anonymous else {},
        ),
        st.integers(0, 30),
        st.sampled_from(["", "A", "B", "C"]),
        st.sampled_from(["", "bench"]),
        st.sampled_from(["", "Do  this", "do this", "do that"]),
        st.none() | st.integers(0, 30),
        st.booleans(),
    ),
    max_size=25,
    unique_by=lambda info: info.trace_id,
)


def placed(infos: list[TraceInfo], splits: Splits) -> dict[str, str]:
    return {id: splits.of(key) for id, key in keys(infos).items()}


@given(INFOS, st.integers())
def test_no_task_stands_in_two_splits(infos: list[TraceInfo], seed: int) -> None:
    found = placed(infos, Splits(SHARES, seed))
    assert set(found) == {info.trace_id for info in infos}
    tasks: dict[object, set[str]] = {}
    for info in infos:
        if info.parent_id not in found:
            named = info.task_key[1] != info.trace_id
            words = " ".join(info.task.lower().split())
            tasks.setdefault(info.task_key if named else words or info.trace_id, set()).add(
                found[info.trace_id]
            )
    assert all(len(splits) == 1 for splits in tasks.values())


@given(INFOS, st.integers(0, 5))
def test_a_sub_agent_goes_with_its_parent(infos: list[TraceInfo], seed: int) -> None:
    known = {info.trace_id: info for info in infos}
    found = placed(infos, Splits(SHARES, seed))
    for info in infos:
        seen, above = {info.trace_id}, info
        while above.parent_id in known and above.parent_id not in seen:
            seen.add(above.parent_id)
            above = known[above.parent_id]
        if above.parent_id not in seen:  # else they go round in a circle
            assert found[info.trace_id] == found[above.trace_id]


@given(INFOS, INFOS, st.integers(0, 5))
def test_what_comes_later_moves_nobody(infos: list[TraceInfo], later: list[TraceInfo], seed: int) -> None:
    alone = [replace(info, parent_id="") for info in infos]
    more = [replace(info, trace_id=f"{info.trace_id}-later", parent_id="") for info in later]
    splits = Splits(SHARES, seed)
    before, after = placed(alone, splits), placed([*more, *reversed(alone)], splits)
    assert before == {id: after[id] for id in before}


def test_the_shares_are_met_on_average_and_the_seed_matters() -> None:
    drawn = [Splits(SHARES, 7).of(f"task {n}") for n in range(20_000)]
    for name, share in SHARES:
        assert abs(drawn.count(name) / len(drawn) - share) < 0.01
    other = [Splits(SHARES, 8).of(f"task {n}") for n in range(20_000)]
    assert sum(a == b for a, b in zip(drawn, other, strict=True)) / len(drawn) < 0.6


def test_the_draw_is_the_same_for_ever() -> None:
    assert [Splits(SHARES, 7).of(f"id\nbench\n{n}") for n in range(6)] == DRAWN


DRAWN = ["test", "test", "dev", "train", "test", "train"]


@pytest.mark.parametrize(
    "text",
    ["", "train", "train=x", "train=0.5", "train=0.5,train=0.5", "a b=1", "a=1,b=0", "a=2", "a=nan", "a=-1"],
)
def test_shares_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="--split"):
        parsed(text)


def test_shares_are_read_as_they_are_written() -> None:
    assert parsed("train=0.8, test=0.2", 3) == Splits((("train", 0.8), ("test", 0.2)), 3)
    assert parsed("all_of_it=1").of("x") == "all_of_it"
