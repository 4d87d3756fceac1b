"""Settling disagreements: a lead decides what a trace is taken to be, and says why.

Adjudications are events beside the labels, never labels: no agreement counts them.
"""

from __future__ import annotations

from reviewer.errors import LabelRefused
from reviewer.label import Decision, LabelEvent
from reviewer.session.desk import Desk


class AdjudicationSession:
    """One person settling traces of one round."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        desk.settle()

    def adjudicate(self, trace_id: str, decision: Decision) -> LabelEvent:
        """Commit what the trace is taken to be. LabelRefused: no reason was given."""
        if not decision.reason.strip():
            raise LabelRefused("an adjudication needs a reason; say which rule decides it")
        decision = self.desk.checked(decision)
        return self.desk.store.labels.record(self.desk.event("adjudicate", trace_id, decision))

    def clear(self, trace_id: str) -> LabelEvent:
        """Take one's own adjudication back."""
        heads = self.desk.store.labels.heads(self.desk.taxonomy.id, self.desk.round, trace_id)
        me = self.desk.annotator.id
        if not any(event.kind == "adjudicate" and event.annotator == me for event in heads):
            raise LabelRefused(f"there is no adjudication of yours on {trace_id} to take back")
        return self.desk.store.labels.record(self.desk.event("retract", trace_id), group="adjudicate")
