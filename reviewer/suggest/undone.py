"""The signals of calls that were expected and did not go through, or went through otherwise.

Each shows what was wanted beside what was given, with words of the run on both sides where it has them. Not
known: whether the user asked for it in time, or whether the task told enough to make the call.
"""

from __future__ import annotations

import json
import re

from reviewer.facts.texts import line_of, step_texts, strings
from reviewer.label import telling
from reviewer.suggest.phrases import HANDS_OVER, STATE_FORBIDS
from reviewer.suggest.scene import Fired, Scene, claim_line, fired
from reviewer.suggest.wanted import Apart, Made, Want
from reviewer.trace import Json, Step

_ASKED = {
    "modify": ("modif", "chang", "updat", "exchang"), "update": ("updat", "chang", "modif"),
    "exchange": ("exchang", "swap"), "cancel": ("cancel",), "return": ("return", "refund"),
    "book": ("book",), "send": ("compensat", "refund", "certificate", "send"), "refuel": ("refuel", "data"),
    "enable": ("enabl", "turn"), "toggle": ("toggl", "turn", "switch"),
}  # fmt: skip
_OF_PERSON = re.compile(r"user|customer|payment|method", re.IGNORECASE)
_ASKS = re.compile(
    r"\b(?:would you like|do you want|shall I|please confirm|may I|can I proceed)\b", re.IGNORECASE
)
_STATUS = re.compile(r'"status": ?"[^"]{3,80}"')
_PLAIN = frozenset(("items", "order", "reservation", "call", "user", "account"))
_LONG = 400
_MOST = 3  # differences that are told
_WIDE = 90


def out_of_order(scene: Scene) -> Fired | None:
    """An expected call was refused for what its thing had become by a write that the run made before."""
    for want in _open(scene):
        for made in reversed(scene.calls_of(want.name)):
            thing = _thing(made)
            if not thing or thing not in want.wanted.values() or not STATE_FORBIDS.search(made.error):
                continue
            before = [one for one in scene.writes_to(thing) if one.step < made.step and one.name != want.name]
            if before:
                first = before[-1]
                says = (
                    f"{first.name} on {thing} went through first (step {first.step}), and then "
                    f"{want.name} on it was refused (step {made.step}); expected and never done: {want}"
                )
                quotes = ((first.step, _became(scene.step(first.step)) or thing), (made.step, made.error))
                return fired("out_of_order", first.step, says, 0.45, *quotes)
    return None


def refused_call(scene: Scene) -> Fired | None:
    """An expected call was tried with other values only, and refused."""
    for want in _open(scene):
        near = want.near
        if near is not None and near.error and want.apart:
            says = f"{want.name} was refused and never went through: {_differ(want)}; {scene.failed}"
            quotes = [(near.step, near.error), *_quotes(scene, want, near)]
            return fired("refused_call", near.step, says, 0.45, *quotes)
    return None


def wrong_value(scene: Scene) -> Fired | None:
    """A call was made that was expected with other values; of several the first."""
    found = [want for want in _open(scene) if want.near is not None and not want.near.error and want.apart]
    for want in sorted(found, key=lambda one: one.near.step if one.near else 0):
        near = want.near
        if near is not None and (quotes := _quotes(scene, want, near)):
            says = f"{want.name} was made with another value than expected: {_differ(want)}"
            return fired("wrong_value", near.step, says, 0.35, *quotes)
    return None


def handed_over(scene: Scene) -> Fired | None:
    """The agent handed the task to somebody else, which was not expected, while expected calls were open."""
    never = _never(scene)
    if not never or scene.wanted is None or any(map(HANDS_OVER.search, scene.wanted.names)):
        return None
    found = handing_over(scene)
    if found is None or not found[1]:
        return None
    n, words = found
    says = f"the agent handed over while this was expected and never called: {_told(never)}"
    return fired("handed_over", n, says, 0.4, (n, words), *_asked(scene, never[0], n))


def never_called(scene: Scene) -> Fired | None:
    """An expected call was never tried, though the run came to its own end."""
    never = _never(scene)
    claim = scene.facts.claim
    acted = any(step.calls for step in scene.trace.steps if step.source == "agent")
    if not never or not acted or scene.ran_out or handing_over(scene) is not None or claim is None:
        return None
    if _ASKS.search(claim.quote) and scene.trace.steps[-1].source == "user":
        return None  # it asked for a word, and the user ended the run
    says = f"expected, and never called in this run: {_told(never)}; it ends at step {claim.step}"
    asked = _asked(scene, never[0], claim.step)
    if not asked:
        return None  # nothing in the run shows what it was about
    return fired("never_called", claim.step, says, 0.3, *asked, *claim_line(scene.facts))


def extra_call(scene: Scene) -> Fired | None:
    """All that was expected was done, and more, which nobody expected."""
    if scene.wanted is None or scene.wanted.open:
        return None
    for made in scene.wanted.extra:
        own = {key: value for key, value in made.given.items() if not _OF_PERSON.search(key)}
        quotes = [text for text in strings(own) if telling(text) and len(text) <= _LONG]
        if quotes and not _user_made(scene, made):
            says = (
                f"{made.name} went through (step {made.step}) on {quotes[0]}, and the grader expected "
                f"{_instead(scene, made)}; {scene.failed}"
            )
            return fired("extra_call", made.step, says, 0.3, (made.step, quotes[0]))
    return None


def open_call(scene: Scene) -> tuple[int, str] | None:
    """Where to begin reading for the first call that was expected and did not go through, and which it is."""
    for want in _open(scene):
        by = f"{want.by} " if want.by else ""
        if want.near is None:
            step = (handing_over(scene) or (0, ""))[0] or (scene.facts.claim.step if scene.facts.claim else 1)
            return step, f"until there this was expected and never called: {by}{want}"
        if want.apart:
            return want.near.step, f"{want.name}: {_differ(want)}"
        return want.near.step, f"expected and refused there: {by}{want}"
    return None


def handing_over(scene: Scene) -> tuple[int, str] | None:
    """The last call that hands the task to somebody, with the reason that it gives."""
    for step in reversed(scene.trace.steps):
        for call in step.calls:
            if HANDS_OVER.search(call.name):
                return step.n, _reason(step)
    return None


def _reason(step: Step) -> str:
    """What a hand-over says, as the step holds it; of arguments that are JSON as text the words in them."""
    texts = [text.strip() for place, text in step_texts(step) if place == "call" and len(text.split()) > 2]
    for text in texts:
        try:
            inner = max(strings(json.loads(text)), key=len, default="") if text[:1] == "{" else ""
        except (ValueError, RecursionError):
            inner = ""
        if inner and inner in text:
            return inner
    return next((text for text in texts if text[:1] != "{"), texts[0] if texts else "")


def _open(scene: Scene) -> tuple[Want, ...]:
    return scene.wanted.open if scene.wanted is not None else ()


def _never(scene: Scene) -> list[Want]:
    return [want for want in _open(scene) if want.near is None and not HANDS_OVER.search(want.name)]


def _told(never: list[Want]) -> str:
    more = f" (and {len(never) - 1} more)" if len(never) > 1 else ""
    by = f"{never[0].by} " if never[0].by else ""
    return f"{by}{never[0]}{more}"


def _instead(scene: Scene, made: Made) -> str:
    """What was expected of the tool of a call that was not: other calls of it, or none."""
    expected = scene.wanted.expected if scene.wanted else ()
    same = [call for call in expected if call.startswith(f"{made.name}(")]
    return f"only {'; '.join(same[:_MOST])}" if same else f"no {made.name} at all"


def _user_made(scene: Scene, made: Made) -> bool:
    return scene.step(made.step).source != "agent"


def _became(step: Step) -> str:
    """What the result of a write says that its thing has become."""
    found = (_STATUS.search(result.content) for result in step.results)
    return next((match.group() for match in found if match), "")


def _thing(made: Made) -> str | None:
    """The id of what a call is about."""
    found = (value for key, value in made.given.items() if key.endswith("id") and isinstance(value, str))
    return next((value for value in found if telling(value)), None)


def _asked(scene: Scene, want: Want, before: int) -> list[tuple[int, str]]:
    """Where user or task ask for what an expected call does, else where its thing is last spoken of."""
    words = re.split(r"[_\W]", want.name.rsplit(".", 1)[-1])
    stems = _ASKED.get(words[0], (words[0],)) if words[-1] in _PLAIN else (words[-1].rstrip("s"),)
    asked = re.compile(rf"\b(?:{'|'.join(map(re.escape, stems))})", re.IGNORECASE)
    steps = [step for step in scene.trace.steps[: before - 1] if step.source == "user" and not step.kind]
    for n, text in [*((step.n, step.message) for step in steps), (0, scene.trace.info.task)]:
        if match := asked.search(text):
            return [(n, line_of(text, match.start()))]
    for key, value in want.wanted.items():
        if key.endswith("id") and not _OF_PERSON.search(key) and isinstance(value, str) and telling(value):
            return _seen(scene, value, before)
    return []


def _differ(want: Want) -> str:
    told = [
        f"{one.label} wanted {_brief(one.want)}, given {_brief(one.given)}"
        for one in map(_closer, want.apart)
    ]
    more = f" and {len(told) - _MOST} more" if len(told) > _MOST else ""
    return "; ".join(told[:_MOST]) + more


def _closer(one: Apart) -> Apart:
    """Of two lists what the one has and the other has not."""
    if not isinstance(one.want, list) or not isinstance(one.given, list):
        return one
    gone = [item for item in one.want if item not in one.given]
    new = [item for item in one.given if item not in one.want]
    if len(gone) == 1 and len(new) == 1 and isinstance(gone[0], dict) and isinstance(new[0], dict):
        for key, value in gone[0].items():
            if new[0].get(key) != value:
                return Apart(f"{one.label}, {key}", value, new[0].get(key))
    return Apart(one.label, gone or one.want, new or one.given) if gone and new else one


def _quotes(scene: Scene, want: Want, near: Made) -> list[tuple[int, str]]:
    """The value given, and where the run had shown the one that was wanted."""
    for whole in want.apart:
        one = _closer(whole)
        given = _given(scene.step(near.step), one, whole)
        if given:
            seen = next(filter(None, (_seen(scene, value, near.step) for value in _values(one.want))), [])
            if not seen and _from_user(scene, one.given, near.step):
                continue  # the run had been told so, and of the wanted value it knew nothing
            return [(near.step, given), *seen]
    return []


def _from_user(scene: Scene, value: Json, before: int) -> bool:
    """Whether the user had named a value that a call was given."""
    said = " ".join(step.message for step in scene.trace.steps[: before - 1] if step.source == "user")
    return any(text in said for text in _values(value))


def _given(step: Step, one: Apart, whole: Apart) -> str:
    """Words of the call that show the value: itself where it is telling, else with its name."""
    texts = [text for place, text in step_texts(step) if place == "call"]
    tries = []
    for label, value in ((one.label.rpartition(", ")[2], one.given), (whole.label, whole.given)):
        wide, narrow = (
            json.dumps(value, ensure_ascii=False, separators=s) for s in ((", ", ": "), (",", ":"))
        )
        tries += [f'"{label}": {wide}', f'"{label}":{wide}', f'"{label}":{narrow}']
    tries = [*tries[:3], *(value for value in _values(one.given) if telling(value)), *tries[3:]]
    return next((words for words in tries if any(words in text for text in texts)), "")


def _seen(scene: Scene, value: str, before: int) -> list[tuple[int, str]]:
    if not telling(value):
        return []
    for step in reversed(scene.trace.steps[: before - 1]):
        for place, text in step_texts(step):
            if (step.source != "agent" or place == "result") and (at := text.find(value)) >= 0:
                return [(step.n, line_of(text, at))]
    return []


def _values(value: Json) -> list[str]:
    return [text for text in strings(value) if text.strip()]


def _brief(value: Json) -> str:
    line = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    line = " ".join(line.split())
    return line if len(line) <= _WIDE else f"{line[:_WIDE]} …"
