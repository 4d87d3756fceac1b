"""What Harbor says of the trial that a trace belongs to: `result.json` and the files beside it.

The reward is the outcome; an exception tells how the run ended, which is another thing. A trial that is not
finished, or was copied in part, has its settings in `config.json` and its reward in `verifier/`. The agent's
own log may lie deep below the trial's folder `agent`. Knows nothing of trajectories.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reviewer.importers.joining.origins import origin_of
from reviewer.importers.joining.reports import load
from reviewer.importers.opening.beside import read_beside
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_score,
    as_str,
    shown,
    span,
    verdict,
)
from reviewer.trace import Ended, Json, Outcome

RESULT, CONFIG, VERIFIER, AGENT = "result.json", "config.json", "verifier", "agent"
REWARDS = ("reward.json", "reward.txt")
STEPS = "steps"  # of a task that has several: a folder each, with `agent` and `verifier` in it
_OF_STEP = ("agent_result", "verifier_result", "exception_info", "agent_execution", "step_results")
_SMALL = 4096
_DEEPEST = 8  # folders between the trial and a log of its agent


@dataclass(frozen=True, slots=True)
class Trial:
    """A trial as its files tell it; `totals` are tokens and cost as Harbor counted them."""

    task: str = ""
    benchmark: str = ""
    model: str = ""
    agent: str = ""
    attempt: int | None = None
    ended: Ended = "unknown"
    started: str = ""
    seconds: float | None = None
    outcomes: tuple[Outcome, ...] = ()
    totals: dict[str, Any] = field(default_factory=dict)
    meta: dict[str, Json] = field(default_factory=dict)


def trial_of(path: Path) -> Trial | None:
    """The trial around a trajectory (`<trial>/agent/trajectory.json`), or beside it."""
    here = path.absolute().parent
    logs = [folder.parent for folder in (here, *list(here.parents)[:_DEEPEST]) if folder.name == AGENT]
    for folder in dict.fromkeys((here, here.parent, *logs)):
        result, config, step = _told(folder)
        if result or config:
            return _trial(folder, result, config, step)
    return None


def is_trial(folder: Path) -> bool:
    """Whether Harbor says what became of the trial (or of its step) in a folder, or how it was set up."""
    return any(_told(folder)[:2])


def _told(folder: Path) -> tuple[dict[str, Any], dict[str, Any], str]:
    """Result and settings of the trial in a folder; both empty where it holds none. A step has its name."""
    result, config = load(folder / RESULT), load(folder / CONFIG)
    if not ("trial_name" in result or "verifier_result" in result):
        result = {}
    if not ("trial_name" in config and ("task" in config or "agent" in config)):
        config = as_dict(result.get("config"))
    if result or config or folder.parent.name != STEPS:
        return result, config, ""
    result, config, _ = _told(folder.parent.parent)
    return result, config, folder.name


def _of_step(result: dict[str, Any], step: str) -> dict[str, Any]:
    """The result of one step, as if it were that of a trial; what the verifier said of all goes beside."""
    steps = map(as_dict, as_list(result.get("step_results")))
    own = next((one for one in steps if as_str(one.get("step_name")) == step), {})
    return {**result, **dict.fromkeys(_OF_STEP), **own, "whole": result.get("verifier_result")}


def _trial(folder: Path, result: dict[str, Any], config: dict[str, Any], step: str) -> Trial:
    result = _of_step(result, step) if step else result
    info = as_dict(as_dict(result.get("agent_info")).get("model_info"))
    provider, name = as_str(info.get("provider")), as_str(info.get("name"))
    failed = as_dict(result.get("exception_info"))
    asked, task = as_dict(config.get("agent")), as_dict(config.get("task"))
    ran = as_dict(result.get("agent_execution"))
    started, seconds = span([ran.get("started_at"), ran.get("finished_at")])
    meta = {
        f"trial.{key}": result[key]
        for key in ("trial_name", "task_id", "started_at", "finished_at", "exception_info")
        if result.get(key)
    }
    if not as_str(result.get("trial_name")) and config.get("trial_name"):
        meta["trial.trial_name"] = config["trial_name"]
    meta |= {"trial.step": step, "trial.verifier_result": result["whole"]} if step else {}
    spent = as_dict(result.get("agent_result"))
    named = as_id(result.get("task_name")) or as_id(result.get("task_id")) or _last(task.get("path"))
    return Trial(
        task=f"{named}/{step}" if named and step else named,
        benchmark=as_str(result.get("source")) or as_str(task.get("source")),
        model=(f"{provider}/{name}" if provider and name else name) or as_str(asked.get("model_name")),
        agent=as_str(as_dict(result.get("agent_info")).get("name")) or as_str(asked.get("name")),
        attempt=as_int(result.get("attempt")),
        ended=ended(as_str(failed.get("exception_type")), bool(failed), bool(ran)),
        started=started,
        seconds=seconds if ran.get("finished_at") else None,
        outcomes=_outcomes(folder, result),
        totals={
            "tokens_in": as_int(spent.get("n_input_tokens")),
            "tokens_out": as_int(spent.get("n_output_tokens")),
            "cost": as_float(spent.get("cost_usd")),
        },
        meta=meta,
    )


def _last(path: Json) -> str:
    """The name of the task's folder."""
    return as_str(path).rstrip("/").rpartition("/")[2]


def ended(exception: str, failed: bool, ran: bool) -> Ended:
    """How the run stopped: by an exception's name; without one the agent stopped on its own."""
    name = exception.lower()
    if not failed:
        return "submitted" if ran else "unknown"
    if "timeout" in name:
        return "timeout" if "agent" in name or "verifier" not in name else "submitted"
    if "limit" in name or "budget" in name or "context" in name:
        return "limit"
    return "user_stop" if "cancel" in name or "interrupt" in name else "error"


def _outcomes(folder: Path, result: dict[str, Any]) -> tuple[Outcome, ...]:
    """The verifier's reward with the tests that failed; the reward file's where it says something else."""
    verified = result.get("verifier_result")
    tests = _tests(load(folder / VERIFIER / "ctrf.json"))
    found = []
    if verified:
        score = _reward(as_dict(as_dict(verified).get("rewards")))
        detail = {"verifier_result": verified, **tests}
        if result.get("step_results"):
            detail["step_results"] = result["step_results"]
        origin = _origin(folder, RESULT)
        found.append(Outcome(verdict(score), as_score(score), detail, origin=origin))
    for name in REWARDS:
        rewards = _written(folder / VERIFIER / name)
        score = as_score(_reward(rewards))
        if score is None or any(outcome.score == score for outcome in found):
            continue
        origin = _origin(folder, f"{VERIFIER}/{name}")
        found.append(Outcome(verdict(score), score, {"rewards": rewards, **tests}, origin=origin))
    if not found and tests:
        origin = _origin(folder, f"{VERIFIER}/ctrf.json")
        found.append(Outcome(detail=tests, origin=origin))
    return tuple(found)


def _origin(folder: Path, name: str) -> str:
    """Named with the job: two of them may have a trial, or a step, of one name."""
    steps = (STEPS, folder.parent.parent.name) if folder.parent.name == STEPS else ()
    return origin_of(folder, name, folder.name, *steps)


def _reward(rewards: dict[str, Any]) -> Json:
    return rewards.get("reward", next(iter(rewards.values())) if len(rewards) == 1 else None)


def _written(path: Path) -> dict[str, Any]:
    """The rewards of a file: an object, or one number."""
    try:
        value = json.loads(read_beside(path, _SMALL) or b"")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {"reward": value}


def _tests(report: dict[str, Any]) -> dict[str, Json]:
    """The tests of a CTRF report: how many there were, and which failed and why."""
    results = as_dict(report.get("results"))
    tests = [as_dict(test) for test in as_list(results.get("tests"))]
    if not tests:
        return {}
    failed = [
        " – ".join(word for word in (shown(test.get("name")), shown(test.get("message"))) if word)
        for test in tests
        if test.get("status") not in ("passed", "skipped", "pending")
    ]
    summary = as_dict(results.get("summary"))
    counts = {key: summary[key] for key in ("tests", "passed", "failed", "skipped") if key in summary}
    return {"tests": counts or {"tests": len(tests)}, **({"failed_tests": failed} if failed else {})}
