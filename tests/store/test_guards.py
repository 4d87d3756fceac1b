"""The guards of the labels: no SQL changes what was said or shown; a store that lost a guard is refused."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer.errors import StoreDamaged, StoreError
from reviewer.store import Store, schema
from tests.conftest import Ran
from tests.history import say, show

TABLES = ("events", "supersedes", "exposures")


@pytest.fixture
def said(store: Store) -> Store:
    """Two labels, the second in place of the first, and something that was shown."""
    say(store, "t1-a")
    show(store, "t1-a")
    say(store, "t1-a", mode="no_failure")
    return store


def content(store: Store) -> list[list[tuple[object, ...]]]:
    with sqlite3.connect(store.path) as other:
        return [other.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in TABLES]


def columns(store: Store, table: str, **new: str) -> str:
    """`SELECT` of the first row of a table with some of its columns changed."""
    with sqlite3.connect(store.path) as other:
        names = [row[1] for row in other.execute(f"PRAGMA table_info({table})")]
    return f"SELECT {', '.join(new.get(name, name) for name in names)} FROM {table} LIMIT 1"


def refused(store: Store, sql: str) -> None:
    before = content(store)
    with sqlite3.connect(store.path) as other, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        other.execute(sql)
    assert content(store) == before
    assert all(before)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM {}",
        "DELETE FROM {} WHERE rowid = (SELECT min(rowid) FROM {})",
        "UPDATE {} SET {column} = {column}",
        "UPDATE OR REPLACE {} SET {column} = 'x'",
        "UPDATE {} SET rowid = rowid + 100",
    ],
)
def test_nothing_is_changed_or_deleted(said: Store, table: str, sql: str) -> None:
    if table == "supersedes" and "rowid" in sql:
        sql = sql.split(" WHERE", maxsplit=1)[0].replace(
            "rowid = rowid + 100", "old = 'x'"
        )  # it has no rowid
    column = "old" if table == "supersedes" else "id"
    refused(said, sql.format(table, table, column=column))


@pytest.mark.parametrize("table", ["events", "exposures"])
@pytest.mark.parametrize("verb", ["INSERT", "REPLACE", "INSERT OR IGNORE", "INSERT OR ROLLBACK"])
def test_a_known_id_with_other_content_is_no_way_in(said: Store, table: str, verb: str) -> None:
    refused(said, f"{verb} INTO {table} {columns(said, table, annotator=repr('mallory'))}")


@pytest.mark.parametrize("table", ["events", "exposures"])
def test_nor_is_a_new_id_in_the_row_of_an_old_one(said: Store, table: str) -> None:
    changed = columns(said, table, id=repr("new")).replace("SELECT", "SELECT rowid,", 1)
    names = columns(said, table).removeprefix("SELECT ").split(" FROM")[0]
    refused(said, f"REPLACE INTO {table}(rowid, {names}) {changed}")


@pytest.mark.parametrize("table", ["events", "exposures"])
def test_nor_is_an_upsert(said: Store, table: str) -> None:
    change = "ON CONFLICT(id) DO UPDATE SET annotator = 'mallory'"
    select = columns(said, table).replace(" LIMIT 1", " WHERE TRUE LIMIT 1")  # else ON is read as a join's
    refused(said, f"INSERT INTO {table} {select} {change}")


def test_replacing_what_supersedes_what_changes_nothing(said: Store) -> None:
    before = content(said)
    with sqlite3.connect(said.path) as other:
        other.execute("REPLACE INTO supersedes SELECT * FROM supersedes")
    assert content(said) == before


def test_a_new_event_is_let_in(said: Store) -> None:
    with sqlite3.connect(said.path) as other:
        other.execute(f"INSERT INTO events {columns(said, 'events', id=repr('new'))}")
    assert "new" in {event.id for event in said.labels.events()}


# -- a store whose guards are not what they were ----------------------------------------------------


def refused_at_open(store: Store, guard: str, *changes: str) -> None:
    Store.open(store.path).close()
    with sqlite3.connect(store.path) as other:
        for change in changes:
            other.execute(change)
    before = store.path.read_bytes()
    for create in (False, True):
        with pytest.raises(StoreError, match=f"guard '{guard}' of the labels was changed") as told:
            Store.open(store.path, create=create)
        assert isinstance(told.value, StoreDamaged)
        assert str(store.path) in str(told.value)
        assert "backup" in str(told.value)
    assert store.path.read_bytes() == before


@pytest.mark.parametrize("guard", schema.GUARDS)
def test_a_store_that_lost_a_guard_is_refused(said: Store, guard: str) -> None:
    refused_at_open(said, guard, f"DROP TRIGGER {guard}")


@pytest.mark.parametrize("view", schema.VIEWS)
def test_a_store_that_lost_a_view_is_refused(said: Store, view: str) -> None:
    refused_at_open(said, view, f"DROP VIEW {view}")


@pytest.mark.parametrize("guard", schema.GUARDS)
def test_a_guard_that_guards_nothing_is_no_guard(said: Store, guard: str) -> None:
    toothless = schema.GUARDS[guard].split("BEGIN", maxsplit=1)[0] + "BEGIN SELECT 1; END"
    refused_at_open(said, guard, f"DROP TRIGGER {guard}", toothless)


@pytest.mark.parametrize("view", schema.VIEWS)
def test_a_view_that_shows_something_else_is_refused(said: Store, view: str) -> None:
    all_of_them = f"CREATE VIEW {view} AS SELECT e.rowid AS seq, e.* FROM events e"
    refused_at_open(said, view, f"DROP VIEW {view}", all_of_them)


@pytest.mark.parametrize("table", [*TABLES, "traces", "settings"])
def test_a_trigger_that_is_not_ours_is_refused(said: Store, table: str) -> None:
    trigger = f"CREATE TRIGGER extra AFTER INSERT ON {table} BEGIN DELETE FROM drafts; END"
    refused_at_open(said, "extra", trigger)


@pytest.mark.parametrize("again", [False, True])
def test_a_trigger_under_the_name_of_a_view_is_refused(said: Store, again: bool) -> None:
    trigger = "CREATE TRIGGER heads AFTER INSERT ON events BEGIN DELETE FROM drafts; END"
    remade = ("DROP VIEW heads", schema.VIEWS["heads"]) if again else ()  # the view may come after it
    refused_at_open(said, "heads", trigger, *remade)


def test_a_view_that_is_not_ours_is_refused(said: Store) -> None:
    refused_at_open(said, "mine", "CREATE VIEW mine AS SELECT 1")


def test_the_command_line_says_it_in_one_line(
    said: Store, reviewer: Callable[..., Ran], tmp_path: Path
) -> None:
    with sqlite3.connect(said.path) as other:
        other.execute("DROP TRIGGER events_no_delete")
    ran = reviewer("status")
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1)
    assert "the guard 'events_no_delete' of the labels was changed" in ran.err
