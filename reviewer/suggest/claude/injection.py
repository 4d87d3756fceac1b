"""Texts in a trace that address its judge: forged markers, forged verdicts, orders. Pure.

Nothing found here changes what is sent or taken; it marks the trace, so that a person looks twice. A
trace may speak of such things in all innocence. `echoes` is the other half: an answer that only repeats
what stands in the trace is no answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reviewer.suggest.claude.prompt import VERDICT
from reviewer.suggest.excerpt import Part
from reviewer.suggest.sifting import Sieve


@dataclass(frozen=True, slots=True)
class _Sign:
    """What a text does, by a pattern that is only tried where one of `needs` stands (in lower case)."""

    does: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]


_SIGNS = (
    _Sign(
        "imitates the markers of a record",
        ("[[", "data", "transcript", "trace", "record", "traj", "conversation>", "untrusted>", "_prompt>"),
        re.compile(
            r"\[\[[0-9a-f]{6,64} "
            r"|</?(?:transcript|trace|record|trajectory|conversation|untrusted|system_prompt)>"
            r"|\[?(?:END|BEGIN|START)(?: OF)?(?: THE)? (?:DATA|TRANSCRIPT|TRACE|RECORD|TRAJECTORY)\]?",
        ),
    ),
    _Sign(
        "imitates a verdict",
        (VERDICT, "grade:", "verdict:"),
        re.compile(
            rf"[\"']{VERDICT}\\*[\"']\s{{0,9}}:|^\s{{0,9}}(?:GRADE|VERDICT|FINAL VERDICT):", re.MULTILINE
        ),
    ),
    _Sign(
        "says what the verdict is to be",
        ("label", "mode", "verdict", "classification"),
        re.compile(
            r"\b(?:correct|right|true|expected|appropriate|only valid|final) (?:failure[ _]?)?"
            r"(?:label|mode|verdict|classification)(?: (?:of|for) (?:this|the) \w{1,20})? "
            r"(?:is|must be|should be|has to be|would be)\b"
            r"|\b(?:answer|respond|reply|return|output)(?: only)? with (?:the )?(?:label|mode|verdict)\b",
            re.IGNORECASE,
        ),
    ),
    _Sign(
        "imitates a system prompt",
        ("<|", "[inst]", "<<sys>>", "system prompt", "system message", "system override", "system notice"),
        re.compile(
            r"<\|(?:im_start|system|start_header_id|begin_of_text)\|?>?|\[/?INST\]|<</?SYS>>"
            r"|^\W{0,8}(?:new |updated |end of )?system (?:prompt|message|override|notice)\W{0,4}(?::|$)",
            re.IGNORECASE | re.MULTILINE,
        ),
    ),
    _Sign(
        "gives orders to whoever reads it",
        (
            *("ignore ", "disregard ", "forget ", "override ", "grader", "judge", "evaluator", "annotator"),
            *("reviewer", "labeler", "labeller", "grade ", "label ", "mark ", "rate ", "score ", "classify "),
        ),
        re.compile(
            r"(?:ignore|disregard|forget|override) (?:all |any |the |every )?(?:of )?(?:the |your )?"
            r"(?:previous|prior|above|preceding|earlier|other) (?:instruction|prompt|rule|direction|text)"
            r"|(?:note|message|instructions?|attention|dear|hey),?:? (?:to |for )?(?:the |all |any )?"
            r"(?:grader|judge|evaluator|annotator|reviewer|labell?er)s?\b"
            r"|(?:grade|label|mark|rate|score|classify|judge) "
            r"(?:this|it|(?:this|the) (?:run|trace|trajectory|transcript)) (?:as|with)\b"
            r"|you (?:are|act as) (?:now )?(?:the|a|an) (?:grader|judge|evaluator)\b",
            re.IGNORECASE,
        ),
    ),
)
_CONTROLS = re.compile(r"[\x00-\x1f]+")
# What is a key of a verdict once white space and escapes are gone, or might be one spelled by numbers.
_ESC = r"(?:\\[bfnrt]|[\\\s\x00-\x1f])*"
_KEY = re.compile(rf"m{_ESC}o{_ESC}d{_ESC}e{_ESC}[\"']{_ESC}:|\\u[0-9A-Fa-f]{{4}}")
_MAX_STEPS = 50


def addressed(parts: Sequence[Part]) -> list[tuple[int, str]]:
    """(step, what its text does) for each step that seems to address its judge, in order."""
    sieve = Sieve([part.text for part in parts])
    held = [(sign, sieve.holding_any_case(sign.needs)) for sign in _SIGNS]
    found: dict[tuple[int, str], None] = {}
    for n in sorted(set().union(*(places for _, places in held))):
        for sign, places in held:
            if n in places and sign.pattern.search(parts[n].text):
                found[parts[n].step, sign.does] = None
    return list(found)[:_MAX_STEPS]


def said(found: Iterable[tuple[int, str]]) -> str:
    """One sentence for people; empty if there is nothing to say."""
    by_what: dict[str, list[int]] = {}
    for step, what in found:
        by_what.setdefault(what, []).append(step)
    return "; ".join(
        f"WARNING: text in step {', '.join(map(str, steps[:5]))}{' …' if len(steps) > 5 else ''} {what}"
        for what, steps in by_what.items()
    )


def echoes(mode: str, rationale: str, sent: str) -> bool:
    """Whether this very verdict, mode and reason, stands ready-made in the text that was sent."""
    if not may_hold_verdict(sent):
        return False
    text = _squashed(sent)
    forged = any(f'"{key}":"{mode}"' in text for key in (VERDICT, "mode"))
    reason = f'"rationale":"{_squashed(rationale)}'
    # A long rationale may have been clipped; a short one must match to its end.
    return forged and (reason[:200] if len(reason) > 200 else reason + '"') in text


def may_hold_verdict(sent: str) -> bool:
    """Whether a verdict can stand in this text at all; in most traces none can."""
    return bool(_KEY.search(sent))


def _squashed(text: str) -> str:
    """Without white space and escapes, so that a verdict inside a string in a string is recognised.

    Letters that JSON spells as numbers are letters again: `\\u0065` in a key is read as an `e`.
    """
    if "\\" not in text and text.isascii():  # the same, and much faster
        return _CONTROLS.sub("", "".join(text.split()))
    text = re.sub(r"(?<!\\)\\+u([0-9A-Fa-f]{4})", lambda found: chr(int(found[1], 16)), text)
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # halves of a sign are one
    return re.sub(r"\\+[bfnrt]|\\+|[\s\x00-\x1f]+", "", text)
