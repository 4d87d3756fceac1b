"""`export atif`: trajectories that ATIF's own models take, with the labels in them and nothing left out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reviewer.exporters.csv import held
from reviewer.importers.finding.files import open_source
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran
from tests.exporters.labelled import ODD, filled
from tests.exporters.readers import read_by
from tests.history import put, session

Cli = Callable[..., Ran]
_MODELS = """
import json, sys
from pathlib import Path
from harbor.models.trajectories import Trajectory
found = {}
for file in sorted(Path(sys.argv[1]).glob("t1-*.json")):
    whole = Trajectory.model_validate(json.loads(file.read_text("utf-8")))
    Trajectory.model_validate_json(file.read_bytes())
    found[whole.trajectory_id] = len(whole.steps)
print(json.dumps(found))
"""


def trajectories(reviewer: Cli, folder: Path, *more: object) -> dict[str, Any]:
    assert reviewer("export", "atif", "-o", folder, *more).status == 0
    return {file.stem: json.loads(file.read_text("ascii")) for file in folder.glob("t1-*.json")}


def test_a_file_a_trace_with_labels_and_gold(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    ids = filled(store)
    found = trajectories(reviewer, tmp_path / "out")
    assert set(found) == set(ids.values()) - {ids["child"]}
    said = found[ids["a1"]]["extra"]["reviewer"]
    assert (said["gold"]["mode"], said["status"], len(said["labels"])) == ("tool_misuse", "unanimous", 2)
    steps = found[ids["a1"]]["steps"]
    assert [step["step_id"] for step in steps] == [1, 2, 3, 4, 5, 6]
    assert all("tool_calls" not in step for step in steps if step["source"] != "agent")
    assert steps[1]["extra"]["tool_calls"][0]["arguments"] == {"arguments": "ls -l"}
    assert steps[2]["observation"]["results"][0]["source_call_id"] == "c1"
    assert steps[2]["observation"]["results"][0]["content"] == held(ODD)
    assert steps[3]["observation"]["results"][0]["extra"] == {"source_call_id": "nobody"}
    assert (steps[5]["extra"]["timestamp"], "timestamp" in steps[5]) == ("yesterday", False)
    children = trajectories(reviewer, tmp_path / "all", "--children")
    assert children[ids["child"]]["extra"]["reviewer"]["parent_id"] == ids["a1"]


def test_our_importer_reads_it_back(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    ids = filled(store)
    trajectories(reviewer, tmp_path / "out")
    importer, source = open_source(tmp_path / "out" / f"{ids['b']}.json", None)
    (back,) = importer.read(source)
    assert importer.FORMAT == "atif"
    assert [step.source for step in back.trace.steps] == [
        step.source for step in store.traces.steps(ids["b"])
    ]
    assert [len(step.results) for step in back.trace.steps] == [0, 1, 1, 1, 0, 0]


def test_the_models_of_harbor_take_every_one(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    ids = filled(store)
    empty = put(store, session([]))
    assert reviewer("import", SAMPLES).status == 0
    found = trajectories(reviewer, tmp_path / "out", "--children")
    read = read_by("harbor", _MODELS, tmp_path / "out", home=tmp_path)
    assert set(read) == set(found) == {trace.trace_id for trace in store.traces.all(children=True)}
    assert (read[ids["a1"]], read[empty]) == (6, 1)
