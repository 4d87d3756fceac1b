"""An interactive session cut into one trace a user request (`import --per-request`).

Each trace begins with what went before, folded into one step, and ends with what the user said next: the
nearest thing to a verdict that a session holds. Steps keep their stable ids, so that a session that grows
grows the last of its traces. Knows no format: a request is a user's step that a person typed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from reviewer.counting import count
from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.values import span
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import MARK, SESSION
from reviewer.trace import Json, Step, Trace, digest, headline, record_hashes, renumbered, trace_id

BEFORE, NEXT = "before ", "next "  # what the ids of the two added steps begin with
_LISTED = 40  # earlier steps by their headline; more are counted


class Cutter:
    """Cuts the sessions of an import; a sub-agent's run, in a file of its own too, goes to its request."""

    def __init__(self) -> None:
        # session -> stable id of a step -> the trace it is in now
        self._homes: dict[str, dict[str, str]] = {}

    @property
    def sessions(self) -> list[str]:
        """The ids that the sessions that were cut have as whole traces."""
        return list(self._homes)

    def __call__(self, traces: Iterator[Imported], source: Source) -> Iterator[Imported]:
        """The traces of a file, sessions cut; one that is no session (one request, not growing) stays."""
        for imported in traces:
            info, grows = imported.trace.info, bool(imported.trace.records)
            starts = requests(imported.trace.steps)
            if info.parent_id:
                yield _rehomed(imported, self._homes.get(info.parent_id, {}))
            elif grows and not starts:
                source.warn("a session in which nobody asked for anything yet is left out")
            elif len(starts) < 2 and not grows:
                yield imported
            else:
                yield from self._requests(imported, starts, source)

    def _requests(self, session: Imported, starts: Sequence[int], source: Source) -> Iterator[Imported]:
        if session.outcomes or session.labels:
            source.warn("what is said of a whole session (outcome, label) belongs to none of its requests")
        home = self._homes.setdefault(session.trace.info.trace_id, {})
        for number, first in enumerate(starts):
            until = starts[number + 1] if number + 1 < len(starts) else None
            one = _request(session, number, first, until)
            begin = 0 if not number else first
            home |= {step.stable_id: one.trace.info.trace_id for step in session.trace.steps[begin:until]}
            yield one


def requests(steps: Sequence[Step]) -> list[int]:
    """Where the requests of a person begin."""
    return [
        index
        for index, step in enumerate(steps)
        if step.source == "user" and not step.kind and step.message.strip()
    ]


def _rehomed(child: Imported, home: dict[str, str]) -> Imported:
    """A sub-agent's run on the request that started it."""
    info = child.trace.info
    parent = home.get(info.parent_step) or next(iter(home.values()), info.parent_id)
    return replace(child, trace=replace(child.trace, info=replace(info, parent_id=parent)))


def _request(session: Imported, number: int, first: int, until: int | None) -> Imported:
    whole = session.trace
    own = whole.steps[first:until] if number else whole.steps[:until]
    request = whole.steps[first]
    steps = list(own)
    if number:
        steps.insert(0, _before(whole.steps[:first], request))
    if until is not None:
        steps.append(_after(whole.steps[until]))
    steps = list(renumbered(tuple(_numbered(step) for step in steps)))
    ids = [name for step in own for name in step.source_ids]
    said = [ids, [whole.steps[until].stable_id] if until is not None else []]
    started, seconds = span(step.at for step in own if step.at)
    info = whole.info
    about = {
        "trace_id": trace_id([info.trace_id, request.stable_id]),
        "content_hash": digest([info.trace_id, [_essence(step) for step in steps]]),
        "task": request.message,
        "task_id": f"{info.task_id}#{number + 1}" if info.task_id else f"#{number + 1}",
        "ended": info.ended if until is None else "unknown",
        "n_messages": len(set(ids)),
        "n_tool_calls": sum(len(step.calls) for step in own),
        "started": started or info.started,
        "seconds": seconds,
        "meta": {**info.meta, MARK: SESSION, "session": info.trace_id, "request": number + 1},
        **totals(tuple(steps)),
    }
    records = record_hashes([*said[0], *said[1]])
    raw = _raw(whole.raw, {*said[0], *said[1]})
    return Imported(Trace(replace(info, **about), tuple(steps), raw, records), ignored=session.ignored)


def _numbered(step: Step) -> Step:
    return step if step.number else replace(step, number=str(step.n))


def _before(steps: Sequence[Step], request: Step) -> Step:
    """One step for all that went before."""
    asked = len(requests(steps))
    head = f"Before this request: {count(len(steps), 'step')}, {count(asked, 'request')} of the user."
    shown = steps[-_LISTED:]
    hidden = len(steps) - len(shown)
    lines = [f"{step.n}  {step.source}: {headline(step)}" for step in shown]
    text = "\n".join(
        (head, "", *([f"(not listed: {count(hidden, 'earlier step')})"] if hidden else []), *lines)
    )
    name = BEFORE + request.stable_id
    return Step(0, "system", text, source_ids=(name,), kind="notice", number=f"{steps[0].n}–{steps[-1].n}")


def _after(request: Step) -> Step:
    """What the user said next, which is no part of this request."""
    text = f"The user said next:\n\n{request.message}"
    name = NEXT + request.stable_id
    return Step(0, "user", text, source_ids=(name,), kind="notice", at=request.at, number=str(request.n))


def _essence(step: Step) -> Json:
    calls = [[call.name, call.arguments, call.id] for call in step.calls]
    results = [[one.content, one.call_id, one.error, one.denied, one.exit_code] for one in step.results]
    return [list(step.source_ids), step.source, step.kind, step.message, step.reasoning, calls, results]


def _raw(text: str, ids: set[str]) -> str:
    """The records of the request out of a session that is a list of them; else the whole source."""
    try:
        rows: Any = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return text
    if not isinstance(rows, list):
        return text
    own = [row for index, row in enumerate(rows) if _names(row, index) & ids]
    return json.dumps(own) if own else text


def _names(row: Json, index: int) -> set[str]:
    found = {f"#{index}"}
    if isinstance(row, dict):
        inner = [
            row,
            *(value for value in (row.get("payload"), row.get("message")) if isinstance(value, dict)),
        ]
        found |= {one[key] for one in inner for key in ("uuid", "id") if isinstance(one.get(key), str)}
    return found
