"""`export scout`: a validation set for Inspect Scout, a case a settled trace: the mode a scanner should name.

JSON Lines, which Scout reads with types as they are (in its CSV a mode `1.10` becomes a number). `id` is
what Scout calls a transcript: of an Inspect log the sample's own uuid, else our trace id. Traces
without gold are left out; `target` is the id of the mode. Knows no store and no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewer.exporters import WithTrace, strict
from reviewer.exporters.csv import held
from reviewer.label import LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, TraceInfo


def lines(rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None) -> Iterator[str]:
    """The cases, one a line."""
    for row in rows:
        if row.gold.decision is None:
            continue
        case: dict[str, Json] = {"id": transcript(row.info), "target": row.gold.decision.mode}
        if row.split:
            case["split"] = row.split
        if row.info.task_id:
            case["task_id"] = held(row.info.task_id)
        if row.info.attempt is not None:
            case["task_repeat"] = row.info.attempt
        yield strict.dumps(case) + "\n"


def transcript(info: TraceInfo) -> str:
    """What Scout calls this trace."""
    own = info.meta.get("uuid") if info.format == "inspect" else None
    return held(own) if isinstance(own, str) and own else info.trace_id
