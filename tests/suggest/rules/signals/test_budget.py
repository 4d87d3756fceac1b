"""A budget that ran out over the same call again and again, or over work; its end is no fault around it."""

from __future__ import annotations

import pytest

from reviewer.suggest.evidence import verify
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.budget import ran_out_in_circles
from reviewer.trace import Ended, Step, Trace
from tests.suggest.rules.expected import propose
from tests.traces import bash, call, trace, user

EDIT = bash("sed -i s/a/b/ src/a.py")


@pytest.mark.parametrize("ended", ["limit", "timeout"])
def test_a_budget_that_ends_is_no_fault_of_the_surroundings(ended: Ended) -> None:
    words = Step(0, "system", "Agent reached maximum iteration of 50", fault=True)
    found = propose(trace(user("x"), EDIT, bash("ls", message="Next I look at b."), words, ended=ended))
    assert (found.mode, found.step_n) == ("other", 3)
    assert "Rule-based (ran_out_at_work), " in found.rationale
    assert found.evidence[-1].quote == "Agent reached maximum iteration of 50"
    bare = propose(trace(user("x"), EDIT, bash("ls", message="Next I look at b."), ended=ended))
    assert bare.status == "abstained", "no words in the run say so"


@pytest.mark.parametrize(
    "words",
    [
        "RuntimeError: Agent reached maximum iteration. Current iteration: 30",
        "Max time (1500s) reached, the run stops here",
        "The step limit of 40 was exceeded",
    ],
)
@pytest.mark.parametrize("ended", ["limit", "error", "unknown"])
def test_the_words_of_a_harness_about_a_budget_are_no_fault_either(words: str, ended: Ended) -> None:
    last = Step(0, "system", words, fault=True)
    found = propose(trace(user("x"), EDIT, bash("ls", message="Next I look at b."), last, ended=ended))
    assert (found.mode, found.step_n) == ("other", 3)


def test_circles_show_the_call_its_answer_and_the_limit() -> None:
    look = call("get_line", {"id": "L1002"}, '{"status": "Active", "plan": "P7"}')
    limit = Step(0, "system", "Reached the step limit of 20 steps.", fault=True)
    one = trace(user("x"), *[look] * 8, limit, ended="limit")
    fired = ran_out_in_circles(Scene.of(one))
    assert fired is not None and "get_line was called alike 8 times" in fired.says
    assert [item.shows for item in fired.evidence] == ["called", "answered", "once more", "ended"]
    assert all(item.verified for item in verify(one, fired.evidence))


def test_circles_are_told_from_different_calls() -> None:
    hand: Trace = trace(user("x"), *[call("hand_over", {"why": "it is late"}, "Done")] * 8, ended="limit")
    fired = ran_out_in_circles(Scene.of(hand))
    assert fired is not None and fired.evidence[1].quote == "Done"
    other = [bash("ls", "a"), bash("ls b", "b"), bash("ls c", "c")] * 2
    assert ran_out_in_circles(Scene.of(trace(*other, ended="limit"))) is None
