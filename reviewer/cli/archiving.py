"""`import` of the text of a whole store (`export store`): a store is made of it, and merged into this one."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from reviewer.cli import out
from reviewer.cli.context import now
from reviewer.cli.progress import progress
from reviewer.errors import InputError, why
from reviewer.store import Store
from reviewer.store.archive import fill, is_archive
from reviewer.store.tally import Received
from reviewer.trace import Json


def apart(paths: Sequence[str]) -> tuple[list[Path], tuple[str, ...]]:
    """The files among `paths` that hold a whole store, and the rest."""
    archives = [path for path in paths if is_one(Path(path))]
    return [Path(path) for path in archives], tuple(path for path in paths if path not in archives)


def is_one(path: Path) -> bool:
    """Whether a file holds a whole store."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return is_archive(file.read(200))
    except (OSError, ValueError):  # which is said where it is read
        return False


def bring(store: Store, path: Path) -> Received:
    """Take in what a file holds; InputError: it cannot be read as a store at all."""
    with tempfile.TemporaryDirectory(prefix="reviewer-") as folder:
        beside = Path(folder) / "archive.db"
        try:
            with Store.open(beside, create=True) as made, path.open(encoding="utf-8-sig") as file:
                refused = fill(made, file)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: cannot be read: {why(error)}") from error
        except InputError as error:
            raise InputError(f"{path}: {error}") from error
        received = store.merge(beside, now=now(), progress=progress())
    for line, reason in refused:
        received.refuse("", line, f"line {line}: {reason}")
    return received


def tell(path: Path, received: Received) -> None:
    """What became of a file: the sum to stdout, each loss to stderr."""
    for refusal in received.refused:
        out.say_line(f"refused: {path}: {refusal.reason}")
    for word in received.told:
        out.say_line(f"warning: {path}: {word}")
    found = {kind: counts for kind, counts in received.counts.items() if counts.new or counts.known}
    counted = ", ".join(f"{one.new:,} new {kind} ({one.known:,} known)" for kind, one in found.items())
    out.show(f"a whole store: {counted or 'nothing in it'}, {len(received.refused)} refused")


def record(path: Path, received: Received) -> dict[str, Json]:
    """The same as a JSON object."""
    counts = {kind: {"new": one.new, "known": one.known} for kind, one in received.counts.items()}
    return {"file": str(path), **counts, "refused": [one.reason for one in received.refused]}
