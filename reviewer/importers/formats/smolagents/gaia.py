"""GAIA's own rule for whether an answer is right: a comparison of texts, so it can be made again from a row.

Numbers are compared as numbers, lists element by element, all else without blanks, case and punctuation.
Knows no row.
"""

from __future__ import annotations

import re
import string

from reviewer.importers.opening.values import as_float, shown
from reviewer.trace import Json

RULE = "by reviewer, with GAIA's rule (numbers as numbers, lists by element, words without case and blanks)"
_LISTED = re.compile(r"[,;]")
_UNITS = str.maketrans("", "", "$%,")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def right(answer: Json, truth: Json) -> bool | None:
    """Whether the answer is the true one; None where the true one is not told (GAIA's test set has `?`)."""
    said, true = shown(answer), shown(truth)
    if not true.strip() or true.strip() == "?":
        return None
    if _number(true) is not None:
        return _number(said.translate(_UNITS)) == _number(true)
    if not _LISTED.search(true):
        return _bare(said).translate(_PUNCTUATION) == _bare(true).translate(_PUNCTUATION)
    given, wanted = _LISTED.split(said), _LISTED.split(true)
    return len(given) == len(wanted) and all(map(_same, given, wanted))


def _same(given: str, wanted: str) -> bool:
    if (number := _number(wanted)) is not None:
        return _number(given.translate(_UNITS)) == number
    return _bare(given) == _bare(wanted)


def _number(text: str) -> float | None:
    """A number as it is written; what is larger than any is none."""
    try:
        return as_float(float(text))
    except ValueError:
        return None


def _bare(text: str) -> str:
    return "".join(text.split()).lower()
