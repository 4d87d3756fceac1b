"""What is worth keeping of a trace beside its steps: times, origins, agents, judges, the raw record.

Knows no dialect.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reviewer.importers.base import Source
from reviewer.importers.opening.values import as_dict, as_float, as_str, dumped
from reviewer.importers.shapes.spans.messages import Warner
from reviewer.importers.shapes.spans.reading import Reading
from reviewer.importers.shapes.spans.span import Span
from reviewer.importers.shapes.spans.steps import Steps
from reviewer.trace import Json, Outcome

LONG = 2000  # a longer text is not repeated in the summary of an agent's span


def times(group: Sequence[Span]) -> dict[str, Any]:
    """When the first span began, and the time until the last one ended."""
    starts = [span for span in group if span.start is not None]
    if not starts:
        return {"started": "", "seconds": None}
    begin = min(starts, key=lambda span: span.start or 0.0)
    ends = [span.end if span.end is not None else span.start for span in starts]
    last = max(end for end in ends if end is not None)
    return {"started": begin.at, "seconds": round(max(0.0, last - (begin.start or 0.0)), 3)}


def home(group: Iterable[Span]) -> dict[str, Json]:
    """The resources and the scopes that the spans stand under, each once."""
    resources: list[Json] = []
    scopes: dict[str, None] = {}
    for span in group:
        if span.resource and span.resource not in resources:
            resources.append(span.resource)
        if span.scope:
            scopes[span.scope] = None
    return {"resource": resources[0] if len(resources) == 1 else resources, "scopes": list(scopes)}


def agent(steps: Steps, span: Span, reading: Reading) -> dict[str, Json]:
    """An agent's span: what no step says of it."""
    about: dict[str, Json] = {
        "span": span.source_id,
        "name": span.name,
        "agent": reading.agent,
        "model": reading.model or reading.asked,
        "at": span.at,
        "seconds": span.seconds,
        "finish_reason": reading.finish,
        "status": span.status,
        **span.extra,
    }
    for key, text in (("input", reading.task), ("output", reading.answer)):
        if not steps.knows(text):
            short = len(text) <= LONG
            about[key] = text if short else f"[{len(text)} characters, kept in the raw record]"
    if reading.metrics:
        about["tokens"] = [reading.tokens_in, reading.tokens_out]
    about |= reading.rest
    about["events"] = [
        {"name": event.name, "at": event.at, **event.attributes}
        for event in span.events
        if not event.name.startswith("gen_ai.")
    ]
    return {key: item for key, item in about.items() if item not in (None, "", [], {})}


def outcomes(group: Iterable[Span], warn: Warner) -> tuple[Outcome, ...]:
    """What judges (programs and models) noted at the spans; apart from it what people did."""
    notes: list[dict[str, Json]] = []
    people: list[dict[str, Json]] = []
    for span in group:
        for note in map(as_dict, span.annotations):
            if as_str(note.get("annotator_kind")).upper() == "HUMAN":
                warn("an annotation by a person is no grade: it is shown after one's own label")
                people.append({"span": span.source_id, **note})
            elif note:
                notes.append({"span": span.source_id, **note})
    said = (Outcome(None, None, people, origin="human annotations"),) if people else ()
    if not notes:
        return said
    scores = [as_float({**as_dict(note.get("result")), **note}.get("score")) for note in notes]
    known = [score for score in scores if score is not None]
    judged = Outcome(None, known[0] if len(known) == 1 else None, notes, origin="annotations")
    return (judged, *said)


def raw(source: Source, group: Sequence[Span], alone: bool, mixed: set[int]) -> str:
    """The source as it stands in the file where the file is this trace, else its part of it.

    `mixed` are lines with spans of several traces, which can be no part of one of them as they stand.
    """
    if source.is_json:
        if alone:
            return source.text.strip(" \t\r\n")
    elif alone:
        texts = [dumped(line.text) if line.bad else line.text for line in source.lines]
        return "[" + ",\n".join(texts) + "]"
    elif not (own := {span.line for span in group}) & mixed:
        return "[" + ",\n".join(line.text for line in source.lines if line.number in own) + "]"
    return dumped([{**span.home, "spans": [span.record]} if span.home else span.record for span in group])
