"""The items of a run state: how the Agents SDK saves a run, in Python or JavaScript, as items of the API.

Knows nothing of steps and files.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.opening.values import as_dict, as_list, as_str
from reviewer.trace import Ended, Json

# JavaScript's names for what the API calls otherwise.
KEYS = {"callId": "call_id", "providerData": "provider_data", "rawContent": "raw_content"}
TYPES = {
    "function_call_result": "function_call_output",
    "computer_call_result": "computer_call_output",
    "hosted_tool_call": "mcp_call",
}
CALLS = {"tool_call_item", "handoff_call_item"}
ENDS: dict[str, Ended] = {"next_step_final_output": "submitted", "next_step_interruption": "user_stop"}


def get(state: dict[str, Any], name: str) -> Json:
    """A field by its name in Python, or by that name as JavaScript writes it."""
    head, *rest = name.split("_")
    return state.get(name, state.get(head + "".join(part.title() for part in rest)))


def entries(state: dict[str, Any]) -> list[dict[str, Any]]:
    """What the run made, in order."""
    return [as_dict(entry) for entry in as_list(get(state, "generated_items"))]


def item_of(entry: dict[str, Any]) -> dict[str, Any]:
    """The item of the API in an entry of the run."""
    raw = as_dict(get(entry, "raw_item"))
    item = {KEYS.get(key, key): value for key, value in raw.items()}
    kind = as_str(item.get("type"))
    if kind in TYPES:
        item["type"] = TYPES[kind]
    if kind == "function_call_result":
        item["output"] = _plain(item.get("output"))
    if as_str(entry.get("type")).endswith("_output_item") and not {"output", "result"} & item.keys():
        item["output"] = entry.get("output")
    return item


def _plain(output: Json) -> Json:
    """JavaScript wraps the text of a result."""
    value = as_dict(output)
    return value["text"] if value.get("type") == "text" and "text" in value else output


def agent_of(entry: dict[str, Any]) -> str:
    """Whose turn it was."""
    agent = as_dict(get(entry, "agent")) or as_dict(get(entry, "source_agent"))
    return as_str(agent.get("name"))


def ended(state: dict[str, Any]) -> Ended:
    """How the run stopped: with an answer, or waiting for a person."""
    return ENDS.get(as_str(as_dict(get(state, "current_step")).get("type")), "unknown")


def model(state: dict[str, Any]) -> str:
    """The model, which only JavaScript keeps, in what the provider said."""
    for response in as_list(get(state, "model_responses")):
        data = as_dict(as_dict(response).get("providerData")) or as_dict(response)
        if isinstance(data.get("model"), str):
            return str(data["model"])
    return ""


def usage(state: dict[str, Any]) -> dict[str, Any]:
    """The tokens of the whole run, by their names in the API."""
    found = as_dict(as_dict(state.get("context")).get("usage"))
    return {name: get(found, name) for name in ("input_tokens", "output_tokens")}
