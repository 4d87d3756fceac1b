"""The events of a Copilot session as traces: the session, then the sub-agents whose events stand in it."""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.copilot_cli.events import Steps
from reviewer.importers.formats.copilot_cli.ignored import OF_EVENTS
from reviewer.importers.formats.copilot_cli.rows import Event
from reviewer.importers.opening.values import (
    as_dict,
    as_id,
    as_int,
    as_list,
    as_str,
    dumped,
    kind_of,
    span,
    total,
)
from reviewer.importers.shapes.records import objects, rows
from reviewer.importers.shapes.spans.span import first
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import MARK, SESSION, task_of
from reviewer.trace import Ended, Json, Trace, TraceInfo, digest, record_hashes, trace_id

TALK = ("user.message", "assistant.message")
MARKS = {*TALK, "session.start", "session.resume", "tool.execution_start", "tool.execution_complete",
         "assistant.turn_start", "session.shutdown", "session.model_change"}  # fmt: skip


def sniff(source: Source) -> bool:
    """Events of the session's kinds, each with its data."""
    return any(
        as_str(row.get("type")) in MARKS and isinstance(row.get("data"), dict) for row in objects(source, 20)
    )


def read(source: Source, name: str, version: int) -> Iterator[Imported]:
    """The session, then its sub-agents."""
    source.hold()
    every = _events(source)
    owners = _owners(every)
    main = [event for event in every if not owners[event.index]]
    session = first(
        as_str(event.data.get("sessionId")) for event in every if event.kind.startswith("session.")
    )
    session = session or first(as_str(event.value.get("sessionId")) for event in every)
    steps = Steps(source.warn)
    for event in main:
        steps.take(event)
    calls = {call.id: draft.ids[0] for draft in steps.drafts.all for call in draft.calls}
    run = Run(source, name, version, session, every)
    parent = run.imported(steps, every, 0, {})
    yield parent
    for index, owner in enumerate(dict.fromkeys(filter(None, owners.values())), 1):
        own = [event for event in every if owners[event.index] == owner]
        if not any(event.kind in (*TALK, "tool.execution_start") for event in own):
            continue
        child = Steps(source.warn)
        for event in own:
            child.take(event)
        link = {"parent_id": parent.trace.info.trace_id, "parent_step": calls.get(owner, "")}
        yield run.imported(child, own, index, link, owner)


def _events(source: Source) -> list[Event]:
    found: list[Event] = []
    seen: set[str] = set()
    for index, (line, value, text) in enumerate(rows(source) if not isinstance(source.value, dict) else
                                                [(0, source.value, source.text)]):  # fmt: skip
        if not isinstance(value, dict):
            source.warn(f"a row that is {kind_of(value)}, not an object, is not shown", line)
            continue
        event = Event(index, line, text, value)
        if as_id(value.get("id")) in seen:
            source.warn("duplicate event: its id stood in the file already, the first one counts", line)
            continue
        seen |= {as_id(value.get("id"))} - {""}
        found.append(event)
    return found


def _owners(every: list[Event]) -> dict[int, str]:
    """For each event the call of the sub-agent it belongs to, "" for the session's own."""
    started = {
        as_str(event.value.get("agentId")): as_id(event.data.get("toolCallId"))
        for event in every
        if event.kind == "subagent.started" and event.value.get("agentId")
    }
    owners: dict[int, str] = {}
    for event in every:
        agent = as_str(event.value.get("agentId"))
        owner = as_id(event.data.get("parentToolCallId")) or started.get(agent, "") or agent
        owners[event.index] = "" if event.kind.startswith("subagent.") else owner
    return owners


class Run:
    """What the traces of one file share."""

    def __init__(self, source: Source, name: str, version: int, session: str, every: list[Event]) -> None:
        self.source, self.name, self.version, self.session, self.every = source, name, version, session, every

    def imported(
        self, steps: Steps, own: list[Event], index: int, link: dict[str, str], owner: str = ""
    ) -> Imported:
        """One trace: `own` are the events that count."""
        made = steps.drafts.steps()
        talk = [event for event in own if event.kind in TALK]
        begin = (talk or own)[0].value if own else {}
        values = [event.value for event in own]
        task_id, mark = task_of(self.session, self.source.path.name)
        if link:
            mark = {**mark, MARK: SESSION}
        started, seconds = span(event.value.get("timestamp") for event in own)
        sums = totals(made)
        if not link:
            sums |= {key: item for key, item in _tokens(own).items() if item is not None}
        requests = sum(len(as_list(event.data.get("toolRequests"))) for event in talk)
        runs = sum(event.kind == "tool.execution_start" for event in own)
        info = TraceInfo(
            trace_id=trace_id([self.name, self.session, owner, begin]),
            content_hash=digest(values if link else self._content()),
            format=self.name,
            importer=self.version,
            source_path=str(self.source.path),
            source_index=index,
            task_id=task_id,
            task=steps.task or self._asked(owner),
            model=steps.model or self._model(own),
            agent=first((self._agent(owner), "copilot-cli")),
            ended=self._ended(steps, own),
            n_messages=len(talk),
            n_tool_calls=requests or runs,
            **sums,
            started=started,
            seconds=seconds,
            meta=steps.meta | ({"agent_id": owner} if owner else {}) | mark,
            parent_id=link.get("parent_id", ""),
            parent_step=link.get("parent_step", ""),
        )
        raw = self._raw(own if link else None)
        return Imported(Trace(info, made, raw, record_hashes(values)), ignored=OF_EVENTS)

    def _content(self) -> list[Json]:
        if self.source.is_json:
            return [self.source.value]
        return [line.text if line.bad else line.value for line in self.source.lines]

    def _asked(self, owner: str) -> str:
        """What a sub-agent was asked: the prompt in the call that started it."""
        for event in self.every:
            for request in as_list(event.data.get("toolRequests")) if owner else []:
                given = as_dict(as_dict(request).get("arguments"))
                if as_id(as_dict(request).get("toolCallId")) == owner:
                    return first(as_str(given.get(key)) for key in ("prompt", "task", "description"))
        return ""

    def _agent(self, owner: str) -> str:
        named = (e.data for e in self.every if owner and e.kind == "subagent.started")
        return first(
            as_str(data.get("agentName")) for data in named if as_id(data.get("toolCallId")) == owner
        )

    @staticmethod
    def _model(own: list[Event]) -> str:
        """The model that only the end of the session names."""
        ends = [event.data for event in own if event.kind == "session.shutdown"]
        named = first(as_str(data.get("currentModel")) for data in ends)
        return named or first(key for data in ends for key in as_dict(data.get("modelMetrics")))

    @staticmethod
    def _ended(steps: Steps, own: list[Event]) -> Ended:
        if steps.ended == "unknown" and any(
            event.kind == "session.shutdown" and event.data.get("shutdownType") == "error" for event in own
        ):
            return "error"
        return steps.ended

    def _raw(self, only: list[Event] | None) -> str:
        if only is not None:
            return "[" + ",\n".join(event.text or dumped(event.value) for event in only) + "]"
        if self.source.is_json:
            return self.source.text.strip(" \t\r\n")
        texts = [dumped(line.text) if line.bad else line.text for line in self.source.lines]
        return "[" + ",\n".join(texts) + "]"


def _tokens(own: list[Event]) -> dict[str, int | None]:
    """The tokens of the whole session, which each end of it counts since the last start."""
    usage = [
        as_dict(as_dict(metrics).get("usage"))
        for event in own
        if event.kind == "session.shutdown"
        for metrics in as_dict(event.data.get("modelMetrics")).values()
    ]
    return {
        "tokens_in": total(as_int(item.get("inputTokens")) for item in usage),
        "tokens_out": total(as_int(item.get("outputTokens")) for item in usage),
    }
