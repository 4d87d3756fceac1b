"""What the rows of a Claude Code conversation say in sum: tokens, model, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewer.importers.formats.claude_code.rows import Row
from reviewer.importers.formats.claude_code.steps import SYNTHETIC, Steps
from reviewer.importers.opening.values import as_dict, as_str
from reviewer.trace import Ended


def usage_of(talk: Sequence[Row]) -> list[dict[str, Any]]:
    """The usage of each API message once: its lines repeat it, the last one is complete."""
    last: dict[str, dict[str, Any]] = {}
    for row in talk:
        usage = as_dict(row.message.get("usage"))
        if row.kind == "assistant" and usage:
            last[as_str(row.message.get("id")) or row.id] = usage
    return list(last.values())


def model_of(talk: Sequence[Row]) -> str:
    """The model of the first turn."""
    models = (as_str(row.message.get("model")) for row in talk if row.kind == "assistant")
    return next((model for model in models if model and model != SYNTHETIC), "")


def ended_of(steps: Steps) -> Ended:
    """How a conversation stopped that does not say so itself."""
    if steps.failed:
        return "error"
    if steps.interrupted:
        return "user_stop"
    return "refused" if steps.refused else "unknown"
