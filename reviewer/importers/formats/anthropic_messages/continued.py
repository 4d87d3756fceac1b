"""Which recorded calls continue each other: each request repeats the talk so far, and adds to it.

A call continues the one whose messages are fewer and begin alike; one that asks for the same again continues
it only where no answer came. Marks for the cache wander from message to message and are no part of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from reviewer.importers.opening.values import as_list
from reviewer.trace import Json, digest

Pair: TypeAlias = Callable[[dict[str, Any]], "tuple[dict[str, Any], dict[str, Any]] | None"]


def continued(rows: Sequence[dict[str, Any]], pair: Pair) -> list[list[int]]:
    """The places of the rows by conversation, in the order in which these begin."""
    talks: list[list[int]] = []
    # by first message: how many messages the newest call had, whether it was answered, the places
    newest: dict[str, list[tuple[int, bool, list[int]]]] = {}
    for place, row in enumerate(rows):
        request, response = pair(row) or ({}, {})
        messages = as_list(request.get("messages"))
        begins = digest([_plain(messages[0])]) if messages else ""
        answered = bool(response.get("content"))
        open_ones = newest.setdefault(begins, [])
        for at in range(len(open_ones) - 1, -1, -1):
            length, had_answer, places = open_ones[at]
            if len(messages) > length or (len(messages) == length and not had_answer):
                places.append(place)
                open_ones[at] = (len(messages), answered, places)
                break
        else:
            talks.append([place])
            open_ones.append((len(messages), answered, talks[-1]))
    return talks


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if key != "cache_control"}
    return [_plain(item) for item in value] if isinstance(value, list) else value
