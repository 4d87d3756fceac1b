"""A trace that stands in two files is kept once, and the import says so by name."""

from __future__ import annotations

import shutil
from pathlib import Path

from reviewer.cli.intake import import_paths
from reviewer.store import Store
from tests.importers.reading import put

TALK = [{"role": "user", "content": "Mend the loom"}, {"role": "assistant", "content": "Mended."}]
CHATS = [{"messages": [*TALK, {"role": "user", "content": str(n)}]} for n in range(3)]


def told(store: Store, *paths: Path) -> list[tuple[str, str, int]]:
    report = import_paths(store, [str(path) for path in paths], None)
    return [(file.path.name, note.reason, note.count) for file in report.files for note in file.warnings]


def test_the_first_file_of_a_trace_is_named_at_the_second(tmp_path: Path) -> None:
    first = put(tmp_path, "a.jsonl", CHATS)
    shutil.copy(first, tmp_path / "b.jsonl")
    put(tmp_path, "c.json", CHATS[1])
    said = f"the same trace stands in {first} too: it is kept once"
    store = Store.open(tmp_path / "s.db", create=True)
    for _ in range(2):  # anew, and when all of them are known
        assert told(store, tmp_path) == [("b.jsonl", said, 3), ("c.json", said, 1)]
    assert told(store, first) == []
    assert len(store.traces.all()) == 3
    store.close()
