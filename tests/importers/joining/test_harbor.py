"""A Harbor trial is one run, however often it was written down, and its reward is joined to any of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import Imported, NotATrace
from reviewer.importers.finding.files import find, open_source
from tests.importers.reading import one, put, read

REWARDED = {"rewards": {"reward": 1.0}}
TRIAL: dict[str, Any] = {
    "task_name": "fold-map",
    "trial_name": "fold-map__a",
    "source": "paper-tasks",
    "agent_info": {"name": "claude-code", "model_info": {"name": "brook-large", "provider": "brook"}},
    "agent_result": {"n_input_tokens": 70, "n_output_tokens": 9, "cost_usd": 0.25},
    "agent_execution": {"started_at": "2026-02-01T10:00:00Z", "finished_at": "2026-02-01T10:01:00Z"},
    "verifier_result": REWARDED,
    "exception_info": None,
}
ATIF: dict[str, Any] = {
    "schema_version": "ATIF-v1.6",
    "session_id": "s1",
    "agent": {"name": "claude-code", "version": "2", "model_name": "brook-large"},
    "steps": [
        {"step_id": 1, "source": "user", "message": "Fold the map"},
        {"step_id": 2, "source": "agent", "message": "Folded."},
    ],
}
SESSION: list[dict[str, Any]] = [
    {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "sessionId": "s1",
        "cwd": "/app",
        "version": "2.1.0",
        "message": {"role": "user", "content": "Fold the map"},
    },
    {
        "type": "assistant",
        "uuid": "u2",
        "parentUuid": "u1",
        "sessionId": "s1",
        "cwd": "/app",
        "version": "2.1.0",
        "message": {
            "id": "m1",
            "role": "assistant",
            "model": "brook-large",
            "content": [{"type": "text", "text": "Folded."}],
        },
    },
]
PRINTED = [
    {"type": "system", "subtype": "init", "session_id": "s1", "model": "brook-large", "tools": []},
    {
        "type": "assistant",
        "session_id": "s1",
        "message": {
            "id": "m1",
            "role": "assistant",
            "model": "brook-large",
            "content": [{"type": "text", "text": "Folded."}],
        },
    },
    {"type": "result", "subtype": "success", "session_id": "s1", "is_error": False, "result": "Folded."},
]
OWN = {
    "trajectory_format": "mini-swe-agent-1",
    "info": {
        "exit_status": "Submitted",
        "submission": "",
        "config": {"model": {"model_name": "brook-large"}},
    },
    "messages": [
        {"role": "system", "content": "You answer with one command."},
        {"role": "user", "content": "Fold the map"},
        {"role": "assistant", "content": "THOUGHT: fold\n\n```bash\nfold map\n```"},
    ],
}
SESSIONS = "agent/sessions/projects/-app"


def call(*said: str) -> dict[str, Any]:
    """What `episode-<n>/debug.json` keeps of a request."""
    messages = [{"role": "user", "content": text} for text in said]
    return {"model": "brook-large", "messages": messages, "optional_params": {}, "original_response": "{}"}


def imported(folder: Path) -> list[tuple[str, Imported]]:
    """What importing the folder gives, each with the name of its file."""
    found: list[tuple[str, Imported]] = []
    for file in find([folder]).files:
        try:
            importer, source = open_source(file.path)
        except NotATrace:
            continue
        found += [(file.path.relative_to(folder).as_posix(), item) for item in importer.read(source)]
    return found


@pytest.fixture
def trial(tmp_path: Path) -> Path:
    """A job of one trial, whose agent kept a to-do list and nothing else."""
    folder = tmp_path / "job" / "fold-map__a"
    put(folder, "result.json", TRIAL)
    put(folder, "config.json", {"trial_name": "fold-map__a", "trials_dir": "job", "task": {"path": "t"}})
    put(folder, "agent/sessions/todos/s1.json", [{"content": "Fold", "status": "pending", "activeForm": "F"}])
    return folder


def everything(folder: Path) -> None:
    """The one run in each of its records."""
    put(folder, "agent/trajectory.json", ATIF)
    put(folder, f"{SESSIONS}/s1.jsonl", SESSION)
    put(folder, "agent/mini-swe-agent.trajectory.json", OWN)
    put(folder, "agent/claude-code.jsonl", PRINTED).rename(folder / "agent/claude-code.txt")
    put(folder, "agent/episode-0/debug.json", call("Fold the map"))
    put(folder, "agent/episode-10/debug.json", call("Fold the map", "Go on"))
    put(folder, "agent/episode-9/debug.json", call("Fold the map"))


ORDER = (
    ("agent/trajectory.json", "atif"),
    ("agent/mini-swe-agent.trajectory.json", "mini_swe_agent"),
    (f"{SESSIONS}/s1.jsonl", "claude_code"),
    ("agent/claude-code.txt", "claude_code_stream"),
    ("agent/episode-10/debug.json", "openai_chat"),
)


def test_one_run_in_many_records_is_one_trace_with_its_reward(trial: Path) -> None:
    everything(trial)
    for name, format in ORDER:
        for given in (trial, trial.parent, trial.parent.parent, trial / "agent"):
            ((file, item),) = imported(given)
            assert (given / file).relative_to(trial).as_posix() == name
            info = item.trace.info
            assert (info.format, info.task_id, info.benchmark) == (format, "fold-map", "paper-tasks")
            assert [(o.passed, o.score, o.origin) for o in item.outcomes] == [
                (True, 1.0, "job/fold-map__a/result.json")
            ]
            assert info.model == "brook-large" and info.meta["trial.trial_name"] == "fold-map__a"
            assert (info.tokens_in, info.tokens_out, info.cost) == (70, 9, 0.25)
            assert "task_id_from" not in info.meta
        (trial / name).unlink()
    assert [name for name, _ in imported(trial)] == ["agent/episode-9/debug.json"]


def test_a_record_that_somebody_names_is_read_with_the_reward_of_its_trial(trial: Path) -> None:
    everything(trial)
    for name, format in ORDER:
        item = one(trial / name)
        assert (item.trace.info.format, item.trace.info.task_id) == (format, "fold-map")
        assert [o.passed for o in item.outcomes] == [True]


def test_what_goes_on_and_sub_agents_are_read_too(trial: Path) -> None:
    put(trial, "agent/trajectory.json", ATIF)
    put(trial, "agent/trajectory.cont-1.json", {**ATIF, "session_id": "s1-cont-1"})
    assert [name for name, _ in imported(trial)] == [
        "agent/trajectory.cont-1.json",
        "agent/trajectory.json",
    ]
    for path in (trial / "agent").glob("*.json"):
        path.unlink()
    put(trial, f"{SESSIONS}/s1.jsonl", SESSION)
    child = [{**row, "agentId": "c1", "isSidechain": True, "uuid": f"c{row['uuid']}"} for row in SESSION]
    put(trial, f"{SESSIONS}/s1/subagents/agent-c1.jsonl", child)
    (_, parent), (_, run) = imported(trial)
    assert run.trace.info.parent_id == parent.trace.info.trace_id
    assert ([len(item.outcomes) for item in (parent, run)]) == [1, 0]


def test_a_run_that_harbor_stopped_did_not_end_by_itself(trial: Path) -> None:
    put(trial, "agent/mini-swe-agent.trajectory.json", OWN)
    assert one(trial / "agent/mini-swe-agent.trajectory.json").trace.info.ended == "submitted"
    stopped = {"exception_type": "AgentTimeoutError", "exception_message": "900 s"}
    put(trial, "result.json", {**TRIAL, "exception_info": stopped, "verifier_result": None})
    item = one(trial / "agent/mini-swe-agent.trajectory.json")
    assert (item.trace.info.ended, item.outcomes) == ("timeout", ())


def test_steps_of_a_task_have_rewards_of_their_own(trial: Path) -> None:
    steps: list[dict[str, Any]] = [
        {"step_name": "plan", "verifier_result": {"rewards": {"reward": 1.0}}},
        {"step_name": "fold", "verifier_result": {"rewards": {"reward": 0.0}}},
    ]
    put(trial, "result.json", {**TRIAL, "step_results": steps})
    for name in ("plan", "fold"):
        put(trial, f"steps/{name}/agent/trajectory.json", {**ATIF, "session_id": name})
        put(trial, f"steps/{name}/{SESSIONS}/s1.jsonl", SESSION)
    found = [item for _, item in imported(trial)]
    assert [(i.trace.info.format, i.trace.info.task_id) for i in found] == [
        ("atif", "fold-map/fold"),
        ("atif", "fold-map/plan"),
    ]
    assert [[(o.passed, o.origin) for o in i.outcomes] for i in found] == [
        [(False, "job/fold-map__a/steps/fold/result.json")],
        [(True, "job/fold-map__a/steps/plan/result.json")],
    ]
    assert found[0].trace.info.meta["trial.verifier_result"] == REWARDED
    assert one(trial / f"steps/plan/{SESSIONS}/s1.jsonl").trace.info.task_id == "fold-map/plan"


def test_a_folder_named_agent_is_nothing_special_elsewhere(tmp_path: Path) -> None:
    put(tmp_path, "agent/trajectory.json", ATIF)
    put(tmp_path, "agent/run.jsonl", SESSION)
    put(tmp_path, "result.json", {"reward": 1})
    assert [item.outcomes for _, item in imported(tmp_path)] == [(), ()]
    assert len(read(tmp_path / "agent" / "run.jsonl")) == 1
