"""The episodes that Terminus leaves in `agent-logs`: each prompt (what the terminal showed), each response.

Where they are kept they say more than the recording: the agent's words beside its keys. A response is JSON
with commands, or XML with keystrokes; any other is shown as it stands.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reviewer.importers.formats.terminal_bench.siblings import text_of_file
from reviewer.importers.opening.values import as_dict, as_list, shown
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Result, ToolCall

_NUMBER = re.compile(r"\Aepisode-(\d{1,6})\Z")
_KEYSTROKES = re.compile(r"<keystrokes([^>]*)>(.*?)</keystrokes>", re.DOTALL)
_SAID = ("state_analysis", "analysis", "explanation", "plan")
_DONE = ("is_task_complete", "task_complete")


@dataclass(frozen=True, slots=True)
class Episode:
    """One call of the model: what it was shown and what it answered."""

    number: int
    prompt: str
    response: str


def episodes(folder: Path) -> list[Episode]:
    """The episodes of a trial, in order."""
    try:
        numbers = sorted(int(match[1]) for path in folder.iterdir() if (match := _NUMBER.match(path.name)))
    except OSError:
        return []
    found = []
    for number in numbers:
        here = folder / f"episode-{number}"
        response = text_of_file(here / "response.txt")
        prompt = text_of_file(here / "prompt.txt")
        if response or prompt:
            found.append(Episode(number, prompt, response))
    return found


def add_episodes(drafts: Drafts, found: list[Episode], tool: str) -> None:
    """A step for each episode; what the next prompt shows is the answer to its keys."""
    for place, episode in enumerate(found):
        draft = Draft("agent", [f"episode {episode.number}"], number=str(episode.number))
        _respond(draft, episode.response, tool)
        after = found[place + 1].prompt if place + 1 < len(found) else ""
        if after and draft.calls:
            draft.results.append(Result(after))
        elif after:
            draft.extra["next prompt"] = after
        drafts.add(draft)


def _respond(draft: Draft, response: str, tool: str) -> None:
    value = _object(response)
    commands = as_list(value.get("commands"))
    if value and (commands or any(key in value for key in (*_SAID, *_DONE))):
        for key in _SAID:
            draft.say(shown(value.get(key)))
        for command in commands:
            draft.calls.append(ToolCall(tool, _keys(command)))
        rest = {key: item for key, item in value.items() if key not in (*_SAID, "commands")}
        draft.extra |= {key: item for key, item in rest.items() if item not in (None, False)}
        return
    draft.say(response)
    for attributes, keys in _KEYSTROKES.findall(response):
        given = {"options": attributes.strip()} if attributes.strip() else {}
        draft.calls.append(ToolCall(tool, {"command": keys.rstrip("\n"), **given}))


def _keys(command: Json) -> Json:
    keys = as_dict(command).get("keystrokes")
    if not isinstance(keys, str):
        return command
    rest = {key: item for key, item in command.items() if key != "keystrokes"}
    return {"command": keys.rstrip("\n") or keys, **rest}


def _object(text: str) -> dict[str, Any]:
    """The JSON object in a response, also with words around it."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return {}
    try:
        return as_dict(json.loads(text[start : end + 1]))
    except (ValueError, RecursionError):
        return {}
