"""AgentRx: failed runs with people's labels beside them: logs of Magentic-One, and tau-bench retail runs.

A log is a bare list of messages, named after its trajectory; a run of tau-bench is one object whose messages
carry an `index`. Both have the identity that they have elsewhere (Who&When, tau-bench), so that the labels of
several sets meet on one trace. The labels come from the ground truth above the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats import tau_bench
from reviewer.importers.joining import agentrx_truth as truth
from reviewer.importers.opening.beside import read_beside
from reviewer.importers.opening.values import as_dict, as_str
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.talks import Talk, benchmark, ended, magentic
from reviewer.importers.shapes.task_ids import FILE, MARK
from reviewer.trace import Trace, TraceInfo

FORMAT = "agentrx"
ABOUT = "AgentRx: runs of Magentic-One and tau-bench, labels beside them (`data/magentic_dataset/*.json`)"
VERSION = 2
GRADER_FIELDS = tau_bench.GRADER_FIELDS
IGNORED = {
    **tau_bench.IGNORED,
    "traj[].refusal": "empty wherever it stands",
    "traj[].annotations": "empty wherever it stands",
}
INDEX = "trajectories_info.json"  # which trajectory a file is, where its name does not say


def sniff(source: Source) -> bool:
    """A log of Magentic-One as a bare list, or one run of tau-bench whose messages are numbered."""
    return source.is_json and (magentic(source.value) or _numbered(source.value))


def _numbered(value: Any) -> bool:
    traj = as_dict(value).get("traj")
    return bool(traj) and isinstance(traj, list) and "task_id" in value and numbered(traj)


def numbered(traj: list[Any]) -> bool:
    """Whether the messages of a run carry the numbers that only AgentRx gives them."""
    return "index" in as_dict(traj[0]) if traj else False


def read(source: Source) -> Iterator[Imported]:
    """The one run of the file."""
    if source.is_json and isinstance(source.value, list) and source.value:
        yield _log(source, source.value)
    elif source.is_json and isinstance(as_dict(source.value).get("traj"), list):
        for imported in tau_bench.read(source):
            info = replace(imported.trace.info, format=FORMAT, importer=VERSION)
            yield replace(imported, trace=replace(imported.trace, info=info), ignored=IGNORED)
    else:
        raise InputError(f"{source.path}: no run of AgentRx in it: neither a list of messages nor a traj")


def _log(source: Source, records: list[Any]) -> Imported:
    said = Talk(records, source.warn)
    steps = said.drafts.steps()
    name = source.path.name.removesuffix(".json")
    id = name if benchmark(name) else _indexed(source)
    info = TraceInfo(
        **ids(records),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        benchmark=benchmark(id),
        task_id=name,
        task=said.task,
        agent="Magentic-One",
        ended=ended(records),
        n_messages=len(records),
        **totals(steps),
        meta={} if id == name else {MARK: FILE, **({"trajectory_id": id} if id else {})},
    )
    entry = truth.of(source.path, id or name, source.warn)
    labels = truth.labels(entry, info, steps, source.warn)
    return Imported(Trace(info, steps, source.text.strip(" \t\r\n")), labels, ignored=IGNORED)


def _indexed(source: Source) -> str:
    """The trajectory that the index in the folder above says this file is; "" where there is none."""
    try:
        index = json.loads(read_beside(source.path.absolute().parent.parent / INDEX) or b"")
    except (ValueError, RecursionError):
        return ""
    for group in as_dict(index).values():
        for id, about in as_dict(group).items():
            if as_str(as_dict(about).get("name")) == source.path.name:
                return str(id)
    return ""
