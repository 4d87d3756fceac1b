"""A sitting over one's worklist: the traces whose mode changed under the person who labelled them.

Labels made here are under the codebook in use and in a round of its own, so that the old ones stay what they
are; a trace stays in this sitting after its label, and is not in the next one.
"""

from __future__ import annotations

from reviewer.errors import NotFound
from reviewer.session.desk import Desk
from reviewer.session.review import ReviewSession, View
from reviewer.store import Store
from reviewer.study import rounds
from reviewer.study.carried import worklist
from reviewer.study.queue import Item, queue
from reviewer.taxonomy import Taxonomy


class WorklistSession(ReviewSession):
    """The review of what has to be labelled anew, in order of import; what is assigned does not matter."""

    def __init__(self, desk: Desk, *, blind: bool, reveal: bool = True, since: str = "") -> None:
        due = worklist(desk.store, desk.taxonomy, since=since)
        self._due = frozenset(one.trace_id for one in due if one.annotator == desk.person)
        super().__init__(desk, blind=blind, reveal=reveal)

    def first(self) -> View:
        if not self.items:
            raise NotFound(f"nothing to look at again for {self.desk.annotator.name} under this codebook")
        return super().first()

    @property
    def bookmark(self) -> str:
        return f"{self.desk.shelf} worklist"

    def _queue(self) -> list[Item]:
        super()._queue()  # which also knows what is assigned, and what is blind however one works
        self.assigned = False
        desk = self.desk
        items = queue(desk.store, desk.annotator.id, desk.taxonomy, desk.round)
        return [item for item in items if item.info.trace_id in self._due]


def round_of(store: Store, taxonomy: Taxonomy) -> int:
    """The round for new labels: the newest, or the next where that was assigned or holds labels of another
    version."""
    newest = rounds.newest(store)
    if newest in store.assignments.rounds():
        return newest + 1
    labels = (event for event in store.labels.heads(taxonomy.id, newest) if event.kind == "label")
    return newest + any(event.taxonomy_hash != taxonomy.hash for event in labels)
