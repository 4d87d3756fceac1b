"""Runs a suggester that works on several traces at once; everything of the store stays in this thread.

Each answer is handed to `save` as soon as it is there, together with those that came while the last ones
were being written. Knows no store; `runner` does the same for suggesters that do one trace after another.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from reviewer.errors import SuggesterStopped
from reviewer.label import Suggestion
from reviewer.suggest.base import Answer, News, Piece, Proposal, Several, Suggester
from reviewer.suggest.runner import checked, request_hash, suggestion
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace

_AHEAD = 40_000_000  # characters of traces that are held at once
_PROMPT = 0.05  # seconds that an answer may wait while traces are begun
GRACE = 5.0  # seconds that answers under way have to come home after an interruption


class Working(Suggester, Several, Protocol):
    """What `run_many` runs."""


@dataclass(slots=True)
class Shelf:
    """What the runner needs of a store: what is known, and where new things go."""

    save: Callable[[Sequence[Suggestion]], None]
    keep: Callable[[str, Json], None]
    kept: Callable[[str], Mapping[str, Json]] = lambda request: {}
    known: Callable[[str], bool] = lambda request: False
    interrupted: Callable[[], bool] = lambda: False
    tell: Callable[[str], None] = lambda text: None


@dataclass(slots=True)
class _Run:
    suggester: Working
    taxonomy: Taxonomy
    shelf: Shelf
    now: Callable[[], str]
    new_id: Callable[[], str]
    counts: Counter[str] = field(default_factory=Counter)
    under_way: dict[str, Trace] = field(default_factory=dict)
    size: int = 0
    stop: str = ""

    @property
    def full(self) -> bool:
        """Whether enough has been begun that a slow commit stops nobody; less is, where traces are huge."""
        many = len(self.under_way)
        return many >= 8 * self.suggester.width or (many > self.suggester.width and self.size > _AHEAD)

    def begin(self, trace: Trace, outcomes: Sequence[Outcome]) -> None:
        request = request_hash(trace, outcomes, self.suggester, self.taxonomy)
        if request in self.under_way or self.shelf.known(request):
            self.counts["known"] += 1
            return
        self.under_way[request] = trace
        self.size += _size(trace)
        self.suggester.begin(trace, outcomes, self.taxonomy, request, self.shelf.kept(request))

    def take(self, *, wait: float | None) -> bool:
        """Save what has come, waiting so long for the first of it; False: nothing came."""
        news = self.suggester.news(wait)
        if news is None:
            return False
        got: list[Suggestion] = []
        while news is not None:
            made = self._one(news)
            got += [made] if made else []
            news = self.suggester.news(0)
        if got:
            self.shelf.save(got)
            self.counts.update(one.status for one in got)
        return True

    def _one(self, news: News) -> Suggestion | None:
        if isinstance(news, Piece):
            self.shelf.keep(news.key, news.value)
        if not isinstance(news, Answer):
            return None
        trace = self.under_way.pop(news.request)
        self.size -= _size(trace)
        self.stop = self.stop or news.stop
        if news.proposal is None:
            self.counts["left"] += 1
            return None
        proposal: Proposal = checked(news.proposal, self.taxonomy)
        return suggestion(
            proposal,
            trace,
            self.suggester,
            self.taxonomy,
            request=news.request,
            at=self.now(),
            id=self.new_id(),
        )


def _size(trace: Trace) -> int:
    """About how many characters a trace has, by its first steps and its length."""
    sample = trace.steps[:: max(1, len(trace.steps) // 8)]
    some = sum(len(step.message) + sum(len(result.content) for result in step.results) for step in sample)
    return some * len(trace.steps) // max(1, len(sample))


def run_many(
    traces: Iterable[tuple[Trace, Sequence[Outcome]]],
    suggester: Working,
    taxonomy: Taxonomy,
    shelf: Shelf,
    *,
    now: Callable[[], str],
    new_id: Callable[[], str],
    clock: Callable[[], float] = time.monotonic,
) -> Counter[str]:
    """Suggests for each trace; the counts by status, with `known` and, for those it broke off, `left`.

    `SuggesterStopped` when the suggester cannot go on, `KeyboardInterrupt` when the user wants no more;
    whatever has come home by then is saved.
    """
    run = _Run(suggester, taxonomy, shelf, now, new_id)
    taken = clock()
    for trace, outcomes in traces:
        if shelf.interrupted() or not suggester.open:
            break
        run.begin(trace, outcomes)
        if clock() - taken > _PROMPT:  # not after each: a commit takes longer than a trace to begin
            run.take(wait=0)
            taken = clock()
        while run.full and not shelf.interrupted():
            run.take(wait=None)
            taken = clock()
    while run.under_way and not shelf.interrupted():
        run.take(wait=None)
    if shelf.interrupted():
        suggester.halt()
        if run.under_way:
            shelf.tell(f"stopping: up to {GRACE:g} s for what is under way; Ctrl-C again drops it")
        end = clock() + GRACE
        while run.under_way and clock() < end:
            run.take(wait=max(0.0, end - clock()))
        raise KeyboardInterrupt
    if run.stop:
        raise SuggesterStopped(run.stop)
    return run.counts
