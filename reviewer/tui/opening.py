"""What the first screen shows, asked for before the screen exists.

The lanes read the store while the interpreter is still importing the terminal library, so that the first
frame is not an empty one. Knows no widget (it is imported before Textual is).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Generic, TypeVar

from reviewer.session import AdjudicationSession, Reading, ReviewSession, View
from reviewer.session.reading import page_of
from reviewer.taxonomy import Taxonomy
from reviewer.trace import OutlineRow, Step
from reviewer.tui.lane import Lane
from reviewer.values import dataclass

Session = TypeVar("Session", ReviewSession, AdjudicationSession)


@dataclass(frozen=True, slots=True)
class Page:
    """What the first screen shows besides the view: rows of the outline, and the step where one stopped."""

    rows: Sequence[OutlineRow]
    step: Step | None


@dataclass(frozen=True, slots=True)
class Opening(Generic[Session]):
    """The lanes of a sitting, and the answers to its first questions, perhaps still on their way."""

    desk: Lane[Session]
    reader: Lane[Reading]
    thinker: Lane[Reading]
    taxonomy: Taxonomy
    view: Future[View]
    page: Future[Page]

    @classmethod
    def of(
        cls, session: Callable[[], Session], reading: Callable[[], Reading], taxonomy: Taxonomy
    ) -> Opening[Session]:
        """Lanes for a session, for reading, and for what takes long (facts), each with a store of its own."""
        desk, reader = Lane(session, "desk"), Lane(reading, "reader")
        view = desk.submit(lambda session: session.first())

        def page(reading: Reading) -> Page:
            first = view.result()
            trace_id, n = first.info.trace_id, first.step
            rows = reading.outline(trace_id, *page_of(n))
            return Page(rows, reading.step(trace_id, n) if n else None)

        thinker = Lane(reading, "thinker", later=True)
        return cls(desk, reader, thinker, taxonomy, view, reader.submit(page))

    @property
    def ready(self) -> bool:
        return self.page.done()

    def close(self) -> None:
        """Let everything that was asked be done, then close both stores."""
        self.desk.close(lambda session: session.desk.store.close())
        self.reader.close(lambda reading: reading.close())
        self.thinker.close(lambda reading: reading.close())
