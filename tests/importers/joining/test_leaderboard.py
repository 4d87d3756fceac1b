"""Submissions to SWE-bench's leaderboard: the verdicts beside `trajs` are joined, whatever the traces are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.joining import reports
from tests.importers.reading import one, put

NAME, OTHER = "acme__loom-12", "acme__loom-13"
TALK = [{"role": "user", "content": "Mend the loom"}, {"role": "assistant", "content": "Mended."}]
SWE = {
    "trajectory": [{"action": "ls", "observation": "loom.py", "response": "Look."}],
    "history": [{"role": "user", "content": "Mend the loom", "agent": "primary"}],
    "info": {"exit_status": "submitted"},
}
MINI = {"trajectory_format": "mini-swe-agent-1", "info": {"exit_status": "Submitted"}, "messages": TALK}
CHAT = {"messages": TALK}
PATHS: tuple[tuple[str, Any], ...] = (
    (f"{NAME}.traj", SWE),
    (f"{NAME}/{NAME}.traj", SWE),
    (f"{NAME}/{NAME}.traj.json", MINI),
    (f"{NAME}.json", CHAT),
    (f"{NAME}/talk.json", CHAT),
)


def judged(resolved: bool) -> dict[str, Any]:
    return {NAME: {"patch_successfully_applied": True, "resolved": resolved, "tests_status": {}}}


@pytest.mark.parametrize(("name", "value"), PATHS, ids=[name for name, _ in PATHS])
@pytest.mark.parametrize("resolved", [True, False])
def test_both_verdicts_are_joined(tmp_path: Path, name: str, value: Any, resolved: bool) -> None:
    path = put(tmp_path, f"run/trajs/{name}", value)
    assert one(path).outcomes == ()
    put(tmp_path, f"run/logs/{NAME}/report.json", judged(resolved))
    listed = [OTHER, *([NAME] if resolved else [])]
    put(tmp_path, "run/results/results.json", {"no_generation": [], "no_logs": [], "resolved": listed})
    item = one(path)
    assert [(o.passed, o.origin) for o in item.outcomes] == [
        (resolved, f"run/logs/{NAME}/report.json"),
        (resolved, "run/results/results.json"),
    ]
    assert item.outcomes[0].detail == judged(resolved)[NAME]
    assert item.trace.info.trace_id == one(put(tmp_path, f"elsewhere/{name}", value)).trace.info.trace_id
    if value is not MINI:  # whose task only a report is looked up for
        assert item.trace.info.task_id == NAME and "task_id_from" not in item.trace.info.meta


@pytest.mark.parametrize(
    ("report", "passed"),
    [
        ({"no_generation": [], "no_logs": [], "resolved": []}, [False]),
        ({"no_generation": [NAME], "no_logs": [], "resolved": []}, [None]),
        ({"no_generation": [], "no_logs": [NAME], "resolved": []}, [None]),
        ({"resolved": [OTHER]}, []),  # what else was judged is not said
        ({"no_generation": [], "no_logs": [], "resolved": 3}, []),
    ],
)
def test_what_a_list_of_the_resolved_says_of_others(tmp_path: Path, report: Any, passed: list[Any]) -> None:
    path = put(tmp_path, f"run/trajs/{NAME}.traj", SWE)
    put(tmp_path, "run/results/results.json", report)
    assert [o.passed for o in one(path).outcomes] == passed


def test_predictions_of_the_submission_name_the_model(tmp_path: Path) -> None:
    path = put(tmp_path, f"run/trajs/{NAME}/{NAME}.traj", SWE)
    row = {"instance_id": NAME, "model_patch": "+1", "model_name_or_path": "brook-large"}
    put(tmp_path, "run/all_preds.jsonl", [row])
    assert one(path).trace.info.model == "brook-large"


def test_elsewhere_such_folders_say_nothing(tmp_path: Path) -> None:
    path = put(tmp_path, f"run/traces/{NAME}.traj", SWE)
    put(tmp_path, f"run/logs/{NAME}/report.json", judged(True))
    put(tmp_path, "run/results/results.json", {"no_generation": [], "no_logs": [], "resolved": [NAME]})
    assert one(path).outcomes == ()
    named = put(tmp_path, "run/trajs/talk.json", CHAT)
    assert one(named).outcomes == ()


def test_an_instance_leads_to_no_folder_elsewhere(tmp_path: Path) -> None:
    path = put(tmp_path, "run/trajs/x.traj", SWE)
    put(tmp_path, "far/report.json", {"../../far": {"resolved": True}})
    assert reports.beside(path, "../../far") == ()
