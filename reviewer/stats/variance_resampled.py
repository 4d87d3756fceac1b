"""Intervals of the parts of the spread (`variance.py`), by resampling tasks.

Tasks are drawn with replacement, each with all its runs; models stay as they are: what other tasks would have
given with these very models. A task that is drawn twice is two tasks that happen to be alike: its copies are
compared with the others and not with each other, or the part of the task would come out too small. An end
below 0 is kept, like a part below 0. In 500 simulations the interval of the task's part held the truth in
91 % with 50 tasks and 88 % with 20: that is what percentiles of a variance do. Source: Davison & Hinkley
1997, Bootstrap Methods and their Application, section 3.8.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence

from reviewer.stats.bootstrap import Method, bootstrap
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.variance import VarianceParts, variance_parts

FEW = 5
"""Below so many tasks the spread between them cannot be judged."""
PARTS = ("task", "model", "task_model", "run", "task_model_and_run")

Sums = tuple[float, float, float]  # how many runs, their sum, their sum of squares
Pairs = tuple[float, float]  # how many pairs of runs, the sum of (y - y')^2/2 over them


def variance_intervals(
    tasks: Sequence[Hashable],
    models: Sequence[Hashable],
    outcomes: Sequence[float | None],
    *,
    seed: int,
    replicates: int = 2000,
    level: float = 0.95,
    method: Method = "percentile",
) -> Mapping[str, Estimate]:
    """Each of `PARTS` with its interval; n counts tasks. The data are given as to `variance_parts`."""
    found = variance_parts(tasks, models, outcomes)
    known = [(t, m, y) for t, m, y in zip(tasks, models, outcomes, strict=True) if y is not None]
    drawn = _Tasks(known, found)
    n = found.tasks
    told = {}
    for place, name in enumerate(PARTS):
        value = getattr(found, name)
        if value is None:
            told[name] = undefined(_why(name, found), n)
        elif n < FEW:
            told[name] = Estimate(value, None, None, n, "", "", None, ("few_tasks",))
        else:
            told[name] = bootstrap(
                [1] * n,
                lambda counts, place=place: drawn.parts(counts)[place],  # type: ignore[misc]
                seed=seed,
                replicates=replicates,
                level=level,
                method=method,
            )
    return told


def _why(name: str, found: VarianceParts) -> str:
    """Why a part has no value, as a key of UNDEFINED."""
    if not found.n:
        return "no_data"
    groups = {"task": (found.tasks,), "model": (found.models,), "run": ()}
    if 1 in groups.get(name, (found.tasks, found.models)):
        return "one_group"
    one = min(found.tasks, found.models) == 1
    twice = name == "task_model" and found.task_model_and_run is not None
    return "no_repeats" if name == "run" or one or twice else "not_crossed"


class _Tasks:
    """The runs of each task as sums, so that a resample costs what its cells do."""

    def __init__(self, runs: Sequence[tuple[Hashable, Hashable, float]], found: VarianceParts) -> None:
        middle = sum(y for _, _, y in runs) / len(runs) if runs else 0.0  # nothing cancels away then
        by_task: dict[Hashable, dict[Hashable, list[float]]] = defaultdict(lambda: defaultdict(list))
        for task, model, y in runs:
            by_task[task][model].append(y - middle)
        cells = [{model: _sums(ys) for model, ys in of.items()} for of in by_task.values()]
        self._wholes = [_added(list(of.values())) for of in cells]
        self._cells = [_pooled([_within(one) for one in of.values()]) for of in cells]
        self._tasks = [
            _less(_within(whole), cell) for whole, cell in zip(self._wholes, self._cells, strict=True)
        ]
        self._models: dict[Hashable, list[tuple[int, Sums]]] = defaultdict(list)
        for place, of in enumerate(cells):
            for model, one in of.items():
                self._models[model].append((place, one))
        self._one_model = found.models == 1
        self._known: dict[tuple[int, ...], tuple[float | None, ...]] = {}  # the parts share their draws

    def parts(self, counts: Sequence[int]) -> tuple[float | None, ...]:
        """`PARTS` where each task stands so many times."""
        key = tuple(counts)
        if key not in self._known:
            self._known[key] = self._parts(key)
        return self._known[key]

    def _parts(self, counts: Sequence[int]) -> tuple[float | None, ...]:
        cell = _mean(_weighted(self._cells, counts))
        same_task = _mean(_weighted(self._tasks, counts))
        by_model = _pooled([_between(of, counts) for of in self._models.values()])
        same_model = _mean(by_model)
        if self._one_model:
            return _minus(same_model, cell), None, None, cell, None
        different = _mean(_less(_between(list(enumerate(self._wholes)), counts), by_model))
        both = None
        if same_task is not None and same_model is not None and different is not None:
            both = same_task + same_model - different
        return _minus(different, same_task), _minus(different, same_model), _minus(both, cell), cell, both


def _sums(values: Sequence[float]) -> Sums:
    return float(len(values)), sum(values), sum(y * y for y in values)


def _added(sums: Sequence[Sums]) -> Sums:
    return sum(n for n, _, _ in sums), sum(s for _, s, _ in sums), sum(q for _, _, q in sums)


def _within(one: Sums) -> Pairs:
    n, first, second = one
    return n * (n - 1) / 2, (n * second - first * first) / 2


def _between(tasks: Sequence[tuple[int, Sums]], counts: Sequence[int]) -> Pairs:
    """Pairs of runs of different tasks; copies of one task are none."""
    runs = first = second = own_pairs = own = 0.0
    for place, (n, s, q) in tasks:
        if times := counts[place]:
            runs, first, second = runs + times * n, first + times * s, second + times * q
            own_pairs += times * times * n * n
            own += times * times * (n * q - s * s)
    return (runs * runs - own_pairs) / 2, (runs * second - first * first - own) / 2


def _weighted(pairs: Sequence[Pairs], counts: Sequence[int]) -> Pairs:
    return _pooled(
        [(times * n, times * total) for times, (n, total) in zip(counts, pairs, strict=True) if times]
    )


def _pooled(pairs: Sequence[Pairs]) -> Pairs:
    return sum(n for n, _ in pairs), sum(total for _, total in pairs)


def _less(one: Pairs, two: Pairs) -> Pairs:
    return one[0] - two[0], one[1] - two[1]


def _mean(pairs: Pairs) -> float | None:
    return pairs[1] / pairs[0] if pairs[0] > 0 else None


def _minus(one: float | None, two: float | None) -> float | None:
    return None if one is None or two is None else one - two
