"""Sessions that Copilot kept as one object before it wrote event logs: a chat, and what the screen showed.

The chat makes the steps; of the screen's timeline the times and how calls went are read, and what the user
typed, which the program completes in the chat.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, iso, shown, span
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.entries import Entries
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes, trace_id

FAILED, DENIED = ("failure", "error", "timeout"), ("rejected", "denied")
OF_SESSIONS = {
    "timeline": "what the screen showed: times, results and errors are read, the rest repeats the chat",
    "chatMessages[].tool_calls[].type": "always a function",
}


def is_old(source: Source) -> bool:
    """One object with a session's id, its chat and its timeline."""
    value = as_dict(source.value)
    return {"sessionId", "startTime"} <= value.keys() and isinstance(value.get("chatMessages"), list)


def read_old(source: Source, name: str, version: int) -> Iterator[Imported]:
    """The one session of the file."""
    value = as_dict(source.value)
    chat, timeline = as_list(value["chatMessages"]), [as_dict(row) for row in as_list(value.get("timeline"))]
    entries = Entries(chat, source.warn)
    _told(entries, timeline)
    steps = entries.drafts.steps()
    session = as_id(value.get("sessionId"))
    typed = next((as_str(row.get("text")) for row in timeline if row.get("type") == "user"), "")
    task_id, mark = task_of(session, source.path.name)
    started, seconds = span([value.get("startTime"), *(row.get("timestamp") for row in timeline)])
    read = {"sessionId", "startTime", "chatMessages", "timeline"}
    meta: dict[str, Json] = {key: item for key, item in value.items() if key not in read}
    info = TraceInfo(
        trace_id=trace_id([name, session, chat[0] if chat else value.get("startTime")]),
        content_hash=digest(value),
        format=name,
        importer=version,
        source_path=str(source.path),
        task_id=task_id,
        task=typed or entries.task,
        model=entries.model,
        agent="copilot-cli",
        n_messages=len(chat),
        n_tool_calls=sum(len(step.calls) for step in steps),
        **totals(steps),
        started=started,
        seconds=seconds,
        meta=meta | mark,
    )
    raw = source.text.strip(" \t\r\n")
    yield Imported(Trace(info, steps, raw, record_hashes(chat)), ignored=OF_SESSIONS)


def _told(entries: Entries, timeline: list[dict[str, Any]]) -> None:
    """Add to the steps what the timeline says: when a call was made and how it went; errors stand last."""
    calls = {as_id(row.get("callId")): row for row in timeline if row.get("callId")}
    for draft in entries.drafts.all:
        for call in draft.calls:
            draft.at = draft.at or iso(calls.get(call.id, {}).get("timestamp"))
        for n, result in enumerate(draft.results):
            went = as_str(as_dict(calls.get(result.call_id, {}).get("result")).get("type"))
            if went in FAILED + DENIED:
                draft.results[n] = replace(result, error=went in FAILED, denied=went in DENIED)
    for row in timeline:
        if row.get("type") == "error":
            own = f"timeline {as_id(row.get('id'))}"
            text, at = shown(row.get("text", row.get("message"))), iso(row.get("timestamp"))
            entries.drafts.add(Draft("system", [own], text, kind="notice", fault=True, at=at))
