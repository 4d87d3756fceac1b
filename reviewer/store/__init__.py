"""The store: one SQLite file with traces, suggestions and everybody's labels. The only room with our SQL.

    Store.open(path)            an existing store
    Store.open(path, create=True)   … or a new one
    store.traces / outcomes / labels / suggestions / settings / history

Use a store in the thread that opened it. Everything read is materialised; everything written is on the
disk when the call returns, except `traces.put` and `outcomes.put`, which run inside `store.write()`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from reviewer.errors import StoreError, StoreReadOnly, why
from reviewer.store.connection import Connection
from reviewer.store.labels import Labels, Slot
from reviewer.store.outcomes import Outcomes
from reviewer.store.settings import Settings
from reviewer.store.suggestions import Suggestions
from reviewer.store.traces import Put, PutKind, Traces
from reviewer.trace import Json

if TYPE_CHECKING:
    from reviewer.store.assignments import Assignments
    from reviewer.store.batches import Batches
    from reviewer.store.bookmarks import Bookmarks
    from reviewer.store.codes import Codes
    from reviewer.store.fulltext import FullText
    from reviewer.store.history import History
    from reviewer.store.revisions import Revisions
    from reviewer.store.tally import Received

__all__ = ["Put", "PutKind", "Slot", "Store"]


class Store:
    """An open store."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.traces = Traces(connection)
        self.outcomes = Outcomes(connection)
        self.labels = Labels(connection)
        self.suggestions = Suggestions(connection)
        self.settings = Settings(connection)

    @classmethod
    def open(cls, path: Path, *, create: bool = False) -> Store:
        """Open the store at `path`.

        Raises StoreMissing, StoreTooNew, StoreDamaged, StoreReadOnly or StoreBusy; a file that is
        refused is left as it was.
        """
        return cls(Connection(path, create=create))

    @property
    def history(self) -> History:
        """The whole history, for files and for other stores; not on the way to a first screen."""
        from reviewer.store.history import History

        return History(self._connection, self.labels, self.settings)

    @property
    def batches(self) -> Batches:
        """What suggesters have asked for and not yet got."""
        from reviewer.store.batches import Batches

        return Batches(self._connection)

    @property
    def assignments(self) -> Assignments:
        """Who is to label what, and how it was drawn."""
        from reviewer.store.assignments import Assignments

        return Assignments(self._connection)

    @property
    def codes(self) -> Codes:
        """The groups that notes were put in, before there is a codebook."""
        from reviewer.store.codes import Codes

        return Codes(self._connection)

    @property
    def bookmarks(self) -> Bookmarks:
        """What readers leave in traces."""
        from reviewer.store.bookmarks import Bookmarks

        return Bookmarks(self._connection, self.traces)

    @property
    def fulltext(self) -> FullText:
        """The search over all traces; not on the way to a first screen."""
        from reviewer.store.fulltext import FullText

        return FullText(self._connection, self.traces)

    @property
    def revisions(self) -> Revisions:
        """The revisions of traces beside the newest ones; only a merge asks for them."""
        from reviewer.store.revisions import Revisions

        return Revisions(self._connection, self.traces)

    @property
    def path(self) -> Path:
        return self._connection.path

    @contextlib.contextmanager
    def write(self) -> Iterator[None]:
        """One transaction around several `put`s: all of them are kept, or none."""
        with self._connection.write():
            yield

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """Within `write`: a part (one file) that is kept whole or not at all."""
        with self._connection.whole():
            yield

    def amend(self, trace_id: str, said: Mapping[str, Json]) -> bool:
        """Within `write`: what somebody says of a trace and its sub-agents; False: it was so before."""
        from reviewer.store.amending import amend

        infos = [self.traces.info(trace_id), *self.traces.children(trace_id)]
        changed = [amend(self._connection, info, said) for info in infos]
        return any(changed)

    def backup(self, target: Path) -> None:
        """A whole copy of the live store in `target`, which must not exist."""
        self._connection.backup(target)

    def merge(self, path: Path, *, now: str, progress: Callable[[str], None] = lambda _: None) -> Received:
        """Take in everything that the store at `path` has and this one lacks; that one is not changed.

        StoreError: it is this very store, or cannot be read. A row that cannot be used is refused.
        """
        from reviewer.store import foreign_store, merging

        try:
            own = path.exists() and path.samefile(self.path)
        except OSError as error:
            raise StoreReadOnly(f"{path}: cannot be read: {why(error)}") from None
        if own:
            raise StoreError(f"{path}: this is the store to merge into")
        with foreign_store.ForeignStore(path) as other:
            return merging.merge(self, other, now=now, progress=progress)

    def problems(self) -> list[str]:
        """What is wrong with the file; empty when it is sound."""
        return self._connection.problems()

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
