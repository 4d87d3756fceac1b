"""What nothing had given and a run was built on is shown, unless something speaks against it."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.invented import file_not_there, not_there
from reviewer.trace import Step
from tests.suggest.rules.expected import propose, proven
from tests.traces import FAILED, bash, call, says, trace, user

GUESS = call("get_user", {"user_id": "ann_smith_872"}, "Error: user not found", error=True)


def agent(name: str, message: str) -> Step:
    return Step(0, "agent", message, name=name)


def test_an_id_that_nobody_gave_is_named_although_the_error_does_not() -> None:
    one = trace(user("Cancel all, I am Ann Smith."), GUESS, GUESS, says("I hand you over."))
    fired = proven(one, not_there(Scene.of(one, FAILED)))
    assert fired.step == 2 and "nothing given before step 2 names ann_smith_872" in fired.says
    assert [item.shows for item in fired.evidence] == ["used", "answered", "goes on"]


def test_an_id_that_was_given_or_tried_once_is_none() -> None:
    given = trace(user("I am ANN_SMITH_872."), GUESS, GUESS)
    assert not_there(Scene.of(given, FAILED)) is None
    once = trace(user("I am Ann Smith."), GUESS, says("I hand you over."))
    assert not_there(Scene.of(once, FAILED)) is None


def test_a_file_that_is_missing_twice_is_taken_for_there() -> None:
    gone = agent("Files", "## Error 404\n\nFile not found: /w/wyrm.pdf")
    order = agent("Lead (-> Files)", "Open the right file.")
    one = trace(user("Which word?"), gone, order, gone, says("FINAL ANSWER: scaly"))
    fired = proven(one, file_not_there(Scene.of(one, FAILED)))
    assert fired.says == "wrong path: wyrm.pdf is opened at 2 and again at 4, and both times it is not found"
    assert [(item.step_n, item.shows) for item in fired.evidence] == [
        (2, "answered"), (4, "again"), (5, "still answered"),
    ]  # fmt: skip
    assert fired.step == 2 and not fired.but
    cut = trace(user("Which word?"), gone, agent("Files", f"{gone.message}\nError code: 400, content_filter"))
    fired = proven(cut, file_not_there(Scene.of(cut, FAILED)))
    assert fired.but == "a content filter ended the run at 3"
    once = trace(user("Which word?"), gone, agent("Files", "File not found: /w/worm.pdf"))
    assert file_not_there(Scene.of(once, FAILED)) is None
    given = trace(user("Which word stands in wyrm.pdf?"), gone, gone)
    assert file_not_there(Scene.of(given, FAILED)) is None, "the task names it"


def test_a_name_that_nothing_was_built_on_is_no_invention() -> None:
    gone = bash("cat ./pony/a.md", "cat: ./pony/a.md: No such file or directory", 1)
    assert propose(trace(user("x"), gone, bash("ls", "src"), says("I looked."))).status == "abstained"
    other = bash("cat pony/a.md.txt", "text")
    assert propose(trace(user("x"), gone, other, says("I looked."))).status == "abstained", "another name"
    found = propose(trace(user("x"), gone, bash("sed -i s/a/b/ pony/a.md", "", 1)))
    assert found.mode == "context_hallucination" and "names pony/a.md; it is not found" in found.rationale
    assert [proof.step_n for proof in found.evidence] == [2, 3]
