"""Whether the user said yes to a write, and in which words."""

from __future__ import annotations

from reviewer.suggest.rules.seen.put import PUT, YES, Yes, own_writes, rule_of_consent, yes_to
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step
from tests.traces import call, says, trace, user

RULE = Step(0, "system", "Before any change you must obtain explicit user confirmation (yes) to proceed.")
ASK = says("Shall I cancel order #W1234?")
CANCEL = call("cancel_order", {"order_id": "#W1234", "reason": "late"}, '{"status": "cancelled"}')


def given(*steps: Step) -> Yes | None:
    scene = Scene.of(trace(*steps, CANCEL))
    return yes_to(scene, own_writes(scene)[-1])


def test_a_yes_is_the_sentence_that_holds_it_or_the_question_that_it_answers() -> None:
    long = user("All good. Just go ahead and cancel it for me.")
    assert given(ASK, long) == Yes(2, (2, "Just go ahead and cancel it for me.", YES))
    assert given(ASK, user("Yes.")) == Yes(2, (1, ASK.message, PUT)), "a bare yes shows nothing"
    assert given(says("Shall I do it?"), user("Yes, cancel it.")) == Yes(2, (2, "Yes, cancel it.", YES))


def test_a_yes_to_another_question_is_none_to_the_deed() -> None:
    which = says("That is order #W1234. Is it the one with the kettle?")
    assert given(which, user("Yes, that's the right one!")) == Yes(2)
    assert given(ASK, user("What would that cost?")) == Yes(2)
    assert given(user("Yes, please cancel it.")) == Yes(1), "nothing had been put to the user"
    assert given(says("Hello.")) is None


def test_only_the_task_can_want_a_yes() -> None:
    assert rule_of_consent(Scene.of(trace(RULE, ASK))) == 1
    assert rule_of_consent(Scene.of(trace(ASK, CANCEL))) is None
