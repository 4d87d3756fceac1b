"""From replies to a proposal: checked, with what it cost and what was not seen. Pure.

Believes nothing that only repeats what was sent: a forged verdict in the trace, or the request itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviewer.label import Evidence, Rationale
from reviewer.suggest.base import Proposal
from reviewer.suggest.claude import injection, prices
from reviewer.suggest.claude.answer import Unusable, cut_off, read
from reviewer.suggest.claude.client import Reply
from reviewer.suggest.claude.failures import told
from reviewer.suggest.claude.findings import Found, captioned, from_json, to_json
from reviewer.suggest.claude.findings import read as read_findings
from reviewer.suggest.claude.plan import Call, Plan, Planner
from reviewer.suggest.cleaning import restored
from reviewer.suggest.evidence import stands
from reviewer.trace import Json, Trace

_COUNTS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(frozen=True, slots=True)
class Spent:
    """What requests used up: tokens by kind, attempts, dollars (None: some has no known price)."""

    counts: Mapping[str, int] = field(default_factory=dict)
    calls: int = 0
    attempts: int = 0
    cost: float | None = 0.0
    model: str = ""

    def __add__(self, other: Spent) -> Spent:
        names = {*self.counts, *other.counts}
        counts = {name: self.counts.get(name, 0) + other.counts.get(name, 0) for name in names}
        priced = self.cost is not None and other.cost is not None
        cost = (self.cost or 0) + (other.cost or 0) if priced else None
        calls, attempts = self.calls + other.calls, self.attempts + other.attempts
        return Spent(counts, calls, attempts, cost, other.model or self.model)

    def to_json(self) -> Json:
        return [dict(self.counts), self.calls, self.attempts, self.cost, self.model]


def spent(reply: Reply, model: str, *, batch: bool = False) -> Spent:
    """What one reply used up; without a message it has cost nothing that anybody counts."""
    if reply.message is None:
        return Spent({}, 1, reply.attempts, 0.0)
    usage = reply.message.get("usage")
    counts = _counts(usage)
    named = told(reply.message.get("model")) or model
    cost = prices.cost(named, counts) if counts else None
    return Spent(counts, 1, reply.attempts, cost / 2 if cost is not None and batch else cost, named)


def segment_piece(reply: Reply, planner: Planner, plan: Plan, used: Spent) -> Json | Proposal:
    """The findings in a reply, as they are kept; or the proposal that says why there are none."""
    failed = _unanswered(reply)
    if failed is not None:
        return failed
    assert reply.message is not None
    try:
        found = read_findings(reply.message, planner.expected(plan.trace), plan.trace)
    except Unusable as problem:
        return Proposal(status="malformed", reason=str(problem))
    return {**to_json(found), "spent": used.to_json()}


def found_in(piece: Json) -> Found:
    return from_json(piece)


def spent_on(piece: Json) -> Spent:
    return Spent(*piece["spent"])


def verdict(reply: Reply, call: Call, planner: Planner, plan: Plan, found: Sequence[Found] = ()) -> Proposal:
    """The verdict in a reply, or why there is none; `found`: what it goes over of a trace in segments."""
    failed = _unanswered(reply)
    if failed is not None:
        return failed
    assert reply.message is not None
    proposal = read(reply.message, planner.expected(plan.trace))
    proposal = _believed(proposal, reply.message, call, plan)
    return replace(proposal, evidence=captioned(proposal.evidence, found))


def complete(proposal: Proposal, planner: Planner, plan: Plan, used: Spent, request_id: str) -> Proposal:
    """The proposal with all that is to be kept of how it came about."""
    usage: dict[str, Json] = {"attempts": used.attempts, "masked": dict(plan.masked), **used.counts}
    usage |= {"requests": used.calls} if used.calls != 1 else {}
    usage |= planner.noted(plan.trace, proposal.mode)
    usage |= {"request_id": request_id} if request_id else {}
    usage |= {"injection": [list(one) for one in plan.addressed]} if plan.addressed else {}
    notes = (injection.said(plan.addressed), plan.views.omitted, proposal.omitted)
    return replace(
        proposal,
        evidence=_as_it_stood(plan.trace, proposal.evidence),
        model=used.model or planner.chosen.model,
        prompt_hash=planner.prompt_hash,
        omitted="; ".join(note for note in notes if note),
        usage=usage,
        cost=used.cost if used.counts else None,
    )


def _unanswered(reply: Reply) -> Proposal | None:
    """Why a reply holds no answer, if so. One without a message has failed, whatever else stands in it, such
    as the page of a hotel's network: the model has said nothing, and may be asked again."""
    if reply.message is None:
        return Proposal(status="failed", reason=reply.reason)
    return cut_off(reply.message)


def _believed(proposal: Proposal, message: Mapping[str, Json], call: Call, plan: Plan) -> Proposal:
    """The proposal, unless it only repeats what was sent."""
    if proposal.status != "ok":
        return proposal
    shown = (text for item in proposal.evidence for text in (item.quote, item.shows))
    quoted = (proposal.rationale, *shown)  # a marker may be cited
    if json.dumps(message.get("content")).count(call.tag) > "".join(quoted).count(call.tag):
        return Proposal(status="malformed", reason="the answer repeats the markers of the request")
    # The reason alone: a word on the runner-up behind it would make any reason another one.
    mode, why, marked = proposal.mode, Rationale.of(proposal.rationale).reason, bool(plan.addressed)
    seen = [one.text for one in plan.views.segments]
    if any(injection.echoes(mode, why, text, marked=marked) for text in seen):
        return Proposal(
            status="malformed", reason="the answer repeats a verdict that stands in the trace itself"
        )
    if marked and any(injection.names(mode, text) for text in seen) and not _shown(proposal, plan):
        return Proposal(
            status="malformed",
            reason="the trace itself names this verdict, and the answer quotes no other step",
        )
    return proposal


def _shown(proposal: Proposal, plan: Plan) -> bool:
    """Whether a quote stands in a step that does not itself speak to the judge."""
    steps = {step.n: step for step in plan.trace.steps}
    for step, _ in plan.addressed:
        steps.pop(step, None)
    return any(
        item.step_n in steps and stands(steps[item.step_n], restored(item.quote))
        for item in proposal.evidence
    )


def _as_it_stood(trace: Trace, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Quotes with control characters back, where the model copied the picture that stood for one."""
    steps = {step.n: step for step in trace.steps}
    return tuple(
        replace(item, quote=back)
        if item.step_n in steps and stands(steps[item.step_n], back := restored(item.quote))
        else item
        for item in evidence
    )


def _counts(usage: Json) -> dict[str, int]:
    """The counts of tokens that are counts."""
    if not isinstance(usage, dict):
        return {}
    counts = {
        name: usage[name] for name in _COUNTS if type(usage.get(name)) is int and 0 <= usage[name] < 10**10
    }
    made = usage.get("cache_creation")
    hour = made.get(prices.HOUR) if isinstance(made, dict) else None
    return counts | {prices.HOUR: hour} if type(hour) is int and 0 < hour < 10**10 else counts
