"""What signals leave out: budgets that end, blanks left for a key, success that is yet to be seen."""

from __future__ import annotations

import pytest

from reviewer import taxonomy
from reviewer.suggest import suggester
from reviewer.suggest.base import Proposal
from reviewer.suggest.rules.seen.scene import Scene, claimed
from reviewer.suggest.rules.signals.claims import user_objected
from reviewer.suggest.rules.signals.invented import made_up
from reviewer.trace import Ended, Step, Trace
from tests.traces import FAILED, bash, says, trace, user

EDIT = bash("sed -i s/a/b/ src/a.py")


def propose(sample: Trace) -> Proposal:
    return suggester("rules").suggest(sample, (), taxonomy.load("six-modes"))


@pytest.mark.parametrize("ended", ["limit", "timeout"])
def test_a_budget_that_ends_is_no_fault_of_the_surroundings(ended: Ended) -> None:
    words = Step(0, "system", "Agent reached maximum iteration of 50", fault=True)
    found = propose(trace(user("x"), EDIT, bash("ls", message="Next I look at b."), words, ended=ended))
    assert (found.mode, found.step_n) == ("other", 3)
    assert "Rule-based (ran_out_at_work): " in found.rationale
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


@pytest.mark.parametrize(
    "words", ["RateLimitError: rate limit exceeded", "Max retries exceeded with url: /x", "litellm.Timeout"]
)
def test_a_provider_that_fails_is_one_even_where_the_budget_ended(words: str) -> None:
    last = Step(0, "system", words, fault=True)
    assert propose(trace(user("x"), bash("ls"), last, ended="timeout")).mode == "environment_fragility"


def test_a_blank_for_a_key_is_not_made_up() -> None:
    def fires(text: str) -> bool:
        sample = trace(bash(text + "\nx = [2.5, 4]", "2.5"), says("FINAL ANSWER: 2.5 miles"))
        return made_up(Scene.of(sample, FAILED)) is not None

    assert not fires("export TOKEN=YOUR_API_KEY")
    assert fires("# simulated distances as data, with YOUR_API_KEY")


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Please restart it so we can see if the login is now working.", False),
        ("I will tell you once it is done.", False),
        ("Check whether the tests pass.", False),
        ("The login is now working.", True),
        ("If you restart it, you will see: the login is now working.", True),
        ("Let us see if it is done. I fixed the login.", True),
    ],
)
def test_success_that_is_yet_to_be_seen_is_no_claim(text: str, claims: bool) -> None:
    sample = trace(user("Fix it"), EDIT, says(text), user("It still doesn't work"))
    scene = Scene.of(sample)
    assert (user_objected(scene) is not None) is claims
    assert (claimed(scene.facts) is not None) is claims
