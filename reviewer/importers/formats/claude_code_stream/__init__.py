"""What Claude Code and its Agent SDK print with `--output-format stream-json` (or `json`).

A session is one trace; rows that name a call as their parent are sub-agents: children that follow it and
count in it too. The deltas of a message are left out, for the message follows whole. The prompt is there
only where the program was made to repeat it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, NotATrace, Source
from reviewer.importers.formats.claude_code.rows import Row
from reviewer.importers.formats.claude_code.steps import tokens_in
from reviewer.importers.formats.claude_code.told import ended_of, model_of, usage_of
from reviewer.importers.formats.claude_code_stream.ignored import IGNORED
from reviewer.importers.formats.claude_code_stream.stream import Stream
from reviewer.importers.opening.values import as_dict, as_float, as_int, as_list, as_str, dumped, span, total
from reviewer.importers.shapes.content import calls_in
from reviewer.importers.shapes.records import Record, objects
from reviewer.importers.shapes.sessions import session_content, session_raw, session_rows
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import MARK, SESSION, task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "claude_code_stream"
ABOUT = "What `claude -p --output-format stream-json` and the Agent SDK print (wherever you logged it)"
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()  # a stream holds nothing that a grader wrote
SETTINGS = ("cwd", "claude_code_version", "permissionMode", "agents")


@dataclass(slots=True)
class Run:
    """The rows of one session in the file, each with the record it was read from."""

    rows: list[Row] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    @property
    def session(self) -> str:
        return next((name for row in self.rows if (name := as_str(row.value.get("session_id")))), "")

    @property
    def spoken(self) -> bool:
        return any(row.talk or row.kind == "result" for row in self.rows)


def sniff(source: Source) -> bool:
    """A row that opens a session, closes it, or names the call it belongs to."""
    return any(_telling(row) for row in objects(source, 40))


def _telling(row: dict[str, Any]) -> bool:
    kind, named = as_str(row.get("type")), isinstance(row.get("session_id"), str)
    if kind == "system":
        return named and row.get("subtype") == "init" and "sessionId" not in row
    if kind == "result":
        return isinstance(row.get("subtype"), str) and (named or "is_error" in row)
    return (
        kind in ("user", "assistant", "stream_event")
        and "parent_tool_use_id" in row
        and "sessionId" not in row
    )


def read(source: Source) -> Iterator[Imported]:
    """Each session of the file with its sub-agents."""
    source.hold()  # a session is a whole
    runs = _runs(source)
    if not runs:
        raise InputError(f"{source.path}: no session of Claude Code in it")
    spoken = [run for run in runs if run.spoken]
    if not spoken:  # a trace of it would not be the one that the stream becomes
        raise NotATrace(f"{source.path}: a stream of Claude Code without a message yet, not a trace")
    for run in runs:
        if not run.spoken:
            source.warn("a session without a message yet is passed over", run.rows[0].line)
    index = 0
    for run in spoken:
        for imported in _session(source, run, index, alone=len(runs) == 1):
            yield imported
            index += 1


def _runs(source: Source) -> list[Run]:
    """The sessions of the file in order; a row twice in it counts once."""
    runs: dict[str, Run] = {}
    latest = Run()
    seen: set[str] = set()
    for record in session_rows(source):
        row = Row(record.index, record.line, record.raw, record.value)
        if row.uuid and row.uuid in seen:
            source.warn("duplicate row: its uuid stood in the file already, the first one counts", row.line)
            continue
        seen.add(row.uuid)
        session = as_str(row.value.get("session_id"))
        if session and session not in runs:
            runs[session] = latest if latest.rows and not latest.session else Run()
        latest = runs.get(session, latest)
        latest.rows.append(row)
        latest.records.append(record)
    return list(runs.values()) or ([latest] if latest.rows else [])


def _session(source: Source, run: Run, index: int, alone: bool) -> Iterator[Imported]:
    groups: dict[str, list[Row]] = {}
    for row in run.rows:
        groups.setdefault(as_str(row.value.get("parent_tool_use_id")) if row.talk else "", []).append(row)
    main = groups.pop("", [])
    top = Stream(source.warn)
    top.take(main)
    parent = _trace(source, run, run.rows, top, index, alone=alone)
    yield parent
    made = [(top, parent.trace.info.trace_id)]
    for count, (call_id, rows) in enumerate(groups.items(), 1):
        stream = Stream(source.warn)
        stream.take(rows)
        above = ((step, parent_id) for other, parent_id in made if (step := other.step_of(call_id)))
        step, parent_id = next(above, ("", parent.trace.info.trace_id))
        link = {"parent_id": parent_id, "parent_step": step}
        child = _trace(source, run, rows, stream, index + count, link, call_id)
        made.append((stream, child.trace.info.trace_id))
        yield child


def _trace(
    source: Source,
    run: Run,
    rows: Sequence[Row],
    stream: Stream,
    index: int,
    link: dict[str, str] | None = None,
    agent_id: str = "",
    alone: bool = False,
) -> Imported:
    """One trace: the whole session, or (with a `link`) one of its sub-agents."""
    talk = [row for row in rows if row.talk]
    first = talk[0] if talk else rows[0]
    steps = stream.steps()
    started, seconds = span(row.value.get("timestamp") for row in talk)
    usage = usage_of(talk)
    told: dict[str, Any] = {
        "tokens_in": total(tokens_in(item) for item in usage),
        "tokens_out": total(as_int(item.get("output_tokens")) for item in usage),
        "ended": ended_of(stream.talk),
        "seconds": seconds,
        "meta": {MARK: SESSION, "agent_id": agent_id} if link else _meta(run, stream),
    }
    if stream.results and not link:
        told |= _result(stream.results)
    task_id, mark = task_of(run.session, source.path.name)
    content: Json = session_content(source) if alone else [row.value for row in rows]
    info = TraceInfo(
        trace_id=trace_id([FORMAT, run.session, agent_id, first.value]),
        content_hash=digest(content),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=index,
        task_id=task_id,
        task=stream.talk.task or next((step.message for step in steps if step.source == "user"), ""),
        model=_named(run, stream, link) or model_of(talk),
        agent="claude-code",
        n_messages=len(talk),
        n_tool_calls=sum(
            len(calls_in(row.message.get("content"))) for row in talk if row.kind == "assistant"
        ),
        started=started,
        **totals(steps) | told | {"meta": told["meta"] | mark} | (link or {}),
    )
    raw = (
        session_raw(source)
        if alone
        else "[" + ",\n".join(row.text or dumped(row.value) for row in rows) + "]"
    )
    return Imported(Trace(info, steps, raw, record_hashes([row.value for row in rows])), ignored=IGNORED)


def _named(run: Run, stream: Stream, link: dict[str, str] | None) -> str:
    """The model of the session, as it said at its start; a sub-agent has its own."""
    return "" if link else as_str(stream.init.get("model"))


def _result(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the session says of itself at its end: time and tokens of each turn, the cost of all."""
    usages = [usage for result in results if (usage := as_dict(result.get("usage")))]
    times = [ms for result in results if (ms := as_float(result.get("duration_ms"))) is not None]
    costs = [cost for result in results if (cost := as_float(result.get("total_cost_usd"))) is not None]
    told: dict[str, Any] = {"ended": Stream.ended(results[-1])}
    if usages:
        told["tokens_in"] = total(tokens_in(usage) for usage in usages)
        told["tokens_out"] = total(as_int(usage.get("output_tokens")) for usage in usages)
    if times:
        told["seconds"] = round(sum(times) / 1000, 3)
    if costs:
        told["cost"] = costs[-1]
    return told


def _meta(run: Run, stream: Stream) -> dict[str, Json]:
    meta = {key: stream.init[key] for key in SETTINGS if stream.init.get(key)}
    last = stream.results[-1] if stream.results else {}
    for key in ("subtype", "is_error", "num_turns", "terminal_reason", "errors"):
        if last.get(key) not in (None, "", []):
            meta[key] = last[key]
    if as_list(last.get("permission_denials")):
        meta["permission_denials"] = len(last["permission_denials"])
    return meta
