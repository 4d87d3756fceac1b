"""AutoGen and AG2: chats of 0.2, typed messages of 0.4 with results and states of teams, recorded sessions.

A file of 0.2 may hold one list for each agent that took part, each the same chat as that agent saw it;
they are read as one trace each. No file says what the task was called.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.autogen import recorder, v02, v04
from reviewer.importers.opening.values import as_dict, as_float, as_int, as_list, as_str, dumped, span, total
from reviewer.importers.shapes.drafts import Drafts
from reviewer.importers.shapes.records import rows, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import MARK, task_of
from reviewer.trace import Ended, Json, Trace, TraceInfo

FORMAT = "autogen"
ABOUT = "AutoGen and AG2 chats, team results and states, recorded sessions (wherever you saved them)"
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()
IGNORED = {
    "messages[].full_message_id": "joins the pieces of a stream",
    "messages[].results": "repeats the results of a summary",
    "messages[].tool_calls": "repeats the calls of a summary",
    "messages[].content[].name": "the tool is named in the call that the result answers",
    "chat_history[].role": "of the owner of the list; names say who speaks",
    "chat_history[].tool_calls[].type": "always a function",
    "chat_history[].tool_responses[].role": "always a tool",
    "cost": "the sum is read, and which models it was",
    "[].response.logprobs": "of the model, not of what was said",
}
_INSIDE = ("messages", "llm_messages", "message_thread")
_COSTS = ("usage_including_cached_inference", "usage_excluding_cached_inference")


@dataclass(frozen=True, slots=True)
class Talk:
    """One chat of the file: which kind, its messages, the record it stands in, and that record's text."""

    kind: str
    messages: list[Json]
    record: Json
    raw: str
    name: str = ""
    line: int = 0


def sniff(source: Source) -> bool:
    """Recorded calls, typed messages, or a chat of named agents."""
    value = source.value
    if source.is_json and isinstance(value, dict):
        return bool(_chat(value) or _agents(value))
    head = sample(source, 10)
    if head and all(map(recorder.is_record, head)):
        return True
    typed = sum(map(v04.is_typed, head))
    if typed * 2 > len(head) or any(_chat(row) for row in head[:3]):
        return True
    return source.is_json and v02.is_chat(value)


def _chat(row: dict[str, Any]) -> tuple[str, list[Json]] | None:
    """The kind and the messages of a result, a state or one recorded call."""
    if recorder.is_record(row) and "stream" in row:
        return "recorder", [row]
    places = [row, as_dict(row.get("llm_context"))]
    states = as_dict(row.get("agent_states")) or as_dict(as_dict(row.get("state")).get("agent_states"))
    places += [as_dict(state) for state in states.values()]
    places += [as_dict(as_dict(state).get("agent_state")) for state in states.values()]
    for place in places:
        for key in _INSIDE:
            inner = as_list(place.get(key))
            if inner and any(map(v04.is_typed, inner[:5])):
                return "v04", inner
    chat = row.get("chat_history")
    known = {"chat_id", "cost", "summary", "human_input"} & row.keys()
    if isinstance(chat, list) and chat and known and all("role" in as_dict(item) for item in chat[:5]):
        return "v02", chat
    return None


def _agents(row: dict[str, Any]) -> dict[str, list[Json]]:
    """Lists of messages by agent, where that is all there is."""
    lists = {key: item for key, item in row.items() if isinstance(item, list)}
    if (
        not lists
        or len(lists) < len(row)
        or {"messages", "history", "trajectory", "traj", "events"} & row.keys()
    ):
        return {}
    whole = all({"content", "role"} <= as_dict(message).keys() for item in lists.values() for message in item)
    return lists if whole and any(map(len, lists.values())) else {}


def read(source: Source) -> Iterator[Imported]:
    """Each chat of the file."""
    repeats, index = Repeats(source), 0
    talks = list(_talks(source))
    for talk in talks:
        yield from repeats.once(_imported(source, talk, index, len(talks) == 1), talk.line)
        index += 1
    if not index:
        raise InputError(f"{source.path}: no AutoGen chat in it: no messages")


def _talks(source: Source) -> Iterator[Talk]:
    value, text = source.value, source.text.strip(" \t\r\n")
    if source.is_json and isinstance(value, dict):
        if chat := _chat(value):
            yield Talk(*chat, value, text)
            return
        for name, messages in _agents(value).items():
            yield Talk("v02", messages, {name: messages}, dumped({name: messages}), name)
        return
    every = list(rows(source))
    if every and any(recorder.is_record(row) or v04.is_typed(row) for _, row, _ in every[:40]):
        kind = "recorder" if any(recorder.is_record(row) for _, row, _ in every[:40]) else "v04"
        messages = [row for _, row, _ in every]
        yield Talk(kind, messages, messages, text if source.is_json else _joined(every))
        return
    if source.is_json and v02.is_chat(value):
        yield Talk("v02", value, value, text)
        return
    for line, row, raw in every:
        if isinstance(row, dict) and (chat := _chat(row)):
            yield Talk(*chat, row, raw, line=line)
        elif isinstance(row, list) and v02.is_chat(row):
            yield Talk("v02", row, row, raw, line=line)
        else:
            source.lose("a row that holds no chat is skipped", line)


def _joined(every: Sequence[tuple[int, Json, str]]) -> str:
    return "[" + ",\n".join(text for _, _, text in every) + "]"


def _imported(source: Source, talk: Talk, index: int, alone: bool) -> Imported:
    def warn(why: str) -> None:
        source.warn(why, talk.line)

    drafts, calls, model, times = _read(talk, warn)
    steps = drafts.steps()
    record = talk.record if isinstance(talk.record, dict) else {}
    models, spent = _cost(record)
    task_id, mark = task_of("", source.path.name, index, alone)
    if talk.name:
        task_id, mark = talk.name, {MARK: "agent"}
    started, seconds = span(times)
    sums = totals(steps)
    info = TraceInfo(
        **ids(talk.record),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=index,
        task_id=task_id,
        task=next((step.message for step in steps if step.source == "user" and step.message), ""),
        model=model or models,
        agent="autogen",
        ended=_ended(record, drafts),
        n_messages=len(talk.messages),
        n_tool_calls=calls,
        **sums | spent,
        started=started,
        seconds=seconds,
        meta=_meta(record) | mark,
    )
    return Imported(Trace(info, steps, talk.raw), ignored=IGNORED)


def _read(talk: Talk, warn: Callable[[str], None]) -> tuple[Drafts, int, str, list[Json]]:
    """The steps, how many calls, the model, the times."""
    if talk.kind == "recorder":
        return recorder.drafts_of(talk.messages, warn), sum(map(recorder.calls_of, talk.messages)), "", []
    if talk.kind == "v04":
        found = v04.Reader(talk.messages, warn)
        return found.drafts, sum(map(v04.calls_in, talk.messages)), found.model, found.times
    return v02.drafts_of(talk.messages, warn), sum(map(v02.calls_in, talk.messages)), "", []


def _cost(record: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The first model, and the sums, which a result of 0.2 keeps apart from the messages."""
    for key in _COSTS:
        usage = as_dict(as_dict(record.get("cost")).get(key))
        models = {name: item for name, item in usage.items() if isinstance(item, dict)}
        if models:
            told = {
                "cost": as_float(usage.get("total_cost")),
                "tokens_in": total(as_int(item.get("prompt_tokens")) for item in models.values()),
                "tokens_out": total(as_int(item.get("completion_tokens")) for item in models.values()),
            }
            return next(iter(models)), told
    return "", {}


def _ended(record: dict[str, Any], drafts: Drafts) -> Ended:
    """By the reason a team stopped for, else by the word that ends a chat of 0.2."""
    reason = as_str(record.get("stop_reason")).lower()
    if "maximum number of" in reason or "max" in reason.split():
        return "limit"
    if "timeout" in reason or "timed out" in reason:
        return "timeout"
    if "external termination" in reason:
        return "user_stop"
    last = next((draft for draft in reversed(drafts.all) if draft.source != "system"), None)
    said = last is not None and v02.TERMINATE in last.message[-200:]
    return "submitted" if said or "mentioned" in reason or "handoff" in reason else "unknown"


def _meta(record: dict[str, Any]) -> dict[str, Json]:
    kept = ("stop_reason", "chat_id", "summary", "human_input", "type", "version", "team_id")
    return {key: record[key] for key in kept if record.get(key) not in (None, "", [])}
