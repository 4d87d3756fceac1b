"""How long labels took, how much of a trace was opened, and which labels were faster than anybody reads.

The time is what the screen counted on a trace until its first label, in the sitting of that label; the steps
opened are those of the same sitting. What of the time was reading nobody knows, so the words that are held
against it are as few as what decides a label can be: those of the summary page, which every trace opens on,
and of two of the opened steps at most, the shortest of the trace, each a screenful at most. So a label
without an opened step can be too fast as well, and whoever goes through forty steps is not fast for that.
Labels from scripts have no time and are counted apart.

Most adults read English non-fiction silently at 175 to 300 words a minute, 238 on average (Brysbaert 2019,
J Mem Lang 109:104047); above 1,000 nobody takes a text in (Rayner et al. 2016, Psychol Sci Public Interest
17:4-34). Both are about prose: logs and code are scanned, and who knows a trace already need not read it.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewer.label import LabelEvent
from reviewer.store import Store
from reviewer.values import dataclass

MOST_ADULTS, NOBODY = 300, 1000  # words a minute
LETTERS = 6  # characters a word, its space among them
FRAME = 200  # characters of a stored step that are not text of it
SCREENFUL = 200  # words; more of a step is folded or beside the point
PAGE = 50  # words; no summary page of our samples has fewer than 60
DECIDING = 2  # steps; who opens more goes through them


@dataclass(frozen=True, slots=True)
class Paced:
    """One label with a time: seconds, the steps opened of how many, and the fewest words to decide by."""

    event: LabelEvent
    seconds: float
    opened: int
    steps: int
    words: int

    def faster_than(self, words_a_minute: int) -> bool:
        return self.words > words_a_minute * self.seconds / 60


def paced(store: Store, firsts: Sequence[LabelEvent]) -> list[Paced]:
    """The labels among `firsts` that have a time, and whose trace is here."""
    sizes: dict[str, list[int]] = {}
    found = []
    for event in firsts:
        if event.seconds is None or event.seconds < 0 or event.steps_opened is None:
            continue
        if event.trace_id not in sizes:
            info = store.traces.find(event.trace_id)
            rows = store.traces.outline(event.trace_id) if info is not None else []
            sizes[event.trace_id] = sorted(map(words_of, (row.size for row in rows)))
        words = sizes[event.trace_id]
        if words:
            opened = min(event.steps_opened, len(words))
            least = PAGE + sum(words[: min(opened, DECIDING)])
            found.append(Paced(event, event.seconds, opened, len(words), least))
    return found


def words_of(size: int) -> int:
    """The fewest words that a step of so many stored characters is read as."""
    return min(SCREENFUL, max(0, size - FRAME) // LETTERS)
