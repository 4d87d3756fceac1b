"""What makes a claim of success an unchecked one, and at which step it is first made."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.claims import claim_of_failed_write, claim_unchecked
from reviewer.trace import Step
from tests.traces import FAILED, bash, call, says, trace

WRITE = bash("cat > report.py <<'E'\nprint(1)\nE")
DONE = says("I have created report.py, and it works as expected.")


def unchecked(*steps: Step) -> int | None:
    found = claim_unchecked(Scene.of(trace(*steps), FAILED))
    return None if found is None else found.step


def test_a_wrong_answer_alone_claims_no_work() -> None:
    assert unchecked(says("I count the herons: eleven."), says("I have successfully verified it.")) is None


def test_a_run_of_what_was_written_is_a_look_at_it() -> None:
    assert unchecked(WRITE, DONE) == 2
    assert unchecked(WRITE, bash("cat report.py", "print(1)"), DONE) == 3, "to read it is none"
    assert unchecked(WRITE, bash("python report.py", "1"), DONE) is None


def test_the_write_and_the_claim_are_both_shown() -> None:
    found = claim_unchecked(Scene.of(trace(WRITE, DONE), FAILED))
    assert found is not None
    assert [(one.step_n, one.shows) for one in found.evidence] == [(1, "last write"), (2, "said")]
    assert "after the last write at 1 comes no check and no run" in found.says


def test_the_first_false_words_are_the_step() -> None:
    lost = call("Write", {"file_path": "a.md"}, "Error: you have not been allowed to", error=True)
    found = claim_of_failed_write(
        Scene.of(trace(lost, says("I've created a.md."), says("I've created a.md.")))
    )
    assert found is not None and found.step == 2


def test_what_is_to_come_after_the_work_is_no_claim() -> None:
    tells = says("You will receive an email after the exchange is processed.")
    assert unchecked(WRITE, tells) is None
