"""The lead's screens: who said what stays hidden, a reason serves its pair, a cell opens its traces."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.widgets import DataTable, Input, OptionList

from reviewer.cli import run
from reviewer.store import Store
from tests.tui.desk import Sitting, adjudicating
from tests.tui.studies import NAMES, differing, traces

DRIFT = ("tool_misuse", "planning_drift")
SAID = [DRIFT, DRIFT[::-1], ("other", "silent_success"), ("other", "other")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return differing(tmp_path / "study.db", SAID)


def trace_of(sat: Sitting) -> str:
    assert sat.screen.sheet is not None
    return sat.screen.sheet.view.info.trace_id


def reason(sat: Sitting) -> str:
    return sat.app.screen.query_one(Input).value


async def test_where_the_panel_has_few_rows_it_says_how_the_rest_is_seen(path: Path) -> None:
    async with adjudicating(path, size=(80, 24)) as sat:
        assert "annot" in sat.text(), "all that can be pressed"
        assert sat.text().splitlines()[-3].strip() == "Tab shows the rest"
        await sat.press("tab")
        assert sat.text().splitlines()[-3].strip() != "Tab shows the rest"
    async with adjudicating(path, size=(80, 15)) as sat:
        assert "planning_drift? · Tab shows the rest" in sat.text()
    async with adjudicating(path, size=(130, 40)) as sat:
        assert "Tab shows" not in sat.text()
        await sat.press("A", "d")
        assert sat.text().count("hidden below 30 ratings") == 1


@pytest.mark.parametrize("size", [(130, 40), (80, 24)])
async def test_names_and_suggestions_are_on_no_page(path: Path, size: tuple[int, int]) -> None:
    with Store.open(path) as store:
        rationales = [one.rationale for one in store.suggestions.all() if one.rationale]
        people = list(store.labels.annotators())
    assert rationales
    assert len(people) == 2
    seen = ""
    async with adjudicating(path, size=size) as sat:
        for _ in range(3):
            sheet = sat.screen.sheet
            assert sheet is not None
            assert (sheet.view.suggestions, sheet.suggestion, sheet.view.withheld) == ((), None, False)
            for _ in range(3):
                seen += sat.text()
                await sat.press("l")
            await sat.press("1")
            seen += sat.text()
            await sat.press("escape", "v", "y")
            seen += sat.text()
            await sat.press("L")
    assert "tool_misuse or planning_drift?" in seen
    for hidden in (
        *NAMES,
        *people,
        "suggests",
        "suggestion:",
        "Rule-based",
        *(words[:30] for words in rationales),
    ):
        assert hidden not in seen


async def test_the_reason_is_offered_again_for_a_case_of_the_same_pair_settled_alike(
    path: Path,
) -> None:
    async with adjudicating(path) as sat:
        first = trace_of(sat)
        await sat.press("1")
        assert reason(sat) == ""
        await sat.press(*"rule 3", "enter")
        second = trace_of(sat)
        assert {first, second} == set(traces(path)[:2])  # one pair, whoever of the two said which
        await sat.press("2")
        assert reason(sat) == ""  # the other decision needs another reason
        await sat.press("escape", "1")
        assert reason(sat) == "rule 3"
        await sat.press("enter")
        assert trace_of(sat) == traces(path)[2]
        await sat.press("5")
        assert reason(sat) == ""  # another pair has a reason of its own
        await sat.press("escape")
    with Store.open(path) as store:
        settled = [event for event in store.labels.heads() if event.kind == "adjudicate"]
    assert [(event.trace_id, event.mode, event.reason) for event in settled] == [
        (first, "tool_misuse", "rule 3"),
        (second, "tool_misuse", "rule 3"),
    ]


def marked(path: Path, trace: str, *said: tuple[str, str, int | None]) -> None:
    for name, mode, n in said:
        step = () if n is None else ("--step", str(n))
        assert run(["--store", str(path), "annotate", trace, mode, "--as", name, *step]) == 0


def decided(path: Path) -> list[int | None]:
    with Store.open(path) as store:
        return [event.step_n for event in store.labels.heads() if event.kind == "adjudicate"]


async def test_the_step_that_was_marked_stands_there_and_is_saved(path: Path) -> None:
    for trace in traces(path)[:2]:
        marked(path, trace, *((name, mode, 3) for name, mode in zip(NAMES, DRIFT, strict=True)))
    async with adjudicating(path) as sat:
        await sat.press("1")
        assert "decisive step: 3" in sat.text() and "Ctrl+S" not in sat.text()
        await sat.press("ctrl+s", *"rule 3", "enter")  # there is nothing to choose among
        assert "settled as tool_misuse" in sat.text()
        await sat.press("H")
        assert "settled: tool_misuse (high), decisive" in sat.text()
        await sat.press("L", "l", "x", "1")
        assert "decisive step: 1" in sat.text()
        await sat.press("enter")
    assert decided(path) == [3, 1]


async def test_where_marks_differ_the_step_is_open_and_a_key_takes_one(path: Path) -> None:
    marked(path, traces(path)[0], (NAMES[0], DRIFT[0], 2), (NAMES[1], DRIFT[1], 4), ("kim", DRIFT[0], 3))
    marked(path, traces(path)[1], (NAMES[0], DRIFT[0], 2), (NAMES[1], DRIFT[1], 4), ("kim", DRIFT[0], 3))
    async with adjudicating(path) as sat:
        await sat.press("1")
        assert "Ctrl+S decisive step: open (marked: 2, 3, 4)" in sat.text()
        await sat.press(*"rule 3", "ctrl+s", "ctrl+s")
        assert "Ctrl+S decisive step: 3 (marked: 2, 3, 4)" in sat.text()
        await sat.press("enter", "1", *["ctrl+s"] * 4)
        assert "Ctrl+S decisive step: open" in sat.text()
        await sat.press("enter")
    assert decided(path) == [3, None]


async def test_i_stands_before_ii_and_how_sure_somebody_was(path: Path) -> None:
    with Store.open(path) as store:
        labels = [event for event in store.labels.heads() if event.trace_id == traces(path)[0]]
        for place, event in enumerate(labels):
            sure = replace(event, id=f"c{place}", confidence="low", supersedes=(event.id,), note="")
            with store.write():
                store.labels.insert(sure)
            for turn in range(3):
                with store.write():
                    store.labels.insert(
                        replace(sure, id=f"n{place}{turn}", kind="note", note=f"n{turn}", supersedes=())
                    )
    async with adjudicating(path, size=(130, 60)) as sat:
        lines = [line for line in sat.text().splitlines() if "noted: " in line]
        assert ["II noted" in line for line in lines] == [False] * 3 + [True] * 3
        assert sat.text().count("low confidence") == 2


async def _to_cell(sat: Sitting, row: str, column: str) -> None:
    """To the cell of these two modes with the arrow keys; whose modes are the rows is not told."""
    table = sat.app.screen.query_one(DataTable)
    names = [str(table.get_row_at(place)[0]).split()[-1] for place in range(table.row_count)]
    if str(table.get_row_at(names.index(row))[names.index(column) + 1]) == "·":
        row, column = column, row
    await sat.press(*["down"] * names.index(row), *["right"] * names.index(column))  # from the first cell
    assert table.cursor_coordinate == (names.index(row), names.index(column) + 1)


async def test_enter_on_a_cell_opens_its_traces(path: Path) -> None:
    async with adjudicating(path) as sat:
        assert trace_of(sat) != traces(path)[2]
        await sat.press("A")
        await sat.until("rows: ")
        assert "rows: " in sat.text()
        assert not any(name in sat.text() for name in NAMES)
        await _to_cell(sat, "silent_success", "other")
        await sat.press("enter")
        options = sat.app.screen.query_one(OptionList)
        assert [option.id for option in options.options] == [traces(path)[2]]
        assert options.has_focus
        assert traces(path)[2][:11] in sat.text()
        await sat.press("enter")
        assert trace_of(sat) == traces(path)[2]


async def test_a_cell_on_which_people_agree_opens_no_case_and_says_so(path: Path) -> None:
    async with adjudicating(path) as sat:
        before = trace_of(sat)
        await sat.press("A")
        await sat.until("rows: ")
        await _to_cell(sat, "other", "other")
        await sat.press("enter", "enter")
        assert trace_of(sat) == before
        assert "people agree on this trace" in sat.text()


async def test_an_empty_cell_opens_nothing_and_escape_leads_back(path: Path) -> None:
    async with adjudicating(path) as sat:
        before = trace_of(sat)
        await sat.press("A")
        await sat.until("rows: ")
        await _to_cell(sat, "silent_success", "tool_misuse")  # nobody said this pair
        await sat.press("enter")
        assert not sat.app.screen.query_one(OptionList).display
        await _to_cell_from(sat)
        await sat.press("escape")
        assert sat.app.screen.query_one(DataTable).has_focus  # from the list of traces to the table
        await sat.press("escape")
        assert trace_of(sat) == before


async def _to_cell_from(sat: Sitting) -> None:
    """From wherever the cursor is to a cell with traces, and open it."""
    await sat.press(*["up"] * 9, *["left"] * 9, "right")
    await _to_cell(sat, "silent_success", "other")
    await sat.press("enter")
    assert sat.app.screen.query_one(OptionList).has_focus
