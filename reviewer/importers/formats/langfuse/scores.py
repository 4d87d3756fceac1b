"""The scores of Langfuse as outcomes: what an API, a judge or an annotator said of a trace or a part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reviewer.importers.opening.values import as_score, as_str
from reviewer.importers.shapes.verdicts import passed
from reviewer.trace import Json, Outcome


def outcomes(scores: Sequence[Json], corrections: Json) -> tuple[Outcome, ...]:
    """One outcome for each score, each with an origin of its own that stays; corrections are a detail."""
    found: list[Outcome] = []
    names: Counter[str] = Counter()
    for score in scores:
        if not isinstance(score, dict):
            continue
        origin = f"score {as_str(score.get('name'))} ({as_str(score.get('source')) or 'API'})"
        names[origin] += 1
        nth = f" #{names[origin]}" if names[origin] > 1 else ""
        found.append(Outcome(_passed(score), as_score(score.get("value")), score, origin=origin + nth))
    if corrections:
        found.append(Outcome(detail={"corrections": corrections}, origin="corrections"))
    return tuple(found)


def _passed(score: dict[str, Json]) -> bool | None:
    """Only of a score on the whole trace; the number of a category is its place in a list."""
    if score.get("observationId"):
        return None
    word = score.get("stringValue") or score.get("value")
    number = None if score.get("dataType") == "CATEGORICAL" else score.get("value")
    return passed(as_str(score.get("name")), number, word)
