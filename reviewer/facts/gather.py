"""Gathers the facts of a trace in one pass over its steps.

Linear in the steps; of long outputs only head and tail are read (equality of results is over the
whole). Never raises on odd values: arguments may be any JSON.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from reviewer.facts import calls as c
from reviewer.facts.claim import Claim, finishes
from reviewer.facts.compared import compared
from reviewer.facts.failures import failed_checks
from reviewer.facts.gaps import gaps
from reviewer.facts.model import Check, Error, Facts, Repeat, Said, Used, Write
from reviewer.facts.net import Net
from reviewer.facts.programs import run_script
from reviewer.facts.results import check_state, crash, error_kind, exit_code, failed, telling_line
from reviewer.facts.states import agreed, state_diffs
from reviewer.facts.texts import blank, ends, first_line, orphans, pairs, spelled
from reviewer.facts.written_code import code_writes
from reviewer.trace import Json, Outcome, Result, Step, ToolCall, Trace

LOOSE_REACH = 10  # steps within which another target of the same tool still counts as trying again
_OF_A_CALL = re.compile(r"\b(?:parameter|argument|required|parse|format|schema|unknown tool)", re.IGNORECASE)
_ALIKE = 0.8  # of two names: harbor.py and harbour.py are, a.py and b.py are not
_RAISED = re.compile(r"(\w+(?:Error|Exception))\b")
_NOT_TAKEN = re.compile(r"\b(?:invalid|malformed|unreadable|validation failed)\b", re.IGNORECASE)
_BRIEF = 40  # characters of such a word
_NOT_THERE = re.compile(
    r"no such file|not found|does(?: not|n't) exist|(?:cannot|can't|could not) (?:find|open|stat|access)",
    re.IGNORECASE,
)


def facts(trace: Trace, outcomes: Sequence[Outcome] = ()) -> Facts:
    """The facts of `trace`, with what its outcomes say."""
    gathered = _Gathered()
    for step in trace.steps:
        gathered.step(step)
    if trace.steps:
        gathered.end(trace.steps[-1], trace.info.meta.get("status"))
    last = next((write.step for write in reversed(gathered.writes) if write.counts), 0)
    return Facts(
        writes=tuple(gathered.writes),
        checks=tuple(replace(check, after_last_write=check.step >= last) for check in gathered.checks),
        errors=tuple(gathered.errors),
        repeats=tuple(
            Repeat(tuple(steps), tool, call, bad, reply)
            for steps, tool, call, bad, reply in sorted(gathered.seen.values(), key=lambda one: one[0][0])
        ),
        compactions=tuple(gathered.compactions),
        unanswered=tuple(step.n for step in trace.steps if _waits(step)),
        claim=gathered.claim.said,
        user_turns=tuple(gathered.users[1:]),
        changed=gathered.net.changed(),
        patch=gathered.net.patch,
        states=state_diffs(outcomes),
        compared=compared(outcomes, trace),
        failed_checks=failed_checks(outcomes),
        gaps=gaps(trace.steps),
        tools=tuple(sorted(gathered.tools.values(), key=lambda used: -used.calls)),
        passed=agreed(outcomes),
        first_action=gathered.first_action,
        last_agent=gathered.last_agent,
    )


@dataclass(slots=True)
class _Gathered:
    """What the pass has seen so far."""

    writes: list[Write] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)
    seen: dict[tuple[int, ...], tuple[list[int], str, str, bool, str]] = field(default_factory=dict)
    once: dict[tuple[int, ...], int] = field(default_factory=dict)
    compactions: list[int] = field(default_factory=list)
    claim: Claim = field(default_factory=Claim)
    users: list[Said] = field(default_factory=list)
    net: Net = field(default_factory=Net)
    tools: dict[str, Used] = field(default_factory=dict)
    first_action: int | None = None
    last_agent: int | None = None
    pending: dict[tuple[str, str], list[int]] = field(default_factory=dict)  # errors not yet recovered
    failing: dict[str, int] = field(default_factory=dict)  # the last error of a call, by its arguments
    loose: dict[str, list[int]] = field(default_factory=dict)
    given: set[int] = field(default_factory=set)  # errors of calls that were given an identifier
    faults: list[int] = field(default_factory=list)  # of the harness or the provider, no turn since
    uncalled: list[int] = field(default_factory=list)  # errors of results without a call
    scripts: set[str] = field(default_factory=set)  # written by the agent, and writing files themselves
    generation: int = 0

    def step(self, step: Step) -> None:
        if step.kind == "compaction":
            self.compactions.append(step.n)
        if step.source == "user" and not step.kind and step.message.strip():
            self.users.append(Said(step.n, step.message))
            self.claim.turn()
        if step.source == "agent":
            self._agent(step)
        self.claim.close(step)
        for call, result in pairs(step):
            self._call(step.n, call, result)
        self.net.look(step)
        for result in orphans(step):
            if failed(result) or result.denied:
                self.uncalled.append(len(self.errors))
                self._error(step.n, "", "", result)
            elif not blank(result.content):
                self._mend(self.uncalled, step.n, LOOSE_REACH)
        if step.fault and not any(result.error for result in step.results):
            kind, quote = error_kind(step.message or "\n".join(r.content for r in step.results))
            if step.source != "agent" and kind == "tool" and not _OF_A_CALL.search(quote):
                kind = "environment"  # said by the harness of itself
            self.faults.append(len(self.errors))
            self.errors.append(Error(step.n, kind, "", quote))

    def end(self, step: Step, status: Json) -> None:
        """The last step: its reply was not taken, or what runs the agent fell over, which no source flags."""
        told = isinstance(status, str) and len(status) <= _BRIEF and _NOT_TAKEN.search(status)
        if step.source == "agent" and step.fault and told and self.errors and self.errors[-1].step == step.n:
            self.errors[-1] = replace(self.errors[-1], status=status)
        quote = "" if step.source == "user" or step.error or step.calls else crash(step.message)
        if quote:
            self.errors.append(Error(step.n, "environment", "", quote))

    def _agent(self, step: Step) -> None:
        if step.kind:
            return
        if not step.fault or step.calls:
            self.first_action = self.first_action or step.n
        self.last_agent = step.n
        if not step.fault:
            if step.calls or step.message.strip():
                self._mend(self.faults, step.n)
            self.claim.hear(step)

    def _call(self, n: int, call: ToolCall, result: Result | None) -> None:
        tool, target, bad = c.tool(call), c.target(call), failed(result)
        if bad and result is not None and c.finds_nothing(call, exit_code(result), result.content):
            bad = False
        denied = result is not None and result.denied
        self._count(n, call.name or tool, bad)
        writes = c.is_write(call) or bool(self.scripts and self._runs_writer(call))
        lost = denied or (bad and not (result and writes and c.wrote_all_the_same(call, result.content)))
        if result is not None:  # before the write below raises the generation
            self._repeat(n, call, result, wrote=writes and not lost)
        if writes:
            reply = first_line(result.content) if result else ""
            paths = c.paths_written(call, result.content if result else "")
            target = next((path for path, _ in paths), target)
            tidy = bool(paths) and all(removed and self.net.made(path) for path, removed in paths)
            self.writes.append(Write(n, tool, c.said(call), target, lost, reply, c.is_api(call), tidy))
            if not lost:
                self.generation += 1
                self._wrote(n, call, result)
        kind = c.check_kind(call)
        if kind:
            state, quote = check_state(kind, result)
            self.checks.append(Check(n, kind, c.said(call), state, quote))
        # a file that Edit could not change, `cat >` may
        again = ("(write)" if writes else tool, _short(target) or c.said(call))
        given = c.identifiers(call)
        if result is not None and (bad or denied):
            if given:
                self.given.add(len(self.errors))
            self._error(n, tool, target, result, ("(id)", given[0]) if given and not writes else again)
            self._other(n, spelled(call.arguments))
        elif result is not None:
            self._recover(n, tool, again, *(("(id)", one) for one in given))

    def _repeat(self, n: int, call: ToolCall, result: Result, wrote: bool) -> None:
        """Equal calls are kept apart by the writes before them, since a write can change the answer."""
        generation = -1 if wrote else self.generation
        key = (hash(call.name), hash(spelled(call.arguments)), hash(result.content), generation)
        first = self.once.pop(key, None)
        if key in self.seen:
            self.seen[key][0].append(n)
        elif first is None:  # most calls are made once: words are kept of the others only
            self.once[key] = n
        else:
            bad = failed(result)
            reply = telling_line(ends(result.content)) if bad else first_line(result.content)
            self.seen[key] = ([first, n], c.tool(call), c.said(call), bad, reply)

    def _runs_writer(self, call: ToolCall) -> bool:
        """Whether the call runs a script that the agent itself wrote to change files."""
        return any(
            run_script(command).rsplit("/", 1)[-1] in self.scripts for command in c.shell_commands(call)
        )

    def _count(self, n: int, tool: str, bad: bool) -> None:
        used = self.tools.get(tool, Used(tool, 0, 0, n))
        first_error = n if bad and used.first_error is None else used.first_error
        self.tools[tool] = replace(
            used, calls=used.calls + 1, errors=used.errors + bad, first_error=first_error
        )

    def _wrote(self, n: int, call: ToolCall, result: Result | None) -> None:
        for path, removed in self.net.wrote(n, call, result):
            name = path.rsplit("/", 1)[-1]
            if not removed and "." in name and code_writes(c.written_text(call)):
                self.scripts.add(name)

    def _error(
        self, n: int, tool: str, target: str, result: Result, again: tuple[str, str] = ("", "")
    ) -> None:
        """`again` names the later call that would mend it: who calls, and on what."""
        kind, quote = error_kind(ends(result.content), result.denied)
        self.pending.setdefault(again, []).append(len(self.errors))
        self.loose.setdefault(tool, []).append(len(self.errors))
        self.errors.append(Error(n, kind, tool, quote, target))

    def _other(self, n: int, call: str) -> None:
        """The same call fails again, but raises something else: what it raised before was put right."""
        before, now = self.failing.get(call), len(self.errors) - 1
        self.failing[call] = now
        raised = [_RAISED.match(self.errors[at].quote) for at in (before, now) if at is not None]
        if before is not None and None not in raised and len({match[1] for match in raised if match}) > 1:
            self.errors[before] = replace(self.errors[before], recovered=n, same_target=True)

    def _recover(self, n: int, tool: str, *again: tuple[str, str]) -> None:
        """A call went through: the same on the same is mended, and what the tool met shortly before."""
        for one in again:
            for at in self.pending.pop(one, ()):
                self.errors[at] = replace(self.errors[at], recovered=n, same_target=True)
        name = again[0][1].rsplit("/", 1)[-1]
        near: list[int] = []
        waiting: list[int] = []  # of these a later call may still name the thing
        for at in self.loose.pop(tool, ()):
            if n - self.errors[at].step <= LOOSE_REACH:
                elsewhere = _elsewhere(self.errors[at], name, at in self.given)
                (waiting if elsewhere else near).append(at)
        self.loose[tool] = waiting
        self._mend(near, n)
        self._mend(self.uncalled, n, LOOSE_REACH)

    def _mend(self, open_errors: list[int], n: int, reach: int | None = None) -> None:
        """Step `n` puts these errors right, if it is near enough; none of them is looked at again."""
        for at in open_errors:
            error = self.errors[at]
            if error.recovered is None and error.kind != "human" and n - error.step <= (reach or n):
                self.errors[at] = replace(error, recovered=n)
        open_errors.clear()


def _elsewhere(error: Error, name: str, given: bool) -> bool:
    """Whether an error is about one thing, and `name` is that of another: `given` by its identifier, or its
    words say that it is not there. Then a name that is spelled a little otherwise is the same, found at last.
    """
    missing = _NOT_THERE.search(error.quote) is not None
    if not error.target or not (given or missing):
        return False
    sought = _short(error.target).rsplit("/", 1)[-1]
    return sought != name and not (missing and SequenceMatcher(None, sought, name).ratio() >= _ALIKE)


def _waits(step: Step) -> bool:
    """Whether a call has no result, those aside that end a run and get none."""
    return sum(not finishes(call) for call in step.calls) > len(step.results)


def _short(path: str) -> str:
    """The last two parts of a path: a shell names files from its folder, an edit tool from the root."""
    return "/".join(path.split("/")[-2:])
