"""The observations of Langfuse as one kind of record: decoded, merged, in order, each with its place.

Input, output and metadata are JSON written as a text, sometimes twice, and null in list downloads. Exports
to blob storage write snake_case. Knows nothing of steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_str,
    iso,
    moment,
    parsed,
    span,
)
from reviewer.importers.shapes.model_parts import unwrapped
from reviewer.trace import Json

TYPES = {
    *("SPAN", "GENERATION", "EVENT", "AGENT", "TOOL", "CHAIN"),
    *("RETRIEVER", "EVALUATOR", "GUARDRAIL", "EMBEDDING"),
}
# How frameworks say in the attributes of a span that it is the run of a tool.
_TOOL_KINDS = {
    "openinference.span.kind": {"TOOL"},
    "gen_ai.operation.name": {"execute_tool"},
    "operation.name": {"ai.toolCall"},
    "ai.operationId": {"ai.toolCall"},
    "langsmith.span.kind": {"tool"},
    "traceloop.span.kind": {"tool"},
}
_NAMES = ("gen_ai.tool.name", "ai.toolCall.name", "tool.name", "traceloop.entity.name")
_CALL_IDS = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool.call_id")
_ARGUMENTS = ("gcp.vertex.agent.tool_call_args", "gen_ai.tool.call.arguments", "tool_arguments")
_RESULTS = ("gcp.vertex.agent.tool_response", "gen_ai.tool.call.result", "tool_response")
_SNAKE = re.compile(r"_([a-z])")
LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(slots=True)
class Observation:
    """One observation; `inner` are those that name it as their parent, in order."""

    row: dict[str, Any]
    index: int
    inner: list[Observation] = field(default_factory=list)

    @property
    def id(self) -> str:
        return as_id(self.row.get("id")) or f"#{self.index}"

    @property
    def kind(self) -> str:
        return as_str(self.row.get("type")).upper()

    @property
    def name(self) -> str:
        return as_str(self.row.get("name"))

    @property
    def input(self) -> Json:
        return unwrapped(self.row.get("input"))

    @property
    def output(self) -> Json:
        return unwrapped(self.row.get("output"))

    @property
    def metadata(self) -> dict[str, Any]:
        return as_dict(unwrapped(self.row.get("metadata")))

    @property
    def attributes(self) -> dict[str, Any]:
        return as_dict(unwrapped(self.metadata.get("attributes")))

    @property
    def failed(self) -> bool:
        return self.row.get("level") == "ERROR"

    @property
    def at(self) -> str:
        return iso(self.row.get("startTime"))

    @property
    def seconds(self) -> float | None:
        """From its times: what is called latency is in seconds here and in milliseconds there."""
        times = (self.row.get("startTime"), self.row.get("endTime"))
        return span(times)[1] if all(map(moment, times)) else None

    @property
    def started(self) -> datetime:
        return moment(self.row.get("startTime")) or LAST

    @property
    def tool(self) -> bool:
        """Whether it is the run of a tool; older integrations log those as spans."""
        if self.kind == "TOOL":
            return True
        if self.kind not in ("SPAN", "CHAIN"):
            return False
        given = self.attributes
        if any(as_str(given.get(key)) in kinds for key, kinds in _TOOL_KINDS.items()):
            return True
        return as_dict(self.output).get("type") == "tool" and "tool_call_id" in self.output

    @property
    def tool_name(self) -> str:
        given = self.attributes
        named = next((given[key] for key in _NAMES if isinstance(given.get(key), str)), "")
        said = as_str(as_dict(self.output).get("name")) if self.kind != "TOOL" else ""
        return named or said or self.name or "unknown"

    @property
    def call_id(self) -> str:
        given = self.attributes
        found = next((as_id(given[key]) for key in _CALL_IDS if given.get(key)), "")
        return found or as_id(as_dict(self.output).get("tool_call_id"))

    def asked(self) -> Json:
        """The arguments of the call that it ran."""
        given = self.input
        if given in (None, {}, ""):
            given = next((value for key in _ARGUMENTS if (value := self.attributes.get(key))), given)
        return unwrapped(given)

    def gave(self) -> Json:
        """What the call came back with."""
        result = self.output
        if result in (None, {}, ""):
            result = next((value for key in _RESULTS if (value := self.attributes.get(key))), result)
        return unwrapped(result)

    def usage(self) -> tuple[int | None, int | None, float | None]:
        """Tokens in, tokens out, cost; a cost of nothing without its parts is none."""
        row = self.row
        old, details = as_dict(row.get("usage")), as_dict(row.get("usageDetails"))
        parts = as_dict(row.get("costDetails"))
        tokens = [
            next(
                (n for n in numbers if n),
                next((n for n in numbers if n is not None), None) if details else None,
            )
            for numbers in (
                [
                    as_int(row.get("inputUsage")),
                    as_int(details.get("input")),
                    as_int(old.get("input")),
                    as_int(row.get("promptTokens")),
                ],
                [
                    as_int(row.get("outputUsage")),
                    as_int(details.get("output")),
                    as_int(old.get("output")),
                    as_int(row.get("completionTokens")),
                ],
            )
        ]
        costs = (row.get("totalCost"), row.get("calculatedTotalCost"), parts.get("total"))
        amounts = (as_float(parsed(cost) if isinstance(cost, str) else cost) for cost in costs)  # CSV: text
        cost = next((money for money in amounts if money), 0.0 if parts else None)
        return tokens[0], tokens[1], cost


def is_observation(row: Json) -> bool:
    """Whether this is an observation, in whichever case it is written."""
    row = as_dict(row)
    camel = "traceId" in row and "startTime" in row
    return as_str(row.get("type")) in TYPES and (camel or ("trace_id" in row and "start_time" in row))


def camel(row: dict[str, Any]) -> dict[str, Any]:
    """A row of a blob export with the names that the API uses."""
    if "trace_id" not in row:
        return row
    return {_SNAKE.sub(lambda found: found[1].upper(), key): item for key, item in row.items()}


def merged(*lists: Iterable[Json]) -> list[dict[str, Any]]:
    """Each observation once; what one list leaves empty is taken from the next."""
    found: dict[str, dict[str, Any]] = {}
    for number, rows in enumerate(lists):
        for index, row in enumerate(rows):
            if not isinstance(row, dict):
                continue
            own = camel(row)
            key = as_id(own.get("id")) or f"#{number}.{index}"
            known = found.setdefault(key, {})
            for name, item in own.items():
                if known.get(name) in (None, "", {}, [], "{}"):
                    known[name] = item
    return list(found.values())


def ordered(rows: Sequence[dict[str, Any]]) -> list[Observation]:
    """All of them in the order in which they began, a parent before its children."""
    every = [Observation(row, index) for index, row in enumerate(rows)]
    by_id = {item.id: item for item in every}
    depth: dict[str, int] = {}
    for item in every:
        up, steps = item, 0
        while steps < 64 and (above := by_id.get(as_id(up.row.get("parentObservationId")))) is not None:
            up, steps = above, steps + 1
        depth[item.id] = steps
    every.sort(key=lambda item: (item.started, depth[item.id], item.index))
    for item in every:
        parent = by_id.get(as_id(item.row.get("parentObservationId")))
        if parent is not None and parent is not item:
            parent.inner.append(item)
    return every


def within(item: Observation, kind: str, limit: int = 64) -> bool:
    """Whether an observation of this kind stands inside this one."""
    return limit > 0 and any(inner.kind == kind or within(inner, kind, limit - 1) for inner in item.inner)
