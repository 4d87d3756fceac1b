"""Records that stand twice in one file, which is said: the same once, another grade as another outcome.

Knows no format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from reviewer.importers.base import Imported, Source
from reviewer.trace import Outcome


class Repeats:
    """The records of one file that were seen: the grades of each, by id and content.

    A file may have a million records: of each only hashes are kept, of its contents and of their grades.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.ids: set[str] = set()
        self.grades: dict[int, tuple[int, ...]] = {}  # by id and content

    def once(self, imported: Imported, line: int = 0) -> Iterator[Imported]:
        """`imported`, unless the same record with the same grade was there before.

        Another grade of a record has an origin of its own: else the two would take each other's place in
        the store again at each import.
        """
        info = imported.trace.info
        record, grade = hash((info.trace_id, info.content_hash)), hash(repr(imported.outcomes))
        grades = self.grades.get(record, ())
        if grade in grades:
            self.source.warn("duplicate record: the same stands in the file already", line)
            return
        if grades:
            self.source.warn("duplicate record with another grade: the same trace, another outcome", line)
        elif info.trace_id in self.ids:
            self.source.warn("duplicate record with another content", line)
        before = sum(other != NO_GRADE for other in grades)
        self.ids.add(info.trace_id)
        self.grades[record] = (*grades, grade) if grades or imported.outcomes else _UNGRADED
        yield replace(imported, outcomes=_apart(imported.outcomes, before)) if before else imported


NO_GRADE = hash(repr(()))
_UNGRADED = (NO_GRADE,)  # the one of most records


def _apart(outcomes: tuple[Outcome, ...], before: int) -> tuple[Outcome, ...]:
    return tuple(replace(outcome, origin=f"{outcome.origin} #{before + 1}") for outcome in outcomes)
