"""What was read from files into the store, and what became of it. The caller holds the transaction.

Knows nothing of how files are read, and prints nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from reviewer.cli.context import now
from reviewer.importers.base import Imported, Source, Warn
from reviewer.store import PutKind, Store

if TYPE_CHECKING:
    from reviewer.label_file import Item
    from reviewer.store.tally import Received


@dataclass(slots=True)
class FileReport:
    """What became of one file: its traces by kind, or the reason why there are none."""

    path: Path
    format: str = ""
    traces: int = 0
    error: str = ""
    there: bool = True
    warnings: tuple[Warn, ...] = ()


Became: TypeAlias = tuple[PutKind, str]  # what became of a trace, and the id that it has here


@dataclass(slots=True)
class Report:
    """What became of an import: of every file, of every trace in the order they were read, of labels."""

    failed: int = 0
    files: list[FileReport] = field(default_factory=list)
    became: list[Became] = field(default_factory=list)
    labels: Received | None = None  # what became of the lines of label files, where there were any
    places: dict[str, Path] = field(default_factory=dict)  # the file in which each trace stood first
    unopened: int = 0  # files in folders that were passed over for their names
    sub_agents: int = 0  # of the traces that were read: runs of sub-agents, in files of their own
    beside: int = 0  # files in folders that were opened, and only lie beside traces

    @property
    def read(self) -> int:
        return len(self.became)

    @property
    def new(self) -> int:
        return self._count("new") + self._count("clash")  # a clash is a second trace

    @property
    def unchanged(self) -> int:
        return self._count("unchanged")

    @property
    def updated(self) -> int:
        return self._count("updated")

    @property
    def ids(self) -> list[str]:
        return [trace_id for _, trace_id in self.became]

    @property
    def lost(self) -> bool:
        return bool(self.failed) or (self.labels is not None and self.labels.lost)

    def _count(self, kind: PutKind) -> int:
        return sum(one == kind for one, _ in self.became)

    def touched(self, ids: set[str]) -> None:
        """Something new was said of these traces: those that were unchanged are updated ones."""
        for index, (kind, trace_id) in enumerate(self.became):
            if kind == "unchanged" and trace_id in ids:
                self.became[index] = ("updated", trace_id)

    def told(self, file: FileReport, source: Source | None) -> None:
        """Take in what became of a file; what it lost counts as failed, beside what it gave."""
        self.failed += bool(file.error)
        if source is not None:
            file.warnings = source.notes()
            self.failed += source.lost if file.traces else 0
        self.files.append(file)


@dataclass(slots=True)
class FileIn:
    """One file on its way in; `renamed` are traces that got another id here, `here` all that it holds."""

    report: FileReport
    source: Source | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    here: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Piece:
    """What goes in at once: a small file, one trace of a large one, or labels; `last` ends the file."""

    file: FileIn
    traces: Sequence[Imported] = ()
    labels: Sequence[tuple[int, Item | str]] | None = None
    last: bool = False


def put(store: Store, piece: Piece, report: Report) -> None:
    """Write one piece; the caller holds the transaction."""
    file, source = piece.file, piece.file.source
    if piece.labels is not None and source is not None:
        report.labels = _put_lines(store, piece.labels, source, report.labels)
    if piece.traces and source is not None:
        with store.whole():
            became = list(_put_all(store, piece.traces, file, source, report))
        report.became.extend(became)
        file.report.traces += len(became)
    if piece.last:
        report.told(file.report, source)


def _put_lines(
    store: Store, lines: Sequence[tuple[int, Item | str]], source: Source, before: Received | None
) -> Received:
    """The lines of a label file, verbatim; a line that cannot be taken is named and costs itself."""
    from reviewer.store.tally import Received

    received = before or Received()
    first = len(received.refused), len(received.told)
    taken: list[tuple[int, Item]] = []
    for number, item in lines:
        if isinstance(item, str):
            received.refuse("", number, item)
        else:
            taken.append((number, item))
    with store.whole():
        store.history.receive(taken, received, now=now())
    told = {warning.line for warning in source.warnings}  # lines that were no JSON to begin with
    source.warnings.extend(
        Warn(refusal.place, f"refused: {refusal.reason}")
        for refusal in received.refused[first[0] :]
        if refusal.place not in told
    )
    source.warnings.extend(Warn(0, word) for word in received.told[first[1] :])
    return received


def _put_labels(store: Store, items: Sequence[Item], trace_id: str, before: Received | None) -> Received:
    """The labels that came with a trace, on the id that the trace has here."""
    from reviewer.label import LabelEvent
    from reviewer.store.tally import Received

    received = before or Received()
    moved = [replace(item, trace_id=trace_id) if isinstance(item, LabelEvent) else item for item in items]
    store.history.receive([(0, item) for item in moved], received, now=now())
    return received


def _put_all(
    store: Store, traces: Iterable[Imported], file: FileIn, source: Source, report: Report
) -> Iterator[Became]:
    """Put traces in; yields what became of each. Sub-agent runs count in their parent.

    One whose parent is in another file counts by itself.
    """
    renamed, here = file.renamed, file.here
    for imported in traces:
        trace = imported.trace
        parent = trace.info.parent_id
        here.add(trace.info.trace_id)
        if parent in renamed:
            trace = replace(trace, info=replace(trace.info, parent_id=renamed[parent]))
        put = store.traces.put(trace, now=now())
        if put.kind == "clash":
            source.warn("the same id with other content is in the store already: kept as a second trace")
        if put.trace_id != trace.info.trace_id:
            renamed[trace.info.trace_id] = put.trace_id
        if imported.labels:
            report.labels = _put_labels(store, imported.labels, put.trace_id, report.labels)
        graded = [store.outcomes.put(put.trace_id, outcome, now=now()) for outcome in imported.outcomes]
        if parent not in here:
            first = report.places.setdefault(put.trace_id, file.report.path)
            if first != file.report.path:
                source.warn(f"the same trace stands in {first} too: it is kept once")
            report.sub_agents += bool(parent)
            yield ("updated" if put.kind == "unchanged" and any(graded) else put.kind), put.trace_id
