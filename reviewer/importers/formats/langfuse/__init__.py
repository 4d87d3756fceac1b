"""Langfuse: traces downloaded in the browser or from its API, and exports of observations.

A trace is one trace, whatever ran in it. Scores are outcomes; only a score that is called success and is
yes or no says whether the trace passed. What an annotator scored is kept as the grader's detail.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.langfuse.ignored import IGNORED
from reviewer.importers.formats.langfuse.observations import (
    Observation,
    camel,
    is_observation,
    merged,
    ordered,
)
from reviewer.importers.formats.langfuse.scores import outcomes
from reviewer.importers.formats.langfuse.steps import Steps, generations
from reviewer.importers.opening.shelf import Row, Shelf
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, iso, kind_of, span
from reviewer.importers.shapes.model_parts import unwrapped
from reviewer.importers.shapes.records import objects, rows
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Json, Trace, TraceInfo

FORMAT = "langfuse"
ABOUT = "Langfuse traces and exported observations (downloads, `GET /api/public/traces/ID`, batch exports)"
VERSION = 2
STREAMS = ("data",)
GRADER_FIELDS = ("scores", "corrections")
# What only a trace of Langfuse has; a trace without observations is known by two of them.
_OF_A_TRACE = {"sessionId", "bookmarked", "htmlPath", "projectId", "userId", "public", "release"}
_OF_OTEL = {"attributes", "resourceAttributes", "scope"}
_KEPT = ("name", "sessionId", "userId", "tags", "release", "version", "environment", "externalId")


@dataclass(slots=True)
class Run:
    """One trace of the file: its object (empty in exports of observations), its observations, its text."""

    trace: dict[str, Any]
    rows: list[dict[str, Any]]
    record: Json
    raw: str
    line: int = 0
    scores: list[Json] = field(default_factory=list)


def sniff(source: Source) -> bool:
    """Observations, or traces that hold some."""
    return any(_runs_in(row) or is_observation(row) for row in objects(source, 5))


def _runs_in(row: dict[str, Any]) -> bool:
    if isinstance(row.get("data"), list):
        return any(_is_trace(item) or is_observation(item) for item in row["data"][:5])
    inner = row.get("trace")
    return _is_trace(row) or (isinstance(inner, dict) and (_is_trace(inner) or _holds(row)))


def _is_trace(row: Json) -> bool:
    row = as_dict(row)
    known = len(_OF_A_TRACE & row.keys()) >= 2 and "timestamp" in row and "id" in row
    return _holds(row) or (known and ("observations" in row or "scores" in row))


def _holds(row: dict[str, Any]) -> bool:
    return any(map(is_observation, as_list(row.get("observations"))[:5]))


def read(source: Source) -> Iterator[Imported]:
    """Each trace; observations of an export are gathered by their trace."""
    repeats = Repeats(source)
    found = False
    for index, run in enumerate(_runs(source)):
        found = True
        yield from repeats.once(_imported(source, run, index), run.line)
    if not found:
        raise InputError(f"{source.path}: no Langfuse trace in it: no observations and no trace")


def _runs(source: Source) -> Iterator[Run]:
    if source.is_json and isinstance(source.value, dict) and not isinstance(source.value.get("data"), list):
        every: Iterator[Row] = iter([(0, source.value, source.text.strip(" \t\r\n"))])
    elif source.is_json and isinstance(source.value, dict):
        every = ((0, row, "") for row in source.each("data"))
    else:
        every = rows(source)
    loose = Shelf(source)
    for line, value, text in every:
        if not isinstance(value, dict):
            source.lose(f"a row that is {kind_of(value)}, not a trace or an observation, is skipped", line)
        elif {"traceId", "startTime"} <= (own := camel(value)).keys():
            loose.put(as_id(own.get("traceId")), line, value, text)
        elif isinstance(value.get("trace"), dict) or _trace_like(value):
            yield _run(value, text or json.dumps(value, ensure_ascii=False), line)
        else:
            source.lose("a row that is neither a trace nor an observation is skipped", line)
    for key in loose.names():
        group = list(loose.take(key))
        values = [value for _, value, _ in group]
        alone = len(group) == 1 and source.is_json
        texts = [text or json.dumps(value, ensure_ascii=False) for _, value, text in group]
        raw = texts[0] if alone else "[" + ",\n".join(texts) + "]"
        yield Run({}, merged(values), values[0] if alone else values, raw, group[0][0], _scores(*values))


def _trace_like(value: dict[str, Any]) -> bool:
    return bool({"observations", "timestamp", "scores"} & value.keys()) and "id" in value


def _run(value: dict[str, Any], raw: str, line: int) -> Run:
    trace = value["trace"] if isinstance(value.get("trace"), dict) else value
    lists = [as_list(value.get("observations")), as_list(trace.get("observations"))]
    own = merged(*(lists[:1] if trace is value else lists))
    return Run(trace, own, value, raw, line, _scores(trace, *([value] if trace is not value else []), *own))


def _scores(*holders: dict[str, Any]) -> list[Json]:
    return [score for holder in holders for score in as_list(holder.get("scores"))]


def _imported(source: Source, run: Run, index: int) -> Imported:
    every = ordered(run.rows)
    steps = Steps(every, run.trace, lambda why: source.warn(why, run.line))
    made = steps.steps()
    for row in run.rows:
        if not is_observation(row):
            source.warn(
                f"an observation of unknown type {as_str(row.get('type'))[:40]!r} is not shown", run.line
            )
    named = as_id(run.trace.get("id")) or next((as_id(row.get("traceId")) for row in run.rows), "")
    task_id, mark = task_of(named, source.path.name, index, alone=True)
    started, seconds = span(row.get(key) for row in run.rows for key in ("startTime", "endTime"))
    info = TraceInfo(
        **ids(_own(run.record)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=index,
        task_id=task_id,
        task=steps.task,
        model=_model(every),
        agent=_agent(every) or as_str(run.trace.get("name")),
        ended="error" if any(item.failed for item in every if _root(item)) else steps.ended,
        n_messages=len(run.rows),
        n_tool_calls=sum(item.kind == "TOOL" for item in every),
        **totals(made),
        started=iso(run.trace.get("timestamp")) or started,
        seconds=seconds,
        meta=_meta(run) | mark,
    )
    return Imported(
        Trace(info, made, run.raw),
        outcomes=outcomes(run.scores, run.trace.get("corrections")),
        ignored=IGNORED,
    )


def _root(item: Observation) -> bool:
    return not item.row.get("parentObservationId")


def _own(record: Json) -> Json:
    """The record without what graders wrote, on the trace as on each observation."""
    if isinstance(record, list):
        return [_own(item) for item in record]
    if not isinstance(record, dict):
        return record
    own = {key: item for key, item in record.items() if key not in GRADER_FIELDS}
    for key in ("trace", "observations"):
        if isinstance(own.get(key), dict | list):
            own[key] = _own(own[key])
    return own


def _model(every: Sequence[Observation]) -> str:
    """Of the first model call that names one; agents around it name what they asked for."""
    models = (as_str(item.row.get("model")) for item in [*generations(every), *every])
    return next(filter(None, models), "")


def _agent(every: Sequence[Observation]) -> str:
    names = [as_str(item.attributes.get("gen_ai.agent.name")) for item in every]
    return next(filter(None, [*names, *(item.name for item in every if item.kind == "AGENT")]), "")


def _meta(run: Run) -> dict[str, Json]:
    meta = {key: run.trace[key] for key in _KEPT if run.trace.get(key) not in (None, [], "")}
    said = unwrapped(run.trace.get("metadata"))
    if isinstance(said, dict):  # what OpenTelemetry adds repeats what the observations say
        said = {key: item for key, item in said.items() if key not in _OF_OTEL}
    if said:
        meta["metadata"] = said
    for key in as_dict(run.record) if run.trace and run.record is not run.trace else ():
        if key not in ("trace", "observations", "scores"):
            meta[key] = as_dict(run.record)[key]
    return meta
