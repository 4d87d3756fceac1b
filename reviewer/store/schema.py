"""The schema of the store: its numbered migrations (`migrations/*.sql`) and the guards over its labels.

`user_version` of the file is the number of its last migration. A migration runs in one transaction
together with its record, after a copy of the file was set aside; nothing is ever migrated down.
Human labels are append-only: the guards below abort any UPDATE, DELETE, REPLACE or second INSERT of a
known id, and a store whose guards were removed or changed is refused.
"""

from __future__ import annotations

import sqlite3

APPLICATION_ID = 0x52565752  # "RVWR": tells a store from any other SQLite file

GUARDS = {
    f"{table}_no_{verb}": f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
    for table in ("events", "supersedes", "exposures", "links")
    for verb in ("update", "delete")
} | {
    f"{table}_no_replace": f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
    f"WHEN EXISTS(SELECT 1 FROM {table} WHERE id = NEW.id OR rowid = NEW.rowid) "
    f"BEGIN SELECT RAISE(ABORT, '{table} are append-only'); END"
    for table in ("events", "exposures", "links")
}

# An event takes another out of what is current only within the same slot: the same trace, person,
# taxonomy and round. `heads`: nothing supersedes them; one is current, several are a conflict, a
# retraction is no label. `blind_heads`: what agreement counts; a later blind label, a retraction or an
# undo takes one out, a later assisted label does not (law 3).
_TAKEN_OUT = """NOT EXISTS(SELECT 1 FROM supersedes s JOIN events n ON n.id = s.event WHERE s.old = e.id
  AND n.trace_id = e.trace_id AND n.annotator = e.annotator
  AND n.taxonomy = e.taxonomy AND n.round = e.round"""
VIEWS = {
    "heads": f"CREATE VIEW heads AS SELECT e.rowid AS seq, e.* FROM events e WHERE {_TAKEN_OUT})",
    "blind_heads": "CREATE VIEW blind_heads AS SELECT e.rowid AS seq, e.* FROM events e "
    f"WHERE e.kind = 'label' AND e.condition = 'blind' AND {_TAKEN_OUT}\n"
    "  AND (n.kind = 'retract' OR n.kind = 'label' AND (n.condition = 'blind' OR n.restores <> '')))",
}

_CAME = {"links": 5}  # the migration of each guarded table that was not there from the start
VERSION = 5  # the number of the last file in migrations/


def statements(script: str) -> list[str]:
    """The single statements of an SQL script; `executescript` would commit before each."""
    found, rest = [], ""
    for line in script.splitlines(keepends=True):
        rest += line
        if sqlite3.complete_statement(rest):
            found.append(rest)
            rest = ""
    return found


def _came(name: str) -> int:
    """The migration that brings a view or guard along: that of its table."""
    return _CAME.get(name.partition("_no_")[0], 1)


def wanted() -> dict[str, str]:
    """The views and guards that a store must have, by name."""
    return {name: sql for name, sql in {**VIEWS, **GUARDS}.items() if _came(name) <= VERSION}


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the store up to `VERSION`. The caller holds an open transaction (BEGIN IMMEDIATE).

    sqlite-utils keeps the record of what was applied (`_sqlite_migrations`), so that other tools of
    its family can read it; `user_version` is what we check at every open, without importing it.
    """
    from importlib.resources import files

    from sqlite_utils import Database, Migrations

    migrations = Migrations("reviewer")
    for number in range(1, VERSION + 1):

        def apply(db: Database, number: int = number) -> None:
            script = files(__package__).joinpath("migrations", f"{number:03}.sql").read_text("utf-8")
            guards = [sql for name, sql in wanted().items() if _came(name) == number]
            for statement in (*statements(script), *guards):
                db.conn.execute(statement)

        migrations(name=f"{number:03}")(apply)
    migrations.apply(Database(connection))
    connection.execute(f"PRAGMA user_version = {VERSION}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
