"""The summary page (step 0) as parts: how the run ended, what the benchmark said, what can be computed.

States facts, gives no verdict. Knows no widget; texts are raw, whoever draws them makes them inert.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from reviewer.trace import Json, Outcome
from reviewer.tui.sheet import VERDICTS, Sheet
from reviewer.tui.widgets.parts import Part
from reviewer.tui.widgets.pretty import pretty

if TYPE_CHECKING:
    from reviewer.facts import Facts

_ROWS = 12
_BRIEF = 400  # characters of the task that stand at the top


def summary_parts(sheet: Sheet) -> list[Part]:
    """Everything of the page, in the order in which it decides most."""
    info = sheet.view.info
    parts = [
        Part(
            f"summary · {info.task_id or info.trace_id} · {info.model or 'model unknown'}",
            "header",
            head=True,
        )
    ]
    parts += _ending(sheet)
    parts += _task(info.task)
    if sheet.facts is None:
        parts.append(Part("facts: reading the whole trace …", "title", head=True))
    else:
        parts += _facts(sheet.facts)
    for outcome in sheet.view.outcomes:  # what fails in it stands above already
        parts += _outcome(outcome)
    if len(info.task) > _BRIEF:
        parts += [Part("the whole task", "title", head=True), Part(info.task, foldable=True)]
    parts += _rest(sheet)
    return parts


def _task(task: str) -> Iterator[Part]:
    """What was wanted, in a few lines; the whole of it stands further down."""
    more = " … (the whole task stands below)" if len(task) > _BRIEF else ""
    yield Part("task", "title", head=True)
    yield Part((task[:_BRIEF] or "(the file names none)") + more)


def _ending(sheet: Sheet) -> Iterator[Part]:
    info, view = sheet.view.info, sheet.view
    scores = [f"score {o.score:g}" for o in view.outcomes if o.score is not None]
    words = [f"ended: {info.ended}", VERDICTS[view.passed], *scores]
    verdicts = {outcome.passed for outcome in view.outcomes if outcome.passed is not None}
    if len(verdicts) > 1:
        words.append("two graders differ")
    yield Part(" · ".join(words), "error" if view.passed is False else "text")


def _outcome(outcome: Outcome) -> Iterator[Part]:
    if outcome.detail is not None:
        yield Part(f"grader's detail ({outcome.origin})", "title", head=True)
        yield Part(_text(outcome.detail), "json", foldable=True)


def _text(value: Json) -> str:
    return value if isinstance(value, str) else pretty(value)


def _facts(facts: Facts) -> Iterator[Part]:
    if facts.grader_failures:
        yield Part("failed checks of the grader", "title", head=True)
        yield Part("\n".join(facts.grader_failures), "error", foldable=True)
    for state in facts.states:
        yield Part(f"expected against final state ({state.origin})", "title", head=True)
        if state.same:
            yield Part("they are equal")
        for one in state.differences:
            line = f"{one.path}: {one.kind}; expected {pretty(one.expected)}, final {pretty(one.actual)}"
            yield Part(line, "error", foldable=True)
        if state.left_out:
            yield Part(f"… and {state.left_out:,} more differences", "fold")
    if facts.claim is not None:
        yield Part(f"final claim (step {facts.claim.step}, verbatim)", "title", head=True)
        yield Part(facts.claim.quote, "text", foldable=True)
    yield Part("facts", "title", head=True)
    yield from _lines(facts)


def _lines(facts: Facts) -> Iterator[Part]:
    write = facts.last_write
    if write is None:
        yield Part("no write recognised")
    else:
        yield Part(f"last write: step {write.step}, {write.tool} {write.target or write.call}"[:300])
    checks = facts.checks_after
    for check in checks[:_ROWS]:
        vacuous = " (checked nothing)" if check.state == "vacuous" else ""
        style = "error" if check.state == "failed" else "text"
        yield Part(f"check after it: step {check.step}, {check.state}{vacuous}: {check.call}"[:300], style)
    if len(checks) > _ROWS:
        yield Part(f"… and {len(checks) - _ROWS:,} more checks (c goes to them)", "fold")
    if not checks:
        yield Part("no check recognised after the last write" if write else "no check recognised")
    errors = facts.unrecovered
    said = f"errors, by flag or by words: {len(facts.errors)}, of them not put right: {len(errors)}"
    yield Part(said, "error" if errors else "text")
    for error in errors[:_ROWS]:
        yield Part(f"  step {error.step}, {error.kind}: {error.quote}"[:300])
    if len(errors) > _ROWS:
        yield Part(f"  … and {len(errors) - _ROWS:,} more (e goes to them)", "fold")
    yield from _habits(facts)


def _habits(facts: Facts) -> Iterator[Part]:
    for repeat in facts.repeats[:_ROWS]:
        yield Part(f"same call {len(repeat.steps)} times: steps {_some(repeat.steps)}: {repeat.call}"[:300])
    if len(facts.repeats) > _ROWS:
        yield Part(f"… and {len(facts.repeats) - _ROWS:,} more repeated calls", "fold")
    if facts.unanswered:
        yield Part(f"calls without a result: steps {_some(facts.unanswered)}", "error")
    if facts.compactions:
        yield Part(f"compactions: steps {_some(facts.compactions)}")
    if facts.user_turns:
        yield Part(f"further user turns: steps {_some(tuple(turn.step for turn in facts.user_turns))}")
    if facts.changed:
        paths = [f"{one.path}{' (removed)' if one.removed else ''}" for one in facts.changed]
        yield Part("written to:\n" + "\n".join(f"  {path}" for path in paths), foldable=True)


def _some(steps: tuple[int, ...]) -> str:
    shown = ", ".join(str(step) for step in steps[:8])
    return shown if len(steps) <= 8 else f"{shown} and {len(steps) - 8} more"


def _rest(sheet: Sheet) -> Iterator[Part]:
    info, view = sheet.view.info, sheet.view
    yield Part("counts", "title", head=True)
    counts = {"steps": info.n_steps, "messages": info.n_messages, "calls": info.n_tool_calls}
    counts["steps that the source flags as errors"] = info.n_errors
    yield Part(", ".join(f"{count:,} {what}" for what, count in counts.items()))
    spent = [
        *([f"{info.tokens_in:,} tokens in"] if info.tokens_in is not None else []),
        *([f"{info.tokens_out:,} tokens out"] if info.tokens_out is not None else []),
        *([f"${info.cost:.4f}"] if info.cost is not None else []),
        *([f"{info.seconds:,.0f} s"] if info.seconds is not None else []),
        *([f"started {info.started}"] if info.started else []),
    ]
    if spent:
        yield Part(", ".join(spent))
    for other, passed in view.siblings[:_ROWS]:
        attempt = "" if other.attempt is None else f" attempt {other.attempt}"
        ending = f"ended {other.ended}, {VERDICTS[passed]}"
        yield Part(f"same task: {other.trace_id[:11]} {other.model}{attempt}, {ending}")
    if len(view.siblings) > _ROWS:
        yield Part(f"… and {len(view.siblings) - _ROWS:,} more attempts at this task", "fold")
    for child in view.children:
        yield Part(f"sub-agent run: {child.trace_id[:11]}, {child.n_steps} steps: {child.task[:120]}")
    yield Part("where it comes from", "title", head=True)
    yield Part(f"{info.trace_id}\n{info.format}: {info.source_path}")
    if info.meta and view.blind and not view.labels:
        yield Part("further fields of the file: shown after your label; a verdict may be among them")
    elif info.meta:
        yield Part(pretty(dict(info.meta)), "json", foldable=True)
