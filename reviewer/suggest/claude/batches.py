"""The Message Batches API: many requests handed over at once, answered within a day at half the price.

Sends, looks and fetches through the same client as single requests, with the same bounds. Results are
fetched from the endpoint that the user agreed to, wherever the server says that they are. Knows no store.
"""

from __future__ import annotations

import asyncio
import json
import queue
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

from reviewer.errors import SuggesterStopped
from reviewer.suggest.base import Piece, Proposal
from reviewer.suggest.claude import proposing
from reviewer.suggest.claude.client import Broken, Reply, message_in
from reviewer.suggest.claude.failures import Fault, told
from reviewer.suggest.claude.plan import Call, Plan, Planner
from reviewer.suggest.claude.proposing import Spent
from reviewer.suggest.claude.suggester import Claude
from reviewer.trace import Json

MOST_REQUESTS, MOST_BYTES = 10_000, 24_000_000  # of one batch; the API takes ten times as much
_AHEAD = 200  # results that may wait to be taken
_PAGE, _PAGES = 100, 30  # of the list of all batches
_WINDOW = 2 * 86_400.0  # seconds that the server's clock and ours may be apart
_FETCH = 3600.0  # seconds for all results of a batch
_ID = re.compile(r"[A-Za-z0-9_-]{1,128}\Z")
Processing: TypeAlias = Literal["running", "ended", "gone"]
_LACKING = {
    "expired": "the batch expired before this was answered",
    "canceled": "the batch was cancelled before this was answered",
}


@dataclass(frozen=True, slots=True)
class Looked:
    """How far a batch is; `expires` as the server says it, `settled` how many requests it has a result of."""

    state: Processing
    expires: str = ""
    settled: int = 0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A batch on the server that may be the one that is looked for. `near`: made at about that time."""

    remote: str
    ended: bool
    near: bool


class Gone(SuggesterStopped):
    """The results of a batch are not there, though the batch is."""


class Batches:
    """The batches of one endpoint, for the thread that owns `who`."""

    def __init__(self, who: Claude) -> None:
        self._who = who

    def submit(self, requests: Sequence[tuple[str, Mapping[str, Json]]]) -> Reply:
        """Hand requests over, each with the name by which its answer is known; once, never again."""
        given: Any = [{"custom_id": name, "params": body} for name, body in requests]
        work = self._who.client.through(
            lambda sdk, limit: sdk.messages.batches.with_streaming_response.create(
                requests=given, timeout=limit
            ),
            _batch,
            again=False,
        )
        return self._who.desk.result(work)

    def look(self, remote: str) -> Looked:
        """How far a batch is; `SuggesterStopped` if the server does not tell."""
        work = self._who.client.through(
            lambda sdk, limit: sdk.messages.batches.with_streaming_response.retrieve(remote, timeout=limit),
            _batch,
        )
        reply = self._who.desk.result(work)
        if reply.message is None:
            if "(404)" in reply.reason:
                return Looked("gone")
            raise SuggesterStopped(reply.reason)
        state = reply.message.get("processing_status")
        counts = reply.message.get("request_counts")
        settled = _size({**counts, "processing": 0}) if isinstance(counts, dict) else 0
        expires = told(reply.message.get("expires_at"))
        return Looked("ended" if state == "ended" else "running", expires, settled)

    def alike(self, at: str, size: int) -> tuple[list[Candidate], bool]:
        """The batches of this size, newest first, and whether none that was made about then can be missing.

        The server has a clock of its own: what was made long before our time may still be the one.
        """
        found: list[Candidate] = []
        after: dict[str, str] = {}
        for _ in range(_PAGES):
            rows, last = self._page(after)
            found += [_candidate(one, at) for one in rows if _size(one.get("request_counts")) == size]
            oldest = min((_seconds(one.get("created_at")) for one in rows), default=0.0)
            if not last or not rows or 0 < oldest < _seconds(at) - _WINDOW:
                return found, True
            after = {"after_id": last}
        return found, False

    def _page(self, after: Mapping[str, str]) -> tuple[list[Json], str]:
        """One page of the list of batches, and the name after which the next one begins, if there is one."""
        work = self._who.client.through(
            lambda sdk, limit: sdk.messages.batches.with_streaming_response.list(
                limit=_PAGE, timeout=limit, **after
            ),
            _listed,
        )
        reply = self._who.desk.result(work)
        if reply.message is None:
            raise SuggesterStopped(reply.reason)
        return reply.message["content"], reply.message["last"]

    def results(self, remote: str) -> Iterator[tuple[str, Reply]]:
        """(name, answer) of each request of a batch that has ended, in any order, as they come in."""
        came: queue.SimpleQueue[bytes | BaseException | None] = queue.SimpleQueue()
        self._who.desk.start(self._lines(remote, came))
        while (line := came.get()) is not None:
            if isinstance(line, Broken) and "(404)" in str(line):
                raise Gone("its results are not there (404)")
            if isinstance(line, Broken):
                raise SuggesterStopped(f"the results of batch {remote} broke off: {line}")
            if isinstance(line, BaseException):
                raise line
            found = _result(line)
            if found is not None:
                name, reply = found
                yield name, replace(reply, reason=self._who.client.keyless(reply.reason))

    async def _lines(self, remote: str, came: queue.SimpleQueue[bytes | BaseException | None]) -> None:
        """Puts the lines of the results into `came`, no faster than they are taken."""
        try:
            async for line in self._who.client.lines(lambda sdk, limit: _results(sdk, remote, limit), _FETCH):
                came.put(line)
                while came.qsize() > _AHEAD:
                    await asyncio.sleep(0.02)
            came.put(None)
        except BaseException as error:
            came.put(error)
            if not isinstance(error, Broken):
                raise


def answer(
    planner: Planner, plan: Plan, call: Call, reply: Reply, pieces: Sequence[Json]
) -> Piece | Proposal:
    """What a reply of a batch to this call amounts to; `pieces`: the findings that a verdict goes over."""
    used = proposing.spent(reply, planner.chosen.model, batch=True)
    n = next((n for n, one in enumerate(plan.calls) if one.key == call.key), None)
    if plan.segmented and n is not None:
        piece = proposing.segment_piece(reply, planner, plan, used)
        if not isinstance(piece, Proposal):
            return Piece(call.key, piece)
        why = Proposal(status=piece.status, reason=f"segment {n + 1} of {len(plan.calls)}: {piece.reason}")
        return proposing.complete(why, planner, plan, used, "")
    total = sum((proposing.spent_on(piece) for piece in pieces), Spent()) + used
    noted = [proposing.found_in(piece) for piece in pieces]
    found = proposing.verdict(reply, call, planner, plan, noted)
    return proposing.complete(found, planner, plan, total, reply.request_id)


@asynccontextmanager
async def _results(sdk: Any, remote: str, limit: float) -> AsyncIterator[Any]:
    """The answer with all results, unread. Asked for by path: the SDK would go where the server says."""
    response = await sdk.get(
        f"/v1/messages/batches/{remote}/results",
        cast_to=object,
        options={"headers": {"X-Stainless-Raw-Response": "stream"}, "timeout": limit},
    )
    try:
        yield response
    finally:
        await response.close()


def _batch(data: bytes, headers: Mapping[str, str]) -> Reply | Fault:
    """A batch as the server describes it."""
    value = _json(data)
    if not isinstance(value, dict) or not _ID.match(str(value.get("id", ""))):
        return Reply(reason="the server does not describe a batch", malformed=True)
    return Reply(value, request_id=told(headers.get("request-id")))


def _listed(data: bytes, headers: Mapping[str, str]) -> Reply | Fault:
    value = _json(data)
    rows = value.get("data") if isinstance(value, dict) else None
    if not isinstance(rows, list):
        return Reply(reason="the server does not list its batches", malformed=True)
    good = [one for one in rows if isinstance(one, dict) and _ID.match(str(one.get("id", "")))]
    more = value.get("has_more") is True and bool(good)
    return Reply({"content": good, "last": good[-1]["id"] if more else ""})


def _candidate(one: Mapping[str, Json], at: str) -> Candidate:
    near = abs(_seconds(one.get("created_at")) - _seconds(at)) < _WINDOW
    return Candidate(one["id"], one.get("processing_status") == "ended", near)


def _result(line: bytes) -> tuple[str, Reply] | None:
    """The name and answer in one line of results; None where no request can be recognised."""
    value = _json(line)
    name = value.get("custom_id") if isinstance(value, dict) else None
    if not isinstance(name, str):
        return None
    result = value.get("result")
    kind = result.get("type") if isinstance(result, dict) else None
    if kind == "succeeded":
        found = message_in(result.get("message"))
        return name, found if isinstance(found, Reply) else Reply(reason=found.reason)
    if kind == "errored":
        error = result.get("error")
        inner = error.get("error") if isinstance(error, dict) else None
        said = told(inner.get("message")) if isinstance(inner, dict) else ""
        return name, Reply(reason=f"refused within the batch: {said or 'no reason given'}")
    reason = _LACKING.get(str(kind))
    return name, Reply(reason=reason) if reason else Reply(reason="the answer is no result", malformed=True)


def _json(data: bytes) -> Json:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _size(counts: Json) -> int:
    values = counts.values() if isinstance(counts, dict) else ()
    return sum(value for value in values if isinstance(value, int))


def _seconds(at: Json) -> float:
    try:
        return datetime.fromisoformat(str(at)).timestamp()
    except ValueError:
        return 0.0
