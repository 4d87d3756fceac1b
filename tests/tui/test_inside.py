"""Into the run of a sub-agent and back out: to the same step, with nothing to label on the way."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from reviewer.store import Store
from reviewer.trace import Trace, TraceInfo
from reviewer.tui.screens.choosing import ChoiceScreen
from reviewer.tui.screens.inside import InsideScreen
from tests import traces
from tests.tui.desk import sitting

NOW = "2026-01-01T00:00:00Z"


def run(name: str, parent: str = "", step: int = 0, steps: int = 4) -> Trace:
    made = traces.trace(*(traces.bash(f"{name} {n}") for n in range(1, steps + 1)), id=f"t1-{name}")
    info = replace(
        made.info, task=f"the task of {name}", agent=name, parent_id=parent, parent_step=f"#{step}"
    )
    return replace(made, info=info)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """root; at its step 2 one sub-agent, which starts another at its step 3; at its step 4 two."""
    file = tmp_path / "s.db"
    runs = [
        *[run("root"), run("inner", "t1-root", 2), run("deep", "t1-inner", 3)],
        *[run("left", "t1-root", 4), run("right", "t1-root", 4)],
    ]
    with Store.open(file, create=True) as store, store.write():
        for one in runs:
            store.traces.put(one, now=NOW)
    return file


def info(screen: object) -> TraceInfo:
    assert isinstance(screen, InsideScreen)
    assert screen.sheet is not None
    return screen.sheet.view.info


async def test_in_and_deeper_and_back_out_to_the_same_steps(path: Path) -> None:
    async with sitting(path, size=(130, 40)) as sat:
        below = sat.screen
        await sat.press("l", "l", "S")
        assert info(sat.app.screen).agent == "inner"
        assert "inner, begun at step 2" in sat.text()
        assert "READING ONLY" in sat.text()
        await sat.press("l", "l", "l", "S")
        assert info(sat.app.screen).agent == "deep"
        assert "deep, begun at step 3" in sat.text()
        assert "inner, begun at step 2" in sat.text()
        await sat.press("less_than_sign")
        assert (info(sat.app.screen).agent, sat.screen.sheet and sat.screen.sheet.n) == ("inner", 3)
        await sat.press("escape")
        assert sat.app.screen is below
        assert below.sheet is not None
        assert below.sheet.n == 2
        await sat.press("S")  # once more: where it was left
        assert (info(sat.app.screen).agent, sat.screen.sheet and sat.screen.sheet.n) == ("inner", 3)


async def test_nothing_is_labelled_inside(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("l", "l", "S", "1", "y", "x", "u", "s", "f", "L", "enter")
        assert info(sat.app.screen).agent == "inner"
    with Store.open(path) as store:
        assert store.labels.events() == []


async def test_several_at_one_step_are_chosen_from(path: Path) -> None:
    async with sitting(path, size=(130, 40)) as sat:
        await sat.press("dollar_sign", "S")
        assert isinstance(sat.app.screen, ChoiceScreen)
        assert "the task of right" in sat.text()
        await sat.press("j", "enter")
        assert info(sat.app.screen).agent == "right"


async def test_elsewhere_it_says_where_they_start_and_the_summary_lists_all(path: Path) -> None:
    async with sitting(path, size=(130, 40)) as sat:
        await sat.press("l", "S")
        assert "they start at 2, 4" in sat.text()
        await sat.press("0", "S")
        assert isinstance(sat.app.screen, ChoiceScreen)
        assert sat.text().count("the task of") >= 3
        await sat.press("escape", "l", "l")
        rows = [line for line in sat.text().split("\n") if "↳" in line]
        assert len(rows) == 2


@pytest.mark.parametrize("key", ["1", "y"])
async def test_a_key_that_labels_says_that_this_is_only_for_reading(path: Path, key: str) -> None:
    async with sitting(path, size=(80, 24)) as sat:
        await sat.press("l", "l", "S", key)
        assert "only for reading; labels are given outside (Esc goes back)" in sat.text()
        await sat.press("escape", "1")
        assert "only for reading" not in sat.text()
