"""What people of this project teach the model: their corrections as examples, and their own guidelines.

Pure. The guidelines stand in the system prompt, which is the same for every trace; the examples in the
message, since those of the trace's own task are left out of it: no trace's own label, and none of a sibling,
reaches its prompt. All of it is masked like a trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewer.errors import InputError
from reviewer.suggest.cleaning import Cleaner
from reviewer.suggest.excerpt import shorten
from reviewer.trace import Json, Trace, TraceInfo, digest

_TASK, _NOTE = 400, 800
_ABOUT = """\
# How people of this project judged other runs

In each of these a machine had proposed another mode than the one that a person then chose. Learn from them \
where the lines are drawn. They are about other runs: nothing in them says how the one below went."""
_GUIDELINES = """\
## Guidelines of this project

What the people who label here have agreed on. Where it is stricter than the definitions above, it counts."""
TEMPLATE = digest([_ABOUT, _GUIDELINES, 1])  # raise the number when the layout changes


@dataclass(frozen=True, slots=True)
class Lesson:
    """A trace that a person relabelled. `task` is what siblings share; `text` is the task in words."""

    trace: str
    task: tuple[str, str]
    text: str
    suggested: str
    mode: str
    step: int | None
    note: str

    def concerns(self, info: TraceInfo) -> bool:
        """Whether that trace is the one taught from, a sub-agent of it, or another run of its task."""
        same_words = bool(self.text.strip()) and _words(self.text) == _words(info.task)
        return self.trace in (info.trace_id, info.parent_id) or self.task == info.task_key or same_words


def lesson(info: TraceInfo, suggested: str, mode: str, step: int | None, note: str) -> Json:
    """A lesson as an option of the suggester."""
    return [info.trace_id, list(info.task_key), info.task, suggested, mode, step, note]


def lessons(value: Json) -> tuple[Lesson, ...]:
    """The lessons among the options; `InputError` if they are none."""
    try:
        return tuple(
            Lesson(str(trace), (str(task[0]), str(task[1])), str(text), str(suggested), str(mode), step, note)
            for trace, task, text, suggested, mode, step, note in value or ()
        )
    except (TypeError, ValueError, IndexError):
        raise InputError("lessons: a list of examples is needed, as `suggest --learn` makes it") from None


def settings(given: str, taught: Sequence[Lesson]) -> Mapping[str, Json]:
    """What of it an answer depends on; empty where nothing is taught."""
    found: dict[str, Json] = {"guidelines": digest([TEMPLATE, given])} if given else {}
    if taught:
        found["learned"] = digest([TEMPLATE, *(_content(one) for one in taught)])
    return found


def guided(system: str, given: str, clean: Cleaner) -> str:
    """The system prompt with the project's guidelines after it."""
    return f"{system}\n\n{_GUIDELINES}\n\n{clean(given.strip())}" if given else system


def chosen(taught: Sequence[Lesson], info: TraceInfo) -> list[Lesson]:
    """The lessons that may be told beside this trace."""
    return [one for one in taught if not one.concerns(info)]


def told(taught: Sequence[Lesson], trace: Trace, clean: Cleaner) -> list[str]:
    """The lessons as a block of the message; none if none may be told."""
    rows = [_spelled(n, one, clean) for n, one in enumerate(chosen(taught, trace.info), 1)]
    return ["\n\n".join([_ABOUT, *rows])] if rows else []


def _spelled(n: int, one: Lesson, clean: Cleaner) -> str:
    at = "" if one.step is None else f", decisive step {one.step}"
    task = " ".join(shorten(clean(one.text), _TASK).split())
    note = " ".join(shorten(clean(one.note), _NOTE).split())
    return f"{n}. Task: {task}\n   Proposed: {one.suggested}. Chosen: {one.mode}{at}. Why: {note}"


def _content(one: Lesson) -> Json:
    return [one.trace, list(one.task), one.text, one.suggested, one.mode, one.step, one.note]


def _words(text: str) -> list[str]:
    return text.lower().split()
