"""The libraries that exports are for, asked to read them in a process of their own, or skipped."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def read_by(library: str, code: str, *arguments: Path, home: Path) -> Any:
    """What `code` prints as JSON, run where `library` is installed; `sys.argv` holds the arguments."""
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed here: pip install '.[targets]' brings it")
    env = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "HF_HOME": str(home),
        "HF_DATASETS_DISABLE_PROGRESS_BARS": "1",
    }
    command = [sys.executable, "-c", code, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])
