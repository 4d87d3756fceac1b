"""Records that stand twice in one file, which is said: the same once, another grade as another outcome.

Knows no format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reviewer.importers.base import Imported, Source
from reviewer.trace import Outcome


class Repeats:
    """The records of one file that were seen: the grades of each, by id and content; only hashes are kept."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.seen: dict[str, dict[str, list[int]]] = {}

    def once(self, imported: Imported, line: int = 0) -> Iterator[Imported]:
        """`imported`, unless the same record with the same grade was there before.

        Another grade of a record has an origin of its own: else the two would take each other's place in
        the store again at each import.
        """
        info = imported.trace.info
        contents = self.seen.setdefault(info.trace_id, {})
        grades = contents.setdefault(info.content_hash, [])
        grade = hash(repr(imported.outcomes))
        if grade in grades:
            self.source.warn("duplicate record: the same stands in the file already", line)
            return
        if grades:
            self.source.warn("duplicate record with another grade: the same trace, another outcome", line)
        elif len(contents) > 1:
            self.source.warn("duplicate record with another content", line)
        before = sum(other != NO_GRADE for other in grades)
        grades.append(grade)
        yield replace(imported, outcomes=_apart(imported.outcomes, before)) if before else imported


NO_GRADE = hash(repr(()))


def _apart(outcomes: tuple[Outcome, ...], before: int) -> tuple[Outcome, ...]:
    return tuple(replace(outcome, origin=f"{outcome.origin} #{before + 1}") for outcome in outcomes)
