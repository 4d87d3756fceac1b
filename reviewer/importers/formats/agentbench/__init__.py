"""AgentBench and its relatives (MedAgentBench): runs of one task, and rows of runs that crashed.

The environment speaks in the user's name, the agent's calls are text. What was said before the problem is
posed is a demonstration. The file names neither model nor task; the folders that AgentBench makes do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.agentbench.actions import ENDING, action_of
from reviewer.importers.opening.beside import regular
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_score, as_str, shown, verdict
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.entries import Entries
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Outcome, Result, Trace, TraceInfo

FORMAT = "agentbench"
ABOUT = "AgentBench and MedAgentBench (`outputs/<run>/<agent>/<task>/runs.jsonl`, `error.jsonl`)"
VERSION = 2
_VERDICTS = ("result", "success", "reward", "score")
GRADER_FIELDS = tuple(f"output.result.{name}" for name in _VERDICTS)
IGNORED = {
    "output.index": "the same as the row's",
    "output.history[].role": "who speaks",
    "time.timestamp": "the same time as a text is kept",
}
_STATUS: tuple[tuple[str, Ended], ...] = (
    ("completed", "submitted"),
    ("limit", "limit"),
    ("cancel", "user_stop"),
    ("invalid", "error"),
    ("validation", "error"),
    ("error", "error"),
    ("failed", "error"),
    ("unknown", "error"),
)
# The environment could make nothing of the last reply.
_UNREAD = {"agent invalid action", "agent validation failed"}
# How the environments begin the problem after a demonstration, and how they say where it begins.
_BEGINS = re.compile(r"\A\s*(Now, I will start a new problem|Here is your task)")
_POSED = re.compile(r"(?:problem is:\s*|\n\n(?=Context: .*\nQuestion: ))", re.DOTALL)
_UNDERSTOOD = re.compile(r"\A\s*(ok\b|okay\b|i('ve| have)? underst|sure\b|got it)", re.IGNORECASE)
_REFUSED = ("Error in sending the GET request", "Invalid POST request")
_FILES = {"runs.jsonl", "error.jsonl"}
# What AgentBench writes beside the runs of a task (its sum), and above all runs (the settings).
_SUM, _SETTINGS = "overall.json", ("config.yaml", "config.yml", "config.json")


def sniff(source: Source) -> bool:
    """Rows with an index and an output that has a status or a history, or none for a reason."""
    return any(map(_is_run, sample(source)))


def _is_run(row: dict[str, Any]) -> bool:
    if not {"index", "output"} <= row.keys() or not {"info", "time", "error"} & row.keys():
        return False
    output = row["output"]
    if isinstance(output, dict):
        return "status" in output and "history" in output
    return output is None and isinstance(row.get("error"), str)


def read(source: Source) -> Iterator[Imported]:
    """Each run of the file."""
    repeats = Repeats(source)
    found = False
    for record in records(source):
        if "output" in record.value:
            found = True
            yield from repeats.once(_imported(source, record), record.line)
        else:
            source.lose("a row without an output is skipped", record.line)
    if not found:
        raise InputError(f"{source.path}: no AgentBench run in it: no object with an `output`")


@dataclass(slots=True)
class Talk:
    """The history as steps."""

    drafts: Drafts
    task: str = ""
    n_calls: int = 0


def _imported(source: Source, record: Record) -> Imported:
    value, output = record.value, as_dict(record.value.get("output"))
    history = as_list(output.get("history"))
    talk = _talk(history, lambda why: source.warn(why, record.line))
    if talk.drafts.last and as_str(output.get("status")) in _UNREAD:
        talk.drafts.last.fault = talk.drafts.last.source == "agent"
    error = ": ".join(filter(None, (shown(value.get("error")), shown(value.get("info")))))
    if error:
        talk.drafts.add(Draft("system", ["error"], error, kind="notice", fault=True))
    steps = talk.drafts.steps()
    task_id, mark = task_of(as_id(value.get("index")), source.path.name, record.index, alone=False)
    benchmark, model = _folders(source)
    about = TraceInfo(
        **ids(_own(value)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=benchmark,
        task_id=task_id,
        task=talk.task,
        model=model,
        ended=_ended(as_str(output.get("status")), error),
        n_messages=len(history),
        n_tool_calls=talk.n_calls,
        **totals(steps),
        meta=_meta(value, output) | mark,
    )
    return Imported(
        Trace(about, steps, record.raw), outcomes=_outcomes(output.get("result")), ignored=IGNORED
    )


def _own(value: dict[str, Any]) -> dict[str, Json]:
    """The record without what a grader wrote."""
    output = value.get("output")
    if not isinstance(output, dict) or not isinstance(output.get("result"), dict):
        return value
    result = {key: item for key, item in output["result"].items() if key not in _VERDICTS}
    return {**value, "output": {**output, "result": result}}


def _folders(source: Source) -> tuple[str, str]:
    """Task and agent, as the folders of a run name them; a file that lies in none of them is not named."""
    task = source.path.absolute().parent
    run = task.parent.parent
    if source.path.name not in _FILES or not run.name:
        return "", ""
    laid = "output" in run.parent.name.lower() or regular(task / _SUM)
    if laid or any(regular(run / name) for name in _SETTINGS):
        return task.name, task.parent.name
    return "", ""


def _ended(status: str, error: str) -> Ended:
    word = status.lower()
    return next((end for part, end in _STATUS if part in word), "error" if error else "unknown")


def _talk(history: list[Json], warn: Any) -> Talk:
    if any(as_dict(message).get("tool_calls") for message in history):
        entries = Entries(history, warn)  # later versions let models call functions
        calls = sum(len(draft.calls) for draft in entries.drafts.all)
        return Talk(entries.drafts, entries.task, calls)
    talk = Talk(Drafts())
    begin = _begin(history)
    for index, message in enumerate(history):
        said = as_dict(message)
        text = text_of(said.get("content"), warn) if said else shown(message)
        agent = said.get("role") in ("agent", "assistant")
        if index < begin:
            talk.drafts.add(Draft("agent" if agent else "user", [f"#{index}"], text, kind="injected"))
        elif agent:
            _act(talk.drafts, text, f"#{index}")
        elif index == begin or not talk.task:
            talk.task = _posed(text)
            talk.drafts.add(Draft("user", [f"#{index}"], text))
        elif not _answer(talk.drafts, text, f"#{index}"):
            talk.drafts.add(Draft("user", [f"#{index}"], text, kind="injected"))
    return talk


def _begin(history: list[Json]) -> int:
    """Where the problem is posed: after a demonstration, or after instructions that were acknowledged."""
    texts = [as_str(as_dict(message).get("content")) for message in history]
    users = [as_dict(message).get("role") == "user" for message in history]
    for index in range(len(history) - 1, 0, -1):
        if users[index] and _BEGINS.match(texts[index]):
            return index
    if users[:3] == [True, False, True] and len(texts[1]) < 200 and _UNDERSTOOD.match(texts[1]):
        return 2 if action_of(texts[1], "") is None else 0
    return 0


def _posed(text: str) -> str:
    """The problem itself, where a message that poses it holds instructions too."""
    places = list(_POSED.finditer(text))
    return text[places[-1].end() :].strip() or text if places else text


def _act(drafts: Drafts, text: str, place: str) -> None:
    draft = Draft("agent", [place], text)
    call = action_of(text, place)
    if call is not None:
        draft.call(call)
    drafts.add(draft)


def _answer(drafts: Drafts, text: str, place: str) -> bool:
    """Put what the environment says to the call before it, if there is one that has an answer."""
    last = drafts.last
    if last is None or last.source != "agent" or not last.waiting or last.calls[0].name in ENDING:
        return False
    return drafts.answer(Result(text, last.calls[0].id, error=text.startswith(_REFUSED)), place) is not None


def _outcomes(result: Json) -> tuple[Outcome, ...]:
    """The grade, where the environment gives one with the run; others are graded in sum only."""
    for key in _VERDICTS:
        said = as_dict(result).get(key)
        if isinstance(said, bool):
            return (Outcome(said, detail=result),)
        score = as_score(said)
        if score is not None:
            return (Outcome(verdict(score), score, detail=result),)
    return ()


def _meta(value: dict[str, Any], output: dict[str, Any]) -> dict[str, Json]:
    known = {"index", "error", "info", "output", "time"}
    meta = {key: item for key, item in value.items() if key not in known and item is not None}
    meta |= {
        key: item
        for key, item in output.items()
        if key not in ("index", "history", "result") and item not in (None, "")
    }
    result = output.get("result")
    if isinstance(result, dict):
        result = {key: item for key, item in result.items() if key not in _VERDICTS}
    if result not in (None, "", {}):
        meta["result"] = result
    written = as_dict(value.get("time")).get("str", value.get("time"))
    return meta | ({"written": written} if written else {})
