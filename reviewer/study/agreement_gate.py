"""A gate for scripts: is the agreement at least so high, as far as the interval can tell.

It passes on the lower bound: what could as well be lower has not been shown. "Lower" and "cannot tell" both
do not pass, and are told apart, with how many double labels would decide in about every other case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

from reviewer.counting import count
from reviewer.errors import InputError, NotFound
from reviewer.stats.estimate import Estimate, explain
from reviewer.stats.few import FEW
from reviewer.stats.sample_size import size_to_decide
from reviewer.stats.table import Table
from reviewer.study.agreement import Agreement, Pair
from reviewer.values import dataclass

Result: TypeAlias = Literal["reached", "missed", "undecided", "undefined"]

OF_A_PAIR: Mapping[str, Callable[[Pair], Estimate]] = {
    "kappa": lambda pair: pair.found.kappa,
    "ac1": lambda pair: pair.found.ac1,
    "pabak": lambda pair: pair.found.pabak,
    "percent": lambda pair: pair.found.percent,
    "lenient": lambda pair: pair.compared.lenient,
    "masi": lambda pair: pair.compared.masi,
    "step": lambda pair: pair.compared.steps.exact,
    "near": lambda pair: pair.compared.steps.near,
}
OF_ALL: Mapping[str, Callable[[Agreement], Estimate]] = {
    "alpha": lambda found: found.all.alpha,
    "fleiss": lambda found: found.all.fleiss,
}
NAMES = (*OF_A_PAIR, *OF_ALL)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One statistic of one pair, or of all, against the value to reach; `more` double labels, if known."""

    name: str
    who: str
    least: float
    found: Estimate
    result: Result
    more: int | None = None

    @property
    def sentence(self) -> str:
        """One line for a log."""
        what = f"{self.name} of {self.who}"
        low, high, value = self.found.low, self.found.high, self.found.value
        if value is None:
            return f"cannot tell whether {what} reaches {self.least:g}: {explain(self.found.undefined)}"
        if low is None or high is None:
            told = f"{value:.2f} (n = {self.found.n}), no interval: {_missing(self.found)}"
            return f"cannot tell whether {what} reaches {self.least:g}: {told}"
        told = f"{value:.2f}, {low:.2f} to {high:.2f} (n = {self.found.n})"
        if self.found.of_one_task:
            reason = f"{told} is of one task, whose traces are no separate evidence"
            return f"cannot tell whether {what} reaches {self.least:g}: {reason}"
        if self.result == "reached":
            return f"{what} reaches {self.least:g}: {told}"
        if self.result == "missed":
            return f"{what} does not reach {self.least:g}: {told}"
        side = "" if value >= self.least else ", and more likely show that it does not"
        odds = "would decide in about every other case"
        more = f"; about {count(self.more, 'more double label')} {odds}{side}" if self.more else ""
        return f"cannot tell whether {what} reaches {self.least:g}: {told}{more}"


def _missing(found: Estimate) -> str:
    """What it would take to have an interval: how many labels at least, or why no number of them does."""
    if found.of_one_task:
        return f"all of one task; it takes labels on traces of {FEW} tasks at least"
    if "few_tasks" in found.remarks:
        return f"it takes labels on traces of {FEW} tasks at least"
    if found.n < FEW:
        return f"it takes {FEW} double labels at least, {FEW - found.n} more than there are"
    return "these labels show no spread, and how many more would show one cannot be told"


def requirement(text: str) -> tuple[str, float]:
    """`kappa=0.6` as a name and a value; InputError says what is allowed."""
    name, sign, number = text.partition("=")
    try:
        least = float(number)
    except ValueError:
        least = float("nan")
    if name not in NAMES or not sign or not -1 <= least <= 1:
        raise InputError(
            f"--require {text!r}: write NAME=VALUE, NAME one of {', '.join(NAMES)}, VALUE -1 to 1"
        )
    return name, least


def chosen(found: Agreement, names: Sequence[str] | None) -> list[Pair]:
    """The pairs that a gate is about: all, or the one of two people by name or beginning of an id."""
    if names is None:
        return list(found.pairs)
    ids: list[str] = []
    for name in names:
        known = {
            one.id
            for one in found.annotators
            if one.name == name or (len(name) > 3 and one.id.startswith(name))
        }
        if len(known) != 1:
            people = ", ".join(one.name for one in found.annotators) or "nobody yet"
            many = f"{len(known)} annotators are called" if known else "no annotator of this round is called"
            raise NotFound(f"--pair: {many} {name!r}; there are: {people}")
        ids += known
    pairs = [pair for pair in found.pairs if {pair.a.id, pair.b.id} == set(ids)]
    if len(set(ids)) < 2 or not pairs:
        raise NotFound("--pair: these two have labelled no trace of this round blind in common")
    return pairs


def judge(found: Agreement, pairs: Sequence[Pair], wanted: tuple[str, float]) -> list[Verdict]:
    """The verdict on each pair, or the one on everybody together. Without a pair nothing is reached."""
    name, least = wanted
    if name in OF_ALL:
        return [_judged(name, "everybody", least, OF_ALL[name](found))]
    return [
        _judged(name, f"{pair.a.name} × {pair.b.name}", least, OF_A_PAIR[name](pair), _table(name, pair))
        for pair in pairs
    ] or [Verdict(name, "anybody", least, Estimate(None, None, None, 0, "", "no_overlap"), "undefined")]


def _table(name: str, pair: Pair) -> Table | None:
    """What a kappa was worked out of."""
    return pair.found.table if name == "kappa" else None


def _judged(name: str, who: str, least: float, found: Estimate, table: Table | None = None) -> Verdict:
    if found.value is None or found.low is None or found.high is None:
        return Verdict(name, who, least, found, "undefined")
    if found.of_one_task:  # its interval ignores that: nothing passes, or fails, by it
        return Verdict(name, who, least, found, "undecided")
    if found.low >= least:
        return Verdict(name, who, least, found, "reached")
    if found.high < least:
        return Verdict(name, who, least, found, "missed")
    needed = size_to_decide(found, least, table)
    return Verdict(name, who, least, found, "undecided", needed and max(1, needed - found.n))
