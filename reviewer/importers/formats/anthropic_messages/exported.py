"""Conversations as claude.ai exports them (`conversations.json`), as requests of the Messages API.

A message that was written again leaves the old one where it stood: read is the branch that was shown last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str
from reviewer.trace import Json

_ROLES = {"human": "user", "assistant": "assistant"}


def is_export(row: Json) -> bool:
    """A conversation with messages that have a sender."""
    messages = as_list(as_dict(row).get("chat_messages"))
    return any(as_str(as_dict(message).get("sender")) in _ROLES for message in messages)


def request(row: dict[str, Any], warn: Callable[[str], None]) -> dict[str, Any]:
    """The conversation as a request; what is known of it besides."""
    every = [as_dict(message) for message in as_list(row.get("chat_messages"))]
    branch = _branch(every, as_id(row.get("current_leaf_message_uuid")))
    if len(branch) < len(every):
        warn("messages of branches that were left are not shown (they stay in the raw record)")
    about = {key: item for key, item in row.items() if key not in ("chat_messages", "uuid") and item}
    return {**about, "messages": [_message(message) for message in branch]}


def _branch(every: list[dict[str, Any]], leaf: str) -> list[dict[str, Any]]:
    """The messages from the first to the leaf; all where they are not linked to it."""
    by_id = {as_id(message.get("uuid")): message for message in every}
    found: list[dict[str, Any]] = []
    while leaf in by_id:
        message = by_id.pop(leaf)
        found.append(message)
        leaf = as_id(message.get("parent_message_uuid"))
    return found[::-1] or every


def _message(message: dict[str, Any]) -> dict[str, Any]:
    sender = message.get("sender")
    blocks = [_block(block) for block in as_list(message.get("content"))]
    if not blocks and message.get("text"):
        blocks = [{"type": "text", "text": message["text"]}]
    for part in map(as_dict, as_list(message.get("attachments"))):
        words = filter(None, (as_str(part.get("file_name")), as_str(part.get("extracted_content"))))
        blocks.append({"type": "text", "text": "\n".join(words)})
    for part in map(as_dict, as_list(message.get("files"))):
        blocks.append({"type": "text", "text": f"[file {as_str(part.get('file_name'))}]"})
    role = _ROLES.get(sender, sender) if isinstance(sender, str) else sender
    own = {"role": role, "content": blocks, "stop_reason": message.get("stop_reason")}
    return own | ({"model": message["model"]} if message.get("model") else {})


def _block(block: Json) -> Json:
    """A block; of thinking that is kept only in sum the sum."""
    inner = as_dict(block)
    if inner.get("type") == "thinking" and not inner.get("thinking"):
        sums = [as_str(as_dict(part).get("summary")) for part in as_list(inner.get("summaries"))]
        return {**inner, "thinking": "\n".join(filter(None, sums))}
    return block
