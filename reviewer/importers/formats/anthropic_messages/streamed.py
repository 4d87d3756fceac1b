"""The pieces in which the Messages API streams a reply, put together to the message that they come to.

Knows nothing of files and steps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from reviewer.importers.opening.values import as_dict, as_int, as_list, as_str, parsed
from reviewer.trace import Json

START, ERROR = "message_start", "error"
PIECES = {
    START,
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
    ERROR,
}
# What a delta adds to its block: the key in the delta, the key in the block.
ADDED = {"text_delta": "text", "thinking_delta": "thinking"}


def is_piece(row: Json) -> bool:
    """Whether a row is an event of such a stream."""
    return as_str(as_dict(row).get("type")) in PIECES and not {"uuid", "sessionId"} & as_dict(row).keys()


def begins(row: Json) -> bool:
    """Whether a row is the event that begins a message."""
    return is_piece(row) and isinstance(as_dict(as_dict(row).get("message")).get("content"), list)


def message_of(pieces: Iterable[Json]) -> dict[str, Any]:
    """The message that these pieces come to, as far as they go."""
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    written: dict[int, str] = {}
    for piece in map(as_dict, pieces):
        kind, place = piece.get("type"), as_int(piece.get("index")) or 0
        delta = as_dict(piece.get("delta"))
        if kind == START:
            message = dict(as_dict(piece.get("message")))
        elif kind == "content_block_start":
            blocks[place] = dict(as_dict(piece.get("content_block")))
        elif kind == "content_block_delta":
            block = blocks.setdefault(place, {"type": "text"})
            if key := ADDED.get(as_str(delta.get("type"))):
                block[key] = as_str(block.get(key)) + as_str(delta.get(key))
            elif delta.get("type") == "input_json_delta":
                written[place] = written.get(place, "") + as_str(delta.get("partial_json"))
            elif delta.get("type") == "citations_delta":
                block["citations"] = [*as_list(block.get("citations")), delta.get("citation")]
        elif kind == "message_delta":
            message |= delta
            message["usage"] = as_dict(message.get("usage")) | as_dict(piece.get("usage"))
        elif kind == ERROR:
            message["error"] = piece.get("error")
    for place, text in written.items():
        if text and place in blocks:
            value = parsed(text)
            blocks[place]["input"] = text if value is None else value
    return message | {"content": [blocks[place] for place in sorted(blocks)]}


def apart(rows: Sequence[Json]) -> list[list[int]]:
    """The places of the rows of each message of a stream."""
    groups: list[list[int]] = []
    for place, row in enumerate(rows):
        if begins(row) or not groups:
            groups.append([])
        groups[-1].append(place)
    return [group for group in groups if begins(rows[group[0]])]
