"""What all versions of moatless share: an action as a call, what it used, what came of it. Knows no order."""

from __future__ import annotations

from collections.abc import Iterable

from reviewer.importers.opening.values import as_dict, as_float, as_int, as_str, shown, total
from reviewer.importers.shapes.content import readable
from reviewer.trace import Json, Metrics, Result, ToolCall

# What the model thought before it acted, by the names it had in the course of the versions.
THOUGHTS = ("scratch_pad", "thoughts")
_NAMES = ("action_args_class", "action_class", "action_name")


def call_of(action: Json, name: str, call_id: str) -> tuple[str, ToolCall]:
    """The thoughts in an action, and the rest of it as a call."""
    if not isinstance(action, dict):
        return "", ToolCall(name or "unknown", action, call_id)
    thoughts = "\n\n".join(filter(None, (shown(action.get(key)) for key in THOUGHTS)))
    classed = next((as_str(action[key]) for key in _NAMES if action.get(key)), "")
    named = name or as_str(action.get("name")) or classed.rpartition(".")[2].removesuffix("Args")
    left_out = {*THOUGHTS, *_NAMES, *(() if name else ("name",))}
    arguments = {key: item for key, item in action.items() if key not in left_out and item is not None}
    return thoughts, ToolCall(named or "unknown", arguments, call_id)


def observed(seen: Json, call_id: str) -> Result:
    """An observation of 0.4 and later: its message, and what its properties flag."""
    if not isinstance(seen, dict):
        return Result(shown(seen), call_id)
    about = as_dict(seen.get("properties"))
    failed = (
        bool(about.get("fail_reason")) or seen.get("expect_correction") is True or bool(seen.get("error"))
    )
    text = shown(seen.get("message")) or shown(seen.get("error"))
    told = {
        key: item for key, item in about.items() if item not in (None, "", [], {}) and key != "test_results"
    }
    if not text:
        text = readable(told) if told else shown(seen.get("summary"))
    elif about.get("fail_reason"):
        text = f"{text}\n[{shown(about['fail_reason'])}]"
    return Result(text, call_id, error=failed)


def usage_of(rows: Iterable[Json]) -> Metrics | None:
    """Tokens and cost, summed over the calls of a model."""
    used = [as_dict(row) for row in rows]
    tokens_in = total(as_int(row.get("prompt_tokens", row.get("input_tokens"))) for row in used)
    tokens_out = total(as_int(row.get("completion_tokens", row.get("output_tokens"))) for row in used)
    costs = [cost for row in used if (cost := as_float(row.get("completion_cost"))) is not None]
    if tokens_in is None and tokens_out is None and not costs:
        return None
    return Metrics(tokens_in, tokens_out, sum(costs) if costs else None)
