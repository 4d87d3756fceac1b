"""What passing or failing goes with: which benchmarks have parts, their sum, and what is left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reviewer.cli import report_spread
from reviewer.report.spread import Spread, Spreads
from reviewer.stats.estimate import Estimate
from tests.conftest import Ran

Cli = Callable[..., Ran]


def told(reviewer: Cli, folder: Path, runs: Sequence[tuple[str, int, str, bool | None]]) -> tuple[str, Any]:
    """The report on runs (benchmark, task, model, passed): the text, and the parts in the JSON."""
    file = folder / "runs.json"
    values = [
        {
            "task": "t",
            "task_id": f"task-{task}",
            "benchmark": benchmark,
            "model": model,
            **({} if passed is None else {"passed": passed}),
            "attempt": n,
            "trajectory": [{"thought": f"x{n}"}],
        }
        for n, (benchmark, task, model, passed) in enumerate(runs)
    ]
    file.write_text(json.dumps(values))
    assert reviewer("import", file).status == 0
    whole = reviewer("report", "--json")
    assert whole.status == 0, whole.err
    return reviewer("report").out, json.loads(whole.out)["spread"]


def test_hard_tasks_weak_models_and_bad_runs(reviewer: Cli, tmp_path: Path) -> None:
    by_task = [("hard", task, model, task % 2 == 0) for task in range(8) for model in "aabb"]
    by_model = [("weak", task, model, model == "a") for task in range(8) for model in "aabb"]
    by_run = [("bad", task, model, n % 2 == 0) for task in range(8) for n, model in enumerate("aabb")]
    text, found = told(reviewer, tmp_path, [*by_task, *by_model, *by_run])
    assert [one["benchmark"] for one in found] == ["bad", "hard", "weak"]
    largest = {
        one["benchmark"]: max(one["parts"], key=lambda name: one["parts"][name]["share"]) for one in found
    }
    assert largest == {"hard": "task", "weak": "model", "bad": "run"}
    for one in found:
        assert (one["runs"], one["tasks"], one["models"], one["left_out"]) == (32, 8, 2, 0)
        assert sum(part["share"] for part in one["parts"].values()) == pytest.approx(1)
    hard = found[1]["parts"]["task"]
    assert hard["low"] < hard["variance"] < hard["high"] or hard["low"] == hard["variance"]
    lines = text.splitlines()
    head = lines.index("what passing or failing goes with in hard: 32 runs, 8 tasks, 2 models")
    assert lines[head + 2].startswith("the task") and "100 %" in lines[head + 2]
    assert "some tasks are harder than others" in lines[head + 2]
    assert "none seen (below 0 by chance)" in text
    bad = lines.index("what passing or failing goes with in bad: 32 runs, 8 tasks, 2 models")
    assert "the run" in lines[bad + 5] and "by chance above 0.25" in lines[bad + 5]
    assert "no interval: all resamples are alike" in lines[bad + 5]
    assert found == json.loads(reviewer("report", "--json").out)["spread"], "the same draws each time"


def test_what_cannot_be_told_is_counted(reviewer: Cli, tmp_path: Path) -> None:
    once = [("once", task, model, (task + (model == "a")) % 3 == 0) for task in range(9) for model in "ab"]
    unknown = [("once", 1, "a", None), ("once", 1, "", True)]
    small = [("small", task, model, model == "a") for task in range(3) for model in "aabb"]
    apart = [("apart", task, "ab"[task % 2], task < 4) for task in range(9)]
    alike = [("alike", task, model, True) for task in range(8) for model in "aabb"]
    text, found = told(reviewer, tmp_path, [*once, *unknown, *small, *apart, *alike])
    assert [one["benchmark"] for one in found] == ["apart", "once", "small"], (
        "where all pass there is no spread"
    )
    parts = {one["benchmark"]: one["parts"] for one in found}
    assert list(parts["once"]) == ["task", "model", "task_model_and_run"]
    assert parts["apart"]["task"]["undefined"] == "not_crossed" and parts["apart"]["task"]["share"] is None
    assert (
        parts["small"]["task"]["low"] is None
        and "Fewer than five tasks" in parts["small"]["task"]["remarks"][0]
    )
    assert "goes with in once: 18 runs, 9 tasks, 2 models" in text
    assert "left out: 2 runs whose outcome or model is not known" in text
    assert "goes with in small" not in text and "goes with in apart" not in text
    assert "not told of 2 other benchmarks" in text
    assert "nothing to divide in 1 benchmark: all runs passed, or all failed" in text
    assert "not pooled" not in text
    assert json.loads(reviewer("report", "--json").out)["spread_left_out"] == {
        "alike": ["alike"],
        "without_benchmark": 0,
    }


def test_runs_that_name_no_benchmark_are_not_pooled(reviewer: Cli, tmp_path: Path) -> None:
    text, found = told(reviewer, tmp_path, [("", t, m, t % 2 == 0) for t in range(8) for m in "aabb"])
    assert found == []
    assert "goes with: no benchmark has runs enough to tell" in text
    assert "not pooled: 32 runs that name no benchmark" in text
    assert json.loads(reviewer("report", "--json").out)["spread_left_out"]["without_benchmark"] == 32


def test_chance_between_runs_needs_tasks_that_were_run_again(reviewer: Cli, tmp_path: Path) -> None:
    once = [("b", task, model, (task + (model == "a")) % 3 == 0) for task in range(9) for model in "ab"]
    _, (found,) = told(reviewer, tmp_path, [*once, ("b", 0, "a", True)])
    assert list(found["parts"]) == ["task", "model", "task_model_and_run"], "one pair of runs is no part"


def test_one_model_has_the_task_and_the_run(reviewer: Cli, tmp_path: Path) -> None:
    runs = [("one", task, "a", (task + n) % 3 > 0) for task in range(8) for n in range(3)]
    text, (found,) = told(reviewer, tmp_path, runs)
    assert list(found["parts"]) == ["task", "run"]
    assert "24 runs, 8 tasks, 1 model\n" in text


def test_each_part_says_what_keeps_it_from_being_taken_at_its_word(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parts = {
        "task": Estimate(0.0001, -0.0002, 0.0003, 9, "bootstrap_percentile", "", 0.1),
        "model": Estimate(0.1, 0.0, 0.2, 9, "bootstrap_percentile", "", 0.1, ("undefined_replicates",)),
        "task_model": Estimate(-0.25, -0.5, -0.01, 9, "bootstrap_percentile", "", 0.1),
        "run": Estimate(0.5, None, None, 9, "", "", None, ("undefined_replicates",)),
    }
    one = Spread("b", 13, 0, 9, 2, parts, dict.fromkeys(parts, 0.25))
    report_spread.tell(Spreads((one,), (), 1))
    text = capsys.readouterr().out
    lines = {line.split("  ")[0]: line for line in text.splitlines()}
    assert "0.000 to 0.000" in lines["the task"] and "-0.000" not in text
    assert lines["the model"].endswith("; some resamples had no value and were left out")
    assert (
        "its whole interval is below 0" in lines["the two together"] and "by chance" not in lines["the task"]
    )
    assert "above 0.25" in lines["the run"] and "no interval: too few resamples" in lines["the run"]
    assert "not pooled: 1 run that names no benchmark" in text
