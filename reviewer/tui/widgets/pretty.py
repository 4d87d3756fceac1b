"""JSON for reading: one key a line, any depth.

`json.dumps` stops at a few hundred levels and at integers of more than 4,300 digits; what a trace
contains has to be shown all the same.
"""

from __future__ import annotations

import json

from reviewer.trace import Json

# Deeper levels are not indented further: nobody could read them at the right edge.
MAX_INDENT = 16


def pretty(value: Json) -> str:
    """`value` as indented JSON text; strings keep their characters."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False)
    except (RecursionError, ValueError, TypeError):
        return _unbounded(value)


def _unbounded(value: Json) -> str:
    """The same without recursion. Works through a stack of finished texts and values still to write."""
    out: list[str] = []
    todo: list[tuple[str, Json, int, str]] = [("", value, 0, "")]  # before, value, level, after
    while todo:
        before, value, level, after = todo.pop()
        out.append(before)
        if isinstance(value, dict | list) and value:
            todo += reversed(_opened(value, level, after))
        else:
            out.append(_leaf(value) + after)
    return "".join(out)


def _opened(value: Json, level: int, after: str) -> list[tuple[str, Json, int, str]]:
    """The items of a container as further work, with its brackets around them."""
    inner, outer = _indent(level + 1), _indent(level)
    if isinstance(value, dict):
        items = [(f"{json.dumps(str(key), ensure_ascii=False)}: ", item) for key, item in value.items()]
        left, right = "{", "}"
    else:
        items = [("", item) for item in value]
        left, right = "[", "]"
    work = [(inner + key, item, level + 1, ",") for key, item in items]
    first, last = work[0], work[-1]
    work[0] = (left + first[0], *first[1:])
    work[-1] = (work[-1][0], last[1], last[2], outer + right + after)
    return work


def _indent(level: int) -> str:
    return "\n" + "  " * min(level, MAX_INDENT)


def _leaf(value: Json) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:  # an integer with too many digits for a decimal text
        return hex(value) if isinstance(value, int) else ascii(value)
    except TypeError:
        return ascii(value)
