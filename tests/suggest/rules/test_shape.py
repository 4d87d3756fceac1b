"""The shape that every suggestion of the rules has, so that it is read and judged in ten seconds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer import taxonomy
from reviewer.label import Evidence, Rationale
from reviewer.suggest.rules.seen.quoting import readable
from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.suggester import _quotes
from reviewer.trace import Outcome, Step
from tests.suggest.rules.expected import propose
from tests.suggest.rules.test_suggester import BY_NAME, CASES
from tests.traces import FAILED, bash, call, says, trace, user

MUTE = ("blocked", "ran_out_in_circles")  # the words of these two cases are too few to prove anything
WORDY = "It was a long day by the river, and the rain had come and gone before the evening. " * 8
UNSEEN: tuple[str, ...] = ()
SIX = taxonomy.load("six-modes")


@pytest.mark.parametrize("name", [name for name in CASES if name not in MUTE])
def test_a_suggestion_is_one_sentence_and_a_few_quotes_with_what_they_show(name: str) -> None:
    case = CASES[name]
    found = propose(case.fires, *case.outcomes)
    says, but, note = Rationale.of(found.rationale)
    assert found.status == "ok" and note.startswith("Rule-based (")
    assert says.endswith(".") and "\n" not in says and len(says) <= 260
    assert 1 <= len(found.evidence) <= 3
    assert all(one.shows and len(one.shows.split()) <= 4 for one in found.evidence), found.evidence
    assert len(but.split()) <= 14 and "\n" not in but and len(note) <= 150
    assert readable(says, [but, *(one.quote for one in found.evidence)])


def padded(step: Step) -> Step:
    """The same step among many words: what is said has a beginning and an end that say nothing."""
    message = f"{WORDY} {step.message}\n{WORDY}" if step.message else ""
    results = tuple(
        replace(result, content=f"{result.content}\n{WORDY}") if result.content else result
        for result in step.results
    )
    return replace(step, message=message, results=results)


@pytest.mark.parametrize("name", CASES)
def test_a_suggestion_is_as_short_where_the_steps_are_long(name: str) -> None:
    case = CASES[name]
    run = replace(case.fires, steps=tuple(padded(step) for step in case.fires.steps))
    found = BY_NAME[name](Scene.of(run, case.outcomes))
    if found is None:
        assert name in UNSEEN, "it fires with few words, not among many"
        return
    assert name not in UNSEEN and readable(found.says, [found.but, *(one.quote for one in found.evidence)]), (
        found
    )


def test_quotes_of_another_signal_are_taken_only_where_there_is_room() -> None:
    own = Evidence(2, "what was asked of it", shows="asked")
    more = Evidence(2, f"one more {'word ' * 60}", shows="said")
    first = Fired("a", 2, "it is so", 0.5, (own,))
    assert _quotes(first, [Fired("b", 2, "so too", 0.4, (more,))]) == (own,)


def test_no_more_than_three_quotes_those_of_the_first_signal_first() -> None:
    own = [Evidence(n, f"the words of step {n}", shows="said") for n in (1, 2)]
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
