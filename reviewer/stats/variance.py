"""Where the spread of outcomes comes from: the task, the model, the two together, or the run.

Y = mean + task + model + task x model + run. Means of (y - y')^2/2 over pairs of runs of the same cell, the
same task, the same model or neither give the four parts in closed form, missing cells or not; equal to the
analysis of variance when balanced. Source: Koch 1967, Technometrics 9:93-118 (symmetric sums).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Moments = tuple[int, Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class VarianceParts:
    """Moment estimates; one can be negative (show 0, keep the figure: `clipped` names such parts).

    None where the data cannot tell: `task` with one task, `model` and `task_model` with one model, `run`
    and `task_model` without repeated runs (then `task_model_and_run` holds their sum). `undefined` is
    the reason word for the first of these. For 0/1 outcomes `run` is the mean of p(1 - p). `unknown` runs had
    no outcome and were left out; `n` counts the others.
    """

    task: float | None
    model: float | None
    task_model: float | None
    run: float | None
    task_model_and_run: float | None
    n: int
    tasks: int
    models: int
    clipped: tuple[str, ...]
    undefined: str
    unknown: int = 0


def _grouped(keys: Iterable[Hashable], values: Sequence[Fraction]) -> list[Moments]:
    """Count, sum and sum of squares of each group."""
    groups: dict[Hashable, list[Fraction]] = {}
    for key, value in zip(keys, values, strict=True):
        groups.setdefault(key, []).append(value)
    return [(len(g), sum(g, Fraction(0)), sum((v * v for v in g), Fraction(0))) for g in groups.values()]


def _pairs(groups: Iterable[Moments]) -> tuple[int, Fraction]:
    """Pairs of runs within the groups, and the sum of (y - y')^2/2 over them."""
    pairs, total = 0, Fraction(0)
    for n, first, second in groups:
        pairs += n * (n - 1) // 2
        total += (n * second - first * first) / 2
    return pairs, total


def variance_parts(
    tasks: Sequence[Hashable], models: Sequence[Hashable], outcomes: Sequence[float | None]
) -> VarianceParts:
    """One task, model and outcome (None = unknown) per run; any finite outcomes.

    ValueError when lengths differ or an outcome is no finite number.
    """
    if len({len(tasks), len(models), len(outcomes)}) > 1:
        raise ValueError("tasks, models and outcomes need one value per run")
    if any(y is not None and not (isinstance(y, int | float) and math.isfinite(y)) for y in outcomes):
        raise ValueError("an outcome is a finite number or None")
    runs = [
        (task, model, Fraction(y))
        for task, model, y in zip(tasks, models, outcomes, strict=True)
        if y is not None
    ]
    unknown = len(outcomes) - len(runs)
    tasks, models = [task for task, _, _ in runs], [model for _, model, _ in runs]
    values = [y for _, _, y in runs]
    n_tasks, n_models = len(set(tasks)), len(set(models))
    cell = _pairs(_grouped(zip(tasks, models, strict=True), values))
    by_task = _pairs(_grouped(tasks, values))
    by_model = _pairs(_grouped(models, values))
    whole = _pairs(_grouped((0 for _ in values), values))
    same_cell = _mean(cell)
    same_task = _mean(_minus(by_task, cell))
    same_model = _mean(_minus(by_model, cell))
    different = _mean(_minus(_minus(whole, by_task), _minus(by_model, cell)))
    parts: dict[str, Fraction | None] = {"run": same_cell}
    both: Fraction | None = None
    if n_models == 1:
        parts["task"] = _less(same_model, same_cell)
    elif n_tasks == 1:
        parts["model"] = _less(same_task, same_cell)
    else:
        parts["task"] = _less(different, same_task)
        parts["model"] = _less(different, same_model)
        if same_task is not None and same_model is not None and different is not None:
            both = same_task + same_model - different
        parts["task_model"] = _less(both, same_cell)
    floats = {name: None if part is None else float(part) for name, part in parts.items()}
    reason = ""
    if same_cell is None:
        reason = "no_repeats" if values else "no_data"
    elif min(n_tasks, n_models) == 1:
        reason = "one_group"
    return VarianceParts(
        task=floats.get("task"),
        model=floats.get("model"),
        task_model=floats.get("task_model"),
        run=floats["run"],
        task_model_and_run=None if both is None else float(both),
        n=len(values),
        tasks=n_tasks,
        models=n_models,
        clipped=tuple(name for name, part in parts.items() if part is not None and part < 0),
        undefined=reason,
        unknown=unknown,
    )


def _mean(part: tuple[int, Fraction]) -> Fraction | None:
    return part[1] / part[0] if part[0] else None


def _minus(one: tuple[int, Fraction], two: tuple[int, Fraction]) -> tuple[int, Fraction]:
    return one[0] - two[0], one[1] - two[1]


def _less(one: Fraction | None, two: Fraction | None) -> Fraction | None:
    return None if one is None or two is None else one - two
