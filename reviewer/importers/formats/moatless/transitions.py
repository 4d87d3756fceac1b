"""The state machines of moatless 0.1 to 0.3: each transition is a state with the actions tried in it.

Version 0.1 keeps `action` and `output`, later ones `request` and `response` (with its trigger). An action
that is answered by a retry message failed, and the next one in the same state is another try.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewer.importers.formats.moatless.parts import call_of, usage_of
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, iso, kind_of, shown
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Json, Result

QUIET = {"Pending"}


class Transitions:
    """Reads the transitions once, in order."""

    def __init__(self, transitions: list[Json], warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.model = self.last = self.message = ""
        self.n_actions = 0
        self.times: list[Json] = []
        before = None
        for index, transition in enumerate(transitions):
            if not isinstance(transition, dict):
                self.warn(f"a transition that is {kind_of(transition)}, not an object, is skipped")
                continue
            self._transition(transition, f"#{index}", before)
            before = transition.get("id", before)

    def _transition(self, value: dict[str, Any], place: str, before: Json) -> None:
        state = as_dict(value.get("state")) or as_dict(value.get("properties"))
        name = as_str(value.get("name")) or as_str(as_dict(value.get("state")).get("name")) or "unknown"
        model = as_str(state.get("model"))
        self.times.append(value.get("timestamp"))
        actions = as_list(value.get("actions")) or as_list(state.get("actions"))
        self.n_actions += len(actions)
        for index, action in enumerate(actions):
            draft = Draft("agent", [f"{place}.{index}"], model=model)
            self._frame(draft, value, before if index == 0 else None)
            self._action(draft, as_dict(action) or {"action": action}, name, f"{place}.{index}")
            self.model = self.model or draft.model
        self.last, self.message = name, shown(state.get("message"))
        if not actions and name not in QUIET:
            text = f"{name}: {self.message}" if self.message else name
            draft = Draft("system", [place], text, kind="notice")
            self._frame(draft, value, before)
            self.drafts.add(draft)

    def _frame(self, draft: Draft, value: dict[str, Any], before: Json) -> None:
        draft.at = iso(value.get("timestamp"))
        draft.number = as_id(value.get("id"))
        came_from = value.get("previous_state_id")
        if came_from is not None and before is not None and came_from != before:
            draft.extra["previous_state_id"] = came_from  # a branch: it does not go on where the last one was

    def _action(self, draft: Draft, action: dict[str, Any], name: str, call_id: str) -> None:
        thoughts, call = call_of(action.get("action", action.get("request")), name, call_id)
        draft.say(thoughts)
        draft.call(call)
        completion = as_dict(action.get("completion"))
        draft.model = as_str(completion.get("model")) or draft.model
        used = [action, as_dict(action.get("usage")), as_dict(completion.get("usage"))]
        draft.metrics = usage_of(used)
        response = as_dict(action.get("response"))
        retry = shown(action.get("retry_message")) or shown(response.get("retry_message"))
        output = action.get("output", response.get("output"))
        text = "\n\n".join(filter(None, (retry, _output(output))))
        if response or "output" in action or retry:
            draft.results.append(Result(text, call_id, error=bool(retry)))
            draft.waiting.clear()
        if response.get("trigger"):
            draft.extra["trigger"] = response["trigger"]
        self.drafts.add(draft)


def _output(output: Json) -> str:
    """What came of an action: a text of its own stands before the rest."""
    if not isinstance(output, dict):
        return shown(output)
    texts = [as_str(output.get(key)) for key in ("message", "diff")]
    rest = {
        key: item
        for key, item in output.items()
        if key not in ("message", "diff") and item not in (None, [], "")
    }
    return "\n\n".join(filter(None, (*texts, readable(rest) if rest else "")))
