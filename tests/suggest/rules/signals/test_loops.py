"""A loop is one where the agents' own notes say so again and again, and it was not left."""

from __future__ import annotations

import pytest

from reviewer.suggest.evidence import verify
from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.loops import loop_in_doubt, says_it_is_stuck
from reviewer.trace import Ended, Step
from tests.traces import FAILED, PASSED, says, trace, user

PAGE = "I clicked 'Next' on [the shop](https://shop.example/list)."
FILTER = (
    "openai.BadRequestError: {'jailbreak': {'filtered': True, 'detected': True}}}, 'code': 'content_filter'"
)


def act(text: str = PAGE) -> Step:
    return Step(0, "agent", text, name="Surfer")


def note(
    loop: bool, progress: bool = False, why: str = "We are repeating the search, without success"
) -> Step:
    answers = f'"is_in_loop": {{"reason": "{why}", "answer": {str(loop).lower()}}}'
    answers += f', "is_progress_being_made": {{"reason": "", "answer": {str(progress).lower()}}}'
    return Step(0, "agent", reasoning=f"Ledger: {{{answers}}}", name="Lead (thought)")


def found(*steps: Step, ended: Ended = "unknown") -> Fired | None:
    one = trace(user("Find the price."), *steps, ended=ended)
    fired = says_it_is_stuck(Scene.of(one, FAILED))
    assert fired is None or all(item.verified for item in verify(one, fired.evidence))
    return fired


STUCK = [act(), note(True)] * 6


def test_a_loop_shows_two_notes_of_it_that_say_so() -> None:
    fired = found(*STUCK, says("FINAL ANSWER: 3 euros, I think"))
    assert fired is not None and fired.step == 3
    assert fired.says == "loop: its own notes say so 6 times (3 to 13)"
    assert [(item.step_n, item.shows) for item in fired.evidence] == [
        (3, "its own note"),
        (13, "its own note"),
    ]
    assert fired.evidence[0].quote.startswith("We are repeating the search")
    assert fired.but == "an answer is given"
    assert found(*[act(), note(True)] * 2, act()) is None, "noted twice"


def test_a_note_of_errors_alone_is_not_quoted_for_a_loop() -> None:
    vague = note(True, why="We have met errors on the site of the shop")
    assert found(*[act(), vague] * 6) is None
    fired = found(act(), vague, *STUCK, act(), vague)
    assert fired is not None and [item.step_n for item in fired.evidence] == [5, 15]


def test_a_quote_of_a_note_holds_the_words_that_tell_the_loop() -> None:
    of = note(True, why="We appear to be in a loop, trying to open the page that has no price")
    fired = found(*[act(), of] * 6)
    assert fired is not None and all("in a loop" in item.quote for item in fired.evidence)


def test_plain_words_of_a_loop_count_like_a_record() -> None:
    fired = found(*[act(), says("We are stuck in a loop.")] * 6)
    assert fired is not None and all("stuck in a loop" in item.quote for item in fired.evidence)
    assert found(*[act(), says('{"in_loop": true}')] * 6) is not None, "a record that gives no reason"


def test_a_page_that_refused_the_run_before_the_loop_makes_it_a_pointer() -> None:
    no = act("I opened [Access to this page has been denied](https://shop.example/a).")
    steps = [no, *STUCK]
    assert found(*steps) is None
    doubt = loop_in_doubt(Scene.of(trace(user("Find the price."), *steps), FAILED))
    assert doubt is not None and doubt[0] == 2 and "it was refused there" in doubt[1]


@pytest.mark.parametrize(
    "badge", ["reCAPTCHA\nPrivacy - Terms", "by reCAPTCHA and the Google Privacy Policy"]
)
def test_the_badge_under_a_form_refuses_nothing(badge: str) -> None:
    fired = found(act(f"Sign up for news\n{badge}"), *STUCK)
    assert fired is not None and fired.step == 4
    assert found(act("Solve the CAPTCHA: pick all boats"), *STUCK) is None


@pytest.mark.parametrize("last", [note(False), note(False, progress=True), note(True, progress=True)])
def test_a_loop_that_was_left_is_a_pointer_unless_the_budget_ran_out(last: Step) -> None:
    steps = [*STUCK, last]
    assert found(*steps) is None
    doubt = loop_in_doubt(Scene.of(trace(user("Find it."), *steps), FAILED))
    assert doubt is not None and doubt[0] == 3
    fired = found(*steps, ended="limit")
    assert fired is not None and fired.says.endswith("; the limit ended it")
    early = [*STUCK, *[act(), note(False, progress=True)] * 4]
    assert found(*early, ended="limit") is None, "left long before"


def test_what_broke_the_run_off_is_held_against_the_loop() -> None:
    fired = found(*STUCK, act(f"{PAGE}\n{FILTER}"))
    assert fired is not None and fired.but == "a filter cut it off at 14"
    fired = found(*STUCK, act(f"{PAGE}\n{FILTER}\nFINAL ANSWER: 3"))
    assert fired is not None and fired.but == "a filter cut it off at 14, and an answer is given"


def test_a_run_that_passed_was_not_stuck() -> None:
    one = trace(*STUCK)
    assert says_it_is_stuck(Scene.of(one, PASSED)) is None and loop_in_doubt(Scene.of(one, PASSED)) is None
