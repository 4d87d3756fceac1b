"""Stores that somebody crafted: whatever stands in the file, ours stays sound and says in a line why."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.errors import StoreError
from reviewer.label import Link
from reviewer.store import Store
from tests.conftest import Ran
from tests.history import NUMBERS, PEOPLE, event, link, now, put, say, session, show, suggest

SOON = 20.0  # seconds on a busy machine; nothing here may run for ever


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A store with one of everything."""
    path = tmp_path / "other.db"
    with Store.open(path, create=True) as store:
        id = put(store, session(["a"]))
        show(store, id, ref=suggest(store, id).id)
        say(store, id)
        link(store, "ana", "ben")
    return path


def craft(path: Path, sql: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.executescript(sql)


def remade(table: str, columns: str, more: str = "") -> str:
    """A table of ours made anew with other columns, and its rows."""
    return f"ALTER TABLE {table} RENAME TO old_{table}; CREATE TABLE {table}({columns}){more};"


LINKS = "id, a, b, same, said_by, at, supersedes"
CRAFTED = {
    "a trigger on every table": (
        "CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM traces; END;"
        "CREATE TRIGGER evil2 BEFORE UPDATE ON links BEGIN SELECT RAISE(ABORT, 'no'); END;"
    ),
    "a view for a table": (
        "DROP TABLE links; CREATE VIEW links AS WITH RECURSIVE n(id) AS "
        "(SELECT 1 UNION ALL SELECT id + 1 FROM n) "
        "SELECT id, id a, id b, 1 same, id said_by, id at, '[]' supersedes FROM n;"
    ),
    "a view under the name of ours": "DROP VIEW heads; CREATE VIEW heads AS SELECT 1 FROM nowhere;",
    "no columns": "DROP TABLE links; CREATE TABLE links(x);",
    "a table without row ids": remade("links", f"{LINKS}, PRIMARY KEY(id)", " WITHOUT ROWID"),
    "columns of no type": remade("links", LINKS)
    + "INSERT INTO links VALUES(x'00ff', 1.5, NULL, 'yes', 9e999, -1, x'5b');",
    "a generated column": remade("links", LINKS.replace("same", "same AS (1 / 0)"))
    + "INSERT INTO links(id) VALUES('x');",
    "a collation that nobody has": (
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'a TEXT NOT NULL', "
        "'a TEXT NOT NULL COLLATE evil') WHERE name = 'links';"
    ),
    "a schema that is no SQL": (
        "PRAGMA writable_schema = ON; "
        "UPDATE sqlite_master SET sql = 'CREATE TABLE links(' WHERE name = 'links';"
    ),
    "an attached file by name": (
        "INSERT INTO links VALUES('x''; ATTACH ''pwned.db'' AS p; --', 'a', 'b', 1, 'c', 'd', '[]');"
        "INSERT INTO annotators VALUES('ATTACH', '''); DROP TABLE events; --', 'x');"
    ),
    "a virtual table": f"DROP TABLE links; CREATE VIRTUAL TABLE links USING fts5({LINKS});",
    "a table that holds itself": "DELETE FROM supersedes; INSERT INTO supersedes SELECT id, id FROM events;",
    "a very long row": "INSERT INTO links VALUES('x', 'a', 'b', 1, 'c', 'd', '["
    + '"y",' * 300_000
    + '"y"]\');',
    "ten thousand links": (
        "INSERT INTO links WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 10000) "
        "SELECT 'n' || x, 'a' || x, 'a' || (x + 1), 1, 'c', 'd', '[]' FROM n;"
    ),
    "links that replace each other in a circle": (
        """INSERT INTO links VALUES('p', 'a', 'b', 1, 'c', 'd', '["q"]');"""
        """INSERT INTO links VALUES('q', 'b', 'a', 1, 'c', 'd', '["p"]');"""
    ),
    "numbers for ids": "UPDATE events SET id = 7; UPDATE annotators SET id = '';",
    "a taxonomy that is huge": "UPDATE taxonomies SET toml = printf('%.*c', 5000000, '[');",
    "a taxonomy nested without end": "UPDATE taxonomies SET toml = 'x = ' || printf('%.*c', 100000, '[');",
    "a taxonomy with the data of another": "UPDATE taxonomies SET data = '{}';",
}


@pytest.mark.parametrize("what", CRAFTED)
def test_whatever_stands_in_it_ours_stays_sound(store: Store, other: Path, what: str) -> None:
    mine = say(store, "t1-mine", who="ben")
    craft(other, CRAFTED[what])
    before, names = other.read_bytes(), {file.name for file in other.parent.iterdir()}
    began = time.monotonic()
    try:
        received = store.merge(other, now=now())
    except StoreError as error:
        assert str(other) in str(error)
        assert "\n" not in str(error)
    else:
        assert all("\n" not in refusal.reason for refusal in received.refused)
    assert time.monotonic() - began < SOON
    assert mine in store.labels.events()
    assert store.problems() == []
    assert other.read_bytes() == before
    assert {file.name for file in other.parent.iterdir()} == names
    with Store.open(store.path) as again:  # guards and all
        assert again.labels.heads() == store.labels.heads()
        again.labels.links.people()


TEXTS = ["[]", "{}", "[1]", '["a"]', "null", "\x1b[2J", "a1-ana", "a1-ben"]
VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=30),
    st.binary(max_size=30),
    st.sampled_from(TEXTS),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(*[VALUES] * 7), min_size=1, max_size=4))
def test_any_row_of_any_type_is_a_link_or_is_refused(
    tmp_path: Path, store: Store, rows: list[tuple[object, ...]]
) -> None:
    path = tmp_path / f"any{next(NUMBERS)}.db"
    Store.open(path, create=True).close()
    craft(path, remade("links", LINKS))
    with closing(sqlite3.connect(path)) as db, db:
        db.executemany(
            "INSERT INTO links VALUES(?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
    known = len(store.labels.links.all())
    received = store.merge(path, now=now())
    counts = received.counts["links"]
    assert counts.new + counts.known + counts.refused == len(rows)
    assert len(store.labels.links.all()) == known + counts.new
    store.labels.links.people()


def test_what_is_replaced_in_my_name_is_told(
    store: Store, other: Path, reviewer: Callable[..., Ran], tmp_path: Path
) -> None:
    """A crafted event under an id of this machine takes a label of mine out: nobody can prove it false."""
    from reviewer import settings as identities
    from reviewer.label import Annotator

    PEOPLE["me"] = Annotator(*identities.identity("me"))
    mine = say(store, "t1-mine", who="me")
    with Store.open(other) as crafted:
        forged = event("t1-mine", mode="no_failure", who="me", condition="blind", supersedes=(mine.id,))
        with crafted.write():
            crafted.labels.insert(forged)
    ran = reviewer("merge", other)
    assert ran.status == 0, ran.err
    (told,) = [line for line in ran.err.splitlines() if "under the id of me" in line]
    assert "1 event" in told
    assert "1 label of yours here replaced" in told
    assert "history" in told
    assert mine in store.labels.events()


def test_a_link_is_refused_where_its_id_is_known_otherwise(store: Store, other: Path) -> None:
    link(store, "ana", "ben")
    (mine,) = store.labels.links.all()
    with Store.open(other) as there, there.write():
        there.labels.links.receive(Link(mine.id, mine.a, mine.b, False, mine.said_by, mine.at))
    received = store.merge(other, now=now())
    assert [one.kind for one in received.refused] == ["links"]
    assert "what was said stays" in received.refused[0].reason
    assert mine in store.labels.links.all()
