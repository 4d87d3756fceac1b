"""An observation of the OpenHands SDK as a result: its text, wherever its kind keeps it, and its flags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.joining.openhands import framed
from reviewer.importers.opening.values import as_code, as_dict, as_str, shown
from reviewer.importers.shapes.content import placeholder, readable, text_of
from reviewer.trace import Json, Result

Warn = Callable[[str], None]
# Fields that say how an observation came about, or say again what its text says.
QUIET = {
    "kind",
    "command",
    "metadata",
    "prev_exist",
    "path",
    "old_content",
    "new_content",
    "full_output_save_dir",
}
_TEXTS = ("output", "content", "message")


def blocks(value: Json, warn: Warn) -> str:
    """The text of a list of blocks, of one block, or of a plain text."""
    return text_of([value] if isinstance(value, dict) else value, warn)


def result_of(event: dict[str, Any], call_id: str, warn: Warn) -> Result:
    """What came back for a call: an observation, an error of the harness, or a refusal."""
    kind = event.get("kind")
    if kind == "UserRejectObservation":
        return Result(shown(event.get("rejection_reason")), call_id, denied=True)
    if kind == "AgentErrorEvent":
        return Result(shown(event.get("error")), call_id, error=True)
    seen = as_dict(event.get("observation"))
    about = as_dict(seen.get("metadata"))
    code = as_code(seen.get("exit_code"))
    code = as_code(about.get("exit_code")) if code is None else code
    failed = bool(seen.get("error")) or seen.get("is_error") is True or seen.get("timeout") is True
    text = framed(_text(seen, event.get("observation"), warn), about)
    more = blocks(event.get("extended_content"), warn)
    return Result(f"{text}\n\n{more}" if more else text, call_id, failed or bool(code), exit_code=code)


def _text(seen: dict[str, Any], whole: Json, warn: Warn) -> str:
    parts = [text for key in _TEXTS if (text := blocks(seen.get(key), warn))][:1]
    error = as_str(seen.get("error"))
    parts += [error] if error and error not in "".join(parts) else []
    if isinstance(seen.get("screenshot_data"), str) and seen["screenshot_data"]:
        url = f"data:image/png;base64,{seen['screenshot_data']}"
        parts.append(placeholder({"type": "image_url", "image_url": url}))
    if parts:
        return "\n".join(parts)
    # An observation of a kind not known here is shown whole, without what is quiet in all of them.
    rest = {
        key: item for key, item in seen.items() if key not in {*QUIET, *_TEXTS} and item not in (None, "")
    }
    left = {key: item for key, item in rest.items() if item not in (False, [], {})}
    if left and left.keys() - {"exit_code", "error", "timeout", "is_error"}:
        return readable(left)
    return "" if isinstance(whole, dict) else shown(whole)
