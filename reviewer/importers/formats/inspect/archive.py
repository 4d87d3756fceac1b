"""The samples of an Inspect log: out of an `.eval` archive one at a time, or out of a `.json` log.

A damaged sample costs that sample. Names inside an archive are never used as paths. Knows nothing of
messages and scores.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import NotATrace, Source
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.values import as_dict, kind_of
from reviewer.importers.opening.zips import Archive, BadMember

HEADERS = ("header.json", "_journal/start.json")
KNOWN = re.compile(r"\A(?:header\.json|summaries\.json|reductions\.json|_journal/[\w./\-]+)\Z")
SAMPLE = re.compile(r"\Asamples/[^\\\0]+\.json\Z")
FEW = 5


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample: the log's header, the sample, its verbatim text, its place in the file."""

    header: dict[str, Any]
    value: dict[str, Any]
    raw: str
    index: int


def is_log(source: Source) -> bool:
    """Whether an archive holds a log; one that is damaged counts when its first member is one of a log."""
    try:
        with source.open() as file:
            start = file.read(4096)
            with suppress(BadMember):
                archive = Archive(file)
                if not archive.cut:
                    return any(name in archive.members for name in HEADERS)
            return any(name.encode() in start for name in (*HEADERS, "_epoch_"))
    except InputError:
        return False


def samples(source: Source) -> Iterator[Sample]:
    """The samples of the log, in the order of the file."""
    if source.is_zip:
        yield from _zipped(source)
        return
    header = as_dict(source.value)
    rows = header.get("samples")
    if not isinstance(rows, list | None):
        raise InputError(f"{source.path}: damaged Inspect log: `samples` is {kind_of(rows)}, not a list")
    if not rows:
        raise NotATrace(f"{source.path}: this is an Inspect log without samples, not a trace")
    for index, value in enumerate(source.each("samples")):
        if isinstance(value, dict):
            yield Sample(header, value, json.dumps(value), index)
        else:
            source.lose(f"sample {index} is {kind_of(value)}, not an object, and is skipped")


def _zipped(source: Source) -> Iterator[Sample]:
    with source.open() as file:
        try:
            archive = Archive(file)
        except BadMember as error:
            raise InputError(f"{source.path}: {error}") from None
        if archive.overlap():
            raise InputError(f"{source.path}: refused: members of the archive overlap each other")
        if archive.doubles:
            source.warn("a member that stands in the archive twice is read once, as it was written last")
        if archive.cut:
            source.lose(f"{archive.cut}: read is what stands before the cut")
        header = _header(source, archive)
        names = [name for name in archive.members if _is_sample(source, name)]
        if not names:
            if archive.cut:
                raise InputError(f"{source.path}: {archive.cut}: no sample stands before the cut")
            raise NotATrace(f"{source.path}: this is an Inspect log without samples, not a trace")
        for index, name in enumerate(names):
            value = _member(source, archive, name)
            if value is not None:
                yield Sample(header, value[0], value[1], index)


def _is_sample(source: Source, name: str) -> bool:
    """Whether a member is a sample; others that do not belong in a log are named."""
    if KNOWN.match(name) and ".." not in name:
        return False
    if SAMPLE.match(name) and not {"..", "."} & set(name.split("/")):
        return True
    if name.endswith("/"):
        return False
    odd = sum("member of the archive" in reason for reason in source._counted)
    source.warn(
        f"a member of the archive that is no sample is not read: {name[:120]!r}"
        if odd < FEW
        else "more members of the archive that are no samples are not read"
    )
    return False


def _header(source: Source, archive: Archive) -> dict[str, Any]:
    """The log's header; of a run that is not finished, what it wrote when it began."""
    reason = "it has no header"
    for name in HEADERS:
        if name not in archive.members:
            continue
        try:
            inner = decode(Path(f"{source.path}: {name}"), archive.read(name))
        except BadMember as error:
            reason = f"{name}: {error}"
            source.warn(f"{name} cannot be read: {error}")
            continue
        except InputError as error:
            reason = str(error).removeprefix(f"{source.path}: ")
            source.warn(f"it cannot be read: {reason}")
            continue
        if isinstance(inner.value, dict):
            return inner.value
    raise InputError(f"{source.path}: the log cannot be read: {reason}")


def _member(source: Source, archive: Archive, name: str) -> tuple[dict[str, Any], str] | None:
    try:
        inner = decode(Path(f"{source.path}: {name}"), archive.read(name))
    except BadMember as error:
        source.lose(f"{name} is lost: {error}")
        return None
    except InputError as error:
        source.lose(str(error).removeprefix(f"{source.path}: "))
        return None
    for note in inner.notes():
        source.warn(f"{name}: {note.reason}")
    if not isinstance(inner.value, dict):
        source.lose(f"{name} is lost: it is {kind_of(inner.value)}, not a sample")
        return None
    return inner.value, inner.text.strip(" \t\r\n")
