"""Texts in a trace that address its judge: forged markers, forged verdicts, orders. Pure.

Nothing found here changes what is sent or taken; it marks the trace, so that a person looks twice. A
trace may speak of such things in all innocence, and marking too much costs a second look. `echoes` is the
other half: an answer that only repeats what stands in the trace is no answer. Not known here: an order in
words of its own, or in a language that is not below.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reviewer.suggest.claude.prompt import VERDICT
from reviewer.suggest.excerpt import Part
from reviewer.suggest.sifting import Sieve, Telltale


@dataclass(frozen=True, slots=True)
class _Sign:
    """What a text does, by a pattern that is only tried where one of `needs` stands (in small letters).

    The pattern is looked for in small letters too, which is much faster than in any, unless it is `cased`.
    """

    does: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]
    cased: bool = False


# Letters of another script that look like those of ours.
_ALIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0501\u03bf\u03b1\u03bd", "aeopcyxisdoav"
)
_S = r"\s{1,5}"
_RECORD = "transcript|trace|record|trajectory|conversation|untrusted|system_prompt"
_SIGNS = (
    _Sign(
        "imitates the markers of a record",
        (
            "[[",
            "transcript",
            "trace",
            "record",
            "trajectory",
            "conversation",
            "untrusted",
            "_prompt",
            "end of",
        ),
        re.compile(
            rf"\[\[\s{{0,5}}[0-9a-f]{{6,64}}{_S}(?:step|end|the|task|noted|how)\b|\[\[[0-9a-f]{{6,64}}\s"
            rf"|<\s{{0,3}}/?\s{{0,3}}(?:{_RECORD})\s{{0,3}}>"
            rf"|[\[(<#*=-]\s{{0,3}}end{_S}of{_S}(?:the{_S})?(?:data|transcript|trace|record|trajectory)\b"
        ),
    ),
    _Sign(
        "imitates the markers of a record",
        ("data", "transcript", "trace", "record", "trajectory"),
        re.compile(
            rf"(?:END|BEGIN|START)(?:{_S}OF)?(?:{_S}THE)?{_S}(?:DATA|TRANSCRIPT|TRACE|RECORD|TRAJECTORY)\b"
        ),
        cased=True,
    ),
    _Sign(
        "imitates a verdict",
        (VERDICT, "failure mode", "failure-mode", "rationale"),
        re.compile(
            rf"{VERDICT.replace('_', '[_ -]')}[\\\"'`*]{{0,6}}\s{{0,9}}[:=>|]"
            r"|[\"']rationale[\\\"'`*]{1,6}\s{0,9}[:=]"
            r"|(?:\\[bfnrt]|\b)mode\W{1,12}[\w -]{1,60}?(?:\\[bfnrt]|\W){1,12}rationale\b"
            r"|rationale\W{1,9}[^\n]{1,600}?(?:\\n|\n)\W{0,12}mode\W"
        ),
    ),
    _Sign(
        "imitates a verdict",
        ("grade", "verdict"),
        re.compile(
            r"^\s{0,9}(?:GRADE|VERDICT|FINAL VERDICT|(?:Final )?Verdict)\s{0,3}:",
            re.MULTILINE,
        ),
        cased=True,
    ),
    _Sign(
        "says what the verdict is to be",
        ("label", "mode", "verdict", "classifi", "judged", "graded", "categori"),
        re.compile(
            rf"(?:correct|right|true|expected|appropriate|only{_S}valid|final){_S}(?:failure[\s_]{{0,5}})?"
            rf"(?:label|mode|verdict|classification)(?:{_S}(?:of|for){_S}(?:this|the){_S}\w{{1,20}})?{_S}"
            rf"(?:is|must{_S}be|should{_S}be|has{_S}to{_S}be|would{_S}be)\b"
            rf"|(?:answer|respond|reply|return|output)(?:{_S}only)?{_S}with{_S}(?:the{_S})?"
            r"(?:label|mode|verdict)\b"
            rf"|(?:must|should|shall|(?:has|have|is|are|needs?|ought){_S}to){_S}be{_S}"
            rf"(?:classified|labell?ed|judged|graded|categori[sz]ed){_S}as\b",
        ),
    ),
    _Sign(
        "imitates a system prompt",
        ("<|", "[inst]", "[/inst]", "<<sys>>", "<</sys>>", "system"),
        re.compile(
            r"<\|(?:im_start|system|start_header_id|begin_of_text)\|?>?|\[/?inst\]|<</?sys>>"
            r"|<system>(?=[^<]{0,300}\b(?:you|your|verdict|judge|grade|grader|label|answer|instructions?)\b)"
            rf"|^\W{{0,8}}(?:new |updated |end of )?system{_S}"
            r"(?:prompt|message|override|notice)\W{0,4}(?::|$)",
            re.MULTILINE,
        ),
    ),
    _Sign(
        "gives orders to whoever reads it",
        ("ignore", "disregard", "forget", "override"),
        re.compile(
            rf"(?:ignore|disregard|forget|override){_S}(?:(?:all|any|the|every|of|your|these|those|my){_S}){{0,4}}"
            rf"(?:(?:previous|prior|above|preceding|earlier|other|foregoing|system){_S}"
            r"(?:instruction|prompt|rule|direction|text|message|command)"
            rf"|(?:instruction|prompt|rule|direction)s?{_S}"
            rf"(?:above|before|so far|you{_S}(?:were|have|got)|given{_S}to)"
            rf"|(?:everything|anything|what){_S}(?:above|before|(?:you{_S}were|was{_S}said){_S}))"
        ),
    ),
    _Sign(
        "gives orders to whoever reads it",
        ("grader", "judge", "evaluator", "annotator", "reviewer", "labeler", "labeller"),
        re.compile(
            rf"(?:note|message|instructions?|attention|dear|hey),?:?{_S}(?:(?:to|for){_S})?"
            rf"(?:(?:the|all|any){_S})?(?:grader|judge|evaluator|annotator|reviewer|labell?er)s?\b"
            rf"|you{_S}(?:are|act{_S}as){_S}(?:now{_S})?(?:the|a|an){_S}(?:grader|judge|evaluator)\b"
        ),
    ),
    _Sign(
        "gives orders to whoever reads it",
        ("grade", "label", "mark", "rate", "score", "classify", "judge"),
        re.compile(
            rf"(?:grade|label|mark|rate|score|classify|judge){_S}"
            rf"(?:this|it|(?:this|the){_S}(?:run|trace|trajectory|transcript)){_S}(?:as|with)\b"
        ),
    ),
    _Sign(
        "gives orders to whoever reads it",
        (
            *("ignor", "vergiss", "missachte", "oublie", "olvida"),
            *(word.translate(_ALIKE) for word in ("игнорир", "забудь")),
            *("忽略", "無視", "忽視", "무시"),
        ),
        re.compile(
            rf"(?:ignorier|vergiss|missachte)\w{{0,3}}{_S}(?:\w{{1,12}}{_S}){{0,3}}"
            r"(?:anweisung|instruktion|regel|vorgabe)"
            rf"|(?:ignor|oubli|olvid)\w{{1,4}}{_S}(?:\w{{1,12}}{_S}){{0,3}}"
            rf"(?:instru[çc][a-zõ]{{1,8}}|consignes|indica\w{{1,8}}|istruzioni){_S}(?:pr[eé]c|anter|prev)"
            + rf"|(?:игнорир|забудь)\w{{0,6}}{_S}(?:\w{{1,14}}{_S}){{0,3}}(?:инструк|указан)".translate(
                _ALIKE
            )
            + r"|忽略.{0,12}(?:指令|指示|说明|提示|規則|规则)"
            r"|(?:指示|命令|指令).{0,4}(?:無視|忽視)|지시.{0,6}무시",
        ),
    ),
)
# Signs that nobody sees.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
_SPELLED = re.compile(r"(?<!\\)\\+u([0-9A-Fa-f]{4})")
_ESCAPES = re.compile(r"\\\\*[bfnrt]?")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+")
_NO_LETTER = re.compile(r"[\W_]+")
# The same three for text that is ASCII, as bytes.
_ASCII_CONTROLS = bytes(code for code in range(0x80) if _CONTROLS.match(chr(code)))
_ASCII_ESCAPES = re.compile(_ESCAPES.pattern.encode())
_ASCII_OTHERS = bytes(code for code in range(0x80) if _NO_LETTER.match(chr(code)))
# What is a key of a verdict once white space and escapes are gone.
_ESC = r"(?:\\[bfnrt]|[\\\s\x00-\x1f])*"
_KEY = re.compile(rf"m{_ESC}o{_ESC}d{_ESC}e{_ESC}[\"'`*]{{0,3}}{_ESC}[:=>|]", re.IGNORECASE)
_SHORT = 12  # letters; what is shorter stands somewhere by chance
_NEEDS = Telltale((need for sign in _SIGNS for need in sign.needs), any_case=True)
_MAX_STEPS = 50


def addressed(parts: Sequence[Part]) -> list[tuple[int, str]]:
    """(step, what its text does) for each step that seems to address its judge, in order."""
    texts = [_plain(part.text) for part in parts]
    sieve = Sieve(texts)
    held_by = {need: sieve.holding_any_case((need,)) for need in _NEEDS.among(sieve)}
    held = [(sign, set().union(*(held_by.get(need, ()) for need in sign.needs))) for sign in _SIGNS]
    found: dict[tuple[int, str], None] = {}
    for n in sorted(set().union(*(places for _, places in held))):
        small = texts[n].lower()
        for sign, places in held:
            if n in places and sign.pattern.search(texts[n] if sign.cased else small):
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


def echoes(mode: str, rationale: str, sent: str, *, marked: bool = False) -> bool:
    """Whether this very verdict, mode and reason, stands ready-made in the text that was sent.

    In whatever form: JSON, YAML, an assignment, a table. In a text that is `marked` the reason is enough: who
    can write it there can also name the mode in other words.
    """
    if not (marked or names(mode, sent)):
        return False
    text, reason = _letters(sent), _letters(rationale)
    # A long rationale may have been clipped; a short one stands somewhere by chance.
    return (reason[:200] if len(reason) >= _SHORT else f"rationale{reason}") in text


def names(mode: str, sent: str) -> bool:
    """Whether a text says, as a verdict would, that this is the mode."""
    return may_hold_verdict(sent) and f"mode{_letters(mode)}" in _letters(sent)  # or `failure_mode`


def may_hold_verdict(sent: str) -> bool:
    """Whether a verdict can stand in this text at all; in most traces none can."""
    return bool(_KEY.search(_plain(sent)))


def _plain(text: str) -> str:
    """Without signs that nobody sees; each letter in its plain form, also where JSON spells it by number."""
    if "\\u" in text:
        text = _SPELLED.sub(lambda found: chr(int(found[1], 16)), text)
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # halves of a sign are one
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).translate(_ALIKE)


def _letters(text: str) -> str:
    """Letters and digits alone, in small letters: so that a verdict is recognised in any notation.

    And in a string in a string: what escapes it goes as well.
    """
    text = _plain(text)
    if text.isascii():  # the same, many times faster
        data = _ASCII_ESCAPES.sub(b"", text.encode().translate(None, _ASCII_CONTROLS))
        return data.translate(None, _ASCII_OTHERS).lower().decode()
    return _NO_LETTER.sub("", _ESCAPES.sub("", _CONTROLS.sub("", text))).casefold()
