"""Predictions beside a trajectory: who made them, what was handed in, and never whether it passed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.importers.joining.predictions import ALONE, NO_PATCH, OTHER, SAME, predicted
from reviewer.trace import Json
from tests.importers.reading import SHARED, one, put

NAME = "acme__loom-12"
PATCH = "diff --git a/x b/x\n+1\n"
MESSAGES = [{"role": "system", "content": "s"}, {"role": "user", "content": "Mend it"}]


def row(patch: Json = PATCH, model: str = "brook-large", name: str = NAME) -> dict[str, Any]:
    return {"instance_id": name, "model_patch": patch, "model_name_or_path": model}


def trajectory(folder: Path, submission: Json = PATCH) -> Path:
    info = {"exit_status": "Submitted", "submission": submission, "config": {}}
    value = {"trajectory_format": "mini-swe-agent-1.1", "info": info, "messages": MESSAGES}
    return put(folder / NAME, f"{NAME}.traj.json", value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("preds.json", {NAME: row(), "acme__loom-13": row("", name="acme__loom-13")}),
        ("preds.json", [row(name="acme__loom-1"), row()]),
        ("all_preds.jsonl", [row(name="acme__loom-1"), row()]),
        (f"{NAME}/{NAME}.pred", row()),
        (f"{NAME}/preds.json", {NAME: {"model_patch": PATCH, "model_name_or_path": "brook-large"}}),
    ],
)
def test_all_layouts_are_found(tmp_path: Path, name: str, value: Any) -> None:
    path = trajectory(tmp_path)
    put(tmp_path, name, value)
    found = one(path)
    assert found.trace.info.model == "brook-large"
    (outcome,) = found.outcomes
    assert (outcome.passed, outcome.score) == (None, None)
    assert outcome.detail == {"prediction": SAME, "model_name_or_path": "brook-large"}
    assert outcome.origin.endswith(name.rpartition("/")[2])


@pytest.mark.parametrize(
    ("patch", "submission", "said"),
    [
        ("", "", NO_PATCH),
        (None, PATCH, NO_PATCH),
        (7, "", NO_PATCH),
        (PATCH, "+2", OTHER),
        (PATCH, "", ALONE),
    ],
)
def test_what_was_handed_in(tmp_path: Path, patch: Json, submission: str, said: str) -> None:
    path = trajectory(tmp_path, submission)
    put(tmp_path, "preds.json", {NAME: row(patch)})
    detail = one(path).outcomes[0].detail
    assert isinstance(detail, dict)
    assert detail["prediction"] == said
    assert detail.get("model_patch") == (patch if said in (OTHER, ALONE) else None)


def test_swe_agent_reads_them_too(tmp_path: Path) -> None:
    value = {"trajectory": [], "history": MESSAGES, "info": {"submission": None, "exit_status": "exit_cost"}}
    path = put(tmp_path / NAME, f"{NAME}.traj", value)
    put(tmp_path, "preds.json", {NAME: row("")})
    found = one(path)
    assert found.trace.info.model == "brook-large"
    assert found.outcomes[0].detail == {"prediction": NO_PATCH, "model_name_or_path": "brook-large"}


def test_of_several_runs_only_that_of_the_model_counts(tmp_path: Path) -> None:
    put(tmp_path, "preds.json", [row("a", "brook"), row("b", "lantern")])
    path = tmp_path / "x.traj"
    assert predicted(path, NAME, "a") == ("", ())
    model, (outcome,) = predicted(path, NAME, "b", "lantern")
    assert (model, outcome.detail) == ("lantern", {"prediction": SAME, "model_name_or_path": "lantern"})


def test_the_same_prediction_in_two_files_is_told_once(tmp_path: Path) -> None:
    put(tmp_path, "preds.json", {NAME: row()})
    put(tmp_path, f"{NAME}.pred", row())
    assert len(predicted(tmp_path / "x.traj", NAME, PATCH)[1]) == 1


def test_a_trace_is_the_same_without_them(tmp_path: Path) -> None:
    path = trajectory(tmp_path)
    before = one(path).trace.info
    put(tmp_path, "preds.json", {NAME: row()})
    after = one(path).trace.info
    assert (before.trace_id, before.content_hash) == (after.trace_id, after.content_hash)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared files are not here")
def test_a_real_file() -> None:
    folder = SHARED / "traces" / "mini_swe_agent"
    names = json.loads((folder / "preds.json").read_text("utf-8"))
    model, told = predicted(folder / "x.traj.json", next(iter(names)), "")
    assert model
    assert told


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.binary(max_size=40)
    | st.recursive(
        st.none() | st.text(max_size=3) | st.just(NAME),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["instance_id", "model_patch", NAME]), inner, max_size=3)
        ),
    ).map(lambda value: json.dumps(value).encode()),
    st.text(max_size=5) | st.just(NAME),
)
def test_any_bytes(data: bytes, name: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "preds.json").write_bytes(data)
        for _, outcomes in [predicted(Path(folder, "x.traj"), name, None)]:
            json.dumps([outcome.detail for outcome in outcomes])
