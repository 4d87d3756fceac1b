"""Claude Code session files (`~/.claude/projects/…/<session>.jsonl`), sub-agents inside them included.

A session is one trace. Sub-agents whose rows stand in the same file (`isSidechain`) are child traces
that follow it; their messages and calls count in the parent too. A file of sub-agent rows only is a
child of its session where that one's file lies near it, else a trace of its own. Session files grow: the
identity is where they began.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.claude_code.agents import (
    identity,
    parent_of,
    starts,
    step_of_call,
    told_agents,
)
from reviewer.importers.formats.claude_code.ignored import IGNORED, QUIET_ROWS
from reviewer.importers.formats.claude_code.rows import Row, path, rows, sidechains
from reviewer.importers.formats.claude_code.steps import LOCAL, Steps, tokens_in
from reviewer.importers.formats.claude_code.told import ended_of, model_of, usage_of
from reviewer.importers.opening.values import as_dict, as_float, as_int, as_str, dumped, span, total
from reviewer.importers.shapes.content import calls_in
from reviewer.importers.shapes.records import objects
from reviewer.importers.shapes.sessions import session_content, session_raw
from reviewer.importers.shapes.task_ids import MARK, SESSION, task_of
from reviewer.trace import Trace, TraceInfo, digest, record_hashes

FORMAT = "claude_code"
ABOUT = "Claude Code sessions with their sub-agents (`~/.claude/projects/<folder>/<session>.jsonl`)"
VERSION = 2
GRADER_FIELDS: tuple[str, ...] = ()  # a session holds nothing that a grader wrote


def sniff(source: Source) -> bool:
    """Rows of type user or assistant with a message, and none of the marks of its relatives."""
    value = source.value
    if isinstance(value, dict) and isinstance(value.get("loglines"), list):
        return True
    talk = typed = False
    for index, row in enumerate(objects(source, 5000)):
        if _relative(row) or (index == 200 and not typed):
            return False
        typed = typed or "type" in row
        talk = talk or (row.get("type") in ("user", "assistant") and _messages(row))
    return talk


def _messages(row: dict[str, Any]) -> bool:
    message = row.get("message")
    return isinstance(message, dict) and "content" in message


def _relative(row: dict[str, Any]) -> bool:
    """Whether the row is of stream-json, Qwen or iFlow, which share the skeleton."""
    stream = row.get("type") == "system" and row.get("subtype") == "init" and "session_id" in row
    stream = stream or "parent_tool_use_id" in row or (row.get("type") == "result" and "subtype" in row)
    message = as_dict(row.get("message"))
    iflow = as_str(row.get("sessionId")).startswith("session-") or as_str(message.get("id")).startswith(
        "response-"
    )
    return stream or iflow or "parts" in message or "systemPayload" in row


def read(source: Source) -> Iterator[Imported]:
    """The session, then the sub-agents in it."""
    source.hold()  # a session is a whole
    every = rows(source)
    _name_unknown(source, every)
    main = [row for row in every if not row.sidechain]
    if not any(row.talk for row in every):
        raise InputError(f"{source.path}: a Claude Code session without a message")
    if not any(row.talk for row in main):
        yield _trace(source, every, every, Steps(source.warn), parent_of(source.path, every), whole=True)
        return
    steps = Steps(source.warn)
    parent = _trace(source, every, main, steps)
    yield parent
    groups = sidechains(every)
    told = told_agents(source.path, every, groups)
    begun = [*starts(steps, main, groups), *(step_of_call(steps, agent.call_id) for agent in told)]
    for index, group in enumerate([*groups, *(agent.rows for agent in told)], 1):
        link = {
            "parent_id": parent.trace.info.trace_id,
            "parent_step": begun[index - 1],
            "source_index": index,
        }
        yield _trace(source, group, group, Steps(source.warn), link)


def _name_unknown(source: Source, every: Sequence[Row]) -> None:
    known = {"user", "assistant", "system", "attachment", *QUIET_ROWS}
    for row in every:
        if row.kind not in known:
            source.warn(
                f"unknown row type {row.kind[:80]!r} is not shown (it stays in the raw record)", row.line
            )


def _trace(
    source: Source,
    every: Sequence[Row],
    own: Sequence[Row],
    steps: Steps,
    link: dict[str, Any] | None = None,
    *,
    whole: bool = False,
) -> Imported:
    """One trace: `every` row counts, `own` rows make the steps; `link` ties a sub-agent to its parent.

    A trace without a link is the `whole` file, and so is a sub-agent that has a file of its own.
    """
    whole = whole or not link
    talk = [row for row in every if row.talk]
    shown = [row for row in own if row.talk or row.kind in ("system", "attachment")]
    kept = path(shown, own)
    lost = sum(row.talk for row in shown) - sum(row.talk for row in kept)
    for _ in range(lost):
        source.warn(
            "a message of an abandoned branch (before a rewind) is not shown (it stays in the raw record)"
        )
    steps.take(kept)
    made = steps.drafts.steps()
    first = talk[0]
    agent_id = as_str(first.value.get("agentId"))
    started, seconds = span(row.value.get("timestamp") for row in talk)
    usage = usage_of(talk)
    content = session_content(source) if whole else [row.value for row in every]
    costs = [cost for row in talk if (cost := as_float(row.value.get("costUSD"))) is not None]
    named = next((row.session for row in reversed(talk) if row.session), "")
    task_id, mark = task_of(named, source.path.name)
    info = TraceInfo(
        trace_id=identity(first),
        content_hash=digest(content),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        task_id=task_id,
        task=steps.task or _commanded(steps),
        model=model_of(own) or model_of(every),
        agent="claude-code",
        ended=ended_of(steps),
        n_steps=len(made),
        n_messages=len(talk),
        n_tool_calls=sum(
            len(calls_in(row.message.get("content"))) for row in talk if row.kind == "assistant"
        ),
        n_errors=sum(step.error for step in made),
        tokens_in=total(tokens_in(item) for item in usage),
        tokens_out=total(as_int(item.get("output_tokens")) for item in usage),
        cost=sum(costs) if costs else None,
        started=started,
        seconds=seconds,
        meta=_meta(every, agent_id) | mark,
        **(link or {}),
    )
    raw = _raw(source, None if whole else every)
    return Imported(Trace(info, made, raw, record_hashes([row.value for row in talk])), ignored=IGNORED)


def _commanded(steps: Steps) -> str:
    """What the agent answered where no person typed a request: a command, a summary, a hook."""
    drafts = steps.drafts.all
    if not any(draft.source == "agent" for draft in drafts):
        return ""
    given = (draft.message for draft in drafts if draft.source == "user")
    return next((text for text in given if text and not text.lstrip().startswith(LOCAL)), "")


def _meta(every: Sequence[Row], agent_id: str) -> dict[str, Any]:
    """Where and with what the session ran, from the first row that says it."""
    meta: dict[str, Any] = {}
    for key in ("cwd", "version", "gitBranch", "entrypoint", "attributionAgent"):
        value = next((row.value[key] for row in every if row.value.get(key)), None)
        if value:
            meta[key] = value
    sessions = list(dict.fromkeys(row.session for row in every if row.session))
    if sessions:
        meta["sessions"] = sessions
    if agent_id or all(row.sidechain for row in every if row.talk):
        meta["agent_id"] = agent_id
        meta["parent_session"] = sessions[0] if sessions else ""
        meta[MARK] = SESSION  # which the sub-agents of one session share, each with a task of its own
    return meta


def _raw(source: Source, only: Sequence[Row] | None) -> str:
    """The rows as they stand in the file; a line that is no JSON as a JSON text."""
    if only is None:
        return session_raw(source)
    return "[" + ",\n".join(row.text or dumped(row.value) for row in only) + "]"
