"""Other runs on the summary page: attempts at the same task, and the runs of sub-agents with their sums.

Counts come from the importer (`TraceInfo`): its errors are the steps that the source flags, fewer than the
facts of a run may find. What a sub-agent wrote stands on the summary page of its own trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewer.counting import count
from reviewer.trace import TraceInfo
from reviewer.tui.sheet import VERDICTS, Sheet
from reviewer.tui.summary_words import ROWS, one_line
from reviewer.tui.widgets.part import Part


def sub_agents_line(children: Sequence[TraceInfo]) -> Iterator[Part]:
    """What all sub-agents did, in one line."""
    if children:
        bad = sum(child.n_errors for child in children)
        line = f"{count(len(children), 'sub-agent')}: {_sum(children)} (S goes into one)"
        yield Part(line, "error" if bad else "text")


def child_parts(children: Sequence[TraceInfo], task: str = "") -> Iterator[Part]:
    """The runs of sub-agents, a line each: with its task, unless that is the `task` of the whole run."""
    if not children:
        return
    yield Part(
        f"runs of sub-agents: {len(children)} (S goes into one; errors are steps that the source flags)",
        "title",
        head=True,
    )
    for child in children[:ROWS]:
        same = bool(task) and child.task == task
        what = f"ended {child.ended} · the same task" if same else child.task
        line = one_line(f"  {child.trace_id[:11]} · {_sum([child])} · {what}")
        yield Part(line, "error" if child.n_errors else "text", hang=4)
    if rest := children[ROWS:]:
        yield Part(f"  … and {len(rest):,} more: {_sum(rest)}", "fold")


def _sum(runs: Sequence[TraceInfo]) -> str:
    steps, calls = sum(run.n_steps for run in runs), sum(run.n_tool_calls for run in runs)
    errors = count(sum(run.n_errors for run in runs), "error")
    return f"{count(steps, 'step')}, {count(calls, 'call')}, {errors}"


def sibling_parts(sheet: Sheet) -> Iterator[Part]:
    """Other attempts at this task."""
    siblings = sheet.view.siblings
    if siblings:
        yield Part(
            f"other attempts at this task: {len(siblings)} (B shows one beside this)", "title", head=True
        )
    for other, passed in siblings[:ROWS]:
        attempt = "" if other.attempt is None else f" · attempt {other.attempt}"
        words = f"{VERDICTS[passed]} · ended {other.ended} · {count(other.n_steps, 'step')}"
        yield Part(f"  {other.trace_id[:11]} · {other.model or 'model unknown'}{attempt} · {words}", hang=4)
    if len(siblings) > ROWS:
        yield Part(f"  … and {len(siblings) - ROWS:,} more", "fold")
