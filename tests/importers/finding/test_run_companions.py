"""What programs keep beside their logs is passed over in a folder, and named when somebody names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import put, read

LLM = {"model": "brook-large", "temperature": 0}
SPENT = {"total_cost": 1.5, "only_main_output_cost": 1.0, "sum_critic_files": 0.5}
HEAD = {"version": 2, "status": "success", "eval": {"run_id": "r", "task": "sums"}}
FILES: tuple[tuple[str, Any, str], ...] = (
    ("todos/a-agent-a.json", [], "to-do list"),
    ("todos/b-agent-b.json", [{"content": "x", "status": "done", "activeForm": "y"}], "to-do list"),
    ("projects/sessions-index.json", {"version": 1, "entries": []}, "index of sessions"),
    ("eval-set.json", {"eval_set_id": "e", "tasks": []}, "Inspect eval set"),
    ("eval-set.json", {"eval_set_id": "e", "tasks": [{"name": "sums", "model": "m"}]}, "Inspect eval set"),
    ("logs.json", {"a.eval": HEAD, "b.eval": {**HEAD, "samples": []}}, "heads of Inspect logs"),
    ("listing.json", {"a.eval": {"eval_id": "e", "run_id": "r", "task": "sums"}}, "index of Inspect logs"),
    ("metadata.json", {"llm": LLM, "dataset": "d", "max_iterations": 9}, "settings of an OpenHands run"),
    (
        "metadata.json",
        {"agent_class": "A", "llm_config": LLM, "max_iterations": 9},
        "settings of an OpenHands",
    ),
    ("cost_report.jsonl", [{"instance_id": "i-1", "cost": 0.1}, {"instance_id": "i-2", "cost": 0}], "cost"),
    ("cost_report.json", {"directory": "d", "main_output": {}, "summary": SPENT}, "cost"),
    ("history.jsonl", [{"display": "a", "timestamp": 1, "project": "/p"}] * 300, "prompts typed into Claude"),
    ("history.jsonl", [{"session_id": "s", "ts": 1, "text": "a"}] * 2, "prompts typed into Codex"),
    ("preds.json", {}, "patches"),
)
TURN = {"role": "user", "content": "Go"}


@pytest.mark.parametrize(("name", "value", "what"), FILES, ids=[f"{name}-{what}" for name, _, what in FILES])
def test_each_is_named(tmp_path: Path, name: str, value: Any, what: str) -> None:
    with pytest.raises(NotATrace, match=what):
        open_source(put(tmp_path, name, value))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (
            "x.json",
            {"max_iterations": 9, "llm": LLM, "messages": [TURN, {"role": "assistant", "content": "a"}]},
        ),
        ("todos/x.json", [TURN, {"role": "assistant", "content": "a", "status": "done"}]),
        (
            "h.jsonl",
            [{"messages": [TURN, {"role": "assistant", "content": "a"}], "cost": 1, "instance_id": "i"}],
        ),
    ],
)
def test_what_holds_a_talk_is_none_of_them(tmp_path: Path, name: str, value: Any) -> None:
    assert len(read(put(tmp_path, name, value))) == 1


def test_rows_of_two_kinds_are_none_of_them(tmp_path: Path) -> None:
    rows = [{"session_id": "s", "ts": 1, "text": "a"}, {"instance_id": "i", "cost": 1}]
    for name, value in (("h.jsonl", rows), ("other/x.json", [])):
        with pytest.raises(InputError) as caught:
            open_source(put(tmp_path, name, value))
        assert not isinstance(caught.value, NotATrace)
