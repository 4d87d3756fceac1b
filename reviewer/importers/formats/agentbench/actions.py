"""Calls that an agent of AgentBench writes as text: one a message, in the words of its environment.

`GET url` and `POST url` with a body, `FINISH([…])`; `Act: bash` with a fenced block; `Action: Operation` with
a query; `Action: name(…)` or `name[…]`; `Final Answer: …`. Knows neither roles nor results.
"""

from __future__ import annotations

import re

from reviewer.importers.opening.values import parsed
from reviewer.trace import Json, ToolCall

_FENCED = re.compile(r"\A```[\w-]*\n(.*?)\n?```\Z", re.DOTALL)
_BLOCK = re.compile(r"```([\w-]*)\n(.*?)\n?```", re.DOTALL)
_REQUEST = re.compile(r"\A(GET|POST|PUT|PATCH|DELETE)\s+(\S+)\s*(.*)\Z", re.DOTALL)
_FINISH = re.compile(r"\AFINISH\((.*)\)\Z", re.DOTALL)
_ACT = re.compile(r"^[ \t]*act(?:ion)?[ \t]*:[ \t]*(.*)$", re.IGNORECASE | re.MULTILINE)
_ANSWER = re.compile(r"^[ \t]*final answer[ \t]*:[ \t]*(.+)", re.IGNORECASE | re.MULTILINE)
_CALL = re.compile(r"\A([A-Za-z_][\w.\- ]{0,60})[(\[](.*)[)\]]\.?\Z", re.DOTALL)
ENDING = {"FINISH", "finish", "answer"}


def action_of(text: str, call_id: str) -> ToolCall | None:
    """The call in a message, or None where there is none."""
    bare = text.strip()
    if found := _FENCED.match(bare):
        bare = found[1].strip()
    if found := _REQUEST.match(bare):
        body = found[3].strip()
        value = parsed(body)
        given: dict[str, Json] = {"data": body if value is None else value} if body else {}
        return ToolCall(found[1], {"url": found[2], **given}, call_id)
    if found := _FINISH.match(bare):
        return ToolCall("FINISH", found[1], call_id)
    return _spoken(text, call_id)


def _spoken(text: str, call_id: str) -> ToolCall | None:
    """The last action that a message announces; the reply may hold more than one."""
    acts = list(_ACT.finditer(text))
    answer = _ANSWER.search(text)
    if not acts:
        return ToolCall("answer", answer[1].strip(), call_id) if answer else None
    act = acts[-1][1].strip()
    if not act:  # the action stands on the lines below
        act = text[acts[-1].end() :].strip().partition("\n\n")[0].strip()
    word = act.lower()
    if answer and word.startswith("answer"):
        return ToolCall("answer", answer[1].strip(), call_id)
    if word.startswith("finish"):
        return ToolCall("finish", act[6:].strip("() "), call_id)
    if word.startswith(("bash", "operation")):
        return _block(text, "bash" if word.startswith("bash") else "", act, call_id)
    if found := _CALL.match(act):
        return ToolCall(found[1], found[2], call_id)
    return ToolCall("action", act, call_id) if act else None


def _block(text: str, name: str, act: str, call_id: str) -> ToolCall:
    """A command or a query, which stands in a fenced block."""
    blocks = _BLOCK.findall(text)
    if not blocks:
        return ToolCall(name or "action", act, call_id)
    key = "command" if name else "query"
    return ToolCall(name or blocks[0][0] or "query", {key: "\n\n".join(body for _, body in blocks)}, call_id)
