"""The agent's own list of what is to be done, and which of its items it ticks off when.

Read from the calls of tools that keep such a list. Not known: a plan that is kept in words, or in a file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from reviewer.facts.texts import step_texts
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step

_KEEPS = re.compile(r"todo|update_?plan|plan_?update|task_?(?:list|update)", re.IGNORECASE)
_ITEM = re.compile(r"\{[^{}]{1,600}\}")
_DONE = re.compile(r'"(?:status|state)": ?"(?:completed|complete|done)"', re.IGNORECASE)
_NAMED = ("content", "step", "title", "task", "text", "description", "id")
_MAKES = re.compile(
    r"\b(?:creat|writ|add|fix|implement|updat|edit|chang|mak|build|replac|remov|delet|renam|refactor|install)\w*",
    re.IGNORECASE,
)
_LONG = 20_000


def ticked_off(scene: Scene, after: int, before: int) -> Iterator[tuple[int, str]]:
    """The items that are to make something and were ticked off between two steps: the step, the words."""
    done = {name for n in range(1, after + 1) for name, _ in _done(scene.step(n))}
    for n in range(after + 1, before):
        for name, words in _done(scene.step(n)):
            if name not in done and _MAKES.search(name):
                yield n, words
            done.add(name)


def _done(step: Step) -> Iterator[tuple[str, str]]:
    """The items of a list that a step calls done, each with its words as the step holds them."""
    if step.source != "agent" or not any(_KEEPS.search(call.name) for call in step.calls):
        return
    for place, text in step_texts(step):
        for item in _ITEM.finditer(text[:_LONG]) if place == "call" else ():
            done = _DONE.search(item[0])
            name = _name(item[0]) if done is not None else ""
            if done is not None and name:
                at = item[0].find(name)
                start, end = min(at - 1, done.start()), max(at + len(name) + 1, done.end())
                yield name, item[0][start:end]


def _name(item: str) -> str:
    try:
        read = json.loads(item)
    except (ValueError, RecursionError):
        return ""
    told = (read.get(key) for key in _NAMED) if isinstance(read, dict) else ()
    return next((name for name in told if isinstance(name, str) and name in item), "")
