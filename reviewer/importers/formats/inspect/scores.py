"""What Inspect's scorers said of one sample: an outcome for each scorer.

Letters, numbers, booleans and texts are read as Inspect reads them; a score of several values is kept
whole and leaves open whether the sample passed.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.formats.inspect.pool import Pool, events
from reviewer.importers.opening.values import as_dict, as_float, as_score, verdict
from reviewer.trace import Json, Outcome

LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "correct": 1.0, "no": 0.0, "false": 0.0, "incorrect": 0.0}


def outcomes(sample: dict[str, Any], pool: Pool) -> tuple[Outcome, ...]:
    """The outcomes of all scorers, in their order; none for a sample that was not scored."""
    scores = sample.get("scores")
    if not scores and sample.get("score") is not None:
        scores = {"score": sample["score"]}
    if not isinstance(scores, dict):
        return ()
    target = sample.get("target") or None
    found = []
    for name, given in scores.items():
        score = pool.whole(given) if isinstance(given, dict) else {"value": given}
        number = graded(score.get("value"))
        detail = {key: item for key, item in score.items() if item not in (None, [], {})}
        edits = _edits(sample, name)
        if edits:
            detail["edits"] = edits
        found.append(Outcome(verdict(number), number, detail, expected_state=target, origin=f"scores.{name}"))
    return tuple(found)


def graded(value: Json) -> float | None:
    """The number that a score's value stands for; None where it stands for several, or for none."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        word = value.strip()
        if word in LETTERS:
            return LETTERS[word]
        if word.lower() in WORDS:
            return WORDS[word.lower()]
        try:
            return as_float(float(word))
        except ValueError:
            return None
    return as_score(value)


def _edits(sample: dict[str, Any], name: str) -> list[Json]:
    """Who changed the score later, and why, as the log's events say it."""
    return [
        {key: event[key] for key in ("timestamp", "edit") if key in event}
        for event in events(sample)
        if event.get("event") == "score_edit" and event.get("score_name", event.get("name")) == name
    ]


def has_scores(sample: dict[str, Any]) -> bool:
    return bool(as_dict(sample.get("scores"))) or sample.get("score") is not None
