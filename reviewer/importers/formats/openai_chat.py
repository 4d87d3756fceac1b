"""Chats as OpenAI's API writes them: JSON, JSON Lines, a bare list of messages, logs of LiteLLM.

A record in which a person says more (a task, a grade, how it ended) is `plain`. Both take the identity
of a record alike, so a grade that is added later changes neither the format's word nor the trace's id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from reviewer.errors import InputError
from reviewer.importers import importer
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats import plain
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    iso,
    kind_of,
    shown,
)
from reviewer.importers.shapes.blocks import calls_in
from reviewer.importers.shapes.entries import Entries
from reviewer.importers.shapes.exchanges import body, dialect, opened
from reviewer.importers.shapes.records import peeked, rows, values
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.importers.shapes.wrappings import stranger
from reviewer.trace import Ended, Json, Trace, TraceInfo

FORMAT = "openai_chat"
ABOUT = "OpenAI-style chat completions, LiteLLM logs (wherever you logged them)"
VERSION = 3
GRADER_FIELDS = plain.GRADER_FIELDS
NEUTRAL = {"messages", "id", "model", "cost"}
# Keys that say that the messages belong to another format.
FOREIGN = plain.FOREIGN | {
    "history",
    "sessionId",
    "session_id",
    "schema_version",
    "system",
    "system_prompt",
    "projectHash",
    "simulations",
    "termination_reason",
    "ticks",
    "stream",
    "mode",
    "info",
    "eval",
    "is_correct",
    "mistake_step",
    "question_ID",
}
TEXT_KEY = "messages_display"
SPEAKER = re.compile(r"^(system|user|assistant|tool): ?", re.MULTILINE)
FINISH: dict[str, Ended] = {"length": "limit", "content_filter": "refused"}
IGNORED = {
    "messages[].name": "the tool is named in the call that the message answers",
    "messages[].tool_calls[].type": "always a function",
    "[].tool_calls[].type": "always a function",
    "tools": "which tools there were, not what was done with them",
    "kwargs.tools": "which tools there were, not what was done with them",
    "response.choices[].index": "the first choice is the reply",
    "response.choices[].message.tool_calls[].type": "always a function",
    "response.object": "always the same",
    "response.usage": "the tokens in and out are read",
    "response.system_fingerprint": "of the provider",
    "response.service_tier": "of the bill",
}


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat of the file: its place, its line, the record as it stands there, and its text."""

    index: int
    line: int
    record: Json
    raw: str

    @property
    def value(self) -> dict[str, Any]:
        """The record as an object, out of what is around it: a bare list is its messages."""
        return opened(self.record) if isinstance(self.record, dict) else {"messages": self.record}


def sniff(source: Source) -> bool:
    """Lists of messages, alone or under `messages`, that no other format claims."""
    if source.is_json and _bare(source.value):
        return True
    known = others = 0
    for row in islice(values(source, 160), 40):
        if isinstance(row, dict) and _foreign(row):
            return False
        known, others = (known + 1, others) if _ours(row) else (known, others + 1)
    return known > 0 and known >= others


def _ours(row: Json) -> bool:
    if not isinstance(row, dict):
        return _bare(row)
    row = opened(row)
    messages = row.get("messages")
    if isinstance(messages, list):
        return plain.chat(messages) or bool(_reply(row))
    return isinstance(row.get(TEXT_KEY), str) or bool(_reply(row))


def _bare(messages: Json) -> bool:
    """A list of chat messages; where everybody has a name it is a talk among agents, not a chat."""
    if not isinstance(messages, list) or not plain.chat(messages):
        return False
    rows = [row for row in messages if isinstance(row, dict)]
    named = sum("name" in row for row in rows if row.get("role") in ("user", "assistant"))
    talk = any(isinstance(row.get("tool_calls"), list) or row.get("role") == "tool" for row in rows)
    return not any("ts" in row for row in rows) and (talk or 2 * named <= len(rows))


def _foreign(row: dict[str, Any]) -> bool:
    return bool(FOREIGN & row.keys()) or bool((plain.READ - NEUTRAL) & row.keys())


def _reply(value: dict[str, Any]) -> dict[str, Any]:
    """The model's reply that a log keeps beside the messages: the first choice of its response."""
    response = body(value.get("response")) or value
    choice = as_dict(next(iter(as_list(response.get("choices"))), None))
    return choice if isinstance(choice.get("message"), dict) else {}


def read(source: Source) -> Iterator[Imported]:
    """Each chat of the file."""
    repeats = Repeats(source)
    alone, chats = peeked(_chats(source))
    found = False
    for chat in chats:
        other = dialect(chat.record)
        if other not in ("", FORMAT):
            found = True
            row = (chat.line, chat.record, chat.raw)
            for imported in stranger(source, importer(other), row, chat.index, alone):
                yield from repeats.once(imported, chat.line)
            continue
        value = chat.value
        if not isinstance(value.get("messages"), list) and not _ours(value):
            what = kind_of(value.get("messages")) if "messages" in value else "missing"
            source.lose(f"a record is skipped: its list of messages is {what}", chat.line)
            continue
        found = True
        yield from repeats.once(_imported(source, chat, alone), chat.line)
    if not found:
        raise InputError(f"{source.path}: no chat in it: there is no list of messages")


def _chats(source: Source) -> Iterator[Chat]:
    if source.is_json and (isinstance(source.value, dict) or plain.chat(as_list(source.value))):
        yield Chat(0, 0, source.value, source.text.strip(" \t\r\n"))
        return
    for index, (line, value, text) in enumerate(rows(source)):
        if isinstance(value, dict | list):
            yield Chat(index, line, value, text)
        else:
            source.lose(f"a row that is {kind_of(value)}, not a chat, is skipped", line)


def _imported(source: Source, chat: Chat, alone: bool) -> Imported:
    value, reply = chat.value, _reply(chat.value)
    messages = as_list(value.get("messages"))
    talk = [_message(message) for message in messages] or _cut(source, value, chat.line)
    entries = Entries(
        [*talk, *([_message(reply["message"])] if reply else [])], lambda why: source.warn(why, chat.line)
    )
    steps = entries.drafts.steps()
    response = body(value.get("response")) or (value if reply and "choices" in value else {})
    own = chat.record
    if isinstance(own, dict):
        own = {key: item for key, item in own.items() if key not in GRADER_FIELDS}
    usage, cost, seconds = as_dict(response.get("usage")), as_float(value.get("cost")), _seconds(value)
    stamp = value.get("timestamp", response.get("created"))
    sums = totals(steps)
    named = next(filter(None, (as_id(value.get(key)) for key in ("task_id", "custom_id", "id"))), "")
    replied = bool(reply) and not isinstance(as_dict(chat.record).get("messages"), list)
    task_id, mark = task_of(named, source.path.name, chat.index, alone)
    info = TraceInfo(
        **ids(own),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=chat.index,
        task_id=task_id,
        task=entries.task,
        model=shown(value.get("model") or value.get("modelId"))
        or as_str(response.get("model"))
        or entries.model,
        ended=_ended(messages, reply),
        n_messages=len(messages) + replied,
        n_tool_calls=sum(map(_calls, [*messages, *([reply["message"]] if replied else [])])),
        **sums
        | {
            "tokens_in": as_int(usage.get("prompt_tokens")) if usage else sums["tokens_in"],
            "tokens_out": as_int(usage.get("completion_tokens")) if usage else sums["tokens_out"],
            "cost": cost if cost is not None else sums["cost"],
        },
        started=iso(stamp),
        seconds=seconds,
        meta=_meta(value, response, reply, stamp) | mark,
    )
    outcomes = plain.outcomes(value) if isinstance(chat.record, dict) else ()
    return Imported(Trace(info, steps, chat.raw), outcomes=outcomes, ignored=IGNORED)


def _message(message: Json) -> Json:
    """A message without empty fields; a refusal in the place of words is what was said."""
    if not isinstance(message, dict):
        return message
    kept = {key: item for key, item in message.items() if item is not None and item != []}
    if isinstance(kept.get("refusal"), str) and not kept.get("content"):
        kept["content"] = kept["refusal"]
    return kept


def _cut(source: Source, value: dict[str, Any], line: int) -> list[Json]:
    """The messages of a chat that was written down as one text."""
    text = value.get(TEXT_KEY)
    if not isinstance(text, str):
        return []
    source.warn("a chat that is one text is cut where a line names a speaker; its calls are not in it", line)
    parts = SPEAKER.split(text)
    talk = [
        {"role": role, "content": words.rstrip("\n")}
        for role, words in zip(parts[1::2], parts[2::2], strict=True)
    ]
    before = parts[0].strip()
    return [*([{"role": "user", "content": before}] if before else []), *map(_heard, talk)]


def _heard(message: dict[str, str]) -> dict[str, str]:
    """`None` is what such texts write where the model made a call and said nothing."""
    if message["role"] == "assistant" and message["content"] == "None":
        return {"role": "assistant", "content": "[a call that this text does not hold]"}
    if message["role"] == "tool":  # a result without its call
        return {"role": "system", "content": f"tool: {message['content']}"}
    return message


def _calls(message: Json) -> int:
    message = as_dict(message)
    beside = len(as_list(message.get("tool_calls"))) + isinstance(message.get("function_call"), dict)
    return beside + calls_in(message)


def _ended(messages: list[Json], reply: dict[str, Any]) -> Ended:
    """Refused, or cut off by a limit; a chat says nothing else about how it ended."""
    last = as_dict(reply.get("message")) or as_dict(messages[-1] if messages else None)
    if isinstance(last.get("refusal"), str) and last["refusal"]:
        return "refused"
    return FINISH.get(as_str(reply.get("finish_reason")), "unknown")


def _seconds(value: dict[str, Any]) -> float | None:
    for key in ("latency_sec", "latency", "seconds"):
        if (seconds := as_float(value.get(key))) is not None:
            return seconds
    return None


def _meta(
    value: dict[str, Any], response: dict[str, Any], reply: dict[str, Any], stamp: Json
) -> dict[str, Json]:
    read = {*GRADER_FIELDS, "messages", "model", "tools", "kwargs", "response", "choices", "usage", TEXT_KEY}
    meta = {key: item for key, item in value.items() if key not in read}
    if as_float(value.get("cost")) is not None:
        del meta["cost"]
    if iso(stamp):
        meta.pop("timestamp", None)
    for key in ("latency_sec", "latency"):
        if as_float(value.get(key)) is not None:
            del meta[key]
    kwargs = {key: item for key, item in as_dict(value.get("kwargs")).items() if key != "tools"}
    about = {
        f"response.{key}": response[key]
        for key in ("id", "created")
        if response is not value and key in response
    }
    if response and response.get("model") != value.get("model") and value.get("model"):
        about["response.model"] = response.get("model")
    if reply.get("finish_reason") is not None:
        about["finish_reason"] = reply["finish_reason"]
    return {**meta, **({"kwargs": kwargs} if kwargs else {}), **about}
