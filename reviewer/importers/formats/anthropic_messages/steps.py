"""Content blocks of Anthropic's Messages API, folded into steps.

An assistant message is a step with its thinking, its calls and their results. Tools that run on the
provider's side answer inside the same message: what the model says after such a result is a new step.
Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import (
    as_code,
    as_dict,
    as_id,
    as_int,
    as_list,
    as_str,
    kind_of,
    shown,
    total,
)
from reviewer.importers.shapes.content import readable, text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, ToolCall

CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
READ = {"role", "content", "id", "type", "model", "usage", "stop_reason", "stop_sequence", "stop_details"}


class Talk:
    """Reads messages once, in order, and keeps what the trace needs to know of them."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.n_calls = 0
        self.stop_reason = ""

    def system(self, prompt: Json) -> None:
        """The system prompt, which is no message here."""
        text = text_of(prompt, self.warn)
        if text:
            self.drafts.add(Draft("system", ["system"], text))

    def message(self, message: Json, source_id: str) -> None:
        if not isinstance(message, dict):
            self.warn(f"an entry that is {kind_of(message)}, not a message, is shown as it stands")
            self.drafts.add(Draft("system", [source_id], shown(message) or "null", kind="notice"))
            return
        content = message.get("content")
        blocks = content if isinstance(content, list) else [content]
        extra = {key: item for key, item in message.items() if key not in READ and item is not None}
        role = message.get("role")
        if role == "assistant":
            self._assistant(message, blocks, source_id, extra)
        elif role in ("user", "system"):
            self._user(blocks, source_id, extra, role == "system")
        else:
            self.warn(f"unknown role {shown(role)[:80]!r} is shown as a notice")
            text = text_of(content, self.warn) or readable(message)
            self.drafts.add(Draft("system", [source_id], text, kind="notice", extra={**extra, "role": role}))

    def _assistant(
        self, message: dict[str, Any], blocks: list[Json], source_id: str, extra: dict[str, Json]
    ) -> None:
        self.stop_reason = as_str(message.get("stop_reason"))
        model = as_str(message.get("model"))
        self.model = self.model or model
        own_id = as_id(message.get("id")) or source_id
        draft = self.drafts.add(Draft("agent", [own_id], extra=extra, model=model))
        usage = as_dict(message.get("usage"))
        if usage:
            draft.metrics = Metrics(tokens_in(usage), as_int(usage.get("output_tokens")))
        for index, block in enumerate(blocks):
            kind = as_str(as_dict(block).get("type"))
            result = kind.endswith("tool_result")
            if not result and (draft.results or draft.kind or kind == "compaction") and _said(draft):
                draft = self.drafts.add(Draft("agent", [f"{own_id}.{index}"], model=model))
            self._block(draft, block, kind, own_id)
            self.drafts.note(draft)

    def _block(self, draft: Draft, block: Json, kind: str, own_id: str) -> None:
        if kind == "thinking":
            draft.think(shown(block.get("thinking")))
        elif kind == "redacted_thinking":
            draft.think("[thinking that the provider hides]")
        elif kind in CALLS:
            self.n_calls += 1
            draft.call(call_in(block))
        elif kind.endswith("tool_result"):
            self.result(block, own_id)
        elif kind == "compaction":
            draft.kind = "compaction"
            draft.say(text_of(block.get("content"), self.warn))
        elif block is not None:
            draft.say(text_of([block], self.warn))

    def _user(self, blocks: list[Json], source_id: str, extra: dict[str, Json], system: bool) -> None:
        rest: list[Json] = []
        for block in blocks:
            if as_str(as_dict(block).get("type")).endswith("tool_result"):
                self.result(as_dict(block), source_id)
            elif block is not None:
                rest.append(block)
        if not rest and len(blocks) > 0 and blocks != [None]:
            return
        text = text_of(rest, self.warn)
        draft = Draft("system" if system else "user", [source_id], text, extra=extra)
        if not system and text.lstrip().startswith("<system-reminder>"):
            draft.kind = "injected"
        elif not system:
            self.task = self.task or text
        self.drafts.add(draft)

    def result(self, block: dict[str, Any], source_id: str) -> None:
        """Put a result to its call; one that belongs to none is shown as a step of its own."""
        text, code, failed = result_text(block.get("content"), self.warn)
        error = block.get("is_error") is True or failed or bool(code)
        call_id = as_id(next((block[key] for key in RESULT_IDS if block.get(key)), ""))
        result = Result(text, call_id, error=error, exit_code=code)
        if not self.drafts.answer(result, source_id):
            self.warn("a tool result without a call is shown as a step of its own")
            draft = Draft("user", [source_id], kind="notice")
            draft.results.append(result)
            self.drafts.add(draft)


RESULT_IDS = ("tool_use_id", "mcp_tool_use_id", "custom_tool_use_id")


def _said(draft: Draft) -> bool:
    return bool(draft.message or draft.reasoning or draft.calls or draft.results)


def call_in(block: dict[str, Any]) -> ToolCall:
    """The call in a block; a tool of another server is named with it."""
    name = as_str(block.get("name")) or "unknown"
    server = as_str(block.get("server_name") or block.get("mcp_server_name"))
    return ToolCall(f"{server}.{name}" if server else name, block.get("input"), as_id(block.get("id")))


def result_text(content: Json, warn: Callable[[str], None]) -> tuple[str, int | None, bool]:
    """What came back, its exit code, and whether the provider calls it an error."""
    if isinstance(content, list):
        hits = [_hit(block) for block in content]
        if content and all(hits):
            return "\n".join(hits), None, False
        return text_of(content, warn), None, False
    if not isinstance(content, dict):
        return text_of(content, warn), None, False
    kind = as_str(content.get("type"))
    if kind.endswith("_error"):
        return readable({key: item for key, item in content.items() if key != "type"}), None, True
    if "stdout" in content or "stderr" in content:
        parts = [shown(content.get(key)) for key in ("stdout", "stderr")]
        files = [readable(item) for item in as_list(content.get("content"))]
        return (
            "\n".join(part for part in (*parts, *files) if part),
            as_code(content.get("return_code")),
            False,
        )
    for key in ("text", "content"):
        if isinstance(content.get(key), str):
            return str(content[key]), None, False
    return readable(content), None, False


def _hit(block: Json) -> str:
    """A search result in one line; what it holds is encrypted."""
    block = as_dict(block)
    if block.get("type") != "web_search_result":
        return ""
    return " · ".join(
        part for part in (shown(block.get(key)) for key in ("title", "url", "page_age")) if part
    )


def tokens_in(usage: dict[str, Any]) -> int | None:
    """All tokens that went in, from the cache or not."""
    keys = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    return total(as_int(usage.get(key)) for key in keys)
