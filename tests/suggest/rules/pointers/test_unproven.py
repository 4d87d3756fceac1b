"""Signs that prove no mode are where a reader may begin."""

from __future__ import annotations

from reviewer import taxonomy
from reviewer.suggest import suggester
from reviewer.suggest.rules.pointers.unproven import checked_and_wrong, given_and_absent
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Outcome
from tests.traces import FAILED, bash, says, trace, user

EDIT = bash("sed -i s/a/b/ src/a.py")
DONE = says("I fixed the parser, and all tests pass.")


def test_a_good_check_and_a_bad_outcome_are_where_to_start() -> None:
    run = trace(user("Mend it"), EDIT, bash("pytest", "3 passed"), says("It is mended."))
    found = suggester("rules").suggest(run, FAILED, taxonomy.load("six-modes"))
    assert (found.status, found.step_n) == ("abstained", 3)
    assert found.reason.startswith("Start at step 3: its own test passed there, and it is wrong all the same")
    assert checked_and_wrong(Scene.of(trace(bash("pytest", "3 passed"), DONE), FAILED)) is None
    assert checked_and_wrong(Scene.of(trace(EDIT, bash("pytest", "1 failed", 1), DONE), FAILED)) is None


def test_what_the_task_names_and_is_not_there_is_where_to_start() -> None:
    gone = bash("cp /w/papers/* /w/out", "cp: cannot stat '/w/papers/*': No such file or directory", 1)
    steps = (gone, says("The folder is empty."))
    found = given_and_absent(Scene.of(trace(user("Copy what is in /w/papers/ to /w/out."), *steps), FAILED))
    assert found is not None and found[0] == 2 and "/w/papers" in found[1]
    assert given_and_absent(Scene.of(trace(user("Copy what there is to /w/out."), *steps), FAILED)) is None
    named = trace(user("Copy what is in /w/papers/ to /w/out."), *steps)
    assert given_and_absent(Scene.of(named, [Outcome(passed=True)])) is None
