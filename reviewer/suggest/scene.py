"""What signals look at and give back, and the few questions that several of them ask.

Knows no mode and no single signal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewer.facts import Check, Error, Facts
from reviewer.facts.texts import first_line, line_of, step_texts
from reviewer.label import Evidence
from reviewer.suggest.phrases import ADMITS, LIMIT, NEGATED, OPEN, SUCCESS
from reviewer.trace import Step, Trace

_CLAUSE = 80
_WHY = 100  # characters of a grader's words


@dataclass(frozen=True, slots=True)
class Scene:
    """A trace with its facts: what every signal looks at."""

    trace: Trace
    facts: Facts

    def step(self, n: int) -> Step:
        return self.trace.steps[n - 1]

    def words(self, n: int | None) -> list[tuple[int, str]]:
        """The first line of step `n`, verbatim, as a quote; none if it has no words."""
        if n is None or not 1 <= n <= len(self.trace.steps):
            return []
        lines = ((n, first_line(text)) for _, text in step_texts(self.step(n)))
        return [line for line in lines if line[1]][:1]

    @property
    def first_finding(self) -> int | None:
        """In a run of several agents the first step that did something, else the first that says something.

        Thoughts and orders (`A (-> B)`) are neither. None where one agent works alone: there the beginning
        says nothing, while among several an early error is handed on.
        """
        own = [step for step in self.trace.steps if step.source == "agent" and not step.kind]
        if len({step.name.split(" (")[0] for step in own if step.name}) < 2:
            return None
        spoken = [step for step in own if step.message.strip() and "->" not in step.name]
        did = (step.n for step in own if step.calls or step.results or "```" in step.message)
        return next(did, spoken[0].n if spoken else None)

    def departure(self, otherwise: int | None) -> int | None:
        """The first error that was never put right, else the first finding of several agents, else that."""
        first = next((error for error in self.facts.unrecovered if not of_budget(error)), None)
        return first.step if first else self.first_finding or otherwise

    @property
    def failed(self) -> str:
        """That the outcome is failed, with the first thing that the grader says of it."""
        said = next((" ".join(str(check).split()) for check in self.facts.failed_checks), "")
        if said.partition(":")[2].strip() or said.partition(":")[0] != "not passed":
            more = f" ({said[:_WHY]}{'…' if len(said) > _WHY else ''})" if said else ""
            return f"the outcome is failed{more}"
        return "the outcome is failed"

    def at(self, n: int) -> list[tuple[int, str]]:
        """Words that show what happened at step `n`: its error that was left, else its first line."""
        errors = [(n, error.quote) for error in self.facts.unrecovered if error.step == n and error.quote]
        return errors[:1] or self.words(n)

    @property
    def ran_out(self) -> bool:
        """Whether a budget of turns, time or money ended the run, by its file or by the harness's words."""
        ended = self.trace.info.ended in ("limit", "timeout")
        return ended or any(map(of_budget, self.facts.unrecovered))

    @property
    def last(self) -> int | None:
        """The number of the last step, if there is one."""
        return len(self.trace.steps) or None


@dataclass(frozen=True, slots=True)
class Fired:
    """A signal that fired: the step it points at, the words that made it fire, a line to read."""

    name: str
    step: int | None
    says: str
    weight: float
    evidence: tuple[Evidence, ...] = ()


def fired(name: str, step: int | None, says: str, weight: float, *quotes: tuple[int, str]) -> Fired:
    evidence = tuple(Evidence(n, quote) for n, quote in quotes if quote)
    return Fired(name, step, says, weight, evidence)


def of_budget(error: Error) -> bool:
    """Whether the harness says with it that a budget is used up: nothing around the agent broke."""
    return error.kind == "environment" and bool(LIMIT.search(error.quote))


def success(text: str) -> re.Match[str] | None:
    """The first words of success that are said of what is, not of what is yet to be seen."""
    text = text[:8000]
    found = SUCCESS.finditer(text)
    return next((match for match in found if not OPEN.search(text[: match.start()][-_CLAUSE:])), None)


def claimed(facts: Facts) -> tuple[int, str] | None:
    """The line of the last message that claims success, unless the message admits an open end."""
    claim = facts.claim
    match = success(claim.quote) if claim else None
    if claim is None or match is None or ADMITS.search(claim.quote[:8000]):
        return None
    sentence = re.split(r"(?<=[.!?])\s", claim.quote[: match.start()])[-1]
    sentence += re.split(r"[.!?\n]", claim.quote[match.start() :], maxsplit=1)[0]
    if NEGATED.search(sentence.rsplit("\n", 1)[-1]):
        return None
    return claim.step, line_of(claim.quote, match.start())


def claim_line(facts: Facts) -> list[tuple[int, str]]:
    return [(facts.claim.step, first_line(facts.claim.quote))] if facts.claim else []


def failing_after(facts: Facts) -> list[Check]:
    return [check for check in facts.failing if check.after_last_write and check.kind != "request"]
