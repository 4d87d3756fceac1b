"""The suggester that asks a model: excerpt, request, reply, checked answer, what it cost.

Says nothing about consent; `build` in this package does. Each trace ends as a proposal with a mode or
with a reason. An error that every other trace would meet, or many failures in a row, stop the run.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from reviewer.errors import SuggesterStopped
from reviewer.label import Evidence
from reviewer.suggest.base import Proposal
from reviewer.suggest.claude import injection, prices, prompt
from reviewer.suggest.claude.answer import Expected, read
from reviewer.suggest.claude.client import Client, Reply
from reviewer.suggest.claude.failures import told
from reviewer.suggest.claude.options import Options
from reviewer.suggest.evidence import stands
from reviewer.suggest.excerpt import Excerpt, excerpt, restored
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace

_COUNTS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(frozen=True, slots=True)
class Planned:
    """One request before it is sent: what `--dry-run` counts and `--show-payload` prints."""

    body: dict[str, Json]
    shown: Excerpt
    tag: str

    @property
    def tokens(self) -> int:
        """About how many tokens it has."""
        size = len(json.dumps(self.body, ensure_ascii=False))
        return round(size / prices.CHARACTERS_A_TOKEN)


def plan(
    chosen: Options,
    trace: Trace,
    outcomes: Sequence[Outcome],
    taxonomy: Taxonomy,
    draw: Callable[[], str] = lambda: secrets.token_hex(8),
) -> Planned:
    """The request for a trace. Pure but for the tag that `draw` gives; nothing is sent."""
    shown = excerpt(trace, budget=chosen.budget, personal=chosen.personal)
    tag = draw()
    while tag in shown.text:
        tag = draw()
    body = prompt.request(
        chosen,
        taxonomy,
        shown,
        tag=tag,
        steps=len(trace.steps),
        ended=trace.info.ended,
        outcomes=outcomes,
    )
    return Planned(body, shown, tag)


class Claude:
    """Asks a model behind the Messages API. `settings` hold all that its answer depends on."""

    name = "claude"
    version = "1"

    def __init__(
        self,
        chosen: Options,
        client: Client | None = None,
        draw: Callable[[], str] = lambda: secrets.token_hex(8),
    ) -> None:
        self.options = chosen
        self._client = client or Client(chosen)
        self._draw = draw
        self._failed = 0
        self.settings: Mapping[str, Json] = {
            "outcome": chosen.outcome,
            "model": chosen.model,
            "endpoint": chosen.endpoint,
            "mode": chosen.mode,
            "effort": chosen.effort,
            "budget": chosen.budget,
            "max_tokens": chosen.max_tokens,
            "personal": "masked" if chosen.personal else "sent",
            "prompt": prompt.TEMPLATE,
        }

    def suggest(self, trace: Trace, outcomes: Sequence[Outcome], taxonomy: Taxonomy) -> Proposal:
        """The model's proposal for this trace, checked, or the reason why there is none."""
        planned = plan(self.options, trace, outcomes, taxonomy, self._draw)
        reply = self._client.ask(planned.body)
        if reply.stop:
            raise SuggesterStopped(reply.reason)
        proposal = self._proposal(reply, planned, trace, taxonomy)
        self._failed = self._failed + 1 if proposal.status == "failed" else 0
        if self._failed >= self.options.in_a_row:
            raise SuggesterStopped(f"{self._failed} traces in a row failed, the last with: {proposal.reason}")
        return proposal

    def close(self) -> None:
        self._client.close()

    def _proposal(self, reply: Reply, planned: Planned, trace: Trace, taxonomy: Taxonomy) -> Proposal:
        addressed = injection.addressed(planned.shown.parts)
        usage: dict[str, Json] = {"attempts": reply.attempts, "masked": dict(planned.shown.masked)}
        usage |= {"request_id": reply.request_id} if reply.request_id else {}
        usage |= {"injection": [list(one) for one in addressed]} if addressed else {}
        model, cost = self.options.model, None
        if reply.message is None:
            proposal = Proposal(status="malformed" if reply.malformed else "failed", reason=reply.reason)
        else:
            counts = _counts(reply.message.get("usage"))
            usage |= counts
            model = told(reply.message.get("model")) or model
            cost = prices.cost(model, counts) if counts else None
            expected = Expected({mode.id for mode in taxonomy.modes}, {step.n for step in trace.steps})
            proposal = _believed(read(reply.message, expected), reply.message, planned)
        notes = (injection.said(addressed), planned.shown.omitted, proposal.omitted)
        return replace(
            proposal,
            evidence=_as_it_stood(trace, proposal.evidence),
            model=model,
            prompt_hash=prompt.prompt_hash(taxonomy),
            omitted="; ".join(note for note in notes if note),
            usage=usage,
            cost=cost,
        )


def _believed(proposal: Proposal, message: Mapping[str, Json], planned: Planned) -> Proposal:
    """The proposal, unless it only repeats what was sent: a forged verdict, or the request itself."""
    if proposal.status != "ok":
        return proposal
    quoted = (proposal.rationale, *(item.quote for item in proposal.evidence))  # a marker may be cited
    if json.dumps(message.get("content")).count(planned.tag) > "".join(quoted).count(planned.tag):
        return Proposal(status="malformed", reason="the answer repeats the markers of the request")
    if injection.echoes(proposal.mode, proposal.rationale, planned.shown.text):
        return Proposal(
            status="malformed", reason="the answer repeats a verdict that stands in the trace itself"
        )
    return proposal


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
    return {
        name: usage[name] for name in _COUNTS if type(usage.get(name)) is int and 0 <= usage[name] < 10**10
    }
