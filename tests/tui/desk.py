"""A review app over a store of its own, as the command line makes it, for tests in process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from reviewer.cli.context import Context, new_id, now
from reviewer.cli.intake import import_paths
from reviewer.session import AdjudicationSession, ReviewSession
from reviewer.store import Store
from reviewer.suggest import suggester
from reviewer.suggest.runner import run
from reviewer.taxonomy import Taxonomy
from reviewer.tui.app import AdjudicationApp, DeskApp, ReviewApp
from reviewer.tui.opening import Opening
from reviewer.tui.screens.reading import ReadingScreen


@dataclass
class Sitting:
    """A running app and the hands on its keys."""

    app: DeskApp
    pilot: Pilot[None]

    @property
    def screen(self) -> ReadingScreen:
        screen = self.app.screen
        assert isinstance(screen, ReadingScreen)
        return screen

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def settle(self) -> None:
        """Until every key has been handed on, the lanes have answered and the answer is painted."""
        while self.app._waiting or self.app._under_way:  # at most as long as `PATIENCE` for each key
            await asyncio.sleep(0.01)
        for _ in range(3):
            await self.app.workers.wait_for_complete()
            for lane in (self.app.opening.desk, self.app.opening.reader, self.app.opening.thinker):
                await lane.ask(lambda owned: None)
            await self.pilot.pause()
        await asyncio.sleep(0)

    async def until(self, words: str) -> None:
        """Until these words stand there: what is reckoned beside the screen takes time on a busy machine."""
        for _ in range(100):
            if words in self.text():
                return
            await self.settle()
            await asyncio.sleep(0.05)
        raise AssertionError(f"no {words!r} in {self.text()}")

    def text(self) -> str:
        """Everything that is on the screen, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def fill(path: Path, *sources: Path) -> None:
    """A store with the traces of `sources` and what `rules` suggest for them."""
    with Store.open(path, create=True) as store:
        import_paths(store, [str(source) for source in sources], None)
        taxonomy = Context(None, None).load_taxonomy(store)
        wanted = store.suggestions.lacking("rules", taxonomy.hash)
        traces = [(store.traces.trace(id), store.outcomes.of(id)) for id in wanted]
        run(traces, suggester("rules"), taxonomy, store.suggestions.save, now=now, new_id=new_id)


@asynccontextmanager
async def sitting(
    path: Path, *, name: str = "ana", blind: bool = True, size: tuple[int, int] = (100, 30)
) -> AsyncIterator[Sitting]:
    """The review screen of `name` over the store at `path`."""
    context = Context(str(path), None)

    def session() -> ReviewSession:
        return ReviewSession(context.desk(context.open_store(), name, None, origin="tui"), blind=blind)

    opening: Opening[Any] = Opening.of(session, context.open_reading, _taxonomy(context))
    async with _running(ReviewApp(opening), size) as sat:
        yield sat


@asynccontextmanager
async def adjudicating(
    path: Path, *, name: str = "lea", size: tuple[int, int] = (130, 40)
) -> AsyncIterator[Sitting]:
    """The adjudication screen of `name` over the store at `path`."""
    context = Context(str(path), None)

    def session() -> AdjudicationSession:
        return AdjudicationSession(context.desk(context.open_store(), name, None, origin="tui"))

    opening: Opening[Any] = Opening.of(session, context.open_reading, _taxonomy(context))
    async with _running(AdjudicationApp(opening), size) as sat:
        yield sat


def _taxonomy(context: Context) -> Taxonomy:
    with context.open_store() as store:
        return context.load_taxonomy(store)


@asynccontextmanager
async def _running(app: DeskApp, size: tuple[int, int]) -> AsyncIterator[Sitting]:
    try:
        async with app.run_test(size=size, notifications=True) as pilot:
            sat = Sitting(app, pilot)
            await sat.settle()
            yield sat
    finally:
        app.opening.close()
