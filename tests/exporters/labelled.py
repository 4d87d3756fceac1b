"""A small labelled store for the exports: attempts at tasks, two annotators, suggestions, odd texts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reviewer.label import Evidence
from reviewer.store import Store
from reviewer.trace import Metrics, Outcome, Result, Step, ToolCall, Trace, renumbered
from tests.history import put, say, session, show, suggest

ODD = "=1\u202e\0\ud83d \x1b[2J | <b>`*\r\n\\ud800"
SECRET = "sk-ant-abcdefghijklmnop0123456789"


def trace(name: str, **more: Any) -> Trace:
    """A run with every kind of part, some of them where ATIF allows none."""
    call = ToolCall("bash", {"command": f"ls {ODD}", "n": 2**80}, "c1")
    steps = [
        Step(0, "user", f"do {name}"),
        Step(0, "user", "!ls", calls=(ToolCall("shell", "ls -l"),), results=(Result("x", exit_code=2**70),)),
        Step(0, "agent", "I look.", "think", (call,), (Result(ODD, "c1", error=True, exit_code=1),)),
        Step(0, "agent", calls=(ToolCall("none"), ToolCall("raw", [1])), results=(Result("y", "nobody"),)),
        Step(0, "agent", "done", at="2026-01-01T00:00:00Z", metrics=Metrics(2**70, 3, float("nan"))),
        Step(0, "system", "notice", at="yesterday", kind="notice", extra={"a": {"b": [None, ODD]}}),
    ]
    base = session([name], first=name, **{"n_steps": len(steps), **more})
    return Trace(base.info, renumbered(steps), base.raw, base.records)


def filled(store: Store) -> dict[str, str]:
    """The ids by name: `a1` and `a2` try one task, nobody labelled `d`, `child` is a part of `a1`."""
    ids = {}
    for name, task, attempt in (
        ("a1", "A", 1),
        ("a2", "A", 2),
        ("b", "B", None),
        ("c", "C", 1),
        ("d", "", None),
    ):
        made = trace(name, benchmark="bench", task_id=task, attempt=attempt, model=f"model-{name[0]}")
        passed = {"a1": False, "b": False, "c": True}.get(name)
        ids[name] = put(store, made, Outcome(passed=passed, score=0.5, detail={"note": ODD}))
    child = trace("child")
    ids["child"] = put(store, replace(child, info=replace(child.info, parent_id=ids["a1"])))
    quoted = Evidence(3, "I look.", verified=True)
    suggest(store, ids["a1"], "tool_misuse", evidence=(quoted, Evidence(3, "nowhere")), rationale=ODD)
    for who in ("ana", "ben"):
        say(store, ids["a1"], mode="tool_misuse", who=who, note=f"{ODD} {who} {SECRET}", step_n=3)
        say(store, ids["a2"], mode="other" if who == "ana" else "no_failure", who=who)
    say(store, ids["a2"], "adjudicate", "other", who="ben", reason="the rule says so")
    show(store, ids["b"])
    say(store, ids["b"], mode="other", note=ODD)
    say(store, ids["b"], mode="no_failure")
    say(store, ids["c"], "note", note="only a note")
    say(store, ids["c"], "flag")
    return ids
