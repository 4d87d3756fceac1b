"""The members of a zip archive whose directory is gone: an archive that was cut off, or is not written yet.

Each member has a header of its own before it, which says its name and size; they are gone through from the
beginning, up to the first that is not whole. Knows no trace format.
"""

from __future__ import annotations

import struct
import zipfile
from typing import BinaryIO

from reviewer.importers.opening.decode import ZIP

_LOCAL = struct.Struct("<4s5H3L2H")
_SIZES_AFTER, _UTF8 = 8, 0x800  # flags
_IN_EXTRA = 0xFFFFFFFF  # a size that stands in the extra field, with 64 bits
_ZIP64 = 1


def whole_members(file: BinaryIO) -> list[zipfile.ZipInfo]:
    """The members before the cut, in the order of the file."""
    size, at = file.seek(0, 2), 0
    found: list[zipfile.ZipInfo] = []
    while True:
        file.seek(at)
        head = file.read(_LOCAL.size)
        if len(head) < _LOCAL.size or not head.startswith(ZIP):
            return found
        _, _, flags, method, _, _, crc, packed, unpacked, name_size, extra_size = _LOCAL.unpack(head)
        name, extra = file.read(name_size), file.read(extra_size)
        if packed == _IN_EXTRA:
            packed = _long(extra, unpacked == _IN_EXTRA)
        begin, at = at, at + _LOCAL.size + name_size + extra_size + packed
        if at > size or flags & _SIZES_AFTER:  # and where it ends is not known
            return found
        info = zipfile.ZipInfo(name.decode("utf-8" if flags & _UTF8 else "cp437", errors="replace"))
        info.header_offset, info.compress_size, info.CRC = begin, packed, crc
        info.compress_type, info.flag_bits = method, flags
        found.append(info)


def _long(extra: bytes, both: bool) -> int:
    """The packed size in an extra field, after the other one where `both` are there."""
    at = 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, at)
        sizes = extra[at + 4 : at + 4 + length]
        if kind == _ZIP64 and len(sizes) >= 8 * (1 + both):
            return int(struct.unpack_from("<Q", sizes, 8 * both)[0])
        at += 4 + length
    return 1 << 62
