"""Members of a zip archive, read one at a time into memory, never extracted; stored, deflated, Zstandard.

Limits go by the bytes that really come out, not by the sizes that the archive claims. What cannot be read
is a `BadMember` that says why; an archive that is no zip is one too. Knows no trace format.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from types import ModuleType
from typing import BinaryIO, Protocol, cast

from reviewer.importers.opening.cut_zips import whole_members

STORED, DEFLATED, ZSTANDARD = 0, 8, 93
CHUNK = 1 << 18
# A member may be large, or packed tightly, but not both: a few kilobytes must not fill the memory.
LARGEST = 1 << 30
UNSUSPECTED = 32 << 20
RATIO = 250
_LOCAL = struct.Struct("<4s5H3L2H")
_SIZE_MB = 1_000_000


class BadMember(Exception):
    """A member, or a whole archive, that cannot be read; the message says why, without a name."""


class _Decompressor(Protocol):
    """What zlib and Zstandard share: some bytes in, at most so many out, the rest of the input kept."""

    def feed(self, data: bytes) -> Iterator[bytes]: ...


class Archive:
    """A zip archive that stays open while its members are read."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.cut = ""  # why there is no more than what stands before a cut
        try:
            found = zipfile.ZipFile(file).infolist()
        except (
            zipfile.BadZipFile,
            NotImplementedError,
            OSError,
            ValueError,
            struct.error,
            EOFError,
        ) as error:
            self.cut = f"a damaged zip archive ({error})"
            found = whole_members(file)
            if not found:
                raise BadMember(self.cut) from None
        self.members = {info.filename: info for info in found}
        self.doubles = len(found) - len(self.members)
        self._read = 0
        self._packed = 1

    def overlap(self) -> bool:
        """Whether members lie in each other, which only archives do that are meant to do harm."""
        spans = sorted((info.header_offset, info.compress_size) for info in self.members.values())
        return any(
            start + _LOCAL.size + size > following for (start, size), (following, _) in pairwise(spans)
        )

    def read(self, name: str) -> bytes:
        """The bytes of a member."""
        info = self.members[name]
        if info.flag_bits & 1:
            raise BadMember("it is encrypted")
        try:
            self.file.seek(info.header_offset)
            header = self.file.read(_LOCAL.size)
            magic, *_, name_size, extra_size = _LOCAL.unpack(header)
            if magic != b"PK\x03\x04":
                raise BadMember("the archive is damaged at this member")
            self.file.seek(name_size + extra_size, 1)
            data = b"".join(self._parts(info))
        except (zlib.error, struct.error, OSError, EOFError, ValueError) as error:
            raise BadMember(f"it is damaged ({error})") from None
        if zlib.crc32(data) != info.CRC:
            raise BadMember("it is damaged (its checksum differs)")
        return data

    def _parts(self, info: zipfile.ZipInfo) -> Iterator[bytes]:
        left, out = info.compress_size, 0
        decompressor = _decompressor(info.compress_type)
        while left > 0:
            packed = self.file.read(min(CHUNK, left))
            if not packed:
                raise BadMember("it is cut off")
            left -= len(packed)
            self._packed += len(packed)
            for part in decompressor.feed(packed):
                out += len(part)
                self._read += len(part)
                self._check(out, info.compress_size - left)
                yield part

    def _check(self, out: int, packed: int) -> None:
        if out > LARGEST:
            raise BadMember(f"refused: it unpacks to more than the limit of {LARGEST // _SIZE_MB} MB")
        if out > UNSUSPECTED and out > RATIO * packed:
            raise BadMember(
                f"refused: {packed} bytes unpack to more than {out // _SIZE_MB} MB, "
                f"over the limit of {RATIO} times their size"
            )
        if self._read > LARGEST and self._read > RATIO * self._packed:
            raise BadMember(f"refused: all members together unpack to over {RATIO} times their size")


def _decompressor(method: int) -> _Decompressor:
    if method == STORED:
        return _Stored()
    if method == DEFLATED:
        return _Deflated()
    if method == ZSTANDARD:
        return _Zstandard()
    raise BadMember(f"it is packed in a way that is not known here (zip method {method})")


class _Stored:
    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


class _Deflated:
    def __init__(self) -> None:
        self._inner = zlib.decompressobj(-15)

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            part = self._inner.decompress(data, 1 << 20)
            if part:
                yield part
            data = self._inner.unconsumed_tail
            if not part and not data:
                return
        while part := self._inner.decompress(b"", 1 << 20):
            yield part


@cache
def zstandard() -> ModuleType:
    """Python's own Zstandard library, or what stands in for it before Python 3.14; loaded when asked for."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        from backports import zstd
    return cast(ModuleType, zstd)


class _Zstandard:
    """Zstandard, several frames in a row included."""

    def __init__(self) -> None:
        zstd = zstandard()
        self._make = zstd.ZstdDecompressor
        self._error = zstd.ZstdError
        self._inner = self._make()

    def feed(self, data: bytes) -> Iterator[bytes]:
        try:
            yield from self._feed(data)
        except self._error as error:
            raise BadMember(f"it is damaged ({error})") from None

    def _feed(self, data: bytes) -> Iterator[bytes]:
        while True:
            part = self._inner.decompress(data, 1 << 20)
            if part:
                yield part
            if self._inner.eof:
                data = self._inner.unused_data
                self._inner = self._make()
                if not data:
                    return
            elif self._inner.needs_input:
                return
            else:
                data = b""
