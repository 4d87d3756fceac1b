"""Real files of our formats give the counts that were taken from them by other means; others are refused."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path

import pytest

from reviewer.errors import InputError
from reviewer.importers import FORMATS
from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import find, open_source
from reviewer.trace import Trace
from tests.importers.reading import SHARED, read

TRACES = SHARED / "traces"
# Folders that hold files of another format, as long as their own has no importer.
RELATED = {"agentrx": "tau_bench"}
pytestmark = pytest.mark.skipif(not TRACES.is_dir(), reason="the real traces are not beside this checkout")


def _rows(name: str) -> list[dict[str, str]]:
    if not (TRACES / name).is_file():
        return []
    with (TRACES / name).open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if row["file"].split("/")[0] in FORMATS]


def _path(row: dict[str, str]) -> Path:
    """The file of a row; of a row that names a folder the only file in it that holds a trace."""
    path = TRACES / row["file"]
    if not path.is_dir():
        return path
    found = []
    for file in find([path]).files:
        try:
            open_source(file.path)
        except NotATrace:
            continue
        found.append(file.path)
    (only,) = found
    return only


@lru_cache(maxsize=2)  # the rows of a file follow each other
def _own(path: Path) -> list[Trace]:
    """The traces of a file but for the sub-agents in it, which count in their parent."""
    every = [item.trace for item in read(path)]
    here = {trace.info.trace_id for trace in every}
    return [trace for trace in every if trace.info.parent_id not in here]


@pytest.mark.parametrize("row", _rows("expected.csv"), ids=lambda row: row["file"])
def test_counts_of_a_file(row: dict[str, str]) -> None:
    if row["n_traces"] == "0":
        with pytest.raises(NotATrace):
            open_source(_path(row))
        return
    importer, _ = open_source(_path(row))
    assert row["format"] == importer.FORMAT
    own = _own(_path(row))
    assert len(own) == int(row["n_traces"])
    for column in ("n_messages", "n_tool_calls"):
        if row[column]:
            assert sum(getattr(trace.info, column) for trace in own) == int(row[column]), column


@pytest.mark.parametrize("row", _rows("expected_traces.csv"), ids=lambda row: row["file"])
def test_counts_of_a_trace(row: dict[str, str]) -> None:
    own = _own(_path(row))
    info = own[int(row["trace_index"])].info
    assert info.task_id == row["task_id"]
    assert info.model == (row["model"].removesuffix(" (from results.json)") or info.model)
    assert info.n_messages == int(row["n_messages"])
    assert info.n_tool_calls == int(row["n_tool_calls"] or info.n_tool_calls)


def _files() -> list[Path]:
    return [found.path for found in find([TRACES]).files]


@pytest.mark.parametrize("path", _files(), ids=lambda path: str(path.relative_to(TRACES))[:60])
def test_no_file_is_taken_for_another_format(path: Path) -> None:
    folder = path.relative_to(TRACES).parts[0]
    try:
        importer, _ = open_source(path)
    except InputError as error:
        assert str(path) in str(error)
        assert "\n" not in str(error)
        assert folder not in FORMATS or isinstance(error, NotATrace)
    else:
        assert importer.FORMAT in (folder, RELATED.get(folder))
