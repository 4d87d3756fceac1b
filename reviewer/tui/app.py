"""The Textual app: lanes, signals and the burst gate. What is shown and decided is in the screens."""

from __future__ import annotations

import asyncio
import gc
import signal
from collections import deque
from collections.abc import Callable, Iterable

from textual import events
from textual.app import App, SystemCommand
from textual.screen import Screen

from reviewer.errors import ReviewerError
from reviewer.session import Reading, ReviewSession
from reviewer.taxonomy import Taxonomy
from reviewer.tui import keys
from reviewer.tui.lane import Lane
from reviewer.tui.screens.review import ReviewScreen

# More keys than a hand can press: pasted text without bracketed paste, or a cat on the keyboard.
BURST_KEYS = 10
BURST_SECONDS = 0.05
QUIET_SECONDS = 0.4


class ReviewApp(App[None]):
    """Labelling traces."""

    TITLE = "reviewer"
    CSS_PATH = "screens/review.tcss"  # the default screen is not asked for its own
    ENABLE_COMMAND_PALETTE = True

    def __init__(self, desk: Lane[ReviewSession], reader: Lane[Reading], taxonomy: Taxonomy) -> None:
        super().__init__()
        self.desk = desk
        self.reader = reader
        self.taxonomy = taxonomy
        self.drafts: dict[str, str] = {}
        self.failure: ReviewerError | None = None
        self.animation_level = "none"  # an animated scroll costs frames and layout passes
        self._keys: deque[float] = deque(maxlen=BURST_KEYS + 1)
        self._burst_until = 0.0

    def get_default_screen(self) -> Screen[None]:
        return ReviewScreen(self.desk, self.reader, self.taxonomy)

    def fail(self, error: ReviewerError) -> None:
        """Leave because of an error of ours; whoever runs the app says it."""
        self.failure = error
        self.exit(return_code=1)

    # -- keys that come too fast ---------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key):
            self._keys.append(event.time)
            full = len(self._keys) == self._keys.maxlen
            if (full and event.time - self._keys[0] < BURST_SECONDS) or event.time < self._burst_until:
                self._burst_until = event.time + QUIET_SECONDS
        await super().on_event(event)

    @property
    def burst(self) -> bool:
        """Whether the keys of this moment come faster than a person types."""
        return bool(self._keys) and self._keys[-1] < self._burst_until

    async def action_quit(self) -> None:
        if not self.burst:
            self.exit()

    # -- a life in a terminal ------------------------------------------------------------------

    def on_ready(self) -> None:
        gc.freeze()
        gc.enable()

    def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, self._end, number)

    def _end(self, number: int) -> None:
        self.exit(return_code=128 + number)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: every key of the screen by its sentence, then Textual's own (themes …)."""
        if isinstance(screen, ReviewScreen):
            for binding in keys.REVIEW:
                title = f"{str(binding.id).replace('.', ' ')} ({keys.names(binding)})"
                yield SystemCommand(title, binding.tooltip, self._doing(screen, binding.action))
        yield from super().get_system_commands(screen)

    def _doing(self, screen: ReviewScreen, action: str) -> Callable[[], None]:
        def do() -> None:
            self.call_later(screen.run_action, action)

        return do
