"""smolagents: rows of its benchmarks (GAIA among them), and the memory of an agent as JSON.

A benchmark row holds question, answer, true answer and the memory: chat messages, or the Python reprs of
its steps, which are read and never run. Nobody graded a row: answer and true answer
stand side by side, and those of GAIA are compared by its own rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.smolagents import gaia
from reviewer.importers.formats.smolagents.messages import add_message, text_step
from reviewer.importers.formats.smolagents.steps import Memory, from_repr, kind_of_step
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_score,
    as_str,
    iso,
    kind_of,
    shown,
    span,
    verdict,
)
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sessions import session_content, session_raw, session_rows
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Outcome, Step, Trace, TraceInfo

FORMAT = "smolagents"
ABOUT = "smolagents benchmark rows (`output/*.jsonl`), GAIA runs, and `agent.memory.get_full_steps()` as JSON"
VERSION = 2
GRADER_FIELDS = ("true_answer", "correct", "is_correct", "score")
IGNORED = {
    "original_question": "read where it is not the question",
    "augmented_question": "stands in the step that gives the task",
    "intermediate_steps[].raw": "the provider's raw reply repeats the message; its model is read",
    "intermediate_steps[].model_input_messages": "repeats the memory at every step",
    "intermediate_steps[].content[].type": "text, or a picture that is named",
    "end_time": "read where start_time is written in the same way",
    "[].model_input_messages": "repeats the memory at every step",
    "[].model_output_message": "repeats the output; model and reasoning are read",
    "[].code_action": "stands in the call",
    "[].timing.end_time": "start and duration are read",
    "[].timing.duration": "read where it is a number",
    "[].is_final_answer": "the call says so",
    "[].token_usage.total_tokens": "the sum of the other two",
    "[].tool_calls[].type": "always a function",
    "token_counts.total_tokens": "the sum of the other two",
    "parsing_error": "the step that could not be parsed says so",
}
QUESTION = 60  # characters of the question, which name the task where nothing else does
READ = {
    "model_id",
    "agent_name",
    "agent_action_type",
    "question",
    "original_question",
    "augmented_question",
    "answer",
    "prediction",
    "source",
    "intermediate_steps",
    "start_time",
    "end_time",
    "token_counts",
    "task_id",
    "agent_error",
    "iteration_limit_exceeded",
    *GRADER_FIELDS,
}


def sniff(source: Source) -> bool:
    """Rows with a question and intermediate steps, or the steps of a memory."""
    rows = sample(source)
    return any(_is_row(row) for row in rows) or _is_memory(rows) or any(_is_run(row) for row in rows)


def _is_row(row: dict[str, Any]) -> bool:
    named = {"model_id", "agent_name", "agent_action_type"} & row.keys()
    return {"intermediate_steps", "question"} <= row.keys() and bool(named)


def _is_memory(rows: list[dict[str, Any]]) -> bool:
    kinds = [kind_of_step(row) for row in rows]
    actions = [row for row, kind in zip(rows, kinds, strict=True) if kind == "action"]
    return all(kinds) and any(
        {"model_input_messages", "action_output", "model_output", "llm_output"} & row.keys()
        and ({"timing", "duration", "token_usage"} & row.keys())
        for row in actions
    )


def _is_run(row: dict[str, Any]) -> bool:
    """The result of a run with its steps: `RunResult` as JSON."""
    steps = [step for step in as_list(row.get("steps"))[:40] if isinstance(step, dict)]
    return bool(steps) and "output" in row and _is_memory(steps)


def read(source: Source) -> Iterator[Imported]:
    """Each row, or the one memory of the file."""
    rows = sample(source)
    if not any("intermediate_steps" in row for row in rows) and _is_memory(rows):
        source.hold()
        given = [row.value for row in session_rows(source)]
        record = Record(0, 0, {"steps": given}, session_raw(source))
        yield _imported(source, record, given, session_content(source))
        return
    repeats = Repeats(source)
    found = False
    for record in records(source):
        steps: Json = record.value.get("intermediate_steps", record.value.get("steps"))
        if steps is None:
            source.lose("a row is skipped: it has no intermediate steps", record.line)
            continue
        found = True
        own = {key: item for key, item in record.value.items() if key not in GRADER_FIELDS}
        yield from repeats.once(_imported(source, record, steps, own), record.line)
    if not found:
        raise InputError(f"{source.path}: no run of smolagents in it: no row with intermediate steps")


def _imported(source: Source, record: Record, given: Json, own: Json) -> Imported:
    value = record.value

    def warn(reason: str) -> None:
        source.warn(reason, record.line)

    memory = Memory(warn)
    if isinstance(given, list):
        for index, item in enumerate(given):
            _step(memory, item, f"#{index}")
    else:
        warn(f"the steps of a row are {kind_of(given)}: only the question and the answer are shown")
        memory.step("task", {"task": as_str(value.get("question"))}, "question")
        memory.step("output", {"output": _answer(value)}, "answer")
    steps = memory.drafts.steps()
    question = as_str(value.get("question"))
    task_id, mark = task_of(
        as_id(value.get("task_id")) or question[:QUESTION], source.path.name, record.index
    )
    started, seconds = _time(value, [step.at for step in steps])
    counts = as_dict(value.get("token_counts") or value.get("token_usage"))
    sums = totals(steps)
    info = TraceInfo(
        **ids(own),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=_benchmark(value),
        task_id=task_id,
        task=question or memory.task,
        model=_model(value) or memory.model,
        agent=f"smolagents {as_str(value.get('agent_action_type'))}".strip(),
        ended=_ended(value, memory),
        n_messages=len(given) if isinstance(given, list) else 0,
        n_tool_calls=_n_calls(given, steps),
        **sums | _tokens(counts, sums),
        started=started,
        seconds=seconds,
        meta=_meta(value) | mark,
    )
    return Imported(Trace(info, steps, record.raw), outcomes=_outcomes(value), ignored=IGNORED)


def _benchmark(value: dict[str, Any]) -> str:
    return as_str(value.get("source")) or ("GAIA" if "augmented_question" in value else "")


def _n_calls(given: Json, steps: tuple[Step, ...]) -> int:
    """A message of calls counts as one, however many it names; else each call."""
    roles = [as_str(as_dict(item).get("role")).lower().replace("_", "-") for item in as_list(given)]
    calling = sum(role.endswith("tool-call") for role in roles)
    return calling or sum(len(step.calls) for step in steps)


def _step(memory: Memory, item: Json, source_id: str) -> None:
    kind, fields = from_repr(item) if isinstance(item, str) else ("", {})
    if kind:
        memory.step(kind, fields, source_id)
    elif isinstance(item, dict) and "role" in item:
        add_message(memory, item, source_id)
    elif isinstance(item, dict) and (kind := kind_of_step(item)):
        memory.step(kind, item, source_id)
    else:
        text_step(memory, item, source_id)


def _model(value: dict[str, Any]) -> str:
    return as_str(value.get("model_id")) or as_str(value.get("agent_name"))


def _answer(value: dict[str, Any]) -> Json:
    return next((value[key] for key in ("answer", "prediction", "output") if key in value), None)


def _time(value: dict[str, Any], times: list[Json]) -> tuple[str, float | None]:
    """Start and length; a number and a text without a zone cannot be subtracted."""
    start, end = value.get("start_time"), value.get("end_time")
    if start is None:
        return span(times)
    if type(start) is type(end):
        return span([start, end])
    return iso(start), span(times)[1]


def _tokens(counts: dict[str, Any], sums: dict[str, Any]) -> dict[str, Any]:
    """The row's own counts, else those of its steps."""
    found = {
        "tokens_in": as_int(counts.get("input_tokens", counts.get("input"))),
        "tokens_out": as_int(counts.get("output_tokens", counts.get("output"))),
    }
    return {key: sums[key] if count is None else count for key, count in found.items()}


def _failed(value: dict[str, Any]) -> bool:
    """Whether the run broke off; NaN and the text "None" are written for no error."""
    error = value.get("agent_error")
    return error not in (None, "", "None", "nan", False) and not (
        isinstance(error, float) and as_float(error) is None
    )


def _ended(value: dict[str, Any], memory: Memory) -> Ended:
    if _failed(value):
        return "error"
    if value.get("iteration_limit_exceeded") in (True, "True", "true") or memory.limit:
        return "limit"
    return "submitted" if _answer(value) not in (None, "") or _finished(memory) else "unknown"


def _finished(memory: Memory) -> bool:
    last = memory.drafts.last
    return last is not None and any(
        call.name == "final_answer" or "final_answer(" in shown(call.arguments) for call in last.calls
    )


def _outcomes(value: dict[str, Any]) -> tuple[Outcome, ...]:
    """The answers side by side, and a grade: one that a fork wrote, else what GAIA's rule says of them."""
    graded = next((value[key] for key in ("is_correct", "correct") if isinstance(value.get(key), bool)), None)
    score = as_score(value.get("score"))
    if "true_answer" not in value and graded is None and score is None:
        return ()
    passed = graded if graded is not None else verdict(value.get("score"))
    odd = {
        key: value[key]
        for key in ("is_correct", "correct", "score")
        if value.get(key) is not None and not isinstance(value[key], bool) and as_score(value[key]) is None
    }
    known = "true_answer" in value
    if known and passed is None and score is None and not odd and _benchmark(value) == "GAIA":
        passed = gaia.right(_answer(value), value["true_answer"])
        odd = {"compared": gaia.RULE} if passed is not None else {}
    return (
        Outcome(
            passed,
            score,
            odd or None,
            {"answer": _answer(value)} if known else None,
            {"answer": value["true_answer"]} if known else None,
        ),
    )


def _meta(value: dict[str, Any]) -> dict[str, Json]:
    meta = {key: item for key, item in value.items() if key not in READ and item not in (None, {}, [])}
    for key in ("steps", "token_usage", "output"):
        meta.pop(key, None)
    if value.get("original_question") not in (None, value.get("question")):
        meta["original_question"] = value["original_question"]
    if value.get("iteration_limit_exceeded") not in (None, False, "False"):
        meta["iteration_limit_exceeded"] = value["iteration_limit_exceeded"]
    if _failed(value):
        meta["agent_error"] = value["agent_error"]
    if value.get("model_id") and value.get("agent_name"):
        meta["agent_name"] = value["agent_name"]
    answer = _answer(value)
    if answer is not None:
        meta["answer"] = answer
    return meta
