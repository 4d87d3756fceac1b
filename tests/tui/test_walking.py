"""The spine: jumps in two keys, the narrowed list, bookmarks, and which steps were opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.store import Store
from reviewer.trace import Trace, TraceInfo, renumbered
from reviewer.tui.narrow import NarrowRows
from reviewer.tui.spine import target
from reviewer.tui.widgets.step_list import NEW
from tests.traces import bash, call, says
from tests.tui.desk import Sitting, sitting
from tests.tui.longer import longer

AHEAD, BEHIND = "right_square_bracket", "left_square_bracket"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return longer(tmp_path / "s.db")


def step(sat: Sitting) -> int:
    assert sat.screen.sheet is not None
    return sat.screen.sheet.n


def rows(sat: Sitting) -> list[int]:
    """The numbers of the rows that the list shows."""
    steps = sat.screen.steps
    return [row.n for place in range(steps.total) if (row := steps.row(place)) is not None]


@pytest.mark.parametrize(
    ("letter", "steps"),
    [("w", [6, 10]), ("c", [7, 11]), ("e", [5]), ("u", [1, 9]), ("z", [8])],
)
async def test_two_keys_go_to_the_next_of_a_kind(path: Path, letter: str, steps: list[int]) -> None:
    async with sitting(path) as sat:
        for n in steps:
            await sat.press(AHEAD, letter)
            assert step(sat) == n
        await sat.press(AHEAD, letter)
        assert step(sat) == steps[-1]
        assert "after this step" in sat.text()
        for n in reversed(steps[:-1]):
            await sat.press(BEHIND, letter)
            assert step(sat) == n
        await sat.press(AHEAD, letter.upper())
        assert step(sat) == steps[-1]
        await sat.press(BEHIND, letter.upper())
        assert step(sat) == steps[0]


async def test_the_last_words_of_the_agent_are_two_keys_away_from_anywhere(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press(AHEAD, "a")
        assert step(sat) == 12
        await sat.press("0", BEHIND, "a")
        assert step(sat) == 12


async def test_after_the_first_key_the_line_below_offers_the_letters(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press("o")
        assert "w write 2" in sat.text().splitlines()[-1]
        assert "e unmended 1" in sat.text().splitlines()[-1]
        await sat.press("escape")
        assert "1-9 mode" in sat.text().splitlines()[-1]


@pytest.mark.parametrize("key", ["1", "y", "L", "q", "enter", "s"])
async def test_a_key_that_names_no_kind_does_nothing_else(path: Path, key: str) -> None:
    async with sitting(path) as sat:
        await sat.press("l", AHEAD, key)
        assert step(sat) == 1
        assert "no kind of step" in sat.text()
        assert sat.app.is_running
    with Store.open(path) as store:
        assert store.labels.events() == []


async def test_the_narrowed_list_holds_these_steps_and_h_and_l_walk_them(path: Path) -> None:
    async with sitting(path, size=(140, 30)) as sat:
        await sat.press("o", "w")
        assert rows(sat) == [0, 6, 10]
        assert "writes: 2 of 12 steps" in sat.text().splitlines()[0]
        await sat.press("l")
        assert step(sat) == 6
        await sat.press("l", "l")
        assert step(sat) == 10
        assert "the last of these writes" in sat.text()
        await sat.press("g", *"12", "enter", "l")
        assert step(sat) == 12
        assert "no write after this step" in sat.text()
        await sat.press("h")
        await sat.press("h", "h")
        assert step(sat) == 0
        await sat.press("o", "o")
        assert rows(sat) == list(range(13))
        assert "of 12 steps" not in sat.text().splitlines()[0]


async def test_the_open_step_has_a_row_though_it_is_of_another_kind(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("o", "w", "g", "8", "enter")
        assert rows(sat) == [0, 6, 8, 10]
        assert sat.screen.steps.cursor == 2
        await sat.press("l")
        assert step(sat) == 10
        assert rows(sat) == [0, 6, 10]
        await sat.press("g", "7", "enter", "h")
        assert step(sat) == 6


async def test_a_click_on_a_narrowed_row_goes_to_its_step(path: Path) -> None:
    async with sitting(path, size=(140, 30)) as sat:
        await sat.press("o", "c")
        await sat.pilot.click("#steps", offset=(3, 2))
        await sat.settle()
        assert step(sat) == 11


async def test_what_matches_nothing_says_so_and_stays_off(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("L", "o", "z")
        assert "no compaction in this trace; the list stays as it is" in sat.text()
        assert rows(sat) == [0, 1, 2]


async def test_the_list_stays_narrowed_when_a_label_is_saved_and_not_in_another_trace(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("o", "w", "l", "1")
        assert "saved tool_misuse" in sat.text()
        assert rows(sat) == [0, 6, 10]
        await sat.press("L")
        assert rows(sat) == [0, 1, 2]
        await sat.press("H")
        assert rows(sat) == list(range(13))


async def test_a_bookmark_is_there_in_the_next_sitting_and_for_nobody_else(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("b")
        assert "a bookmark stands at a step" in sat.text()
        await sat.press("l", "l", "l", "b", "l", "l", "b", "b")
        assert "bookmark taken away from step 5" in sat.text()
    async with sitting(path) as sat:
        await sat.press("0", AHEAD, "b")
        assert step(sat) == 3
        assert "▼" in sat.text()
        await sat.press("o", "b")
        assert rows(sat) == [0, 3]
    async with sitting(path, name="ben") as sat:
        await sat.press("o", "b")
        assert "no bookmark in this trace" in sat.text()
    with Store.open(path) as store:
        assert store.labels.events() == []


async def test_marks_are_bookmarks_and_the_decisive_step(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("l", "b", "l", "l", "x", "o", "m")
        assert rows(sat) == [0, 1, 3]


async def test_a_step_bears_a_sign_until_it_was_opened(path: Path) -> None:
    async with sitting(path, size=(140, 30)) as sat:
        assert sat.text().count(NEW) == 12
        await sat.press("l", "l")
        assert sat.text().count(NEW) == 10
        await sat.press("L", "l", "H")
        assert sat.text().count(NEW) == 10
    async with sitting(path, size=(140, 30)) as sat:
        assert sat.text().count(NEW) == 10
    async with sitting(path, name="ben", size=(140, 30)) as sat:
        assert sat.text().count(NEW) == 12


@pytest.mark.parametrize("size", [(80, 24), (20, 5)])
async def test_it_works_where_there_is_little_room(path: Path, size: tuple[int, int]) -> None:
    async with sitting(path, size=size) as sat:
        await sat.press("o", "w", "l", AHEAD, "c")
        assert step(sat) == 7
        if size[0] == 80:
            assert "only 2 writes" in sat.text().splitlines()[0]
            await sat.press("o", "z")
            assert "only 1 compaction ·" in sat.text().splitlines()[0]
            await sat.press("0", "h")
            assert "nothing comes before it" in sat.text()


async def test_only_rows_in_sight_are_read_of_very_many(tmp_path: Path) -> None:
    path = longer(tmp_path / "many.db", more=3000)
    async with sitting(path) as sat:
        await sat.press("o", "w")
        sheet = sat.screen.sheet
        assert sheet is not None
        asked: list[int] = []
        every = NarrowRows(sheet, range(1, 3000), asked.extend)
        assert len(every.rows(0, 40)) == 1
        assert asked == list(range(1, 40))
        every.rows(0, 40)
        assert asked == list(range(1, 40)), "asked for once"
        assert every.total == 3000


def test_where_a_jump_leads() -> None:
    assert target([2, 5], 2, 1, farthest=False) == 5
    assert target([2, 5], 2, -1, farthest=False) is None
    assert target([2, 5], 9, -1, farthest=True) == 2
    assert target([], 3, 1, farthest=True) is None


@pytest.mark.parametrize("keys", [("e",), (AHEAD, "e"), ("$",)])
async def test_an_error_is_gone_to_where_it_stands(tmp_path: Path, keys: tuple[str, ...]) -> None:
    """Below a long call; and of two results the one that is the error."""
    call = "\n".join(f"echo {n}" for n in range(30))
    said = bash(call, "ssh: connect to host quay port 22: Connection refused", 255)
    with Store.open(tmp_path / "s.db", create=True) as store, store.write():
        info = TraceInfo("t1-x", "h", "plain", n_steps=2)
        store.traces.put(Trace(info, renumbered((says("begin"), said)), "{}"), now="now")
    async with sitting(tmp_path / "s.db", size=(120, 20)) as sat:
        if keys == ("$",):
            await sat.press("dollar_sign")
            assert "ssh: connect to host quay" not in sat.text()
        else:
            await sat.press(*keys)
            assert step(sat) == 2
            assert "ssh: connect to host quay" in sat.text()


async def test_home_goes_to_the_top_of_a_summary_that_was_scrolled(path: Path) -> None:
    async with sitting(path, size=(120, 16)) as sat:
        await sat.press("j", "j", "j")
        assert sat.screen.body.top == 3
        await sat.press("0")
        assert sat.screen.body.top == 0


async def test_errors_are_those_of_the_facts_once_they_are_read(tmp_path: Path) -> None:
    """A search that finds nothing is flagged and no error; an output that names one is, without a flag."""
    steps = (
        says("a"),
        bash("grep -rn quay src", "", 1),
        bash("sail", "Error: no such pier", None),
        says("b"),
    )
    with Store.open(tmp_path / "s.db", create=True) as store, store.write():
        info = TraceInfo("t1-x", "h", "plain", n_steps=4, n_errors=1)
        store.traces.put(Trace(info, renumbered(steps), "{}"), now="now")
    async with sitting(tmp_path / "s.db", size=(140, 30)) as sat:
        while sat.screen.sheet is None or sat.screen.sheet.facts is None:
            await sat.settle()
        assert [row.n for row in map(sat.screen.steps.row, range(5)) if row is not None and row.error] == [3]
        assert "errors: 1 " in sat.text()
        await sat.press("e")
        assert step(sat) == 3
        await sat.press("e")
        assert (step(sat), "this is the only error in the trace" in sat.text()) == (3, True)
        await sat.press("E")
        assert step(sat) == 3


@pytest.mark.parametrize("key", ["e", "w", "c"])
async def test_errors_writes_and_checks_go_round_and_say_so(tmp_path: Path, key: str) -> None:
    steps = [
        *(bash("pytest -q", "1 failed\nError: no pier", 1), bash("echo a > pier.txt", "", 0), says("a")),
        *(bash("pytest -q", "1 failed\nError: no quay", 1), bash("echo b > quay.txt", "", 0), says("b")),
    ]
    with Store.open(tmp_path / "s.db", create=True) as store, store.write():
        info = TraceInfo("t1-x", "h", "plain", n_steps=6, n_errors=2)
        store.traces.put(Trace(info, renumbered(steps), "{}"), now="now")
    async with sitting(tmp_path / "s.db", size=(140, 30)) as sat:
        while sat.screen.sheet is None or sat.screen.sheet.facts is None:
            await sat.settle()
        await sat.press(key)
        first = step(sat)
        await sat.press(key)
        assert (step(sat), "round again" in sat.text()) == (first + 3, False)
        await sat.press(key)
        assert (step(sat), "round again, to the first of 2" in sat.text()) == (first, True)


async def test_a_name_is_cut_only_where_its_row_is_full(tmp_path: Path) -> None:
    steps = (
        call("get_customer_by_identity", {"id": "L1"}),
        call("get_customer_by_identity", {"id": "L" * 90}),
    )
    with Store.open(tmp_path / "s.db", create=True) as store, store.write():
        info = TraceInfo("t1-x", "h", "plain", n_steps=2)
        store.traces.put(Trace(info, renumbered(steps), "{}"), now="now")
    async with sitting(tmp_path / "s.db", size=(200, 50)) as sat:
        whole, cut = (line for line in sat.text().splitlines() if "get_cust" in line[:44])
        assert "get_customer_by_identity L1" in whole
        assert "get_custo…identity LLL" in cut


async def test_where_the_list_is_narrow_what_goes_without_saying_is_said_once(tmp_path: Path) -> None:
    steps = [bash(f"cd /testbed && make part{n}", "done") for n in range(6)]
    steps.append(call("update_reservation_passengers", {"id": 1}))
    with Store.open(tmp_path / "s.db", create=True) as store, store.write():
        info = TraceInfo("t1-x", "h", "plain", n_steps=7)
        store.traces.put(Trace(info, renumbered(steps), "{}"), now="now")
    async with sitting(tmp_path / "s.db", size=(110, 32)) as sat:
        lines = [line[:26] for line in sat.text().splitlines()[1:9]]
        assert "else bash" in lines[0]
        assert "…make part0" in lines[1]
        assert "bash" not in lines[1]
        assert "update_rese…passengers" in lines[7]
    async with sitting(tmp_path / "s.db", size=(120, 40)) as sat:
        assert "bash …make part0" in sat.text()
