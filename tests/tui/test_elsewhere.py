"""Search over all traces: to a hit and back, others like a finding, an index that lags, nothing of others."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from reviewer.cli import run
from reviewer.store import Store
from reviewer.trace import Step, Trace, TraceInfo
from reviewer.tui.screens.everywhere import LIMIT, EverywhereScreen
from tests.conftest import SAMPLES
from tests.tui.desk import Sitting, adjudicating, fill, sitting
from tests.tui.longer import longer
from tests.tui.studies import NAMES, differing
from tests.tui.widget_app import HOSTILE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return longer(tmp_path / "s.db")


def where(sat: Sitting) -> tuple[str, int]:
    sheet = sat.screen.sheet
    assert sheet is not None
    return sheet.view.info.task_id, sheet.n


async def type_words(sat: Sitting, words: str) -> None:
    await sat.pilot.press(*["space" if letter == " " else letter for letter in words], "enter")
    await sat.settle()


async def test_a_search_over_all_traces_opens_a_hit_and_escape_comes_back(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press("l", "l", "ctrl+f")
        await type_words(sat, "connection refused")
        assert isinstance(sat.app.screen, EverywhereScreen)
        text = sat.text()
        assert "2 steps in 2 traces hold all of it" in text
        assert "ssh: connect to host quay port 22: Connection refused" in text
        assert "5  " in text
        await sat.press("up", "up", "enter")  # the newest trace stands first
        assert where(sat) == ("hello", 2)
        assert "hit 1 of 1 · “connection refused”" in sat.text()
        await sat.press("escape")
        assert where(sat) == ("quay", 2)
        assert "back where you were" in sat.text()


@pytest.mark.parametrize("trace", ["quay", "hello"])
async def test_words_with_capitals_lead_to_the_hit_that_was_listed(path: Path, trace: str) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press(*["L"] * (trace == "hello"))
        assert where(sat)[0] == trace
        await sat.press("ctrl+f")
        await type_words(sat, "Kestrel")
        await sat.press("enter")
        assert where(sat) == ("quay", 9)
        assert "hit 1 of 4 · “Kestrel” in 3 steps · n next" in sat.text()
        assert sat.screen.body.marked() == "Kestrel"
        await sat.press("n")
        assert where(sat) == ("quay", 10)
        assert "hit 2 of 4 · “Kestrel”" in sat.text()
        await sat.press("N")
        assert where(sat) == ("quay", 9)
        assert "hit 1 of 4 · “Kestrel”" in sat.text()


async def test_what_is_typed_or_pasted_takes_the_place_of_the_words_before(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press("ctrl+f")
        await type_words(sat, "harbour")
        await sat.press("escape", "ctrl+f")
        await type_words(sat, "kestrel")
        field = sat.app.screen.query_one("Words", Input)
        assert field.value == "kestrel"
        await sat.press("escape", "ctrl+f")
        field = sat.app.screen.query_one("Words", Input)
        field.post_message(events.Paste("harbour"))
        await sat.settle()
        assert field.value == "harbour"
        await sat.press("escape", "ctrl+f", "end")
        await type_words(sat, " name")
        assert sat.app.screen.query_one("Words", Input).value == "kestrel name", "a key of moving keeps them"


async def test_escape_in_the_list_changes_nothing_and_the_list_is_kept(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press("l", "ctrl+f")
        await type_words(sat, "harbour")
        await sat.press("down", "escape")
        assert where(sat) == ("quay", 1)
        await sat.press("ctrl+f")
        assert "steps in one trace hold all of it" in sat.text()
        await sat.press("enter")
        assert where(sat) == ("quay", 2)
        await sat.press("escape")
        assert where(sat) == ("quay", 1)


async def test_what_no_trace_holds_says_so(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("ctrl+f")
        await type_words(sat, "zeppelin")
        assert "no step of any trace holds all of these words" in sat.text()
        await sat.press("enter", "escape")
        assert where(sat) == ("quay", 0)


async def test_others_like_the_error_of_this_step(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press("asterisk")
        assert "no error and no quote in this step" in sat.text()
        await sat.press("right_square_bracket", "e", "asterisk")
        assert "2 steps in 2 traces hold all of it" in sat.text()
        assert "ssh connect host" in sat.text()


async def test_the_index_is_filled_from_here(path: Path) -> None:
    with Store.open(path) as store:
        assert store.fulltext.pending() == 14
    async with sitting(path) as sat:
        await sat.press("ctrl+f")
        await type_words(sat, "harbour")
        assert "harbour" in sat.text()
    with Store.open(path) as store:
        assert store.fulltext.pending() == 0


async def test_a_store_that_cannot_be_written_says_what_is_not_searched(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reviewer.errors import StoreReadOnly
    from reviewer.store.fulltext import FullText

    def refuse(self: FullText, seconds: float = 0) -> bool:
        raise StoreReadOnly("read-only")

    async with sitting(path, size=(140, 30)) as sat:
        monkeypatch.setattr(FullText, "fill", refuse)  # root may write into any file
        await sat.press("ctrl+f")
        await type_words(sat, "harbour")
        assert "14 steps are not in the index, the store cannot be written" in sat.text()


async def test_blind_work_stays_blind(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    fill(path, SAMPLES / "mini_swe_agent")
    with Store.open(path) as store:
        modes = {s.mode for info in store.traces.all() for s in store.suggestions.of(info.trace_id, "")}
        trace = store.traces.all()[1].trace_id
    assert run(["--store", str(path), "annotate", trace, "other", "--as", NAMES[0], "--note", "zebra"]) == 0
    async with sitting(path, size=(120, 40)) as sat:
        await sat.press("ctrl+f")
        await type_words(sat, "zebra")
        assert "no step of any trace" in sat.text()
        await sat.press("escape", "ctrl+f")
        sat.app.screen.query_one("Words").value = ""  # type: ignore[attr-defined]
        await type_words(sat, "test")
        assert NAMES[0] not in sat.text()
        assert not any(mode and mode in sat.text() for mode in modes)
        await sat.press("enter")
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.view.withheld
        assert sat.screen.sheet.view.suggestions == ()


async def test_while_settling_a_trace_that_is_no_case_is_not_opened(tmp_path: Path) -> None:
    path = differing(tmp_path / "s.db", [("other", "no_failure")])
    longer(path)
    async with adjudicating(path) as sat:
        before = where(sat)
        await sat.press("ctrl+f")
        await type_words(sat, "kestrel")
        await sat.press("enter")
        assert where(sat) == before
        assert "not in this queue" in sat.text()


async def test_hostile_text_and_very_many_hits(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store.open(path, create=True) as store, store.write():
        for number in range(3):
            steps = tuple(Step(n, "agent", f"harbour {HOSTILE}") for n in range(1, LIMIT))
            info = TraceInfo(f"t1-{number:032}", str(number), "plain", task_id=HOSTILE, n_steps=len(steps))
            store.traces.put(Trace(info, steps), now="now")
    async with sitting(path, size=(80, 24)) as sat:
        await sat.press("ctrl+f")
        await type_words(sat, "harbour")
        assert f"the newest {LIMIT} hits, in 2 traces; there are more: add a word" in sat.text()
        assert "\x1b" not in sat.text()
        await sat.pilot.click("OptionList", offset=(3, 2))
        await sat.settle()
        assert isinstance(sat.app.screen, EverywhereScreen), "a click opens nothing"
        await sat.press("pagedown", "enter")
        assert where(sat)[1] > 1


async def test_a_hit_inside_a_sub_agent_opens_it_there_and_two_escapes_come_back(path: Path) -> None:
    with Store.open(path) as store, store.write():
        parent = store.traces.all()[0]
        started = store.traces.outline(parent.trace_id, 9, 1)[0].stable_id
        steps = tuple(Step(n, "agent", f"the lighthouse, part {n}") for n in (1, 2, 3))
        child = TraceInfo("t1-child", "c", "plain", n_steps=3, parent_id=parent.trace_id, parent_step=started)
        store.traces.put(Trace(child, steps), now="now")
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press("L", "l", "ctrl+f")
        await type_words(sat, "lighthouse 2")
        await sat.press("enter")
        await sat.settle()
        assert where(sat) == ("", 2)
        assert "the lighthouse, part 2" in sat.text()
        assert "“lighthouse 2”" in sat.text()
        await sat.press("escape")
        assert where(sat) == ("quay", 9)
        await sat.press("escape")
        assert where(sat) == ("hello", 1)
