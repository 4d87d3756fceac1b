"""What signals look at and give back, and the few questions that several of them ask.

Knows no mode and no single signal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reviewer.facts import Check, Error, Facts, facts, graded_well
from reviewer.facts.texts import ends, line_of, step_texts
from reviewer.label import Evidence
from reviewer.suggest.rules.seen.phrases import ADMITS, LIMIT, NEGATED, OPEN, SUCCESS, own_words
from reviewer.suggest.rules.seen.quoting import LEAST, sentence
from reviewer.suggest.rules.seen.wanted import Wanted, wanted
from reviewer.trace import Outcome, Step, Trace

_NOTHING = re.compile(
    r"not found|(?:does not|doesn't) exist|no such file|cannot (?:access|stat|find)|no results?\b",
    re.IGNORECASE,
)
_CLAUSE = 80
_FIRST = 4  # steps in which task and policy stand
_LONG = 200_000  # characters of a policy
_LATE = 4  # steps in which the words of a limit stand, if any


@dataclass(frozen=True, slots=True)
class Scene:
    """A trace with its facts: what every signal looks at.

    `wanted`: the calls that a failed outcome expected beside those made. `well`: no outcome says passed or
    failed, and the grader's own fields say success.
    """

    trace: Trace
    facts: Facts
    wanted: Wanted | None = None
    well: bool = False
    outcomes: Sequence[Outcome] = ()

    @classmethod
    def of(cls, trace: Trace, outcomes: Sequence[Outcome] = ()) -> Scene:
        found = facts(trace, outcomes)
        well = found.passed is None and graded_well(outcomes)
        return cls(trace, found, wanted(outcomes, trace), well, outcomes)

    def step(self, n: int) -> Step:
        return self.trace.steps[n - 1]

    @property
    def standing(self) -> list[Error]:
        """The errors that were never put right; not a look that found nothing before another way, nor a check
        that passed later.
        """
        failing = {check.step for check in self.facts.failing}
        mended = {c.step for c in self.facts.checks if c.state == "failed" and c.step not in failing}
        answered = 0  # the last step with a call that went through
        for step in self.trace.steps:
            if step.source == "agent" and step.calls and step.results and not step.error:
                answered = step.n
        return [
            e
            for e in self.facts.unrecovered
            if not (e.tool and e.step < answered and _NOTHING.search(e.quote)) and e.step not in mended
        ]

    def policy(self, form: re.Pattern[str], task: bool = False) -> Iterator[tuple[int, re.Match[str]]]:
        """Where the policy (`task`: or the task) has words of this form: in the first steps, the system's."""
        for step in self.trace.steps[:_FIRST]:
            if step.source == "system" or (task and step.source == "user"):
                for match in form.finditer(step.message[:_LONG]):
                    yield step.n, match

    @property
    def ran_out(self) -> bool:
        """Whether a budget of turns, time or money ended the run, by its file or by the harness's words."""
        ended = self.trace.info.ended in ("limit", "timeout")
        return ended or any(map(of_budget, self.facts.unrecovered))

    @property
    def limit(self) -> tuple[int, str] | None:
        """The words with which the run says that a budget is used up."""
        for error in reversed(self.facts.errors):
            if of_budget(error):
                return error.step, error.quote
        for step in self.trace.steps[-_LATE:]:
            for place, text in step_texts(step):
                if place != "call" and (match := LIMIT.search(ends(text))):
                    return step.n, line_of(ends(text), match.start())
        return None

    @property
    def last(self) -> int | None:
        """The number of the last step, if there is one."""
        return len(self.trace.steps) or None


@dataclass(frozen=True, slots=True)
class Fired:
    """A signal that fired: the step it points at, the words that made it fire, a line to read.

    `but`: the strongest thing in the trace that speaks against it, for a reader to weigh; most have none.
    """

    name: str
    step: int | None
    says: str
    weight: float
    evidence: tuple[Evidence, ...] = ()
    but: str = ""


def fired(
    name: str,
    step: int | None,
    says: str,
    weight: float,
    *quotes: tuple[int, str] | tuple[int, str, str],
    but: str = "",
) -> Fired:
    """A signal that fired; its quotes with their steps and, as a third, what each is to show."""
    evidence = tuple(Evidence(n, quote, shows="".join(shows)) for n, quote, *shows in quotes if quote)
    return Fired(name, step, says, weight, evidence, but)


def user_speaks(step: Step) -> bool:
    """Whether the user says something in it."""
    return step.source == "user" and not step.kind and bool(step.message.strip())


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
    if claim is None or ADMITS.search(own_words(claim.quote[:8000])):
        return None
    line = spoken_success(claim.quote)
    return (claim.step, line) if line else None


def spoken_success(text: str) -> str:
    """The sentence of a text that first speaks of success, unless it negates it; else empty."""
    match = success(text)
    if match is None:
        return ""
    before = re.split(r"(?<=[.!?])\s", text[: match.start()])[-1]
    before += re.split(r"[.!?\n]", text[match.start() :], maxsplit=1)[0]
    return "" if NEGATED.search(before.rsplit("\n", 1)[-1]) else sentence(text, match.start(), least=LEAST)


def failing_after(facts: Facts) -> list[Check]:
    """The checks after the last write that fail, requests to a service aside."""
    return [check for check in facts.failing if check.after_last_write and check.kind != "request"]
