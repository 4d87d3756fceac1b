"""The recipes that try to lose a label, through the adapter: real processes, real kills, real full disks."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reviewer.store import Store
from tests.conftest import SHARED, needs_shared

ADAPTER = Path(__file__).with_name("adapter.py")
RECIPES = {
    "kill9": ["6"],
    "enospc": [],
    "busy": [],
    "readonly": [],
    "corrupt": [],
    "copy_live": [],
    "concurrent": ["8", "5"],
}


@needs_shared
@pytest.mark.parametrize("recipe", RECIPES)
def test_no_acknowledged_label_is_lost(recipe: str, tmp_path: Path) -> None:
    environment = {**os.environ, "FAULT_ADAPTER": f"{sys.executable} {ADAPTER}", "FAULT_TMP": str(tmp_path)}
    script = SHARED / "faults" / f"{recipe}.py"
    command = [sys.executable, "-B", str(script), *RECIPES[recipe]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_writer_that_is_killed_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "reviews.db"
    Store.open(path, create=True).close()
    acknowledged: set[str] = set()
    for round in range(3):
        writer = subprocess.Popen(
            [sys.executable, str(ADAPTER), "writer", str(path), "ana"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdin is not None
        assert writer.stdout is not None
        for n in range(2000):
            writer.stdin.write(f'{{"event": "r{round}e{n}", "trace": "t{n % 9}", "value": "v"}}\n')
        writer.stdin.flush()
        assert writer.stdout.readline().startswith("ACK")
        acknowledged.add(f"r{round}e0")
        time.sleep(0.1)
        os.kill(writer.pid, signal.SIGKILL)
        lines = [line for line in writer.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
        acknowledged |= {line.split()[1] for line in lines if line.startswith("ACK")}
        writer.stdin.close()
        writer.stdout.close()
        writer.wait()
    with Store.open(path) as store:
        assert acknowledged <= {event.id for event in store.labels.events()}
        assert store.problems() == []
