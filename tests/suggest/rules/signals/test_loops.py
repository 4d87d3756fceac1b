"""A loop is one where it is to be seen and was not left: notes of agents alone prove nothing."""

from __future__ import annotations

import pytest

from reviewer.suggest.evidence import verify
from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.loops import loop_in_doubt, placeholder_in_doubt, says_it_is_stuck
from reviewer.trace import Step
from tests.traces import FAILED, PASSED, says, trace, user

PAGE = "I clicked 'Next' on [the shop](https://shop.example/list)."
FILTER = (
    "openai.BadRequestError: {'jailbreak': {'filtered': True, 'detected': True}}}, 'code': 'content_filter'"
)


def act(text: str = PAGE) -> Step:
    return Step(0, "agent", text, name="Surfer")


def note(loop: bool, progress: bool = False) -> Step:
    answers = f'"is_in_loop": {{"reason": "again", "answer": {str(loop).lower()}}}'
    answers += f', "is_progress_being_made": {{"reason": "", "answer": {str(progress).lower()}}}'
    return Step(0, "agent", reasoning=f"Ledger: {{{answers}}}", name="Lead (thought)")


def found(*steps: Step) -> Fired | None:
    one = trace(user("Find the price."), *steps)
    fired = says_it_is_stuck(Scene.of(one, FAILED))
    assert fired is None or all(item.verified for item in verify(one, fired.evidence))
    return fired


def test_a_loop_shows_the_act_and_the_note() -> None:
    fired = found(*[act(), note(True)] * 3, says("FINAL ANSWER: 3 euros, I think"))
    assert fired is not None and fired.step == 4
    assert [(item.step_n, item.shows) for item in fired.evidence] == [
        (4, "done again"), (7, "its own note"),
    ]  # fmt: skip
    assert fired.says == "off-goal loop: the same act 3 times (2 to 6), and its own note calls it a loop"
    assert fired.but == "", "an answer after it is no other fault"


def test_a_loop_with_other_deeds_between_is_a_pointer() -> None:
    other = [act(f"I opened [page {n}](https://shop.example/{n}).") for n in range(3)]
    steps = [step for page in other for step in (act(), note(True), page, note(True))]
    assert found(*steps) is None
    assert found(*other, *[act(), note(True)] * 3) is not None, "what came before it does not matter"


def test_a_page_that_refused_the_run_before_the_loop_makes_it_a_pointer() -> None:
    no = act("I opened [Access to this page has been denied](https://shop.example/a).")
    steps = [no, *[act(), note(True)] * 3]
    assert found(*steps) is None
    doubt = loop_in_doubt(Scene.of(trace(user("Find the price."), *steps), FAILED))
    assert doubt is not None and doubt[0] == 2 and "it was refused there" in doubt[1]


@pytest.mark.parametrize("last", [note(False), note(False, progress=True), note(True, progress=True)])
def test_a_loop_that_was_left_is_a_pointer(last: Step) -> None:
    steps = [*[act(), note(True)] * 3, last]
    assert found(*steps) is None
    doubt = loop_in_doubt(Scene.of(trace(user("Find it."), *steps), FAILED))
    assert doubt is not None and doubt[0] == 3


def test_notes_without_an_act_that_repeats_prove_nothing() -> None:
    pages = [act(f"I opened [page {n}](https://shop.example/{n}).") for n in range(3)]
    assert found(*[step for page in pages for step in (page, note(True))]) is None


def test_what_broke_the_run_off_is_held_against_the_loop() -> None:
    fired = found(*[act(), note(True)] * 3, act(f"{PAGE}\n{FILTER}"))
    assert fired is not None and fired.but == "the provider's content filter ended the run at 8"
    assert [item.shows for item in fired.evidence] == ["done again", "its own note"], "there is no more room"


def test_a_note_keeps_its_key_and_a_pointer_says_that_the_harness_ended_a_loop() -> None:
    ends = Step(0, "system", "Max rounds (30) reached.\nFINAL ANSWER: 3", name="Lead")
    fired = found(*[act(), note(True)] * 3, ends)
    assert fired is not None and fired.but == ""
    assert fired.evidence[-1].quote.startswith('"is_in_loop": {')
    planned = Step(0, "agent", "Replan counter exceeded... Terminating.")
    steps = [*[act(), note(True), act("I opened [a](https://shop.example/b).")] * 3, planned]
    doubt = loop_in_doubt(Scene.of(trace(user("Find the price."), *steps), FAILED))
    assert doubt is not None and doubt[1].endswith("the harness stopped it")


def test_a_run_that_passed_was_not_stuck() -> None:
    one = trace(*[act(), note(True)] * 3)
    assert says_it_is_stuck(Scene.of(one, PASSED)) is None and loop_in_doubt(Scene.of(one, PASSED)) is None


def test_an_answer_among_the_words_of_what_broke_the_run_off_changes_nothing() -> None:
    broken = found(*[act(), note(True)] * 3, act(f"{PAGE}\n{FILTER}\nFINAL ANSWER: 3"))
    assert broken is not None and "content filter ended the run" in broken.but


def test_a_loop_over_a_placeholder_points_to_where_that_first_stands() -> None:
    page = act("Address: file:///w/path_to_the_book\nShowing page 1.")
    steps = [*[page, note(True)] * 3]
    assert found(*steps) is None
    doubt = placeholder_in_doubt(Scene.of(trace(user("Find it."), *steps), FAILED))
    assert doubt is not None and doubt[0] == 2 and "“path_to_the_book” is a placeholder" in doubt[1]
    given = trace(user("Read path_to_the_book."), *steps)
    assert placeholder_in_doubt(Scene.of(given, FAILED)) is None, "the task names it"
