"""Where it comes from that some runs pass and others fail: the task, the model, the two together, or the run.

Pure, on the exporters' rows. By benchmark: models that ran other tasks cannot be compared by them, and runs
that name no benchmark are not pooled. A run whose outcome or model nobody knows is left out and counted.
Knows nothing of labels: it says how much of the spread hard tasks, weak models and bad runs can explain, and
not which failure is which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from reviewer.label import LabelledTrace
from reviewer.stats.estimate import Estimate
from reviewer.stats.variance import variance_parts
from reviewer.stats.variance_resampled import FEW, variance_intervals
from reviewer.values import dataclass

SEED, REPLICATES = 1, 2000


@dataclass(frozen=True, slots=True)
class Spread:
    """The parts of the variance of passing (1) and failing (0) in one benchmark; n of each part counts tasks.

    `shares` count a part below 0 as 0, have no interval, and are empty where a part cannot be told.
    """

    benchmark: str
    runs: int
    left_out: int
    tasks: int
    models: int
    parts: Mapping[str, Estimate]
    shares: Mapping[str, float]

    @property
    def told(self) -> bool:
        """Whether there is something to read in it: every part, and tasks enough for intervals."""
        return bool(self.shares) and self.tasks >= FEW


@dataclass(frozen=True, slots=True)
class Spreads:
    """The benchmarks where some runs passed and others failed, and what else is known to have an end.

    `alike` are the benchmarks whose runs all passed or all failed; `unnamed` runs name no benchmark.
    """

    found: tuple[Spread, ...]
    alike: tuple[str, ...]
    unnamed: int


def spreads(rows: Iterable[LabelledTrace]) -> Spreads:
    """The parts in each benchmark, on its runs whose outcome and model are known."""
    groups: dict[str, list[LabelledTrace]] = {}
    for row in rows:
        groups.setdefault(row.info.benchmark, []).append(row)
    unnamed = len(_known(groups.pop("", [])))
    found: list[Spread] = []
    alike: list[str] = []
    for name, group in sorted(groups.items()):
        known = _known(group)
        if len({row.passed for row in known}) > 1:
            found.append(_spread(name, known, len(group) - len(known)))
        elif known:
            alike.append(name)
    return Spreads(tuple(found), tuple(alike), unnamed)


def _known(rows: list[LabelledTrace]) -> list[LabelledTrace]:
    return [row for row in rows if row.passed is not None and row.info.model]


def _spread(benchmark: str, known: list[LabelledTrace], left_out: int) -> Spread:
    tasks = [row.info.task_key for row in known]
    models = [row.info.model for row in known]
    passed = [float(row.passed is True) for row in known]
    parts = variance_parts(tasks, models, passed)
    told = variance_intervals(tasks, models, passed, seed=SEED, replicates=REPLICATES)
    # Chance between runs shows only where a model ran a task again: a few such tasks are too few to judge it.
    again = len({task for (task, _), n in Counter(zip(tasks, models, strict=True)).items() if n > 1})
    several = ("task_model", "run") if again >= FEW else ("task_model_and_run",)
    whole = ("task", "model", *several) if parts.models > 1 else ("task", "run")
    there = {name: max(0.0, value) for name in whole if (value := told[name].value) is not None}
    total = sum(there.values())
    judged = len(there) == len(whole) and (again >= FEW or "run" not in whole)
    return Spread(
        benchmark=benchmark,
        runs=len(known),
        left_out=left_out,
        tasks=parts.tasks,
        models=parts.models,
        parts={name: told[name] for name in whole},
        shares={name: value / total for name, value in there.items()} if total and judged else {},
    )
