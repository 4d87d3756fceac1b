"""The report: every trace in one place, shares by hand, and nothing that hangs on how a mode is called."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer import taxonomy
from reviewer.label import Decision, Gold, GoldStatus, LabelledTrace
from reviewer.report.shares import Group, ModeShare, report
from reviewer.stats.intervals import wilson
from reviewer.trace import TraceInfo

KITCHEN = """
id = "kitchen"
version = "1"
[[mode]]
id = "burnt"
share = 0.5
[[mode]]
id = "raw"
[[mode]]
id = "cold"
[[mode]]
id = "eaten"
kind = "non_failure"
[[mode]]
id = "unclear"
kind = "non_failure"
apart = true
"""
TAXONOMY = taxonomy.parse(KITCHEN)
MODES = [mode.id for mode in TAXONOMY.modes]


def row(
    n: int,
    mode: str | None = None,
    *,
    status: GoldStatus = "unanimous",
    passed: bool | None = False,
    task: str | None = None,
    model: str = "m",
    benchmark: str = "b",
) -> LabelledTrace:
    """One labelled trace; without `mode` one that has no gold, with `status` as the reason."""
    info = TraceInfo(
        f"t1-{n}",
        "",
        "plain",
        task_id=f"task {n}" if task is None else task,
        model=model,
        benchmark=benchmark,
    )
    gold = Gold(status, None if mode is None else Decision(mode))
    return LabelledTrace(info, passed, None, gold, (), (), (), {})


def share(group: Group, mode: str) -> ModeShare:
    return next(one for one in group.shares if one.mode.id == mode)


def test_shares_by_hand() -> None:
    rows = [row(n, "burnt") for n in range(3)] + [row(n, "raw") for n in range(3, 10)]
    whole = report(rows, TAXONOMY).overall
    burnt, raw, cold = whole.shares
    assert (whole.traces, whole.failures, whole.tasks) == (10, 10, 10)
    assert (burnt.n, burnt.tasks, burnt.share.value, raw.share.value, cold.n) == (3, 3, 0.3, 0.7, 0)
    assert (burnt.share.low, burnt.share.high) == wilson(3, 10)
    assert (cold.share.low, cold.share.high) == wilson(0, 10)
    assert burnt.mode.share == 0.5
    assert [one.mode.id for one in whole.largest] == ["raw", "burnt"]


def test_attempts_at_one_task_are_no_separate_evidence() -> None:
    ten = [row(n, "burnt" if n < 4 else "raw", task=f"{n // 2}") for n in range(12)]
    whole = report(ten, TAXONOMY).overall
    assert (whole.failures, whole.tasks) == (12, 6)
    burnt = share(whole, "burnt")
    assert (burnt.n, burnt.tasks, burnt.share.interval) == (4, 2, "wilson_tasks")
    assert (burnt.share.low, burnt.share.high) == pytest.approx(wilson(2, 6))
    other = [replace(one, info=replace(one.info, benchmark=f"b{n}")) for n, one in enumerate(ten)]
    assert report(other, TAXONOMY).overall.tasks == 12  # the same name in another benchmark: another task
    unknown = [replace(one, info=replace(one.info, task_id="")) for one in ten]
    assert report(unknown, TAXONOMY).overall.tasks == 12


def test_what_is_no_failure_is_counted_apart_and_in_no_share() -> None:
    rows = [
        *(row(n, "raw") for n in range(5)),
        row(10, "raw", passed=None),
        row(11, "eaten"),
        row(12, "unclear"),
        row(13, "burnt", passed=True),
        row(14, "eaten", passed=True),
        row(15, passed=True, status="none"),
        row(16, status="single"),
        row(17, status="disagreed"),
        row(18, status="none"),
        row(19, "of old"),
    ]
    whole = report(rows, TAXONOMY).overall
    assert (whole.failures, whole.unverified, whole.traces) == (6, 1, 15)
    assert whole.not_failures == {"eaten": 1, "unclear": 1}
    assert (whole.passed, whole.passed_gold) == (3, {"burnt": 1, "eaten": 1})
    assert whole.without_gold == {"single": 1, "disagreed": 1, "none": 1}
    assert whole.unknown_modes == {"of old": 1}
    assert (share(whole, "burnt").n, share(whole, "raw").share.value) == (0, 1.0)


def test_a_small_group_shows_its_n_and_no_interval() -> None:
    rows = [row(n, "raw", model="small") for n in range(4)] + [row(n, "raw") for n in range(4, 10)]
    groups = {group.value: group for group in report(rows, TAXONOMY, ["model"]).groups}
    small = share(groups["small"], "raw")
    assert (small.n, small.share.value, small.share.low, small.share.remarks) == (
        4,
        1.0,
        None,
        ("few_tasks",),
    )
    assert share(groups["m"], "raw").share.low is not None
    nothing = report([row(1, status="none")], TAXONOMY).overall
    assert share(nothing, "raw").share.undefined == "no_data"


def test_breakdowns_begin_with_most_failures() -> None:
    rows = [row(1, "raw", model="a"), row(2, "raw", model="b"), row(3, "raw", model="b"), row(4, model="")]
    found = report(rows, TAXONOMY)
    assert [(group.by, group.value) for group in found.groups] == [
        *(("model", name) for name in ("b", "a", "")),
        ("benchmark", "b"),
    ]


ROWS = st.lists(
    st.builds(
        row,
        st.integers(0, 1000),
        st.sampled_from([None, *MODES, "gone"]),
        passed=st.sampled_from([True, False, None]),
        task=st.sampled_from([None, "", "x", "y"]),
        model=st.sampled_from(["", "p", "q"]),
        benchmark=st.sampled_from(["", "v"]),
    ),
    max_size=40,
)


def places(group: Group) -> int:
    counts = (group.not_failures, group.without_gold, group.unknown_modes)
    return group.failures + group.passed + sum(sum(count.values()) for count in counts)


@given(ROWS)
def test_every_trace_is_in_one_place_and_the_shares_of_failures_are_all_of_them(
    rows: list[LabelledTrace],
) -> None:
    found = report(rows, TAXONOMY)
    for group in (found.overall, *found.groups):
        assert places(group) == group.traces
        assert sum(one.n for one in group.shares) == group.failures
        if group.failures:
            assert sum(one.share.value or 0 for one in group.shares) == pytest.approx(1)
        for one in group.shares:
            assert one.share.n == group.failures
            if one.share.low is not None and one.share.high is not None:
                assert one.share.low <= (one.share.value or 0) <= one.share.high
    for by in ("model", "benchmark"):
        assert sum(group.traces for group in found.groups if group.by == by) == len(rows)
        assert sum(group.failures for group in found.groups if group.by == by) == found.overall.failures


@given(ROWS)
def test_renaming_modes_changes_no_number(rows: list[LabelledTrace]) -> None:
    text = KITCHEN
    for mode in MODES:
        text = text.replace(f'"{mode}"', f'"new_{mode}"')
    renamed = [
        replace(one, gold=Gold(one.gold.status, Decision(f"new_{one.gold.decision.mode}")))
        if one.gold.decision is not None
        else one
        for one in rows
    ]
    old, new = report(rows, TAXONOMY).overall, report(renamed, taxonomy.parse(text)).overall
    assert [(one.n, one.tasks, one.share) for one in old.shares] == [
        (one.n, one.tasks, one.share) for one in new.shares
    ]
    assert [f"new_{mode}" for mode in old.not_failures] == list(new.not_failures)
