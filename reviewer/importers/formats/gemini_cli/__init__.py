"""Gemini CLI chats: one JSON object until about version 0.39, a log of updates (JSON Lines) since.

A chat is one trace; a sub-agent has a file of its own (`kind: subagent`) in a folder named after the
session that started it. The identity is the session and what stands first in it; both grow at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.importers.base import Imported, NotATrace, Source
from reviewer.importers.formats.gemini_cli.log import Chat, Message, folded
from reviewer.importers.formats.gemini_cli.steps import AGENT, NOTICES, Steps
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, span
from reviewer.importers.shapes.records import objects
from reviewer.importers.shapes.sessions import session_content, session_raw
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "gemini_cli"
ABOUT = "Gemini CLI chats with their sub-agents (`~/.gemini/tmp/<project>/chats/session-*.json`, `.jsonl`)"
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()  # a chat holds nothing that a grader wrote

_MESSAGE = {
    "timestamp": "the step has the time of its message; the last one ends the trace",
    "displayContent": "what was typed, shown where it differs from what was sent",
    "tokens.cached": "part of the input",
    "tokens.total": "the sum of the others",
    "thoughts[].timestamp": "of a thought inside the step",
    "content[].thoughtSignature": "proves a thought to the provider",
    "toolCalls[].timestamp": "of a call inside the step",
    "toolCalls[].displayName": "a name of the tool for the terminal",
    "toolCalls[].description": "a line about the call for the terminal",
    "toolCalls[].renderOutputAsMarkdown": "how the terminal shows the result",
    "toolCalls[].resultDisplay": "what the terminal showed of the result; shown where there is no other",
    "toolCalls[].status": "read when it says error or cancelled",
    "toolCalls[].result[].functionResponse.id": "repeats the id of the call",
    "toolCalls[].result[].functionResponse.name": "repeats the name of the tool",
}
IGNORED = {
    "lastUpdated": "the last message says when",
    "$set.lastUpdated": "the last message says when",
    "summary": "a title for the list of sessions",
    "$set.summary": "a title for the list of sessions",
    "memoryScratchpad": "notes of the program about the session",
    "$set.memoryScratchpad": "notes of the program about the session",
    **{f"{at}{key}": why for at in ("*.", "messages[].") for key, why in _MESSAGE.items()},
}


def sniff(source: Source) -> bool:
    """A header with a session and a project, or messages of the type that only this program writes."""
    found = False
    for row in objects(source, 40):
        if isinstance(row.get("messages"), list):
            named = "sessionId" in row and ("projectHash" in row or "startTime" in row)
            return named and all(_typed(message) for message in row["messages"][:40])
        found = found or {"sessionId", "projectHash"} <= row.keys()
        found = found or (row.get("type") == "gemini" and "id" in row)
        if "uuid" in row or "parentUuid" in row:
            return False
    return found


def _typed(message: Json) -> bool:
    kind = as_str(as_dict(message).get("type"))
    return kind == "user" or kind in AGENT or kind in NOTICES


def read(source: Source) -> Iterator[Imported]:
    """The one chat of the file."""
    source.hold()  # a chat is a whole
    chat = folded(source)
    if not chat.messages:
        raise NotATrace(f"{source.path}: a Gemini CLI chat without a message")
    lost = len(chat.messages) - len(chat.kept)
    for _ in range(lost):
        source.warn("a message taken back by a rewind is not shown (it stays in the raw record)")
    steps = Steps(source.warn)
    steps.take(chat.kept)
    yield _trace(source, chat, steps)


def _trace(source: Source, chat: Chat, steps: Steps) -> Imported:
    header, made = chat.header, steps.drafts.steps()
    session = as_id(header.get("sessionId"))
    task_id, mark = task_of(session, source.path.name)
    times = [message.value.get("timestamp") for message in chat.messages]
    started, seconds = span([header.get("startTime"), *times])
    rewound = [message for message in chat.messages if message.rewound]
    info = TraceInfo(
        trace_id=trace_id([FORMAT, session, chat.messages[0].first]),
        content_hash=digest(session_content(source)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        task_id=task_id,
        task=steps.task or next((step.message for step in made if step.source == "user"), ""),
        model=steps.model,
        agent="gemini-cli",
        ended=_ended(steps),
        n_messages=len(chat.messages),
        n_tool_calls=steps.n_calls + sum(len(as_list(one.value.get("toolCalls"))) for one in rewound),
        **totals(made),
        started=started,
        seconds=seconds,
        meta=_meta(source, header) | mark,
    )
    # A message grows in its place: what stays of it is enough to see that a chat goes on.
    records = record_hashes([_stays(message) for message in chat.messages])
    return Imported(Trace(info, made, session_raw(source), records), ignored=IGNORED)


def _stays(message: Message) -> list[Json]:
    return [message.first.get(key) for key in ("id", "type", "timestamp")]


def _ended(steps: Steps) -> Ended:
    if steps.cancelled:
        return "user_stop"
    return "error" if steps.failed else "unknown"


def _meta(source: Source, header: dict[str, Any]) -> dict[str, Json]:
    known = {"sessionId", "startTime", "lastUpdated", "summary", "memoryScratchpad"}
    meta = {key: value for key, value in header.items() if key not in known and value is not None}
    if header.get("kind") == "subagent" and source.path.parent.name not in ("", "chats"):
        meta["parent_session"] = source.path.parent.name
    return meta
