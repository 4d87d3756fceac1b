"""The whole store as text: JSON Lines that `import` makes an equal store of, whatever machine they come to.

Line 1 is `{"reviewer": "store", "version": 1}`. Every other line is one row of one table and says which; a
trace has all its revisions with it, their source records and the bodies of their steps. Rows stand as they
are in the store; what only this machine knows (settings but the maps between codebooks, places, drafts, the
search) stays here.

Back in, the lines fill a store beside the one that they are for, and that one is merged like any other: every
row is checked as foreign, known ones change nothing, one that cannot be used costs itself. Rows carry the
number of their line, so that a refusal names it.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from reviewer.errors import InputError
from reviewer.store import codec, maps
from reviewer.store.rows import INFO_COLUMNS

if TYPE_CHECKING:
    from reviewer.store import Store

HEADER, VERSION = "store", 1
MAP = "map"  # between two codebooks, from the settings
TAG = "reviewer"
# Table, in which order its rows stand, and what of them only says when they came here.
# Others may write meanwhile: what is referred to is read after what refers to it, so that nothing is missing.
_TABLES = {
    "outcomes": ("rowid", ()),
    "suggestions": ("rowid", ()),
    "events": ("trace_id, at, id", ()),
    "supersedes": ("event, old", ()),
    "exposures": ("trace_id, at, id", ()),
    "links": ("id", ()),
    "draws": ("id", ()),
    "assignments": ("id", ()),
    "codes": ("event", ()),
    "taxonomies": ("id, version, hash", ()),
    "annotators": ("rowid", ("at",)),
}
_NO_ROWID = {"supersedes"}
_HERE = ("revision",)  # how many revisions this store has met before the one that counts
_HUGE = ("Infinity", "-Infinity")


def is_archive(head: bytes) -> bool:
    """Whether a file that begins so is the text of a whole store."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b'{"%s": "%s"' % (TAG.encode(), HEADER.encode()))


# -- out -------------------------------------------------------------------------------------------------


def lines(store: Store) -> Iterator[str]:
    """The lines of the file; the same store is the same text."""
    connection = store._connection
    with connection.told():
        db = connection.db
        yield _line(HEADER, {"version": VERSION})
        yield from _traces(db)
        for table in _TABLES:
            yield from _rows(db, table)
        for edge in maps.edges(store.settings):
            yield _line(MAP, {"old": edge.old, "new": edge.new, "map": edge.map})


def _rows(db: sqlite3.Connection, table: str) -> Iterator[str]:
    order, left_out = _TABLES[table]
    names = [name for name in _columns(db, table) if name not in left_out]
    for row in db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {order}").fetchall():
        yield _line(table, dict(zip(names, row, strict=True)))


def _traces(db: sqlite3.Connection) -> Iterator[str]:
    for (tid,) in db.execute("SELECT tid FROM traces ORDER BY tid").fetchall():
        db.execute("BEGIN")  # a trace may grow meanwhile; nobody waits for longer than one takes
        try:
            trace = _trace(db, tid)
        finally:
            db.execute("COMMIT")
        yield _line("traces", trace)


def _trace(db: sqlite3.Connection, tid: int) -> dict[str, Any]:
    names = [name for name in INFO_COLUMNS if name not in _HERE]
    row = db.execute(f"SELECT {', '.join(names)} FROM traces WHERE tid = ?", (tid,)).fetchone()
    sql = "SELECT revision, content_hash, records FROM revisions WHERE tid = ? ORDER BY revision"
    states = [_revision(db, tid, *one) for one in db.execute(sql, (tid,)).fetchall()]
    return {**dict(zip(names, row, strict=True)), "revisions": states}


def _revision(
    db: sqlite3.Connection, tid: int, revision: int, content: str, records: bytes
) -> dict[str, Any]:
    found: dict[str, Any] = {"content_hash": content, "records": records.hex()}
    at = (tid, revision)
    sql = "SELECT codec, data FROM raw WHERE tid = ? AND revision = ? ORDER BY part"
    raw = db.execute(sql, at).fetchall()
    if raw:  # the steps of an old revision that no label refers to are not kept
        found["raw"] = codec.unpack(raw).decode("utf-8", "surrogatepass")
        bodies: dict[int, list[tuple[int, bytes]]] = {}
        sql = "SELECT n, codec, data FROM bodies WHERE tid = ? AND revision = ? ORDER BY n, part"
        for n, kind, data in db.execute(sql, at):
            bodies.setdefault(n, []).append((kind, data))
        found["steps"] = [codec.unpack(parts).decode("ascii") for parts in bodies.values()]
    return found


def _line(kind: str, values: Mapping[str, Any]) -> str:
    spelled = {name: _spelled(value) for name, value in values.items()}
    text = json.dumps({TAG: kind, **spelled}, ensure_ascii=True, allow_nan=False)
    return text.replace("\x7f", "\\u007f") + "\n"


def _spelled(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return _HUGE[value < 0]
    return value


# -- in --------------------------------------------------------------------------------------------------


def fill(store: Store, texts: Iterable[str]) -> list[tuple[int, str]]:
    """Put the lines of a file into a new store, unchecked; (line, reason) of those that fit nowhere.

    InputError: it is not the text of a store, or one that this version cannot read.
    """
    refused: list[tuple[int, str]] = []
    with store.write():
        for number, text in enumerate(texts, 1):
            if not text.strip():
                continue
            try:
                value = json.loads(text)
                if not isinstance(value, dict):
                    raise InputError("no object")
                if number == 1:
                    _check_header(value)
                else:
                    _put(store, number, value)
            except (ValueError, RecursionError, TypeError, KeyError, OverflowError) as error:
                refused.append((number, f"damaged: {error}"))
            except sqlite3.Error as error:
                refused.append((number, f"fits into no table: {error}"))
            except InputError as error:
                if number == 1:
                    raise
                refused.append((number, str(error)))
    return refused


def _check_header(value: Mapping[str, Any]) -> None:
    version = value.get("version")
    if value.get(TAG) != HEADER or not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InputError("the first line is not that of a whole store")
    if version > VERSION:
        raise InputError(f"a store in version {version}, this reviewer knows {VERSION}; upgrade reviewer")


def _put(store: Store, number: int, value: dict[str, Any]) -> None:
    db, table = store._connection.db, value.pop(TAG, None)
    if table == "traces":
        _put_trace(db, number, value)
    elif table == MAP:
        maps.keep(store.settings, maps.edge([value["old"], value["new"], value["map"]]), now="-")
    elif table in _TABLES:
        _insert(db, table, value if table in _NO_ROWID else {"rowid": number, **value, **_arrived(table)})
    else:
        raise InputError(f"{TAG!r} is none of traces, {', '.join(_TABLES)}, {MAP}")


def _arrived(table: str) -> dict[str, str]:
    return dict.fromkeys(_TABLES[table][1], "-")  # which a merge does not read


def _put_trace(db: sqlite3.Connection, number: int, value: dict[str, Any]) -> None:
    states = value.pop("revisions")
    db.execute("SAVEPOINT trace")
    try:
        row = {"tid": number, **value, "revision": len(states), "imported_at": "-"}
        _insert(db, "traces", row)
        for revision, state in enumerate(states, 1):
            at = (number, revision)
            records = bytes.fromhex(state["records"])
            db.execute("INSERT INTO revisions VALUES(?, ?, ?, ?, '-')", (*at, state["content_hash"], records))
            if "raw" in state:
                _put_bodies(db, at, state)
    except BaseException:
        db.execute("ROLLBACK TO trace")
        raise
    finally:
        db.execute("RELEASE trace")


def _put_bodies(db: sqlite3.Connection, at: tuple[int, int], state: Mapping[str, Any]) -> None:
    parts = codec.pack(state["raw"].encode("utf-8", "surrogatepass"))
    db.executemany("INSERT INTO raw VALUES(?, ?, ?, ?, ?)", ((*at, *part) for part in parts))
    for n, step in enumerate(state["steps"], 1):
        packed = ((*at, n, *part) for part in codec.pack(step.encode("ascii")))
        db.executemany("INSERT INTO bodies VALUES(?, ?, ?, ?, ?, ?)", packed)


def _insert(db: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> None:
    known = {"rowid": "INTEGER", **_columns(db, table)}
    unknown = [name for name in row if name not in known]
    if unknown:
        raise InputError(f"{table} have no {unknown[0]!r:.60}")
    values = [
        float(value) if known[name] == "REAL" and value in _HUGE else value for name, value in row.items()
    ]
    sql = f"INSERT INTO {table}({', '.join(row)}) VALUES({', '.join('?' * len(row))})"
    db.execute(sql, values)


def _columns(db: sqlite3.Connection, table: str) -> dict[str, str]:
    """The columns of a table with their types."""
    return {row[1]: row[2] for row in db.execute(f"PRAGMA table_info({table})")}
