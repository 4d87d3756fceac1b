"""Reports that lie beside a run or one folder above and say what became of its instance.

`report.json` as SWE-bench writes it (`{instance: {"resolved": …}}`), `results.json` with lists of
instances by verdict, both as a submission to its leaderboard has them, and the reports of sb-cli. Knows no
trace format.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from reviewer.importers.joining.leaderboard import LOGS, RESULTS, SET_APART, verdicts
from reviewer.importers.joining.origins import origin_of
from reviewer.importers.joining.sb_reports import FOLDER, LARGEST, outcomes_for
from reviewer.importers.opening.beside import plain_name, read_beside, regular
from reviewer.importers.opening.values import as_dict, as_list
from reviewer.trace import Outcome

NAMES = ("report.json", "results.json")
# In results.json: lists that an instance gets into when its patch was run; without these it was not judged.
JUDGED = {"applied", "generated", "with_logs", "test_errored", "test_timeout", "unresolved"}


def beside(path: Path, instance: str) -> tuple[Outcome, ...]:
    """All that the reports near the file say about `instance`."""
    if not instance:
        return ()
    here = path.absolute().parent
    names = (*NAMES, f"{instance}.report.json") if plain_name(instance) else NAMES
    common = (FOLDER, LOGS, RESULTS, instance)
    files = [(folder, name) for folder in (here, here.parent) for name in names]
    found = [
        outcome
        for folder, name in dict.fromkeys((*files, *verdicts(path, instance)))
        if (outcome := _outcome(load(folder / name), instance, origin_of(folder, name, *common)))
    ]
    return (*found, *outcomes_for(path, instance))


def load(path: Path) -> dict[str, Any]:
    """The object in a small JSON file; an empty one when there is none, or none that can be read."""
    stat = regular(path)
    return as_dict(_read(path, stat.st_mtime_ns)) if stat is not None else {}


@lru_cache(maxsize=64)
def _read(path: Path, changed: int) -> Any:
    """The file as it was when it last changed."""
    try:
        return json.loads(read_beside(path, LARGEST) or b"")
    except (ValueError, RecursionError):
        return None


def _outcome(report: dict[str, Any], instance: str, origin: str) -> Outcome | None:
    if "resolved_ids" in report:  # of sb-cli, and read as such
        return None
    own = report.get(instance)
    if isinstance(own, dict) and isinstance(own.get("resolved"), bool):
        return Outcome(passed=own["resolved"], detail=own, origin=origin)
    listed = sorted(key for key, names in report.items() if instance in as_list(names))
    complete = report.keys() >= SET_APART  # what it does not name was judged, and not resolved
    if not isinstance(report.get("resolved"), list) or not (listed or complete):
        return None
    judged = JUDGED & set(listed) or (complete and not listed)
    passed = True if "resolved" in listed else False if judged else None
    return Outcome(passed=passed, detail={"listed_in": listed}, origin=origin)
