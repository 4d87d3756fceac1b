"""Another store, read without trust and never changed: its rows as checked values, or the reason why not.

It is opened read-only. What a reader cannot do without writing (finish an interrupted transaction, read
a write-ahead log) is refused with what to do. Its tables may hold anything: each row costs only itself,
a table that is no table (a view may run for ever) costs the whole store.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias, TypeVar

from reviewer import foreign, foreign_links
from reviewer.errors import InputError, StoreDamaged, StoreError, StoreMissing, StoreReadOnly, StoreTooNew
from reviewer.label import Annotator, Exposure, LabelEvent, Link, Suggestion
from reviewer.store import codec, event_rows, links, maps, outcomes, schema, suggestions
from reviewer.store.connection import explain
from reviewer.store.outcomes import OutcomeRow
from reviewer.taxonomy import Edge, Taxonomy
from reviewer.values import dataclass

T = TypeVar("T")

_TABLES = (
    *("traces", "revisions", "steps", "bodies", "raw", "outcomes", "annotators", "taxonomies"),
    *("events", "supersedes", "exposures", "suggestions", "links", "draws", "assignments", "codes"),
    "settings",
)
_WAL = 2  # the file format version of a store in write-ahead mode, in bytes 18 and 19


@dataclass(frozen=True, slots=True)
class Bad:
    """A row that cannot be used, and why."""

    row: int
    reason: str


Rows: TypeAlias = Iterator[tuple[int, T | Bad]]


class ForeignStore:
    """An open store of somebody else's. Use it in the thread that opened it."""

    def __init__(self, path: Path) -> None:
        """StoreMissing, StoreTooNew, StoreDamaged, StoreReadOnly, StoreError say why it cannot be read."""
        self.path = path
        _readable(path)
        try:
            self.db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=20.0)
        except sqlite3.Error as error:
            raise explain(error, path) from error
        try:
            with self.told():
                self._settle()
        except BaseException:
            self.db.close()
            raise

    def _settle(self) -> None:
        self.db.text_factory = lambda data: data.decode("utf-8", "backslashreplace")
        for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON"):
            self.db.execute(f"PRAGMA {pragma}")
        version, mine = (
            self.db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id")
        )
        if mine != schema.APPLICATION_ID:
            raise StoreDamaged(f"{self.path}: not a store of reviewer")
        if version > schema.VERSION:
            raise StoreTooNew(
                f"{self.path}: made by a newer reviewer (schema {version}, this one knows {schema.VERSION}); "
                "upgrade reviewer"
            )
        if version < schema.VERSION:
            raise StoreError(
                f"{self.path}: made by an older reviewer; `reviewer --store … status` brings it up to date"
            )
        kinds = dict(self.db.execute("SELECT name, upper(sql) FROM sqlite_master WHERE type = 'table'"))
        for name in _TABLES:
            if not str(kinds.get(name, "")).startswith("CREATE TABLE"):
                raise StoreDamaged(f"{self.path}: has no table {name}; it is no sound store")

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """Turn SQLite's errors into ours."""
        try:
            yield
        except sqlite3.Error as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_READONLY_ROLLBACK:
                raise StoreReadOnly(
                    f"{self.path}: its last writer was interrupted, and only its owner may mend that: "
                    "run `reviewer --store … check` on it first, then merge"
                ) from error
            raise explain(error, self.path) from error

    def close(self) -> None:
        self.db.close()

    def __enter__(self) -> ForeignStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- rows ----------------------------------------------------------------------------------

    def select(self, sql: str, *values: Any) -> list[Any]:
        """The rows, all at once, so that no lock is held while they are written elsewhere."""
        with self.told():
            return self.db.execute(sql, values).fetchall()

    def read(self, sql: str, make: Callable[[Sequence[Any]], T]) -> Rows[T]:
        """`make` of every row (its first column is the number that names it), or why it cannot be."""
        for number, *row in self.select(sql):
            yield number, attempt(number, make, row)

    def annotators(self) -> Rows[Annotator]:
        sql = "SELECT rowid, id, name FROM annotators ORDER BY rowid"
        return self.read(sql, lambda row: foreign.annotator(dict(zip(("id", "name"), row, strict=True))))

    def taxonomies(self) -> Rows[Taxonomy]:
        keys = ("hash", "id", "version", "toml")
        sql = f"SELECT rowid, {', '.join(keys)} FROM taxonomies ORDER BY rowid"
        return self.read(sql, lambda row: foreign.taxonomy(dict(zip(keys, row, strict=True))))

    def events(self) -> Rows[LabelEvent]:
        sql = f"SELECT e.rowid, {event_rows.columns('e')} FROM events e ORDER BY e.rowid"
        return self.read(sql, _event)

    def exposures(self) -> Rows[Exposure]:
        keys = foreign.EXPOSURE_FIELDS
        sql = f"SELECT rowid, {', '.join(keys)} FROM exposures ORDER BY rowid"
        return self.read(sql, lambda row: foreign.exposure(dict(zip(keys, row, strict=True))))

    def links(self) -> Rows[Link]:
        sql = f"SELECT rowid, {', '.join(links.COLUMNS)} FROM links ORDER BY rowid"
        return self.read(sql, _link)

    def maps(self) -> Rows[Edge]:
        """The changes of the codebook, which are a setting there."""
        for row in self.select("SELECT value FROM settings WHERE key = ?", maps.KEY):
            try:
                found = list(maps.rows(row[0]))
            except (ValueError, RecursionError, TypeError) as error:
                yield 1, Bad(1, f"the maps between codebooks: {error}")
                continue
            for number, value in found:
                yield number, attempt(number, _edge, [value])

    def suggestions(self) -> Rows[Suggestion]:
        sql = f"SELECT rowid, {', '.join(suggestions.COLUMNS)} FROM suggestions ORDER BY rowid"
        return self.read(sql, lambda row: foreign.suggestion(suggestions.fields(row)))

    def outcomes(self) -> Rows[OutcomeRow]:
        sql = f"SELECT rowid, {', '.join(outcomes.COLUMNS)} FROM outcomes ORDER BY rowid"
        return self.read(sql, _outcome)


def attempt(number: int, make: Callable[[Sequence[Any]], T], row: Sequence[Any]) -> T | Bad:
    """What `make` makes of a row that may hold anything."""
    try:
        return make(row)
    except (InputError, StoreDamaged) as error:
        return Bad(number, str(error))


def _json(value: Any) -> str:
    foreign.shallow(codec.loads(value))
    return str(value)


def _score(value: Any) -> Any:
    """A benchmark may have said infinity, which a column holds."""
    return value if isinstance(value, float) else foreign.number(value)


_OUTCOME: dict[str, foreign.Rule] = {
    **dict.fromkeys(("id", "trace_id"), foreign.word),
    "passed": foreign.count_or_nothing,
    "score": _score,
    **dict.fromkeys(("detail", "final_state", "expected_state"), _json),
    "origin": foreign.text,
    "supersedes": foreign.word_or_nothing,
    "at": foreign.word,
}


def _outcome(row: Sequence[Any]) -> OutcomeRow:
    checked = foreign.fields(_OUTCOME, dict(zip(outcomes.COLUMNS, row, strict=True)))
    if checked["passed"] not in (None, 0, 1):
        raise InputError("'passed' must be 0, 1 or nothing")
    return tuple(checked[name] for name in outcomes.COLUMNS)


def _link(row: Sequence[Any]) -> Link:
    value = dict(zip(links.COLUMNS, row, strict=True))
    same = value["same"]
    yes_or_no = bool(same) if isinstance(same, int) and same in (0, 1) else same
    return foreign_links.link({**value, "same": yes_or_no, "supersedes": codec.loads(value["supersedes"])})


def _edge(row: Sequence[Any]) -> Edge:
    try:
        return maps.edge(row[0])
    except InputError as error:
        raise InputError(f"a map between codebooks: {error}") from error


def _event(row: Sequence[Any]) -> LabelEvent:
    return foreign.event(event_rows.fields(row))


def _readable(path: Path) -> None:
    """Refuse what cannot be read without writing beside it."""
    if not path.exists():
        raise StoreMissing(f"{path}: no store here")
    if path.is_dir():
        raise StoreError(f"{path}: a folder, not a store")
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as error:
        raise StoreReadOnly(f"{path}: cannot be read: {error.strerror}") from error
    if not head.startswith(b"SQLite format 3\0"):
        raise StoreDamaged(f"{path}: not a store of reviewer")
    wal = path.with_name(f"{path.name}-wal")
    if _WAL in head[18:20] or (wal.exists() and wal.stat().st_size):
        raise StoreReadOnly(
            f"{path}: in write-ahead mode, which cannot be read without changing it; "
            "copy it with `reviewer --store … backup FILE` and merge the copy"
        )
