"""What the agent did not hide counts where it was tried to the end, and no plan follows."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Scene, claimed
from reviewer.suggest.rules.signals.admissions import admission, held_up, input_missing, said_it_failed
from reviewer.trace import Step
from tests.suggest.rules.expected import look, propose
from tests.traces import FAILED, bash, call, says, trace, user

EDIT = bash("sed -i s/a/b/ src/a.py")
NET = bash("pip install x", "ConnectionError: Max retries exceeded with url: /simple/x", 1)


def test_a_fault_outside_that_is_met_twice_and_named_holds_up() -> None:
    words = says("I could not install x: there is no network.")
    found = look(held_up, user("Install x"), NET, NET, words, outcomes=FAILED)
    assert found is not None and found.step == 2
    assert [one.shows for one in found.evidence] == ["tried", "the fault", "said"]
    assert look(held_up, user("Install x"), NET, words, outcomes=FAILED) is None, "tried once"
    silent = says("I could not install x.")
    assert look(held_up, user("Install x"), NET, NET, silent, outcomes=FAILED) is None, "not named"


def test_an_input_that_is_missing_is_a_pointer_since_it_may_be_so_for_every_attempt() -> None:
    def points(*steps: Step) -> bool:
        found = input_missing(Scene.of(trace(*steps), FAILED))
        assert (
            found is None or "a.csv, which the task names, is not there, nor in 2 further looks" in found[1]
        )
        return found is not None

    gone = call("view", {"path": "/data/a.csv"}, "Error: /data/a.csv does not exist.", error=True)
    looks = (bash("find / -name a.csv"), bash("ls /data"))
    words = says("I was unable to find a.csv. Let me know where it is.")
    assert points(user("Sort a.csv"), gone, *looks, words)
    assert look(held_up, user("Sort a.csv"), gone, *looks, words, outcomes=FAILED) is None
    said = propose(trace(user("Sort a.csv"), gone, *looks, words), *FAILED)
    assert (said.status, said.step_n) == ("abstained", 2) and "task broken" in said.reason
    assert not points(user("Sort it"), gone, *looks, words), "never asked for"
    result = user("Sort the lines and write them to a.csv")
    assert not points(result, gone, *looks, words), "it is to be made"
    assert not points(user("Sort a.csv"), gone, *looks, bash("echo 1 > /data/b.csv"), words)
    assert not points(user("Sort a.csv"), gone, looks[0], words), "looked for once"


def test_an_admission_counts_after_work_and_with_no_plan_after_it() -> None:
    def admits(*steps: Step) -> bool:
        return look(said_it_failed, user("Mend it"), *steps, outcomes=FAILED) is not None

    assert admits(EDIT, says("It is not tested."))
    assert not admits(says("It is not tested.")), "nothing was done"
    assert not admits(bash("ls", "a"), says("I could not find it.")), "no write and no error"
    assert not admits(EDIT, says("I could not find it. I'll use another search.")), "on the way"
    broken = call("convert", {"to": "b.csv"}, "Error: the header of it is broken", error=True)
    assert admits(broken, says("I was unable to convert it."))
    assert not admits(NET, says("I was unable to convert it.")), "a fault outside"
    assert not admits(EDIT, says("It is not tested. You should run the tests.")), "left to the user"
    assert not admits(EDIT, says("Anything else?"), user("My card"), says("I cannot verify it.")), "a talk"


def test_an_error_that_was_put_right_is_none_and_the_missing_input_behind_it_counts() -> None:
    code = "python3 -c \"from scan import read; print(read('/data/code.png'))\""
    wrong = bash(code, "ImportError: Unable to find the scan library", 1)
    gone = bash(code, "FileNotFoundError: [Errno 2] No such file or directory: '/data/code.png'", 1)
    words = says("It seems that code.png does not exist in /data, so I could not read it.")
    steps = (wrong, bash("apt-get install -y scan"), gone, bash("ls /data"), bash("ls /data/data"), words)
    found = input_missing(Scene.of(trace(user("Read /data/code.png"), *steps), FAILED))
    assert found is not None and found[0] == 4 and "in 2 further looks" in found[1]
    assert look(said_it_failed, user("Read /data/code.png"), *steps, outcomes=FAILED) is None
    once = (wrong, bash("apt-get install -y scan"), gone, says("I could not read it: it does not exist."))
    honest = look(said_it_failed, user("Read /data/code.png"), *once, outcomes=FAILED)
    assert honest is not None and honest.step == 4, "not the error at 2, which was put right"


def test_what_stands_in_quotes_or_code_is_no_admission() -> None:
    def admits(words: str) -> bool:
        return admission(Scene.of(trace(user("Mend it"), EDIT, says(words)), FAILED)) is not None

    assert not admits('It is mended. It now prints "Failed to open the harbour: <error>".')
    assert not admits("It is mended. The text was `could not find it` before.")
    assert not admits("It is mended:\n```\nprint('unable to moor')\n```")
    assert admits('It still prints "open", and I could not find out why.')
    assert claimed(Scene.of(trace(user("x"), EDIT, says('I fixed it. It prints "Failed to moor".'))).facts)


def test_a_person_to_be_helped_who_was_never_spoken_to_is_a_pointer() -> None:
    gone = call("view", {"path": "/data/a.csv"}, "Error: /data/a.csv does not exist.", error=True)
    words = says("I was unable to find a.csv. Let me know where it is.")
    steps = (gone, bash("find / -name a.csv"), bash("ls /data", "tides"), words)
    talk = "To chat with people, use the talk_to command.\nAvailable people: Olga"
    task = user(f"Help Olga. Sort a.csv.\n{talk}")
    assert look(held_up, task, *steps, outcomes=FAILED) is None
    assert look(said_it_failed, task, *steps, outcomes=FAILED) is None
    assert (
        "talk_to (to Olga), which the task names, was never tried"
        in propose(trace(task, *steps), *FAILED).reason
    )
    spoke = (gone, bash("find / -name a.csv"), call("talk_to", {"who": "Olga"}, "I do not know."), *steps[2:])
    assert "talk_to" not in propose(trace(task, *spoke), *FAILED).reason
    assert "talk_to" not in propose(trace(user(f"Sort a.csv.\n{talk}"), *steps), *FAILED).reason, (
        "not for Olga"
    )
