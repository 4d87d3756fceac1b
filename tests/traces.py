"""Small traces written by hand, for tests that look at what agents do: steps without an importer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reviewer.trace import Ended, Json, Outcome, Result, Step, ToolCall, Trace, TraceInfo, renumbered

SHARED = Path(__file__).parents[2] / "shared"


def bash(command: str, output: str = "", code: int | None = 0, message: str = "") -> Step:
    """An agent's step that runs a command."""
    result = Result(output, error=bool(code), exit_code=code)
    return Step(0, "agent", message, calls=(ToolCall("bash", {"command": command}),), results=(result,))


def call(name: str, arguments: Json = None, output: str = "", error: bool = False, **more: Any) -> Step:
    """An agent's step that calls a tool."""
    result = Result(output, "c1", error=error, **more)
    return Step(0, "agent", calls=(ToolCall(name, arguments, "c1"),), results=(result,))


def says(message: str) -> Step:
    return Step(0, "agent", message)


def user(message: str) -> Step:
    return Step(0, "user", message)


def trace(
    *steps: Step, ended: Ended = "unknown", task: str = "", id: str = "t1-0", task_id: str = ""
) -> Trace:
    info = TraceInfo(
        id, f"hash of {id}", "plain", task=task, task_id=task_id, ended=ended, n_steps=len(steps)
    )
    return Trace(info, renumbered(steps))


PASSED, FAILED = (Outcome(passed=True),), (Outcome(passed=False),)
