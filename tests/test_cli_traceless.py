"""An export says how many labelled traces it cannot show, because only their labels are here."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer.store import Store
from tests.conftest import Ran
from tests.history import put, say, session

Cli = Callable[..., Ran]
SAID = "not in this store"


def test_two_traces_are_missing(store: Store) -> None:
    assert store.labels.traceless() == 0
    say(store, put(store, session(["a"])))
    assert store.labels.traceless() == 0
    say(store, "t1-a")
    say(store, "t1-a", who="ben")
    say(store, "t1-a", mode="no_failure")
    assert store.labels.traceless() == 1
    say(store, "t1-b", "adjudicate")
    say(store, "t1-c", "note", note="only a note")
    say(store, "t1-d")
    say(store, "t1-d", "retract")
    assert store.labels.traceless() == 2


@pytest.mark.parametrize("what", ["jsonl", "csv"])
def test_an_export_says_so_on_stderr(store: Store, reviewer: Cli, tmp_path: Path, what: str) -> None:
    say(store, put(store, session(["a"])))
    for trace in ("t1-a", "t1-b"):
        say(store, trace)
    ran = reviewer("export", what)
    assert (ran.status, SAID in ran.out) == (0, False)
    (line,) = [line for line in ran.err.splitlines() if SAID in line]
    assert line.startswith("2 ")
    assert "export labels" in line
    assert "exported 1 trace" in ran.err
    ran = reviewer("export", what, "-o", tmp_path / "out")
    assert f"2 labelled traces are {SAID}" in ran.err


def test_it_is_said_no_more_when_the_traces_have_come(store: Store, reviewer: Cli) -> None:
    trace = session(["a"])
    say(store, trace.info.trace_id)
    assert f"1 labelled trace is {SAID}" in reviewer("export", "jsonl").err
    put(store, trace)
    assert SAID not in reviewer("export", "jsonl").err


def test_the_history_of_labels_lacks_nothing(store: Store, reviewer: Cli) -> None:
    say(store, "t1-a")
    ran = reviewer("export", "labels")
    assert SAID not in ran.err
    assert "t1-a" in ran.out
