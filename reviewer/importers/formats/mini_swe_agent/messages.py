"""The messages of a mini-swe-agent run, folded into steps.

An assistant message with its actions and the observations that answer them is one step. Version 1.1
keeps the actions in `extra.actions` and answers in role `tool`; earlier ones write the one command in a
fenced block and answer in role `user`. What is not understood is still shown, and named.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.importers.formats.mini_swe_agent.responses import as_chat
from reviewer.importers.opening.values import (
    as_code,
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    dumped,
    iso,
    kind_of,
    shown,
)
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Metrics, Result, ToolCall

FENCE_OPEN = re.compile(r"```(?:mswea_bash_command|bash)\b")
FENCE = re.compile(r"```(?:mswea_bash_command|bash)[^\S\n]*\n(.*?)\n```", re.DOTALL)
# The wrapper that a plain observation is put in; one with more parts stays as it is.
WRAPPED = re.compile(r"\A<returncode>(-?\d{1,7})</returncode>\n<output>\n?(.*?)</output>\s*\Z", re.DOTALL)
TIMED_OUT = re.compile(r"\AThe last command .{0,8000}?timed out", re.DOTALL)
RETURN_CODE = re.compile(r"<returncode>(-?\d{1,7})</returncode>")
DESCRIPTION = re.compile(r"<pr_description>\s*(.*?)\s*</pr_description>", re.DOTALL)
READ_KEYS = {"role", "content", "extra", "tool_calls", "tool_call_id", "reasoning_content"}
QUIET_KEYS = {
    "function_call",
    "provider_specific_fields",
    "thinking_blocks",
    "annotations",
    "images",
    "audio",
}
READ_EXTRA = {
    "actions",
    "response",
    "cost",
    "timestamp",
    "returncode",
    "raw_output",
    "exit_status",
    "submission",
}


class Messages:
    """Reads the messages once, in order, and keeps what the trace needs to know of them."""

    def __init__(self, messages: list[Json], warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.exit_status = ""
        self.handed_in = ""
        self.times: list[float] = []
        self.n_calls = 0
        self._acting = any("actions" in as_dict(as_dict(message).get("extra")) for message in messages)
        for index, message in enumerate(messages):
            self._message(message, f"#{index}")

    def submission(self, text: str) -> None:
        """Show what was submitted as a last step, unless the last message is just that."""
        last = self.drafts.last
        seen = "" if last is None else "\n".join([last.message, *(result.content for result in last.results)])
        if text.strip() and text.strip() not in seen:
            self.drafts.add(Draft("system", ["info.submission"], message=text, kind="notice"))

    def _message(self, message: Json, source_id: str) -> None:
        if not isinstance(message, dict):
            self.warn(f"an entry that is {kind_of(message)}, not a message, is shown as it stands")
            text = message if isinstance(message, str) else dumped(message)
            self.drafts.add(Draft("system", [source_id], message=text, kind="notice"))
            return
        message = as_chat(message)
        extra = as_dict(message.get("extra"))
        at = iso(extra.get("timestamp"))
        stamp = as_float(extra.get("timestamp"))
        if at and stamp is not None:
            self.times.append(stamp)
        text = text_of(message.get("content"), self.warn)
        readers = {"assistant": self._agent, "tool": self._result, "user": self._user, "exit": self._exit}
        role = message.get("role")
        if isinstance(role, str) and role in readers:
            draft = readers[role](message, text, extra, source_id)
        elif role == "system":
            draft = self.drafts.add(Draft("system", [source_id], message=text))
        else:
            draft = self._strange(message, text, role, source_id)
        draft.at = draft.at or at
        unread = {key: item for key, item in message.items() if key not in READ_KEYS | QUIET_KEYS}
        more = {
            key: item
            for key, item in extra.items()
            if key not in READ_EXTRA and item not in (None, "", draft.message)
        }
        draft.extra |= unread | more

    def _strange(self, message: dict[str, Any], text: str, role: Json, source_id: str) -> Draft:
        if "role" in message:
            self.warn(f"unknown role {shown(role)[:80]!r} is shown as a notice")
        else:
            self.warn("a message without a role is shown as a notice")
        draft = Draft("system", [source_id], message=text or dumped(message), kind="notice")
        if role is not None:
            draft.extra["role"] = role
        return self.drafts.add(draft)

    def _agent(self, message: dict[str, Any], text: str, extra: dict[str, Any], source_id: str) -> Draft:
        draft = Draft("agent", [source_id], message=text, reasoning=shown(message.get("reasoning_content")))
        if self._acting and (
            isinstance(extra.get("actions"), list) or not as_list(message.get("tool_calls"))
        ):
            actions = as_list(extra.get("actions"))
            self.n_calls += len(actions)
            self._actions(draft, actions, message)
        elif as_list(message.get("tool_calls")):
            self.n_calls += 0 if self._acting else len(message["tool_calls"])
            self._tool_calls(draft, message["tool_calls"])
        else:
            self.n_calls += len(FENCE_OPEN.findall(text))
            for command in FENCE.findall(text):
                draft.call(ToolCall("bash", {"command": command}))
        self._response(draft, extra)
        return self.drafts.add(draft)

    def _actions(self, draft: Draft, actions: list[Json], message: dict[str, Any]) -> None:
        names = {
            as_id(as_dict(call).get("id")): as_str(as_dict(as_dict(call).get("function")).get("name"))
            for call in as_list(message.get("tool_calls"))
        }
        for action in actions:
            if not isinstance(action, dict):
                draft.call(ToolCall("bash", action))
                continue
            call_id = as_id(action.get("tool_call_id"))
            arguments = {key: item for key, item in action.items() if key != "tool_call_id"}
            draft.call(ToolCall(names.get(call_id) or "bash", arguments, call_id))

    def _tool_calls(self, draft: Draft, calls: list[Json]) -> None:
        for call in calls:
            function = as_dict(as_dict(call).get("function"))
            if not function:
                self.warn(f"a tool call that names no function ({kind_of(call)}) is shown as it stands")
            arguments = function.get("arguments") if function else call
            name = as_str(function.get("name")) or "unknown"
            draft.call(ToolCall(name, arguments, as_id(as_dict(call).get("id"))))

    def _response(self, draft: Draft, extra: dict[str, Any]) -> None:
        response = as_dict(extra.get("response"))
        usage = as_dict(response.get("usage"))
        tokens_in = as_int(usage.get("prompt_tokens", usage.get("input_tokens")))
        tokens_out = as_int(usage.get("completion_tokens", usage.get("output_tokens")))
        cost = as_float(extra.get("cost"))
        if tokens_in is not None or tokens_out is not None or cost is not None:
            draft.metrics = Metrics(tokens_in, tokens_out, cost)
        draft.model = as_str(response.get("model"))
        self.model = self.model or draft.model

    def _result(self, message: dict[str, Any], text: str, extra: dict[str, Any], source_id: str) -> Draft:
        result = observation(text, extra, as_id(message.get("tool_call_id")))
        if answered := self.drafts.answer(result, source_id):
            return answered
        self.warn("a tool result without a call is shown as a step of its own")
        draft = Draft("system", [source_id], kind="notice")
        draft.results.append(result)
        return self.drafts.add(draft)

    def _user(self, message: dict[str, Any], text: str, extra: dict[str, Any], source_id: str) -> Draft:
        interrupt = shown(extra.get("interrupt_type"))
        if self.drafts.waiting() == 1 and not interrupt:
            answered = self.drafts.answer(observation(text, extra, ""), source_id)
            if answered is not None:
                return answered
        draft = Draft("user", [source_id], message=text)
        last = self.drafts.last
        unanswered = last is not None and last.source == "agent" and not last.results
        if not self.task:
            found = DESCRIPTION.search(text)
            self.task = found[1] if found else text
        elif (
            last is not None
            and unanswered
            and ("FormatError" in interrupt if interrupt else len(last.calls) != 1)
        ):
            # The reply did not hold exactly one action: what follows is the harness, not a person.
            draft.kind, last.fault = "notice", True
        return self.drafts.add(draft)

    def _exit(self, message: dict[str, Any], text: str, extra: dict[str, Any], source_id: str) -> Draft:
        self.exit_status = shown(extra.get("exit_status")) or self.exit_status
        self.handed_in = as_str(extra.get("submission")) or self.handed_in
        failed = self.exit_status not in ("", "Submitted")
        content = text or shown(extra.get("submission")) or shown(extra.get("exit_status"))
        draft = Draft("system", [source_id], message=content, kind="notice", fault=failed)
        if self.exit_status:
            draft.extra["exit_status"] = self.exit_status
        return self.drafts.add(draft)


def observation(text: str, extra: dict[str, Any], call_id: str) -> Result:
    """What came back, out of its wrapper when that holds nothing else but the return code."""
    wrapped = WRAPPED.match(text)
    stated = RETURN_CODE.search(text[:200])
    code = as_code(extra.get("returncode"))
    if code is None and stated:
        code = int(stated[1])
    content = wrapped[2] if wrapped and code == int(wrapped[1]) else text
    killed = code is None and TIMED_OUT.match(text) is not None
    failed = bool(code) or bool(extra.get("exception_info")) or killed
    return Result(content, call_id, error=failed, exit_code=code)
