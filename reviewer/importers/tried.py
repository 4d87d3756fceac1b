"""A trace that an agent's own log gives, with what Harbor says of the trial that the log lies in.

The trial names the task, and its reward is the outcome; it fills in what the log leaves open. A run that
Harbor ended itself did not end as its log says. Knows no format but the one that reads the trial by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.importers import LABELS
from reviewer.importers.base import Imported, Importer, Source
from reviewer.importers.harbor import Trial, trial_of
from reviewer.importers.task_ids import MARK

_BY_ITSELF = {"atif", *LABELS}


def tried(importer: Importer, source: Source) -> Importer:
    """The importer; within a trial one that joins it to the traces."""
    if importer.FORMAT in _BY_ITSELF:
        return importer
    trial = trial_of(source.path)
    return Tried(importer, trial) if trial else importer


class Tried:
    """Reads as its importer does, and adds the trial to each trace that is no sub-agent's."""

    def __init__(self, importer: Importer, trial: Trial) -> None:
        self._importer = importer
        self._trial = trial
        self.FORMAT = importer.FORMAT
        self.ABOUT = importer.ABOUT
        self.VERSION = importer.VERSION

    def sniff(self, source: Source) -> bool:
        return self._importer.sniff(source)

    def read(self, source: Source) -> Iterator[Imported]:
        """The traces of the file."""
        for imported in self._importer.read(source):
            yield imported if imported.trace.info.parent_id else _joined(imported, self._trial)


def _joined(imported: Imported, trial: Trial) -> Imported:
    info = imported.trace.info
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
