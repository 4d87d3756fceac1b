"""What an sb-cli report near a trajectory says about its instance.

A report may be of another run of the same instances; nothing in it tells. So its folder and name are the
origin of the outcome, and two that differ are two outcomes. Reports are read once.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from reviewer.importers.joining.origins import origin_of
from reviewer.importers.opening.beside import read_beside
from reviewer.importers.opening.values import as_list
from reviewer.trace import Outcome

LARGEST = 8_000_000
FOLDER = "sb-cli-reports"
VERDICTS = ("resolved_ids", "unresolved_ids", "error_ids", "empty_patch_ids")


def outcomes_for(trace: Path, instance: str) -> tuple[Outcome, ...]:
    """The outcomes that the reports beside the file, or one folder above, give for `instance`."""
    here = trace.absolute().parent
    found = []
    for folder in dict.fromkeys((here, here / FOLDER, here.parent, here.parent / FOLDER)):
        for path in _names(folder, _changed(folder)):
            report = _report(path, _changed(path))
            outcome = _outcome(report, instance, origin_of(folder, path.name, FOLDER, instance))
            if outcome is not None:
                found.append(outcome)
    return tuple(found)


def _changed(path: Path) -> int:
    """When a file or folder last changed; 0 for one that is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _outcome(report: dict[str, frozenset[str]], instance: str, origin: str) -> Outcome | None:
    listed = [key for key in VERDICTS if instance in report.get(key, ())]
    if not listed:
        return None
    passed = True if "resolved_ids" in listed else False if "unresolved_ids" in listed else None
    return Outcome(passed=passed, detail={"listed_in": listed}, origin=origin)


@lru_cache(maxsize=256)
def _names(folder: Path, changed: int) -> tuple[Path, ...]:
    """The files of a folder that are reports, as it was when one last came or went."""
    found = []
    for path in sorted(folder.glob("*.json")):
        if path.name.endswith(".traj.json"):
            continue
        if b'"resolved_ids"' in (read_beside(path, LARGEST) or b""):
            found.append(path)
    return tuple(found)


@lru_cache(maxsize=64)
def _report(path: Path, changed: int) -> dict[str, frozenset[str]]:
    """The verdicts of a report as it was when it was last written."""
    try:
        value: Any = json.loads(read_beside(path, LARGEST) or b"")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(value, dict) or not isinstance(value.get("resolved_ids"), list):
        return {}
    return {
        key: frozenset(item for item in as_list(value.get(key)) if isinstance(item, str)) for key in VERDICTS
    }
