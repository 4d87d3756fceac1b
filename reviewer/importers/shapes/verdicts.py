"""Which score is a verdict on the whole, and which way it went; a low `toxicity` is no failure.

Knows no format.
"""

from __future__ import annotations

import re

from reviewer.importers.opening.values import shown, verdict
from reviewer.trace import Json

# Names of scores that are a verdict on the whole, as whole words.
_VERDICT = re.compile(
    r"\A(?:(?:is|task|goal|overall|final|trace|answer)[ _-])*"
    r"(?:correct|correctness|success|successful|pass|passed|resolved|solved|completed|completion)\Z",
    re.IGNORECASE,
)
_WORDS = {
    **dict.fromkeys(("true", "pass", "passed", "yes", "correct", "success"), True),
    **dict.fromkeys(("false", "fail", "failed", "no", "incorrect", "failure"), False),
}


def passed(name: str, score: Json, word: Json = None) -> bool | None:
    """Passed or failed where the score is named a verdict and is one; None leaves it open."""
    if not _VERDICT.match(name.strip()):
        return None
    said = verdict(score)
    return said if said is not None else _WORDS.get(shown(word).strip().lower())
