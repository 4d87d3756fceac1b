"""The counts of a store: what `status` prints."""

from __future__ import annotations

from reviewer.label import AGAIN
from reviewer.store import Store
from reviewer.study.conflicts import conflicts
from reviewer.study.current import current
from reviewer.study.gold import golds
from reviewer.taxonomy import Taxonomy


def overview(store: Store, taxonomy: Taxonomy) -> dict[str, int]:
    """Traces, current labels, people with one, suggestions, flags, disagreements, conflicts; of all rounds.

    `abstentions` are among the suggestions, and name no mode. `notes` are those beside labels and those of
    open coding, under any codebook. `other_versions` are labels (`other_settled` adjudications) made under
    another version of this codebook, `other_taxonomies` labels of labelled sets and other codebooks; they
    count nowhere else. `stale` adjudications are among the adjudicated: labels on the trace changed after
    them. `settled_by_rule`: independent blind labels agree.
    """
    everything = [event for event in store.labels.heads() if event.round <= AGAIN]
    rounds = sorted({event.round for event in everything if event.taxonomy == taxonomy.id})
    counted = [current(store, taxonomy, round) for round in rounds]
    labels = [event for one in counted for event in one.labels]
    known = [gold for one in counted for gold in golds(one.heads, one.blind).values()]
    statuses = [gold.status for gold in known]
    own = conflicts(store, taxonomy.id)  # of one person with themselves
    several = statuses.count("conflict") - len({(one.trace_id, one.round) for one in own})
    every, abstained = store.suggestions.count()
    return {
        "traces": len(store.traces.all()),
        "labels": len(labels),
        "notes": sum(event.kind == "note" for event in everything),
        "annotators": len({event.annotator for event in labels}),
        "suggestions": every,
        "abstentions": abstained,
        "flagged": len({e.trace_id for one in counted for e in one.heads if e.kind == "flag"}),
        "disagreements": statuses.count("disagreed"),
        "adjudicated": statuses.count("adjudicated"),
        "stale": sum(gold.stale for gold in known),
        "settled_by_rule": statuses.count("unanimous"),
        "gold": statuses.count("adjudicated") + statuses.count("unanimous"),
        "conflicts": len(own) + max(0, several),  # and of people who adjudicated in two ways
        "other_versions": sum(one.other_versions for one in counted),
        "other_settled": sum(one.other_settled for one in counted),
        "other_taxonomies": sum(one.kind == "label" and one.taxonomy != taxonomy.id for one in everything),
    }
