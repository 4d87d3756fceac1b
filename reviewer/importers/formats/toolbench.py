"""ToolBench answers: a search for a chain of API calls, and the chain that was taken from it.

The chain is the trace; the other tries (leaves of the tree, or repeated chains) are traces of their own that
follow it. Of the lists of training messages the longest is the whole chain, the others are its beginnings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.values import as_dict, as_int, as_list, as_str, dumped, kind_of, parsed, shown
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.entries import Entries
from reviewer.importers.shapes.records import Record, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import task_of
from reviewer.trace import Ended, Json, Result, ToolCall, Trace, TraceInfo

FORMAT = "toolbench"
ABOUT = "ToolBench answers (`data/answer/<group>/<query>_<method>.json`)"
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()  # its judges write files of their own
_NODE = {
    "Elo": "a rank within the search",
    "is_terminal": "tells which nodes are leaves",
    "depth": "the place in the tree tells",
    "child_count": "the children themselves tell",
    "expand_num": "of the search, in sum",
    "io_state": "the state of the environment, empty",
    "observation_code": "what the observation says as a number",
    "observation": "shown in the other tries; of the chain that was taken the messages hold it too",
    "node_type": "tells thoughts, calls and their inputs apart",
    "finished": "the last call tells",
    "pruned": "shown where it is so",
    "children": "leaves have none",
}
IGNORED = {
    "answer_generation.function": "which tools there were, not what was done with them",
    "answer_generation.chain": "the chain once more; its messages are read",
    "answer_generation.train_messages": "beginnings of the chain; the longest of them is read",
    "compare_candidates": "of the search",
    "trys[].win": "the last call of the try tells",
    **{
        f"{place}{name}": why
        for place in (
            "tree.tree.",
            *(f"tree.tree{'.children[]' * n}." for n in range(1, 24)),
            "trys[].chain[].",
        )
        for name, why in _NODE.items()
    },
}
_READ = {"answer_generation", "tree", "trys", "compare_candidates", "forward_args"}
# `10_ChatGPT_DFS_woFilter_w2.json`
_NAME = re.compile(r"\A\d+_(?P<model>.+?)_(?:DFS|CoT|BFS|ReACT)", re.IGNORECASE)
_FINISH = "Finish"
_ENDS: dict[str, Ended] = {"give_answer": "submitted", "give_up": "refused"}


def sniff(source: Source) -> bool:
    """Objects with an answer that was generated: training messages, or how it finished."""
    return any(map(_is_answer, sample(source)))


def _is_answer(row: dict[str, Any]) -> bool:
    answer = row.get("answer_generation")
    return isinstance(answer, dict) and bool({"train_messages", "finish_type", "valid_data"} & answer.keys())


def read(source: Source) -> Iterator[Imported]:
    """Each answer of the file, followed by the other tries of its search."""
    repeats = Repeats(source)
    found = False
    for record in records(source):
        answer = record.value.get("answer_generation")
        if not isinstance(answer, dict):
            source.lose(
                f"a row is skipped: its answer_generation is {kind_of(answer)}, not an object", record.line
            )
            continue
        found = True
        made = _answer(source, record, answer)
        kept = list(repeats.once(made[0], record.line))
        yield from [*kept, *made[1:]] if kept else []
    if not found:
        raise InputError(f"{source.path}: no ToolBench answer in it: no object `answer_generation`")


def _answer(source: Source, record: Record, answer: dict[str, Any]) -> list[Imported]:
    """The chain that was taken, then the other tries."""
    value = record.value
    messages: list[Json] = max(
        (as_list(chain) for chain in as_list(answer.get("train_messages"))), key=len, default=[]
    )
    chains = _tries(value)
    query = shown(answer.get("query"))
    if messages:
        entries = Entries(
            [_message(message) for message in messages], lambda why: source.warn(why, record.line)
        )
        drafts, n_messages = _flagged(entries.drafts), len(messages)
        task = query or entries.task
    else:
        chosen = max(chains, key=_rank, default=[])
        chains = [chain for chain in chains if chain is not chosen]
        drafts, task = _steps(chosen, query), query
        n_messages = _spoken(drafts)
    steps = drafts.steps()
    about: dict[str, Any] = {
        **ids(value),
        "task": task,
        "ended": _ENDS.get(as_str(answer.get("finish_type"))) or _limit(value, answer),
        "n_messages": n_messages,
        "n_tool_calls": sum(len(step.calls) for step in steps),
    }
    main = _imported(source, record, about, drafts, record.raw, _meta(value, answer))
    taken = [(_called(call), step.stable_id) for step in steps for call in step.calls]
    found, met = [main], not messages
    for chain in chains:
        tried = _steps(chain, query)
        calls = [_called(call) for draft in tried.all for call in draft.calls]
        if not met and calls == [call for call, _ in taken]:
            met = True  # the chain itself; another of the same calls is another try
            continue
        parent = main.trace.info.trace_id
        own = [{key: item for key, item in node.items() if key != "children"} for node in chain]
        about = {
            **ids([parent, len(found), own]),
            "parent_id": parent,
            "parent_step": _branch(main.trace, taken, calls),
            "task": query,
            "ended": _chain_ended(calls),
            "n_messages": _spoken(tried),
            "n_tool_calls": len(calls),
            "source_index": record.index + len(found),
        }
        found.append(_imported(source, record, about, tried, json.dumps(own), {"try": len(found)}))
    return found


def _branch(main: Trace, taken: Sequence[tuple[Any, str]], calls: Sequence[Any]) -> str:
    """The step of the chain after which a try leaves it."""
    at = main.steps[0].stable_id if main.steps else ""
    for (call, step), other in zip(taken, calls, strict=False):
        if call != other:
            break
        at = step
    return at


def _imported(
    source: Source, record: Record, about: dict[str, Any], drafts: Drafts, raw: str, meta: dict[str, Json]
) -> Imported:
    named = _NAME.match(source.path.name)
    task_id, mark = task_of("", source.path.name, record.index, source.is_json)
    steps = drafts.steps()
    info = TraceInfo(
        **{"source_index": record.index, **totals(steps), **about},
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        benchmark="ToolBench",
        task_id=task_id,
        model=named["model"] if named else "",
        meta=meta | mark,
    )
    return Imported(Trace(info, steps, raw), ignored=IGNORED)


def _message(message: Json) -> Json:
    """A message without the empty fields that its writer adds."""
    if not isinstance(message, dict):
        return message
    return {key: item for key, item in message.items() if item is not None and key != "valid"}


def _flagged(drafts: Drafts) -> Drafts:
    """Results in which the API names an error are errors."""
    for draft in drafts.all:
        draft.results[:] = [
            Result(item.content, item.call_id, item.error or _failed(item.content)) for item in draft.results
        ]
    return drafts


def _failed(content: str) -> bool:
    value = parsed(content)
    return isinstance(value, dict) and bool(value.get("error"))


def _tries(value: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """The chains of nodes that were tried: to each leaf of the tree, or one after the other."""
    tree = as_dict(as_dict(value.get("tree")).get("tree"))
    if tree:
        return list(_ways(tree))
    chains = (as_list(as_dict(item).get("chain")) for item in as_list(value.get("trys")))
    return [[node for node in chain if isinstance(node, dict)] for chain in chains if chain]


def _ways(root: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    waiting: list[list[dict[str, Any]]] = [[root]]
    while waiting:
        way = waiting.pop()
        children = [child for child in as_list(way[-1].get("children")) if isinstance(child, dict)]
        if not children:
            yield way
        waiting.extend([*way, child] for child in reversed(children))


def _rank(chain: Sequence[dict[str, Any]]) -> tuple[bool, bool, int]:
    last = chain[-1] if chain else {}
    return last.get("finished") is True, last.get("is_terminal") is True, len(chain)


def _steps(chain: Sequence[dict[str, Any]], query: str) -> Drafts:
    """The nodes of a chain as steps: a thought, the name of a call, its input with what came back."""
    drafts = Drafts()
    if query:
        drafts.add(Draft("user", ["query"], query))
    name = ""
    draft: Draft | None = None
    for index, node in enumerate(chain):
        kind, text = node.get("node_type"), shown(node.get("description"))
        if kind == "Action Input" and not name and not text:
            continue  # the root
        if draft is None or draft.calls:
            draft = drafts.add(Draft("agent", [f"#{index}"]))
        else:
            draft.ids.append(f"#{index}")
        if kind == "Action":
            name = text
        elif kind == "Action Input":
            _call(draft, node, name, text, f"#{index}")
            name = ""
        else:
            draft.say(text)
        if node.get("pruned") is True:
            draft.extra["pruned"] = True
    if draft is not None and name:  # cut off before its input
        draft.call(ToolCall(name))
    return drafts


def _call(draft: Draft, node: dict[str, Any], name: str, text: str, call_id: str) -> None:
    value = parsed(text)
    draft.call(ToolCall(name or "unknown", text if value is None else value, call_id))
    if node.get("observation") is not None:
        content = shown(node["observation"])
        draft.results.append(Result(content, call_id, _failed(content)))
        draft.waiting.clear()


def _spoken(drafts: Drafts) -> int:
    """How many messages the steps would be: one each, and one for every result."""
    return sum(1 + len(draft.results) for draft in drafts.all)


def _called(call: ToolCall) -> tuple[str, str]:
    """A call in one spelling, for telling which of the tries is the chain that was taken."""
    given = parsed(call.arguments) if isinstance(call.arguments, str) else call.arguments
    return call.name, dumped(call.arguments if given is None else given)


def _limit(value: dict[str, Any], answer: dict[str, Any]) -> Ended:
    """An answer that was never finished: whether the queries were used up."""
    spent = as_int(answer.get("query_count"))
    most = as_int(as_dict(value.get("forward_args")).get("max_query_count"))
    return "limit" if spent is not None and most and spent >= most else "unknown"


def _chain_ended(calls: Sequence[tuple[str, str]]) -> Ended:
    name, given = calls[-1] if calls else ("", "")
    if name != _FINISH:
        return "unknown"
    return "refused" if "give_up" in given else "submitted"


def _meta(value: dict[str, Any], answer: dict[str, Any]) -> dict[str, Json]:
    read = {"train_messages", "chain", "function", "query"}
    meta = {key: item for key, item in value.items() if key not in _READ and item is not None}
    meta |= {key: item for key, item in answer.items() if key not in read and item is not None}
    meta |= {f"tree.{key}": item for key, item in as_dict(value.get("tree")).items() if key != "tree"}
    return meta | ({"forward_args": value["forward_args"]} if value.get("forward_args") else {})
