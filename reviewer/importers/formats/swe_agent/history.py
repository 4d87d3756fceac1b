"""The steps of a SWE-agent run: what came before the agent's first move, then its trajectory.

The prompts are read from `history`, the moves from `trajectory`, which repeats nothing; of the moves in
`history` only the arguments of tool calls are taken. A file with no trajectory (a demonstration) is read
from its history alone. Knows nothing of files and outcomes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_list,
    as_str,
    dumped,
    kind_of,
    parsed,
    shown,
)
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Result, ToolCall

ISSUE = re.compile(r"^ISSUE:\s*\n(.*?)(?=\n+INSTRUCTIONS:|\Z)", re.DOTALL | re.MULTILINE)
DESCRIPTION = re.compile(r"<(pr_description|issue|problem_statement)>\s*(.*?)\s*</\1>", re.DOTALL)
READ_MOVE = {
    "action",
    "observation",
    "response",
    "state",
    "thought",
    "execution_time",
    "messages",
    "query",
}
READ_TURN = {
    "role",
    "content",
    "agent",
    "is_demo",
    "message_type",
    "thought",
    "action",
    "tool_calls",
    "tool_call_ids",
}


class Moves:
    """Reads a run once, in order, and keeps what the trace needs to know of it."""

    def __init__(self, history: list[Json], trajectory: list[Json], warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.n_calls = 0
        self._turns = [
            turn for turn in history if as_dict(turn).get("role") == "assistant" and not _demo(turn)
        ]
        self._state: Json = None
        self._prompts(history, whole=not trajectory)
        for index, move in enumerate(trajectory):
            self._move(move, index)

    def submission(self, text: str) -> None:
        """Show what was submitted as a last step, unless the last observation is just that."""
        last = self.drafts.last
        seen = "" if last is None else "\n".join(result.content for result in last.results)
        if text.strip() and text.strip() not in seen:
            self.drafts.add(Draft("system", ["info.submission"], text, kind="notice"))

    def _prompts(self, history: list[Json], whole: bool) -> None:
        for index, turn in enumerate(history):
            source_id = f"history{index}"
            if not isinstance(turn, dict):
                self.warn(f"an entry of the history that is {kind_of(turn)} is shown as it stands")
                self.drafts.add(Draft("system", [source_id], shown(turn) or "null", kind="notice"))
                continue
            if turn.get("role") == "assistant" and not _demo(turn) and not whole:
                return
            self._turn(turn, source_id)

    def _turn(self, turn: dict[str, Any], source_id: str) -> None:
        role, text = turn.get("role"), text_of(turn.get("content"), self.warn)
        extra = {key: item for key, item in turn.items() if key not in READ_TURN and item is not None}
        if _demo(turn):
            extra |= {"role": role} if role != "user" else {}
            self.drafts.add(Draft("user", [source_id], text, kind="injected", extra=extra))
        elif role == "assistant":
            draft = Draft("agent", [source_id], text, extra=extra)
            action = as_str(turn.get("action"))
            self.n_calls += bool(action.strip())
            self._calls(draft, action, turn)
            self.drafts.add(draft)
        elif role in ("user", "tool") and self.drafts.waiting() and self._answered(turn, text, source_id):
            return
        elif role == "system":
            self.drafts.add(Draft("system", [source_id], text, extra=extra))
        else:
            if role != "user":
                self.warn(f"unknown role {shown(role)[:80]!r} in the history is shown as a notice")
                self.drafts.add(
                    Draft("system", [source_id], text, kind="notice", extra={**extra, "role": role})
                )
                return
            self.task = self.task or issue(text)
            self.drafts.add(Draft("user", [source_id], text, extra=extra))

    def _answered(self, turn: dict[str, Any], text: str, source_id: str) -> bool:
        call_id = as_id(next(iter(as_list(turn.get("tool_call_ids"))), ""))
        return self.drafts.answer(Result(text, call_id), source_id) is not None

    def _move(self, move: Json, index: int) -> None:
        draft = Draft("agent", [f"#{index}"])
        if not isinstance(move, dict):
            self.warn(f"an entry of the trajectory that is {kind_of(move)} is shown as it stands")
            draft.message = shown(move) or "null"
            self.drafts.add(draft)
            return
        action = shown(move.get("action"))
        draft.message = shown(move.get("thought")) or ("" if action.strip() else shown(move.get("response")))
        if action.strip():
            self.n_calls += 1
            self._calls(draft, action, self._turn_of(action))
        draft.fault = action.strip().startswith("exit_")
        self._observation(draft, move.get("observation"))
        draft.seconds = as_float(move.get("execution_time"))
        draft.extra |= {
            key: item for key, item in move.items() if key not in READ_MOVE and item not in (None, {})
        }
        if move.get("execution_time") is not None and draft.seconds is None:
            draft.extra["execution_time"] = move["execution_time"]
        self._where(draft, move.get("state"))
        draft.number = str(index + 1) if index + 1 != len(self.drafts.all) + 1 else ""
        self.drafts.add(draft)

    def _observation(self, draft: Draft, observation: Json) -> None:
        if observation is None:
            return
        text = observation if isinstance(observation, str) else dumped(observation)
        call_id = draft.calls[draft.waiting.pop(0)].id if draft.waiting else ""
        if text or draft.calls:
            draft.results.append(Result(text, call_id))

    def _where(self, draft: Draft, state: Json) -> None:
        """Where the shell stands: a text of JSON in 0.x, an object later; shown when it changes."""
        state = parsed(state) if parsed(state) is not None else state
        if state not in (None, "", {}, self._state):
            self._state = draft.extra["state"] = state

    def _turn_of(self, action: str) -> dict[str, Any]:
        """The assistant's message with this action: the next one, unless the history left moves out."""
        for at, turn in enumerate(self._turns[:20]):
            if as_str(turn.get("action")).strip() == action.strip():
                del self._turns[: at + 1]
                return as_dict(turn)
        return {}

    def _calls(self, draft: Draft, action: str, turn: dict[str, Any]) -> None:
        """The call as the model wrote it where the history has it, else the shell command that was run."""
        for call in as_list(turn.get("tool_calls")):
            function = as_dict(as_dict(call).get("function"))
            name = as_str(function.get("name")) or "unknown"
            draft.call(
                ToolCall(
                    name, function.get("arguments") if function else call, as_id(as_dict(call).get("id"))
                )
            )
        if not draft.calls and action.strip():
            draft.call(ToolCall("bash", {"command": action}))


def _demo(turn: Json) -> bool:
    """Whether a message belongs to a demonstration, which is an example and not the task."""
    turn = as_dict(turn)
    return bool(turn.get("is_demo")) or turn.get("message_type") == "demonstration"


def issue(text: str) -> str:
    """The task in a prompt: the issue where it is marked, else all of it."""
    found = ISSUE.search(text)
    if found:
        return found[1].strip()
    found = DESCRIPTION.search(text)
    return found[2] if found else text
