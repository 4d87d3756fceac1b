"""One annotator's sitting: open a trace, label it, see the suggestion when it is time, take things back.

Knows the store and the study; no terminal. In blind work a suggestion is in the answer only after the
annotator's own label is committed, and its showing is committed before the answer is given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reviewer.errors import InputError, LabelRefused
from reviewer.label import AGAIN, Condition, Decision, EventKind, ExposureKind, LabelEvent, Suggestion
from reviewer.session import held
from reviewer.session.desk import FACTS, NOTE_LIMIT, Desk, graded, named
from reviewer.session.undoing import undone
from reviewer.study.assigning_people import assigned
from reviewer.study.disagreements import Case
from reviewer.study.ordering import Order, ordered
from reviewer.study.queue import Item, in_order_of, item, next_open, queue
from reviewer.study.rows import verdict
from reviewer.trace import Outcome, TraceInfo
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class View:
    """Everything about one trace that may be painted for this annotator now.

    `withheld` says that a suggestion exists but stays hidden until the own label is in; `condition` is
    what a label given now would be counted as. `labels` are the annotator's own current labels: several
    are a conflict.
    """

    place: int
    total: int
    done: int
    item: Item
    blind: bool
    outcomes: tuple[Outcome, ...]
    passed: bool | None
    siblings: tuple[tuple[TraceInfo, bool | None], ...]
    children: tuple[TraceInfo, ...]
    labels: tuple[LabelEvent, ...]
    note: str
    draft: str  # a note that was begun and not saved
    suggestions: tuple[Suggestion, ...]
    withheld: bool
    condition: Condition
    sealed: bool = False  # the source record as a whole is not for this annotator yet
    record: bool = False  # it holds what others said: `held.read_record` before it is shown
    held: int = 0  # opinions of judges and people that are held back
    step: int = 0
    assigned: bool = False  # the queue is what was assigned to this annotator
    reveal: bool = True  # what is withheld is shown once the label is in
    case: Case | None = None  # what others said: for who settles it, and for nobody else
    stale: int = 0  # of the cases: settled over labels that changed since
    ruled: int = 0  # traces of the round that no person has to settle

    @property
    def info(self) -> TraceInfo:
        return self.item.info

    @property
    def label(self) -> LabelEvent | None:
        return self.labels[0] if len(self.labels) == 1 else None


class ReviewSession:
    """The sitting of one annotator over one round: what is assigned to them, else all in order of import."""

    def __init__(
        self, desk: Desk, *, blind: bool, order: Order | None = None, whole: bool = False, reveal: bool = True
    ) -> None:
        """`whole`: all traces, whatever is assigned. Without `reveal` blind work stays so after the label."""
        self.desk = desk
        self.undone = ""  # what the last undo took back, in words
        self.blind = blind
        desk.settle()
        self._order, self._whole, self._reveal = order, whole, reveal
        self._why: Mapping[str, str] = {}  # the assignment of each trace, or its stratum in an ordered queue
        self._forced: frozenset[str] = frozenset()  # the traces that are blind, however one works
        self.assigned = False
        self._items = self._queue()

    # -- looking -------------------------------------------------------------------------------

    @property
    def items(self) -> Sequence[Item]:
        return tuple(self._items)

    def first(self) -> View:
        """Where to begin: where the annotator stopped if that is still open, else the next open trace."""
        if not self._items:
            why = (
                "what is assigned to you is not in this store"
                if self.assigned
                else "the store holds no traces"
            )
            raise InputError(f"{why}; `reviewer import PATH` brings traces in")
        kept = self.desk.store.settings.place(self.bookmark)
        for place, known in enumerate(self._items):
            if kept and known.info.trace_id == kept[0] and known.done != "labelled":
                return replace(self.open(place), step=min(kept[1], known.info.n_steps))
        following = next_open(self._items, -1)
        return self.open(0 if following is None else following)

    def next_open(self, place: int) -> int | None:
        """The place of the next trace that waits for a label of this annotator; None: all are done."""
        return next_open(self._items, place)

    def named(self, asked: str) -> list[int]:
        """The place of a trace by its number, or all whose task or id holds what is asked for."""
        return named([item.info for item in self._items], asked)

    def find(self, trace_id: str) -> int:
        """The place of a trace in the queue."""
        for place, known in enumerate(self._items):
            if known.info.trace_id == trace_id:
                return place
        raise InputError(f"{trace_id} is not among the traces of round {self.desk.round}")

    def open(self, place: int) -> View:
        """All that may be painted of the trace at `place`; what is shown is recorded first."""
        mark = self._items[place]
        info, store = mark.info, self.desk.store
        mine = self._mine(info.trace_id)
        labels = tuple(event for event in mine if event.kind == "label")
        suggestions = tuple(store.suggestions.of(info.trace_id, self.desk.taxonomy.hash))
        labels = tuple(map(self.desk.placed, labels))
        # a label under an earlier version of the codebook answers another question
        fresh = sum(event.taxonomy_hash == self.desk.taxonomy.hash for event in labels)
        # a conflict is settled blind as well: what settles it must be able to count
        blind = self.blind or info.trace_id in self._forced
        withheld = blind and (len(labels) != 1 or not fresh or not self._reveal)
        every = store.outcomes.of(info.trace_id)
        record = held.in_record(store, info.trace_id, every)
        outcomes = tuple(
            one for one in every if not one.said_by or (not withheld and (fresh or one.said_by == "judge"))
        )
        siblings = tuple((other, self._passed(other)) for other in store.traces.siblings(info))
        self._expose(info.trace_id, () if withheld else suggestions, outcomes, siblings)
        kinds = {kind for kind, _ in store.labels.exposures(self.desk.annotator.id, info.trace_id)}
        return View(
            place=place,
            total=len(self._items),
            done=sum(other.done == "labelled" for other in self._items),
            item=mark,
            blind=blind,
            assigned=self.assigned,
            reveal=self._reveal,
            outcomes=outcomes,
            passed=verdict(outcomes)[0],
            siblings=siblings,
            children=tuple(store.traces.children(info.trace_id)),
            labels=labels,
            note=next((event.note for event in mine if event.kind == "note"), ""),
            draft=store.settings.draft(self.desk.shelf, info.trace_id),
            suggestions=() if withheld else suggestions,
            withheld=withheld and bool(suggestions),
            sealed=withheld or bool(record and not fresh),
            record=bool(record),
            held=len(every) - len(outcomes),
            condition="peers" if "peers" in kinds else "suggestion" if "suggestion" in kinds else "blind",
        )

    def _passed(self, info: TraceInfo) -> bool | None:
        return verdict(self.desk.store.outcomes.of(info.trace_id))[0]

    def _expose(
        self,
        trace_id: str,
        suggestions: Sequence[Suggestion],
        outcomes: Sequence[Outcome],
        siblings: Sequence[tuple[TraceInfo, bool | None]],
    ) -> None:
        shown: list[tuple[ExposureKind, str]] = [("suggestion", one.id) for one in suggestions if one.leads]
        shown += [*graded(outcomes), *held.opinions(outcomes)]
        shown += [("sibling", other.trace_id) for other, _ in siblings]
        shown.append(FACTS)
        self.desk.expose(trace_id, shown)

    # -- deciding ------------------------------------------------------------------------------

    def label(
        self, place: int, decision: Decision, *, seconds: float | None = None, steps_opened: int | None = None
    ) -> LabelEvent:
        """Commit a label; durable when this returns. NotFound: the taxonomy lacks a word of it.

        `seconds` and `steps_opened` are of all visits to the trace in this sitting, and of no earlier one.
        """
        decision = self.desk.checked(decision)
        trace_id = self._trace_id(place)
        event = self.desk.event("label", trace_id, self.desk.pinned(trace_id, decision))
        event = replace(event, assignment=self._why.get(trace_id, ""))
        return self._record(place, replace(event, seconds=seconds, steps_opened=steps_opened))

    def clear(self, place: int) -> LabelEvent:
        """Take the own label on this trace back. LabelRefused: there is none."""
        return self._record(place, self.desk.event("retract", self._trace_id(place)))

    def note(self, place: int, text: str, step_n: int | None = None) -> LabelEvent | None:
        """Keep a note, with or without a label, and the step it is about; an empty text takes it back."""
        if len(text) > NOTE_LIMIT:
            raise LabelRefused(f"a note has at most {NOTE_LIMIT:,} characters; this one has {len(text):,}")
        trace_id = self._trace_id(place)
        before = next((event.note for event in self._mine(trace_id) if event.kind == "note"), "")
        saved = None
        if text.strip() and text.strip() != before.strip():
            at = self.desk.pinned(trace_id, Decision("", step_n=step_n, note=text))
            saved = self._record(place, self.desk.event("note", trace_id, at))
        elif text.strip() != before.strip():
            saved = self._record(place, self.desk.event("retract", trace_id), group="note")
        self.keep_draft(place, "")
        return saved

    def keep_draft(self, place: int, text: str) -> None:
        """Keep a note that is being written, so that a lost connection does not lose it; empty ends it."""
        self.desk.store.settings.keep_draft(self.desk.shelf, self._trace_id(place), text)

    def skip(self, place: int) -> LabelEvent:
        """Put this trace at the end of the queue."""
        return self._record(place, self.desk.event("skip", self._trace_id(place)))

    def flag(self, place: int) -> LabelEvent:
        """Flag this trace for discussion, or take the flag away."""
        kind: EventKind = "unflag" if self._items[place].flagged else "flag"
        return self._record(place, self.desk.event(kind, self._trace_id(place)))

    def undo(self) -> int | None:
        """Take back the newest decision that still stands; the place of its trace, or None: there is none."""
        desk = self.desk
        slot_of = (desk.annotator.id, desk.taxonomy.id, desk.round)
        event = desk.store.labels.undo(slot_of, desk.redone)
        if event is None:
            return None
        self.undone = undone(desk.store.labels, event)
        if all(known.info.trace_id != event.trace_id for known in self._items):  # imported since
            self._items = self._queue()
            if all(known.info.trace_id != event.trace_id for known in self._items):  # not assigned
                self._items.append(item(desk.store.traces.info(event.trace_id), ()))
        place = self.find(event.trace_id)
        self._refresh(place)
        return place

    @property
    def bookmark(self) -> str:
        """Under what the place in this queue is kept: another round is another queue."""
        first = self.desk.round in (1, AGAIN + 1)
        return self.desk.shelf if first else f"{self.desk.shelf} round {self.desk.round}"

    def keep_place(self, place: int, step: int) -> None:
        """Remember where the annotator is, for the next sitting."""
        self.desk.store.settings.keep_place(self.bookmark, self._trace_id(place), step)

    # -- inside --------------------------------------------------------------------------------

    def _queue(self) -> list[Item]:
        desk = self.desk
        items = queue(desk.store, desk.annotator.id, desk.taxonomy, desk.round)
        mine = assigned(desk.store, desk.annotator, desk.round)
        self._why = {one.trace_id: one.id for one in mine}
        self._forced = frozenset(one.trace_id for one in mine if one.blind)
        if desk.round > AGAIN or (mine and not self._whole):
            self.assigned = True
            if self._order is not None:
                raise InputError("your traces are assigned and have an order; --order goes without that")
            return in_order_of(items, [one.trace_id for one in mine])
        if self._order is None:
            return items
        seed = f"{desk.annotator.id} {desk.round}"
        items, self._why = ordered(items, desk.store, desk.taxonomy, self._order, seed)
        return items

    def _trace_id(self, place: int) -> str:
        return self._items[place].info.trace_id

    def _mine(self, trace_id: str) -> list[LabelEvent]:
        heads = self.desk.store.labels.heads(self.desk.taxonomy.id, self.desk.round, trace_id)
        return [event for event in heads if event.annotator == self.desk.person]

    def _record(self, place: int, event: LabelEvent, *, group: str = "label") -> LabelEvent:
        saved = self.desk.store.labels.record(event, group=group)
        self._refresh(place)
        return saved

    def _refresh(self, place: int) -> None:
        info = self._items[place].info
        self._items[place] = item(info, self._mine(info.trace_id))
