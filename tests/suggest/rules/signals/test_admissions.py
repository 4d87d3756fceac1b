"""What the agent did not hide counts where it was tried to the end, and no plan follows."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Scene, claimed
from reviewer.suggest.rules.signals.admissions import admission, held_up
from reviewer.trace import Step
from tests.suggest.rules.expected import look
from tests.traces import FAILED, bash, call, says, trace, user

EDIT = bash("sed -i s/a/b/ src/a.py")
NET = bash("pip install x", "ConnectionError: Max retries exceeded with url: /simple/x", 1)


GONE = call("view", {"path": "/data/a.csv"}, "Error: /data/a.csv does not exist.", error=True)
LOOKS = (bash("find / -name a.csv"), bash("ls /data"))
NO = says("I was unable to go on: a.csv does not exist. Let me know where it is.")


def test_an_input_that_is_missing_holds_up_where_it_was_looked_for_and_named() -> None:
    def holds(*steps: Step) -> bool:
        return look(held_up, *steps, outcomes=FAILED) is not None

    found = look(held_up, user("Sort a.csv"), GONE, *LOOKS, NO, outcomes=FAILED)
    assert found is not None and found.step == 2
    assert found.says == "missing input: a.csv, named at 1, is not there (2); 2 more looks do not find it"
    assert [(one.step_n, one.shows) for one in found.evidence] == [(2, "the error"), (5, "said")]
    assert all("a.csv does not exist" in one.quote for one in found.evidence)
    assert "task itself may be broken" in found.but, "no single trace shows which of them it is"
    told = bash("ask olga", "It is in /data/a.csv.")
    assert holds(user("Sort it"), told, GONE, *LOOKS, NO), "a person named it"
    assert not holds(user("Sort it"), GONE, *LOOKS, NO), "never asked for"
    assert not holds(user("Sort the lines and write them to a.csv"), GONE, *LOOKS, NO), "it is to be made"
    assert not holds(user("Sort a.csv"), GONE, *LOOKS, bash("echo 1 > /data/b.csv"), NO)
    assert not holds(user("Sort a.csv"), GONE, LOOKS[0], NO), "looked for once"
    assert not holds(user("Sort a.csv"), GONE, *LOOKS, says("I was unable to go on.")), "not named"


def test_an_error_that_was_put_right_is_none_and_the_missing_input_behind_it_counts() -> None:
    code = "python3 -c \"from scan import read; print(read('/data/code.png'))\""
    wrong = bash(code, "ImportError: Unable to find the scan library", 1)
    gone = bash(code, "FileNotFoundError: [Errno 2] No such file or directory: '/data/code.png'", 1)
    words = says("It seems that code.png does not exist in /data, so I could not read it.")
    steps = (wrong, bash("apt-get install -y scan"), gone, bash("ls /data"), bash("ls /data/data"), words)
    found = look(held_up, user("Read /data/code.png"), *steps, outcomes=FAILED)
    assert found is not None and found.step == 4 and "2 more looks" in found.says


def test_what_stands_in_quotes_or_code_is_no_admission() -> None:
    def admits(words: str) -> bool:
        return admission(Scene.of(trace(user("Mend it"), EDIT, says(words)), FAILED)) is not None

    assert not admits('It is mended. It now prints "Failed to open the harbour: <error>".')
    assert not admits("It is mended. The text was `could not find it` before.")
    assert not admits("It is mended:\n```\nprint('unable to moor')\n```")
    assert admits('It still prints "open", and I could not find out why.')
    assert claimed(Scene.of(trace(user("x"), EDIT, says('I fixed it. It prints "Failed to moor".'))).facts)
