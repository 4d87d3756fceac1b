"""A queue that was assigned: what its title says, what is blind in it, and a sitting without a reveal."""

from pathlib import Path
from typing import Any

import pytest

from reviewer.cli.context import Context, new_id, now
from reviewer.label import AGAIN, Annotator
from reviewer.session import ReviewSession
from reviewer.settings import identity
from reviewer.store import Store
from reviewer.study.assigning_round import Wish, draw, draw_again
from reviewer.tui.app import ReviewApp
from reviewer.tui.opening import Opening
from tests.conftest import SAMPLES
from tests.tui.desk import _running, fill, sitting


@pytest.fixture
def path(tmp_path: Path) -> Path:
    filled = tmp_path / "tui.db"
    fill(filled, SAMPLES / "mini_swe_agent")
    return filled


def assign(path: Path, overlap: float, n: int | None = None) -> None:
    with Store.open(path) as store:
        people = (Annotator(*identity("ana")), Annotator("name:ben", "ben"))
        taxonomy = Context(None, None).load_taxonomy(store)
        draw(store, taxonomy, Wish(1, people, n, overlap), now(), new_id).keep(store)


async def test_the_title_says_that_the_queue_is_assigned_and_nothing_of_overlap(path: Path) -> None:
    assign(path, 0.5)
    async with sitting(path) as sat:
        assert "1 of 3 (assigned)" in sat.text()
        assert "overlap" not in sat.text()


async def test_what_overlaps_is_blind_in_assisted_work_too(path: Path) -> None:
    assign(path, 1.0)
    async with sitting(path, blind=False) as sat:
        assert "1 of 4 (assigned)" in sat.text()
        assert "BLIND" in sat.text() and "hidden until your label is in" in sat.text()
        await sat.press("2")
        view = sat.screen.sheet.view if sat.screen.sheet is not None else None
        assert view is not None and view.suggestions and view.label is not None
        assert view.label.condition == "blind" and view.label.assignment


async def test_what_is_ones_own_alone_is_as_one_works(path: Path) -> None:
    assign(path, 0.0)
    async with sitting(path, blind=False) as sat:
        assert "1 of 2 (assigned)" in sat.text() and "ASSISTED" in sat.text()


async def test_without_reveal_the_next_trace_opens_and_nothing_was_shown(path: Path) -> None:
    context = Context(str(path), None)

    def session() -> ReviewSession:
        desk = context.desk(context.open_store(), "ana", None, origin="tui")
        return ReviewSession(desk, blind=True, reveal=False)

    with Store.open(path) as store:
        taxonomy = context.load_taxonomy(store)
    opening: Opening[Any] = Opening.of(session, context.open_reading, taxonomy)
    async with _running(ReviewApp(opening), (100, 30)) as sat:
        assert "hidden in this sitting" in sat.text()
        first = sat.screen.sheet.view.info.trace_id if sat.screen.sheet is not None else ""
        await sat.press("2")
        assert "2/4" in sat.text()
        await sat.press("H")
        assert "hidden in this sitting" in sat.text() and "rules suggests" not in sat.text()
    with Store.open(path) as store:
        me = identity("ana")[0]
        assert not {"suggestion", "peers"} & {kind for kind, _ in store.labels.exposures(me, first)}


async def test_a_second_sitting_shows_nothing_of_the_first(path: Path) -> None:
    with Store.open(path) as store:
        context = Context(str(path), None)
        taxonomy = context.load_taxonomy(store)
        desk = context.desk(store, "ana", None, taxonomy)
        work = ReviewSession(desk, blind=True)
        from reviewer.label import Decision

        work.note(0, "zzfirstzz", 1)
        work.label(0, Decision("tool_misuse", step_n=2, note="zzfirstzz"))
        drawn, _ = draw_again(store, taxonomy, desk.annotator, 1, 5, seed="s", now=now(), new_id=new_id)
        drawn.keep(store)

    def session() -> ReviewSession:
        return ReviewSession(context.desk(context.open_store(), "ana", AGAIN + 1, origin="tui"), blind=True)

    opening: Opening[Any] = Opening.of(session, context.open_reading, taxonomy)
    async with _running(ReviewApp(opening), (160, 50)) as sat:
        assert "1 of 1 (assigned)" in sat.text()
        for word in ("zzfirstzz", "decisive step 2", "tool_misuse (", "again"):
            assert word not in sat.text()
        assert "not labelled yet" in sat.text()
