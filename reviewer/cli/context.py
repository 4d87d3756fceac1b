"""What the commands share: which store, which taxonomy, who, which round; the real clock and ids."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from reviewer import settings
from reviewer.values import dataclass

if TYPE_CHECKING:
    from reviewer.session import Desk, Reading
    from reviewer.store import Store
    from reviewer.taxonomy import Taxonomy

DEFAULT_TAXONOMY = "six-modes"


def now() -> str:
    """The time in UTC, ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def new_id() -> str:
    import uuid

    return str(uuid.uuid4())


@dataclass(frozen=True, slots=True)
class Context:
    """The options that stand before the command."""

    store: str | None
    taxonomy: str | None

    def open_store(self, *, create: bool = False) -> Store:
        from reviewer.store import Store

        return Store.open(settings.store_path(self.store), create=create)

    def open_reading(self) -> Reading:
        """A reader with a store of its own, for a second thread."""
        from reviewer.session import Reading

        return Reading(self.open_store())

    def load_taxonomy(self, store: Store) -> Taxonomy:
        """`--taxonomy` (also an id or hash kept in the store), else the one in use here, else the default."""
        from reviewer import taxonomy

        if self.taxonomy:
            return store.settings.taxonomy(self.taxonomy) or taxonomy.load(self.taxonomy)
        return store.settings.taxonomy() or taxonomy.load(DEFAULT_TAXONOMY)

    def codebook(self, store: Store, round: int) -> Taxonomy:
        """What `round` is labelled under: `--taxonomy`, what it was assigned under, or what is in use."""
        from reviewer.study import rounds

        in_use = self.load_taxonomy(store)
        return in_use if self.taxonomy else rounds.codebook(store, round, in_use)

    def desk(
        self,
        store: Store,
        name: str | None,
        round: int | None,
        taxonomy: Taxonomy | None = None,
        *,
        origin: str = "cli",
    ) -> Desk:
        """A place to work at for the annotator `name` in `round` (default: the newest)."""
        from reviewer.label import Annotator
        from reviewer.session import Desk
        from reviewer.study import rounds

        person = Annotator(*settings.identity(name))
        number = rounds.checked(store, round) or store.labels.newest_round()
        return Desk(store, person, taxonomy or self.load_taxonomy(store), number, now, new_id, origin)

    def own_round(self, store: Store, name: str | None, round: int | None, taxonomy: Taxonomy) -> int:
        """`round`, else the one in which the annotator `name` labels: the newest that waits for them."""
        from reviewer.label import Annotator
        from reviewer.study import rounds

        return round or rounds.own(store, Annotator(*settings.identity(name)), taxonomy.id)
