"""moatless-tools: state machines (0.1 to 0.3) and search trees (0.4 and later), one run a file.

A tree is one trace: the path that the search would hand in. The other candidates are traces of their own
that follow it, each from the root on; the nodes of the whole tree count in the first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path as FilePath
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.moatless.transitions import Transitions
from reviewer.importers.formats.moatless.tree import Node, Path, nodes_of, paths
from reviewer.importers.joining.origins import origin_of
from reviewer.importers.joining.reports import beside, load
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_list, as_str, shown, span
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import instance, task_of
from reviewer.trace import Ended, Json, Outcome, Trace, TraceInfo

FORMAT = "moatless"
ABOUT = "moatless-tools, 0.1 to 0.4 and later (`trajs/<instance>.json`, `<instance>/trajectory.json`)"
VERSION = 1
GRADER_FIELDS = ("info.resolved", "info.report")
GRADES = "eval_result.json"
IGNORED = {
    "transition_rules": "settings of the state machine",
    "workspace": "where the repository lay",
    "current_transition_id": "the last one",
    "transitions[].snapshot": "which code lay open; the searches and their results are shown",
    "transitions[].state": "settings of the state; its model and its message are read",
    "transitions[].properties": "settings of the state; its model and its message are read",
    "transitions[].previous_state_id": "shown where it is not the one before",
    "transitions[].actions[].completion": "the prompt and the reply once more; model and tokens are read",
    "agent": "settings of the agent; its model is read",
    "selector": "settings of the search",
    "expander": "settings of the search",
    "value_function": "settings of the search",
    "feedback_generator": "settings of the search",
    "discriminator": "settings of the search",
    "repository": "where the repository lay",
    **{
        f"{place}.{name}": why
        for place in ("root", "root.children[]", "nodes[]")
        for name, why in {
            "file_context": "which code lay open; the searches and their results are shown",
            "completions": "the prompts and the replies once more; model and tokens are read",
            "possible_actions": "which actions there were, not what was done with them",
            "max_expansions": "settings of the search",
            "agent_settings": "settings of the search",
            "parent_id": "tells which candidates the tree holds",
            "children": "the candidates, by the same rules",
            "visits": "of the search, in sum",
            "value": "of the search, in sum",
            "action_steps[].observation.properties": "that it failed and why is read",
            "action_steps[].observation.terminal": "tells which leaf ends the run",
            "action_steps[].observation.summary": "the message in short",
            "action_steps[].action.action_args_class": "its last part names the call",
        }.items()
    },
}
_READ = {"transitions", "info", "initial_message", "root", "nodes", "metadata", "instance_id", "name"}


def sniff(source: Source) -> bool:
    """Transitions of named states, or nodes."""
    if source.is_json and isinstance(source.value, list) and _nodes(source.value):
        return True
    return any(map(_is_run, sample(source)))


def _is_run(row: dict[str, Any]) -> bool:
    moves = [move for move in as_list(row.get("transitions"))[:8] if isinstance(move, dict)]
    states = [
        move for move in moves if "name" in move and {"actions", "state", "properties", "id"} & move.keys()
    ]
    return bool(states) or _nodes(row.get("nodes")) or _nodes([row.get("root")]) or _nodes([row])


def _nodes(rows: Json) -> bool:
    """Nodes of a search: they have ids, and actions or children."""
    found = [row for row in as_list(rows)[:8] if isinstance(row, dict) and "node_id" in row]
    return any({"action_steps", "action", "file_context", "completions"} & row.keys() for row in found)


def read(source: Source) -> Iterator[Imported]:
    """Each run of the file."""
    if source.is_json and isinstance(source.value, list) and _nodes(source.value):
        yield from _tree(
            source, Record(0, 0, {"nodes": source.value}, source.text.strip(" \t\r\n")), source.value
        )
        return
    repeats = Repeats(source)
    found = False
    for record in records(source):
        made = None
        if isinstance(record.value.get("transitions"), list):
            made = [_machine(source, record)]
        elif nodes_of(record.value):
            made = _tree(source, record, record.value)
        if made is None:
            source.lose("a row without transitions and without nodes is skipped", record.line)
            continue
        found = True
        kept = list(repeats.once(made[0], record.line))
        yield from [*kept, *made[1:]] if kept else []
    if not found:
        raise InputError(f"{source.path}: no moatless run in it: there are neither transitions nor nodes")


def _machine(source: Source, record: Record) -> Imported:
    value, info = record.value, as_dict(record.value.get("info"))
    moves = Transitions(value["transitions"], lambda why: source.warn(why, record.line))
    task = shown(value.get("initial_message"))
    if task:
        moves.drafts.all.insert(0, Draft("user", ["initial_message"], task))
    if info.get("submission"):
        moves.drafts.add(Draft("system", ["info.submission"], shown(info["submission"]), kind="notice"))
    started, seconds = span(moves.times)
    told = as_float(info.get("duration"))
    about: dict[str, Any] = {
        "task": task,
        "model": moves.model,
        "ended": _ended(as_str(info.get("status")) or moves.last, shown(info.get("error")) or moves.message),
        "n_messages": len(value["transitions"]),
        "n_tool_calls": moves.n_actions,
        "started": started,
        "seconds": seconds if told is None else told,
        **ids(_own(value)),
    }
    return _imported(source, record, about, moves.drafts, record.raw, "")


def _ended(status: str, words: str) -> Ended:
    state = status.lower()
    if state in ("finished", "completed"):
        return "submitted"
    if state in ("rejected", "reject"):
        return "limit" if "max " in words.lower() else "refused"
    return "error" if state in ("error", "failed") else "unknown"


def _tree(source: Source, record: Record, value: Json) -> list[Imported]:
    """The path that counts, then the other candidates."""
    nodes = nodes_of(value)
    found: list[Imported] = []
    ways = paths(nodes)
    for index, way in enumerate(ways):
        path = Path([nodes[place] for place in way])
        leaf = nodes[way[-1]]
        chosen = [nodes[place] for place in (range(len(nodes)) if index == 0 else way)]
        started, seconds = span(node.value.get("timestamp") for node in chosen)
        about: dict[str, Any] = {
            "task": path.task,
            "model": path.model or _model(record.value),
            "ended": _leaf_ended(leaf),
            "n_messages": len(chosen),
            "n_tool_calls": sum(len(node.steps) for node in chosen),
            "started": started,
            "seconds": seconds,
        }
        if index == 0:
            whole = totals(Path(nodes).drafts.steps())
            about |= {key: whole[key] for key in ("tokens_in", "tokens_out", "cost")}
            about |= ids(_own(value))
            raw = record.raw
        else:
            parent = found[0].trace
            # What it has in common with the first stands in the raw record of that one, prompts and all.
            own = [nodes[place].value for place in way if place not in ways[0]]
            about |= ids([parent.info.trace_id, own])
            about |= {"parent_id": parent.info.trace_id, "parent_step": _branch(nodes, ways[0], way, parent)}
            raw = json.dumps(own)
        found.append(_imported(source, record, about, path.drafts, raw, leaf.id, len(ways), index))
    return found


def _branch(nodes: Sequence[Node], main: list[int], way: list[int], parent: Trace) -> str:
    """The step of the main path after which another candidate leaves it."""
    shared = [nodes[place].id for place in way if place in main]
    numbers = {step.number or str(step.n): step.stable_id for step in parent.steps}
    return next((numbers[name] for name in reversed(shared) if name in numbers), "")


def _leaf_ended(leaf: Node) -> Ended:
    if leaf.finished:
        return "submitted"
    if leaf.value.get("error"):
        return "error"
    rejected = any(
        as_str(as_dict(step.get("action")).get("action_args_class")).endswith("RejectArgs")
        for step in leaf.steps
    )
    return "refused" if rejected else "unknown"


def _model(value: dict[str, Any]) -> str:
    """The model as the settings of the agent name it."""
    agent = as_dict(value.get("agent"))
    named = (as_str(as_dict(agent.get(key)).get("model")) for key in ("completion", "completion_model"))
    return next(filter(None, named), "")


def _own(value: Json) -> Json:
    """The record without what a grader wrote."""
    if not isinstance(value, dict) or not isinstance(value.get("info"), dict):
        return value
    info = {key: item for key, item in value["info"].items() if key not in ("resolved", "report")}
    return {**value, "info": info}


def _imported(
    source: Source,
    record: Record,
    about: dict[str, Any],
    drafts: Drafts,
    raw: str,
    leaf: str,
    candidates: int = 1,
    index: int = 0,
) -> Imported:
    value, info = record.value, as_dict(record.value.get("info"))
    data = as_dict(value.get("metadata"))
    folder = source.path.absolute().parent.name
    own = next(filter(None, (as_id(part.get("instance_id")) for part in (info, data, value))), "")
    own = own or instance(source.path.name) or instance(folder)
    task_id, mark = task_of(own, source.path.name, record.index, source.is_json)
    steps = drafts.steps()
    sums = totals(steps)
    cost = as_float(info.get("total_cost")) if index == 0 else None
    meta = {
        key: item
        for key, item in value.items()
        if key not in _READ | _ignored() and item not in (None, [], {})
    }
    meta |= {
        key: item
        for key, item in info.items()
        if key not in ("submission", "instance_id", "resolved", "report")
    }
    meta |= {f"metadata.{key}": item for key, item in data.items() if key != "instance_id"}
    meta |= {"candidates": candidates, "leaf": leaf, "candidate": index + 1} if candidates > 1 else {}
    trace_info = TraceInfo(
        **{**sums, **about, **({} if cost is None else {"cost": cost})},
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index + index,
        task_id=task_id,
        agent=as_str(value.get("name")) or "moatless",
        meta=meta | mark,
    )
    trace = Trace(trace_info, steps, raw)
    return Imported(trace, outcomes=_outcomes(source.path, info, own, leaf, index), ignored=IGNORED)


def _ignored() -> set[str]:
    return {name for name in IGNORED if "." not in name and "[" not in name}


def _outcomes(path: FilePath, info: dict[str, Any], named: str, leaf: str, index: int) -> tuple[Outcome, ...]:
    """What the info says, what `eval_result.json` says of the leaf, what reports say of the instance."""
    found: list[Outcome] = []
    resolved = info.get("resolved")
    if index == 0 and (isinstance(resolved, bool) or info.get("report") is not None):
        passed = resolved if isinstance(resolved, bool) else None
        found.append(
            Outcome(passed, detail={key: info[key] for key in ("resolved", "report") if key in info})
        )
    if leaf:
        here = path.absolute().parent
        grade = as_dict(as_dict(load(here / GRADES).get("node_results")).get(leaf))
        if isinstance(grade.get("resolved"), bool):
            found.append(Outcome(grade["resolved"], detail=grade, origin=origin_of(here, GRADES, named)))
    return (*found, *(beside(path, named) if index == 0 else ()))
