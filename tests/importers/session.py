"""Rows of a Claude Code session, written by hand for the tests."""

from __future__ import annotations

from typing import Any


def row(kind: str, uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    message = more.pop("message", {})
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": "s-1",
        "isSidechain": False,
        "timestamp": f"2026-02-03T10:{len(uuid):02}:00.000Z",
        "message": {"role": kind, "content": content, **message},
        **more,
    }


def user(uuid: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    return row("user", uuid, parent, content, **more)


def agent(uuid: str, parent: str | None, content: Any, id: str = "", **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 100, "cache_read_input_tokens": 10, "output_tokens": 5}
    message = {"model": "model-1", "usage": usage, **({"id": id} if id else {}), **more.pop("message", {})}
    return row("assistant", uuid, parent, content, message=message, **more)


def use(id: str, name: str = "Bash", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def result(id: str, content: Any = "ok", error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": error}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}
