"""What a trace says in sum: its id and hash over the source record, and the totals of its steps.

Knows no format.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from reviewer.importers.opening.values import total
from reviewer.trace import Json, Step, digest


def ids(record: Json) -> dict[str, Any]:
    """`trace_id` and `content_hash` of a record whose identity is the record itself, hashed once."""
    hashed = digest(record)
    return {"trace_id": f"t1-{hashed[:32]}", "content_hash": hashed}


def totals(steps: Sequence[Step]) -> dict[str, Any]:
    """Counts, tokens and cost of the steps, by their names in `TraceInfo`."""
    metrics = [step.metrics for step in steps if step.metrics]
    costs = [item.cost for item in metrics if item.cost is not None]
    return {
        "n_steps": len(steps),
        "n_errors": sum(step.error for step in steps),
        "tokens_in": total(item.tokens_in for item in metrics),
        "tokens_out": total(item.tokens_out for item in metrics),
        "cost": round(fsum(costs), 12) if costs else None,  # cents that add up, not 0.009000000000000001
    }
