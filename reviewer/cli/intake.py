"""Files into the store: small ones whole or not at all, large ones trace by trace, in short transactions.

Reading takes long and locks out nobody; what was read in a quarter of a second is then written at once,
and between two transactions is room for those of other people. Prints nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from reviewer.cli.putting import FileIn, FileReport, Piece, Report, put
from reviewer.errors import InputError, NotThere
from reviewer.importers import LABELS
from reviewer.importers.base import Imported, Importer, NotATrace, Source
from reviewer.importers.finding.files import Found, find, open_source, ready
from reviewer.store import Store

if TYPE_CHECKING:
    from reviewer.label_file import Item

_BATCH = 0.25  # seconds of work between two commits
_ROOM = 0.004  # seconds in which others may take the lock
# Characters of a file from which on it is not held back until it is whole: its traces go in one by one.
_LARGE = 4_000_000


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import is; `bytes_done` of `bytes_all`, files and traces so far."""

    files: int = 0
    traces: int = 0
    bytes_done: int = 0
    bytes_all: int = 0


Change: TypeAlias = Callable[[Iterator[Imported], Source], Iterator[Imported]]


def only(chosen: Sequence[str], then: Change) -> Change:
    """Lets through the traces with these ids (or beginnings of ids), and the sub-agents of theirs."""
    wanted = tuple(f"t1-{one.removeprefix('t1-')}" for one in chosen)

    def kept(traces: Iterator[Imported], source: Source) -> Iterator[Imported]:
        for one in then(traces, source):
            info = one.trace.info
            if (info.parent_id or info.trace_id).startswith(wanted):
                yield one

    return kept


def as_is(traces: Iterator[Imported], source: Source) -> Iterator[Imported]:
    """The traces as their importer gives them."""
    return traces


def import_paths(
    store: Store,
    paths: Sequence[str],
    format: str | Importer | None,
    progress: Callable[[Progress], None] = lambda _: None,
    change: Change = as_is,
) -> Report:
    """Import every file that `paths` stand for; `change` may alter the traces of a file on their way in.

    Files are read while nobody is locked out; what was read in a quarter of a second is then written.
    """
    findings = find(paths)
    report = Report(unopened=len(findings.skipped))
    found = [ready(file) for file in findings.files]
    sizes = [_size(file) for file in found]
    whole, waiting, started = sum(sizes), list[Piece](), time.monotonic()

    def write(at: int) -> None:
        nonlocal started
        if waiting:
            with store.write():
                for piece in waiting:
                    put(store, piece, report)
            waiting.clear()
        progress(Progress(len(report.files), report.read, at, whole))
        time.sleep(_ROOM)  # in which others may take the lock
        started = time.monotonic()

    at = 0
    for piece, at in _pieces(zip(found, sizes, strict=True), format, change):
        if piece is None:
            report.beside += 1
            continue
        waiting.append(piece)
        if time.monotonic() - started > _BATCH:
            write(at)
    write(at)
    return report


def unknown(store: Store, paths: Sequence[str]) -> int:
    """How many traces in these files the store does not hold, sub-agents' apart; nothing is written."""
    ids: set[str] = set()

    def noted(traces: Iterator[Imported], source: Source) -> Iterator[Imported]:
        ids.update(one.trace.info.trace_id for one in traces if not one.trace.info.parent_id)
        return iter(())

    files = [(ready(file), 0) for file in find(paths).files]
    for _ in _pieces(files, None, noted):
        pass
    return len(ids - {info.trace_id for info in store.traces.all()})


def fill_search(store: Store, progress: Callable[[int], None] = lambda _: None) -> None:
    """Bring the full text of the store up to date; `progress` is told the steps that are left."""
    while store.fulltext.fill(_BATCH):
        progress(store.fulltext.pending())
        time.sleep(_ROOM)


def _size(found: Found) -> int:
    try:
        return len(found.data) if found.data is not None else found.path.stat().st_size
    except (OSError, ValueError):  # which is said when its turn comes
        return 0


def _pieces(
    files: Iterable[tuple[Found, int]], format: str | Importer | None, change: Change
) -> Iterator[tuple[Piece | None, int]]:
    """Read file after file: pieces (None: a file only lies beside traces), with the bytes gone through."""
    done = 0
    for found, size in files:
        file = FileIn(FileReport(found.path))
        held: list[Imported] = []
        try:
            importer, source = open_source(found.path, format, found.data)
            file.source, file.report.format = source, importer.FORMAT
            if importer.FORMAT in LABELS:
                yield Piece(file, labels=_lines(source)), done
            small = not _in_parts(source)
            for one in change(importer.read(source), source):
                if small:
                    held.append(one)
                else:
                    yield Piece(file, (one,)), done + min(source.position, size)
        except NotATrace as error:
            if not found.named:
                done += size
                yield None, done
                continue
            file.report.error = str(error)
        except InputError as error:
            file.report.error, file.report.there = str(error), not isinstance(error, NotThere)
            held = []  # a small file is whole or not at all
        done += size
        yield Piece(file, held, last=True), done


def _in_parts(source: Source) -> bool:
    """Whether the traces of a file go in one by one, because all of them might not fit into memory."""
    return source.is_zip or source.is_database or not source.text or len(source.text) > _LARGE


def _lines(source: Source) -> Sequence[tuple[int, Item | str]]:
    from reviewer.importers.label_files import items

    return list(items(source))
