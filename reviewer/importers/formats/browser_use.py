"""Histories of browser-use agents (`AgentHistoryList` as JSON): one step for each turn of the agent.

A turn is what the agent thought, its actions and what each brought. That an agent calls itself done is how
the run ended, not whether it passed; only a judge's verdict in the file is an outcome. Older files say
neither task nor model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
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
    span,
)
from reviewer.importers.shapes.content import readable, size
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Metrics, Outcome, Result, ToolCall, Trace, TraceInfo

FORMAT = "browser_use"
ABOUT = "browser-use histories (`AgentHistoryList.json`, what `agent.save_history(…)` writes)"
VERSION = 1
GRADER_FIELDS = ("history[].result[].judgement",)
IGNORED = {
    "history[].state.tabs": "which tabs were open; the address and the title of the one in use are shown",
    "history[].state.interacted_element": "the place of an element in the page",
    "history[].state.screenshot": "a picture: its size is shown",
    "history[].state_message": "what the page looked like; the request in it is read",
    "history[].result[].include_in_memory": "of the program's memory",
    "history[].result[].include_extracted_content_only_once": "of the program's memory",
    "usage.by_model": "the first model is read; the tokens and the cost are read as sums",
    "usage.total_tokens": "the tokens in and out are read",
    "usage.total_prompt_cached_tokens": "the tokens in and out are read",
    "usage.total_prompt_cost": "the cost is read as a sum",
    "usage.total_completion_cost": "the cost is read as a sum",
    "usage.total_prompt_cached_cost": "the cost is read as a sum",
    "usage.entry_count": "how many model calls there were",
}
_REQUEST = re.compile(r"<user_request>\s*(.*?)\s*</user_request>", re.DOTALL)
_BRAIN = (
    ("evaluation_previous_goal", "Evaluation"),
    ("page_summary", "Page"),
    ("important_contents", "Page"),
    ("prev_action_evaluation", "Evaluation"),
    ("memory", "Memory"),
    ("task_progress", "Progress"),
    ("future_plans", "Plan"),
    ("next_goal", "Next goal"),
    ("summary", "Next goal"),
)
_THOUGHTS = ("thinking", "thought")
_RESULT = {"extracted_content", "error", "is_done", "success", "judgement", "long_term_memory", "attachments"}
_RESULT |= {"include_in_memory", "include_extracted_content_only_once", "metadata", "images"}


def sniff(source: Source) -> bool:
    """An object with a history of model outputs and results."""
    return any(_is_history(row) for row in sample(source, 5))


def _is_history(row: dict[str, Any]) -> bool:
    return any({"model_output", "result"} <= as_dict(turn).keys() for turn in as_list(row.get("history"))[:3])


def read(source: Source) -> Iterator[Imported]:
    """Each history of the file."""
    repeats, found = Repeats(source), False
    alone = source.is_json and isinstance(source.value, dict)
    for record in records(source):
        if isinstance(record.value.get("history"), list):
            found = True
            yield from repeats.once(_imported(source, record, alone), record.line)
        else:
            what = kind_of(record.value.get("history"))
            source.lose(f"a run is skipped: its history is {what}, not a list", record.line)
    if not found:
        raise InputError(f"{source.path}: no browser-use run in it: no list `history`")


def _imported(source: Source, record: Record, alone: bool) -> Imported:
    value, turns = record.value, [as_dict(turn) for turn in record.value["history"]]
    drafts, task = Drafts(), as_str(value.get("task")) or _asked(turns)
    if task:
        drafts.add(Draft("user", ["task"], task))
    for index, turn in enumerate(turns):
        if turn:
            _turn(drafts, turn, index)
        else:
            source.warn(f"a turn that is {kind_of(value['history'][index])} is not shown", record.line)
    steps = drafts.steps()
    usage = as_dict(value.get("usage"))
    told = {
        "tokens_in": as_int(usage.get("total_prompt_tokens")),
        "tokens_out": as_int(usage.get("total_completion_tokens")),
        "cost": as_float(usage.get("total_cost")),
    }
    times = [
        as_dict(turn.get("metadata")).get(key)
        for turn in turns
        for key in ("step_start_time", "step_end_time")
    ]
    started, seconds = span(times)
    task_id, mark = task_of(as_id(value.get("task_id")), source.path.name, record.index, alone)
    info = TraceInfo(
        **ids(_own(value)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        task_id=task_id,
        task=task,
        model=as_str(value.get("model")) or next(iter(as_dict(usage.get("by_model"))), ""),
        agent="browser-use",
        ended=_ended(turns),
        n_messages=len(turns),
        n_tool_calls=sum(len(_actions(turn)) for turn in turns),
        **totals(steps) | {key: item for key, item in told.items() if item is not None},
        started=started,
        seconds=seconds,
        meta=_meta(value) | mark,
    )
    return Imported(Trace(info, steps, record.raw), outcomes=_outcomes(turns), ignored=IGNORED)


def _asked(turns: list[dict[str, Any]]) -> str:
    """The request as the agent was told it, which newer versions keep."""
    found = (_REQUEST.search(as_str(turn.get("state_message"))) for turn in turns)
    return next((match[1] for match in found if match), "")


def _actions(turn: dict[str, Any]) -> list[Json]:
    return as_list(as_dict(turn.get("model_output")).get("action"))


def _results(turn: dict[str, Any]) -> list[dict[str, Any]]:
    return [as_dict(result) for result in as_list(turn.get("result"))]


def _turn(drafts: Drafts, turn: dict[str, Any], index: int) -> None:
    output, about = as_dict(turn.get("model_output")), as_dict(turn.get("metadata"))
    brain = {**output, **as_dict(output.get("current_state"))}
    draft = Draft("agent", [f"#{index}"], at=iso(about.get("step_start_time")))
    draft.seconds = span([about.get("step_start_time"), about.get("step_end_time")])[1]
    if (tokens := as_int(about.get("input_tokens"))) is not None:
        draft.metrics = Metrics(tokens)
    for key in _THOUGHTS:
        draft.think(shown(brain.get(key)))
    known = {"action", "current_state", *_THOUGHTS}
    for key, word in _BRAIN:
        known.add(key)
        if brain.get(key) not in (None, ""):
            draft.say(f"{word}: {shown(brain[key])}")
    for action in _actions(turn):
        _call(draft, action)
    _answer(draft, turn)
    number = about.get("step_number")
    if number is not None and as_int(number) != len(drafts.all) + 1:
        draft.number = shown(number)
    draft.extra |= {key: item for key, item in brain.items() if key not in known and item not in (None, "")}
    draft.extra |= _page(as_dict(turn.get("state")))
    if turn.get("model_output") and not output:
        draft.extra["model_output"] = turn["model_output"]
    more = {"model_output", "result", "state", "metadata", "state_message"}
    draft.extra |= {key: item for key, item in turn.items() if key not in more and item is not None}
    drafts.add(draft)


def _call(draft: Draft, action: Json) -> None:
    """`{"click_element": {"index": 3}}`: the name is the one key that is set."""

    given = {key: item for key, item in as_dict(action).items() if item is not None}
    names = [key for key in given if key not in ("interacted_element",)]
    if len(names) == 1:
        draft.call(ToolCall(names[0], given[names[0]]))
    else:
        draft.call(ToolCall("action", action))


def _answer(draft: Draft, turn: dict[str, Any]) -> None:
    """Results stand in the order of the actions; the turn of a failed model call has one and no action."""
    for index, result in enumerate(_results(turn)):
        error = result.get("error")
        parts = [shown(result.get("extracted_content")), shown(error)]
        if result.get("long_term_memory") not in (None, result.get("extracted_content")):
            parts.append(f"Memory: {shown(result['long_term_memory'])}")
        if as_list(result.get("attachments")):
            parts.append(f"Files: {readable(result['attachments'])}")
        if not draft.calls:
            draft.fault = draft.fault or bool(error)
            draft.say("\n".join(filter(None, parts)))
        else:
            if index in draft.waiting:
                draft.waiting.remove(index)
            draft.results.append(Result("\n".join(filter(None, parts)), error=bool(error)))
        if result.get("is_done") is True and result.get("success") is not None:
            draft.extra["claims success"] = result["success"]
        kept = {key: item for key, item in result.items() if key not in _RESULT and item is not None}
        if as_dict(result.get("metadata")):
            kept["metadata"] = result["metadata"]
        if kept:
            draft.extra[f"result {index + 1}"] = kept


def _page(state: dict[str, Any]) -> dict[str, Json]:
    page = {key: state[key] for key in ("url", "title", "screenshot_path") if state.get(key)}
    picture = state.get("screenshot")
    if isinstance(picture, str) and picture:
        page["screenshot"] = f"[image, {size(len(picture) * 3 // 4)}]"
    return page


def _ended(turns: list[dict[str, Any]]) -> Ended:
    """Done by its own word, stopped at a number of steps, or by errors."""
    last = _results(turns[-1]) if turns else []
    if any(result.get("is_done") is True for result in last):
        return "submitted"
    said = " ".join(as_str(result.get("error")) for result in last).lower()
    if "maximum steps" in said or "max steps" in said:
        return "limit"
    return "error" if said.strip() else "unknown"


def _outcomes(turns: list[dict[str, Any]]) -> tuple[Outcome, ...]:
    """What a judge said of the run, which stands with the last result."""
    given = [result["judgement"] for turn in turns for result in _results(turn) if result.get("judgement")]
    found = []
    for number, judgement in enumerate(given, 1):
        says = as_dict(judgement).get("verdict")
        origin = "judge" if number == 1 else f"judge #{number}"
        passed = says if isinstance(says, bool) else None
        found.append(Outcome(passed=passed, detail=judgement, origin=origin))
    return tuple(found)


def _own(value: dict[str, Any]) -> dict[str, Json]:
    """The record without what a judge wrote."""
    return {**value, "history": [_unjudged(turn) for turn in value["history"]]}


def _unjudged(turn: Json) -> Json:
    if not isinstance(turn, dict) or not isinstance(turn.get("result"), list):
        return turn
    results = [
        {key: item for key, item in result.items() if key != "judgement"}
        if isinstance(result, dict)
        else result
        for result in turn["result"]
    ]
    return {**turn, "result": results}


def _meta(value: dict[str, Any]) -> dict[str, Json]:
    read = {"history", "usage", "task", "model", "task_id"}
    return {key: item for key, item in value.items() if key not in read and item not in (None, "", [], {})}
