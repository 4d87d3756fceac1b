"""Files and folders that a command writes: beside their place first, then moved into it, whole or not at all.

What was there goes only with `--force`, and never a store, a database, or a folder that holds anything this
command did not write itself (a list of what it wrote lies in each of its folders).
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from reviewer.cli import out
from reviewer.errors import InputError, why
from reviewer.exporters.strict import dumps

LIST = "reviewer-export.json"  # in every folder that was exported: the names of what is in it


def spared(output: Path, store: Path, *, force: bool | None) -> Path:
    """The file to write, links followed; a store is refused even with --force. None: no such option."""
    try:
        if output.is_dir():
            raise InputError(f"{output}: a folder; name a file in it")
        if output.exists() and not force:
            advice = "name another file" if force is None else "--force replaces it"
            raise InputError(f"{output}: already there; {advice}")
        if output.exists() and not output.is_file():  # a pipe or a device
            return output
        output = output.resolve()
    except (OSError, RuntimeError) as error:  # a name too long, a file in place of a folder, a loop of links
        raise InputError(f"{output}: cannot be written: {_why(error)}") from error
    beside = {store.resolve().with_name(f"{store.resolve().name}{end}") for end in ("", "-journal", "-wal")}
    if output in beside:
        raise InputError(f"{output}: belongs to the store itself; name another file")
    if output.is_file():
        try:
            with output.open("rb") as file:
                head = file.read(16)
        except OSError as error:
            raise InputError(
                f"{output}: already there, and cannot be read to see whether it is a store: {why(error)}"
            ) from None
        if head.startswith(b"SQLite format 3"):
            raise InputError(f"{output}: a database, maybe a store, is not replaced; name another file")
    return output


def spared_folder(output: Path, *, force: bool) -> Path:
    """The folder to write, links followed: one that is not there, empty, or (with --force) an export."""
    try:
        if output.is_symlink() or output.exists():
            output = output.resolve(strict=True)
            if not output.is_dir():
                raise InputError(f"{output}: a file; name a folder")
            strange = sorted(_files(output) - _listed(output))
            if strange:
                more = f" and {len(strange) - 1} more" if len(strange) > 1 else ""
                raise InputError(
                    f"{output}: holds {strange[0]}{more}, which no export wrote; name another folder"
                )
            if any(output.iterdir()) and not force:
                raise InputError(f"{output}: already there; --force replaces it")
        return output.resolve()
    except (OSError, RuntimeError) as error:
        raise InputError(f"{output}: cannot be written: {_why(error)}") from error


def _why(error: OSError | RuntimeError) -> str:
    return why(error) if isinstance(error, OSError) else "a link that leads back to itself"


def _files(folder: Path) -> set[str]:
    """Everything in a folder that is no folder, links among it, by its path in there."""
    found = set()
    for place, folders, files in os.walk(folder):
        names = [*files, *(name for name in folders if Path(place, name).is_symlink())]
        found |= {Path(place, name).relative_to(folder).as_posix() for name in names}
    return found


def _listed(folder: Path) -> set[str]:
    """The names that the list of an exported folder holds."""
    try:
        listed = json.loads((folder / LIST).read_text("utf-8"))["files"]
        return {LIST, *(name for name in listed if isinstance(name, str))}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def to_stdout(lines: Iterator[str]) -> None:
    """UTF-8 whatever the locale says; on a terminal nothing in it moves the terminal."""
    if sys.stdout.isatty():
        for line in lines:
            out.show_as_it_is(line.removesuffix("\n").removesuffix("\r"))
        return
    sys.stdout.flush()
    for line in lines:
        sys.stdout.buffer.write(line.encode())
    sys.stdout.buffer.flush()


def to_file(output: Path, write: Callable[[IO[bytes]], object]) -> None:
    """What `write` writes, as the file `output`."""
    if output.exists() and not output.is_file():  # a pipe or a device: there is nothing to replace
        try:
            with output.open("wb") as stream:
                write(stream)
        except OSError as error:
            raise InputError(f"{output}: cannot be written: {why(error)}") from error
        return
    part = output.with_name(f"{output.name}.part-{os.getpid()}")
    try:
        with part.open("xb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(output)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {why(error)}") from error
    finally:
        with contextlib.suppress(OSError):  # it never came to be
            part.unlink(missing_ok=True)


def lines_into(lines: Iterator[str]) -> Callable[[IO[bytes]], object]:
    """A writer of these lines, in UTF-8."""
    return lambda file: file.writelines(line.encode() for line in lines)


def to_folder(output: Path, write: Callable[[Path], object]) -> None:
    """What `write` puts into a new folder, as the folder `output`; what was there before goes last."""
    part = output.with_name(f"{output.name}.part-{os.getpid()}")
    old = output.with_name(f"{output.name}.old-{os.getpid()}")
    try:
        part.mkdir()
        write(part)
        listed = sorted(_files(part))
        (part / LIST).write_text(dumps({"reviewer": "export", "files": listed}) + "\n", "utf-8")
        for name in (*listed, LIST):
            _settle(part / name)
        if output.exists():
            output.rename(old)
        part.rename(output)
    except OSError as error:
        if old.exists() and not output.exists():
            old.rename(output)
        raise InputError(f"{output}: cannot be written: {why(error)}") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _settle(file: Path) -> None:
    """Have the file on the disk before its folder gets its name."""
    with file.open("rb") as stream:
        os.fsync(stream.fileno())
