"""mini-swe-agent trajectories: versions 0.x (a bare list of messages), 1 and 1.1.

Builds the trace around the steps of `mini_messages` and joins the outcome of an sb-cli report that
lies beside the file. The submission is the agent's product and shown as the last step.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.mini_swe_agent.messages import FENCE_OPEN, Messages
from reviewer.importers.joining.predictions import predicted
from reviewer.importers.joining.reports import beside
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_str, shown, span, total
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.task_ids import instance as named_after
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Trace, TraceInfo, digest, trace_id

FORMAT = "mini_swe_agent"
ABOUT = "mini-swe-agent `.traj.json`, 0.x to 2.x (the `--output` folder of a run)"
VERSION = 2
# A trajectory holds nothing that a grader wrote: that comes in a report of its own.
GRADER_FIELDS: tuple[str, ...] = ()

IGNORED = {
    "messages[].extra.response": "the provider's raw reply repeats the message; its usage is read",
    "messages[].extra.raw_output": "the observation is shown as the agent saw it",
    "messages[].extra.submission": "the same text is the content of the exit message",
    "messages[].tool_calls": "extra.actions holds what was run",
    "messages[].function_call": "always null: replaced by tool_calls",
    "messages[].provider_specific_fields": "of the provider, not of the conversation",
    "info.submission": "shown as the last step, unless the exit message already holds it",
    "info.traceback": "shown with the exit message",
    "info.exception_str": "shown with the exit message",
    "info.config.agent.system_template": "the prompt stands in the messages as it was sent",
    "info.config.agent.instance_template": "the prompt stands in the messages as it was sent",
    "info.config.model.format_error_template": "stands in the messages where it was used",
    "info.config.model.observation_template": "stands in the messages where it was used",
}
_TEMPLATES = {
    "agent": ("system_template", "instance_template", "action_observation_template", "format_error_template"),
    "model": ("format_error_template", "observation_template"),
}


def sniff(source: Source) -> bool:
    """By `trajectory_format`, or a bare list of messages whose assistant texts hold shell blocks."""
    if source.is_json and isinstance(source.value, list) and _bare(source.value):
        return True
    return any(_is_trajectory(row) for row in sample(source))


def _is_trajectory(row: dict[str, Any]) -> bool:
    marked = as_str(row.get("trajectory_format")).startswith("mini-swe-agent")
    return marked or ("mini_version" in as_dict(row.get("info")) and isinstance(row.get("messages"), list))


def _bare(messages: list[Json]) -> bool:
    rows = [row for row in messages if isinstance(row, dict)]
    if len(rows) != len(messages) or not all({"role", "content"} <= row.keys() for row in rows):
        return False
    if not {str(row["role"]) for row in rows} <= {"system", "user", "assistant", "exit"}:
        return False
    said = [as_str(row["content"]) for row in rows if row["role"] == "assistant"]
    blocks = sum(bool(FENCE_OPEN.search(text)) for text in said)
    ours = any("```mswea_bash_command" in text for text in said)
    return blocks > 0 and (ours or 2 * blocks >= len(said))


def read(source: Source) -> Iterator[Imported]:
    """Each trajectory of the file."""
    if source.is_json and isinstance(source.value, list) and not any(map(_is_trajectory, sample(source))):
        bare = {"messages": source.value}
        yield _imported(source, Record(0, 0, bare, source.text.strip(" \t\r\n")), source.value)
        return
    found = False
    for record in records(source):
        if isinstance(record.value.get("messages"), list):
            found = True
            yield _imported(source, record, record.value)
        else:
            source.warn("a row without a list of messages is skipped", record.line)
    if not found:
        raise InputError(f"{source.path}: no mini-swe-agent trajectory in it: there is no list of messages")


def _imported(source: Source, record: Record, whole: Json) -> Imported:
    value, info = record.value, as_dict(record.value.get("info"))
    messages = value["messages"]
    reader = Messages(messages, lambda reason: source.warn(reason, record.line))
    status = shown(info.get("exit_status")) or reader.exit_status
    reader.submission(as_str(info.get("submission")))
    steps = reader.drafts.steps()
    instance = as_id(value.get("instance_id"))
    task_id, mark = task_of(instance, source.path.name)
    started, seconds = span(reader.times)
    config = as_dict(info.get("config"))
    model = as_str(as_dict(config.get("model")).get("model_name")) or reader.model
    judged = instance or named_after(source.path.name) or named_after(source.path.parent.name)
    submission = as_str(info.get("submission")) or reader.handed_in
    predictor, handed_in = predicted(source.path, judged, submission, model)
    identity = digest(whole)  # no grader's fields: identity and content are the same record
    about = TraceInfo(
        trace_id=trace_id(whole),
        content_hash=identity,
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=_benchmark(config),
        task_id=task_id,
        task=reader.task,
        model=model or predictor,
        agent="mini-swe-agent",
        ended=ended(status),
        n_steps=len(steps),
        n_messages=len(messages),
        n_tool_calls=reader.n_calls,
        n_errors=sum(step.error for step in steps),
        tokens_in=total(step.metrics.tokens_in for step in steps if step.metrics),
        tokens_out=total(step.metrics.tokens_out for step in steps if step.metrics),
        cost=_cost(info, reader),
        started=started,
        seconds=seconds,
        meta=_meta(value, info, status) | mark,
    )
    outcomes = (*beside(source.path, judged), *handed_in) if judged else ()
    return Imported(Trace(about, steps, record.raw), outcomes=outcomes, ignored=IGNORED)


def ended(status: str) -> Ended:
    """How the run stopped, from mini-swe-agent's exit status, which is often an exception's name."""
    name = status.lower()
    if not name:
        return "unknown"
    if name == "submitted":
        return "submitted"
    if "timeout" in name or "timeexceeded" in name:
        return "timeout"
    if "limit" in name.replace("ratelimit", "") or "contextwindow" in name:
        return "limit"
    return "user_stop" if "interrupt" in name else "error"


def _benchmark(config: dict[str, Any]) -> str:
    """SWE-bench is known by the image its instances run in; nothing else in the file names it."""
    image = as_str(as_dict(config.get("environment")).get("image"))
    return "SWE-bench" if "sweb.eval" in image or "swebench" in image else ""


def _cost(info: dict[str, Any], reader: Messages) -> float | None:
    stated = as_float(as_dict(info.get("model_stats")).get("instance_cost"))
    costs = [
        draft.metrics.cost for draft in reader.drafts.all if draft.metrics and draft.metrics.cost is not None
    ]
    return stated if stated is not None else sum(costs) if costs else None


def _meta(value: dict[str, Any], info: dict[str, Any], status: str) -> dict[str, Json]:
    """What else is worth keeping: all of `info` but the long texts that are shown as steps."""
    left_out = {"submission", "traceback", "exception_str", "config", "exit_status"}
    meta = {key: item for key, item in info.items() if key not in left_out}
    config = {
        part: {key: item for key, item in content.items() if key not in _TEMPLATES.get(part, ())}
        if isinstance(content, dict)
        else content
        for part, content in as_dict(info.get("config")).items()
    }
    rest = {key: item for key, item in value.items() if key not in ("info", "messages", "instance_id")}
    return {
        **rest,
        **meta,
        **({"config": config} if config else {}),
        **({"exit_status": status} if status else {}),
    }
