"""Label events to rows and back: the columns of `events`, and the events that each one supersedes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewer.label import LabelEvent
from reviewer.store import codec

_TEXT = (
    *(
        "id",
        "kind",
        "trace_id",
        "annotator",
        "content_hash",
        "taxonomy",
        "taxonomy_hash",
        "assignment",
        "mode",
    ),
    *("submode", "step_source", "note", "reason", "confidence", "restores", "at", "origin", "app"),
)
_PLAIN = ("round", "step_n", "condition", "seconds", "steps_opened")
COLUMNS = (*_TEXT, *_PLAIN, "secondary", "facets", "shown", "guideline")


def columns(alias: str) -> str:
    """What to select from `events` (or a view of them) under this alias, for `from_row`."""
    supersedes = f"(SELECT json_group_array(s.old) FROM supersedes s WHERE s.event = {alias}.id)"
    return ", ".join([*(f"{alias}.{name}" for name in COLUMNS), supersedes])


def to_row(event: LabelEvent) -> tuple[Any, ...]:
    """The values of `COLUMNS`."""
    return (
        *(codec.text(getattr(event, name)) for name in _TEXT),
        *(getattr(event, name) for name in _PLAIN),
        *(
            codec.dumps(list(event.secondary)),
            codec.dumps(dict(event.facets)),
            codec.dumps(list(event.shown)),
        ),
        int(event.guideline),
    )


def from_row(row: Sequence[Any]) -> LabelEvent:
    values = fields(row)
    for name in ("secondary", "shown", "supersedes"):
        values[name] = tuple(values[name])
    return LabelEvent(**values)


def fields(row: Sequence[Any]) -> dict[str, Any]:
    """The fields of the event in a row of `columns`, by name; lists as they are in JSON."""
    values: dict[str, Any] = dict(zip((*COLUMNS, "supersedes"), row, strict=True))
    for name in ("secondary", "shown", "supersedes", "facets"):
        values[name] = codec.loads(values[name])
    values["guideline"] = bool(values["guideline"])
    return values


def as_stored(event: LabelEvent) -> LabelEvent:
    """The event as it comes back from a store; two events are the same when these are equal."""
    return from_row((*to_row(event), codec.dumps(sorted(event.supersedes))))
