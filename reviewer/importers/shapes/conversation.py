"""One conversation put together from model calls that each repeat it from its beginning.

A call is told all that was said before: what stands in its input and was not seen yet is new. Results come
from the runs of tools, else from the input of the next call. Knows no file and no format.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.model_parts import Said, unwrapped
from reviewer.trace import Metrics, Result, ToolCall, canonical

Key: TypeAlias = tuple[str, str]
Place: TypeAlias = tuple[Draft, int]
PlaceId: TypeAlias = tuple[int, int]  # which draft, not what is in it: two may be alike


class Conversation:
    """The steps so far; `typed` are the words of the user where the trace itself says them."""

    def __init__(self, typed: Sequence[str] = ()) -> None:
        self.drafts = Drafts()
        self.typed = {text.strip() for text in typed if text.strip()}
        self._seen: Counter[tuple[str, ...]] = Counter()
        self._calls: dict[Key, list[Place]] = {}
        self._open: set[PlaceId] = set()  # calls without a result
        self._named: dict[
            str, dict[PlaceId, Place]
        ] = {}  # the same by the name of their tool, in their order
        self._spelled: dict[PlaceId, bytes] = {}

    def hear(self, said: Sequence[Said], source_id: str, at: str = "") -> bool:
        """What a model call was told, and whether any of it is new.

        What the user did not type, in the user's name, is injected.
        """
        before = len(self.drafts.all)
        theirs = any(item.source == "user" and item.text.strip() in self.typed for item in said)
        now: Counter[tuple[str, ...]] = Counter()
        told: list[tuple[str, Place]] = []  # the calls gone through, each with the name of its tool
        answered: Counter[str] = Counter()  # ids are used again by some providers
        for number, item in enumerate(said):
            for result in item.results:
                answered[result.call_id] += 1
                self._told(result, item.tool, told, source_id, answered[result.call_id])
            mark = _mark(item)
            if not mark:
                continue
            now[mark] += 1
            if now[mark] > self._seen[mark]:
                draft = Draft(item.source, [f"{source_id} in {number}"], item.text, item.reasoning, at=at)
                if item.source == "user" and self.typed and not theirs:
                    draft.kind = "injected"
                self._add(draft, item)
            for call in item.calls:
                places = self._calls.get(_key(call), [])
                if places:
                    told.append((call.name, places[min(now[mark], len(places)) - 1]))
        return len(self.drafts.all) > before

    def reply(self, said: Iterable[Said], draft: Draft) -> Draft:
        """What a model call gave back, as the step `draft`; results in it (server tools) join their calls."""
        whole = Said("agent")
        for item in said:
            draft.say(item.text)
            draft.think(item.reasoning)
            whole = replace(whole, calls=(*whole.calls, *item.calls), results=(*whole.results, *item.results))
        self._add(draft, replace(whole, text=draft.message))
        for result in whole.results:
            self._told(result, "", [], draft.ids[0], len(self._calls.get(("id", result.call_id), ())))
        return draft

    def run(self, call: ToolCall, result: Result | None, draft: Draft) -> None:
        """The run of a tool: it answers the call that a model made, else it is the step `draft`."""
        place = self._waiting(call)
        if place is None:
            draft.call(call)
            place = self._enter(draft, call)
            self.drafts.add(draft)
        else:
            place[0].ids.extend(draft.ids)
            place[0].extra |= {f"{key} of {draft.ids[0]}": item for key, item in draft.extra.items()}
        if result is not None:
            self._answer(place, result)

    def note(self, draft: Draft) -> None:
        self.drafts.add(draft)

    def _add(self, draft: Draft, item: Said) -> None:
        for call in item.calls:
            draft.call(call)
            self._enter(draft, call)
        if mark := _mark(item):
            self._seen[mark] += 1
        self.drafts.add(draft)

    def _enter(self, draft: Draft, call: ToolCall) -> Place:
        place = (draft, len(draft.calls) - 1)
        self._open.add(_id(place))
        self._named.setdefault(call.name, {})[_id(place)] = place
        self._calls.setdefault(_key(call), []).append(place)
        return place

    def _told(
        self, result: Result, tool: str, told: list[tuple[str, Place]], source_id: str, nth: int
    ) -> None:
        """A result as the input of a call repeats it: new only where its call has none yet."""
        if result.call_id and (places := self._calls.get(("id", result.call_id))):
            place: Place | None = places[min(nth, len(places)) - 1]
        else:
            pair = next((pair for pair in told if not tool or pair[0] == tool), None)
            if pair is not None:
                told.remove(pair)
            place = pair[1] if pair else None
        if place is None:
            mark = ("result", result.call_id, result.content)
            if self._seen[mark] == 0:
                self._seen[mark] += 1
                ids = [f"{source_id} result {len(self.drafts.all)}"]
                self.drafts.add(Draft("system", ids, results=[result], kind="notice"))
        elif _id(place) in self._open:
            self._answer(place, result)

    def _answer(self, place: Place, result: Result) -> None:
        draft, index = place
        self._open.discard(_id(place))
        self._named.get(draft.calls[index].name, {}).pop(_id(place), None)
        if index in draft.waiting:
            draft.waiting.remove(index)
        draft.results.append(replace(result, call_id=draft.calls[index].id or result.call_id))

    def _waiting(self, call: ToolCall) -> Place | None:
        """The open call that this run belongs to: by id, else by name and arguments, else by name."""
        if call.id and (known := self._calls.get(("id", call.id))):
            return next((place for place in known if _id(place) in self._open), known[-1])
        named = list(self._named.get(call.name, {}).values())
        if call.id:
            named = [place for place in named if not _of(place).id]
        asked = _given(call) if named else b""
        return next((place for place in named if self._arguments(place) == asked), next(iter(named), None))

    def _arguments(self, place: Place) -> bytes:
        """The arguments of an open call in one spelling; worked out once."""
        key = _id(place)
        if key not in self._spelled:
            self._spelled[key] = _given(_of(place))
        return self._spelled[key]


def _id(place: Place) -> PlaceId:
    return id(place[0]), place[1]


def _of(place: Place) -> ToolCall:
    return place[0].calls[place[1]]


def _given(call: ToolCall) -> bytes:
    return canonical(unwrapped(call.arguments))


def _key(call: ToolCall) -> Key:
    return ("id", call.id) if call.id else (call.name, _given(call).decode())


def _mark(item: Said) -> tuple[str, ...]:
    """What makes two messages the same one: its calls, else its words; "" for one that only has results."""
    if item.calls:
        return ("calls", *(call.name + _given(call).decode() for call in item.calls))
    if item.text.strip():
        return ("agent" if item.source == "agent" else "told", item.text.strip())
    return ("thought", item.reasoning) if item.reasoning else ()


def metrics_of(tokens_in: int | None, tokens_out: int | None, cost: float | None) -> dict[str, Any]:
    """`metrics` of a draft, where anything is known."""
    known = any(item is not None for item in (tokens_in, tokens_out, cost))
    return {"metrics": Metrics(tokens_in, tokens_out, cost)} if known else {}


def words(said: Iterable[Said], source: str) -> list[str]:
    """The texts of one speaker."""
    return [item.text for item in said if item.source == source and item.text.strip()]
