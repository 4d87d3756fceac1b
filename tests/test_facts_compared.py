"""Expected against actual as lines, and what graders call failed."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.facts import Compared, compared, failed_checks
from reviewer.trace import Json, Outcome, Step, Trace
from tests.traces import call, trace

ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def sides(want: Json, have: Json, detail: Json = None, *steps: Step) -> Compared:
    outcome = Outcome(passed=False, expected_state=want, final_state=have, detail=detail)
    (found,) = compared((outcome,), trace(*steps))
    return found


def lines(found: Compared) -> list[str]:
    return [f"{line.sign} {'  ' * line.depth}{line.text}" for line in found.lines]


def test_what_differs_with_a_little_around_it() -> None:
    want = {"berth": {"id": "B4", "nights": 2, "a": 1, "b": 2, "c": 3, "d": 4}, "gone": True}
    have = {"berth": {"id": "B4", "nights": 3, "a": 1, "b": 2, "c": 3, "d": 4}, "new": [1]}
    assert lines(sides(want, have)) == [
        "> berth",
        '    id: "B4"',
        "-   nights: 2",
        "+   nights: 3",
        "    a: 1",
        "    b: 2",
        "    c: 3",
        "    d: 4",
        "- gone: true",
        "+ new: [1]",
    ]
    far = lines(sides({str(n): n for n in range(9)}, {**{str(n): n for n in range(9)}, "0": 5}))
    assert far == ["- 0: 0", "+ 0: 5", "  1: 1", "  2: 2", "  … 6 equal"]


def test_calls_are_compared_as_calls() -> None:
    def made(name: str, **arguments: Json) -> dict[str, Json]:
        return {"name": name, "kwargs": arguments}

    want = {"actions": [made("get_berth", id=4), made("move_berth", id=4, to=7), made("cancel_pilot", id=1)]}
    have = {"actions": [None, made("move_berth", id=4, to=6), made("move_berth", id=4, to=8)]}
    steps = [
        call("move_berth", {"id": 4, "to": 6}, "Error: berth 6 is taken"),
        call("find_berth", {"id": 4}, "ok"),
        call("move_berth", '{"id": 4, "to": 8}', "moved"),
    ]
    found = sides(want, have, None, *steps)
    assert lines(found) == [
        "> actions",
        ">   move_berth",
        "      id: 4",
        "-     to: 7",
        "+     to: 8",
        "-   cancel_pilot(id=1)",
    ]
    assert [line.step for line in found.lines] == [0, 3, 0, 0, 0, 0]
    assert found.failed == (1,)
    only_reads = sides({"actions": [made("get_berth", id=4)]}, {"actions": [made("find_x", id=1)]})
    assert only_reads.same and only_reads.reads == 1


def test_texts_answers_and_lists() -> None:
    assert lines(sides("one\ntwo\nthree", "one\n2\nthree")) == ["  one", "- two", "+ 2", "  three"]
    assert lines(sides({"answer": "1"}, {"answer": 1})) == ['- answer: "1"', "+ answer: 1"]
    assert lines(sides(["2", "2.0"], None, {"value": "I", "answer": "3"})) == ['- ["2", "2.0"]', "+ 3"]
    assert sides(["2", "2.0"], None, {"value": "C", "answer": "2"}).same
    alone = sides({"answer": "oak"}, None)
    assert not alone.final and not alone.same and lines(alone) == ['- {"answer": "oak"}']
    inserted = sides([{"n": n} for n in range(5)], [{"n": 9}, *({"n": n} for n in range(5))])
    assert [line for line in lines(inserted) if line[0] in "+-"] == ['+ {"n": 9}']


def test_many_and_deep_differences_are_counted() -> None:
    many = sides({str(n): n for n in range(3_000)}, {})
    assert len(many.lines) == 400 and many.left_out == 2_600
    deep: Any = 1
    other: Any = 2
    for _ in range(5_000):
        deep, other = {"name": "x", "arguments": {"a": deep}}, {"name": "x", "arguments": {"a": other}}
    assert not sides(deep, other).same
    begun = time.process_time()
    sides([{"id": n} for n in range(30_000)], [{"id": n + 1} for n in range(30_000)])
    assert time.process_time() - begun < 3


@settings(max_examples=200, deadline=None)
@given(ODD, ODD)
def test_odd_states_never_raise(want: Any, have: Any) -> None:
    outcome = Outcome(passed=False, expected_state=want, final_state=have, detail=have)
    for found in compared((outcome,), Trace(trace().info)):
        assert len(found.lines) <= 400
    assert all(str(check) for check in failed_checks((outcome,)))
    assert failed_checks((outcome,))


SWE = {"resolved": False, "tests_status": {"FAIL_TO_PASS": {"failure": ["t1"], "success": ["t0"]}}}
CTRF = [{"name": "t_a", "status": "passed"}, {"name": "t_b", "status": "failed", "message": "no"}]
REPORT = {"resolved": False, "failed_apply_patch": False, "error_eval": False}
TOLD = {"failed_tests": ["test_order"], "parser_results": {"test_order": "failed"}}


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        (SWE, ["resolved: false", "t1: tests_status.FAIL_TO_PASS"]),
        ({"report": REPORT}, ["report.resolved: false"]),
        ({"reward_info": {"reward": 0.0, "info": {"r_actions": 0.0}}}, ["r_actions: 0"]),
        ({"i": {"r_outputs": 0.0, "outputs": {"10": False}}}, ["r_outputs: 0", 'i.outputs."10": false']),
        (TOLD, ["test_order"]),
        ({"parser_results": {"test_a": "passed", "test_b": "failed"}}, ["parser_results.test_b: failed"]),
        ({"results": {"tests": CTRF}}, ["t_b: status failed; no"]),
        ({"checkpoints": [{"total": 2, "result": 1}]}, ["checkpoint: 1 of 2"]),
        ({"checks": [{"env_assertion": "is_afloat", "met": False}]}, ["is_afloat: met false"]),
        (
            {"verdict": False, "failure_reason": "other quay"},
            ["verdict: false", "failure_reason: other quay"],
        ),
        ({"value": "I", "answer": "4.2 m"}, ["not passed: value I; answer 4.2 m"]),
        ({"listed_in": ["unresolved_ids"]}, ["not passed: listed_in unresolved_ids"]),
        ({"n": 10**5000}, ["not passed: n a number of very many digits"]),
        (None, ["not passed"]),
    ],
)
def test_what_graders_call_failed(detail: Json, said: list[str]) -> None:
    found = [str(check) for check in failed_checks((Outcome(passed=False, detail=detail),))]
    assert [text.startswith(begin) for text, begin in zip(found, said, strict=True)] == [True] * len(said), (
        found
    )


def test_a_passed_run_has_no_failed_check() -> None:
    assert failed_checks((Outcome(passed=True, detail={"resolved": True, "score": 0}),)) == ()


@pytest.mark.parametrize(("passed", "same"), [(True, True), (False, False), (None, False)])
def test_a_grader_that_lets_case_and_a_full_stop_go_leaves_no_difference(
    passed: bool | None, same: bool
) -> None:
    outcome = Outcome(passed=passed, expected_state=" No", final_state="no.")
    assert compared((outcome,), trace())[0].same is same
