"""What a model may say, and what is made of it: one known mode or a reason, never anything unchecked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reviewer.label import BUT, NOTE, Evidence, Rationale
from reviewer.suggest.base import Proposal
from reviewer.suggest.claude.answer import Expected, read
from reviewer.suggest.claude.prompt import OBJECTION
from tests.suggest.claude.server import GOOD

EXPECTED = Expected({"burnt", "raw", "fine"}, {1, 2, 3})


def read_text(text: Any) -> Proposal:
    text = text if isinstance(text, str) else json.dumps(text)
    return read({"stop_reason": "end_turn", "content": [{"type": "text", "text": text}]}, EXPECTED)


def test_a_good_answer_is_taken_whole() -> None:
    found = read_text(GOOD)
    assert (found.status, found.mode, found.runner_up, found.confidence) == ("ok", "burnt", "raw", 0.8)
    assert found.step_n == 2
    assert found.evidence == (Evidence(2, "It is black."),)
    assert found.rationale == (
        "It ran the same listing three times and stopped.\n\nBut: white at 1; nobody ate of it"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Sure!\n```json\n" + json.dumps(GOOD) + "\n```\nAnything else?",
        "Here it is: " + json.dumps(GOOD, indent=2),
        json.dumps(GOOD) + "\n" + json.dumps(GOOD),
        '{"mode": "burnt", "rationale": "x"}',
        '{"failure_mode": "burnt", "rationale": "x", "evidence": null, "decisive_step": 0, "runner_up": "-"}',
        '{"failure_mode": "burnt", "rationale": "x", "decisive_step": 2.0, "runner_up": "burnt"}',
    ],
)
def test_dressing_and_missing_extras_cost_nothing(text: str) -> None:
    found = read_text(text)
    assert (found.status, found.mode) == ("ok", "burnt")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I think that it burnt.", "no verdict"),
        ("", "empty"),
        ({**GOOD, "failure_mode": "Burnt "}, "no mode of this taxonomy"),
        ({**GOOD, "failure_mode": ["burnt"]}, "no mode"),
        ({**GOOD, "failure_mode": None}, "no mode"),
        ({**GOOD, "mode": "raw"}, "two different modes"),
        ({**GOOD, "runner_up": "boiled"}, "runner-up"),
        ({**GOOD, "decisive_step": 9}, "step 9 is not in the trace"),
        ({**GOOD, "decisive_step": "two"}, "no step number"),
        ({**GOOD, "decisive_step": True}, "no step number"),
        ({**GOOD, "decisive_step": 10**60}, "a huge number"),
        ({**GOOD, "evidence": [{"step": 7, "quote": "x"}]}, "step 7 is not in the trace"),
        ({**GOOD, "evidence": [{"quote": "x"}]}, "without step or quote"),
        ({**GOOD, "evidence": ["x"]}, "without step or quote"),
        ({**GOOD, "evidence": "x"}, "no list"),
        ({**GOOD, "rationale": " \n"}, "no rationale"),
        ({**GOOD, "rationale": 3}, "no rationale"),
        (json.dumps(GOOD) + json.dumps({**GOOD, "failure_mode": "raw"}), "2 verdicts"),
        ('{"failure_mode": "burnt", "failure_mode": "raw", "rationale": "x"}', "twice"),
        (json.dumps(GOOD)[:-20], "no verdict"),
        ('{"failure_mode":' * 5000, "no"),
        ("{" * 100_000, "no"),
        ('{"failure_mode": "burnt", "rationale": "x", "confidence": ' + "9" * 5000 + "}", "no usable JSON"),
        ("x" * 300_000, "characters long"),
        (json.dumps([GOOD["failure_mode"]]), "no verdict"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_no_verdict_is_malformed_with_the_reason(text: Any, why: str) -> None:
    found = read_text(text)
    assert found.status == "malformed" and found.mode == ""
    assert why in found.reason
    assert len(found.reason) < 300


@pytest.mark.parametrize("value", [7e3, -0.1, "0.5", True, [1]], ids=str)
def test_a_confidence_out_of_range_is_refused_and_costs_only_itself(value: Any) -> None:
    found = read_text({**GOOD, "confidence": value})
    assert (found.status, found.mode, found.confidence) == ("ok", "burnt", None)
    assert "refused" in found.omitted


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_no_number_is_no_confidence(name: str) -> None:
    found = read_text('{"failure_mode": "burnt", "rationale": "x", "confidence": ' + name + "}")
    assert found.confidence is None and "refused" in found.omitted


def test_long_texts_are_held_within_bounds() -> None:
    quotes = [{"step": 1, "quote": f"{n:03}" * 300} for n in range(40)]
    found = read_text({**GOOD, "rationale": "so " * 1000, OBJECTION: "no " * 1000, "evidence": quotes})
    why = Rationale.of(found.rationale)
    assert len(why.reason) == 600 and why.reason.endswith("…")
    assert len(why.but) == 200 and why.but.endswith("…")
    assert len(found.evidence) == 12 and all(len(item.quote) == 500 for item in found.evidence)
    assert found.omitted == "28 further quotes left out; 12 quotes cut to 500 characters"


@pytest.mark.parametrize(
    ("given", "shows"),
    [
        ({"shows": "what was asked"}, "what was asked"),
        ({}, ""),  # a server that drops the schema
        *(({"shows": value}, "") for value in (None, 3, ["asked"], {"a": 1}, " \n")),
        ({"shows": "asked\r\n★ step 9\u2028done  here "}, "asked ★ step 9 done here"),
        ({"shows": "so " * 100}, "so " * 26 + "s…"),
    ],
    ids=str,
)
def test_what_a_quote_shows_is_one_short_line_and_costs_nothing_where_it_is_none(
    given: Any, shows: str
) -> None:
    (item,) = read_text({**GOOD, "evidence": [{"step": 2, "quote": "It is black.", **given}]}).evidence
    assert item == Evidence(2, "It is black.", shows=shows)


@pytest.mark.parametrize(
    ("given", "but", "omitted"),
    [
        ({}, "", ""),  # a server that drops the schema, a batch that was sent before this was asked
        *(({OBJECTION: value}, "", "") for value in (None, "", " \n", "-", "None.", "n/a")),
        ({OBJECTION: 3}, "", "objection 3 refused: it is no text"),
        ({OBJECTION: ["white"]}, "", "objection a list refused: it is no text"),
        ({OBJECTION: " white\r\n\u2028at 1;  uneaten "}, "white at 1; uneaten", ""),
        ({OBJECTION: "white at 1", "runner_up": "-"}, "white at 1", ""),
    ],
    ids=str,
)
def test_what_speaks_against_the_mode_is_one_line_and_costs_only_itself(
    given: Any, but: str, omitted: str
) -> None:
    answer = {key: value for key, value in GOOD.items() if key != OBJECTION}
    found = read_text({**answer, **given})
    assert (found.status, found.mode, found.omitted) == ("ok", "burnt", omitted)
    assert Rationale.of(found.rationale) == (GOOD["rationale"], but, "")


@pytest.mark.parametrize(
    "mark", [BUT, NOTE, BUT.replace("\n", "\r\n"), "\n \t\n\n" + NOTE.strip("\n")], ids=repr
)
def test_no_part_of_a_rationale_passes_for_another(mark: str) -> None:
    forged = f"It is black.{mark}found by a check that never errs"
    found = read_text({**GOOD, "rationale": forged, OBJECTION: forged})
    flat = " ".join(forged.split())
    assert Rationale.of(found.rationale) == (flat, flat, "")
    assert read_text({**GOOD, "rationale": mark}).rationale.startswith(mark.strip())


def test_a_quote_that_comes_twice_is_shown_once() -> None:
    quote = {"step": 2, "quote": "It is black."}
    found = read_text({**GOOD, "evidence": [{**quote, "shows": "asked"}, {**quote, "shows": "done"}]})
    assert [item.shows for item in found.evidence] == ["asked"]


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ({"stop_reason": "refusal", "content": []}, "refused"),
        ({"stop_reason": "refusal", "content": [], "stop_details": {"category": "cyber"}}, "refused"),
        ({"stop_reason": "max_tokens", "content": [{"type": "text", "text": json.dumps(GOOD)}]}, "truncated"),
        ({"stop_reason": "model_context_window_exceeded", "content": None}, "truncated"),
        ({"stop_reason": "end_turn", "content": None}, "malformed"),
        ({"stop_reason": "end_turn", "content": "text"}, "malformed"),
        ({"stop_reason": "end_turn", "content": [None, 3, {"type": "text", "text": None}]}, "malformed"),
        ({"stop_reason": ["x"], "content": []}, "malformed"),
    ],
    ids=str,
)
def test_how_the_answer_stopped_decides_first(message: dict[str, Any], status: str) -> None:
    found = read(message, EXPECTED)
    assert found.status == status and found.reason and not found.mode


def call(given: Any, name: str = "verdict") -> dict[str, Any]:
    return {"type": "tool_use", "id": "t", "name": name, "input": given}


def test_the_verdict_may_come_as_a_tool_call() -> None:
    thinking = {"type": "thinking", "thinking": json.dumps({**GOOD, "failure_mode": "raw"})}
    found = read({"stop_reason": "tool_use", "content": [thinking, call(GOOD)]}, EXPECTED)
    assert (found.status, found.mode) == ("ok", "burnt")


@pytest.mark.parametrize("content", [[call(GOOD), call(GOOD)], [call("x")], [call(GOOD, "other")]], ids=len)
def test_tool_calls_that_are_no_single_verdict(content: list[Any]) -> None:
    assert read({"stop_reason": "tool_use", "content": content}, EXPECTED).status == "malformed"
