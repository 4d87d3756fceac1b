"""Helpers of the importer tests: where the data is, and reading a file the way the app does."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from reviewer.importers.base import Imported, Warn
from reviewer.importers.finding.files import open_source

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "sample_traces"
SHARED = ROOT.parent / "shared"


def read(path: Path, format: str | None = None) -> list[Imported]:
    """All traces of a file."""
    return read_all(path, format)[0]


def read_all(path: Path, format: str | None = None) -> tuple[list[Imported], tuple[Warn, ...]]:
    """All traces of a file, and what was warned of."""
    importer, source = open_source(path, format)
    return list(importer.read(source)), source.notes()


def one(path: Path, format: str | None = None) -> Imported:
    """The only trace of a file."""
    (imported,) = read(path, format)
    return imported


def put(folder: Path, name: str, value: Any) -> Path:
    """Write a JSON file, or JSON Lines when `name` ends in `l`, and give back its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if name.endswith("l"):
        path.write_text("".join(json.dumps(row) + "\n" for row in value), encoding="utf-8")
    else:
        path.write_text(json.dumps(value), encoding="utf-8")
    return path


def zipped(members: dict[str, Any]) -> bytes:
    """A zip archive with these members, written as JSON unless they are bytes already."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            archive.writestr(name, value if isinstance(value, bytes) else json.dumps(value))
    return out.getvalue()


def reasons(notes: tuple[Warn, ...]) -> str:
    return "\n".join(note.reason for note in notes)
