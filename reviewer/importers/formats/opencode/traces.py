"""From the sessions of one family (a session and those its `task` calls started) to traces.

What is counted of a child counts in its parent too, as both stand in one place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.opencode.ignored import IGNORED
from reviewer.importers.formats.opencode.session import FORMAT, Session
from reviewer.importers.formats.opencode.steps import Steps
from reviewer.importers.opening.values import as_dict, dumped, span
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes

VERSION = 1


def traces(
    source: Source, family: Sequence[Session], elsewhere: Session | None = None, start: int = 0
) -> Iterator[Imported]:
    """Each session that says anything; `elsewhere` is a parent that is read from a file of its own."""
    known = {session.id: place for place, session in enumerate(family)}
    above = [known.get(one.parent) if one.parent != one.id else None for one in family]
    messages = _summed([len(session.messages) for session in family], above)
    calls = _summed([session.calls() for session in family], above)
    starts: dict[int, dict[str, str]] = {}
    for place, session in enumerate(family):
        if session.messages or session.errors:
            parent = elsewhere if (at := above[place]) is None else family[at]
            if parent is not None and id(parent) not in starts:
                starts[id(parent)] = parent.starts()
            by = (parent.trace_id, starts[id(parent)].get(session.id, "")) if parent else ("", "")
            yield _trace(source, session, (messages[place], calls[place]), by, start + place)


def _summed(counts: Sequence[int], above: Sequence[int | None]) -> list[int]:
    """For each session its own count and those of all it started; in a circle each started all others."""
    sums, waiting = list(counts), [0] * len(counts)
    for parent in above:
        if parent is not None:
            waiting[parent] += 1
    leaves = [place for place, children in enumerate(waiting) if not children]
    for place in leaves:
        parent = above[place]
        if parent is not None:
            sums[parent] += sums[place]
            waiting[parent] -= 1
            if not waiting[parent]:
                leaves.append(parent)
    left = {place for place, children in enumerate(waiting) if children}
    while left:
        circle = [left.pop()]
        while (after := above[circle[-1]]) in left:
            left.discard(after)
            circle.append(after)
        whole = sum(sums[place] for place in circle)
        for place in circle:
            sums[place] = whole
    return sums


def _trace(
    source: Source, session: Session, counts: tuple[int, int], parent: tuple[str, str], place: int
) -> Imported:
    back = session.reverted()
    for _ in back:
        source.warn("a message that was taken back is not shown (it stays in the raw record)")
    steps = Steps(source.warn)
    steps.take(message for message in session.messages if message.id not in back)
    for error, line in session.errors:
        steps.failed(error, line)
    made = steps.drafts.steps()
    task_id, mark = task_of(session.id, source.path.name)
    times = [as_dict(message.info.get("time")) for message in session.messages]
    begun = as_dict(session.info.get("time")).get("created")
    started, seconds = span([begun, *(time.get(key) for time in times for key in ("created", "completed"))])
    info = TraceInfo(
        trace_id=session.trace_id,
        content_hash=digest(session.exported() if session.content is None else session.content),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=place,
        task_id=task_id,
        task=steps.task or next((step.message for step in made if step.source == "user"), ""),
        model=steps.model,
        agent="opencode",
        ended=steps.ended,
        n_messages=counts[0],
        n_tool_calls=counts[1],
        **totals(made),
        started=started,
        seconds=seconds,
        parent_id=parent[0],
        parent_step=parent[1],
        meta=_meta(session) | mark,
    )
    # A message grows in its place: its id is enough to see that a session goes on.
    records = record_hashes([[message.id, message.role] for message in session.messages])
    raw = session.raw or dumped(session.exported())
    return Imported(Trace(info, made, raw, records), ignored=IGNORED)


def _meta(session: Session) -> dict[str, Json]:
    """What the session says of itself, and with which agents it ran."""
    known = {"id", "time", "title", "summary", "revert", "share", "slug", "permission", "parentID"}
    meta = {key: value for key, value in session.info.items() if key not in known and value is not None}
    if session.parent:
        meta["parent_session"] = session.parent
    agents = (message.info.get("agent") or message.info.get("mode") for message in session.messages)
    if named := list(dict.fromkeys(agent for agent in agents if isinstance(agent, str))):
        meta["agents"] = named
    return meta
