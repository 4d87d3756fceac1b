"""A second reader that tries to refute a verdict: fresh, with the same record, and told what to attack.

Its answer is a verdict like any other: the same mode as the one it was
given is agreement, another one refutes it. Which verdict that was is kept in the `usage` of its suggestion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reviewer.label import Suggestion
from reviewer.suggest.claude.claims import TEMPLATE
from reviewer.suggest.claude.client import Client
from reviewer.suggest.claude.options import Options
from reviewer.suggest.claude.plan import draw_tag
from reviewer.suggest.claude.suggester import Claude
from reviewer.trace import Json, Trace

NAME = "claude-judge"


def claim(one: Suggestion) -> Json:
    """A suggestion to be judged, as an option of the judge."""
    quotes = [[item.step_n, item.quote, item.verified, item.shows] for item in one.evidence]
    return [one.id, one.suggester, one.mode, one.step_n, one.rationale, quotes, one.runner_up]


class Judge(Claude):
    """Asks a fresh instance to refute what `chosen.claims` says of a trace."""

    name = NAME
    version = "1"

    def __init__(
        self, chosen: Options, client: Client | None = None, draw: Callable[[], str] = draw_tag
    ) -> None:
        super().__init__(chosen, client, draw)
        self.settings: Mapping[str, Json] = {**self.settings, "judge": TEMPLATE}

    def about(self, trace: Trace) -> Json:
        """Which verdict is judged: another one is another question."""
        return self.options.claims[trace.info.trace_id].id
