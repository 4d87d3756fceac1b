"""What the store keeps that is neither trace nor label: the way of working, taxonomies, places, drafts."""

from __future__ import annotations

from reviewer.store import codec
from reviewer.store.connection import Connection
from reviewer.taxonomy import Taxonomy, restore


class Settings:
    """Settings, taxonomies in use, where each annotator stopped; the only rows that are overwritten."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._db = connection.db

    def get(self, key: str) -> str:
        """The value of `key`; empty where it was never set."""
        with self._connection.told():
            row = self._db.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
        return row[0] if row else ""

    def set(self, key: str, value: str, *, now: str) -> None:
        with self._connection.write():
            self.put(key, value, now=now)

    def put(self, key: str, value: str, *, now: str) -> None:
        """The same where the caller holds the transaction."""
        sql = """INSERT INTO settings VALUES(?, ?, ?)
                 ON CONFLICT(key) DO UPDATE SET value = excluded.value, at = excluded.at"""
        self._db.execute(sql, (key, codec.text(value), now))

    def count(self, key: str, *, now: str) -> int:
        """One more of what `key` counts; how many there are now."""
        sql = """INSERT INTO settings VALUES(?, '1', ?) ON CONFLICT(key)
                 DO UPDATE SET value = CAST(value AS INTEGER) + 1, at = excluded.at RETURNING value"""
        with self._connection.write() as db:
            return int(db.execute(sql, (key, now)).fetchall()[0][0])

    def keep_taxonomy(self, taxonomy: Taxonomy, *, now: str = "") -> None:
        """Keep the text of a taxonomy that labels or suggestions refer to; it is never changed."""
        if taxonomy.hash not in self.taxonomies() or not self.get("taxonomy"):
            with self._connection.write() as db:
                row = (taxonomy.hash, taxonomy.id, taxonomy.version, codec.text(taxonomy.toml), taxonomy.data)
                db.execute("INSERT INTO taxonomies VALUES(?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
                # the first one in use stays the one in use until somebody changes it on purpose
                first = "INSERT INTO settings VALUES('taxonomy', ?, ?) ON CONFLICT DO NOTHING"
                db.execute(first, (taxonomy.hash, now))

    def taxonomies(self) -> dict[str, tuple[str, str]]:
        """(id, version) of every taxonomy in use, by hash, in the order they came."""
        with self._connection.told():
            rows = self._db.execute("SELECT hash, id, version FROM taxonomies ORDER BY rowid").fetchall()
        return {hash: (id, version) for hash, id, version in rows}

    def taxonomy(self, name: str = "") -> Taxonomy | None:
        """A taxonomy that is kept here by its id or the beginning of its hash, or the one in use; or None."""
        sql = """SELECT data, toml, hash FROM taxonomies
                 WHERE id = ?1 OR length(?1) > 5 AND substr(hash, 1, length(?1)) = ?1
                 ORDER BY rowid DESC LIMIT 1"""
        with self._connection.told():
            row = self._db.execute(sql, (codec.text(name) or self.get("taxonomy"),)).fetchone()
        return restore(*row) if row else None

    def place(self, annotator: str) -> tuple[str, int] | None:
        """(trace id, step) where this annotator stopped reading."""
        with self._connection.told():
            found: tuple[str, int] | None = self._db.execute(
                "SELECT trace_id, step FROM places WHERE annotator = ?", (annotator,)
            ).fetchone()
        return found

    def keep_place(self, annotator: str, trace_id: str, step: int) -> None:
        sql = """INSERT INTO places VALUES(?, ?, ?) ON CONFLICT(annotator)
                 DO UPDATE SET trace_id = excluded.trace_id, step = excluded.step"""
        with self._connection.write() as db:
            db.execute(sql, (annotator, trace_id, step))

    def draft(self, annotator: str, trace_id: str) -> str:
        """The note that this annotator began on a trace and has not saved; empty where there is none."""
        sql = "SELECT text FROM drafts WHERE annotator = ? AND trace_id = ?"
        with self._connection.told():
            row = self._db.execute(sql, (annotator, trace_id)).fetchone()
        return row[0] if row else ""

    def keep_draft(self, annotator: str, trace_id: str, text: str) -> None:
        """Keep what was typed so far; an empty text ends the draft."""
        with self._connection.write() as db:
            db.execute("DELETE FROM drafts WHERE annotator = ? AND trace_id = ?", (annotator, trace_id))
            if text:
                db.execute("INSERT INTO drafts VALUES(?, ?, ?)", (annotator, trace_id, codec.text(text)))
