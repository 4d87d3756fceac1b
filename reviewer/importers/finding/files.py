"""Which files to read, and the one door to them: `find` and `open_source`.

Folders are walked in name order, globs are expanded, `-` is the standard input. A path that is not
there comes out of `find` like any other and is refused by `open_source`, so that one bad path costs
only itself. Which format a file has is asked of the importers, by content.
"""

from __future__ import annotations

import contextlib
import glob
import os
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from stat import S_ISDIR, S_ISFIFO, S_ISREG

from reviewer.errors import InputError, NotThere
from reviewer.importers import importer
from reviewer.importers.base import Importer, Source
from reviewer.importers.finding.harbor_logs import sorted_out
from reviewer.importers.finding.recognised import in_pieces, not_beside, recognised, unknown
from reviewer.importers.finding.tried import tried
from reviewer.importers.finding.wanted import wanted
from reviewer.importers.joining.event_files import state_of
from reviewer.importers.opening.array_files import array_file
from reviewer.importers.opening.beside import regular
from reviewer.importers.opening.damaged import alone, decoded, whole_again
from reviewer.importers.opening.decode import SQLITE, ZIP, hollow
from reviewer.importers.opening.line_files import line_file
from reviewer.importers.opening.object_files import object_file
from reviewer.importers.opening.packed import Kept, packed, pieces, spooled, unpacked
from reviewer.importers.opening.parquet_files import PARQUET, parquet_file
from reviewer.importers.shapes.wrappings import wrappings
from reviewer.text import safe_line

STDIN = Path("-")
# Of a file that has to stand in memory whole: Python's values take about five times as much.
WHOLE = 2_000_000_000
_TOO_LARGE = (
    f"refused: it has to be held whole, and is larger than {WHOLE // 1_000_000_000} GB "
    "(JSON Lines, and lists and maps of traces in a file, are read piece by piece)"
)
_DEEP = re.compile(r"(?:\*\*/)+")


@dataclass(frozen=True, slots=True)
class Found:
    """One file to read; `named` when somebody named it, rather than it lying in a folder."""

    path: Path
    named: bool = True
    data: bytes | Kept | None = None  # of what may keep us waiting, read before anything is locked


@dataclass(frozen=True, slots=True)
class Findings:
    """The files to read, in order and each once, and those passed over in folders."""

    files: tuple[Found, ...] = ()
    skipped: tuple[Path, ...] = ()


def find(paths: Iterable[str | Path]) -> Findings:
    """The files that these paths, folders and patterns stand for, and the folders that nobody may enter."""
    files: dict[str, Found] = {}
    skipped: list[Path] = []
    for given in paths:
        if not str(given):
            raise InputError("an empty path; name a file or a folder")
        for path in _expanded(str(given)):
            if path == STDIN or not os.path.isdir(path):  # noqa: PTH112 (a name may be too long to ask)
                files[_key(path)] = Found(path)
                continue
            if state := state_of(path):  # of which the folder is a part
                files.setdefault(_key(state), Found(state, named=False))
            closed: list[Path] = []
            for inner, read in sorted_out(path, _walk(path, closed), wanted, _holds):
                if read:
                    files.setdefault(_key(inner), Found(inner, named=False))
                else:
                    skipped.append(inner)
            files.update((_key(folder), Found(folder)) for folder in closed)
    return Findings(tuple(files.values()), tuple(skipped))


def _holds(path: Path) -> bool:
    """Whether there is a trace in a file."""
    try:
        return bool(open_source(path))
    except InputError:
        return False


def _key(path: Path) -> str:
    return str(path if path == STDIN else path.absolute())


def _expanded(given: str) -> Iterator[Path]:
    """The path itself, or what it matches as a pattern when there is no such path."""
    path = Path(given)
    if given != "-" and not os.path.lexists(path) and glob.has_magic(given):
        pattern = _DEEP.sub("**/", str(path.relative_to(path.anchor)))
        try:
            matches = sorted(Path(path.anchor).glob(pattern))
        except (ValueError, OSError, RecursionError):  # no pattern after all, or one that no folder has
            matches = []
        yield from matches or [path]
        return
    yield path


def _walk(folder: Path, closed: list[Path]) -> Iterator[Path]:
    """All files below `folder` in name order; hidden folders and links to folders are not entered.

    Folders that cannot be looked into, or whose files cannot be reached, go into `closed`.
    """
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        try:
            with os.scandir(here) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
            folders = {entry.name for entry in found if entry.is_dir(follow_symlinks=False)}
        except OSError:
            found, folders = [], set()
            closed.append(here)
        if found and not os.access(here, os.X_OK):
            closed.append(here)
            continue
        paths = [here / entry.name for entry in found]
        yield from (path for path in paths if path.name not in folders and regular(path))
        inner = [path for path in paths if path.name in folders and not path.name.startswith(".")]
        waiting += reversed(inner)


def ready(found: Found) -> Found:
    """With the text of standard input or a pipe, so that whoever writes it holds up nobody else."""
    with contextlib.suppress(InputError, OSError, ValueError):  # which is said when its turn comes
        if found.path == STDIN or found.path.is_fifo():
            return replace(found, data=_bytes(found.path))
    return found


def open_source(
    path: Path, format: str | Importer | None = None, data: bytes | Kept | None = None
) -> tuple[Importer, Source]:
    """The file, decoded, and the importer for it: the one asked for, or the first that knows it."""
    module, source = _opened(path, format, data)
    return tried(module, source), source


def _opened(path: Path, format: str | Importer | None, data: bytes | Kept | None) -> tuple[Importer, Source]:
    chosen = importer(format) if isinstance(format, str) and format else format or None
    source = source_of(path) if data is None else _piped(path, data)
    if source.pieces:
        if found := in_pieces(source, chosen, lambda: _whole(source)):
            return found
        source = _whole(source)
    if source.is_json and (why := hollow(source.value)):
        if chosen is None:
            not_beside(source)
        raise InputError(f"{path}: no trace in it: {why}")
    if chosen is not None:
        others = (other for other in wrappings(source) if chosen.sniff(other))
        return chosen, source if chosen.sniff(source) else next(others, source)
    not_beside(source)
    for given in filter(None, (source, alone(source))):
        if found := recognised(given):
            return found
    raise InputError(f"{path}: {unknown(source)}")


def _whole(source: Source) -> Source:
    """The same file, read whole."""
    whole_again(source)
    kept = source.kept
    if not isinstance(kept, Kept):
        return _piped(source.path, _bytes(source.path))
    if len(kept) > WHOLE:
        raise InputError(f"{source.path}: {_TOO_LARGE}")
    whole = decoded(source.path, kept.path.read_bytes())
    whole.warnings.extend(kept.told)
    return whole


def source_of(path: Path) -> Source:
    """The file, decoded; what may not fit into memory (archives, many lines) is left where it lies."""
    if path != STDIN and regular(path):
        with contextlib.suppress(OSError), path.open("rb") as file:
            head = file.read(len(SQLITE))
            if head.startswith(ZIP):
                return Source(path, "", False, is_zip=True)
            if head == SQLITE:
                return Source(path, "", False, is_database=True)
            if packed(head):
                return unpacked(path)
            if head.startswith(PARQUET):
                return parquet_file(path)
        if source := line_file(path) or array_file(path) or object_file(path):
            return source
    return _piped(path, _bytes(path))


def _piped(path: Path, data: bytes | Kept) -> Source:
    """The source in what came through a pipe, or was read whole."""
    if len(data) > WHOLE:
        raise InputError(f"{path}: {_TOO_LARGE}")
    return data.source(path) if isinstance(data, Kept) else decoded(path, data)


def _bytes(path: Path) -> bytes | Kept:
    """All of a file, a pipe or the standard input; much of it is kept in a file of our own."""
    name = safe_line(str(path), 300) if len(str(path)) > 300 else path
    try:
        if path == STDIN:
            return spooled(sys.stdin.buffer, WHOLE)
        stat = path.stat()
        if S_ISDIR(stat.st_mode):
            raise InputError(f"{path}: {_closed(path)}")
        if not (S_ISREG(stat.st_mode) or S_ISFIFO(stat.st_mode)):
            raise InputError(f"{path}: this is a device or a socket, not a file; it is not read")
        if S_ISREG(stat.st_mode) and stat.st_size > WHOLE:
            raise InputError(f"{path}: {_TOO_LARGE}")
        with path.open("rb") as file:
            return spooled(file, WHOLE) if S_ISFIFO(stat.st_mode) else b"".join(pieces(file, WHOLE))
    except FileNotFoundError:
        what = "no file matches this pattern" if glob.has_magic(str(path)) else "no such file or folder"
        if str(path).startswith(("http:/", "https:/")):
            what += " (of the web nothing is read: download it first)"
        raise NotThere(f"{name}: {what}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name}: cannot be read: {reason}") from None


def _closed(folder: Path) -> str:
    """Why a folder stands where a file should: nobody may look into it, or it was taken for a file."""
    closed: list[Path] = []
    next(_walk(folder, closed), None)
    if folder in closed:
        return "the folder may not be looked into; nothing in it is imported"
    return "cannot be read: it is a folder; name a file in it (`reviewer import` takes whole folders)"
