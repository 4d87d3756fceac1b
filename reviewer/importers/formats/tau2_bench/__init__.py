"""tau2-bench results: simulations of a customer and an agent that may both call tools, with their grades.

One file holds the run, its tasks and all simulations; or `results.json` holds run and tasks and each
simulation has a file of its own in `simulations/`, which is then the trace file and is joined with it.
A simulation is the record: what it is compared with stands in the task, what graded it in `reward_info`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.tau2_bench.grades import outcomes
from reviewer.importers.formats.tau2_bench.ignored import IGNORED
from reviewer.importers.formats.tau2_bench.messages import Talk
from reviewer.importers.formats.tau2_bench.ticks import spoken
from reviewer.importers.joining.reports import load
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_id,
    as_int,
    as_list,
    as_str,
    dumped,
    iso,
    shown,
)
from reviewer.importers.shapes.records import records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Step, Trace, TraceInfo

FORMAT = "tau2_bench"
ABOUT = "τ²-bench results (`data/simulations/*.json`, or `results.json` with `simulations/<id>.json`)"
VERSION = 1
STREAMS = ("simulations",)
# What graded the simulation: the benchmark's checks and the reviews of a model.
GRADER_FIELDS = (
    "reward_info",
    "review",
    "user_only_review",
    "auth_classification",
    "hallucination_check",
    "reward",
    "passed",
)
ENDS: dict[str, Ended] = {
    "user_stop": "user_stop",
    "agent_stop": "submitted",
    "max_steps": "limit",
    "context_window_exceeded": "limit",
    "timeout": "timeout",
    "too_many_errors": "error",
    "agent_error": "error",
    "user_error": "error",
    "infrastructure_error": "error",
    "unexpected_error": "error",
}
STOPS = ("###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###")
DOMAINS = ("retail", "airline", "telecom", "banking_knowledge")
# What tells a simulation from any other object with messages and the id of a task.
MARKS = {"termination_reason", "reward_info", "agent_cost", "user_cost", "seed", "ticks"}
READ = {
    "id",
    "task_id",
    "trial",
    "timestamp",
    "start_time",
    "end_time",
    "duration",
    "agent_cost",
    "messages",
    "ticks",
    "policy",
    *GRADER_FIELDS,
}


@dataclass(frozen=True, slots=True)
class Run:
    """What all simulations of a run share: the settings, and the tasks by their ids."""

    info: dict[str, Any] = field(default_factory=dict)
    wrapper: dict[str, Any] = field(default_factory=dict)
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def agent(self) -> dict[str, Any]:
        return as_dict(self.info.get("agent_info"))

    @property
    def user(self) -> dict[str, Any]:
        return as_dict(self.info.get("user_info"))

    @property
    def environment(self) -> dict[str, Any]:
        return as_dict(self.info.get("environment_info"))


@dataclass(frozen=True, slots=True)
class Simulation:
    """One simulation: its place in the file, its line (0: no JSON Lines), the record and its text."""

    index: int
    line: int
    value: dict[str, Any]
    raw: str


def sniff(source: Source) -> bool:
    """An object with simulations, or single simulations."""
    return any(_is_results(row) or _is_simulation(row) for row in sample(source))


def _is_results(row: dict[str, Any]) -> bool:
    some = [as_dict(item) for item in as_list(row.get("simulations"))[:40]]
    return any(_has_talk(item) or {"termination_reason", "task_id"} <= item.keys() for item in some)


def _is_simulation(row: dict[str, Any]) -> bool:
    return "task_id" in row and _has_talk(row) and bool(MARKS & row.keys())


def _has_talk(value: Json) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(key), list) for key in ("messages", "ticks"))


def read(source: Source) -> Iterator[Imported]:
    """Each simulation of the file."""
    repeats = Repeats(source)
    pairs: set[str] = set()
    found = False
    for run, simulation in _simulations(source):
        value = simulation.value
        if not ({"messages", "ticks"} & value.keys()):
            source.lose("a simulation is skipped: it has neither messages nor ticks", simulation.line)
            continue
        found = True
        pair = dumped([value.get("task_id"), value.get("trial")])
        if pair in pairs and value.get("trial") is not None:
            source.warn("the same task and trial stand in the file more than once", simulation.line)
        pairs.add(pair)
        yield from repeats.once(_imported(source, run, simulation), simulation.line)
    if not found:
        raise InputError(f"{source.path}: no tau2-bench simulation in it: none has messages or ticks")


def _simulations(source: Source) -> Iterator[tuple[Run, Simulation]]:
    """The simulations of results, and those that stand for themselves, each with its run."""
    beside: Run | None = None
    for record in records(source):
        listed = record.value.get("simulations")
        if not isinstance(listed, list):
            if beside is None:
                beside = _beside(source)
            yield beside, Simulation(record.index, record.line, record.value, record.raw)
            continue
        run = _run(record.value)
        every = source.each("simulations") if isinstance(source.value, dict) else listed
        for index, value in enumerate(every):
            if isinstance(value, dict):
                yield run, Simulation(index, record.line, value, json.dumps(value))
            else:
                source.lose("a simulation that is no object is skipped", record.line)


def _run(value: dict[str, Any]) -> Run:
    wrapper = {key: item for key, item in value.items() if key not in ("info", "tasks", "simulations")}
    tasks = {as_id(as_dict(task).get("id")): as_dict(task) for task in as_list(value.get("tasks"))}
    return Run(as_dict(value.get("info")), wrapper, tasks)


def _beside(source: Source) -> Run:
    """The `results.json` of a simulation that lies in a file of its own."""
    here = source.path.absolute().parent
    for folder in (here.parent, here):
        value = load(folder / "results.json")
        if isinstance(value.get("tasks"), list) and isinstance(value.get("info"), dict):
            return _run(value)
    source.warn("no results.json of the run lies beside it: task, model and policy are not known")
    return Run()


def _imported(source: Source, run: Run, simulation: Simulation) -> Imported:
    value = simulation.value
    named = as_id(value.get("task_id"))
    task = run.tasks.get(named, {})

    def warn(reason: str) -> None:
        source.warn(reason, simulation.line)

    talk = Talk(as_str(value.get("policy")) or as_str(run.environment.get("policy")), warn)
    messages, ticks = as_list(value.get("messages")), as_list(value.get("ticks"))
    talk.add(messages or spoken(ticks, warn))
    steps = talk.drafts.steps()
    agents = totals([step for step in steps if step.source == "agent"])
    cost = as_float(value.get("agent_cost"))
    task_id, mark = task_of(named, source.path.name, simulation.index, alone=False)
    info = TraceInfo(
        **ids({key: item for key, item in value.items() if key not in GRADER_FIELDS}),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=simulation.index,
        benchmark=_benchmark(source.path, run),
        task_id=task_id,
        task=_task(run, task, talk) or talk.task,
        model=as_str(run.agent.get("llm")) or _named(run.wrapper.get("model")) or _named(value.get("model")),
        agent=as_str(run.agent.get("implementation")) or _named(run.wrapper.get("agent")),
        attempt=as_int(value.get("trial")),
        ended=ended(value, steps),
        n_messages=len(messages or ticks),
        n_tool_calls=sum(len(step.calls) for step in steps),
        **totals(steps)
        | {key: agents[key] for key in ("tokens_in", "tokens_out", "cost")}
        | ({} if cost is None else {"cost": cost}),
        started=iso(value.get("start_time")) or iso(value.get("timestamp")),
        seconds=as_float(value.get("duration")),
        meta=_meta(run, task, value) | mark,
    )
    return Imported(
        Trace(info, steps, simulation.raw), outcomes=outcomes(value, task, steps), ignored=IGNORED
    )


def _named(value: Json) -> str:
    """A name, also where it stands in an object that describes the thing."""
    return as_str(value) or as_str(as_dict(value).get("llm") or as_dict(value).get("name"))


def _benchmark(path: Path, run: Run) -> str:
    """tau2-bench, with its domain where the run or the file's name tells it."""
    domain = as_str(run.environment.get("domain_name")) or as_str(run.wrapper.get("domain"))
    domain = domain or next((name for name in DOMAINS if name in path.name.lower()), "")
    return f"tau2-bench {domain}".strip()


def _task(run: Run, task: dict[str, Any], talk: Talk) -> str:
    """What the simulated customer was told to want; the ticket where there is no customer."""
    spoke = any(draft.source == "agent" for draft in talk.drafts.all)
    alone = run.user.get("implementation") == "dummy_user" or (spoke and not talk.has_user)
    if alone and isinstance(task.get("ticket"), str):
        return str(task["ticket"])
    scenario = task.get("user_scenario")
    given = as_dict(scenario).get("instructions", scenario)
    if not isinstance(given, dict):
        return shown(given)
    told = ("reason_for_call", "known_info", "unknown_info", "task_instructions")
    parts = [shown(given[key]) for key in told if given.get(key)]
    parts += [f"{key}: {shown(item)}" for key, item in given.items() if item and key not in ("domain", *told)]
    return "\n\n".join(part.strip() for part in parts)


def ended(value: dict[str, Any], steps: tuple[Step, ...]) -> Ended:
    """By the reason given; without one, a customer or agent who says stop."""
    if reason := as_str(value.get("termination_reason")):
        return ENDS.get(reason.rpartition(".")[2].lower(), "unknown")
    last = steps[-1] if steps else None
    if last is None or not any(word in last.message for word in STOPS):
        return "unknown"
    return "user_stop" if last.source == "user" else "submitted"


def _meta(run: Run, task: dict[str, Any], value: dict[str, Any]) -> dict[str, Json]:
    """The rest of the simulation, and what of the run and the task tells why it went as it went."""
    meta = {key: item for key, item in value.items() if key not in READ and item not in (None, {}, [])}
    meta |= {"simulation_id": value["id"]} if value.get("id") else {}
    if value.get("trial") is not None and as_int(value["trial"]) is None:
        meta["trial"] = value["trial"]
    if value.get("duration") is None and value.get("end_time"):
        meta["end_time"] = value["end_time"]
    for key in ("git_commit", "max_steps", "max_errors", "speech_complexity", "retrieval_config"):
        if run.info.get(key) is not None:
            meta[f"run.{key}"] = run.info[key]
    for key in ("implementation", "llm", "persona_config"):
        if run.user.get(key):
            meta[f"user.{key}"] = run.user[key]
    scenario = as_dict(task.get("user_scenario"))
    kept = {**{key: task.get(key) for key in ("description", "ticket", "initial_state")}, **scenario}
    kept |= {
        key: item
        for key, item in task.items()
        if key not in ("id", "user_scenario", "evaluation_criteria", *kept)
    }
    kept.pop("instructions", None)
    return meta | {f"task.{key}": item for key, item in kept.items() if item}
