"""What became of blind labels once the suggestion was shown: kept, changed towards it, changed away from it.

Before and after are both in the history: before is the blind label, which agreement goes on counting; after
is what the same person says now. A suggestion that was shown to a person on a trace that they had labelled
blind was shown afterwards, or the label would not be blind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from reviewer.label import LabelEvent
from reviewer.store import Store
from reviewer.study.current import Current, current
from reviewer.taxonomy import Taxonomy
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Reveal:
    """One blind label and what followed. `modes` are those suggested, none where a machine only said where to
    start reading; `after` is None where it was withdrawn.

    `peers` says that others' labels had been shown as well before the label that stands now.
    """

    before: LabelEvent
    after: LabelEvent | None
    modes: frozenset[str]
    peers: bool

    @property
    def changed(self) -> bool:
        return self.after is not None and self.after.mode != self.before.mode

    @property
    def agreed(self) -> bool:
        """Whether the label was the suggested one before anything was shown."""
        return self.before.mode in self.modes

    @property
    def agrees(self) -> bool:
        """Whether it is now."""
        return self.after is not None and self.after.mode in self.modes


@dataclass(frozen=True, slots=True)
class Flips:
    """Reveals counted. `between` changed from one mode that was not suggested to another, as does every one
    where only a place to start reading was shown.

    `peers` are those whose label was given again after others' labels were seen: no work of the suggestion,
    so they are in none of the other counts.
    """

    n: int
    toward: int
    away: int
    between: int
    withdrawn: int
    peers: int

    @property
    def changed(self) -> int:
        return self.toward + self.away + self.between


def shown_modes(store: Store, taxonomy_hash: str) -> dict[tuple[str, str], frozenset[str]]:
    """(person, trace) -> the modes of the suggestions that this person was shown there.

    Without a mode where all of them were abstentions that say where to start reading.
    """
    modes = {one.id: one.mode for one in store.suggestions.every(taxonomy_hash) if one.leads}
    people = store.labels.links.people()
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in store.history.exposures():
        if one.kind == "suggestion" and one.ref in modes:
            found[people.person(one.annotator), one.trace_id].update(filter(None, (modes[one.ref],)))
    return {place: frozenset(seen) for place, seen in found.items()}


def reveals(counted: Current, shown: Mapping[tuple[str, str], frozenset[str]]) -> list[Reveal]:
    """Every blind label that counts and whose suggestion was shown afterwards."""
    now: dict[tuple[str, str], list[LabelEvent]] = defaultdict(list)
    for event in counted.labels:
        now[event.annotator, event.trace_id].append(event)
    found = []
    for before in counted.blind:
        place = before.annotator, before.trace_id
        if place in shown and len(now[place]) < 2:
            after = next(iter(now[place]), None)
            peers = after is not None and after.condition == "peers"
            found.append(Reveal(before, after, shown[place], peers))
    return found


def flips_of(store: Store, taxonomy: Taxonomy, round: int) -> Flips:
    """The flips of a whole round."""
    return flips(reveals(current(store, taxonomy, round), shown_modes(store, taxonomy.hash)))


def flips(found: Iterable[Reveal]) -> Flips:
    every = list(found)
    counted = [one for one in every if not one.peers]
    changed = [one for one in counted if one.changed]
    toward = sum(one.agrees and not one.agreed for one in changed)
    away = sum(one.agreed and not one.agrees for one in changed)
    withdrawn = sum(one.after is None for one in counted)
    return Flips(
        len(counted), toward, away, len(changed) - toward - away, withdrawn, len(every) - len(counted)
    )
