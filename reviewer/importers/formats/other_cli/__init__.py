"""Sessions of smaller command-line agents, each in a dialect of its own.

gptme, Mistral Vibe, Hermes, Devin, Cursor transcripts and Goose have rows with a role; Grok Build, Qwen Code,
iFlow, Antigravity, CodeBuddy and Droid's stream have rows with a type. A dialect is known by what only it
writes. A file is one trace; it grows at its end, so its identity is its first row (and the session's id).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.other_cli import chats, events, streams, vibe_meta
from reviewer.importers.formats.other_cli.dialects import NAMES, Row, dialect, kept_whole
from reviewer.importers.formats.other_cli.goose_db import is_goose, sessions
from reviewer.importers.formats.other_cli.session import Session
from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, dumped, parsed, span
from reviewer.importers.shapes.records import Record, sample
from reviewer.importers.shapes.sessions import session_content, session_raw, session_rows
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import MARK, SESSION, task_of
from reviewer.trace import Json, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "other_cli"
ABOUT = "gptme, Vibe, Hermes, Cursor, Goose, Grok, Qwen, iFlow, Antigravity (`conversation.jsonl`, …)"
VERSION = 3
GRADER_FIELDS: tuple[str, ...] = ()
IGNORED = {
    "pinned": "how gptme shows the message",
    "hide": "how gptme shows the message",
    "metadata.usage": "the tokens in and out are read",
    "name": "the tool is named in the call that the message answers",
    "tool_calls[].index": "the order of the calls",
    "tools": "which tools there were, not what was done with them",
    "message_count": "counted anew",
    "messages[].tool_calls[].type": "always a function",
    "messages[].tool_calls[].call_id": "the same as its id",
    "messages[].tool_calls[].response_item_id": "of the provider",
    "messages[].tool_name": "the tool is named in the call that the message answers",
    "messages[].finish_reason": "the last one says that it ended",
    "messages[].codex_reasoning_items": "the reasoning is read as text",
    "reasoning.encrypted_content": "not readable",
    "reasoning.status": "of the provider",
    "reasoning.summary[].type": "always a text",
    "assistant.model_fingerprint": "of the provider",
    "assistant.reasoning_effort": "a setting",
    "user.prompt_index": "the number of the prompt",
    "system.ui_telemetry": "of the program: what it says of calls stands in the rows of the calls",
    "system.tools": "which tools there were, not what was done with them",
    "tool_call.toolId": "the same as its name",
    "tool_result.toolId": "the tool is named in the call",
    "tool_result.messageId": "the id of the call says where it belongs",
    "function_call_result.name": "the tool is named in the call",
    "*.cwd": "the folder of the first row is kept",
    "*.version": "of the program",
    "*.sessionId": "that of the first row is kept",
    "tool_result.timestamp": "the step has the time of its call",
    "*.gitBranch": "of the repository",
    "*.parentUuid": "the rows stand in their order",
    "*.isSidechain": "always false in what this program writes",
    "*.userType": "always external",
    "*.message.role": "the type of the row says the same",
    "assistant.contextWindowSize": "a setting",
    "assistant.message.id": "of the provider",
    "assistant.message.type": "always a message",
    "assistant.message.stop_reason": "never set",
    "assistant.message.stop_sequence": "never set",
    "assistant.message.usage": "the tokens in and out are read",
    "assistant.usageMetadata": "the tokens in and out are read",
    "tool_result.toolCallResult": "its status is read; the rest repeats the response",
    "tool_result.message.parts[].functionResponse.name": "named in the call",
    "user.toolUseResult": "its status is read; the rest repeats the result",
    "user.message.content[].content.callId": "the same as the id of the call",
    "user.message.content[].content.resultDisplay": "how the program shows the result",
    "user.message.content[].content.responseParts.functionResponse.id": "the same as the id of the call",
    "user.message.content[].content.responseParts.functionResponse.name": "named in the call",
}


def sniff(source: Source) -> bool:
    """Rows that only one of these programs writes."""
    if source.is_database:
        return is_goose(source)
    if source.is_json and not isinstance(source.value, list):
        return kept_whole(as_dict(source.value)) != ""
    return dialect(sample(source)) != ""


_READERS: dict[str, Callable[[Session, Row, int], None]] = {
    "antigravity": events.antigravity,
    "qwen": events.qwen,
    "iflow": events.iflow,
    "grok": events.grok,
    "goose": chats.goose,
    "cursor": chats.cursor,
    "vibe": chats.vibe,
    "gptme": chats.gptme,
    "hermes": chats.hermes,
    "antigravity_export": chats.exported,
    "droid": streams.droid,
    "codebuddy": streams.codebuddy,
    "devin": chats.devin,
}
HEADS = {"vibe": "metadata", "devin": "session"}  # where a session of one object says what it is


def read(source: Source) -> Iterator[Imported]:
    """The one trace of the file; a database has one a session."""
    if source.is_database:
        for head, messages in sessions(source):
            rows = [Record(index, 0, message, "") for index, message in enumerate(messages)]
            yield from _read(source, "goose", head, rows, dumped({"session": head, "messages": messages}))
        return
    if not source.is_json:
        source.hold()
    whole = as_dict(source.value) if source.is_json else {}
    name = kept_whole(whole) if whole else dialect(sample(source))
    if not name:
        raise InputError(f"{source.path}: no session of {', '.join(NAMES.values())} in it")
    if whole:
        whole = _flat(whole)
        rows, head = _inside(source, whole), {k: v for k, v in whole.items() if not isinstance(v, list)}
        head = as_dict(whole.get(HEADS[name])) if name in HEADS else head
    else:
        rows, head = session_rows(source), {}
    if name == "goose" and rows and not whole and "role" not in rows[0].value and "type" not in rows[0].value:
        head, rows = rows[0].value, rows[1:]
    yield from _read(source, name, head, rows, session_raw(source))


def _read(source: Source, name: str, head: Row, rows: list[Record], raw: str) -> Iterator[Imported]:
    if not rows:
        source.warn("a session without a message is passed over")
        return
    session = Session(source.warn)
    if as_str(head.get("system_prompt")):
        session.place("system_prompt", 0)
        session.add("system", head["system_prompt"])
    for record in events.kept(source, rows) if name == "qwen" else rows:
        _READERS[name](session, record.value, record.index)
    if name == "qwen":
        session.messages = len(rows)
    session.settle()
    if name == "vibe":
        known = head or vibe_meta.beside(source.path)
        model, told, times = vibe_meta.about(known)
        session.model = model or session.model
        session.meta |= told
        session.times += times
        session.id = as_id(head.get("session_id"))  # of an older one, whose messages have no ids
        head = vibe_meta.tokens(known)
    yield _imported(source, session, name, head, rows, raw)


def _flat(whole: Row) -> Row:
    """A session whose conversation is an object of its own, as one object."""
    inner = as_dict(whole.get("conversation"))
    return (
        {**{key: item for key, item in whole.items() if key != "conversation"}, **inner} if inner else whole
    )


def _inside(source: Source, whole: Row) -> list[Record]:
    """The messages of a session that is one object."""
    found: list[Record] = []
    for index, item in enumerate(
        as_list(whole.get("messages", whole.get("conversation", whole.get("nodes"))))
    ):
        if isinstance(item, dict):
            found.append(Record(index, 0, item, ""))
        else:
            source.warn("a message that is no object is skipped")
    return found


def _imported(
    source: Source, session: Session, name: str, head: Row, rows: list[Record], raw: str
) -> Imported:
    steps = session.drafts.steps()
    id = session.id or as_id(head.get("session_id")) or as_id(head.get("id"))
    first = rows[0].value if rows else {}
    started, seconds = span([head.get("session_start"), head.get("last_updated"), *session.times])
    task_id, mark = task_of("", source.path.name)
    if (name == "iflow" or source.is_database) and id:
        task_id, mark = id, {MARK: SESSION}
    read = {"model", "messages", "system_prompt", "session_start", "last_updated", "message_count", "tools"}
    read |= {"input_tokens", "output_tokens"} if name == "vibe" else set()
    config = as_dict(parsed(head.get("model_config_json")))  # of a database
    about: dict[str, Json] = {
        key: item for key, item in head.items() if key not in read and item not in (None, "")
    }
    if session.id and name != "iflow":
        about["sessionId"] = session.id
    if cwd := as_str(first.get("cwd")):
        about["cwd"] = cwd
    total = {"tokens_in": as_int(head.get("input_tokens")), "tokens_out": as_int(head.get("output_tokens"))}
    sums, values = totals(steps), [record.value for record in rows]
    info = TraceInfo(
        trace_id=trace_id([FORMAT, name, id, first]),
        content_hash=digest([head, values] if source.is_database else session_content(source)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        task_id=task_id,
        task=session.task,
        model=as_str(head.get("model")) or as_str(config.get("model_name")) or session.model,
        agent=NAMES[name],
        n_messages=session.messages,
        n_tool_calls=session.calls,
        **sums | {key: item for key, item in total.items() if item is not None and sums[key] is None},
        started=started,
        seconds=seconds,
        meta=about | session.meta | mark,
    )
    hashes = record_hashes(values)
    return Imported(Trace(info, steps, raw, hashes), ignored=IGNORED)
