"""Files packed with gzip or Zstandard: unpacked as far as they go, into memory or into a file that goes away.

Limits go by the bytes that really come out. A file that is cut off or damaged gives what came before the
damage, with a word about it. Knows no trace format.
"""

from __future__ import annotations

import gzip
import os
import tempfile
import weakref
import zlib
from collections.abc import Iterable, Iterator
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import BinaryIO, cast

from reviewer.errors import InputError
from reviewer.importers.base import Source, Warn
from reviewer.importers.opening import line_files
from reviewer.importers.opening.array_files import array_file
from reviewer.importers.opening.damaged import decoded
from reviewer.importers.opening.decode import SQLITE
from reviewer.importers.opening.line_files import line_file
from reviewer.importers.opening.object_files import object_file
from reviewer.importers.opening.shelf import temporary
from reviewer.importers.opening.zips import CHUNK, RATIO, UNSUSPECTED, zstandard

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
ENDINGS = (".gz", ".zst")


def packed(head: bytes) -> bool:
    """Whether a file that begins so is packed."""
    return head.startswith((GZIP, ZSTD))


def unpacked(path: Path) -> Source:
    """The source inside a packed file; `path` stays its name."""
    kept = Kept(path)
    kept.write(_parts(path, kept.told))
    with kept.path.open("rb") as file:
        head = file.read(len(SQLITE))
    for magic, what in ((SQLITE, "an SQLite database"), (b"PAR1", "a Parquet file")):
        if head.startswith(magic):
            raise InputError(f"{path}: {what} in a packed file is not read: unpack it first")
    return kept.source(path)


def spooled(file: BinaryIO, most: int) -> bytes | Kept:
    """What comes through a pipe, or just more than `most` of it; much goes into a file of our own."""
    first = list(pieces(file, line_files.LARGE))
    size = sum(map(len, first))
    if size <= line_files.LARGE or size > most:
        return b"".join(first)
    kept = Kept(Path("-"))
    kept.write(chain(first, pieces(file, most - size)))
    return kept


def pieces(file: BinaryIO, most: int) -> Iterator[bytes]:
    """What a file holds, until it is just more than `most`: nothing that does not end is read to its end."""
    while most >= 0 and (part := file.read(CHUNK)):
        most -= len(part)
        yield part


class Kept:
    """A file of our own that goes away with this object, and at the latest with the process."""

    def __init__(self, name: Path) -> None:
        self.name = name  # of what is in it
        self.told: list[Warn] = []  # what was said while it was written
        self._size = 0
        try:
            descriptor, place = tempfile.mkstemp(prefix="reviewer-")
        except OSError as error:
            raise InputError(f"{name}: {temporary(error)}") from None
        os.close(descriptor)
        self.path = Path(place)
        weakref.finalize(self, self.path.unlink, missing_ok=True)

    def __len__(self) -> int:
        return self._size

    def write(self, parts: Iterable[bytes]) -> None:
        """Fill it, part by part."""
        with self.path.open("wb") as file:
            for part in parts:
                try:
                    file.write(part)
                    file.flush()  # so that a full disk is told here
                except OSError as error:
                    raise InputError(f"{self.name}: {temporary(error)}") from None
                self._size += len(part)

    def source(self, path: Path) -> Source:
        """The source in it, which is called `path`; piece by piece where it is large."""
        large = line_file(path, self.path) or array_file(path, self.path) or object_file(path, self.path)
        source = large or decoded(path, self.path.read_bytes())
        source.kept = self
        source.warnings.extend(self.told)
        return source


def _parts(path: Path, warnings: list[Warn]) -> Iterator[bytes]:
    """The unpacked bytes, piece by piece."""
    errors = (OSError, EOFError, zlib.error, zstandard().ZstdError)
    out = 0
    try:
        with path.open("rb") as file, _reader(file) as reader:
            while part := reader.read1(CHUNK):
                out += len(part)
                if out > UNSUSPECTED and out > RATIO * max(1, file.tell()):
                    raise InputError(
                        f"{path}: refused: {file.tell()} bytes unpack to more than {out // 1_000_000} MB, "
                        f"over the limit of {RATIO} times their size"
                    )
                yield part
    except errors as error:
        if not out:
            raise InputError(f"{path}: damaged gzip or Zstandard data: {error}") from None
        warnings.append(Warn(0, f"the packed file is damaged or cut off after {out} bytes ({error})"))


def _reader(file: BinaryIO) -> BufferedReader:
    head = file.read(len(ZSTD))
    file.seek(0)
    if head.startswith(GZIP):
        return cast(BufferedReader, gzip.GzipFile(fileobj=file))
    return cast(BufferedReader, zstandard().open(file))
