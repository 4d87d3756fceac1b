"""What people teach the model: corrections and guidelines go in, never a trace's own label or a sibling's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.store import Store
from reviewer.suggest.claude.options import options
from reviewer.suggest.claude.plan import Planner
from reviewer.suggest.claude.teaching import lesson
from reviewer.trace import Trace
from tests.conftest import Ran
from tests.history import put, say, session, show, suggest
from tests.suggest.claude.kitchen import KITCHEN, SAMPLE
from tests.suggest.claude.server import Loopback, message

Run = Callable[..., Ran]
KEY = "sk-ant-api03-" + "x" * 40
ANSWER = {"failure_mode": "other", "rationale": "It stopped early.", "evidence": [], "confidence": 0.5}


def of(trace: Trace = SAMPLE, **change: Any) -> Any:
    info = replace(trace.info, **change)
    return lesson(info, "burnt", "raw", 2, "NOTE-7: the upper side decides")


OTHER: dict[str, Any] = {
    "trace_id": "t1-boil",
    "task_id": "boil",
    "task": "Boil an egg.",
    "benchmark": "stove",
}


def sent(trace: Trace = SAMPLE, **given: Any) -> str:
    planner = Planner(options(given), KITCHEN)
    return json.dumps([call.body for call in planner.plan(trace).calls], ensure_ascii=False)


def test_a_correction_reaches_the_prompt_of_other_traces_with_its_note() -> None:
    body = sent(lessons=[of(**OTHER)])
    assert "Boil an egg." in body and "NOTE-7: the upper side decides" in body
    assert "Proposed: burnt. Chosen: raw, decisive step 2" in body


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"trace_id": "t1-second-run"},
        {"trace_id": "t1-other-set", "benchmark": "elsewhere", "task_id": "x", "task": " fry  an EGG. "},
        {**OTHER, "trace_id": "t1-parent"},
    ],
    ids=["its own label", "a sibling's", "the same task in another set", "that of its parent"],
)
def test_no_label_of_the_same_task_reaches_its_prompt(change: dict[str, Any]) -> None:
    trace = replace(SAMPLE, info=replace(SAMPLE.info, benchmark="stove", parent_id="t1-parent"))
    given = [of(trace, **change)]
    assert "NOTE-7" not in sent(trace, lessons=given)
    assert "NOTE-7" in sent(
        replace(trace, info=replace(trace.info, **OTHER, parent_id="")), lessons=given
    ) or (change.get("trace_id") == "t1-parent")


def test_a_long_trace_too_is_judged_without_its_own_label() -> None:
    long = replace(
        SAMPLE, steps=tuple(replace(SAMPLE.steps[0], n=n, message=f"{n} " * 2000) for n in range(1, 60))
    )
    planner = Planner(options({"lessons": [of(), of(**OTHER)], "budget": 5000}), KITCHEN)
    plan = planner.plan(long)
    assert plan.segmented
    from reviewer.suggest.claude.findings import Found

    body = json.dumps(planner.verdict(plan, [Found("nothing", ())] * len(plan.calls)).body)
    assert body.count("NOTE-7") == 1 and "Boil an egg." in body


def test_secrets_in_notes_and_guidelines_are_masked() -> None:
    told = lesson(replace(SAMPLE.info, **OTHER), "burnt", "raw", None, f"token {KEY}")
    body = sent(lessons=[told], guidelines=f"Use {KEY} for the stove.")
    assert KEY not in body and "for the stove" in body


def test_the_prompt_has_another_name_with_what_it_is_taught() -> None:
    plain = Planner(options({}), KITCHEN).prompt_hash
    names = {
        plain,
        Planner(options({"guidelines": "Black is burnt."}), KITCHEN).prompt_hash,
        Planner(options({"lessons": [of(**OTHER)]}), KITCHEN).prompt_hash,
    }
    assert len(names) == 3


def test_the_constant_part_of_the_prompt_stays_the_same_for_every_trace() -> None:
    planner = Planner(options({"lessons": [of(), of(**OTHER)], "guidelines": "Black is burnt."}), KITCHEN)
    other = replace(SAMPLE, info=replace(SAMPLE.info, **OTHER))
    systems = [planner.plan(trace).calls[0].body["system"] for trace in (SAMPLE, other)]
    assert systems[0] == systems[1] and "Black is burnt." in systems[0][0]["text"]


@pytest.mark.parametrize("value", [1, "x", [1], [[1, 2]], [["a", [], "", "", "", None, ""]]], ids=str)
def test_lessons_that_are_none_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match="lessons"):
        options({"lessons": value})


@pytest.fixture
def taught(store: Store, reviewer: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """A relabelled trace, its sibling and a stranger; guidelines beside the store."""
    ids = [
        put(store, session([name], name, benchmark="b", task_id=task, task=f"task of {task}"))
        for name, task in (("one", "a"), ("two", "a"), ("three", "c"))
    ]
    suggest(store, ids[0], "tool_misuse")
    show(store, ids[0])
    say(store, ids[0], mode="other", note="NOTE-9: it read the wrong column")
    (tmp_path / "guidelines.md").write_text("RULE-3: a wrong column is a misreading.", "utf-8")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789abcdef")
    return reviewer


def test_learning_from_the_command_line(taught: Run, store: Store) -> None:
    with Loopback(message(ANSWER)) as server:
        arguments = ("suggest", "--with", "claude", "--base-url", server.url)
        assert taught(*arguments, "--yes", "--limit", 1).status == 0
        refused = taught(*arguments, "--learn")
        assert refused.status == 1 and len(server.seen) == 1  # notes of people are agreed to apart
        assert "1 label with a note" in refused.err
        done = taught(*arguments, "--learn", "--yes")
        assert done.status == 0 and "taught by 1 trace" in done.err
        bodies = [json.dumps(body) for body in server.seen[1:]]
    assert all("RULE-3" in body for body in bodies)
    # also the one that was judged before, by another prompt; never with its own label or its sibling's
    told = sorted(("NOTE-9" in body, "task of c" in body) for body in bodies)
    assert told == [(False, False), (False, False), (True, True)]
    with Loopback(message(ANSWER)) as again:
        done = taught("suggest", "--with", "claude", "--base-url", again.url, "--learn", "--yes")
        assert "nothing to do" in done.out and again.seen == []
    kept = {
        one.trace_id: one.usage.get("learned") for one in store.suggestions.all() if one.suggester == "claude"
    }
    assert sorted(map(bool, kept.values())) == [False, False, True]


def test_guidelines_can_be_named_and_must_be_there(taught: Run, tmp_path: Path) -> None:
    with Loopback(message(ANSWER)) as server:
        arguments = ("suggest", "--with", "claude", "--base-url", server.url, "--yes", "--limit", 1)
        missing = taught(*arguments, "--guidelines", tmp_path / "none.md")
        assert missing.status == 1 and "none.md" in missing.err and server.seen == []
        (tmp_path / "mine.md").write_text("RULE-4", "utf-8")
        assert taught(*arguments, "--guidelines", tmp_path / "mine.md").status == 0
        assert "RULE-4" in json.dumps(server.seen[0]) and "RULE-3" not in json.dumps(server.seen[0])
    assert taught("suggest", "--learn").status == 2


TASKS = st.sampled_from(["Fry an egg.", "fry  AN egg.", "Boil an egg.", "Bake a cake.", ""])
INFOS = st.lists(
    st.tuples(
        st.sampled_from(["stove", "oven", ""]), st.sampled_from(["fry", "boil", ""]), TASKS, st.integers(0, 5)
    ),
    min_size=1,
    max_size=6,
)


@given(INFOS)
def test_whatever_the_traces_no_label_of_oneself_a_parent_or_a_sibling_reaches_a_prompt(
    rows: list[tuple[str, str, str, int]],
) -> None:
    traces = [
        replace(
            SAMPLE,
            info=replace(
                SAMPLE.info,
                trace_id=f"t1-{n}",
                parent_id=f"t1-{parent}" if parent < n else "",
                benchmark=benchmark,
                task_id=task_id,
                task=task,
            ),
        )
        for n, (benchmark, task_id, task, parent) in enumerate(rows)
    ]
    taught = [lesson(one.info, "burnt", "raw", 1, f"note-of-{n}-") for n, one in enumerate(traces)]
    planner = Planner(options({"lessons": taught}), KITCHEN)
    for n, one in enumerate(traces):
        body = json.dumps(planner.plan(one).calls[0].body)
        assert f"note-of-{n}-" not in body
        for k, other in enumerate(traces):
            same_task = bool(one.info.task_id) and other.info.task_key == one.info.task_key
            same_words = (
                bool(one.info.task) and other.info.task.lower().split() == one.info.task.lower().split()
            )
            if same_task or same_words or one.info.parent_id == other.info.trace_id:
                assert f"note-of-{k}-" not in body
