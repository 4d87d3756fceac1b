"""The ledger of a round: every adjudication with its reason, and what the guideline should say."""

from __future__ import annotations

import contextlib
from collections import defaultdict

from reviewer.cli import out
from reviewer.cli.context import Context
from reviewer.errors import StoreReadOnly
from reviewer.exporters import records


def print_ledger(context: Context, name: str | None, round: int | None, *, as_json: bool) -> int:
    """Those that ask for a change of the guideline first, then by the modes they decide between.

    That `name` was shown what people said of these traces is recorded.
    """
    from reviewer.session import AdjudicationSession
    from reviewer.study.current import current

    with context.open_store() as store:
        counted = current(store, context.load_taxonomy(store), round or store.labels.newest_round())
        known = store.labels.annotators()
        settled = list(dict.fromkeys(e.trace_id for e in counted.heads if e.kind == "adjudicate"))
        with contextlib.suppress(StoreReadOnly):  # where nothing can be recorded, no label can be given
            if settled:
                AdjudicationSession(context.desk(store, name, round)).look_into(settled)
    said: dict[str, set[str]] = defaultdict(set)
    for event in counted.labels:
        said[event.trace_id].add(event.mode)
    made = [event for event in counted.heads if event.kind == "adjudicate"]
    made.sort(key=lambda event: (not event.guideline, sorted(said[event.trace_id]), event.at))
    if as_json:
        out.show_json(
            [
                {
                    **records.label(event, known),
                    **{"trace_id": event.trace_id, "said": sorted(said[event.trace_id])},
                    "guideline": event.guideline,
                }
                for event in made
            ]
        )
        return 0
    for event in made:
        change = "  THE GUIDELINE MUST CHANGE" if event.guideline else ""
        between = " or ".join(sorted(said[event.trace_id])) or "no labels"
        out.show(f"{between}: {event.mode} ({event.confidence or '-'}){change}")
        out.show(f"    {event.trace_id[:11]}  {known[event.annotator].name}: {event.reason}")
    if not made:
        out.say("nothing was settled in this round yet")
    return 0
