"""What an importer makes of a file, as a value that two ways of reading can be compared by."""

from __future__ import annotations

from pathlib import Path

from reviewer.errors import InputError
from reviewer.importers.finding.files import open_source


def told(path: Path) -> tuple[object, ...]:
    """Format, traces, what was lost and what was noted; or the one line of a refusal."""
    try:
        importer, source = open_source(path)
        found = list(importer.read(source))
    except InputError as error:
        return (str(error),)
    return importer.FORMAT, found, source.lost, sorted(map(repr, source.notes()))
