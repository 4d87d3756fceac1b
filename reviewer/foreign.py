"""Values of people and machines that came from elsewhere, checked field by field before they become ours.

A label file and another store are foreign text: whoever wrote them may have been another version, a
text editor or somebody who means harm. Each function takes a plain mapping and gives the value, or an
`InputError` that names the field. Nothing is mended and nothing is left out: what does not fit is refused.
Knows no file format and no store.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, get_args

from reviewer import taxonomy_file, taxonomy_place
from reviewer.errors import InputError, TaxonomyError
from reviewer.label import (
    Annotator,
    Condition,
    EventKind,
    Evidence,
    Exposure,
    ExposureKind,
    LabelEvent,
    Suggestion,
    SuggestionStatus,
)
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json

Rule: TypeAlias = Callable[[Json], Json]  # the value in our type, or ValueError with what it must be

ID_LENGTH = 200
NAME_LENGTH = 80
MAX_DEPTH = 300
_WORD = re.compile(r"[!-~]+")
_COUNT = 2**31


def word(value: Json) -> str:
    """An id: visible ASCII without a space, not absurdly long."""
    if not isinstance(value, str) or len(value) > ID_LENGTH or not _WORD.fullmatch(value):
        raise ValueError(f"must be a word of 1 to {ID_LENGTH} visible ASCII characters")
    return value


def word_or_nothing(value: Json) -> str:
    return "" if value == "" else word(value)


def name(value: Json) -> str:
    """An id of a taxonomy (mode, submode, facet, choice), or nothing."""
    fits = isinstance(value, str) and len(value) <= taxonomy_place.ID_LENGTH
    if not fits or (value and value.split() != [value]) or not value.isprintable():
        raise ValueError(f"must be a printable word of at most {taxonomy_place.ID_LENGTH} characters")
    return str(value)


def text(value: Json) -> str:
    if not isinstance(value, str):
        raise ValueError("must be text")
    return value


def short(value: Json) -> str:
    if not isinstance(value, str) or len(value) > 10 * ID_LENGTH:
        raise ValueError(f"must be text of at most {10 * ID_LENGTH} characters")
    return value


def number(value: Json) -> float | None:
    """A finite number or nothing."""
    if value is None:
        return None
    try:
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    except OverflowError:  # a whole number that no float can hold
        pass
    raise ValueError("must be a number")


def count(value: Json) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _COUNT:
        raise ValueError("must be a whole number that is not negative")
    return value


def count_or_nothing(value: Json) -> int | None:
    return None if value is None else count(value)


def integer_or_nothing(value: Json) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise ValueError("must be a whole number")


def truth(value: Json) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def table(value: Json) -> dict[str, Json]:
    if not isinstance(value, Mapping):
        raise ValueError("must be an object")
    return dict(shallow(value))


def shallow(value: Json) -> Json:
    """Any JSON value that whoever walks it later can walk."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return value
    raise ValueError(f"is nested more than {MAX_DEPTH} levels deep")


def one_of(alias: object, *more: Json) -> Rule:
    """One of the words of a `Literal`."""
    words = (*get_args(alias), *more)

    def rule(value: Json) -> Json:
        if not any(value is item or (isinstance(value, str) and value == item) for item in words):
            raise ValueError(f"must be one of {', '.join(map(str, words))}")
        return value

    return rule


def many(rule: Rule) -> Rule:
    def each(value: Json) -> tuple[Json, ...]:
        if not isinstance(value, list | tuple):
            raise ValueError("must be a list")
        return tuple(rule(item) for item in value)

    return each


def _facets(value: Json) -> dict[str, str]:
    return {name(key): name(choice) for key, choice in sorted(table(value).items())}


def _round(value: Json) -> int:
    if not count(value):
        raise ValueError("must be 1 or more")
    return int(value)


_EVENT: dict[str, Rule] = {
    "id": word,
    "kind": one_of(EventKind),
    "trace_id": word,
    "annotator": word,
    "at": word,
    "origin": short,
    "app": short,
    "content_hash": word_or_nothing,
    "taxonomy": name,
    "taxonomy_hash": word_or_nothing,
    "round": _round,
    "assignment": word_or_nothing,
    "mode": name,
    "submode": name,
    "secondary": many(name),
    "facets": _facets,
    "step_source": text,
    "step_n": count_or_nothing,
    "note": text,
    "reason": text,
    "confidence": short,
    "guideline": truth,
    "condition": one_of(Condition, None),
    "shown": many(short),
    "seconds": number,
    "steps_opened": count_or_nothing,
    "restores": word_or_nothing,
    "supersedes": many(word),
}
_EXPOSURE: dict[str, Rule] = {
    "id": word,
    "annotator": word,
    "trace_id": word,
    "kind": one_of(ExposureKind),
    "ref": text,
    "at": word,
}
_SUGGESTION: dict[str, Rule] = {
    **dict.fromkeys(("id", "trace_id", "at"), word),
    **dict.fromkeys(("request", "content_hash", "taxonomy_hash", "prompt_hash"), word_or_nothing),
    **dict.fromkeys(("suggester", "model"), short),
    **dict.fromkeys(("reason", "rationale", "step_source", "omitted"), text),
    **dict.fromkeys(("mode", "runner_up"), name),
    **dict.fromkeys(("settings", "usage"), table),
    "facets": _facets,
    **dict.fromkeys(("confidence", "cost"), number),
    "status": one_of(SuggestionStatus),
    "step_n": count_or_nothing,
    "evidence": lambda value: tuple(_evidence(item) for item in many(lambda item: item)(value)),
}
EVENT_FIELDS, EXPOSURE_FIELDS = tuple(_EVENT), tuple(_EXPOSURE)


def fields(rules: Mapping[str, Rule], value: Mapping[str, Json]) -> dict[str, Json]:
    """The checked fields of `value`; a field without a rule is refused, since it would be lost."""
    unknown = [key for key in value if key not in rules]
    if unknown:
        raise InputError(f"unknown field {unknown[0]!r:.60}")
    checked = {}
    for key, given in value.items():
        try:
            checked[key] = rules[key](given)
        except ValueError as error:
            raise InputError(f"{key!r} {error}") from None
    return checked


def _whole(rules: Mapping[str, Rule], value: Mapping[str, Json], *needed: str) -> dict[str, Json]:
    checked = fields(rules, value)
    missing = [key for key in needed if key not in checked]
    if missing:
        raise InputError(f"{missing[0]!r} is missing")
    return checked


def event(value: Mapping[str, Json]) -> LabelEvent:
    """A label event, exactly as it was made: its condition is what the annotator had seen *there*."""
    needed = ("id", "kind", "trace_id", "annotator", "at", "origin", "app")
    made = LabelEvent(**_whole(_EVENT, value, *needed))
    decides = made.kind in ("label", "adjudicate")
    if decides and not (made.mode and made.taxonomy and made.taxonomy_hash):
        raise InputError(f"a {made.kind} needs 'mode', 'taxonomy' and 'taxonomy_hash'")
    if decides is (made.condition is None):
        raise InputError("'condition' belongs to every label and adjudication, and to nothing else")
    if made.id in made.supersedes or made.id == made.restores:
        raise InputError("an event cannot replace itself")
    ordered = tuple(sorted(set(made.supersedes)))
    return made if ordered == made.supersedes else LabelEvent(**{**_of(made), "supersedes": ordered})


def _of(made: LabelEvent) -> dict[str, Json]:
    return {field: getattr(made, field) for field in _EVENT}


def exposure(value: Mapping[str, Json]) -> Exposure:
    return Exposure(**_whole(_EXPOSURE, value, *_EXPOSURE))


def annotator(value: Mapping[str, Json]) -> Annotator:
    return Annotator(**_whole({"id": word, "name": _person}, value, "id", "name"))


def _person(value: Json) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= NAME_LENGTH or not value.isprintable():
        raise ValueError(f"must be 1 to {NAME_LENGTH} printable characters")
    return value


def suggestion(value: Mapping[str, Json]) -> Suggestion:
    """A suggestion, or the reason why there is none."""
    made = Suggestion(**_whole(_SUGGESTION, value, "id", "request", "trace_id", "suggester", "status", "at"))
    if (made.status == "ok") is not bool(made.mode):
        raise InputError("'mode' belongs to every suggestion with the status ok, and to no other")
    return made


def _evidence(value: Json) -> Evidence:
    if not isinstance(value, list | tuple) or len(value) not in (4, 5):
        raise ValueError("must be a list of [step, quote, source id, verified, what it shows]")
    step, quote, source, verified = value[:4]
    return Evidence(count(step), text(quote), text(source), truth(verified), *map(text, value[4:]))


def taxonomy(value: Mapping[str, Json]) -> Taxonomy:
    """A taxonomy from its text; the hash that labels refer to must be that of the text."""
    given = _whole(dict.fromkeys(("hash", "id", "version", "toml"), text), value, "hash", "toml")
    if len(given["toml"]) > taxonomy_place.MAX_BYTES:
        raise InputError("'toml' is too long for a taxonomy")
    try:
        given["toml"].encode()
        made = taxonomy_file.parse(given["toml"], "its text")
    except UnicodeEncodeError:
        raise InputError("'toml' is no text that UTF-8 can hold") from None
    except TaxonomyError as error:
        raise InputError(str(error)) from None
    if made.hash != given["hash"]:
        raise InputError("'hash' is not that of the text: it was changed after it was labelled under")
    return made
