"""The suggester that asks a model: plan, requests, replies, checked answer, what it cost.

Says nothing about consent; `build` in this package does. Each trace ends as a proposal with a mode or
with a reason. An error that every other trace would meet, or many failures in a row, stop the run. Asks
in the thread of its `Desk`; everything else happens in the thread of whoever calls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from reviewer.errors import SuggesterStopped
from reviewer.suggest.base import Answer, News, Piece, Proposal
from reviewer.suggest.claude import proposing, teaching
from reviewer.suggest.claude.aside import Aside
from reviewer.suggest.claude.client import Client, Reply
from reviewer.suggest.claude.desk import Desk
from reviewer.suggest.claude.findings import Found
from reviewer.suggest.claude.gate import Gate, Shut
from reviewer.suggest.claude.options import Options
from reviewer.suggest.claude.plan import TEMPLATE, Call, Plan, Planner, draw_tag
from reviewer.suggest.claude.proposing import Spent
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace, digest


class Claude:
    """Asks a model behind the Messages API. `settings` hold all that its answer depends on."""

    name = "claude"
    version = "2"

    def __init__(
        self, chosen: Options, client: Client | None = None, draw: Callable[[], str] = draw_tag
    ) -> None:
        self.options = chosen
        self.client = client or Client(chosen)
        self.client.going = lambda: not self.gate.halted
        self.gate = Gate(chosen.width, chosen.max_cost)
        self._draw = draw
        self._desk: Desk[News] | None = None
        self._planning: Aside | None = None
        self._failed = 0
        self.settings: Mapping[str, Json] = {
            "outcome": chosen.outcome,
            "model": chosen.model,
            "endpoint": chosen.endpoint,
            "mode": chosen.mode,
            "effort": chosen.effort,
            "budget": chosen.budget,
            "segments": chosen.segments,
            "max_tokens": chosen.max_tokens,
            "personal": "masked" if chosen.personal else "sent",
            "prompt": digest([TEMPLATE, chosen.prompt]) if chosen.prompt else TEMPLATE,
            **teaching.settings(chosen.guidelines, chosen.lessons),
        }

    # -- one at a time ---------------------------------------------------------------------------

    def suggest(self, trace: Trace, outcomes: Sequence[Outcome], taxonomy: Taxonomy) -> Proposal:
        """The model's proposal for this trace, checked, or the reason why there is none."""
        self.gate.halted = False
        self.begin(trace, outcomes, taxonomy, "", {})
        while True:
            news = self.news()
            if isinstance(news, Answer):
                if news.stop or news.proposal is None:
                    raise SuggesterStopped(news.stop or "no money is left")
                return news.proposal

    # -- several at once -------------------------------------------------------------------------

    @property
    def width(self) -> int:
        return self.options.width

    @property
    def open(self) -> bool:
        return self.gate.open

    def begin(
        self,
        trace: Trace,
        outcomes: Sequence[Outcome],
        taxonomy: Taxonomy,
        request: str,
        pieces: Mapping[str, Json],
    ) -> None:
        """Have the requests for a trace planned and asked, both in other threads."""
        self.desk.start(self._answer(self._aside(taxonomy), trace, outcomes, request, pieces))

    def news(self, timeout: float | None = None) -> News:
        return self.desk.news(timeout)

    def halt(self) -> None:
        self.gate.halted = True

    def interrupt(self) -> None:
        if self._desk is not None:
            self._desk.put(None)

    def close(self) -> None:
        """End what is under way and let go of the connection."""
        if self._desk is not None:
            self._desk.close(self.client.close())
            self._desk = None
        if self._planning is not None:
            self._planning.close()
            self._planning = None

    @property
    def desk(self) -> Desk[News]:
        if self._desk is None:
            self._desk = Desk()
        return self._desk

    def _aside(self, taxonomy: Taxonomy) -> Aside:
        if self._planning is None or self._planning.planner.taxonomy is not taxonomy:
            if self._planning is not None:
                self._planning.close()
            self._planning = Aside(Planner(self.options, taxonomy, self._draw))
        return self._planning

    # -- in the thread of the desk ---------------------------------------------------------------

    async def _answer(
        self,
        aside: Aside,
        trace: Trace,
        outcomes: Sequence[Outcome],
        request: str,
        pieces: Mapping[str, Json],
    ) -> None:
        try:
            plan = await aside.plan(trace, outcomes, request)
            proposal, stop = await self._proposal(aside.planner, plan, pieces)
        except Shut:
            self.desk.put(Answer(request))
            return
        self._failed = self._failed + 1 if proposal.status == "failed" else 0
        if not stop and self._failed >= self.options.in_a_row:
            stop = f"{self._failed} traces in a row failed, the last with: {proposal.reason}"
        if stop:
            self.halt()
        self.desk.put(Answer(request, proposal, stop))

    async def _proposal(
        self, planner: Planner, plan: Plan, pieces: Mapping[str, Json]
    ) -> tuple[Proposal, str]:
        """The proposal, and why nothing else should be asked, if so."""
        used, found = Spent(), list[Found]()
        call = plan.calls[0]
        if plan.segmented:
            got = await self._segments(planner, plan, pieces)
            for _, piece, spent, _ in got:
                used += proposing.spent_on(piece) if not isinstance(piece, Proposal) else spent
            # what stops the run is the reason before any other
            for n, piece, _, stop in sorted(got, key=lambda one: not one[-1]):
                if isinstance(piece, Proposal):
                    return self._partly(piece, n, planner, plan, used), stop
            if len(got) < len(plan.calls):
                raise Shut
            found = [proposing.found_in(piece) for _, piece, _, _ in got]
            call = planner.verdict(plan, found)
        reply = await self._ask(call)
        used += proposing.spent(reply, self.options.model)
        proposal = proposing.verdict(reply, call, planner, plan, found)
        done = proposing.complete(proposal, planner, plan, used, reply.request_id)
        return done, reply.reason if reply.stop else ""

    def _partly(self, why: Proposal, n: int, planner: Planner, plan: Plan, used: Spent) -> Proposal:
        """Why there is no verdict, where one of the segments brought no findings."""
        reason = f"segment {n} of {len(plan.calls)}: {why.reason}"
        return proposing.complete(Proposal(status=why.status, reason=reason), planner, plan, used, "")

    async def _segments(
        self, planner: Planner, plan: Plan, pieces: Mapping[str, Json]
    ) -> list[tuple[int, Json | Proposal, Spent, str]]:
        """(number, and what `_segment` brings) of each segment that could be asked about.

        Waits for all of them: what was sent is paid for, also where nothing more may be sent.
        """
        work = (self._segment(planner, plan, n, pieces) for n in range(len(plan.calls)))
        came = await asyncio.gather(*work, return_exceptions=True)
        got = []
        for n, one in enumerate(came, 1):
            if isinstance(one, BaseException):
                if not isinstance(one, Shut):
                    raise one
            else:
                got.append((n, *one))
        return got

    async def _segment(
        self, planner: Planner, plan: Plan, n: int, pieces: Mapping[str, Json]
    ) -> tuple[Json | Proposal, Spent, str]:
        """The findings of one segment, kept or asked for now; what that used up; why to stop."""
        call = plan.calls[n]
        known = pieces.get(call.key)
        if known is not None:
            return known, Spent(), ""
        reply = await self._ask(call)
        used = proposing.spent(reply, self.options.model)
        piece = proposing.segment_piece(reply, planner, plan, used)
        if not isinstance(piece, Proposal):
            self.desk.put(Piece(call.key, piece))
        return piece, used, reply.reason if reply.stop else ""

    async def _ask(self, call: Call) -> Reply:
        async with self.gate:
            reply = await self.client.ask(call.body)
            if reply.stop:
                self.halt()  # before the slot is free for another
            cost = proposing.spent(reply, self.options.model).cost
            self.gate.came(well=reply.message is not None, cost=cost)
            return reply
