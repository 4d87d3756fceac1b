"""An observation of OpenHands V0 as a result, and what the harness recalled as a text. Knows no order."""

from __future__ import annotations

from typing import Any

from reviewer.importers.joining.openhands import framed
from reviewer.importers.opening.values import as_code, as_dict, as_list, as_str, parsed, shown
from reviewer.importers.shapes.content import placeholder, readable, text_of
from reviewer.trace import Result

# The editor has no flag of its own: what went wrong begins so.
EDITS = ("edit", "read", "write")
_RECALLED = ("repo_instructions", "additional_agent_instructions", "conversation_instructions")


def result_of(event: dict[str, Any], call_id: str, warn: Any) -> Result:
    """The result, with what the harness put around it: that a command still runs, say."""
    extras, kind = as_dict(event.get("extras")), event.get("observation")
    about = as_dict(extras.get("metadata"))
    code = as_code(about.get("exit_code"))
    code = as_code(extras.get("exit_code")) if code is None else code
    denied = kind == "user_rejected"
    failed = kind == "error" or event.get("success") is False or extras.get("error") is True or bool(code)
    failed = failed or (kind in EDITS and as_str(event.get("content")).startswith("ERROR:"))
    failed = failed or (kind == "mcp" and as_dict(parsed(event.get("content"))).get("isError") is True)
    return Result(_text(event, extras, about, warn), call_id, failed and not denied, denied, code)


def _text(event: dict[str, Any], extras: dict[str, Any], about: dict[str, Any], warn: Any) -> str:
    text = framed(text_of(event.get("content"), warn), about)
    if not text and extras.get("outputs"):  # what a sub-agent hands back
        text = readable(extras["outputs"])
    if as_str(extras.get("last_browser_action_error")):
        text = (
            f"{text}\n{extras['last_browser_action_error']}" if text else extras["last_browser_action_error"]
        )
    pictures = [extras.get("screenshot"), *as_list(extras.get("image_urls"))]
    return "\n".join([*([text] if text else []), *images([picture for picture in pictures if picture])])


def images(pictures: list[Any]) -> list[str]:
    """Placeholders for pictures, given as URLs or as base64."""
    return [
        placeholder({"type": "image_url", "image_url": _url(picture)})
        for picture in pictures
        if isinstance(picture, str)
    ]


def _url(picture: str) -> str:
    return picture if picture.startswith(("http", "data:")) else f"data:image/png;base64,{picture}"


def recalled(event: dict[str, Any]) -> str:
    """The instructions and the knowledge that were put before the model, or ""."""
    extras = as_dict(event.get("extras"))
    parts = [shown(extras[key]) for key in _RECALLED if extras.get(key)]
    for item in as_list(extras.get("microagent_knowledge")):
        name, text = shown(as_dict(item).get("name")), shown(as_dict(item).get("content"))
        parts.append(f"[{name}]\n{text}" if name else text or shown(item))
    if extras.get("runtime_hosts"):
        parts.append("hosts: " + ", ".join(map(shown, as_dict(extras["runtime_hosts"]))))
    return "\n\n".join(filter(None, parts))
