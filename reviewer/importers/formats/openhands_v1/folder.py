"""A conversation as the OpenHands SDK keeps it: `base_state.json`, and a folder with one file an event.

Events stand in the order of the numbers in their names. One that cannot be read is named and left out.
Where the state is lost, the first event stands for the conversation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Source
from reviewer.importers.joining.event_files import EVENTS, event_files
from reviewer.importers.opening.beside import LARGEST, read_beside
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.values import as_dict, as_int, as_list, total
from reviewer.trace import Json


def is_state(value: Json) -> bool:
    """The state of a conversation: its agent, and how it stands."""
    if not isinstance(value, dict) or not isinstance(value.get("agent"), dict) or "id" not in value:
        return False
    stands = {"execution_status", "agent_status", "confirmation_policy", "stats"} & value.keys()
    return len(stands) >= 2 and "history" not in value and "messages" not in value


def events_beside(source: Source) -> Iterator[tuple[dict[str, Any], str]]:
    """Value and text of each event beside a state."""
    return events_in(source.path.absolute().parent / EVENTS, source)


def events_in(folder: Path, source: Source) -> Iterator[tuple[dict[str, Any], str]]:
    """Value and text of each event in a folder."""
    for path in event_files(folder):
        name, data = f"{folder.name}/{path.name}", read_beside(path)
        if data is None:
            source.warn(f"{name} is skipped: no file of at most {LARGEST:,} bytes to be read")
            continue
        try:
            event = decode(path, data)
        except InputError as error:
            source.warn(f"{name} is skipped: {str(error).removeprefix(f'{path}: ')}")
            continue
        if event.is_json and isinstance(event.value, dict):
            yield event.value, event.text.strip(" \t\r\n")
        else:
            source.warn(f"{name} is skipped: it holds no event")


def spent(state: dict[str, Any]) -> dict[str, Any]:
    """Cost and tokens, summed over what the agent and its condenser used."""
    stats = as_dict(state.get("stats"))
    used = as_dict(stats.get("usage_to_metrics")) or as_dict(stats.get("service_to_metrics"))
    rows = [as_dict(row) for row in used.values()]
    tokens = [as_dict(row.get("accumulated_token_usage")) for row in rows]
    costs = [row["accumulated_cost"] for row in rows if isinstance(row.get("accumulated_cost"), int | float)]
    return {
        "accumulated_cost": sum(costs) if costs else None,
        "accumulated_token_usage": {
            key: total(as_int(row.get(key)) for row in tokens)
            for key in ("prompt_tokens", "completion_tokens")
        },
        "token_usages": [
            item for row in rows for item in as_list(row.get("token_usages")) if isinstance(item, dict)
        ],
    }
