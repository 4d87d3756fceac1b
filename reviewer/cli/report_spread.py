"""`report`, its last part: how much of passing and failing goes with the task, the model and the run."""

from __future__ import annotations

from collections.abc import Sequence

from reviewer.cli import out
from reviewer.report.spread import Spread
from reviewer.stats.estimate import Estimate, explain
from reviewer.study.coding_files import count
from reviewer.trace import Json

_MEANS = {
    "task": ("the task", "some tasks are harder than others"),
    "model": ("the model", "some models are weaker than others"),
    "task_model": ("the two together", "a task is hard for one model and not for another"),
    "run": ("the run", "the same model at the same task, again"),
    "task_model_and_run": ("the two together, and the run", "not to be told apart without repeated runs"),
}
_HEAD = ("it goes with", "part", "variance", "95 %", "that is")


def tell(found: Sequence[Spread]) -> None:
    """A table a benchmark that has something to read, and how many others there are."""
    shown = [one for one in found if one.told]
    for one in shown:
        where = f" in {one.benchmark}" if one.benchmark else ""
        told = f"{count(one.runs, 'run')}, {count(one.tasks, 'task')}, {count(one.models, 'model')}"
        out.show()
        out.show_line(f"what passing or failing goes with{where}: {told}")
        out.table([_row(name, part, one.shares[name]) for name, part in one.parts.items()], _HEAD)
        if one.left_out:
            out.show(f"left out: {count(one.left_out, 'run')} whose outcome or model is not known")
    if shown and len(found) > len(shown):
        others = count(len(found) - len(shown), "other benchmark")
        out.show(f"\nnot told of {others}: below five tasks, or none that two models, or one twice, ran")


def _row(name: str, part: Estimate, share: float) -> Sequence[str]:
    called, means = _MEANS[name]
    between = "-" if part.low is None or part.high is None else f"{part.low:.3f} to {part.high:.3f}"
    below = part.value is not None and part.value < 0
    means += "; none seen (below 0 by chance)" * below
    return called, f"{100 * share:.0f} %", out.number(part.value, 3), between, means


def record(found: Sequence[Spread]) -> Json:
    return [
        {
            "benchmark": one.benchmark or None,
            "runs": one.runs,
            "left_out": one.left_out,
            "tasks": one.tasks,
            "models": one.models,
            "parts": {
                name: {
                    "variance": part.value,
                    "share": one.shares.get(name),
                    "low": part.low,
                    "high": part.high,
                    "interval": part.interval or None,
                    "undefined": part.undefined or None,
                    "remarks": [explain(word) for word in part.remarks],
                }
                for name, part in one.parts.items()
            },
        }
        for one in found
    ]
