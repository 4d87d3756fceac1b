"""The hang-up recipe over the real review screen: whatever ends it, the label of the last key is stored."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reviewer import cli
from tests.conftest import SHARED, needs_shared

COUNT = """
import sys, pathlib
from reviewer.store import Store
events = Store.open(pathlib.Path(sys.argv[1])).labels.events()
print(sum(event.kind == "label" for event in events))
"""


@needs_shared
@pytest.mark.parametrize("way", ["--blind", "--assisted"])
def test_a_label_survives_every_end_of_the_screen(way: str, tmp_path: Path) -> None:
    traces = [{"id": str(n), "task": "t", "trajectory": [{"action": f"do {n}"}]} for n in range(10)]
    file, store = tmp_path / "traces.json", tmp_path / "reviews.db"
    file.write_text(json.dumps(traces), "utf-8")
    assert cli.run(["--store", str(store), "import", str(file)]) == 0
    count = [sys.executable, "-c", COUNT, str(store)]
    screen = [sys.executable, "-m", "reviewer", "--store", str(store), "label", "--as", "ana", way]
    recipe = [sys.executable, "-B", str(SHARED / "faults" / "hangup.py")]
    environment = {**os.environ, "KEYS": "1", "START": "1.2"}
    done = subprocess.run(
        [*recipe, *count, "--", *screen], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
