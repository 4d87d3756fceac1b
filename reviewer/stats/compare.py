"""Do kappas differ? On the same items by a paired bootstrap, on different items by their standard errors.

Whether two intervals overlap does not answer that question.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from reviewer.stats.bootstrap import bootstrap
from reviewer.stats.cohen import kappa_of_cells
from reviewer.stats.distributions import chi2_tail, normal_two_sided_p
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.intervals import wald
from reviewer.stats.table import ordered


@dataclass(frozen=True, slots=True)
class KappaTest:
    """A difference of two independent kappas: the estimate, z = difference/se and its two-sided p."""

    difference: Estimate
    z: float | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Homogeneity:
    """Whether several kappas could be one: chi square, degrees of freedom, p, and the pooled kappa.

    All None, with the reason word in `undefined`, when fewer than two can be used.
    """

    statistic: float | None
    df: int
    p: float | None
    pooled: float | None
    undefined: str = ""


def kappa_difference(
    people: Sequence[Hashable],
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    seed: int,
    tasks: Sequence[Hashable] | None = None,
    replicates: int = 2000,
    level: float = 0.95,
) -> Estimate:
    """kappa(people, first) - kappa(people, second) on the items that all three rated; paired bootstrap.

    One value per item, None = missing, ValueError when lengths differ. With `tasks` whole tasks are
    resampled (a task of None stands for one item); n is then the number of tasks, else of items.
    """
    if len({len(people), len(first), len(second), len(people if tasks is None else tasks)}) > 1:
        raise ValueError("every rater, and the tasks, need one value per item")
    triples = Counter(
        triple for triple in zip(people, first, second, strict=True) if all(x is not None for x in triple)
    )
    if not triples:
        return undefined("no_overlap" if len(people) else "no_data")
    names = ordered(None, (label for triple in triples for label in triple))
    place = {name: k for k, name in enumerate(names)}
    cells = {t: k for k, t in enumerate(triples)}
    left = [(place[a], place[b]) for a, b, _ in triples]
    right = [(place[a], place[c]) for a, _, c in triples]

    def difference(counts: Sequence[int]) -> float | None:
        one, two = kappa_of_cells(left, counts, len(names)), kappa_of_cells(right, counts, len(names))
        return None if one is None or two is None else one - two

    if tasks is None:
        return bootstrap(tuple(triples.values()), difference, seed=seed, replicates=replicates, level=level)
    groups = _groups(tasks, zip(people, first, second, strict=True), cells)

    def by_task(multiplicities: Sequence[int]) -> float | None:
        counts = [0] * len(cells)
        for times, group in zip(multiplicities, groups, strict=True):
            if times:
                for k, count in group.items():
                    counts[k] += times * count
        return difference(counts)

    return bootstrap([1] * len(groups), by_task, seed=seed, replicates=replicates, level=level)


def _groups(
    tasks: Sequence[Hashable],
    triples: zip[tuple[Hashable, Hashable, Hashable]],
    cells: Mapping[tuple[Hashable, Hashable, Hashable], int],
) -> list[Counter[int]]:
    """The triples of each task, by their position in `cells`."""
    known: dict[Hashable, Counter[int]] = {}
    alone: list[Counter[int]] = []
    for task, triple in zip(tasks, triples, strict=True):
        if triple in cells:
            if task is None:
                alone.append(Counter({cells[triple]: 1}))
            else:
                known.setdefault(task, Counter())[cells[triple]] += 1
    return [*known.values(), *alone]


def _usable(estimate: Estimate) -> tuple[float, float] | None:
    """Value and variance, where the standard error says something."""
    if estimate.value is None or not estimate.se:
        return None
    return estimate.value, estimate.se**2


def kappa_test(one: Estimate, two: Estimate, *, level: float = 0.95) -> KappaTest:
    """Two kappas from different items; both need a standard error above 0, else `too_few_estimates`."""
    a, b = _usable(one), _usable(two)
    n = one.n + two.n
    if a is None or b is None:
        return KappaTest(undefined("too_few_estimates", n), None, None)
    difference, se = a[0] - b[0], math.sqrt(a[1] + b[1])
    low, high = wald(difference, se, level)
    z = difference / se
    return KappaTest(Estimate(difference, low, high, n, "wald", "", se), z, normal_two_sided_p(z))


def homogeneity(estimates: Sequence[Estimate]) -> Homogeneity:
    """Several kappas from different items: sum (k_g - k)^2/v_g against chi square.

    `k` is the mean weighted by 1/v_g; there is one degree of freedom less than kappas. Estimates without a
    standard error above 0 cannot be used and are left out: `df` tells. Source: Fleiss 1981, Statistical
    Methods for Rates and Proportions, 13.1.
    """
    usable = [pair for pair in map(_usable, estimates) if pair is not None]
    if len(usable) < 2:
        return Homogeneity(None, 0, None, None, "too_few_estimates")
    weight = math.fsum(1 / v for _, v in usable)
    pooled = math.fsum(k / v for k, v in usable) / weight
    statistic = math.fsum((k - pooled) ** 2 / v for k, v in usable)
    df = len(usable) - 1
    return Homogeneity(statistic, df, chi2_tail(statistic, df), pooled)
