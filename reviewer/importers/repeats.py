"""Records that stand twice in one file, which is said: the same once, another grade as another outcome.

Knows no format.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.importers.base import Imported, Source


class Repeats:
    """The records of one file that were seen, by trace id; only their hashes are kept."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.seen: dict[str, tuple[str, int]] = {}

    def once(self, imported: Imported, line: int = 0) -> Iterator[Imported]:
        """`imported`, unless the same record with the same grade was there before."""
        info = imported.trace.info
        now = (info.content_hash, hash(repr(imported.outcomes)))
        before = self.seen.get(info.trace_id)
        self.seen[info.trace_id] = now
        if before == now:
            self.source.warn("duplicate record: the same stands in the file already", line)
            return
        if before is not None:
            what = "grade: the same trace, another outcome" if before[0] == now[0] else "content"
            self.source.warn(f"duplicate record with another {what}", line)
        yield imported
