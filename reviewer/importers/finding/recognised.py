"""Which importer reads a source: as it stands, by what it wraps, by the records in it, one element at a time.

The formats are asked in their order, by content. Knows no format but by asking.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from reviewer.importers import LABELS, importer, names
from reviewer.importers.base import Importer, NotATrace, Source
from reviewer.importers.finding.companions import companion
from reviewer.importers.finding.session_companions import ALONE
from reviewer.importers.finding.within import within
from reviewer.importers.guests import GuestFailed
from reviewer.importers.opening.object_files import narrowed
from reviewer.importers.shapes.wrappings import together, wrappings


def recognised(source: Source) -> tuple[Importer, Source] | None:
    """Who reads a file, and the source that it is for them."""
    for given in chain([source], wrappings(source)):
        if module := _known(given):
            return module, given
    if module := together(source, _known):
        return module, source
    return within(source, _known)


def in_pieces(
    source: Source, chosen: Importer | None, reread: Callable[[], Source]
) -> tuple[Importer, Source] | None:
    """A large object and who reads it one element at a time; None where it has to be read whole."""
    if getattr(source.pieces, "full", False):  # too much is left out to say what it is
        return None if chosen else within(source, _known)
    if chosen is None:
        not_beside(source)
    if importer := chosen or _known(source):
        part = narrowed(source, importer, reread)
        known = part is not None and (importer.FORMAT not in names() or importer.sniff(part))  # or by a map
        return (importer, part) if part and known else None
    return within(source, _known)


def not_beside(source: Source) -> None:
    """Refuse a file that is known to lie beside traces."""
    if what := companion(source):
        advice = "" if what in ALONE else "; import the traces it lies beside"
        raise NotATrace(f"{source.path}: this is {what}, not a trace{advice}")


def _known(source: Source) -> Importer | None:
    """The first importer that knows the file."""
    for name in (*LABELS, *names()):
        try:
            module = importer(name)
            if module.sniff(source):
                return module
        except GuestFailed as error:  # of another package, which is no reason to read nothing
            source.warn(str(error).removeprefix(f"{source.path}: "))
    return None


def unknown(source: Source) -> str:
    """What is said of a file that nobody reads."""
    if source.is_zip:
        return "unknown format: this is a zip archive, but no log of Inspect"
    if source.is_database:
        return (
            "unknown format: this is an SQLite database, but none with traces in it "
            "(what another store holds comes in with `reviewer merge`)"
        )
    if source.no_json:
        return source.no_json
    kind = "JSON" if source.is_json else "JSON Lines"
    return (
        f"unknown format: valid {kind}, but none of the {len(names())} formats known here; "
        f"`reviewer sniff FILE` says what it looks like, --format forces one"
    )
