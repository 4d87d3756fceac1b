"""The facts of a trace as lines of the summary page, each with the step it leads to.

States what was found and at which step; gives no verdict. What each fact does not know stands with its type
in `reviewer.facts`. Texts are raw, whoever draws them makes them inert.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reviewer.counting import count
from reviewer.tui.summary_words import ROWS, one_line, some, span, steps_of
from reviewer.tui.widgets.part import Part

if TYPE_CHECKING:
    from reviewer.facts import Compared, Error, Facts, FailedCheck, Said

_FEW = 3
_SILENT = 10  # steps after the last words of an agent from which on it is said that it went on
_STEP = re.compile(r"\bstep[ #:]{1,2}(\d{1,7})\b", re.IGNORECASE)
_FUNCTION = re.compile(r"\b[A-Za-z]\w*_\w+\b|\b[A-Za-z]\w+(?=\()")  # words that read like a function's name
_PROGRAM = re.compile(r"[a-z][\w./+-]{0,60}: ")  # how programs begin their complaints
_DIFF_ROWS = 40


def failed_parts(facts: Facts) -> Iterator[Part]:
    """What the graders call failed; apart from it what was not met and does not count."""
    checks = facts.failed_checks
    yield from _checks("failed checks", "✗", "error", [check for check in checks if check.counts], facts)
    aside = [check for check in checks if not check.counts]
    yield from _checks("not met, and not part of the reward", "·", "text", aside, facts)


def _checks(title: str, sign: str, style: str, checks: Sequence[FailedCheck], facts: Facts) -> Iterator[Part]:
    if not checks:
        return
    yield Part(title, "title", head=True)
    several = len({check.origin for check in facts.failed_checks}) > 1
    for check in checks[:ROWS]:
        origin = f"  ({check.origin})" if several else ""
        named, step = _leads(check, facts)
        yield Part(f"  {sign} {one_line(check.brief)}{origin}{named}", style, target=step, hang=4)
    if len(checks) > ROWS:
        rest = "\n".join(f"  {sign} {one_line(check.brief)}" for check in checks[ROWS:])
        yield Part(f"  and {len(checks) - ROWS:,} more:", "key")
        yield Part(rest, style, foldable=True, shut=True)


def _leads(check: FailedCheck, facts: Facts) -> tuple[str, int]:
    """The step that a failed check names, or a step of the run that calls the function it names; and how
    the line says so. A number is taken for one of ours; 0 where the check names nothing of the run."""
    text = str(check)
    found = _STEP.search(text)
    if found and 0 < int(found[1]) <= max(facts.last_agent or 0, facts.first_action or 0):
        return "", int(found[1])
    words = set(_FUNCTION.findall(text[:2000]))
    write = next((write for write in reversed(facts.writes) if write.api and write.tool in words), None)
    used = next((used for used in facts.tools if used.tool in words), None)
    if write is not None:
        return f"   {write.tool}: step {write.step}", write.step
    return (f"   {used.tool}: step {used.first}", used.first) if used is not None else ("", 0)


def compared_parts(facts: Facts) -> Iterator[Part]:
    """Expected against actual, as a diff."""
    several = len(facts.compared) > 1
    for one in facts.compared:
        where = f" ({one.origin})" if several else ""
        if not one.final:
            yield Part(f"expected{where}; what the run left is not in the file", "title", head=True)
        else:
            yield Part(f"expected − against actual +{where}", "title", head=True)
        yield from _diff(one)
        if one.same:
            yield Part("  no difference" + (" in what was changed" if one.reads else ""))
        if one.left_out:
            yield Part(f"  … and {count(one.left_out, 'more difference')}", "fold")
        if one.reads:
            yield Part(f"  left out: {count(one.reads, 'call')} only for looking", "key")
        if one.failed:
            line = f"  left out: calls whose result is an error, {steps_of(one.failed)}"
            yield Part(line, "key", target=one.failed[0])


def _diff(one: Compared) -> Iterator[Part]:
    if one.same:
        return
    for line in one.lines[:_DIFF_ROWS]:
        style = {"-": "removed", "+": "added", ">": "text"}.get(line.sign, "key")
        step = f"   step {line.step}" if line.step else ""
        sign = " " if line.sign == ">" else line.sign
        yield Part(
            f"{sign} {'  ' * line.depth}{line.text}{step}", style, target=line.step, hang=4 + 2 * line.depth
        )
    rest = one.lines[_DIFF_ROWS:]
    if rest:
        text = "\n".join(
            f"{' ' if line.sign == '>' else line.sign} {'  ' * line.depth}{line.text}" for line in rest
        )
        yield Part(text, "text", foldable=True, shut=True, look="patch")


def claim_parts(facts: Facts) -> Iterator[Part]:
    """The agent's last words, and what the user said to them."""
    claim = facts.claim
    if claim is None:
        yield Part("final claim: none", "title", head=True)
        return
    silent = (facts.last_agent or 0) - claim.step
    later = f" (the agent goes on to step {facts.last_agent})" if silent >= _SILENT else ""
    yield Part(f"final claim, step {claim.step}, verbatim{later}", "title", head=True, target=claim.step)
    yield Part(claim.quote.strip("\n"), "text", foldable=True)
    after = facts.said_after(claim.step)
    if after is not None:
        yield _said("the user after it", after)


def fact_parts(facts: Facts, *, alone: bool = True) -> Iterator[Part]:
    """What happened on the way. `alone`: the run has no sub-agents, which the facts know nothing of."""
    yield Part("on the way (J and K choose a line, > goes to its step)", "title", head=True)
    yield from _writes_and_checks(facts)
    yield from _errors(facts, alone)
    yield from _habits(facts)
    if facts.user_turns:
        turns = facts.user_turns
        yield Part(f"user turns after the first: {len(turns)}" + (", the last:" if len(turns) > _FEW else ""))
        for turn in turns[-_FEW:]:
            yield _said("  the user", turn)


def _writes_and_checks(facts: Facts) -> Iterator[Part]:
    write = facts.last_write
    if write is None:
        yield Part("no write recognised")
    else:
        # an edit's reply mostly repeats its path; that of a booking is the result
        short = write.reply if write.api or len(write.reply) <= 60 else f"{write.reply[:60]} …"
        reply = f" → {short}" if short else ""
        what = write.call or write.tool
        what += f" ({write.target})" if write.target and write.target not in what else ""
        yield Part(one_line(f"last write: step {write.step}, {what}{reply}"), target=write.step, hang=2)
    checks = facts.checks_after
    for check in checks[:ROWS]:
        state = "checked nothing" if check.state == "vacuous" else check.state
        quote = f" → {check.quote}" if check.quote else ""
        when = "check after it" if write else "check"
        line = f"{when}: step {check.step}, {state}: {check.call}{quote}"
        yield Part(one_line(line), "error" if check.state == "failed" else "text", target=check.step, hang=2)
    if len(checks) > ROWS:
        yield Part(f"… and {count(len(checks) - ROWS, 'more check')} (c goes to them)", "fold")
    if not checks and not (write and write.api):
        before = f"; {len(facts.checks)} before it" if facts.checks else ""
        yield Part(f"no check recognised after the last write{before}" if write else "no check recognised")


def _errors(facts: Facts, alone: bool) -> Iterator[Part]:
    errors, left = facts.errors, facts.unrecovered
    if not errors:
        yield Part("no result that is an error" + ("" if alone else " in this run itself"))
        return
    kinds = Counter(_UNREAD if error.status else _KIND[error.kind] for error in errors)
    said = ", ".join(f"{kinds[kind]} {kind}" for kind in (_UNREAD, *_KIND.values()) if kinds[kind])
    where = "" if alone else " in this run itself"
    line = f"errors{where}: {len(errors)} ({said}), not put right later: {len(left)}"
    yield Part(line, "error" if left else "text", target=errors[0].step)
    for error in left[:ROWS]:
        words = f"the file says “{error.status}”" if error.status else error.quote
        yield Part(one_line(f"  step {error.step}{_of(error)}: {words}"), target=error.step, hang=4)
    if len(left) > ROWS:
        yield Part(f"  … and {len(left) - ROWS:,} more (e goes to them)", "fold")


_UNREAD = "reply that was not taken"
_KIND = {"tool": "of a tool", "environment": "of the environment", "human": "not permitted"}


def _of(error: Error) -> str:
    """Whose error, unless its words name a program: `rm x; make` is told as `rm`, but `make: …` failed."""
    tool = "" if _PROGRAM.match(error.quote) else error.tool
    kind = "" if error.kind == "tool" else f" ({_KIND[error.kind]})"
    return (f", {tool}" if tool else "") + kind


def _habits(facts: Facts) -> Iterator[Part]:
    for repeat in sorted(facts.repeats, key=lambda repeat: -len(repeat.steps))[:ROWS]:
        line = f"same call, same result {len(repeat.steps)} times: steps {some(repeat.steps)}: {repeat.call}"
        yield Part(one_line(line), target=repeat.steps[0], hang=2)
    if len(facts.repeats) > ROWS:
        yield Part(f"… and {count(len(facts.repeats) - ROWS, 'more repeated call')}", "fold")
    for gap in facts.gaps[:_FEW]:
        who = ", then the user spoke" if gap.person else ""
        yield Part(f"pause of {span(gap.seconds)} after step {gap.step}{who}", target=gap.step)
    if len(facts.gaps) > _FEW:
        yield Part(f"… and {count(len(facts.gaps) - _FEW, 'more pause')}", "fold")
    if facts.unanswered:
        yield Part(f"calls without a result: {steps_of(facts.unanswered)}", target=facts.unanswered[0])
    if facts.compactions:
        yield Part(f"compactions: {steps_of(facts.compactions)}", target=facts.compactions[0])


def tool_parts(facts: Facts) -> Iterator[Part]:
    """How often each tool was called, and with how many errors."""
    for used in facts.tools[:ROWS]:
        bad = f", {used.errors:,} with an error" if used.errors else ""
        yield Part(f"  {used.calls:>5,} × {one_line(used.tool)}{bad}", target=used.first_error or used.first)
    if len(facts.tools) > ROWS:
        rest = sum(used.calls for used in facts.tools[ROWS:])
        yield Part(f"  {rest:>5,} × of {count(len(facts.tools) - ROWS, 'other tool')}", "key")


def _said(who: str, said: Said) -> Part:
    return Part(one_line(f"{who}, step {said.step}: {said.quote}"), target=said.step, hang=4)
