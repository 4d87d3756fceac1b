"""Sub-agents of Claude Code: who started them, where their rows are, and which id a conversation has.

Their rows stand in the session (until 1.0), in a file of their own beside it (2.0) or in its folder (2.1);
where that file is gone, the session's rows of progress still tell what they said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.formats.claude_code.rows import Row, rows, sidechains
from reviewer.importers.formats.claude_code.steps import Steps, calls_of
from reviewer.importers.opening.beside import plain_name, read_beside, regular
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.values import as_dict, as_str
from reviewer.importers.shapes.drafts import Draft
from reviewer.trace import ToolCall, trace_id

FORMAT = "claude_code"


def identity(first: Row) -> str:
    """The id of a conversation that begins with the row `first`: session, agent, and that row."""
    return trace_id([FORMAT, first.session, as_str(first.value.get("agentId")), first.value])


@dataclass(slots=True)
class Agent:
    """A sub-agent of which only the session's progress tells: the call that started it, its rows."""

    call_id: str
    rows: list[Row] = field(default_factory=list)


def told_agents(path: Path, every: Sequence[Row], groups: Sequence[Sequence[Row]]) -> list[Agent]:
    """The sub-agents that have neither rows of their own in the session nor a file near it."""
    known = {as_str(row.value.get("agentId")) for group in groups for row in group}
    found: dict[str, Agent] = {}
    seen: set[str] = set()
    for row in every:
        data = as_dict(row.value.get("data")) if row.kind == "progress" else {}
        message, agent = as_dict(data.get("message")), as_str(data.get("agentId"))
        if data.get("type") != "agent_progress" or not agent or agent in known or not message:
            continue
        value = {"sessionId": row.session, **message, "agentId": agent, "isSidechain": True}
        told = Row(row.index, row.line, row.text, value)
        if told.talk and (not told.uuid or told.uuid not in seen):
            seen.add(told.uuid)
            call_id = as_str(row.value.get("parentToolUseID"))
            found.setdefault(agent, Agent(call_id)).rows.append(told)
    return [told for agent, told in found.items() if not _has_file(path, agent)]


def _has_file(path: Path, agent: str) -> bool:
    """Whether the sub-agent's own file lies beside the session or in its folder."""
    if not plain_name(agent):
        return False
    name = f"agent-{agent}.jsonl"
    return any(map(regular, (path.with_name(name), path.with_suffix("") / "subagents" / name)))


def step_of_call(steps: Steps, call_id: str) -> str:
    """The stable id of the step that made a call, or ""."""
    made = (draft for draft in steps.drafts.all if any(call.id == call_id for call in draft.calls))
    found = next(made, None) if call_id else None
    return found.ids[0] if found else ""


def parent_of(path: Path, own: Sequence[Row]) -> dict[str, Any]:
    """The session of a sub-agent that has a file of its own, and the step that started it, if near."""
    first = next(row for row in own if row.talk)
    for near in _sessions(path, first.session):
        stat = regular(near)
        try:
            if stat is None or near.resolve() == path.resolve():
                continue
        except (OSError, RuntimeError):  # a link that leads to itself
            continue
        if parent := _parent(near, (stat.st_mtime_ns, stat.st_size)):
            started = _start_of_file(parent.steps, parent.every, parent.main, first)
            return {"parent_id": parent.id, "parent_step": started}
    return {}


@dataclass(frozen=True, slots=True)
class Parent:
    """A session that started sub-agents: its id, its rows, those of its own conversation, its steps."""

    id: str
    every: Sequence[Row]
    main: Sequence[Row]
    steps: Steps


@lru_cache(maxsize=1)  # a session may have hundreds of sub-agents, whose files follow each other
def _parent(near: Path, changed: tuple[int, int]) -> Parent | None:
    """The session in a file, as it was when it last changed."""
    try:
        if not (data := read_beside(near)):
            return None
        source = decode(near, data)
    except InputError:
        return None
    source.hold()
    every = rows(source)
    main = [row for row in every if not row.sidechain]
    begin = next((row for row in every if row.talk), None)
    if begin is None or not any(row.talk for row in main):
        return None
    steps = Steps(source.warn)
    steps.take(row for row in main if row.talk)
    return Parent(identity(begin), every, main, steps)


def _sessions(path: Path, session: str) -> Iterator[Path]:
    """Where the session can lie: beside the file, or beside the folder that holds all it started."""
    if plain_name(session):
        yield path.with_name(f"{session}.jsonl")
    for folder in path.absolute().parents:
        if folder.name == "subagents" and folder.parent.name:
            yield folder.parent.with_name(f"{folder.parent.name}.jsonl")
            return


def _start_of_file(steps: Steps, every: Sequence[Row], main: Sequence[Row], first: Row) -> str:
    """The step that started a sub-agent: by its id in a result or in progress, else by its prompt."""
    agent = as_str(first.value.get("agentId"))
    for row in every:
        data = as_dict(row.value.get("data"))
        if agent and data.get("agentId") == agent:
            found = step_of_call(steps, as_str(row.value.get("parentToolUseID")))
            if found:
                return found
    calls = calls_of(steps.drafts.all, ("Task", "Agent"))
    results = _results(main)
    known = {results.get(agent or "-", "")} - {""}
    prompt = first.message.get("content")
    sure = [pair for pair in calls if known & set(pair[0].ids)]
    sure += [pair for pair in calls if prompt and as_dict(pair[1].arguments).get("prompt") == prompt]
    if not sure and len(calls) == 1 and not sidechains(every):
        sure = calls
    return sure[0][0].ids[0] if sure else ""


def _results(main: Sequence[Row]) -> dict[str, str]:
    """The rows in which sub-agents came back, by the id of the agent."""
    return {as_str(as_dict(row.value.get("toolUseResult")).get("agentId")): row.id for row in main}


def starts(steps: Steps, main: Sequence[Row], groups: Sequence[Sequence[Row]]) -> list[str]:
    """For each sub-agent the stable id of the step that started it, or ""."""
    results = _results(main)
    calls = calls_of(steps.drafts.all, ("Task", "Agent"))
    found: list[str] = []
    for group in groups:
        match = _start(group, calls, results)
        if match is not None:
            calls.remove(match)
        found.append(match[0].ids[0] if match else "")
    return found


def _start(
    group: Sequence[Row], calls: Sequence[tuple[Draft, ToolCall]], results: dict[str, str]
) -> tuple[Draft, ToolCall] | None:
    """The call that started a sub-agent: by its parent row or agent id, by its prompt, else the next one."""
    prompt = next((row.message.get("content") for row in group if row.kind == "user"), None)
    known = {group[0].parent, results.get(as_str(group[0].value.get("agentId")) or "-", "")} - {""}
    by_prompt = [pair for pair in calls if prompt and as_dict(pair[1].arguments).get("prompt") == prompt]
    by_row = [pair for pair in calls if known & set(pair[0].ids)]
    both = [pair for pair in by_row if pair in by_prompt]
    return next(iter([*both, *by_row, *by_prompt, *calls]), None)
