"""`report`, its last part: how much of passing and failing goes with the task, the model and the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewer.cli import out
from reviewer.counting import count
from reviewer.report.spread import Spread, Spreads
from reviewer.stats.estimate import Estimate, explain
from reviewer.trace import Json

_MEANS = {
    "task": ("the task", "some tasks are harder than others"),
    "model": ("the model", "some models are weaker than others"),
    "task_model": ("the two together", "a task is hard for one model and not for another"),
    "run": ("the run", "the same model at the same task, again"),
    "task_model_and_run": ("the two together, and the run", "not to be told apart without repeated runs"),
}
BY_CHANCE = "below 0 by chance"
MOST = 0.25  # the variance of a coin
_HEAD = ("it goes with", "part", "variance", "95 %", "that is")


def tell(whole: Spreads) -> None:
    """A table a benchmark that has something to read, and what there is no table of."""
    shown = [one for one in whole.found if one.told]
    for one in shown:
        told = f"{count(one.runs, 'run')}, {count(one.tasks, 'task')}, {count(one.models, 'model')}"
        out.show()
        out.show_line(f"what passing or failing goes with in {one.benchmark}: {told}")
        out.table([_row(name, part, one.shares[name]) for name, part in one.parts.items()], _HEAD)
        if one.left_out:
            out.show(f"left out: {count(one.left_out, 'run')} whose outcome or model is not known")
    if lines := list(_others(whole, len(whole.found) - len(shown), "other " * bool(shown))):
        out.show("" if shown else "\nwhat passing or failing goes with: no benchmark has runs enough to tell")
        for line in lines:
            out.show(line)


def _others(whole: Spreads, few: int, other: str) -> Iterator[str]:
    if few:
        yield (
            f"not told of {count(few, f'{other}benchmark')}: below five tasks, or too few that two models, "
            "or one twice, ran"
        )
    if whole.alike:
        yield f"nothing to divide in {count(len(whole.alike), 'benchmark')}: all runs passed, or all failed"
    if whole.unnamed:
        yield f"not pooled: {count(whole.unnamed, 'run', 'that names', 'that name')} no benchmark"


def _row(name: str, part: Estimate, share: float) -> Sequence[str]:
    called, means = _MEANS[name]
    return (
        *(called, f"{100 * share:.0f} %", out.number(part.value, 3), out.between(part.low, part.high, 3)),
        "; ".join([means, *_remarks(name, part)]),
    )


def _remarks(name: str, part: Estimate) -> Iterator[str]:
    """What keeps a part from being taken at its word."""
    if part.value is not None and part.value < 0:
        below = part.high is not None and part.high < 0
        yield f"none seen ({'its whole interval is below 0, where no part can lie' if below else BY_CHANCE})"
    if name == "run" and part.value is not None and part.value > MOST:
        yield f"by chance above {MOST}, the most that pass and fail can vary"
    if part.low is None:
        gone = "undefined_replicates" in part.remarks
        yield f"no interval: {'too few resamples had a value' if gone else 'all resamples are alike'}"
    else:
        yield from (explain(word)[0].lower() + explain(word)[1:].rstrip(".") for word in part.remarks)


def left_out(whole: Spreads) -> Json:
    """What is in no part: benchmarks whose runs all ended alike, runs that name no benchmark."""
    return {"alike": list(whole.alike), "without_benchmark": whole.unnamed}


def record(found: Sequence[Spread]) -> Json:
    return [
        {
            "benchmark": one.benchmark,
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
