"""Our own samples: each is read by its format, says what it is there to show, and is read the same twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.importers import FORMATS
from reviewer.importers.base import Imported, NotATrace
from reviewer.importers.finding.files import find, open_source
from tests.importers.reading import SAMPLES, read, read_all

# Formats whose files never name the model.
MODELLESS = {"who_and_when", "agentrx", "mast"}


def traces() -> list[Path]:
    """The sample files that hold traces."""
    found = []
    for file in find([SAMPLES]).files:
        try:
            open_source(file.path)
        except NotATrace:
            continue
        found.append(file.path)
    return found


def _folder(path: Path) -> str:
    """The format that a file's folder below `sample_traces` is named after, however deep the file lies.

    `mini_swe_agent-attempts` holds that format too: what comes after the hyphen is ours.
    """
    return path.relative_to(SAMPLES).parts[0].partition("-")[0]


def test_there_are_samples_of_every_format() -> None:
    for name in FORMATS:
        assert sum(_folder(path) == name for path in traces()) >= 2, name


@pytest.mark.parametrize("path", traces(), ids=lambda path: path.name)
def test_a_sample_is_read_whole(path: Path) -> None:
    importer, _ = open_source(path)
    assert _folder(path) == importer.FORMAT
    imported, notes = read_all(path)
    assert imported
    assert not notes
    for item in imported:
        info = item.trace.info
        assert info.task
        assert info.model or importer.FORMAT in MODELLESS
        assert info.n_steps == len(item.trace.steps) > 1
        assert [step.n for step in item.trace.steps] == list(range(1, info.n_steps + 1))
        assert len({step.stable_id for step in item.trace.steps}) == info.n_steps


@pytest.mark.parametrize("path", traces(), ids=lambda path: path.name)
def test_reading_twice_gives_the_same(path: Path) -> None:
    assert read(path) == read(path)


def test_no_two_samples_are_the_same_trace() -> None:
    ids = [item.trace.info.trace_id for path in traces() for item in read(path)]
    assert len(ids) == len(set(ids))


def _sample(name: str) -> list[Imported]:
    (path,) = SAMPLES.rglob(name)
    return read(path)


def test_the_samples_differ_in_how_they_end() -> None:
    passed = {path.name: [o.passed for i in read(path) for o in i.outcomes] for path in traces()}
    assert passed["ledgerlib__ledgerlib-198.traj.json"] == [True]
    assert passed["ledgerlib__ledgerlib-214.traj.json"] == [False]
    assert passed["quaycache__quaycache-31.traj.json"] == [None]
    assert passed["front-desk.json"] == [False, True, False]
    (limit,) = _sample("tidepool__tidepool-87.traj.json")
    assert limit.trace.info.ended == "limit"
    assert limit.trace.info.n_errors > 10


def test_the_sub_agent_of_the_sample_is_tied_to_the_step_that_started_it() -> None:
    parent, child = _sample("invented-path-with-subagent.jsonl")
    start = next(step for step in parent.trace.steps if any(call.name == "Task" for call in step.calls))
    assert child.trace.info.parent_id == parent.trace.info.trace_id
    assert child.trace.info.parent_step == start.stable_id
    assert parent.trace.info.n_messages == 30
    assert child.trace.info.n_messages == 8
    assert not any(
        "src/settings/load.ts" in result.content for step in parent.trace.steps for result in step.results
    )
