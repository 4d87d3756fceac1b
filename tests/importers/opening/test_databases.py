"""Foreign databases: read as they lie, nothing left beside them, nothing in them that holds anybody up."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.opening import databases
from reviewer.importers.opening.databases import database
from tests.importers.opencode_talk import INFO, TALK, S, base, info, text
from tests.importers.reading import one, read, read_all, reasons


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def with_log(folder: Path) -> Path:
    """A copy of a database while its last message stands in its log only."""
    path = base(folder, (INFO, TALK[:-1]))
    live = sqlite3.connect(path)
    live.execute("PRAGMA journal_mode = WAL")
    data = json.dumps(info("msg_9", "user"))
    live.execute("INSERT INTO message VALUES (?, ?, ?, ?)", ("msg_9", S, 9, data))
    live.commit()
    (folder / "copy").mkdir()
    for name in (path.name, f"{path.name}-wal"):
        shutil.copy(folder / name, folder / "copy" / name)
    live.close()
    return folder / "copy" / path.name


def test_a_log_is_read_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = with_log(tmp_path)
    before = {name: (path.parent / name).read_bytes() for name in names(path.parent)}
    assert len(before) == 2
    assert one(path).trace.info.n_messages == len(TALK)
    assert {name: (path.parent / name).read_bytes() for name in names(path.parent)} == before


def test_a_log_in_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    path = with_log(tmp_path)
    path.parent.chmod(0o500)
    try:
        assert one(path).trace.info.n_messages == len(TALK)
    finally:
        path.parent.chmod(0o700)


def test_a_log_that_changes_all_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = base(tmp_path, (INFO, TALK))
    live = sqlite3.connect(path)
    live.execute("PRAGMA journal_mode = WAL")
    live.execute("CREATE TABLE more (x)")
    copied = shutil.copyfile

    def busy(source: Any, target: Any) -> None:
        live.execute("INSERT INTO more VALUES (1)")
        live.commit()
        copied(source, target)

    monkeypatch.setattr(shutil, "copyfile", busy)
    assert one(path).trace.info.n_messages == len(TALK)
    live.close()


def test_bytes_are_texts(tmp_path: Path) -> None:
    path = base(tmp_path, (INFO, TALK), ({**INFO, "id": "ses_2"}, [(info("msg_5", "user"), [])]))
    with sqlite3.connect(path) as db:
        for table, column in (("session", "id"), ("message", "id"), ("message", "session_id")):
            db.execute(f"UPDATE {table} SET {column} = CAST({column} AS BLOB) WHERE {column} = '{S}' OR 1")
        db.execute("UPDATE session SET title = x'ff00' WHERE title = 't'")
        db.execute("UPDATE part SET message_id = CAST(message_id AS BLOB), id = CAST(id AS BLOB)")
    db.close()
    found, notes = read_all(path)
    assert [item.trace.info.n_messages for item in found] == [len(TALK), 1]
    assert json.loads(found[0].trace.raw)["info"]["title"] == "\ufffd\0"
    assert "bytes in the database (BLOB) are read as text" in reasons(notes)


ENDLESS = """CREATE VIEW message AS WITH RECURSIVE x(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM x)
    SELECT 'a' || i AS id, 'ses_1' AS session_id, i AS time_created, '{"role": "user"}' AS data FROM x"""


def test_views_are_not_read(tmp_path: Path) -> None:
    path = base(tmp_path, (INFO, TALK))
    with sqlite3.connect(path) as db:
        db.execute("ALTER TABLE message RENAME TO other")
        db.execute(ENDLESS)
    db.close()
    with pytest.raises(InputError, match="none with traces in it"):
        read(path)


def test_a_query_that_never_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = base(tmp_path, (INFO, TALK))
    monkeypatch.setattr(databases, "PATIENCE", 0.2)
    query = "WITH RECURSIVE x(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM x) SELECT max(i) AS i FROM x"
    with database(path) as opened:
        with pytest.raises(InputError, match=r"opencode\.db: .* takes longer than 0 seconds"):
            list(opened.rows(query))
        rows = opened.rows("SELECT id FROM message")
        for _ in range(len(TALK)):
            time.sleep(0.3)  # of whoever uses the rows
            assert next(rows)


def test_a_value_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = base(tmp_path, (INFO, TALK))
    with database(path) as opened, pytest.raises(InputError, match="too big"):
        list(opened.rows("SELECT zeroblob(900000000) AS x"))


def test_a_chain_of_children_takes_no_time(tmp_path: Path) -> None:
    sessions = []
    for n in range(3000):
        about = {**INFO, "id": f"s{n}", "parentID": f"s{n - 1}" if n else None}
        sessions.append((about, [(info(f"m{n}", "user"), [text(f"p{n}", f"m{n}", "x")])]))
    path = base(tmp_path, *sessions)
    with sqlite3.connect(path) as db:
        db.execute("CREATE INDEX a ON message (session_id)")
        db.execute("CREATE INDEX b ON part (message_id)")
    db.close()
    begun = time.process_time()
    found = read(path)
    assert time.process_time() - begun < 6
    assert [item.trace.info.n_messages for item in found] == list(range(3000, 0, -1))


def test_children_in_a_circle_count_in_each_other(tmp_path: Path) -> None:
    above = {"a": "b", "b": "c", "c": "a", "d": "a", "e": "e", "f": "gone", "g": "d"}
    rows: Any = [
        ({**INFO, "id": id, "parentID": parent}, [(info(f"m{id}", "user"), [])])
        for id, parent in above.items()
    ]
    found = {item.trace.info.task_id: item.trace.info for item in read(base(tmp_path, *rows))}
    counts = {id: about.n_messages for id, about in found.items()}
    assert counts == {"d": 2, "g": 1, "e": 1, "f": 1} | dict.fromkeys("abc", 5)
    assert found["e"].parent_id == ""


def test_the_copy_goes_away_with_the_process(tmp_path: Path) -> None:
    path, home = with_log(tmp_path), tmp_path / "home"
    home.mkdir()
    code = f"from tests.importers.reading import read; from pathlib import Path; read(Path({str(path)!r}))"
    subprocess.run([sys.executable, "-c", code], check=True, env={"TMPDIR": str(home)})
    assert names(home) == []
