"""What a lead has to settle: the traces on which people differ, grouped by the modes they confused.

One rule often settles a dozen cases, so those of one pair of modes stand together, the largest group
first. Who said what is not in a case: labels come without names, in an order that a hash decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reviewer.label import Gold, LabelEvent
from reviewer.store import Store
from reviewer.study.current import Current, current
from reviewer.study.gold import by_trace, golds
from reviewer.taxonomy import Taxonomy
from reviewer.trace import TraceInfo, digest
from reviewer.values import dataclass

OPEN = ("disagreed", "conflict")


@dataclass(frozen=True, slots=True)
class Case:
    """One trace to settle. `labels` and `notes` are people's current ones, in an order without meaning.

    `pair` are the modes that most labels disagree about, in the taxonomy's order; `gold` says whether it
    is settled already. A stale adjudication is to be settled again, or reaffirmed.
    """

    info: TraceInfo
    labels: tuple[LabelEvent, ...]
    notes: tuple[LabelEvent, ...]
    pair: tuple[str, ...]
    gold: Gold
    own: bool = False  # whoever looks at it labelled it
    barred: bool = False  # and is therefore not to settle it

    @property
    def settled(self) -> bool:
        return self.gold.status == "adjudicated" and not self.gold.stale


def cases(store: Store, taxonomy: Taxonomy, round: int, *, also: frozenset[str] = frozenset()) -> list[Case]:
    """The cases of a round: those people differ on, settled ones among them, grouped by confused pair.

    `also` are traces to take in although people may agree on them by now.
    """
    counted = current(store, taxonomy, round)
    heads, known = by_trace(counted.heads), golds(counted.heads, counted.blind)
    order = {mode.id: place for place, mode in enumerate(taxonomy.modes)}
    found = []
    for info in store.traces.all():
        events = heads.get(info.trace_id, [])
        labels = shuffled([event for event in events if event.kind == "label"])
        gold = known.get(info.trace_id, Gold("none"))
        differ = len({event.mode for event in labels}) > 1
        settled = gold.status == "adjudicated" and (differ or gold.stale)
        if gold.status in OPEN or settled or info.trace_id in also:
            notes = shuffled([event for event in events if event.kind == "note"])
            found.append(Case(info, labels, notes, _pair(labels, order), gold))
    sizes = Counter(case.pair for case in found)
    found.sort(key=lambda case: (-sizes[case.pair], [order.get(mode, 99) for mode in case.pair]))
    return found


def by_rule(counted: Current) -> dict[str, Gold]:
    """The traces that no person has to settle: independent blind labels agree, and nobody says otherwise."""
    known = golds(counted.heads, counted.blind)
    return {trace_id: gold for trace_id, gold in known.items() if gold.status == "unanimous"}


def shuffled(events: Sequence[LabelEvent]) -> tuple[LabelEvent, ...]:
    """The events in an order that tells nothing: neither who is who, nor who came first."""
    return tuple(sorted(events, key=lambda event: digest([event.trace_id, event.id])))


def _pair(labels: Sequence[LabelEvent], order: dict[str, int]) -> tuple[str, ...]:
    """The two modes with most labels on this trace."""
    common = [mode for mode, _ in Counter(event.mode for event in labels).most_common(2)]
    return tuple(sorted(common, key=lambda mode: (order.get(mode, len(order)), mode)))


def changed_share(store: Store, taxonomy: Taxonomy, round: int) -> tuple[int, int]:
    """(labels that adjudication overruled, labels it was about), each as it stood when it was overruled.

    Over every adjudicated trace of the round, whether people differed on it or not. Never a kappa after it.
    """
    decided: dict[str, dict[str, LabelEvent]] = {}
    for event in current(store, taxonomy, round).heads:
        if event.kind == "adjudicate":
            decided.setdefault(event.trace_id, {})[event.mode] = event
    overruled = about = 0
    for trace_id, by_mode in decided.items():
        if len(by_mode) == 1:  # else adjudications differ, and nothing is decided
            (event,) = by_mode.values()
            modes = _stood(store.labels.events(trace_id), event)
            about += len(modes)
            overruled += sum(mode != event.mode for mode in modes)
    return overruled, about


def _stood(events: Sequence[LabelEvent], end: LabelEvent) -> list[str]:
    """The modes of the labels on a trace that were current when `end` was written."""
    before = events[: [event.id for event in events].index(end.id)]
    replaced = {old for event in before for old in event.supersedes}
    place = (end.taxonomy_hash, end.round)
    return [
        event.mode
        for event in before
        if event.kind == "label" and event.id not in replaced and (event.taxonomy_hash, event.round) == place
    ]
