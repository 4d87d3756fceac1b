"""What a lead has to settle: the traces on which people differ, grouped by the modes they confused.

One rule often settles a dozen cases, so those of one pair of modes stand together, the largest group
first. Who said what is not in a case: labels come without names, in an order that a hash decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reviewer.label import Gold, LabelEvent
from reviewer.store import Store
from reviewer.store.links import People
from reviewer.study.current import Current, current
from reviewer.study.gold import by_trace, golds
from reviewer.taxonomy import Taxonomy
from reviewer.trace import TraceInfo, digest
from reviewer.values import dataclass

OPEN = ("disagreed", "conflict")


@dataclass(frozen=True, slots=True)
class Case:
    """One trace to settle. `labels` and `notes` are people's current ones, in an order without meaning.

    `before` are the blind labels that agreement counts and their person has changed since, as a rule in
    sight of a suggestion: what is settled is what people said by themselves too. `pair` are the modes that
    most people gave, before or after, in the taxonomy's order; `gold` says whether it is settled already. A
    stale adjudication is to be settled again, or reaffirmed.
    """

    info: TraceInfo
    labels: tuple[LabelEvent, ...]
    notes: tuple[LabelEvent, ...]
    pair: tuple[str, ...]
    gold: Gold
    own: bool = False  # whoever looks at it labelled it
    barred: bool = False  # and is therefore not to settle it
    before: tuple[LabelEvent, ...] = ()

    @property
    def said(self) -> tuple[LabelEvent, ...]:
        """Every label that somebody gave, before a suggestion or after it."""
        return (*self.before, *self.labels)

    @property
    def settled(self) -> bool:
        return self.gold.status == "adjudicated" and not self.gold.stale


def cases(store: Store, taxonomy: Taxonomy, round: int, *, also: frozenset[str] = frozenset()) -> list[Case]:
    """The cases of a round: those people differ on, settled ones among them, grouped by confused pair.

    `also` are traces to take in although people may agree on them by now.
    """
    counted = current(store, taxonomy, round)
    heads, known = by_trace(counted.heads), golds(counted.heads, counted.blind)
    blind = by_trace(counted.blind)
    order = {mode.id: place for place, mode in enumerate(taxonomy.modes)}
    found = []
    for info in store.traces.all():
        events = heads.get(info.trace_id, [])
        labels = shuffled([event for event in events if event.kind == "label"])
        gold = known.get(info.trace_id, Gold("none"))
        before = shuffled(changed(labels, blind.get(info.trace_id, ())))
        differ = len({event.mode for event in (*labels, *before)}) > 1
        settled = gold.status == "adjudicated" and (differ or gold.stale)
        if gold.status in OPEN or settled or info.trace_id in also:
            notes = shuffled([event for event in events if event.kind == "note"])
            pair = _pair((*labels, *before), order)
            found.append(Case(info, labels, notes, pair, gold, before=before))
    sizes = Counter(case.pair for case in found)
    found.sort(key=lambda case: (-sizes[case.pair], [order.get(mode, 99) for mode in case.pair]))
    return found


def everything_said(counted: Current) -> dict[str, list[LabelEvent]]:
    """The current labels of each trace, with the blind ones that they were changed from."""
    blind = by_trace(counted.blind)
    return {
        trace: [*labels, *changed(labels, blind.get(trace, ()))]
        for trace, labels in by_trace(counted.labels).items()
    }


def changed(labels: Sequence[LabelEvent], blind: Sequence[LabelEvent]) -> list[LabelEvent]:
    """The blind labels that agreement counts and whose person says something else now; of one trace."""
    times = Counter(event.annotator for event in blind)
    now = {event.annotator: _decided(event) for event in labels}
    return [e for e in blind if times[e.annotator] == 1 and now.get(e.annotator) != _decided(e)]


def _decided(event: LabelEvent) -> tuple[object, ...]:
    return event.mode, event.submode, set(event.secondary), dict(event.facets), event.step_source


def by_rule(counted: Current) -> dict[str, Gold]:
    """The traces that no person has to settle: independent blind labels agree, and nobody says otherwise."""
    known = golds(counted.heads, counted.blind)
    return {trace_id: gold for trace_id, gold in known.items() if gold.status == "unanimous"}


def shuffled(events: Sequence[LabelEvent]) -> tuple[LabelEvent, ...]:
    """The events in an order that tells nothing: neither who is who, nor who came first."""
    return tuple(sorted(events, key=lambda event: digest([event.trace_id, event.id])))


def _pair(labels: Sequence[LabelEvent], order: dict[str, int]) -> tuple[str, ...]:
    """The two modes that most people gave on this trace."""
    given = dict.fromkeys((event.mode, event.annotator) for event in labels)
    common = [mode for mode, _ in Counter(mode for mode, _ in given).most_common(2)]
    return tuple(sorted(common, key=lambda mode: (order.get(mode, len(order)), mode)))


def changed_share(
    store: Store, taxonomy: Taxonomy, round: int, *, without: frozenset[str] = frozenset()
) -> tuple[int, int]:
    """(blind labels that adjudication overruled, those it was about), each as it stood when it was overruled.

    Of the labels that agreement counts: one a person, also across linked ids. Over every adjudicated trace of
    the round, whether people differed on it or not. Never a kappa after it.
    """
    counted, people = current(store, taxonomy, round), store.labels.links.people()
    now = frozenset(event.id for event in counted.blind)
    decided: dict[str, dict[str, LabelEvent]] = {}
    for event in counted.heads:
        if event.kind == "adjudicate" and event.trace_id not in without:
            decided.setdefault(event.trace_id, {})[event.mode] = event
    overruled = about = 0
    for trace_id, by_mode in decided.items():
        if len(by_mode) == 1:  # else adjudications differ, and nothing is decided
            (event,) = by_mode.values()
            modes = _stood(store.labels.events(trace_id), event, now, people)
            about += len(modes)
            overruled += sum(mode != event.mode for mode in modes)
    return overruled, about


def _stood(events: Sequence[LabelEvent], end: LabelEvent, now: frozenset[str], people: People) -> list[str]:
    """The modes of the blind labels on a trace that counted when `end` was written.

    `now` are those that count today: one that nothing has replaced and is not among them never counted.
    """
    place = [event.id for event in events].index(end.id)
    taken = [
        {old for e in some if _takes(e) for old in e.supersedes} for some in (events[:place], events[place:])
    ]
    stood = [
        event
        for event in events[:place]
        if (event.kind, event.condition) == ("label", "blind")
        and (event.taxonomy_hash, event.round) == (end.taxonomy_hash, end.round)
        and event.id not in taken[0]
        and (event.id in now or event.id in taken[1])
    ]
    times = Counter(people.person(event.annotator) for event in stood)
    return [event.mode for event in stood if times[people.person(event.annotator)] == 1]


def _takes(event: LabelEvent) -> bool:
    """Whether an event takes what it replaces out of the blind labels: an assisted label does not."""
    return event.kind == "retract" or (
        event.kind == "label" and (event.condition == "blind" or bool(event.restores))
    )
