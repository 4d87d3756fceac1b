"""What every sitting has: a store, a person, a taxonomy, a round, a clock; and the events they make."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from reviewer import __version__
from reviewer.errors import InputError, LabelRefused, NotFound
from reviewer.label import AGAIN, Annotator, Decision, EventKind, Exposure, ExposureKind, LabelEvent
from reviewer.store import Store
from reviewer.taxonomy import Taxonomy, near
from reviewer.trace import Outcome, TraceInfo, digest
from reviewer.values import dataclass

NOTE_LIMIT = 20_000
# What the summary page computes from a trace: without a verdict, but it may lead.
FACTS: tuple[ExposureKind, str] = ("facts", "summary page")


def named(infos: Sequence[TraceInfo], asked: str) -> list[int]:
    """The place of a trace by its number (from 1), else of all with this text in their task or id."""
    asked = asked.strip().lower()
    if is_number(asked):
        return [int(asked) - 1] if 0 < int(asked) <= len(infos) else []
    return [n for n, info in enumerate(infos) if asked and _called(info, asked)]


def is_number(asked: str) -> bool:
    """Whether a place is asked for, and no text: more digits can begin an id."""
    return asked.isdecimal() and len(asked) < 10


def _called(info: TraceInfo, asked: str) -> bool:
    begins = info.trace_id.startswith((asked, f"t1-{asked}"))
    return begins or asked in info.task_id.lower() or asked in info.task.lower()


def graded(outcomes: Iterable[Outcome]) -> list[tuple[ExposureKind, str]]:
    """What is shown of outcomes as exposures: (kind, which one)."""
    shown: list[tuple[ExposureKind, str]] = []
    for outcome in outcomes:
        if outcome.said_by:
            continue  # an opinion is recorded as what it is (`held.opinions`)
        ref = f"{outcome.origin} {digest([outcome.passed, outcome.score, outcome.detail])[:16]}"
        if outcome.passed is not None or outcome.score is not None or outcome.detail is not None:
            shown.append(("outcome", ref))
        if outcome.expected_state is not None:
            shown.append(("expected_state", ref))
    return shown


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

    @property
    def person(self) -> str:
        """The id under which this annotator's labels are counted: linked annotators are one person."""
        return self.store.labels.links.people().person(self.annotator.id)

    @property
    def shelf(self) -> str:
        """Under what the place, drafts and marks of this annotator are kept: apart for a second label."""
        return f"{self.annotator.id} again" if self.round > AGAIN else self.annotator.id

    def settle(self) -> None:
        """Make the person and the taxonomy known to the store, before the first event refers to them."""
        self.store.labels.meet(self.annotator, now=self.now())
        self.store.settings.keep_taxonomy(self.taxonomy, now=self.now())

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
        if len(decision.note) > NOTE_LIMIT:
            raise LabelRefused(
                f"a note has at most {NOTE_LIMIT:,} characters; this one has {len(decision.note):,}"
            )
        for other in decision.secondary:
            if self.taxonomy.mode(other).id == mode.id:
                raise LabelRefused(f"{other} is the mode already; a secondary mode is another one")
            for one in (mode, self.taxonomy.mode(other)):
                if not one.failure:
                    raise LabelRefused(f"{one.id} is no failure; secondary modes are what else failed")
        for facet, choice in decision.facets.items():
            known = [known.id for known in self.taxonomy.facet(facet).choices]
            if choice not in known:
                raise NotFound(f"no choice {choice!r} of {facet!r}{near(choice, known)}")
        return decision

    def expose(self, trace_id: str, shown: Iterable[tuple[ExposureKind, str]]) -> None:
        """Commit that all of this is about to be shown to this person."""
        self.expose_all({trace_id: shown})

    def expose_all(self, shown: Mapping[str, Iterable[tuple[ExposureKind, str]]]) -> None:
        """The same for several traces, in one transaction. Who only looks is known by name from now on."""
        me, at = self.annotator.id, self.now()
        exposures = [
            Exposure(self.new_id(), me, trace_id, kind, ref, at)
            for trace_id, things in shown.items()
            for kind, ref in things
        ]
        if exposures:  # the name goes with them into another store, where somebody may be linked by it
            self.store.labels.meet(self.annotator, now=at)
        self.store.labels.expose(exposures)

    def said_by_others(self, trace_id: str) -> list[tuple[ExposureKind, str]]:
        """What other people say of a trace in this round now, as exposures; one's own is no news."""
        heads = self.store.labels.heads(self.taxonomy.id, self.round, trace_id)
        said = (event for event in heads if event.kind in ("label", "adjudicate", "note"))
        return [("peers", event.id) for event in said if event.annotator != self.person]

    def pinned(self, trace_id: str, decision: Decision) -> Decision:
        """The decision with its decisive step named by the stable id of the step as well.

        InputError: the trace has no such step.
        """
        if decision.step_n is None or decision.step_source:
            return decision
        row = self.store.traces.outline(trace_id, decision.step_n, 1)
        if not row or row[0].n != decision.step_n:
            last = self.store.traces.info(trace_id).n_steps
            raise InputError(f"{trace_id} has no step {decision.step_n}: its steps are 1 to {last}")
        return replace(decision, step_source=row[0].stable_id)

    def placed(self, event: LabelEvent) -> LabelEvent:
        """The event with its decisive step where that step stands now: a session may have grown since."""
        if not event.step_source:
            return event
        n = self.store.traces.step_number(event.trace_id, event.step_source)
        return event if n is None else replace(event, step_n=n)

    def redone(self, event: LabelEvent) -> LabelEvent:
        """A copy of an earlier event as an undo makes it: new id and time, condition worked out anew."""
        fresh = replace(event, id=self.new_id(), at=self.now(), origin="undo", content_hash="")
        return replace(fresh, seconds=None, steps_opened=None)
