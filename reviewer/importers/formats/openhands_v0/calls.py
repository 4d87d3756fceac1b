"""An action of OpenHands V0 as a tool call: its name, its arguments, what the model's reply says beside it.

The event holds what was run, the model's reply what was asked for; the two are put together, since an edit
keeps the new text in the reply only. Knows no order of events.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, parsed
from reviewer.importers.shapes.content import text_of
from reviewer.trace import Json, Metrics

# How the harness runs a call: nothing that the model said.
HOUSE = {
    "thought",
    "hidden",
    "confirmation_state",
    "is_confirmed",
    "blocking",
    "is_static",
    "impl_source",
    "kernel_init_code",
    "include_extra",
    "return_axtree",
    "cwd",
}
# Derived from the model's own arguments, where those are known.
DERIVED = {"start", "end", "content", "translated_ipython_code"}
_EMPTY: tuple[Json, ...] = (None, "", -1, [], {})


def response(event: dict[str, Any]) -> dict[str, Any]:
    """The reply of the model that an action was made from."""
    return as_dict(as_dict(event.get("tool_call_metadata")).get("model_response"))


def reply(event: dict[str, Any]) -> dict[str, Any]:
    """The message in that reply."""
    choice = next(iter(as_list(response(event).get("choices"))), None)
    return as_dict(as_dict(choice).get("message"))


def call_of(event: dict[str, Any]) -> tuple[str, Json]:
    """Name and arguments of the call that the action stands for."""
    kind, args = as_str(event.get("action")), as_dict(event.get("args"))
    if kind == "call_tool_mcp" and args.get("name"):
        return as_id(args["name"]), args.get("arguments")
    name = as_str(as_dict(event.get("tool_call_metadata")).get("function_name")) or kind
    asked = _asked(event)
    run = {key: item for key, item in args.items() if key not in HOUSE and item not in _EMPTY}
    if asked is None:
        if kind == "think":
            return name, {"thought": args.get("thought")}
        return name, run
    if run.get("final_thought") == asked.get("message"):
        run.pop("final_thought", None)
    return name, asked | {key: item for key, item in run.items() if key in asked or key not in DERIVED}


def _asked(event: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments that the model wrote, if they are an object."""
    wanted = as_id(as_dict(event.get("tool_call_metadata")).get("tool_call_id"))
    for call in as_list(reply(event).get("tool_calls")):
        if as_id(as_dict(call).get("id")) == wanted:
            given = as_dict(as_dict(call).get("function")).get("arguments")
            value = given if isinstance(given, dict) else parsed(given)
            return value if isinstance(value, dict) else None
    return None


def said(event: dict[str, Any], warn: Any) -> tuple[str, str]:
    """What the model said beside the call, and its reasoning."""
    message, thought = reply(event), as_str(as_dict(event.get("args")).get("thought"))
    content = text_of(message.get("content"), warn)
    reasoning = text_of(message.get("reasoning_content"), warn)
    if event.get("action") == "think":  # there the thought is the argument, after the content
        return content, reasoning
    told = thought.strip() and thought.strip() not in (content or reasoning)
    return (f"{content}\n\n{thought}" if content else thought) if told else content, reasoning


def usage(event: dict[str, Any], cost: float | None) -> Metrics | None:
    """The tokens of the reply, and the cost where it is known."""
    counted = as_dict(response(event).get("usage"))
    tokens_in, tokens_out = as_int(counted.get("prompt_tokens")), as_int(counted.get("completion_tokens"))
    if tokens_in is None and tokens_out is None and not cost:
        return None
    return Metrics(tokens_in, tokens_out, cost)
