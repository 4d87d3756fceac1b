"""The runs of LangSmith as one kind of record: creates and updates merged, trees taken apart, in order.

Knows nothing of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    iso,
    moment,
    span,
)
from reviewer.trace import Json

TYPES = {"chain", "llm", "tool", "retriever", "parser", "prompt", "embedding"}
HIDDEN = "langsmith:hidden"
_MARKS = {
    "dotted_order",
    "trace_id",
    "inputs",
    "parent_run_id",
    "session_id",
    "child_runs",
    "execution_order",
}
_DEEP = 200


@dataclass(slots=True)
class Run:
    """One run; `inner` are those that it started."""

    row: dict[str, Any]
    index: int
    inner: list[Run] = field(default_factory=list)

    @property
    def id(self) -> str:
        return as_id(self.row.get("id")) or f"#{self.index}"

    @property
    def kind(self) -> str:
        return as_str(self.row.get("run_type"))

    @property
    def name(self) -> str:
        return as_str(self.row.get("name"))

    @property
    def metadata(self) -> dict[str, Any]:
        return as_dict(as_dict(self.row.get("extra")).get("metadata"))

    @property
    def error(self) -> str:
        error = self.row.get("error")
        return as_str(error) if error else "error" if self.row.get("status") == "error" else ""

    @property
    def hidden(self) -> bool:
        return HIDDEN in as_list(self.row.get("tags"))

    @property
    def at(self) -> str:
        return iso(self.row.get("start_time"))

    @property
    def seconds(self) -> float | None:
        times = (self.row.get("start_time"), self.row.get("end_time"))
        return span(times)[1] if all(map(moment, times)) else None

    @property
    def parent(self) -> str:
        """The run that started this one; raw ingest says it only by the path."""
        path = as_str(self.row.get("dotted_order")).split(".")
        return as_id(self.row.get("parent_run_id")) or (path[-2].partition("Z")[2] if len(path) > 1 else "")

    @property
    def message(self) -> dict[str, Any]:
        """The message that a model call gave back, without its wrapping."""
        outputs = as_dict(self.row.get("outputs"))
        first: Json = outputs.get("generations")
        while isinstance(first, list) and first:
            first = first[0]
        found = as_dict(as_dict(first).get("message")) or as_dict(outputs.get("message")) or outputs
        return as_dict(found.get("kwargs")) or found

    @property
    def model(self) -> str:
        asked = as_dict(as_dict(self.row.get("extra")).get("invocation_params"))
        reply = as_dict(self.message.get("response_metadata"))
        names = (
            self.metadata.get("ls_model_name"),
            asked.get("model"),
            asked.get("model_name"),
            reply.get("model_name"),
            reply.get("model"),
        )
        return next(filter(None, map(as_str, names)), "")

    def usage(self) -> tuple[int | None, int | None, float | None]:
        """Tokens in, tokens out, cost of a model call."""
        row, outputs = self.row, as_dict(self.row.get("outputs"))
        told = as_dict(self.message.get("usage_metadata")) or as_dict(outputs.get("usage_metadata"))
        old = as_dict(as_dict(outputs.get("llm_output")).get("token_usage"))
        old = (
            old
            or as_dict(outputs.get("usage"))
            or as_dict(as_dict(self.message.get("response_metadata")).get("token_usage"))
        )
        tokens = (
            _first(row.get("prompt_tokens"), told.get("input_tokens"), old.get("prompt_tokens")),
            _first(row.get("completion_tokens"), told.get("output_tokens"), old.get("completion_tokens")),
        )
        cost = row.get("total_cost")
        return *tokens, as_float(_number(cost))


def _first(*numbers: Json) -> int | None:
    """The first count that is there; a sum of 0 stands where nothing was counted."""
    known = [number for number in map(as_int, numbers) if number is not None]
    return next((number for number in known if number), known[0] if known else None)


def _number(value: Json) -> Json:
    """A number that is written as a text, as costs are."""
    plain = isinstance(value, str) and len(value) < 30 and value.replace(".", "", 1).isdecimal()
    return float(value) if plain else value


def is_run(row: Json) -> bool:
    row = as_dict(row)
    return as_str(row.get("run_type")) in TYPES and "id" in row and bool(_MARKS & row.keys())


def is_feedback(row: Json) -> bool:
    row = as_dict(row)
    return "key" in row and "run_id" in row and bool({"score", "value", "comment"} & row.keys())


def is_update(row: Json) -> bool:
    """The end of a run in raw ingest: its id and what became of it."""
    row = as_dict(row)
    return "id" in row and "run_type" not in row and bool({"end_time", "outputs", "error"} & row.keys())


def flat(row: dict[str, Any], parent: str = "", trace: str = "", deep: int = 0) -> Iterator[dict[str, Any]]:
    """A run and all in its tree, each with its trace and its parent."""
    own = {key: item for key, item in row.items() if key != "child_runs"}
    key = as_id(own.get("id"))
    trace = as_id(own.get("trace_id")) or trace or (key if is_run(own) else "")
    if trace:
        own["trace_id"] = trace
    if parent and not own.get("parent_run_id"):
        own["parent_run_id"] = parent
    yield own
    for child in as_list(row.get("child_runs")) if deep < _DEEP else ():
        if isinstance(child, dict):
            yield from flat(child, key, trace, deep + 1)


def merged(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each run once: what an update says fills and replaces what the create said."""
    found: dict[str, dict[str, Any]] = {}
    for index, row in enumerate(rows):
        known = found.setdefault(as_id(row.get("id")) or f"#{index}", {})
        known |= {key: item for key, item in row.items() if item is not None or key not in known}
    return list(found.values())


def ordered(rows: Sequence[dict[str, Any]]) -> list[Run]:
    """All runs as they began, each followed by what it started."""
    every = [Run(row, index) for index, row in enumerate(rows)]
    by_id = {run.id: run for run in every}
    every.sort(key=lambda run: (run.at or "9", as_str(run.row.get("dotted_order")), run.index))
    roots: list[Run] = []
    for run in every:
        above = by_id.get(run.parent)
        (above.inner if above is not None and above is not run else roots).append(run)
    found: list[Run] = []
    seen: set[int] = set()
    left = list(reversed([*roots, *every]))  # a ring of parents has no root
    while left:
        run = left.pop()
        if id(run) not in seen:
            seen.add(id(run))
            found.append(run)
            left.extend(reversed(run.inner))
    return found


def within(run: Run, kind: str, limit: int = 64) -> bool:
    """Whether a run of this kind stands inside this one."""
    return limit > 0 and any(item.kind == kind or within(item, kind, limit - 1) for item in run.inner)
