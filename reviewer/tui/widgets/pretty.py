"""JSON for reading: one key a line, any depth; of values, and of texts that are JSON in one line.

`json.dumps` stops at a few hundred levels and at integers of more than 4,300 digits; what a trace
contains has to be shown all the same.
"""

from __future__ import annotations

import json
import re

from reviewer.trace import Json

# Deeper levels are not indented further: nobody could read them at the right edge.
MAX_INDENT = 16
# A longer text is not read as JSON by itself: it would be felt at the key.
MOST = 100_000

_ENCODER = json.JSONEncoder(indent=2, ensure_ascii=False)
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\],:]|[^\s"{}\[\],:]++')


def pretty(value: Json) -> str:
    """`value` as indented JSON text; strings keep their characters."""
    try:
        pieces = list(_ENCODER.iterencode(value))
    except (RecursionError, ValueError, TypeError):
        return _unbounded(value)
    del value  # it may be megabytes that nobody else holds
    return "".join(pieces)


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


def indented(text: str) -> str | None:
    """A text that is a JSON object or list in one line, with line breaks; None for any other.

    Numbers, keys that come twice and their order stay as they are; escapes of letters become the letters.
    """
    bare = text.strip()
    if not (2 < len(bare) <= MOST and bare[0] + bare[-1] in ("{}", "[]")) or "\n" in bare:
        return None
    try:
        json.loads(bare)
    except (ValueError, RecursionError):
        return None
    out: list[str] = []
    level, empty = 0, False
    for token in _TOKENS.findall(bare):
        if token in ("{", "["):
            out += [_indent(level), token] if empty else [token]
            level, empty = level + 1, True
        elif token in ("}", "]"):
            level -= 1
            out += [token] if empty else [_indent(level), token]
            empty = False
        else:
            out += [_indent(level)] if empty else []
            empty = False
            out.append({",": "," + _indent(level), ":": ": "}.get(token) or _lettered(token))
    return "".join(out)


def _lettered(token: str) -> str:
    """A JSON string with its letters, where they stand as numbers."""
    if "\\u" not in token:
        return token
    text = json.dumps(json.loads(token), ensure_ascii=False)
    return token if re.search("[\ud800-\udfff]", text) else text
