"""Labels of an earlier codebook read under a later one, where somebody asks; and which to look at again.

The events never change, and nothing here is counted unless it is asked for. A label is carried where one mode
is certain: its mode is unchanged, renamed or merged by a map that was given on purpose. What was split,
dropped, or changed in its meaning is on the worklist of whoever gave it, until they label the trace anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from reviewer.label import AGAIN, LabelEvent
from reviewer.store import Store, maps
from reviewer.study.codebooks import Passage, inverse, passages, through
from reviewer.study.current import Current, current
from reviewer.taxonomy import Edge, ModesMap, Taxonomy
from reviewer.values import dataclass

Routes: TypeAlias = Mapping[str, Mapping[str, Passage]]
_DECIDE = ("label", "adjudicate")


@dataclass(frozen=True, slots=True)
class Carry:
    """What counts in a round with earlier labels read under this codebook; how many could (not) be."""

    current: Current
    carried: int
    left: int


@dataclass(frozen=True, slots=True)
class Due:
    """One label to look at again: what it was, what became of its mode, what it may be now."""

    trace_id: str
    annotator: str
    round: int
    taxonomy_hash: str
    mode: str
    passage: Passage


def edges(store: Store) -> list[Edge]:
    """The changes of the codebook that this store knows, the newest last."""
    return maps.edges(store.settings)


def keep_edge(store: Store, edge: Edge, *, now: str) -> None:
    """Remember a change of the codebook; the same change again replaces what was said of it."""
    with store.write():
        maps.keep(store.settings, edge, now=now)


def map_between(store: Store, old: Taxonomy, new: Taxonomy) -> ModesMap:
    """The map from one codebook to the other: as kept, as the new one holds it, or turned back."""
    known = {(one.old, one.new): one.map for one in edges(store)}
    turned = inverse(known.get((new.hash, old.hash), ()), new)
    return known.get((old.hash, new.hash)) or new.map or turned


def routes(store: Store, taxonomy: Taxonomy) -> Routes:
    """For every earlier codebook whose labels can be read under this one: what its modes are now."""
    found: dict[str, Mapping[str, Passage]] = {}
    for hash, (id, _) in store.settings.taxonomies().items():
        old = store.settings.taxonomy(hash) if hash != taxonomy.hash else None
        if old is None:
            continue
        path = _path(edges(store), hash, taxonomy.hash)
        if path:
            found[hash] = _along(store, path, taxonomy)
        elif id == taxonomy.id:
            found[hash] = passages(old, taxonomy, taxonomy.map)
    return found


def _path(known: Sequence[Edge], start: str, end: str) -> list[Edge]:
    """The fewest changes that lead from one codebook to the other."""
    paths: dict[str, list[Edge]] = {start: []}
    todo = [start]
    for here in todo:
        for edge in known:
            if edge.old == here and edge.new not in paths:
                paths[edge.new] = [*paths[here], edge]
                todo.append(edge.new)
    return paths.get(end, [])


def _along(store: Store, path: Sequence[Edge], taxonomy: Taxonomy) -> Mapping[str, Passage]:
    whole: dict[str, Passage] | None = None
    for edge in path:
        old = store.settings.taxonomy(edge.old)
        new = taxonomy if edge.new == taxonomy.hash else store.settings.taxonomy(edge.new)
        if old is None or new is None:  # a codebook on the way is not here: nothing can be said
            return {}
        step = passages(old, new, edge.map)
        whole = step if whole is None else through(whole, step)
    return whole or {}


def carried(event: LabelEvent, modes: Mapping[str, Passage], taxonomy: Taxonomy) -> LabelEvent | None:
    """The label or adjudication as it reads under `taxonomy`; None where no single mode is certain.

    It keeps its id, person, time, condition and step. Submode, secondary modes and facets stay where the
    codebook still has them.
    """
    passage = modes.get(event.mode)
    if passage is None or not passage.carried:
        return None
    mode = taxonomy.mode(passage.carried)
    others = [modes[id].carried for id in event.secondary if id in modes]
    choices = {facet.id: {choice.id for choice in facet.choices} for facet in taxonomy.facets}
    return replace(
        event,
        taxonomy=taxonomy.id,
        taxonomy_hash=taxonomy.hash,
        mode=mode.id,
        submode=event.submode if any(one.id == event.submode for one in mode.submodes) else "",
        secondary=tuple(dict.fromkeys(id for id in others if id and id != mode.id)),
        facets={facet: choice for facet, choice in event.facets.items() if choice in choices.get(facet, ())},
    )


def carry(store: Store, taxonomy: Taxonomy, round: int) -> Carry:
    """What counts in `round`, and for whom nothing counts there yet, what they said under earlier codebooks.

    Of this round or the newest before it. Two current labels of one person are a conflict and not carried.
    The labels of a trace are carried together or not at all: two that agree are not unanimous while a third
    one cannot be read.
    """
    counted = current(store, taxonomy, round)
    known = routes(store, taxonomy)
    taken = {_slot(event) for event in counted.heads if event.kind in _DECIDE}
    decided = {event.trace_id for event in counted.heads if event.kind == "adjudicate"}
    earlier = _earlier(store, known)
    chosen: dict[tuple[str, str, str], list[LabelEvent]] = {}
    for number in sorted((n for n in earlier if n == round or n < round <= AGAIN), reverse=True):
        for slot, events in earlier[number].items():
            if slot not in taken and not (slot[2] == "adjudicate" and slot[0] in decided):
                chosen.setdefault(slot, events)
    read = {slot: _one(events, known, taxonomy) for slot, events in chosen.items()}
    torn = {trace for (trace, _, kind), event in read.items() if event is None and kind == "label"}
    found = {
        slot: event
        for slot, event in read.items()
        if event is not None and not (slot[2] == "label" and slot[0] in torn)
    }
    heads = [*counted.heads, *(replace(event, round=round) for event in found.values())]
    blind = [*counted.blind]
    origins = {
        (*slot[:2], e.round, e.taxonomy_hash) for slot in found for e in chosen[slot] if slot[2] == "label"
    }
    for number in sorted({number for _, _, number, _ in origins}):
        for event in _blind(store, known, number):
            if (event.trace_id, event.annotator, number, event.taxonomy_hash) in origins:
                same = carried(event, known[event.taxonomy_hash], taxonomy)
                blind += [replace(same, round=round)] if same is not None else []
    whole = replace(counted, heads=tuple(heads), blind=tuple(blind))
    return Carry(whole, len(found), len(chosen) - len(found))


def _one(events: Sequence[LabelEvent], known: Routes, taxonomy: Taxonomy) -> LabelEvent | None:
    """The one label of a person as it reads now; None where there are two, or it cannot be read."""
    (event, *more) = events
    return None if more else carried(event, known[event.taxonomy_hash], taxonomy)


def _slot(event: LabelEvent) -> tuple[str, str, str]:
    return event.trace_id, event.annotator, event.kind


def _earlier(store: Store, known: Routes) -> Mapping[int, Mapping[tuple[str, str, str], list[LabelEvent]]]:
    """The current labels and adjudications made under one of the earlier codebooks, by round and slot."""
    found: dict[int, dict[tuple[str, str, str], list[LabelEvent]]] = defaultdict(dict)
    for id in _ids(store, known):
        for event in store.labels.heads(id):
            if event.taxonomy_hash in known and event.kind in _DECIDE:
                found[event.round].setdefault(_slot(event), []).append(event)
    return found


def _blind(store: Store, known: Routes, round: int) -> Iterable[LabelEvent]:
    """The blind labels of a round that were made under one of the earlier codebooks."""
    for id in _ids(store, known):
        yield from (e for e in store.labels.blind_heads(id, round) if e.taxonomy_hash in known)


def _ids(store: Store, known: Routes) -> list[str]:
    """The ids of the earlier codebooks."""
    kept = store.settings.taxonomies()
    return list(dict.fromkeys(kept[hash][0] for hash in known))


def worklist(store: Store, taxonomy: Taxonomy, *, since: str = "") -> list[Due]:
    """The labels whose mode is not what it was, by trace in order of import; `since`: only of that version.

    A label of the same person on the trace under this codebook, in whichever round, takes it off the list.
    Second labels, given for agreement with oneself, are not on it.
    """
    known = routes(store, taxonomy)
    ids = dict.fromkeys([taxonomy.id, *_ids(store, known)])
    labels = [event for id in ids for event in store.labels.heads(id) if event.kind == "label"]
    done = {(e.trace_id, e.annotator) for e in labels if e.taxonomy_hash == taxonomy.hash}
    newest: dict[tuple[str, str], LabelEvent] = {}
    for event in sorted(labels, key=lambda event: event.round):
        where = (event.trace_id, event.annotator)
        if event.taxonomy_hash in known and where not in done and event.round <= AGAIN:
            newest[event.trace_id, event.annotator] = event
    order = {info.trace_id: place for place, info in enumerate(store.traces.all())}
    found = []
    for event in newest.values():
        gone = Passage(event.mode, (), "gone", True, "")
        passage = known[event.taxonomy_hash].get(event.mode, gone)
        if passage.touched and event.taxonomy_hash.startswith(since):
            given = (event.round, event.taxonomy_hash, event.mode)
            found.append(Due(event.trace_id, event.annotator, *given, passage))
    return sorted(found, key=lambda due: (order.get(due.trace_id, len(order)), due.annotator))
