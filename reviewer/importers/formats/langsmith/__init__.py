"""LangSmith: trees of runs, lists of runs, and the raw create and update operations of the ingest.

All runs of one trace id are one trace, however they are stored. Feedback is an outcome; only feedback that
is called success and is yes or no says whether the trace passed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.langsmith.ignored import IGNORED
from reviewer.importers.formats.langsmith.runs import (
    TYPES,
    Run,
    flat,
    is_feedback,
    is_run,
    is_update,
    merged,
    ordered,
)
from reviewer.importers.formats.langsmith.steps import Steps, model_calls
from reviewer.importers.opening.shelf import Row, Shelf
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_score, as_str, kind_of, span
from reviewer.importers.shapes.records import objects, rows
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.importers.shapes.verdicts import passed
from reviewer.trace import Json, Outcome, Trace, TraceInfo

FORMAT = "langsmith"
ABOUT = "LangSmith runs: exports, run trees, raw ingest (`client.list_runs(…)`, `client.read_run(…)`)"
VERSION = 2
GRADER_FIELDS = ("feedback", "feedback_stats", "feedbacks")
# Objects that hold runs: a batch of the ingest, and what export scripts write.
_HOLDERS = ("post", "patch", "runs", "traces", "data", "feedback")
STREAMS = _HOLDERS
_KEPT = ("session_id", "session_name", "reference_example_id", "tags", "app_path")


@dataclass(slots=True)
class Group:
    """The rows of one trace, with their texts."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    feedback: list[Json] = field(default_factory=list)
    record: list[Json] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    line: int = 0


def sniff(source: Source) -> bool:
    """Runs: a type, an id and a place in a trace."""
    for row in objects(source, 10):
        if is_run(row):
            return True
        if any(is_run(item) for key in _HOLDERS for item in as_list(row.get(key))[:5]):
            return True
    return False


def read(source: Source) -> Iterator[Imported]:
    """Each trace, in the order of their first rows."""
    shelf = _sorted(source)
    keys = shelf.names()
    if not keys:
        raise InputError(f"{source.path}: no LangSmith run in it: no object with a run_type")
    repeats = Repeats(source)
    for index, key in enumerate(keys):
        group = _group(shelf.take(key))
        yield from repeats.once(_imported(source, key, group, index, len(keys) == 1), group.line)


def _rows(source: Source) -> Iterator[Row]:
    """Line, value and text of each row, wherever an export puts them."""
    value = source.value
    if source.is_json and isinstance(value, dict) and not is_run(value):
        for key in _HOLDERS:
            yield from ((0, row, "") for row in source.each(key))
    elif source.is_json and isinstance(value, dict):
        yield 0, value, source.text.strip(" \t\r\n")
    else:
        yield from rows(source)


def _sorted(source: Source) -> Shelf:
    """The rows by their traces."""
    shelf, late = Shelf(source), Shelf(source)
    of: dict[str, str] = {}  # the trace of each run
    for line, row, text in _rows(source):
        if is_run(row):
            inner = list(flat(row))
            key = as_id(inner[0].get("trace_id"))
            of |= {as_id(item.get("id")): key for item in inner}
            shelf.put(key, line, row, text)
        elif isinstance(row, dict) and (is_update(row) or is_feedback(row) or "run_type" in row):
            late.put("", line, row, text)
        else:
            what = "is neither a run nor feedback" if isinstance(row, dict) else f"is {kind_of(row)}"
            source.lose(f"a row that {what} is skipped", line)
    known = set(shelf.names())
    for line, row, text in late.take(""):
        mine = as_id(row.get("trace_id")) or of.get(as_id(row.get("run_id") or row.get("id")), "")
        if mine not in known:
            source.lose("an update or feedback whose run is not in the file is skipped", line)
        else:
            shelf.put(mine, line, row, text)
    return shelf


def _group(found: Iterable[Row]) -> Group:
    """The rows of one trace."""
    group = Group()
    for line, row, text in found:
        group.line = group.line if group.raw else line
        group.raw.append(text or json.dumps(row, ensure_ascii=False))
        if is_run(row):
            group.rows.extend(flat(row))
        elif is_feedback(row):
            group.feedback.append(row)
            continue
        else:
            group.rows.append(row)
        group.record.append(_own(row))
    return group


def _own(row: Json) -> Json:
    """A run without what graders wrote, in its tree as well."""
    if not isinstance(row, dict):
        return row
    own = {key: item for key, item in row.items() if key not in GRADER_FIELDS}
    if isinstance(own.get("child_runs"), list):
        own["child_runs"] = [_own(child) for child in own["child_runs"]]
    return own


def _imported(source: Source, key: str, group: Group, index: int, alone: bool) -> Imported:
    every = ordered(merged(group.rows))
    steps = Steps(every, lambda why: source.warn(why, group.line))
    made = steps.steps()
    for run in every:
        if run.kind not in TYPES:
            source.warn(f"unknown run type {run.kind[:40]!r} is shown as a notice", group.line)
    root = every[0]
    task_id, mark = task_of(key, source.path.name, index, alone)
    started, seconds = span(run.row.get(name) for run in every for name in ("start_time", "end_time"))
    info = TraceInfo(
        **ids(group.record[0] if len(group.record) == 1 else group.record),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=index,
        task_id=task_id,
        task=steps.task,
        model=next(filter(None, (run.model for run in [*model_calls(every), *every])), ""),
        agent=root.name,
        ended="error" if root.error else steps.ended,
        n_messages=len(every),
        n_tool_calls=sum(run.kind == "tool" for run in every),
        **totals(made),
        started=started,
        seconds=seconds,
        meta=_meta(root) | mark,
    )
    raw = group.raw[0] if len(group.raw) == 1 else "[" + ",\n".join(group.raw) + "]"
    return Imported(Trace(info, made, raw), outcomes=_outcomes(every, group.feedback), ignored=IGNORED)


def _meta(root: Run) -> dict[str, Json]:
    meta = {key: root.row[key] for key in _KEPT if root.row.get(key) not in (None, [], "")}
    return meta | ({"metadata": root.metadata} if root.metadata else {})


def _outcomes(every: Sequence[Run], loose: Sequence[Json]) -> tuple[Outcome, ...]:
    """Feedback one by one, and where only its sums were exported, those."""
    root = every[0].id
    given = [(as_id(as_dict(item).get("run_id")) or root, item) for item in loose]
    for run in every:
        listed = [item for key in ("feedback", "feedbacks") for item in as_list(run.row.get(key))]
        given.extend((run.id, item) for item in listed)
        if not listed:
            for key, stats in as_dict(run.row.get("feedback_stats")).items():
                item = {"key": key, **(stats if isinstance(stats, dict) else {"avg": stats})}
                given.append((run.id, {**item, "feedback_source": {"type": "sums"}}))
    names: Counter[str] = Counter()
    found: list[Outcome] = []
    for run_id, item in given:
        if not isinstance(item, dict):
            continue
        source = as_str(as_dict(item.get("feedback_source")).get("type")) or "api"
        origin = f"feedback {as_str(item.get('key'))} ({source})"
        names[origin] += 1
        nth = f" #{names[origin]}" if names[origin] > 1 else ""
        score = item.get("score", item.get("avg"))
        says = passed(as_str(item.get("key")), score, item.get("value")) if run_id == root else None
        found.append(Outcome(says, as_score(score), item, origin=origin + nth))
    return tuple(found)
