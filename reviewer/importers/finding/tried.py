"""A trace with what is said of it around its file, where its importer does not look: a trial, a submission.

The trial of Harbor that an agent's own log lies in names the task, and its reward is the outcome; it fills in
what the log leaves open. A run that Harbor ended itself did not end as its log says. A submission to the
leaderboard of SWE-bench says whether the instance that a file is named after was resolved. Knows no format
but the ones that do this by themselves.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from reviewer.importers import LABELS
from reviewer.importers.base import Changing, Imported, Importer, Source
from reviewer.importers.joining.harbor import Trial, trial_of
from reviewer.importers.joining.leaderboard import run_of
from reviewer.importers.joining.reports import beside
from reviewer.importers.shapes.task_ids import MARK, instance

_KNOW_TRIALS = {"atif", *LABELS}
_KNOW_REPORTS = {"swe_agent", "mini_swe_agent", "openhands_v0", "openhands_v1", "moatless", *LABELS}


def tried(importer: Importer, source: Source) -> Importer:
    """The importer; within a trial or a submission one that joins it to the traces."""
    if importer.FORMAT not in _KNOW_TRIALS and (trial := trial_of(source.path)):
        return Changing(importer, partial(_with_trial, trial=trial))
    if importer.FORMAT not in _KNOW_REPORTS and run_of(source.path):
        return Changing(importer, _with_report)
    return importer


def _with_report(imported: Imported) -> Imported:
    info = imported.trace.info
    if info.parent_id:
        return imported
    path = Path(info.source_path)
    named = next(filter(None, map(instance, (info.task_id, path.name, path.parent.name))), "")
    if not (named and (found := beside(path, named))):
        return imported
    meta = {key: value for key, value in info.meta.items() if key != MARK}
    joined = replace(info, task_id=named, meta=meta)
    return replace(
        imported, trace=replace(imported.trace, info=joined), outcomes=(*imported.outcomes, *found)
    )


def _with_trial(imported: Imported, trial: Trial) -> Imported:
    info = imported.trace.info
    if info.parent_id:
        return imported
    open_ = {key: value for key, value in trial.totals.items() if getattr(info, key) is None}
    stopped = trial.ended not in ("submitted", "unknown") or info.ended == "unknown"
    named: dict[str, Any] = {"task_id": trial.task} if trial.task else {}
    meta = {key: value for key, value in info.meta.items() if key != MARK or not trial.task}
    joined = replace(
        info,
        **named,
        **open_,
        benchmark=info.benchmark or trial.benchmark,
        model=info.model or trial.model,
        agent=info.agent or trial.agent,
        attempt=trial.attempt if info.attempt is None else info.attempt,
        ended=trial.ended if stopped else info.ended,
        started=info.started or trial.started,
        seconds=trial.seconds if info.seconds is None else info.seconds,
        meta=meta | trial.meta,
    )
    outcomes = (*imported.outcomes, *trial.outcomes)
    return replace(imported, trace=replace(imported.trace, info=joined), outcomes=outcomes)
