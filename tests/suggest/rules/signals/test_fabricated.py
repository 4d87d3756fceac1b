"""Values that a run calls made up are shown with the answer that rests on them, unless it owns up to it."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.fabricated import called_made_up, made_up
from reviewer.trace import Step
from tests.suggest.rules.expected import proven
from tests.traces import FAILED, bash, says, trace, user

SAMPLE = bash("# hypothetical values for demo purposes\ncounts = [45, 50, 47]\nprint(dev(counts))", "2.516")


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
