"""What a key costs in the step list and the step body, small against huge. Run it by hand:

    python -m tests.benchmarks.bench_widgets

Prints CPU milliseconds per act, frame included; within one table the rows should be alike.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Callable

from textual.pilot import Pilot

from reviewer.trace import Result, Step
from reviewer.tui.widgets.body import BodyDocument
from tests.tui.widget_app import WidgetApp

ROUNDS = 40


async def cost(pilot: Pilot[None], act: Callable[[int], object]) -> float:
    """Median CPU milliseconds of `act(0)`, `act(1)` … up to the frame."""
    times = []
    for number in range(ROUNDS):
        start = time.process_time()
        act(number)
        await pilot.pause()
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times)


async def step_list(total: int) -> None:
    app = WidgetApp("a step of the agent", total=total)
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause(0.2)
        near = await cost(pilot, lambda _: app.steps.go(app.steps.cursor + 1))
        far = await cost(pilot, lambda number: app.steps.go(number * 7919 % total))
        print(f"list {total:>9,} rows: next {near:5.1f}  jump {far:5.1f}")


async def step_body(name: str, text: str) -> None:
    app = WidgetApp("x")
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause(0.2)
        step = Step(1, "agent", results=(Result(text),))
        show = await cost(pilot, lambda _: app.body.show_body(BodyDocument.of(step)))
        app.body.fold_all(False)
        start = time.process_time()
        while app.body.body is not None and app.body.body.more():
            await pilot.pause()
        index = time.process_time() - start
        app.body.redraw()
        scroll = await cost(pilot, lambda number: app.body.scroll_rows(1 if number % 2 else -1))
        end = await cost(pilot, lambda number: app.body.go_end() if number % 2 else app.body.go_home())
        print(
            f"body {name:>14}: show {show:5.1f}  scroll {scroll:5.1f}  ends {end:5.1f}  index {index:5.2f} s"
        )


async def main() -> None:
    for total in (100, 10_000, 100_000):
        await step_list(total)
    await step_body("2 KB", ("x" * 60 + "\n") * 33)
    await step_body("20 MB", ("x" * 99 + "\n") * 200_000)
    await step_body("1 M lines", "a line of output, more or less\n" * 1_000_000)
    await step_body("one 5 MB line", "word " * 1_000_000)


if __name__ == "__main__":
    asyncio.run(main())
