"""A last reply that could not be read stands beside the form that was told, if the two differ plainly."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.attempts import never_acted
from reviewer.suggest.rules.signals.unread import answer_not_taken, unread_in_doubt
from reviewer.trace import Json, Step, ToolCall
from tests.suggest.rules.expected import proven
from tests.traces import PASSED, call, trace, user

ENDS = user("To end, you must use the format of FINISH([answer])")


def unread(message: str) -> Step:
    return Step(0, "agent", message, fault=True)


def test_a_turn_that_could_not_be_read_is_an_attempt() -> None:
    told = user(
        "You must use the format of\nDONE(x)\nElse\nYou MUST put it in the format of\nGET url?name=value"
    )
    turn = Step(0, "agent", '{"GET": {"url": "a", "name": "value"}}', fault=True)
    one = trace(told, turn, ended="error")
    scene = Scene.of(one)
    assert never_acted(scene) is None
    fired = proven(one, answer_not_taken(scene))
    assert [item.shows for item in fired.evidence][-1] == "reply begins" and fired.step == 2
    assert "GET url?name=value" in fired.evidence[0].quote, "the form that the answer is nearest to"
    assert answer_not_taken(Scene.of(one, PASSED)) is None
    assert fired.says == "wrong reply format: the GET call came wrapped in JSON; the run ended there"
    assert fired.but == ""
    cut = Step(0, "agent", "litellm.Timeout: Request timed out", fault=True)
    assert answer_not_taken(Scene.of(trace(told, cut))) is None, "words of the provider"


def test_the_one_rule_is_shown_that_the_answer_should_have_kept_to() -> None:
    told = user(
        "1. To look you must use the format of GET url?name=value\n"
        "2. To write you must use the format of\nPOST url\n[your payload in JSON]\n\n"
        "3. To end you must use the format of FINISH([answer])"
    )

    def rule(answer: str) -> str:
        one = trace(told, Step(0, "agent", answer, fault=True), ended="error")
        fired = proven(one, answer_not_taken(Scene.of(one)))
        assert [item.shows for item in fired.evidence] == ["told", "reply begins"]
        return fired.evidence[0].quote

    assert "GET url" in rule('{"name": "GET /Patient", "arguments": {}}')
    shown = rule('```json\n{"resourceType": "Order", "for": "P1"}\n```')
    assert shown == "you must use the format of POST url", "two lines of a form would read as one"
    assert "FINISH(" in rule('```json\nFINISH(["12"])\n```')


def test_of_a_long_rule_the_form_is_shown() -> None:
    long = user(
        "You must always, whatever you are asked and whoever asks, "
        + "and so on, " * 2
        + "use the format of GET url"
    )
    one = trace(long, unread("It is 9."))
    fired = proven(one, answer_not_taken(Scene.of(one)))
    assert fired.evidence[0].quote.endswith("use the format of GET url")


@pytest.mark.parametrize(
    ("form", "reply", "fault", "shown"),
    [
        (
            "FINISH([answer])",
            '```json\nFINISH(["12"])\n```',
            "the call came inside a code block",
            'FINISH(["12"])',
        ),
        (
            "GET url?name=value",
            '```json\n{"calls": [{"name": "GET {base}/Patient", "arguments": {}}]}\n```',
            "the GET call came wrapped in JSON",
            '"GET {base}/Patient"',
        ),
        (
            "GET url?name=value",
            '{"name": "GET /Patient"}',
            "the GET call came wrapped in JSON",
            '"GET /Patient"',
        ),
        (
            "POST url\n[your data in JSON]",
            '{"for": "P1"}',
            "the reply lacks the line “POST url”",
            "P1",
        ),
        (
            "FINISH([answer])",
            "The answer is 9.",
            "the reply begins with “The”, not with “FINISH(”",
            "The answer",
        ),
    ],
)
def test_the_fault_of_a_reply_is_named_and_shown(form: str, reply: str, fault: str, shown: str) -> None:
    one = trace(user(f"You must use the format of {form}"), unread(reply))
    fired = proven(one, answer_not_taken(Scene.of(one)))
    assert fired.says.startswith("wrong reply format: ") and fired.says.endswith(
        f"{fault}; the run ended there"
    )
    assert shown in fired.evidence[1].quote


@pytest.mark.parametrize(
    ("status", "ending"),
    [
        ("agent invalid action", "the run ended as “agent invalid action”"),
        ("completed", "the run ended there"),
        ("invalid " * 9, "the run ended there"),
        (7, "the run ended there"),
    ],
)
def test_the_word_of_the_file_for_an_act_that_was_not_taken_is_said(status: Json, ending: str) -> None:
    one = trace(ENDS, call("look", {"at": "P1"}, "12"), unread("The answer is 12."))
    one = replace(one, info=replace(one.info, meta={"status": status}))
    fired = proven(one, answer_not_taken(Scene.of(one)))
    assert fired.says.endswith(f"; {ending}")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("I would say [that it is 12, since", "breaks off there"),
        ("FINISH([12])", "has it the form that the task asks for?"),
        ("```\nFINISH([12])\n```", "though step 2, which begins alike, was"),
    ],
)
def test_a_reply_that_is_cut_or_keeps_to_the_form_is_a_pointer(reply: str, why: str) -> None:
    look = Step(0, "agent", "```\nlook()\n```", calls=(ToolCall("look", {}),))
    scene = Scene.of(trace(ENDS, look, unread(reply)))
    doubt = unread_in_doubt(scene)
    assert answer_not_taken(scene) is None
    assert doubt is not None and doubt[0] == 3 and why in doubt[1]
