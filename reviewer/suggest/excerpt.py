"""A trace as text within a budget: what a judge gets to read. Pure; knows no model and no prompt.

Every step gets at least a line. Long texts are shown by head and tail, secrets are masked, encoded data
is replaced by its size, and whatever was left out is counted in `omitted`. When even the lines do not
fit, a run of steps in the middle is folded, and that is said as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviewer.counting import count
from reviewer.facts.texts import orphans, pairs
from reviewer.suggest.cleaning import FLOOR, Cleaner, window
from reviewer.trace import Json, Result, Step, Trace

BUDGET = 150_000  # characters; some 60,000 tokens at 2.5 characters each
MARKER = 48  # what the marker of a text costs beside its label
_LINE, _SHORT_LINE = 160, 48
_TOLD = ("call", "message", "reasoning", "result")  # what of a step its line is taken from
_FIRST_TEXT = re.compile(r'\{"[^"\\]{1,60}": "(?=[^"])')
_FIRST, _LAST = 2, 8  # steps that are shown with their texts even where most are lines
_WEIGHTS: Mapping[str, float] = {"task": 4, "message": 2, "call": 1.5}


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a step (0: the task). `label` is ours and safe to stand in a marker; `text` is foreign."""

    step: int
    label: str
    text: str
    kind: str = "line"

    @property
    def cost(self) -> int:
        return MARKER + len(self.label) + len(self.text)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of a trace, what is not, and how many secrets of each kind were masked."""

    parts: tuple[Part, ...]
    omitted: str = ""
    masked: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Everything foreign in it, for looking things up."""
        return "\n".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Fitted:
    """Parts that fit a budget. `measure`: what texts were cut to; None: none was, 0: steps became lines."""

    parts: tuple[Part, ...]
    measure: int | None = None
    lines: int = 0
    folded: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A trace taken apart into clean texts, none of them cut yet but the middle of huge ones."""

    task: list[Part]  # empty where a first step says it
    steps: Sequence[Step]
    parts: list[list[Part]]
    clean: Cleaner

    def fitted(self, budget: int, first: int = 0, last: int | None = None) -> Fitted:
        """The steps from index `first` up to `last` within the budget; the task with the first of them."""
        task = [] if first else self.task
        return _fit(task, self.steps[first:last], self.parts[first:last], budget)

    def left_out(self, *shown: Fitted) -> str:
        """What none of these shows, in words for people."""
        return "; ".join(_notes(self, shown))


def laid(trace: Trace, *, budget: int, personal: bool = False) -> Laid:
    """The texts of a trace; of huge ones as much as a view of `budget` characters may need."""
    raw = [list(_raw(step)) for step in trace.steps]
    texts = [text for own in raw for one in own for text in (one.text, one.name)]
    clean = Cleaner(window(trace, budget), personal, [trace.info.task, *texts])
    task = [Part(0, "task", clean(trace.info.task), "task")] if _unsaid(trace) else []
    return Laid(task, trace.steps, [[one.part(clean) for one in own] for own in raw], clean)


def excerpt(trace: Trace, *, budget: int = BUDGET, personal: bool = False) -> Excerpt:
    """The trace in at most about `budget` characters; `personal` masks e-mail addresses and the like."""
    whole = laid(trace, budget=budget, personal=personal)
    shown = whole.fitted(budget)
    return Excerpt(shown.parts, whole.left_out(shown), dict(whole.clean.masked))


def shorten(text: str, size: int) -> str:
    """Head and tail of a text in about `size` characters, with what is missing counted between them."""
    if len(text) <= size:
        return text
    head = size * 2 // 5
    tail = size - head
    return f"{text[:head]}\n[… {len(text) - size:,} characters left out …]\n{text[-tail:]}"


def _unsaid(trace: Trace) -> bool:
    """Whether the task stands in none of the first steps, so that it must be shown by itself."""
    task = trace.info.task.strip()
    return bool(task) and not any(task in step.message for step in trace.steps[:4])


@dataclass(frozen=True, slots=True)
class _Raw:
    """A text of a step as it stands; `name` is that of a tool and belongs to the label."""

    n: int
    label: str
    text: str
    kind: str
    name: str = ""

    def part(self, clean: Callable[[str], str]) -> Part:
        label = f"call {_name(clean(self.name))}" if self.kind == "call" else self.label
        return Part(self.n, label, clean(self.text), self.kind)


def _raw(step: Step) -> Iterator[_Raw]:
    """Every text of a step in order; a step without any still has one, so that it has its line."""
    who = f"{step.source}, {step.kind}" if step.kind else step.source
    if step.reasoning:
        yield _Raw(step.n, f"{who}, reasoning", step.reasoning, "reasoning")
    if step.message:
        fault = ", provider error" if step.fault else ""
        yield _Raw(step.n, f"{who}, message{fault}", step.message, "message")
    for call, result in pairs(step):
        yield _Raw(step.n, "call", _spelled(call.arguments), "call", call.name)
        if result is not None:
            yield _result(step, result)
    yield from (_result(step, result) for result in orphans(step))
    if not (step.reasoning or step.message or step.calls or step.results):
        yield _Raw(step.n, f"{who}, {'provider error' if step.fault else 'nothing'}", "", "message")


def _result(step: Step, result: Result) -> _Raw:
    flags = [", error"] if result.error else []
    flags += [", denied by a person"] if result.denied else []
    flags += [f", exit code {result.exit_code}"] if result.exit_code is not None else []
    return _Raw(step.n, "result" + "".join(flags), result.content, "result")


def _name(name: str) -> str:
    """The name of a tool for a marker: only signs that cannot end one."""
    return re.sub(r"[^\w.:/-]", "_", name[:60], flags=re.ASCII) or "unnamed"


def _spelled(arguments: Json) -> str:
    """Arguments to read: a text as it is, else JSON."""
    if arguments is None or isinstance(arguments, str):
        return arguments or ""
    try:
        return json.dumps(arguments, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return "[arguments that cannot be written as JSON]"


def _fit(
    task: list[Part],
    steps: Sequence[Step],
    parts: Sequence[list[Part]],
    budget: int,
) -> Fitted:
    """The parts within the budget, the longest texts cut first, then steps as lines."""
    flat = [*task, *(part for own in parts for part in own)]
    scaled = _scaled(flat, budget)
    if scaled is not None:
        return Fitted(*scaled)
    count = len(steps)
    ends = {*range(min(_FIRST, count)), *range(max(0, count - _LAST), count)}
    wrong = [i for i in range(count) if steps[i].error and i not in ends]
    for width in (_LINE, _SHORT_LINE):
        lines = [_line(step, own, width) for step, own in zip(steps, parts, strict=True)]
        for kept in (ends | set(wrong), ends | set(wrong[-20:]), ends):
            fixed = sum(lines[i].cost for i in range(count) if i not in kept)
            full = _scaled([*task, *(part for i in sorted(kept) for part in parts[i])], budget - fixed)
            if full is not None:
                return Fitted(_merged(full[0], lines, kept), 0, count - len(kept))
    return _folded(task, lines, budget)


def _scaled(parts: Sequence[Part], budget: int) -> tuple[tuple[Part, ...], int | None] | None:
    """Each part cut to the same measure (weighted by its kind), the largest that fits; None if none does."""

    def cut(measure: int) -> int:
        return sum(min(part.cost, MARKER + len(part.label) + _size(part, measure)) for part in parts)

    if sum(part.cost for part in parts) <= budget:
        return tuple(parts), None
    low, high = FLOOR, max(budget, FLOOR)
    if cut(low) > budget:
        return None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cut(middle) <= budget else (low, middle - 1)
    return tuple(replace(part, text=shorten(part.text, _size(part, low, 0))) for part in parts), low


def _size(part: Part, measure: int, note: int = 48) -> int:
    """Characters for this part at this measure; `note` leaves room for the words that stand at the cut."""
    return int(measure * _WEIGHTS.get(part.kind, 1)) + note


def _line(step: Step, own: Sequence[Part], width: int) -> Part:
    """One line for a step, of what it does before what it says: cut only after secrets were masked."""
    error = ", error" if step.error else ""
    told = sorted(own, key=lambda part: _TOLD.index(part.kind))
    said = next((line for part in told if (line := " ".join(_plainly(part)[: 4 * width].split()))), "")
    return Part(step.n, f"{step.source}, as one line{error}", said[:width])


def _plainly(part: Part) -> str:
    """What a call is given, without the signs of JSON around the first text of it."""
    head = _FIRST_TEXT.match(part.text) if part.kind == "call" else None
    return part.text[head.end() :] if head else part.text


def _merged(full: Sequence[Part], lines: Sequence[Part], kept: set[int]) -> tuple[Part, ...]:
    numbers = {lines[i].step for i in kept}
    rest = [line for line in lines if line.step not in numbers]
    # stable: the parts of a step keep their order
    return tuple(sorted([*full, *rest], key=lambda part: part.step))


def _folded(task: Sequence[Part], lines: Sequence[Part], budget: int) -> Fitted:
    """As many lines from both ends as fit, and one that stands for the run between them."""
    head = [replace(part, text=shorten(part.text, max(budget // 4, FLOOR))) for part in task]
    room = budget - sum(part.cost for part in head) - 2 * MARKER
    if len(lines) <= 2 or sum(line.cost for line in lines) <= room:
        return Fitted((*head, *lines), 0, len(lines))
    first, last = 1, 1
    room -= lines[0].cost + lines[-1].cost
    while first + last < len(lines) - 1:
        line = lines[first] if first == last else lines[-1 - last]
        room -= line.cost
        if room < 0:
            break
        first, last = (first + 1, last) if first == last else (first, last + 1)
    keep = first + last
    gap = (lines[first].step, lines[len(lines) - last - 1].step)
    note = Part(gap[0], f"steps {gap[0]} to {gap[1]} are left out", "")
    return Fitted((*head, *lines[:first], note, *lines[len(lines) - last :]), 0, keep, gap)


def _notes(whole: Laid, shown: Sequence[Fitted]) -> Iterator[str]:
    clean = whole.clean
    flat = [*whole.task, *(part for own in whole.parts for part in own)]
    total = sum(len(part.text) for part in flat) + clean.cut
    missing = total - min(total, sum(len(part.text) for one in shown for part in one.parts))
    if missing:
        yield f"{missing:,} of {total:,} characters not shown to the model"
    if lines := sum(one.lines for one in shown):
        yield f"{count(lines, 'step')} shown as one line"
    for one in shown:
        if one.folded:
            yield f"steps {one.folded[0]} to {one.folded[1]} not shown at all"
    if clean.blobs:
        yield f"{count(clean.blobs, 'block')} of unbroken data replaced by the size"
    if clean.masked:
        yield f"{count(sum(clean.masked.values()), 'secret')} masked"
