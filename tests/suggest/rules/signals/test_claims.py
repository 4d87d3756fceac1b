"""Words of success against checks, the user and faults: what proves them false, and what speaks for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.suggest.rules.seen.quoting import readable
from reviewer.suggest.rules.seen.scene import Scene, claimed
from reviewer.suggest.rules.signals.claims import (
    claim_against_check,
    claim_of_failed_write,
    claim_unchecked,
    user_objected,
)
from reviewer.trace import Outcome, Step
from tests.suggest.rules.expected import look
from tests.traces import FAILED, bash, call, says, trace, user

EDIT = bash("sed -i s/a/b/ src/a.py")
DONE = says("I fixed the parser, and all tests pass.")
WRITE = bash("cat > report.py <<'E'\nprint(1)\nE")
WHOLE = bash("python -m pytest -q", "FAILED tests/test_rows.py::test_a\n1 failed, 30 passed", 1)
WRITTEN = says("I have created report.py, and it works as expected.")


def test_tests_that_pass_in_part_do_not_all_pass() -> None:
    part = bash("python -m pytest -q tests/test_cells.py", "4 passed")
    found = look(claim_against_check, EDIT, WHOLE, EDIT, part, EDIT, DONE)
    assert found is not None and found.step == 6 and "later runs leave out what failed" in found.says
    assert [(one.step_n, one.shows) for one in found.evidence] == [
        (2, "the check"), (4, "run later"), (6, "said"),
    ]  # fmt: skip
    same = bash("python -m pytest -q tests/test_rows.py", "4 passed")
    assert look(claim_against_check, EDIT, WHOLE, EDIT, same, EDIT, DONE) is None, "what failed was run again"
    works = says("I fixed the parser. It is done.")
    assert look(claim_against_check, EDIT, WHOLE, EDIT, part, EDIT, works) is None, "no word of tests"


def test_tests_that_were_not_run_again_are_not_said_to_pass() -> None:
    found = look(claim_against_check, WHOLE, EDIT, DONE)
    assert found is not None and "failed at 1 and was not run again" in found.says
    assert look(claim_against_check, WHOLE, EDIT, DONE, outcomes=[Outcome(passed=True)]) is None


def test_a_check_is_shown_by_its_command_without_what_is_done_with_its_words() -> None:
    printed = "E  assert Decimal('-0.01') == Decimal('0')\n\x1b[31m\x1b[1m1 failed\x1b[0m, 37 passed"
    check = bash("python -m pytest -q 2>&1 | tail -40", printed, 1)
    found = look(claim_against_check, EDIT, check, DONE)
    assert found is not None and "1 failed" in found.evidence[0].quote
    assert "but pytest -q failed at 2 and never passed since" in found.says


def test_a_check_without_an_end_shows_its_last_words() -> None:
    hangs = bash("python -m pytest -q", "..\n[no new output after 30 seconds]", -1)
    found = look(claim_against_check, EDIT, hangs, DONE)
    assert found is not None and found.evidence[0].quote == "[no new output after 30 seconds]"
    assert "but pytest -q did not pass at 2" in found.says, "nothing says that a test failed"


def test_tests_that_nobody_ran_are_not_said_to_pass() -> None:
    tried = bash('python -c "import a; print(a.b)"', "6")
    found = look(claim_unchecked, EDIT, tried, DONE, outcomes=FAILED)
    assert found is not None and found.says.startswith("false verification: tests are said to pass at 3")
    assert [one.shows for one in found.evidence] == ["last write", "said"]
    ran = bash("python -m pytest -q", "4 passed")
    assert look(claim_unchecked, EDIT, ran, DONE, outcomes=FAILED) is None


def test_a_refused_write_is_shown_with_the_claim() -> None:
    refused = call("add_run", {"line": 9, "at": "07:35"}, "DepotError: no driver is free", error=True)
    found = look(claim_of_failed_write, refused, says("Done: line 9 has one more run."))
    assert found is not None and [one.shows for one in found.evidence] == ["tried", "the error", "said"]
    assert found.evidence[0].quote == '{"at":"07:35","line":9}'


def test_a_user_denies_the_thing_that_was_claimed() -> None:
    said = says("I fixed the login, it is done.")
    assert look(user_objected, user("Mend the login"), EDIT, said, user("It still doesn't work")) is not None
    try_it = says("Roaming has been updated. Please try the speed test again.")
    other = user("The speed test still failed because there is no connection.")
    assert look(user_objected, user("x"), EDIT, try_it, other) is None, "another thing, as a step on the way"


def test_an_objection_that_is_met_later_is_none() -> None:
    first = (user("Mend it"), EDIT, says("It is fixed."), user("It still doesn't work"))
    assert look(user_objected, *first, says("I look.")) is not None
    assert look(user_objected, *first, EDIT, says("Once more.")) is None
    assert look(user_objected, *first, says("Restart it."), user("Great, thanks!")) is None


def unchecked(*steps: Step) -> int | None:
    found = claim_unchecked(Scene.of(trace(*steps), FAILED))
    return None if found is None else found.step


def test_a_wrong_answer_alone_claims_no_work() -> None:
    assert unchecked(says("I count the herons: eleven."), says("I have successfully verified it.")) is None


def test_a_run_of_what_was_written_is_a_look_at_it() -> None:
    assert unchecked(WRITE, WRITTEN) == 2
    assert unchecked(WRITE, bash("cat report.py", "print(1)"), WRITTEN) == 3, "to read it is none"
    assert unchecked(WRITE, bash("python report.py", "1"), WRITTEN) is None


def test_the_write_and_the_claim_are_both_shown() -> None:
    found = claim_unchecked(Scene.of(trace(WRITE, WRITTEN), FAILED))
    assert found is not None
    assert [(one.step_n, one.shows) for one in found.evidence] == [(1, "last write"), (2, "said")]
    assert "nothing ran or checked what was written last (1)" in found.says
    empty = claim_unchecked(Scene.of(trace(WRITE, bash("pytest", "no tests ran"), WRITTEN), FAILED))
    assert empty is not None and empty.says.endswith("but the only check, at 2, checked nothing")


def test_the_first_false_words_are_the_step() -> None:
    lost = call("Write", {"file_path": "a.md"}, "Error: the folder of it is a file", error=True)
    found = claim_of_failed_write(
        Scene.of(trace(lost, says("I've created a.md."), says("I've created a.md.")))
    )
    assert found is not None and found.step == 2


def test_what_is_to_come_after_the_work_is_no_claim() -> None:
    tells = says("You will receive an email after the exchange is processed.")
    assert unchecked(WRITE, tells) is None


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


def replace_reply(step: Step, reply: str) -> Step:
    return replace(step, results=tuple(replace(result, content=reply) for result in step.results))


def test_a_claim_keeps_its_words_of_success_where_all_is_long() -> None:
    talk = "It was a long day by the river and the rain had come and gone before the evening, and "
    found = look(
        claim_against_check, EDIT, bash("pytest", f"{talk}1 failed {talk}", 1), says(f"{talk}{DONE.message}")
    )
    assert found is not None and readable(found.says, [one.quote for one in found.evidence])
    assert "1 failed" in found.evidence[0].quote and "fixed" in found.evidence[-1].quote


def test_a_write_that_was_barred_speaks_for_the_surroundings_unless_it_is_passed_over() -> None:
    barred = "The write to a.md wants a permission that you haven't granted it yet."
    lost = call("Write", {"file_path": "a.md"}, barred, error=True)
    found = look(
        claim_of_failed_write, user("Create the file a.md, please."), lost, says("I've created a.md.")
    )
    assert found is not None and not found.but, "who it was, the quote says"
    assert [one.shows for one in found.evidence] == ["the error", "said"]
    full = replace_reply(lost, f"OSError{', as it is here' * 9}: No space left on device")
    other = look(claim_of_failed_write, full, says("I've created a.md."))
    assert other is not None and "No space left" in other.evidence[0].quote and not other.but
    owns = (lost, says("The permission is missing."), says("I've created a.md."))
    assert look(claim_of_failed_write, user("Create the file a.md, please."), *owns) is None
    plain = call("Write", {"file_path": "a.md"}, "Error: the folder is a file", error=True)
    other = look(claim_of_failed_write, user("Create it."), plain, says("I've created a.md."))
    assert other is not None and not other.but and other.evidence[0].shows == "tried"
