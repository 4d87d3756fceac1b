"""What every sitting has: a store, a person, a taxonomy, a round, a clock; and the events they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from reviewer import __version__
from reviewer.errors import NotFound
from reviewer.label import Annotator, Decision, EventKind, Exposure, ExposureKind, LabelEvent
from reviewer.store import Store
from reviewer.taxonomy import Taxonomy, near
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Desk:
    """Who works on what, with the clock and the source of ids passed in (`origin`: `tui`, `cli`, …)."""

    store: Store
    annotator: Annotator
    taxonomy: Taxonomy
    round: int
    now: Callable[[], str]
    new_id: Callable[[], str]
    origin: str

    def settle(self) -> None:
        """Make the person and the taxonomy known to the store, before the first event refers to them."""
        self.store.labels.meet(self.annotator, now=self.now())
        self.store.settings.keep_taxonomy(self.taxonomy)

    def event(self, kind: EventKind, trace_id: str, decision: Decision | None = None) -> LabelEvent:
        """A new event of this person, now; `decision` fills in what was decided."""
        empty = LabelEvent(
            id=self.new_id(),
            kind=kind,
            trace_id=trace_id,
            annotator=self.annotator.id,
            at=self.now(),
            origin=self.origin,
            app=f"reviewer {__version__}",
            taxonomy=self.taxonomy.id,
            taxonomy_hash=self.taxonomy.hash,
            round=self.round,
        )
        if decision is None:
            return empty
        fields = {name: getattr(decision, name) for name in decision.__slots__}
        return replace(empty, **fields)

    def checked(self, decision: Decision) -> Decision:
        """`decision` if the taxonomy knows every word of it; NotFound names the near ones otherwise."""
        mode = self.taxonomy.mode(decision.mode)
        if decision.submode:
            mode.submode(decision.submode)
        for other in decision.secondary:
            self.taxonomy.mode(other)
        for facet, choice in decision.facets.items():
            known = [known.id for known in self.taxonomy.facet(facet).choices]
            if choice not in known:
                raise NotFound(f"no choice {choice!r} of {facet!r}{near(choice, known)}")
        return decision

    def expose(self, trace_id: str, kind: ExposureKind, ref: str) -> None:
        """Commit that something is about to be shown to this person."""
        self.store.labels.expose(Exposure(self.new_id(), self.annotator.id, trace_id, kind, ref, self.now()))

    def redone(self, event: LabelEvent) -> LabelEvent:
        """A copy of an earlier event as an undo makes it: new id and time, condition worked out anew."""
        fresh = replace(event, id=self.new_id(), at=self.now(), origin="undo", content_hash="")
        return replace(fresh, seconds=None, steps_opened=None)
