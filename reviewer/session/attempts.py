"""Runs read from the trace on the desk: another attempt at its task beside it, a sub-agent's inside it.

Each comes with its outcome, and how another attempt ended tells much about this one. So that it is shown
is committed before it is given out: for the trace on the desk, and for the other, which may be labelled
later. Knows no label of the other run and gives none out, nor any opinion of a judge or a person on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from reviewer.session.desk import FACTS, Desk, graded
from reviewer.session.review import View
from reviewer.study.queue import Item
from reviewer.study.rows import verdict
from reviewer.trace import Outcome, TraceInfo, plain
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Attempt:
    """Another attempt at the task, and what may be painted of how it ended."""

    info: TraceInfo
    outcomes: tuple[Outcome, ...]
    passed: bool | None


def in_order(siblings: Iterable[tuple[TraceInfo, bool | None]]) -> list[TraceInfo]:
    """The other attempts in the order in which they help: those that passed, that failed, the rest."""
    rank = {True: 0, False: 1, None: 2}
    return [info for info, _ in sorted(siblings, key=lambda one: rank[one[1]])]


def beside(desk: Desk, trace_id: str, other: TraceInfo) -> Attempt:
    """Another attempt to read beside a trace; that both are shown together is recorded first."""
    outcomes = plain(desk.store.outcomes.of(other.trace_id))
    desk.expose(trace_id, [("sibling", f"{other.trace_id} beside")])
    desk.expose(other.trace_id, [*graded(outcomes), ("sibling", f"{trace_id} beside")])
    return Attempt(other, outcomes, verdict(outcomes)[0])


def inside(desk: Desk, view: View, child: TraceInfo, root: str) -> View:
    """A sub-agent's run that began in the trace of `view`; `root` is the trace that is labelled.

    It has no labels, suggestions or notes: those belong to `root`.
    """
    outcomes = plain(desk.store.outcomes.of(child.trace_id))
    found = graded(outcomes)
    desk.expose(child.trace_id, [*found, FACTS])
    desk.expose(root, [(kind, f"{child.trace_id} {ref}") for kind, ref in found])
    return replace(
        view,
        item=Item(child),
        blind=view.blind and not view.labels,
        outcomes=outcomes,
        passed=verdict(outcomes)[0],
        siblings=(),
        children=tuple(desk.store.traces.children(child.trace_id)),
        labels=(),
        note="",
        draft="",
        suggestions=(),
        withheld=False,
        step=0,
        case=None,
    )
