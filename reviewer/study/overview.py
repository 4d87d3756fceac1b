"""The counts of a store: what `status` prints."""

from __future__ import annotations

from collections import Counter

from reviewer.store import Store
from reviewer.study.gold import golds
from reviewer.taxonomy import Taxonomy


def overview(store: Store, taxonomy: Taxonomy) -> dict[str, int]:
    """Traces, current labels, people with one, suggestions, disagreements, conflicts; over all rounds."""
    heads = store.labels.heads(taxonomy.id)
    labels = [event for event in heads if event.kind == "label"]
    slots = Counter((event.trace_id, event.annotator, event.round, event.kind) for event in heads)
    disagreed = 0
    for round in sorted({event.round for event in heads}):
        here = [event for event in heads if event.round == round]
        blind = store.labels.blind_heads(taxonomy.id, round)
        disagreed += sum(gold.status == "disagreed" for gold in golds(here, blind).values())
    return {
        "traces": len(store.traces.all()),
        "labels": len(labels),
        "annotators": len({event.annotator for event in labels}),
        "suggestions": store.suggestions.count(),
        "disagreements": disagreed,
        "conflicts": sum(
            count > 1 for (_, _, _, kind), count in slots.items() if kind in ("label", "adjudicate")
        ),
    }
