"""What names no task makes no two runs the same task: the name of a file, a row's number, a session's id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.shapes.task_ids import instance
from tests.importers.reading import put, read
from tests.importers.session import agent, user
from tests.importers.test_samples import traces

CHAT = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
BLOCKS = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": [{"type": "text", "text": "x"}]},
]
SHELL = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "```bash\nls\n```"}]
MOVE = {"action": "ls", "observation": "a", "response": "ls", "thought": ""}
EVENTS = [{"type": f"{who}.message", "id": who, "content": "hi"} for who in ("user", "agent")]
# For each format a record that says nothing of its task, and what `task_id` and its mark then are.
NAMELESS: list[tuple[str, str, Any, str, str]] = [
    ("plain", "trajectory.json", {"task": "t", "trajectory": ["a"]}, "", ""),
    (
        "plain",
        "runs.jsonl",
        [{"task": "t", "trajectory": ["a"]}] * 1 + [{"task": "u", "trajectory": []}],
        "",
        "",
    ),
    ("openai_chat", "trajectory.json", CHAT, "trajectory.json", "file name"),
    ("openai_chat", "chats.jsonl", [CHAT, CHAT[:1]], "0", "row number"),
    (
        "anthropic_messages",
        "trajectory.json",
        {"system": "s", "messages": BLOCKS},
        "trajectory.json",
        "file name",
    ),
    ("anthropic_messages", "events.jsonl", EVENTS, "events.jsonl", "file name"),
    ("mini_swe_agent", "trajectory.json", SHELL, "trajectory.json", "file name"),
    ("mini_swe_agent", "a__b-7.traj.json", SHELL, "a__b-7.traj.json", ""),
    ("swe_agent", "run.traj", {"trajectory": [MOVE], "history": [], "info": {}}, "run.traj", "file name"),
    ("swe_agent", "a__b-7.traj", {"trajectory": [MOVE], "history": [], "info": {}}, "a__b-7", ""),
    ("tau_bench", "r.json", [{"task_id": None, "reward": 1.0, "traj": CHAT}], "0", "row number"),
    (
        "atif",
        "trajectory.json",
        {"schema_version": "ATIF-v1.5", "steps": [{"step_id": 1, "source": "user", "message": "x"}]},
        "trajectory.json",
        "file name",
    ),
    ("claude_code", "s.jsonl", [user("u1", None, "do it", sessionId="")], "s.jsonl", "file name"),
    (
        "claude_code",
        "agent-a.jsonl",
        [
            user("u1", None, "look", isSidechain=True, agentId="a"),
            agent("u2", "u1", "seen", isSidechain=True, agentId="a"),
        ],
        "s-1",
        "session",
    ),
]


@pytest.mark.parametrize(
    ("format", "name", "value", "task_id", "mark"),
    NAMELESS,
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_a_name_that_is_no_task_is_marked(
    tmp_path: Path, format: str, name: str, value: Any, task_id: str, mark: str
) -> None:
    found = read(put(tmp_path, name, value), format)[0].trace.info
    assert (found.format, found.task_id, found.meta.get("task_id_from", "")) == (format, task_id, mark)


@pytest.mark.parametrize("path", traces(), ids=lambda path: path.name)
def test_no_sample_passes_the_name_of_its_file_off_as_a_task(path: Path) -> None:
    for one in read(path):
        info = one.trace.info
        named_after = info.task_id in (path.name, path.stem) and info.task_id not in one.trace.raw
        # AgentRx names a run's file after its task, by which the ground truth finds it
        named_after = named_after and not instance(path.name) and info.format != "agentrx"
        assert not named_after or info.meta.get("task_id_from") or info.parent_id


def test_the_mark_is_no_part_of_the_identity(tmp_path: Path) -> None:
    here, there = (
        read(put(tmp_path, f"{name}/x.json", CHAT))[0].trace.info for name in ("one", "a__b-1.json/two")
    )
    assert (here.trace_id, here.content_hash) == (there.trace_id, there.content_hash)


def test_what_names_its_task_has_no_mark(tmp_path: Path) -> None:
    for value in ({"task_id": "t-1", "messages": CHAT}, {"id": "t-1", "messages": CHAT}):
        info = read(put(tmp_path, "x.json", value))[0].trace.info
        assert info.task_id == "t-1"
        assert "task_id_from" not in info.meta
