"""Cline and Roo Code tasks: what went to the model, what was shown of it, and the messages of Cline's SDK.

The two files of a task are two records of one run and two traces: the first has every word, the second what
each request took. No record names its task; its folder does. Both grow at their end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.cline_roo.history import ENVIRONMENT, History, rows_of
from reviewer.importers.formats.cline_roo.ignored import IGNORED
from reviewer.importers.formats.cline_roo.ui import Shown
from reviewer.importers.formats.cline_roo.xml import result_of
from reviewer.importers.opening.beside import read_beside
from reviewer.importers.opening.loading import lenient
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_list, as_str, span
from reviewer.importers.shapes.records import objects
from reviewer.importers.shapes.sessions import session_content, session_raw
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import MARK, task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "cline_roo"
ABOUT = (
    "Cline and Roo Code tasks (`tasks/<id>/api_conversation_history.json` and `ui_messages.json`), "
    "Cline's SDK (`<id>.messages.json`)"
)
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()  # a task holds nothing that a grader wrote


def sniff(source: Source) -> bool:
    """Entries that say or ask; messages with a time, or with a task and the state of an editor."""
    if not source.is_json:
        return False
    if isinstance(source.value, dict):
        rows = as_list(source.value.get("messages"))[:40]
        named = "sessionId" in source.value and bool({"agent", "version"} & source.value.keys())
        return named and "projectHash" not in source.value and any(_is_message(row) for row in rows)
    rows = list(objects(source, 40))
    if _is_ui(rows):
        return True
    talk = [row for row in rows if _is_message(row)]
    if not talk or 2 * len(talk) < len(rows):
        return False
    timed = all(as_float(row.get("ts")) is not None for row in talk[:4])
    return (timed and isinstance(talk[0].get("content"), list)) or any(map(_bears_marks, talk[:4]))


def _is_ui(rows: list[Any]) -> bool:
    return any(
        isinstance(row, dict) and "ts" in row and row.get("type") in ("say", "ask") and row["type"] in row
        for row in rows[:40]
    )


def _is_message(row: Json) -> bool:
    value = as_dict(row)
    return value.get("role") in ("user", "assistant") and isinstance(value.get("content"), list | str)


def _bears_marks(row: dict[str, Any]) -> bool:
    """Whether a message of the user is put together as only these programs do it."""
    content = row["content"]
    texts = [
        block if isinstance(block, str) else as_str(as_dict(block).get("text")) for block in as_list(content)
    ]
    texts += [content] if isinstance(content, str) else []
    tasked = any(text.lstrip().startswith(("<task>", "<feedback>")) for text in texts)
    noted = any(ENVIRONMENT in text for text in texts)
    return row["role"] == "user" and ((tasked and noted) or (noted and any(map(result_of, texts))))


def read(source: Source) -> Iterator[Imported]:
    """The one task of the file."""
    source.hold()
    rows = rows_of(source.value) if source.is_json else [line.value for line in source.lines if not line.bad]
    if not rows:
        raise InputError(f"{source.path}: no message of Cline or Roo in it")
    if _is_ui(rows):
        seen = Shown(source.warn)
        seen.take(rows)
        first = as_dict(rows[0])
        identity = ["ui", first.get("ts"), first.get("type"), first.get("text")]
        stays = [[as_dict(row).get(key) for key in ("ts", "type", "say", "ask")] for row in rows]
        yield _trace(source, rows, seen, seen.n_asked, identity, stays)
        return
    header = as_dict(source.value) if source.is_json else {}
    history = History(source.warn)
    if header.get("system_prompt"):
        history.system(header["system_prompt"])
    history.take(rows)
    _priced(source.path, history)
    identity = [as_id(header.get("sessionId")), rows[0]]
    yield _trace(source, rows, history, history.n_native, identity, rows)


def _trace(
    source: Source,
    rows: list[Json],
    read: History | Shown,
    n_calls: int,
    identity: list[Json],
    stays: list[Json],
) -> Imported:
    header = as_dict(source.value) if source.is_json else {}
    made = read.drafts.steps()
    folder = source.path.absolute().parent.name
    task_id, mark = task_of(as_id(header.get("sessionId")), source.path.name)
    if mark and folder:
        task_id, mark = folder, {MARK: "folder name"}
    started, seconds = span(read.times)
    known = {"messages", "sessionId", "system_prompt", "updated_at"}
    info = TraceInfo(
        trace_id=trace_id([FORMAT, *identity]),
        content_hash=digest(session_content(source)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        task_id=task_id,
        task=read.task or next((step.message for step in made if step.source == "user"), ""),
        model=read.model or _model(source.path),
        agent="cline" if header else "cline or roo",
        ended=read.ended,
        n_messages=len(rows),
        n_tool_calls=n_calls,
        **totals(made),
        started=started,
        seconds=seconds,
        meta={key: value for key, value in header.items() if key not in known} | mark,
    )
    return Imported(Trace(info, made, session_raw(source), record_hashes(stays)), ignored=IGNORED)


def _priced(path: Path, history: History) -> None:
    """What each reply took, from the file of what was shown, when there are as many requests in it."""
    shown = Shown(lambda reason, line: None)
    shown.take(as_list(_beside(path, "ui_messages.json")))
    asked = [draft for draft in shown.drafts.all if draft.source == "agent"]
    replies = [draft for draft in history.drafts.all if draft.source == "agent"]
    if len(asked) == len(replies) and not any(draft.metrics for draft in replies):
        for draft, request in zip(replies, asked, strict=True):
            draft.metrics = request.metrics


def _model(path: Path) -> str:
    """The model that the program noted down for the task."""
    used = as_list(as_dict(_beside(path, "task_metadata.json")).get("model_usage"))
    return next((name for row in used if (name := as_str(as_dict(row).get("model_id")))), "")


def _beside(path: Path, name: str) -> Json:
    """The value of another file of the task; None when there is none that can be read."""
    try:
        return lenient((read_beside(path.with_name(name)) or b"").decode("utf-8", errors="replace"))
    except (ValueError, RecursionError):
        return None
