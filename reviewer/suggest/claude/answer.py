"""Reads the model's answer and believes nothing: exactly one known mode, steps that exist, a reason.

Pure. The schema that was sent along is no guarantee (some servers drop it), so everything is checked
here. What does not hold ends as `malformed` with the reason. Missing evidence, captions, runner-up, what
speaks for it or confidence cost only themselves; a confidence out of range, or a word on the runner-up that
is none, is refused, and that is said in `omitted`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviewer.counting import count
from reviewer.label import Evidence, Rationale
from reviewer.suggest.base import Proposal
from reviewer.suggest.claude.failures import told
from reviewer.suggest.claude.prompt import FACETS, NOBODY, OBJECTION, TOOL, VERDICT
from reviewer.trace import Json

_MAX_ANSWER = 200_000  # characters; an honest answer has a few thousand
_MAX_TRIES = 60
_RATIONALE, _BUT, _QUOTE, _QUOTES, _SHOWS = 600, 200, 500, 12, 80
_NOTHING = frozenset(("", "-", "–", "—", "none", "n/a", "nothing"))  # how models say that there is none
_KEYS = (VERDICT, "mode")


class Unusable(ValueError):
    """Why an answer cannot be taken; never leaves this package."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What an answer may name."""

    modes: Collection[str]
    steps: Collection[int]
    facets: Mapping[str, Collection[str]] = field(default_factory=dict)


def read(message: Mapping[str, Json], expected: Expected) -> Proposal:
    """The proposal in a message of the API: `ok`, or `refused`, `truncated`, `malformed` with the reason."""
    cut = cut_off(message)
    if cut is not None:
        return cut
    try:
        return _proposal(verdict_in(message, _KEYS), expected)
    except Unusable as problem:
        return Proposal(status="malformed", reason=str(problem))


def cut_off(message: Mapping[str, Json]) -> Proposal | None:
    """The refusal, or the cut, by which a message ends; None if it ends as it should."""
    stop, details = message.get("stop_reason"), message.get("stop_details")
    if stop == "refusal":
        category = details.get("category") if isinstance(details, dict) else None
        more = f" ({told(category)[:60]})" if isinstance(category, str) else ""
        return Proposal(status="refused", reason=f"the model declined to judge this trace{more}")
    if stop in ("max_tokens", "model_context_window_exceeded"):
        return Proposal(status="truncated", reason=f"the answer was cut off ({stop})")
    return None


def verdict_in(message: Mapping[str, Json], keys: Sequence[str]) -> Mapping[str, Json]:
    """The one answer in a message, known by its `keys`: the input of our tool, else JSON in the text."""
    content = message.get("content")
    if not isinstance(content, list):
        raise Unusable("the answer has no content")
    blocks = [block for block in content if isinstance(block, dict)]
    calls = [block for block in blocks if block.get("type") == "tool_use" and block.get("name") == TOOL]
    if len(calls) > 1:
        raise Unusable(f"{len(calls)} verdicts in one answer")
    if calls:
        given = calls[0].get("input")
        if not isinstance(given, dict):
            raise Unusable("the verdict is no JSON object")
        return given
    texts = [
        block["text"]
        for block in blocks
        if block.get("type") == "text" and isinstance(block.get("text"), str)
    ]
    text = "".join(texts).strip()
    if not text:
        raise Unusable("the answer is empty")
    if len(text) > _MAX_ANSWER:
        raise Unusable(f"the answer is {len(text):,} characters long")
    found = [one for one in _objects(text) if any(key in one for key in keys)]
    if not found:
        raise Unusable(f"no verdict in the answer: {clip(text, 120)!r}")
    if any(one != found[0] for one in found):
        raise Unusable(f"{len(found)} verdicts in one answer")
    return found[0]


def _objects(text: str) -> Iterator[dict[str, Json]]:
    """The JSON objects in a text, also among prose or in a fence; objects within objects are not counted."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=lambda name: name)
    at = text.find("{")
    for _ in range(_MAX_TRIES):
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except json.JSONDecodeError:
            end = at + 1
        except (ValueError, RecursionError) as problem:  # a key twice, a number too long, too deep
            raise Unusable(f"the answer is no usable JSON: {problem}") from None
        else:
            yield value
        at = text.find("{", end)


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


def _proposal(given: Mapping[str, Json], expected: Expected) -> Proposal:
    modes = [given[key] for key in _KEYS if key in given]
    mode = modes[0]
    if any(other != mode for other in modes):
        raise Unusable("two different modes in one answer")
    if not isinstance(mode, str) or mode not in expected.modes:
        raise Unusable(f"{clip(mode, 80)!r} is no mode of this taxonomy")
    rationale = given.get("rationale")
    if not isinstance(rationale, str) or not rationale.strip():
        raise Unusable("the answer gives no rationale")
    confidence, note = _confidence(given.get("confidence"))
    facets, missing = _facets(given.get(FACETS), expected)
    evidence = given.get("evidence")
    quotes = _evidence(evidence, expected)
    runner_up = _runner_up(given.get("runner_up"), mode, expected)
    but, unsaid = _objection(given.get(OBJECTION))
    notes = [one for one in (note, missing, unsaid) if one]
    if isinstance(evidence, list) and len(evidence) > _QUOTES:
        notes.append(f"{count(len(evidence) - _QUOTES, 'further quote')} left out")
    if cut := sum(len(item["quote"].strip()) > _QUOTE for item in (evidence or ())[:_QUOTES]):
        notes.append(f"{count(cut, 'quote')} cut to {_QUOTE} characters")
    return Proposal(
        mode=mode,
        runner_up=runner_up,
        facets=facets,
        rationale=str(Rationale(clip(" ".join(rationale.split()), _RATIONALE), but)),
        confidence=confidence,
        step_n=step_number(given.get("decisive_step"), expected) or None,
        evidence=quotes,
        omitted="; ".join(notes),
    )


def _facets(value: Json, expected: Expected) -> tuple[dict[str, str], str]:
    """The answers to the questions beside the mode; what is no answer costs itself, and is said."""
    given = value if isinstance(value, dict) else {}
    known = {
        name: given[name]
        for name, choices in expected.facets.items()
        if isinstance(given.get(name), str) and given[name] in choices
    }
    wrong = [name for name in expected.facets if name in given and name not in known]
    return known, f"answers that are none to {', '.join(wrong)} refused" if wrong else ""


def _runner_up(value: Json, mode: str, expected: Expected) -> str:
    if value is None or value in ("", NOBODY, "none", mode):
        return ""
    if not isinstance(value, str) or value not in expected.modes:
        raise Unusable(f"runner-up {clip(value, 80)!r} is no mode of this taxonomy")
    return value


def _objection(value: Json) -> tuple[str, str]:
    """What speaks against the mode, on one line; and, where that is left out, why."""
    if value is None:
        return "", ""
    if not isinstance(value, str):
        return "", f"{OBJECTION} {clip(value, 40)} refused: it is no text"
    text = clip(" ".join(value.split()), _BUT)
    return "" if text.rstrip(".").lower() in _NOTHING else text, ""


def _confidence(value: Json) -> tuple[float | None, str]:
    if value is None:
        return None, ""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return None, f"confidence {clip(value, 40)} refused: it is not a number from 0 to 1"
    return float(value), ""


def step_number(value: Json, expected: Expected) -> int:
    """The number of a step; 0 (the task, or none) is allowed."""
    if value is None:
        return 0
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unusable(f"{clip(value, 40)!r} is no step number")
    if value != 0 and value not in expected.steps:
        raise Unusable(f"step {clip(value, 40)} is not in the trace")
    return value


def _evidence(value: Json, expected: Expected) -> tuple[Evidence, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise Unusable("the evidence is no list")
    out: dict[tuple[int, str], Evidence] = {}
    for item in value[:_QUOTES]:
        quote = item.get("quote") if isinstance(item, dict) else None
        if not isinstance(quote, str) or item.get("step") is None:
            raise Unusable("evidence without step or quote")
        if quote.strip():
            one = Evidence(step_number(item["step"], expected), quote.strip()[:_QUOTE])
            out.setdefault((one.step_n, one.quote), replace(one, shows=caption(item.get("shows"))))
    return tuple(out.values())


def caption(value: Json) -> str:
    """A few foreign words on what a quote shows, on one line; empty where there are none."""
    return clip(value.strip(), _SHOWS) if isinstance(value, str) else ""


def clip(value: Json, size: int) -> str:
    """A foreign value in a sentence of ours: short, on one line."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**40:
        return "a huge number"
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    text = re.sub(r"\s+", " ", value if isinstance(value, str) else f"{value}")
    return text if len(text) <= size else text[: size - 1] + "…"
