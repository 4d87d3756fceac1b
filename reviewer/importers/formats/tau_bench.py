"""tau-bench results (version 1): one run of one task with a simulated customer, graded by what was done.

The expected actions and outputs stand beside the calls that were made, so that a person can compare. A
reward other than 0 and 1 (forks write composite ones) is a score that leaves open whether it passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.joining import agentrx_truth
from reviewer.importers.opening.values import (
    as_dict,
    as_id,
    as_int,
    as_list,
    as_score,
    as_str,
    dumped,
    kind_of,
    parsed,
    shown,
    verdict,
)
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.entries import Entries
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.label_file import Item
from reviewer.trace import Ended, Json, Outcome, Step, Trace, TraceInfo

FORMAT = "tau_bench"
ABOUT = "τ-bench results, version 1 (`results/*.json`)"
VERSION = 3
# What the grader wrote: the reward, how it came about, and what it was compared with.
GRADER_FIELDS = ("reward", "info.reward_info", "info.task.actions", "info.task.outputs")
IGNORED = {
    "traj[].name": "the tool is named in the call that the message answers",
    "traj[].tool_calls[].type": "always a function",
}
STOP = "###STOP###"
FAILED = "Error:"  # how tau-bench's tools begin where they refuse, and what it puts before what they raise
HAND_OVER = "transfer_to_human_agents"
# `tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0620.json`: how tau-bench names its results.
NAME = re.compile(r"\A(?P<agent>tool-calling|act|react|few-shot)-(?P<model>.+)-\d+(?:\.\d+)?_range_")
DOMAINS = ("retail", "airline")


def sniff(source: Source) -> bool:
    """Objects with a `traj`, and a reward or a trial."""
    return any(_is_run(row) for row in sample(source))


def _is_run(row: dict[str, Any]) -> bool:
    return _has_talk(row) and bool({"reward", "trial"} & row.keys()) and "task_id" in row


def _has_talk(row: dict[str, Any]) -> bool:
    """Whether this is a run: one that crashed before a word was said has null for its talk."""
    return "traj" in row and isinstance(row["traj"], list | None)


def read(source: Source) -> Iterator[Imported]:
    """Each run of the file."""
    repeats = Repeats(source)
    pairs: set[str] = set()
    found = False
    for record in records(source):
        if _has_talk(record.value):
            found = True
            pair = dumped([record.value.get("task_id"), record.value.get("trial")])
            if pair in pairs:
                source.warn("the same task and trial stand in the file more than once", record.line)
            pairs.add(pair)
            yield from repeats.once(_imported(source, record), record.line)
        else:
            source.lose(f"a run is skipped: its traj is {_what(record.value)}, not a list", record.line)
    if not found:
        raise InputError(f"{source.path}: no tau-bench run in it: no object with a list `traj`")


def _what(value: dict[str, Any]) -> str:
    return kind_of(value["traj"]) if "traj" in value else "missing"


def _imported(source: Source, record: Record) -> Imported:
    value, info = record.value, as_dict(record.value.get("info"))
    traj = as_list(value["traj"])
    task = as_dict(info.get("task"))
    entries = Entries([_message(item) for item in traj], lambda why: source.warn(why, record.line))
    _crash(entries, info)
    steps = tuple(_numbered(step) for step in entries.drafts.steps())
    calls = [call for step in steps for call in step.calls]
    agent, model = _named(source.path.name)
    named = as_id(value.get("task_id"))
    task_id, mark = task_of(named, source.path.name, record.index, alone=False)
    about = TraceInfo(
        **ids(_own(value)),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=_benchmark(source, value),
        task_id=task_id,
        task=as_str(task.get("instruction")) or entries.task,
        model=as_str(value.get("model")) or model,
        agent=agent,
        attempt=as_int(value.get("trial")),
        ended=_ended(steps, info),
        n_messages=len(traj),
        n_tool_calls=len(calls),
        **totals(steps),
        meta=_meta(value, info, task) | mark,
    )
    made = [{"name": call.name, "kwargs": _arguments(call.arguments)} for call in calls]
    labels = _labels(source, traj, about, steps)
    return Imported(Trace(about, steps, record.raw), labels, _outcomes(value, made), IGNORED)


def _labels(source: Source, traj: list[Json], about: TraceInfo, steps: tuple[Step, ...]) -> tuple[Item, ...]:
    """People's labels of runs that AgentRx took over: it numbers the messages and names runs by task."""
    numbers = {
        as_dict(message).get("index"): place
        for place, message in enumerate(traj)
        if as_id(as_dict(message).get("index"))
    }
    if not numbers:
        return ()
    entry = agentrx_truth.of(source.path, about.task_id, source.warn)
    return agentrx_truth.labels(entry, about, steps, source.warn, lambda number: numbers.get(number, -1))


def _message(message: Json) -> Json:
    """A message without the empty fields that every writer adds; a tool that failed is marked."""
    if not isinstance(message, dict):
        return message
    kept = {key: item for key, item in message.items() if item is not None and item != []}
    failed = kept.get("role") == "tool" and as_str(kept.get("content")).startswith(FAILED)
    return {**kept, "error": True} if failed else kept


def _crash(entries: Entries, info: dict[str, Any]) -> None:
    """What stopped a run that crashed, as its last step."""
    words = [shown(info[key]) for key in ("error", "traceback") if info.get(key)]
    if words:
        entries.drafts.add(Draft("system", ["info.error"], "\n\n".join(words), kind="notice", fault=True))


def _numbered(step: Step) -> Step:
    """The source's own numbers (`index`, in copies that have them) as the number of the step."""
    extra = dict(step.extra)
    numbers = [extra.pop("index", None)]
    for key in [key for key in extra if key.startswith("result #")]:
        kept = dict(as_dict(extra[key]))
        numbers.append(kept.pop("index", None))
        if kept:
            extra[key] = kept
        else:
            del extra[key]
    known = [number for number in map(as_int, numbers) if number is not None]
    if not known:
        return step
    first, last = min(known), max(known)
    number = str(first) if first == last else f"{first}–{last}"
    return replace(step, extra=extra, number="" if number == str(step.n) else number)


def _own(value: dict[str, Any]) -> dict[str, Json]:
    """The record without what the grader wrote."""
    own = {key: item for key, item in value.items() if key != "reward"}
    if isinstance(own.get("info"), dict):
        info = {key: item for key, item in own["info"].items() if key != "reward_info"}
        if isinstance(info.get("task"), dict):
            info["task"] = {
                key: item for key, item in info["task"].items() if key not in ("actions", "outputs")
            }
        own["info"] = info
    return own


def _named(name: str) -> tuple[str, str]:
    """Agent and model from the file's name, the only place that has them."""
    found = NAME.match(name)
    return (found["agent"], found["model"]) if found else ("", "")


def _benchmark(source: Source, value: dict[str, Any]) -> str:
    """tau-bench, with its domain where the policy or the file's name tells it."""
    policy = as_str(as_dict(next(iter(as_list(value["traj"])), None)).get("content"))[:200].lower()
    for domain in DOMAINS:
        if (
            f"{domain} agent policy" in policy
            or f"{domain} policy" in policy
            or domain in source.path.name.lower()
        ):
            return f"tau-bench {domain}"
    return "tau-bench"


def _ended(steps: tuple[Step, ...], info: dict[str, Any]) -> Ended:
    """The customer says stop, or the agent hands over; anything else is not told by the file."""
    if info.get("error") or info.get("traceback"):
        return "error"
    last = steps[-1] if steps else None
    if last is None:
        return "unknown"
    if last.source == "user" and STOP in last.message:
        return "user_stop"
    return "submitted" if any(call.name == HAND_OVER for call in last.calls) else "unknown"


def _outcomes(value: dict[str, Any], made: list[Json]) -> tuple[Outcome, ...]:
    info = as_dict(value.get("info"))
    task = as_dict(info.get("task"))
    expected = {key: task[key] for key in ("actions", "outputs") if task.get(key) is not None}
    reward, graded = value.get("reward"), info.get("reward_info")
    if reward is None and graded is None and not expected:
        return ()
    score = as_score(reward)
    odd = {"reward": reward} if reward is not None and score is None else {}
    detail = {**odd, **({"reward_info": graded} if graded is not None else {})}
    final: dict[str, Json] = {}
    if isinstance(expected.get("actions"), list):
        final["actions"] = aligned(expected["actions"], made)
    found = as_dict(as_dict(graded).get("info")).get("outputs")
    if isinstance(found, dict) and isinstance(expected.get("outputs"), list):
        final["outputs"] = [output for output in expected["outputs"] if found.get(shown(output)) is True]
    elif "outputs" in expected:  # nobody looked for them: no state to compare with
        outputs = expected.pop("outputs")
        detail |= {"expected_outputs": outputs} if outputs else {}
    return (Outcome(verdict(reward), score, detail or None, final or None, expected or None),)


def aligned(expected: list[Json], made: list[Json]) -> list[Json]:
    """The calls made, in the places of the actions expected: null where it was never made, others after.

    So a comparison by position shows what is missing and what was done besides; the order in which it was
    done stands in the steps.
    """
    left = list(made)
    found: list[Json] = []
    for action in expected:
        wanted = {"name": as_dict(action).get("name"), "kwargs": as_dict(action).get("kwargs")}
        if wanted in left:
            left.remove(wanted)
            found.append(action)
        else:
            found.append(None)
    return [*found, *left]


def _arguments(arguments: Json) -> Json:
    value = parsed(arguments)
    return arguments if value is None else value


def _meta(value: dict[str, Any], info: dict[str, Any], task: dict[str, Any]) -> dict[str, Json]:
    known = {"task_id", "reward", "info", "traj", "trial", "model"}
    meta = {key: item for key, item in value.items() if key not in known and item not in (None, {})}
    meta |= {
        key: item for key, item in info.items() if key not in ("task", "reward_info", "error", "traceback")
    }
    meta |= {
        f"task.{key}": item for key, item in task.items() if key not in ("instruction", "actions", "outputs")
    }
    if value.get("trial") is not None and as_int(value["trial"]) is None:
        meta["trial"] = value["trial"]
    return meta
