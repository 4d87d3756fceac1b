"""What nothing had given and a run was built on is shown, unless something speaks against it."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.fabricated import called_made_up, made_up
from reviewer.suggest.rules.signals.invented import gone_twice, not_there
from reviewer.trace import Step
from tests.suggest.rules.expected import proven
from tests.traces import FAILED, PASSED, bash, call, says, trace, user

GUESS = call("get_user", {"user_id": "ann_smith_872"}, "Error: user not found", error=True)
SAMPLE = bash("# hypothetical values for demo purposes\ncounts = [45, 50, 47]\nprint(dev(counts))", "2.516")


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


def test_made_up_values_show_themselves_and_the_answer_that_rests_on_them() -> None:
    one = trace(user("How far apart?"), SAMPLE, says("FINAL ANSWER: the deviation is 2.516."))
    fired = proven(one, made_up(Scene.of(one, FAILED)))
    assert [item.shows for item in fired.evidence] == ["it wrote", "the result", "answered"]
    assert fired.evidence[0].quote == "# hypothetical values for demo purposes", "the whole remark"
    assert "2.516 (3) comes from values that it called “hypothetical” (2)" in fired.says and not fired.but
    assert "2.516" in fired.evidence[1].quote and "2.516" in fired.evidence[2].quote


def test_made_up_values_that_the_answer_leaves_out_owns_up_to_or_had_from_elsewhere() -> None:
    def fires(*steps: Step, asked: str = "How far apart?") -> bool:
        return made_up(Scene.of(trace(user(asked), *steps), FAILED)) is not None

    assert not fires(SAMPLE, says("FINAL ANSWER: the deviation is 7.1."))
    assert not fires(SAMPLE, says("With hypothetical counts the deviation is 2.516."))
    assert not fires(SAMPLE, says("FINAL ANSWER: 2.516."), asked="Is it 2.516?")
    template = bash("# replace the placeholder values with your own\nrun('/path/to/file')", "")
    assert not fires(template, says("FINAL ANSWER: 2.516."))
    found = called_made_up(Scene.of(trace(user("x"), SAMPLE, says("It is 7.1.")), FAILED))
    assert found is not None and found[0] == 2 and "hypothetical values" in found[1]


def test_a_blank_for_a_key_is_not_made_up() -> None:
    def fires(text: str) -> bool:
        sample = trace(bash(text + "\nx = [2.5, 4]", "2.5"), says("FINAL ANSWER: 2.5 miles"))
        return made_up(Scene.of(sample, FAILED)) is not None

    assert not fires("export TOKEN=YOUR_API_KEY")
    assert fires("# simulated distances as data, with YOUR_API_KEY")


def test_a_file_that_is_missing_twice_is_where_to_start() -> None:
    gone = agent("Files", "## Error 404\n\nFile not found: /w/wyrm.pdf")
    again = trace(user("Which word?"), gone, agent("Lead (-> Files)", "Open the right file."), gone)
    found = gone_twice(Scene.of(again, FAILED))
    assert found == (2, "wyrm.pdf is not there, nor at 4: was it ever saved, or given?")
    assert gone_twice(Scene.of(again, PASSED)) is None
    assert gone_twice(Scene.of(trace(user("Which word?"), gone), FAILED)) is None
    other = agent("Files", "File not found: /w/worm.pdf")
    assert gone_twice(Scene.of(trace(user("Which word?"), gone, other), FAILED)) is None
