"""The summary page (step 0) as parts: how the run ended, what the benchmark said, what can be computed.

States facts, gives no verdict. Lines that name a step lead to it (`Part.target`). Knows no widget; texts are
raw, whoever draws them makes them inert.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from reviewer.counting import count, count_calls
from reviewer.trace import Json, Outcome, TraceInfo, plain
from reviewer.tui.sheet import VERDICTS, Sheet
from reviewer.tui.summary_facts import claim_parts, compared_parts, fact_parts, failed_parts, tool_parts
from reviewer.tui.summary_files import net_parts
from reviewer.tui.summary_runs import child_parts, sibling_parts, sub_agents_line
from reviewer.tui.summary_words import money, span
from reviewer.tui.widgets.part import Part
from reviewer.tui.widgets.pretty import pretty

if TYPE_CHECKING:
    from reviewer.facts import Facts

_BRIEF, _HEAD, _TAIL = 220, 120, 90  # characters of the task that stand at the top: three rows of 80
_FAR = 4 * _BRIEF  # that are looked at for them


def summary_parts(sheet: Sheet) -> list[Part]:
    """Everything of the page, in the order in which it decides most."""
    info, facts = sheet.view.info, sheet.facts
    parts = [*_ending(sheet)]
    parts.append(Part(f"task: {brief(info.task)}"))
    if facts is None:
        parts.append(Part("facts: reading the whole trace …", "title", head=True))
    else:
        alone = not sheet.view.children
        own, way = partial(net_parts, alone=alone), partial(fact_parts, alone=alone)
        for told in (failed_parts, compared_parts, own, claim_parts, way):
            parts += told(facts)
    parts += child_parts(sheet.view.children, info.task)
    parts += sibling_parts(sheet)
    parts += _spent(sheet)
    if len(info.task) > _BRIEF:
        parts += [Part("the whole task", "title", head=True), Part(info.task.strip("\n"), foldable=True)]
    for outcome in sheet.view.outcomes:  # what fails in it stands above already
        parts += _outcome(outcome)
    parts += _origin(sheet)
    return parts


def brief(task: str) -> str:
    """The task in one line, of a long one the beginning and the end: what decides often stands last."""
    if len(task) <= _FAR:
        line = " ".join(task.split())
        if len(line) <= _BRIEF:
            return line or "(the file names none)"
    first, last = " ".join(task[:_FAR].split()), " ".join(task[-_FAR:].split())
    begins = first[: _HEAD + 1].rsplit(" ", 1)[0][:_HEAD]
    ends = last[-_TAIL - 1 :].split(" ", 1)[-1][-_TAIL:]
    return f"{begins} … {ends} (the whole below)"


def _ending(sheet: Sheet) -> Iterator[Part]:
    info, view = sheet.view.info, sheet.view
    graded = plain(view.outcomes)
    scores = [f"score {o.score:g}" for o in graded if o.score is not None]
    words = ["summary", info.model or "model unknown", f"ended: {info.ended}", VERDICTS[view.passed], *scores]
    verdicts = {outcome.passed for outcome in graded if outcome.passed is not None}
    if len(verdicts) > 1:
        words.append("two graders differ")
    words += filter(None, map(opinion_words, view.outcomes))
    line = " · ".join([*words, count(info.n_steps, "step")])
    yield Part(line, "error" if view.passed is False else "header", head=True)
    yield from sub_agents_line(view.children)


def opinion_words(one: Outcome) -> str:
    """What a judge or a person thinks of the run: no outcome, so it is said as theirs."""
    said = [] if one.passed is None else [VERDICTS[one.passed]]
    said += [] if one.score is None else [f"score {one.score:g}"]
    return f"by a {one.said_by}: {', '.join(said)}" if one.said_by and said else ""


def _outcome(outcome: Outcome) -> Iterator[Part]:
    if outcome.detail is not None:
        handed_in = isinstance(outcome.detail, dict) and "prediction" in outcome.detail
        what = f"{outcome.said_by or 'grader'}'s detail"
        what = "what was handed in" if handed_in else what
        yield Part(f"{what} ({outcome.origin})", "title", head=True)
        text = outcome.detail if isinstance(outcome.detail, str) else pretty(outcome.detail)
        yield Part(text, "json", foldable=True, look="json")


def _spent(sheet: Sheet) -> Iterator[Part]:
    info = sheet.view.info
    yield Part("cost, time, tools", "title", head=True)
    spent = [
        *([money(info.cost)] if info.cost is not None else []),
        *([span(info.seconds)] if info.seconds is not None else []),
        *([f"{count(info.tokens_in, 'token')} in"] if info.tokens_in is not None else []),
        *([f"{count(info.tokens_out, 'token')} out"] if info.tokens_out is not None else []),
        *([f"started {info.started}"] if info.started else []),
    ]
    yield Part(", ".join(spent) or "cost and time are not in the file")
    yield Part(counts(info, sheet.facts))
    if sheet.facts is not None:
        yield from tool_parts(sheet.facts)


def counts(info: TraceInfo, facts: Facts | None) -> str:
    """Steps, messages and calls in one line; what the file counts otherwise is told so."""
    calls = info.n_tool_calls if facts is None else sum(used.calls for used in facts.tools)
    told = [count(info.n_steps, "step"), count(info.n_messages, "message")]
    told.append(count_calls(calls, info.n_tool_calls))
    flagged, steps = info.n_errors, len({error.step for error in facts.errors} if facts else ())
    if flagged < steps:
        only = f"errors in {count(flagged, 'step')} only" if flagged else "no error"
        told.append(f"the source itself flags {only}")
    elif flagged > steps:
        told.append(f"{count(flagged, 'step')} that the source flags as an error")
    return ", ".join(told)


def _origin(sheet: Sheet) -> Iterator[Part]:
    info, view = sheet.view.info, sheet.view
    yield Part("where it comes from", "title", head=True)
    yield Part(f"{info.trace_id}\n{info.format}: {info.source_path}")
    if view.held:
        yield Part(f"{count(view.held, 'verdict')} of judges or people: shown after your label")
    if info.meta and (view.sealed or view.record):
        when = "shown after your label" if view.sealed else "R shows them"
        yield Part(f"further fields of the file: {when}; a verdict may be among them")
    elif info.meta:
        meta: Json = dict(info.meta)
        yield Part(pretty(meta), "json", foldable=True, look="json")
