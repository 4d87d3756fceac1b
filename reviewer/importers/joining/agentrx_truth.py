"""The ground truth of AgentRx: people's labels, which lie beside the trajectories in files of their own.

`data/ground_truth/*.json` lists, for each trajectory, the failures found, and which of them is the root
cause. Steps count from 1. The root cause becomes the label, the other failures its secondary modes; all
stand in the note as they were written. Knows how to find the files from a trajectory; reads no trajectory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from reviewer.importers.joining.label_sets import LabelSet, loaded, paragraphs, step_of
from reviewer.importers.opening.beside import read_beside, regular
from reviewer.importers.opening.values import as_dict, as_id, as_int, as_list, as_str, shown
from reviewer.importers.shapes.talks import agent_of_team
from reviewer.label import Decision
from reviewer.label_file import Item
from reviewer.trace import Step, TraceInfo

SET = LabelSet("agentrx", "agentrx", "2026-02-02")
FOLDERS = ("ground_truth", "data/ground_truth")
ABOVE = 5  # folders above a trajectory in which the ground truth is looked for
# Other spellings than the names of the modes themselves.
SPELLINGS = {"instruction_plan_adherence_failure": "instruction_adherence_failure"}


def of(path: Path, id: str, warn: Callable[[str], None]) -> Mapping[str, Any]:
    """What the ground truth above `path` says of the trajectory `id`; empty where there is none."""
    for folder in list(path.absolute().parents)[:ABOVE]:
        for name in FOLDERS:
            try:
                files = sorted((folder / name).glob("*.json"))
            except OSError:
                continue
            found = ((file, regular(file)) for file in files)
            stamps = tuple((file, stat.st_mtime_ns, stat.st_size) for file, stat in found if stat)
            if not stamps:
                continue
            entries, bad = _read(stamps)
            for file in bad:
                warn(f"the ground truth in {file} cannot be read; its labels are missing")
            return entries.get(id, {})
    return {}


@lru_cache(maxsize=8)
def _read(stamps: tuple[tuple[Path, int, int], ...]) -> tuple[dict[str, dict[str, Any]], tuple[str, ...]]:
    """The entries of all files by trajectory, and the names of the files that could not be read."""
    entries: dict[str, dict[str, Any]] = {}
    bad: list[str] = []
    for file, _, _ in stamps:
        try:
            rows = json.loads(read_beside(file) or b"")
        except (ValueError, RecursionError):
            bad.append(file.name)
            continue
        for row in as_list(rows):
            if id := as_id(as_dict(row).get("trajectory_id")):
                entries.setdefault(id, row)
    return entries, tuple(bad)


def is_entry(row: Any) -> bool:
    """Whether this is what the ground truth says of one trajectory."""
    return isinstance(row, dict) and "trajectory_id" in row and bool({"failures", "root_cause"} & row.keys())


def labels(
    entry: Mapping[str, Any],
    info: TraceInfo,
    steps: tuple[Step, ...],
    warn: Callable[[str], None],
    place: Callable[[int], int] = lambda number: number - 1,
) -> tuple[Item, ...]:
    """The label of a trajectory. `place` gives the index of the record with a step's number."""
    failures = [as_dict(failure) for failure in as_list(entry.get("failures"))]
    cause = as_dict(entry.get("root_cause"))
    if not failures and not cause:
        return ()
    root = next((one for one in failures if one.get("failure_id") == cause.get("failure_id")), {})
    if not root:
        warn("the root cause names a failure that is not listed: its label is kept as a note without a mode")
    mode = mode_of(root.get("failure_category"))
    if root and not mode:
        warn(f"unknown category {shown(root.get('failure_category'))[:80]!r}: the label is kept as a note")
    listed = dict.fromkeys(mode_of(one.get("failure_category")) for one in failures)
    number = as_int(root.get("step_number"))
    step_source, step_n = step_of(steps, f"#{place(number)}") if number is not None else ("", None)
    if root and step_n is None:
        warn("the step of a root cause is no step of its run; it stands in the note")
    agent = as_str(root.get("failed_agent")).strip()
    decision = Decision(
        mode,
        secondary=tuple(name for name in listed if name not in ("", mode)) if mode else (),
        facets={"agent": agent_of_team(agent) or "another"} if agent and mode else {},
        step_source=step_source,
        step_n=step_n,
        note=paragraphs(
            *dict.fromkeys((shown(cause.get("reason_for_root_cause")), shown(entry.get("failure_summary")))),
            *(_told(one, one is root) for one in failures),
        ),
    )
    return SET.items(info, SET.annotator("AgentRx annotators"), decision)


def mode_of(category: Any) -> str:
    """The mode that a category names, in whatever spelling (`Intent-Plan Misalignment`); "" for none."""
    words = "_".join(re.findall(r"[a-z]+", as_str(category).lower()))
    words = SPELLINGS.get(words, words)
    return words if loaded(SET.taxonomy).has(words) else ""


def _told(failure: Mapping[str, Any], root: bool) -> str:
    """One failure as it was written down."""
    head = f"{'root cause' if root else 'failure'}, step {shown(failure.get('step_number')) or '?'}"
    said = [shown(failure.get("failed_agent")), shown(failure.get("failure_category"))]
    reasons = dict.fromkeys(shown(failure.get(key)).strip() for key in ("step_reason", "category_reason"))
    return ": ".join(filter(None, (head, ", ".join(filter(None, said)), " / ".join(filter(None, reasons)))))
