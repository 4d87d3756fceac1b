"""What labelled sets keep beside their trajectories: ground truth, indexes, lists of ids. No traces.

Says what a file is, in words. The labels in it come in with the trajectories that they are about.
"""

from __future__ import annotations

from reviewer.importers.joining.agentrx_truth import is_entry
from reviewer.importers.opening.values import as_dict, as_list
from reviewer.trace import Json


def beside_a_set(value: Json) -> str:
    """What the value of a whole file is when a labelled set keeps it beside its trajectories, else ""."""
    if isinstance(value, list):
        truth = bool(value) and all(is_entry(row) for row in value)
        return "the ground truth of a labelled set, read with its trajectories" if truth else ""
    if not isinstance(value, dict) or not value:
        return ""
    items = list(value.values())
    if len(value) > 1 and all(type(item) is int for item in items) and all(len(key) >= 32 for key in value):
        return "an index of the lengths of trajectories"
    if "ids" in value and all("trajectory_id" in as_dict(row) for row in as_list(value["ids"])):
        return "a list of the ids of trajectories"
    if all(_group(item) for item in items):
        return "an index of the failures of trajectories"
    if {"goal_description", "customer_profile", "dialogue"} <= value.keys():
        return "an invented dialogue for trying out AgentRx"
    return ""


def _group(item: Json) -> bool:
    """The trajectories of one category: each with its step and the name of its file."""
    rows = list(as_dict(item).values())
    return bool(rows) and all({"step", "reason", "name"} <= as_dict(row).keys() for row in rows)
