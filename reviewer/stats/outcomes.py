"""pass@k and pass^k: would one of k trials succeed, would all k.

The task is the unit: trials of one task are no independent evidence about the next task. Knows no traces.
Sources: Chen et al. 2021, arXiv:2107.03374 (pass@k); Yao et al. 2024, arXiv:2406.12045 (pass^k).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.linear import spread, with_interval


@dataclass(frozen=True, slots=True)
class PassEstimate:
    """The mean over `tasks_used`; tasks with fewer than k known trials are `tasks_excluded`, not failures.

    `unknown` trials had no outcome and were left out; `as_failures` is the mean when they count as failed
    trials instead (and more tasks may then have k), None when no task has k trials even so.
    """

    estimate: Estimate
    k: int
    tasks_used: int
    tasks_excluded: int
    unknown: int
    as_failures: float | None


def _checked(n: int, c: int, k: int) -> None:
    if not 0 <= c <= n or k < 1:
        raise ValueError(f"{c} successes in {n} trials, k = {k}")


def _at(n: int, c: int, k: int) -> Fraction | None:
    return None if n < k else 1 - Fraction(math.comb(n - c, k), math.comb(n, k))


def _hat(n: int, c: int, k: int) -> Fraction | None:
    return None if n < k else Fraction(math.comb(c, k), math.comb(n, k))


def pass_at_k(n: int, c: int, k: int) -> float | None:
    """1 - C(n-c, k)/C(n, k): the chance that k of n trials, c of them successes, hold one success.

    None when n < k, for then it is not known (some packages say 1.0). 0 <= c <= n, k >= 1, else ValueError.
    """
    _checked(n, c, k)
    found = _at(n, c, k)
    return None if found is None else float(found)


def pass_hat_k(n: int, c: int, k: int) -> float | None:
    """C(c, k)/C(n, k): the chance that k of n trials are all successes. None when n < k; ranges as above."""
    _checked(n, c, k)
    found = _hat(n, c, k)
    return None if found is None else float(found)


def mean_pass_at_k(
    trials: Sequence[Sequence[bool | int | None]], k: int, *, level: float = 0.95
) -> PassEstimate:
    """pass@k over tasks. `trials[task]` holds an outcome per trial: true or 1, false or 0, None = unknown.

    The estimate's n counts tasks. Interval: t over tasks, within [0, 1]; Wilson's over tasks when fewer
    than five tasks differ from their common value. Undefined: `no_data`, `too_few_trials`.
    """
    return _mean(trials, k, _at, level)


def mean_pass_hat_k(
    trials: Sequence[Sequence[bool | int | None]], k: int, *, level: float = 0.95
) -> PassEstimate:
    """pass^k over tasks, each with its own number of trials; as `mean_pass_at_k`."""
    return _mean(trials, k, _hat, level)


def _mean(
    trials: Sequence[Sequence[bool | int | None]],
    k: int,
    formula: Callable[[int, int, int], Fraction | None],
    level: float,
) -> PassEstimate:
    if k < 1:
        raise ValueError(f"k = {k}")
    if any(outcome not in (0, 1, None) for task in trials for outcome in task):
        raise ValueError("an outcome is true, false or None")
    known = [[bool(outcome) for outcome in task if outcome is not None] for task in trials]
    values = [v for v in (formula(len(task), sum(task), k) for task in known) if v is not None]
    padded = [formula(len(task), sum(map(bool, task)), k) for task in trials]
    harsh = [v for v in padded if v is not None]
    return PassEstimate(
        _over_tasks(values, level) if values else undefined("too_few_trials" if trials else "no_data"),
        k,
        len(values),
        len(trials) - len(values),
        sum(outcome is None for task in trials for outcome in task),
        float(sum(harsh, Fraction(0)) / len(harsh)) if harsh else None,
    )


def _over_tasks(values: Sequence[Fraction], level: float) -> Estimate:
    """The mean of one value in [0, 1] a task, with its interval."""
    n = len(values)
    mean = sum(values, Fraction(0)) / n
    residuals = [float(v - mean) for v in values]
    common = max(values.count(v) for v in set(values))
    found = with_interval(
        float(mean),
        spread(residuals, [1] * n, ()),
        agreement=float(mean),
        scale=1.0,
        n=n,
        n_split=n - common,
        tasks=(),
        level=level,
        interval="hybrid",
    )
    remarks = tuple(word for word in found.remarks if word != "few_disagreements")
    if found.low is None:
        return replace(found, remarks=remarks)
    name = "wilson" if found.interval == "wilson_mapped" else "t_tasks"
    return replace(found, low=max(0.0, found.low), interval=name, remarks=remarks)
