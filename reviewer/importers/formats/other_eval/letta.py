"""Letta evals: a line a sample, with the messages of its agent and the grades it got.

The file is one run; its samples are children of it. Messages of one step of the agent (`step_id`) are one
step here. A header and a summary may stand around the results.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.other_eval.letta_messages import add_message
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_score,
    as_str,
    shown,
    span,
    total,
    verdict,
)
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record, records
from reviewer.importers.shapes.sessions import session_raw
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import MARK, task_of
from reviewer.trace import Ended, Json, Outcome, Step, Trace, TraceInfo, renumbered

GRADED = ("grade", "grades", "per_turn_grades", "submission", "submissions", "reward")
GRADER_FIELDS = (
    *(f"result.{key}" for key in GRADED),
    "result.sample.ground_truth",
    "result.sample.rubric_vars",
)
_MESSAGE = "result.trajectory[][]"
_IGNORED = {
    **{
        f"{_MESSAGE}.{key}": "of the server that ran the agent"
        for key in ("name", "otid", "sender_id", "seq_id", "run_id", "is_err", "step_id")
    },
    f"{_MESSAGE}.tool_calls": "the same calls again; read where there is no tool_call",
    f"{_MESSAGE}.tool_returns": "the same results again; read where there is no tool_return",
    f"{_MESSAGE}.date": "of a tool's return that of its call is shown",
    "result.agent_usage[].message_type": "always usage",
    "result.agent_usage[].total_tokens": "the sum of the other two",
    "result.agent_usage[].step_count": "the steps are counted here",
    "result.agent_usage[].steps_messages": "repeats the messages",
    "result.agent_usage[].run_ids": "of the server that ran the agent",
    "result.token_data": "the tokens of the messages",
    "result.agent_state": "the memory of the agent after the run",
    "type": "which kind of line it is",
    "config": "settings of the suite",
    "metrics": "over all samples",
    "gates_passed": "over all samples",
}
# A file of one line, and lines of several kinds.
IGNORED = {**_IGNORED, **{f"*.{path}": why for path, why in _IGNORED.items()}}


def is_result(row: dict[str, Any]) -> bool:
    """A line of results: a sample and the trajectory of its agent."""
    result = as_dict(row.get("result"))
    wrapped = "sample" in result and "trajectory" in result
    return wrapped or {"sample_id", "trajectory", "grades"} <= row.keys()


def _result(row: dict[str, Any]) -> dict[str, Any]:
    """The result in a line; since 0.10 it is the line, and its sample stands elsewhere."""
    return row["result"] if isinstance(row.get("result"), dict) else row


def read(source: Source, format: str, version: int) -> Iterator[Imported]:
    """The run, then its samples; a lone sample is the run."""
    source.hold()
    rows = list(records(source))
    results = [row for row in rows if is_result(row.value)]
    suite = next((row.value for row in rows if row.value.get("type") == "header"), {})
    samples = [_sample(source, row, suite, format, version) for row in results]
    task_id, mark = task_of("", source.path.name)
    first = samples[0].trace.info
    infos = [item.trace.info for item in samples]
    steps = _together(samples)
    run = TraceInfo(
        **ids([_own(row.value) for row in rows]),
        format=format,
        importer=version,
        source_path=str(source.path),
        benchmark=first.benchmark,
        task_id=task_id,
        task=first.task,
        model=", ".join(sorted({info.model for info in infos} - {""})),
        agent=first.agent,
        ended=first.ended if len(samples) == 1 else "unknown",
        n_messages=len(rows),
        n_tool_calls=sum(info.n_tool_calls for info in infos),
        **totals(steps)
        | {key: total(getattr(info, key) for info in infos) for key in ("tokens_in", "tokens_out")},
        started=next((info.started for info in infos if info.started), ""),
        seconds=first.seconds if len(samples) == 1 else None,
        meta={**mark, "samples": len(samples), **(_alone(first) if len(samples) == 1 else {})},
    )
    alone = samples[0].outcomes if len(samples) == 1 else ()
    yield Imported(Trace(run, steps, session_raw(source)), outcomes=alone, ignored=IGNORED)
    for place, item in enumerate(samples if len(samples) > 1 else []):
        stable = next((step.stable_id for step in steps if step.stable_id.startswith(f"{place}/")), "")
        yield _child(item, run.trace_id, stable)


def _alone(info: TraceInfo) -> dict[str, Json]:
    """What a lone sample adds to the run: its name, which is no name of the file."""
    return {"sample": info.task_id, **{key: item for key, item in info.meta.items() if key != MARK}}


def _child(item: Imported, parent: str, stable: str) -> Imported:
    info = replace(item.trace.info, parent_id=parent, parent_step=stable)
    return replace(item, trace=replace(item.trace, info=info))


def _together(samples: list[Imported]) -> tuple[Step, ...]:
    """All steps of the run, with ids that tell the samples apart."""
    if len(samples) == 1:
        return samples[0].trace.steps
    return renumbered(
        [
            replace(step, source_ids=tuple(f"{place}/{own}" for own in step.source_ids))
            for place, item in enumerate(samples)
            for step in item.trace.steps
        ]
    )


def _own(row: dict[str, Any]) -> Json:
    """A line without what graded it."""
    if not isinstance(row.get("result"), dict):
        return {key: item for key, item in row.items() if key not in ("metrics", "gates_passed", *GRADED)}
    result = {key: item for key, item in row["result"].items() if key not in GRADED}
    if isinstance(result.get("sample"), dict):
        result["sample"] = {
            key: item for key, item in result["sample"].items() if key not in ("ground_truth", "rubric_vars")
        }
    return {**row, "result": result}


def _sample(source: Source, row: Record, suite: dict[str, Any], format: str, version: int) -> Imported:
    result = _result(row.value)
    sample = as_dict(result.get("sample")) or {"id": result.get("sample_id")}
    drafts = Drafts()
    turns = as_list(result.get("trajectory"))
    messages = [item for turn in turns for item in (turn if isinstance(turn, list) else [turn])]
    for index, message in enumerate(messages):
        add_message(drafts, as_dict(message), index, lambda why: source.warn(why, row.line))
    error = as_dict(result.get("error"))
    if error:
        words = ": ".join(as_str(error.get(key)) for key in ("exception_type", "message") if error.get(key))
        drafts.add(Draft("system", ["error"], words or shown(error), kind="notice", fault=True))
    steps = drafts.steps()
    usage = [as_dict(item) for item in as_list(result.get("agent_usage"))] or [as_dict(result.get("usage"))]
    given = sample.get("input")
    asked = given if isinstance(given, str) else "\n\n".join(shown(item) for item in as_list(given))
    started, seconds = span([step.at for step in steps])
    task_id, mark = task_of(as_id(sample.get("id")), source.path.name, row.index, alone=False)
    sums = totals(steps)
    info = TraceInfo(
        **ids(_own(row.value)),
        format=format,
        importer=version,
        source_path=str(source.path),
        source_index=row.index,
        benchmark=as_str(suite.get("suite")) or "letta-evals",
        task_id=task_id,
        task=asked or next((step.message for step in steps if step.source == "user" and not step.kind), ""),
        model=as_str(result.get("model_name")) or as_str(result.get("model_handle")),
        agent="letta",
        ended=_ended(error, steps),
        n_messages=len(messages),
        n_tool_calls=sum(len(step.calls) for step in steps),
        **sums
        | {
            "tokens_in": total(as_int(item.get("prompt_tokens")) for item in usage),
            "tokens_out": total(as_int(item.get("completion_tokens")) for item in usage),
            "cost": as_float(result.get("cost", usage[0].get("cost"))),
        },
        started=started,
        seconds=as_float(as_dict(result.get("timing")).get("total")) or seconds,
        meta=_meta(result, sample) | mark,
    )
    return Imported(Trace(info, steps, row.raw), outcomes=_outcomes(result, sample), ignored=IGNORED)


def _ended(error: dict[str, Any], steps: tuple[Step, ...]) -> Ended:
    if error:
        return "error"
    return "submitted" if steps and steps[-1].source == "agent" and steps[-1].message else "unknown"


def _meta(result: dict[str, Any], sample: dict[str, Any]) -> dict[str, Json]:
    known = {
        "sample",
        "sample_id",
        "trajectory",
        "model_name",
        "model_handle",
        "agent_usage",
        "usage",
        "cost",
    }
    known |= {"timing", "error", "token_data", "agent_state", "type", *GRADED}
    meta = {key: item for key, item in result.items() if key not in known and item not in (None, [], {})}
    left = {
        key: item
        for key, item in sample.items()
        if key not in ("id", "input", "ground_truth", "rubric_vars") and item not in (None, [], {})
    }
    return meta | {f"sample.{key}": item for key, item in left.items()}


def _outcomes(result: dict[str, Any], sample: dict[str, Any]) -> tuple[Outcome, ...]:
    """The grade, and what was asked for beside what was given."""
    grade = as_dict(result.get("grade")) or as_dict(result.get("reward"))
    score = as_score(grade.get("score"))
    detail = {key: result[key] for key in ("grade", "grades", "per_turn_grades", "reward") if result.get(key)}
    detail |= {"rubric": sample["rubric_vars"]} if sample.get("rubric_vars") else {}
    truth = sample.get("ground_truth")
    given = result.get("submissions") or result.get("submission")
    if score is None and not detail and truth is None:
        return ()
    final = {"ground_truth": result.get("submission")} if truth is not None else None
    if given and given != result.get("submission"):
        detail["submissions"] = given
    expected = {"ground_truth": truth} if truth is not None else None
    return (Outcome(verdict(score), score, detail or None, final, expected),)
