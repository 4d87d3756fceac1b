"""Logs of Inspect AI: `.eval` archives (Zstandard members too) and `.json`, finished or not.

Each sample in each epoch is a trace, named by the ids that Inspect gave it: a log that is scored again or
written in another way holds the same traces. One sample is in memory at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.inspect.archive import Sample, is_log, samples
from reviewer.importers.formats.inspect.messages import Messages, tokens_in
from reviewer.importers.formats.inspect.pool import Pool, rebuilt
from reviewer.importers.formats.inspect.scores import has_scores, outcomes
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    dumped,
    iso,
    shown,
)
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import totals
from reviewer.trace import Ended, Json, Trace, TraceInfo, digest, trace_id

FORMAT = "inspect"
ABOUT = "Inspect AI logs, `.eval` and `.json` (`logs/` of the folder where `inspect eval` ran)"
VERSION = 2
STREAMS = ("samples",)
# What scorers write; events are left out of the hash with it, since scoring writes into them too.
GRADER_FIELDS = ("scores", "score")
HASHED = ("id", "epoch", "uuid", "input", "choices", "messages", "output", "error", "limit", "metadata")
LIMITS: dict[str, Ended] = {"time": "timeout", "working": "timeout", "operator": "user_stop"}
STOPS: dict[str, Ended] = {
    "content_filter": "refused",
    "max_tokens": "limit",
    "model_length": "limit",
    "stop": "submitted",
}
_SAMPLE = {
    "events": "the log of the run; of model calls time and usage are read, of edits and compactions all",
    "transcript": "the log of the run; of model calls the time and the usage are read",
    "events_data": "pooled messages of model calls; read where a sample has no messages",
    "message_pool": "pooled messages of model calls; read where a sample has no messages",
    "attachments": "shown where messages and scores refer to them",
    "store": "the memory of the scaffold",
    "output": "repeats the last message; model and stop reason are read",
    "model_usage": "the tokens of the evaluated model are read",
    "role_usage": "the tokens of the evaluated model are read",
    "working_time": "total_time is read",
    "input": "the first messages; read where the task is not among them",
    "files": "where the sandbox came from",
    "setup": "where the sandbox came from",
    "sandbox": "where the sandbox came from",
    "completed_at": "total_time is read",
    "messages[].content[].signature": "proves a thinking block to the provider",
    "messages[].content[].internal": "of the provider",
    "messages[].tool_calls[].type": "always a function",
    "messages[].tool_calls[].view": "the arguments as Inspect's own viewer shows them",
    "messages[].function": "the tool is named in the call that the message answers",
    "messages[].source": "tells apart the input from what the scaffold adds",
}
_HEADER = {
    "version": "of the log's layout",
    "results": "over all samples, not of this one",
    "reductions": "over all epochs of a sample, not of this one",
    "stats": "over all samples, not of this one",
    "plan": "the solvers; their names are read",
    "invalidated": "of the log as a whole",
    "eval": "task, model, version and the ids are read; the rest are settings",
    "summaries.json": "a short form of the samples",
    "reductions.json": "over all epochs of a sample, not of this one",
    "log_updates": "of the log as a whole",
}
IGNORED = {**_HEADER, **_SAMPLE, **{f"samples[].{key}": why for key, why in _SAMPLE.items()}}


def sniff(source: Source) -> bool:
    """An archive with the members of a log, or an object with version, status and eval."""
    if source.is_zip:
        return is_log(source)
    value = as_dict(source.value)
    eval_ = as_dict(value.get("eval"))
    return {"version", "status"} <= value.keys() and bool(
        {"task", "model", "run_id", "eval_id"} & eval_.keys()
    )


def read(source: Source) -> Iterator[Imported]:
    """Each sample of the log."""
    if not source.is_zip and not isinstance(as_dict(source.value).get("eval"), dict):
        raise InputError(f"{source.path}: no Inspect log: there is no object `eval` in it")
    repeats = Repeats(source)
    found = False
    for sample in samples(source):
        found = True
        yield from repeats.once(_imported(source, sample))
    if not found:
        reasons = [note.reason for note in source.notes()]
        raise InputError(f"{source.path}: no sample of the log can be read: {'; '.join(reasons[:3])}")


def _imported(source: Source, sample: Sample) -> Imported:
    value, about = sample.value, as_dict(sample.header.get("eval"))
    pool = Pool(value, source.warn)
    given = as_list(value.get("messages"))
    talk = pool.whole(given or rebuilt(value, pool))
    messages = Messages(talk, value, source.warn)
    _stops(messages, value)
    steps = messages.drafts.steps()
    hashed = {key: value[key] for key in HASHED if key in value} | {"messages": talk}
    model = as_str(about.get("model"))
    usage = _usage(value, model)
    sums = totals(steps)
    info = TraceInfo(
        trace_id=trace_id(_identity(value, about, hashed)),
        content_hash=digest(hashed),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=sample.index,
        benchmark=as_str(about.get("task_display_name")) or as_str(about.get("task")),
        task_id=as_id(value.get("id")),
        task=_task(pool.whole(value.get("input"))) or messages.task,
        model=model
        if model not in ("", "none/none", "none")
        else as_str(as_dict(value.get("output")).get("model")),
        agent=_agent(sample.header, about),
        attempt=as_int(value.get("epoch")),
        ended=_ended(value),
        n_messages=len(talk),
        n_tool_calls=messages.n_calls,
        **sums
        | {
            "tokens_in": tokens_in(usage) if usage else sums["tokens_in"],
            "tokens_out": as_int(usage.get("output_tokens")) if usage else sums["tokens_out"],
        },
        started=iso(value.get("started_at")) or next((step.at for step in steps if step.at), ""),
        seconds=as_float(value.get("total_time")),
        meta=_meta(sample, about),
    )
    return Imported(Trace(info, steps, sample.raw), outcomes=outcomes(value, pool), ignored=IGNORED)


def _identity(value: dict[str, Any], about: dict[str, Any], hashed: dict[str, Json]) -> Json:
    """The ids of the run, the sample and the epoch; without ids of the run, the conversation itself."""
    run = [about.get("run_id"), about.get("eval_id")]
    own = [value.get("id"), value.get("epoch"), value.get("uuid")]
    return (
        [FORMAT, *run, *own]
        if any(run) and value.get("id") is not None
        else [FORMAT, about.get("task"), hashed]
    )


def _stops(messages: Messages, value: dict[str, Any]) -> None:
    """What stopped the sample, as its last steps."""
    error, limit = value.get("error"), value.get("limit")
    if error:
        words = [shown(as_dict(error).get(key)) for key in ("message", "traceback")]
        text = "\n\n".join(word for word in words if word) or dumped(error)
        messages.notice("error", text, fault=True)
    if limit:
        kind, most = shown(as_dict(limit).get("type")) or dumped(limit), as_dict(limit).get("limit")
        messages.notice(
            "limit", f"stopped by the {kind} limit" + ("" if most is None else f" of {most}"), fault=False
        )


def _ended(value: dict[str, Any]) -> Ended:
    if value.get("error"):
        return "error"
    if value.get("limit"):
        return LIMITS.get(as_str(as_dict(value["limit"]).get("type")), "limit")
    choice = as_dict(next(iter(as_list(as_dict(value.get("output")).get("choices"))), None))
    known = STOPS.get(as_str(choice.get("stop_reason")))
    return known or ("submitted" if has_scores(value) else "unknown")


def _task(given: Json) -> str:
    """The task as the data set gives it: a text, or messages of which the first user's is it."""
    if isinstance(given, str):
        return given
    asked = [message for message in as_list(given) if as_dict(message).get("role") == "user"]
    return Messages(asked[:1], {}, lambda reason: None).task


def _usage(value: dict[str, Any], model: str) -> dict[str, Any]:
    """The tokens of the evaluated model; graders that are models have counts of their own."""
    every = as_dict(value.get("model_usage"))
    return as_dict(every.get(model)) or (as_dict(next(iter(every.values()))) if len(every) == 1 else {})


def _agent(header: dict[str, Any], about: dict[str, Any]) -> str:
    """The solver: named in the header, or the last step of the plan."""
    steps = as_list(as_dict(header.get("plan")).get("steps"))
    return as_str(about.get("solver")) or as_str(as_dict(steps[-1] if steps else None).get("solver"))


def _meta(sample: Sample, about: dict[str, Any]) -> dict[str, Json]:
    value = sample.value
    meta = {key: about[key] for key in ("created", "run_id", "eval_id", "task_version") if about.get(key)}
    version = as_dict(about.get("packages")).get("inspect_ai")
    meta |= {"inspect_ai": version} if version else {}
    if about.get("model_roles"):
        meta["model_roles"] = {
            role: as_dict(model).get("model", model) for role, model in as_dict(about["model_roles"]).items()
        } or about["model_roles"]
    meta["status"] = sample.header.get("status") or "started"
    for key in ("choices", "metadata", "error_retries", "invalidation", "uuid"):
        if value.get(key):
            meta[key] = value[key]
    choice = as_dict(next(iter(as_list(as_dict(value.get("output")).get("choices"))), None))
    if choice.get("stop_reason"):
        meta["stop_reason"] = choice["stop_reason"]
    return meta
