"""Settling disagreements: a lead decides what a trace is taken to be, and says why.

Adjudications are events beside the labels, never labels: no agreement counts them. What others said is
in a view only after its showing is committed; it comes without names and without any suggestion.
Nobody settles alone what they labelled, unless that is allowed; who overrides everybody says so in a note.
Who labels in the round is shown no case that waits for their own label, unless they ask: it would be spoilt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reviewer.errors import LabelRefused, NotFound
from reviewer.label import Decision, ExposureKind, LabelEvent
from reviewer.session.desk import Desk, named
from reviewer.session.review import ReviewSession, View
from reviewer.session.undoing import undone
from reviewer.study.basis import mark, overrides
from reviewer.study.current import current
from reviewer.study.disagreements import Case, by_rule, cases, changed, changed_share
from reviewer.study.gold import decision_of, marked
from reviewer.study.unlabelled import waiting
from reviewer.trace import TraceInfo

if TYPE_CHECKING:
    from reviewer.study.agreement import Agreement


BARRED = (
    "you labelled this trace yourself, so a third person settles it; with --allow-own you may, and every "
    "export says so"
)
NOTHING = "nothing to settle: no trace has labels of two people that differ in this round"
AFTER = " (left out: what waits for a label of yours; --unlabelled opens that too)"
WAITS = (
    "you label in this round and have not labelled this trace: settling it spoils your blind label; label it "
    "first, or with --unlabelled settle it all the same"
)


class AdjudicationSession:
    """One person settling traces of one round; with `allow_own` also those that they labelled.

    With `unlabelled` also those that they are to label in the round and have not labelled yet.
    """

    def __init__(self, desk: Desk, *, allow_own: bool = False, unlabelled: bool = False) -> None:
        self.desk = desk
        self.undone = ""  # what the last undo took back, in words
        self.allow_own = allow_own
        desk.settle()
        self._waiting: frozenset[str] | None = frozenset() if unlabelled else None
        self._cases: list[Case] | None = None
        self._ruled: int | None = None
        # the labels that stood beside a trace when it was opened, and those with what they were changed from
        self._seen: dict[str, tuple[Sequence[LabelEvent], Sequence[LabelEvent]]] = {}
        self._review: ReviewSession | None = None

    # -- looking -------------------------------------------------------------------------------

    @property
    def cases(self) -> Sequence[Case]:
        """What there is to settle, grouped by confused pair; read once a sitting.

        Without what waits for this person's own label: this would spoil it.
        """
        if self._cases is None:
            found = cases(self.desk.store, self.desk.taxonomy, self.desk.round)
            self._cases = [case for case in found if case.info.trace_id not in self.waiting]
        return tuple(self._cases)

    @property
    def waiting(self) -> frozenset[str]:
        """The traces that wait for this person's own label; as it was when first asked for in a sitting."""
        if self._waiting is None:
            desk = self.desk
            self._waiting = waiting(desk.store, desk.taxonomy, desk.annotator, desk.round)
        return self._waiting

    @property
    def _open(self) -> frozenset[str] | None:
        """The traces that may be told of; None: all."""
        if not self.waiting:
            return None
        heads = self.desk.store.labels.heads(self.desk.taxonomy.id)
        return frozenset(event.trace_id for event in heads) - self.waiting

    def first(self) -> View:
        """The first case that is not settled yet. NotFound: people differ on nothing."""
        if not self.cases:
            raise NotFound(NOTHING + AFTER * bool(self.waiting))
        following = self.next_open(-1)
        return self.open(0 if following is None else following)

    def place_of(self, trace_id: str) -> int | None:
        """The place of the case that this trace is, if it is one."""
        return next((n for n, case in enumerate(self.cases) if case.info.trace_id == trace_id), None)

    def named(self, asked: str) -> list[int]:
        """The place of a case by its number, or all whose task or id holds what is asked for."""
        return named([case.info for case in self.cases], asked)

    def next_open(self, place: int) -> int | None:
        """The place of the next case to settle, from `place` on and round again; None: all are settled.

        Cases that somebody else has to settle come last.
        """
        order = [*range(place + 1, len(self.cases)), *range(min(place + 1, len(self.cases)))]
        waiting = [other for other in order if not self.cases[other].settled]
        own = frozenset() if self.allow_own else self._own_traces()
        free = (other for other in waiting if self.cases[other].info.trace_id not in own)
        return next(free, next(iter(waiting), None))

    def open(self, place: int) -> View:
        """The case at `place` with everybody's labels; that they are shown is recorded first."""
        case = self.cases[place]
        trace_id = case.info.trace_id
        self.desk.expose(trace_id, [*self.desk.said_by_others(trace_id), *self._before(case)])
        self._seen[trace_id] = case.labels, case.said
        if self._review is None:
            self._review = ReviewSession(self.desk, blind=True, whole=True)
        view = self._review.open(self._review.find(trace_id))
        done = sum(other.settled for other in self.cases)
        plain = replace(view, labels=(), suggestions=(), withheld=False, sealed=True, note="")
        labels = tuple(map(self.desk.placed, case.labels))
        before = tuple(map(self.desk.placed, case.before))
        own, barred = self._labelled(trace_id), self.barred(trace_id)
        placed = replace(case, labels=labels, before=before, own=own, barred=barred)
        stale = sum(other.gold.stale for other in self.cases)
        plain = replace(plain, stale=stale, ruled=self._by_rule())
        return replace(plain, place=place, total=len(self.cases), done=done, case=placed)

    def _by_rule(self) -> int:
        """How many traces of the round independent blind labels settle; counted once a sitting."""
        if self._ruled is None:
            ruled = by_rule(current(self.desk.store, self.desk.taxonomy, self.desk.round))
            self._ruled = len(ruled.keys() - self.waiting)
        return self._ruled

    def agreement(self) -> Agreement:
        """The agreement of this round without names: who said what stays hidden from who settles it.

        To whoever labels in the round: without the traces that wait for their own label, and of no suggester.
        """
        from reviewer.study.agreement import agreement, unnamed  # not on the way to a first screen

        desk = self.desk
        found = unnamed(agreement(desk.store, desk.taxonomy, desk.round, only=self._open))
        return replace(found, suggesters=()) if self.waiting else found

    def look_into(self, traces: Sequence[str]) -> list[TraceInfo | None]:
        """The traces of a cell of the table, after it is on record that what people said of them is shown."""
        self.desk.expose_all({trace_id: self.desk.said_by_others(trace_id) for trace_id in traces})
        return [self.desk.store.traces.find(trace_id) for trace_id in traces]

    def changed(self) -> tuple[int, int]:
        """(blind labels that adjudication overruled, blind labels on adjudicated traces)."""
        return changed_share(self.desk.store, self.desk.taxonomy, self.desk.round, without=self.waiting)

    # -- deciding ------------------------------------------------------------------------------

    def adjudicate(self, trace_id: str, decision: Decision) -> LabelEvent:
        """Commit what the trace is taken to be.

        Without a decisive step, the one that those who gave this mode marked, if it is one.
        LabelRefused: there is no reason; or it is the trace of somebody who labelled it; or nobody gave this
        mode (nobody gave any), and no note says why all of them are wrong (why that is no matter).
        """
        if not decision.reason.strip():
            raise LabelRefused("an adjudication needs a reason; say which rule decides it")
        decision = self.desk.pinned(trace_id, self.desk.checked(decision))
        self._spare(trace_id)
        if self.barred(trace_id):
            raise LabelRefused(BARRED)
        labels, said = self._seen.get(trace_id) or self.said(trace_id)
        if overrides(decision.mode, said) and not decision.note.strip():
            self.look_into([trace_id])  # the refusal tells something of what others said
            raise LabelRefused(
                f"nobody who labelled {trace_id[:11]} gave {decision.mode}; overriding everybody needs a "
                "note (--note TEXT) beside the reason: what did all of them miss?"
            )
        if not said and not decision.note.strip():
            raise LabelRefused(
                f"nobody has labelled {trace_id[:11]} in this round: label it first (`reviewer annotate`), "
                "or say in a note (--note TEXT) why it is gold without a label"
            )
        alike = marked(self.desk.placed(event) for event in said if event.mode == decision.mode)
        if decision.step_n is None and len(alike) == 1:
            decision = replace(decision, step_source=alike[0].step_source, step_n=alike[0].step_n)
        event = self.desk.event("adjudicate", trace_id, decision)
        event = replace(event, assignment=mark(labels, own=self._labelled(trace_id)))
        saved = self.desk.store.labels.record(event)
        self._refresh()
        return saved

    def reaffirm(self, trace_id: str, *, reason: str = "", note: str = "") -> LabelEvent:
        """Settle a trace as it is settled already, over the labels that stand now.

        LabelRefused: nobody settled it, or two did in two ways.
        """
        self._spare(trace_id)
        self.look_into([trace_id])  # the answer tells what it is settled as, and so does a refusal
        made = [event for event in self._heads(trace_id) if event.kind == "adjudicate"]
        if len({event.mode for event in made}) != 1:
            why = "it is adjudicated in two ways" if made else "nobody adjudicated it in this round"
            raise LabelRefused(f"{trace_id[:11]} cannot be reaffirmed: {why}; adjudicate it with a mode")
        me = self.desk.person
        before = next((event for event in made if event.annotator == me), made[-1])
        decision = decision_of(before)
        return self.adjudicate(
            trace_id, replace(decision, reason=reason or decision.reason, note=note or decision.note)
        )

    def _spare(self, trace_id: str) -> None:
        """LabelRefused: this trace waits for the own label, whatever others said of it."""
        if trace_id in self.waiting:
            raise LabelRefused(WAITS)

    def barred(self, trace_id: str) -> bool:
        """Whether this person labelled the trace, and that is not allowed for who settles it."""
        return not self.allow_own and self._labelled(trace_id)

    def _labelled(self, trace_id: str) -> bool:
        """Whether this person has a label on the trace, in whichever round."""
        me, heads = (
            self.desk.person,
            self.desk.store.labels.heads(self.desk.taxonomy.id, None, trace_id),
        )
        return any(event.kind == "label" and event.annotator == me for event in heads)

    def _own_traces(self) -> frozenset[str]:
        """All traces that this person has a label on: asked for at once where many cases are gone through."""
        heads, me = self.desk.store.labels.heads(self.desk.taxonomy.id), self.desk.person
        return frozenset(e.trace_id for e in heads if e.kind == "label" and e.annotator == me)

    def _heads(self, trace_id: str) -> list[LabelEvent]:
        """The current events on a trace under exactly this codebook, in this round."""
        heads = self.desk.store.labels.heads(self.desk.taxonomy.id, self.desk.round, trace_id)
        return [event for event in heads if event.taxonomy_hash == self.desk.taxonomy.hash]

    def said(self, trace_id: str) -> tuple[list[LabelEvent], list[LabelEvent]]:
        """The current labels on a trace; these with the blind ones that they were changed from."""
        labels = [event for event in self._heads(trace_id) if event.kind == "label"]
        counted = current(self.desk.store, self.desk.taxonomy, self.desk.round)
        blind = [event for event in counted.blind if event.trace_id == trace_id]
        return labels, [*labels, *changed(labels, blind)]

    def _before(self, case: Case) -> list[tuple[ExposureKind, str]]:
        """What others said before they changed it, as exposures."""
        return [("peers", event.id) for event in case.before if event.annotator != self.desk.person]

    def clear(self, trace_id: str) -> LabelEvent:
        """Take one's own adjudication back."""
        heads = self.desk.store.labels.heads(self.desk.taxonomy.id, self.desk.round, trace_id)
        me = self.desk.person
        if not any(event.kind == "adjudicate" and event.annotator == me for event in heads):
            raise LabelRefused(f"there is no adjudication of yours on {trace_id} to take back")
        saved = self.desk.store.labels.record(self.desk.event("retract", trace_id), group="adjudicate")
        self._refresh()
        return saved

    def undo(self) -> int | None:
        """Take back the newest adjudication that still stands; the place of its case, None: there is none."""
        desk = self.desk
        slot_of = (desk.annotator.id, desk.taxonomy.id, desk.round)
        event = desk.store.labels.undo(slot_of, desk.redone, adjudications=True)
        if event is None:
            return None
        self.undone = undone(desk.store.labels, event)
        self._refresh(event.trace_id)
        return self.place_of(event.trace_id)

    def _refresh(self, undone: str = "") -> None:
        """The cases as they are now, in the order in which this sitting began; `undone` becomes one."""
        if self._cases is None:
            return
        order = [case.info.trace_id for case in self._cases]
        if undone and undone not in order and self.desk.store.traces.find(undone) is not None:
            order.append(undone)
        found = cases(self.desk.store, self.desk.taxonomy, self.desk.round, also=frozenset(order))
        now = {case.info.trace_id: case for case in found}
        self._cases = [now[trace_id] for trace_id in order]
