"""Submissions to the leaderboard of SWE-bench: traces in `trajs`, and beside it what was said of them.

`logs/<instance>/report.json` says what became of one instance, `results/results.json` which of all were
resolved: of those that it does not name, and whose logs were there, the tests failed. Knows no trace format.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from reviewer.importers.opening.beside import plain_name

TRAJS, LOGS, RESULTS = "trajs", "logs", "results"
SET_APART = {"no_generation", "no_logs"}  # lists of instances that were not judged


def run_of(path: Path) -> Path | None:
    """The folder of the submission that a trace belongs to (`trajs/<file>` or `trajs/<instance>/<file>`)."""
    here = path.absolute().parent
    return next((folder.parent for folder in (here, here.parent) if folder.name == TRAJS), None)


def verdicts(path: Path, instance: str) -> Iterator[tuple[Path, str]]:
    """Folder and name of the files in which the submission says what became of an instance."""
    if (run := run_of(path)) and plain_name(instance):
        yield run / LOGS / instance, "report.json"
        yield run / RESULTS, "results.json"
