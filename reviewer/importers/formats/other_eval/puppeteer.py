"""The path of ChatDev's puppeteer: which agent acted, what it made of the question, and its answer so far.

Neither the question nor the right answer stands in a path. A file that is one list holds no lines to count.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.values import as_dict, as_str, shown
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.sessions import session_content, session_raw, session_rows
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Result, ToolCall, Trace, TraceInfo

IGNORED = {"[].model_size": "of the agent, not of the run", "model_size": "of the agent, not of the run"}
READ = {"agent", "action", "result", "success", "cost", "tokens", "model_size"}
LAST = {"terminate", "conclude", "finish"}


def is_path(rows: list[dict[str, Any]]) -> bool:
    """Whether the records say which agent took which action with which result."""
    return bool(rows) and all(_is_step(row) for row in rows)


def _is_step(row: dict[str, Any]) -> bool:
    return (
        isinstance(row.get("agent"), str)
        and "action" in as_dict(row.get("action"))
        and "step_data" in as_dict(row.get("result"))
    )


def read(source: Source, format: str, version: int) -> Imported:
    """The path as one trace."""
    source.hold()
    rows = session_rows(source)
    drafts = Drafts()
    for row in rows:
        _step(drafts, row.value, row.index, source)
    steps = drafts.steps()
    task_id, mark = task_of("", source.path.name)
    models = {as_str(row.value.get("agent")).partition("_")[2] for row in rows} - {""}
    last = as_str(as_dict(rows[-1].value.get("action")).get("action")) if rows else ""
    info = TraceInfo(
        **ids(session_content(source)),
        format=format,
        importer=version,
        source_path=str(source.path),
        benchmark="ChatDev puppeteer",
        task_id=task_id,
        model=", ".join(sorted(models)),
        agent="ChatDev puppeteer",
        ended="submitted" if last.lower() in LAST else "unknown",
        n_messages=0 if source.is_json else len(rows),
        n_tool_calls=sum(len(step.calls) for step in steps),
        **totals(steps),
        meta=mark,
    )
    return Imported(Trace(info, steps, session_raw(source)), ignored=IGNORED)


def _step(drafts: Drafts, value: dict[str, Any], index: int, source: Source) -> None:
    """What an agent did: a call where it gave something to a tool, else what it thought."""
    action, result = as_dict(value.get("action")), as_dict(value.get("result"))
    draft = drafts.add(Draft("agent", [f"#{index}"]))
    name = as_str(action.get("action")) or "unknown"
    text = text_of(result.get("step_data"), source.warn)
    draft.extra |= {"agent": value.get("agent"), "action": name}
    draft.extra |= {key: item for key, item in action.items() if key not in ("action", "parameter")}
    if action.get("parameter"):
        draft.call(ToolCall(name, action["parameter"]))
        draft.results.append(Result(text, error=value.get("success") not in (None, True, "Success")))
    else:
        draft.say(text)
    if value.get("success") not in (None, True, "Success"):
        draft.fault = True
        draft.extra["success"] = value["success"]
    answer = shown(result.get("answer")).strip()
    if answer and answer not in text:
        draft.extra["answer"] = result["answer"]
    rest = {key: item for key, item in result.items() if key not in ("step_data", "answer")}
    rest |= {key: item for key, item in value.items() if key not in READ}
    rest |= {key: value[key] for key in ("cost", "tokens") if value.get(key) is not None}
    draft.extra |= rest
