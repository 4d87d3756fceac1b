"""Messages as pairs of role and words, in every format that takes chat messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.shapes.shorthand import asked_in, paired
from tests.importers.reading import one, put

PAIRS = [["system", "Be brief."], ["user", "Where is the ladder?"], ["ai", "In the shed."]]


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        ["user"],
        ["user", 3],
        ["User", "x"],
        ["first", "second"],
        ["user", "x", "y"],
        [["user"], "x"],
    ],
)
def test_what_is_no_pair(value: Any) -> None:
    assert paired(value) is None


@pytest.mark.parametrize("value", [None, "x", [], {}, {"message": 3}, {"message": " "}, {"state": "x"}])
def test_what_asks_for_nothing(value: Any) -> None:
    assert asked_in(value) == ""


@pytest.mark.parametrize("value", [PAIRS, {"messages": PAIRS}, [{"messages": PAIRS}]])
def test_a_chat_of_pairs(tmp_path: Path, value: Any) -> None:
    info = (trace := one(put(tmp_path, "x.json", value)).trace).info
    assert (info.format, info.task, info.n_messages) == ("openai_chat", "Where is the ladder?", 3)
    assert [step.source for step in trace.steps] == ["system", "user", "agent"]
