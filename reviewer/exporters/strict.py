"""Strict JSON: what any parser reads back. NaN and Infinity, which JSON lacks, become texts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from reviewer.trace import Json


def dumps(value: Json, *, indent: int | None = None, beyond: bool = True) -> str:
    """ASCII JSON; control characters, lone surrogates and DEL are escaped, so it is inert on a terminal.

    `beyond` false: what is no number of JSON is null in place of a text.
    """
    text = json.dumps(finite(value, beyond=beyond), ensure_ascii=True, allow_nan=False, indent=indent)
    return text.replace("\x7f", "\\u007f")


def finite(value: Json, *, beyond: bool = True) -> Json:
    """The same value with NaN and the infinities as the texts `NaN`, `Infinity`, `-Infinity`, or as null."""
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        if not beyond:
            return None
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, Mapping):
        return {str(key): finite(inner, beyond=beyond) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [finite(inner, beyond=beyond) for inner in value]
    return value
