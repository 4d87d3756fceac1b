"""The shape that every suggestion of the rules has, so that it is read and judged in ten seconds."""

from __future__ import annotations

import pytest

from reviewer import taxonomy
from reviewer.label import NOTE, Evidence
from reviewer.suggest.rules.seen.scene import Fired
from reviewer.suggest.rules.suggester import _quotes
from reviewer.trace import Outcome
from tests.suggest.rules.expected import propose
from tests.suggest.rules.test_suggester import CASES
from tests.traces import FAILED, bash, call, says, trace, user

MUTE = ("blocked", "ran_out_in_circles")  # the words of these two cases are too few to prove anything
SIX = taxonomy.load("six-modes")


@pytest.mark.parametrize("name", [name for name in CASES if name not in MUTE])
def test_a_suggestion_is_one_sentence_and_a_few_quotes_with_what_they_show(name: str) -> None:
    case = CASES[name]
    found = propose(case.fires, *case.outcomes)
    says, _, note = found.rationale.partition(NOTE)
    assert found.status == "ok" and note.startswith("Rule-based (")
    assert says.endswith(".") and "\n" not in says and len(says) <= 260
    assert 1 <= len(found.evidence) <= 4
    assert all(one.shows and len(one.shows.split()) <= 4 for one in found.evidence), found.evidence


def test_no_more_than_four_quotes_those_of_the_first_signal_first() -> None:
    own = [Evidence(n, f"the words of step {n}", shows="said") for n in range(1, 4)]
    same = [Evidence(2, f"more words, number {n}", shows="the error") for n in range(3)]
    bare, far = Evidence(2, "words that show nothing"), Evidence(9, "words of another step", shows="said")
    first = Fired("a", 2, "it is so", 0.5, tuple(own))
    at, elsewhere = Fired("b", 2, "so too", 0.4, (bare, far, *same)), Fired("c", 9, "there", 0.4, (far,))
    assert _quotes(first, [elsewhere, at]) == (*own, same[0])
    assert _quotes(first, [elsewhere]) == tuple(own), "another step is another story"


def test_an_abstention_begins_with_the_step_and_is_no_longer_than_two_lines() -> None:
    long = "the file of the third quarter could not be read by the tool " * 4
    broken = call("read", {"path": "/w/a"}, f"Error: {long}", error=True)
    checks = [bash("pytest", "1 failed", 1), bash("sed -i s/a/b/ a.py"), bash("pytest", "no tests ran")]
    found = propose(trace(user("x"), broken, *checks, says("It may be so.")), *FAILED)
    assert found.status == "abstained" and found.reason.startswith(f"Start at step {found.step_n}: ")
    assert len(found.reason) <= 240 and found.reason.endswith("outcome failed")
    words = Outcome(passed=False, detail={"failed_checks": [long * 3]})
    assert len(propose(trace(user("x"), broken, says("It may be so.")), words).reason) <= 240
