"""Opening, refusing, copying: a store is never harmed by being looked at."""

import sqlite3
import threading
import time
from pathlib import Path

import pytest

from reviewer.errors import StoreDamaged, StoreError, StoreMissing, StoreTooNew
from reviewer.store import Store, schema


def test_only_create_makes_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreMissing, match="import"):
        Store.open(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(StoreMissing, match="does not exist; make it first"):
        Store.open(tmp_path / "no" / "where.db")
    with pytest.raises(StoreError, match="folder"):
        Store.open(tmp_path / "no" / "where.db", create=True)
    with pytest.raises(StoreError, match="folder"):
        Store.open(tmp_path)


def test_a_new_store_has_the_journal_that_survives_a_plain_copy(store: Store) -> None:
    db = store._connection.db
    assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert db.execute("PRAGMA user_version").fetchone() == (schema.VERSION,)
    names = [(f"{number:03}",) for number in range(1, schema.VERSION + 1)]
    assert db.execute("SELECT name FROM _sqlite_migrations").fetchall() == names


@pytest.mark.parametrize("content", [b"", b"task,label\n1,x\n" * 50, b"\0" * 5000])
def test_other_files_are_refused_and_left_as_they_are(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(content)
    with pytest.raises(StoreDamaged):
        Store.open(path)
    assert path.read_bytes() == content


def test_a_database_of_another_program_is_refused_even_for_import(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE t(x)")
    before = path.read_bytes()
    for create in (False, True):
        with pytest.raises(StoreDamaged, match="not a store"):
            Store.open(path, create=create)
    assert path.read_bytes() == before


def test_a_newer_store_is_refused(store: Store) -> None:
    store._connection.db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreTooNew, match="newer"):
        Store.open(store.path)


def test_a_store_that_was_cut_short_is_refused(store: Store) -> None:
    content = store.path.read_bytes()
    store.path.write_bytes(content[:-4096])
    with pytest.raises(StoreDamaged):
        Store.open(store.path)


def test_backup_never_writes_over_a_file(store: Store, tmp_path: Path) -> None:
    store.backup(tmp_path / "copy.db")
    with pytest.raises(StoreError, match="already there"):
        store.backup(tmp_path / "copy.db")
    with Store.open(tmp_path / "copy.db") as copy:
        assert copy.problems() == []


def test_many_openers_at_once_make_one_store(tmp_path: Path) -> None:
    path, failures = tmp_path / "new.db", []

    def make() -> None:
        try:
            Store.open(path, create=True).close()
        except StoreError as error:
            failures.append(error)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with Store.open(path) as made:
        assert made._connection.db.execute("SELECT count(*) FROM _sqlite_migrations").fetchone() == (
            schema.VERSION,
        )


def test_a_write_waits_for_another_process(store: Store) -> None:
    with sqlite3.connect(store.path, isolation_level=None, check_same_thread=False) as other:
        other.execute("BEGIN IMMEDIATE")
        threading.Timer(0.3, lambda: other.execute("ROLLBACK")).start()
        started = time.monotonic()
        store.settings.set("k", "v", now="now")
        assert time.monotonic() - started > 0.2
    assert store.settings.get("k") == "v"
