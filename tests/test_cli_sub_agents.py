"""A sub-agent with a file of its own: listed by itself until its parent is here, then with its parent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reviewer.store import Store
from tests.conftest import Ran
from tests.importers.reading import put
from tests.importers.session import agent, text, use, user

Cli = Callable[..., Ran]


def _files(folder: Path) -> tuple[Path, Path]:
    child = [
        {**row, "agentId": "q", "isSidechain": True}
        for row in (user("s1", None, "find B"), agent("s2", "s1", [text("here")]))
    ]
    parent = [user("u1", None, "x"), agent("a1", "u1", [use("t1", "Task", prompt="find B")])]
    above = put(folder, "s-1.jsonl", parent)
    return above, put(folder, "s-1/subagents/agent-q.jsonl", child)


def test_a_sub_agent_alone_is_a_trace_to_look_at(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    above, child = _files(tmp_path)
    assert "1 file, 1 trace (1 of a sub-agent): 1 new" in reviewer("import", str(child)).out
    (info,) = store.traces.all()
    assert (info.task, store.suggestions.lacking("rules", "h")) == ("find B", [info.trace_id])
    reviewer("import", str(above))
    (top,) = store.traces.all()
    assert (top.task, [kid.trace_id for kid in store.traces.children(top.trace_id)]) == ("x", [info.trace_id])
    assert store.suggestions.lacking("rules", "h") == [top.trace_id]
    assert len(store.traces.all(children=True)) == 2


def test_a_folder_of_sessions_is_read_whatever_lies_in_it(reviewer: Cli, tmp_path: Path) -> None:
    _files(tmp_path)
    put(tmp_path, "sessions-index.json", {"version": 1, "entries": [{"sessionId": "s-1"}]})
    put(tmp_path, "s-1/subagents/agent-q.meta.json", {"agentType": "Explore"})
    put(tmp_path, "s-1/tool-results/toolu_1.json", [{"type": "text", "text": "long"}])
    put(tmp_path, "s-2.jsonl", [{"type": "summary", "summary": "x"}, {"type": "started"}])
    ran = reviewer("import", str(tmp_path))
    assert (ran.status, "0 failed" in ran.out) == (0, True)
