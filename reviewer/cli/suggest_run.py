"""Runs a suggester over traces of a store: saves, adds up, tells, and stops in good order at Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

from reviewer.cli import out
from reviewer.cli.context import new_id, now
from reviewer.counting import count
from reviewer.errors import SuggesterStopped
from reviewer.label import Suggestion
from reviewer.store import Store
from reviewer.suggest.base import Closing, Several, Suggester
from reviewer.suggest.runner import run
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace, plain


@dataclass(slots=True)
class Tally:
    """Saves suggestions as they come, tells of each where `total` is given, and adds up what they cost."""

    store: Store
    total: int = 0
    spent: Callable[[], float] | None = None  # where what was paid is more than what is saved
    unpriced: bool = False  # an answer came whose price nobody knows
    counts: Counter[str] = field(default_factory=Counter)
    cost: float = 0.0
    masked: int = 0
    waiting: int = 0
    why: str = ""  # the first reason of one that failed
    started: float = field(default_factory=time.monotonic)

    def save(self, *suggestions: Suggestion) -> None:
        self.store.suggestions.save(*suggestions)
        for one in suggestions:
            self.counts[one.status] += 1
            self.why = self.why or (one.reason if one.status == "failed" else "")
            self.cost += one.cost or 0.0
            self.unpriced |= one.cost is None and one.status != "failed"  # which brought no answer
            self.masked += sum((one.usage.get("masked") or {}).values())
            if self.total:
                out.say(self._line(one))

    def known(self, request: str) -> bool:
        """Whether this was answered, or its answer is on the way."""
        if self.store.suggestions.answered(request):
            return True
        waiting = self.store.batches.waiting(request)
        self.waiting += waiting
        return waiting

    def paid(self) -> float:
        return self.spent() if self.spent is not None else self.cost

    @property
    def status(self) -> int:
        """The exit status: 1 where everything that was asked about failed."""
        return int(0 < self.counts.total() == self.counts["failed"])

    def found(self) -> dict[str, Json]:
        return {"cost": None if self.unpriced else round(self.paid(), 6), "masked": self.masked}

    def money(self) -> str:
        """What was spent, in words: no sum where nobody knows it."""
        if not self.unpriced:
            return f"{out.dollars(self.paid())} spent"
        known = f"{out.dollars(self.paid())} spent and more without a known price"
        return known if self.paid() else "no price known"

    def _line(self, one: Suggestion) -> str:
        done = self.counts.total()
        said = one.mode if one.status == "ok" else f"{one.status}: {one.reason}"
        noted = f" ({one.omitted})" if one.omitted else ""  # also that a trace addresses its judge
        seconds = (time.monotonic() - self.started) / done * max(0, self.total - done)
        left = f", {int(seconds) // 60}:{int(seconds) % 60:02} left" if done < self.total else ""
        about = f"{done}/{self.total} {one.trace_id[:11]} {said}{quotes(one)}{noted}"
        return f"{' '.join(about.split())} · {self.money()}{left}"  # one line, whatever a server says


def in_words(counts: Iterable[tuple[str, int]]) -> str:
    """`111 abstained, 23 suggested`."""
    return ", ".join(f"{n} {'suggested' if status == 'ok' else status}" for status, n in counts)


def quotes(one: Suggestion) -> str:
    """`, 2 of 3 quotes found`: how much of the evidence stands in the trace."""
    if one.status != "ok":
        return ""
    told = [item for item in one.evidence if item.telling or not item.verified]
    found = sum(item.verified for item in told)
    return f", {found} of {count(len(told), 'quote')} found" if told else ", no quotes"


def read(store: Store, wanted: Iterable[str]) -> Iterator[tuple[Trace, Sequence[Outcome]]]:
    """The traces with their outcomes, one at a time: what another judge thinks is not for a suggester."""
    for trace_id in wanted:
        yield store.traces.trace(trace_id), plain(store.outcomes.of(trace_id))


def suggest(store: Store, chosen: Suggester, taxonomy: Taxonomy, wanted: Sequence[str], tally: Tally) -> None:
    """Suggestions for the traces, saved as they come; `SuggesterStopped` says how many are kept."""
    store.settings.keep_taxonomy(taxonomy, now=now())
    try:
        if isinstance(chosen, Several):
            counts = _several(store, chosen, taxonomy, wanted, tally)
        else:
            traces = read(store, wanted)
            counts = run(traces, chosen, taxonomy, tally.save, now=now, new_id=new_id, known=tally.known)
        tally.counts["known"] = counts["known"]
        tally.counts += Counter()  # drops what is zero
    except SuggesterStopped as error:
        kept = tally.counts.total() - tally.counts["failed"]
        told = count(kept, "answer", "before it is kept", "before it are kept")
        raise SuggesterStopped(f"stopped: {error} ({told})") from None
    finally:
        if isinstance(chosen, Closing):
            chosen.close()


def _several(
    store: Store, chosen: Several, taxonomy: Taxonomy, wanted: Sequence[str], tally: Tally
) -> Counter[str]:
    from reviewer.suggest.many import Shelf, Working, run_many

    batches = store.batches
    with interrupts(chosen.interrupt) as interrupted:
        shelf = Shelf(
            save=lambda got: tally.save(*got),
            keep=lambda key, value: batches.keep(key, value, now=now()),
            kept=batches.kept,
            known=tally.known,
            interrupted=interrupted,
            tell=out.say,
        )
        who = cast(Working, chosen)
        return run_many(read(store, wanted), who, taxonomy, shelf, now=now, new_id=new_id)


@contextmanager
def interrupts(wake: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """While this lasts, a first Ctrl-C is only noted, and `wake` called; a second one interrupts as usual."""
    hits = 0

    def noted(*_: object) -> None:
        nonlocal hits
        hits += 1
        if hits > 1:
            raise KeyboardInterrupt
        wake()

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    usual = signal.signal(signal.SIGINT, noted)
    try:
        yield lambda: hits > 0
    finally:
        signal.signal(signal.SIGINT, usual)
