"""What a thing that can be switched is, by its last report, and what the rules of the task want it to be.

By form, English only. Not known: a rule or a report in other words; whether it is this that was at fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts.texts import ends, pairs
from reviewer.facts.tools import named_read
from reviewer.suggest.rules.seen.consent import messages
from reviewer.suggest.rules.seen.quoting import BRIEF, WIDTH, head, sentence
from reviewer.suggest.rules.seen.records import record
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.seen.wanted import Made, Want, ids
from reviewer.trace import Step

ON, _OFF = ("on", "yes", "true", "enabled"), ("off", "no", "false", "disabled")
_STATE = "|".join((*ON, *_OFF))
_IF = re.compile(r"\b(?:if|when|unless)\b", re.IGNORECASE)
_OF_USER = re.compile(
    r"\b(?:if|when|unless)\b[^,.\n]{0,20}\b(?:user|customer|caller)\b(?P<what>[^,.\n]{0,120})",
    re.IGNORECASE,
)
_AWAY = re.compile(r"\b(?:abroad|overseas|travel\w*|outside|foreign|on (?:a|my) trip)\b", re.IGNORECASE)
_LONG = 1_000  # characters of a sentence of the policy
_FEW = 18  # characters before the words that decide
_STEM, _STEMS = 5, 2  # characters of a word of a condition, and how many words
_RECORDS = 8  # of one thing
_BY_NAME = {"enable": True, "activate": True, "disable": False}
_SWITCHES = frozenset(("toggle", "enable", "disable", "turn", "switch", "activate", "set"))


def switch(want: Want) -> bool:
    """Whether a call puts something on or off: then a report of its state is no request."""
    words = want.name.lower().split("_")
    return len(words) > 1 and words[0] in _SWITCHES


def still(scene: Scene, want: Want, before: int) -> tuple[tuple[int, str, str], tuple[int, str, str]] | None:
    """The rule that wants a thing switched, and the last report in which it is not."""
    words = want.name.lower().split("_")
    if not switch(want):
        return None
    thing = r"[\s_-]".join(map(re.escape, words[1:]))
    rule = _rule(scene, want.name, thing)
    if rule is None:
        return None
    things = ids(want.wanted)
    report = _in_record(scene, things, words[1:], before) if things else _reported(scene, thing, before)
    if report is None or (report[2] in ON) == rule[3] or mistaken(scene, want, report[0]) is not None:
        return None
    return rule[:3], report


def mistaken(scene: Scene, want: Want, after: int = 0) -> Made | None:
    """A call that went through and is by its name about the same thing: perhaps taken for this one."""
    thing = want.name.lower().split("_")[1:]
    made = scene.wanted.made if scene.wanted is not None and switch(want) else ()
    like = [
        one for one in made if one.step > after and not one.error and one.name.lower().split("_")[1:] == thing
    ]
    return next((one for one in like if one.name != want.name), None)


def _rule(scene: Scene, name: str, thing: str) -> tuple[int, str, str, bool] | None:
    """The sentence of the policy that names a tool, else its thing, and whether that shall be on."""
    ways = (rf"\b{re.escape(name)}\b", rf"\b(?:should|must)\b[^.\n]{{0,80}}\b{thing}\b")
    for called in (re.compile(way, re.IGNORECASE) for way in ways):
        for n, match in scene.policy(called):
            words = sentence(match.string, match.start(), _LONG)
            states = {state.lower() in ON for state in re.findall(rf"(?i)\b(?:{_STATE})\b", words)}
            states = {_BY_NAME[verb]} if (verb := name.partition("_")[0]) in _BY_NAME else states
            if len(states) == 1:
                if not _met(scene, words, match[0]):
                    return None
                return n, _from(_with_next(match.string, words), match[0]), "a way", states.pop()
    return None


def _with_next(text: str, words: str) -> str:
    """A sentence, and the one after it where that says what follows if it is not so."""
    at = text.find(words) + len(words)
    if not (match := re.compile(r" (?=If (?:it|this|that) is not|If not)").match(text, at)):
        return words
    after = sentence(text, match.end() + 1)
    end = text.find(after, match.start()) + len(after)
    return text[at - len(words) : end] if end - at + len(words) <= WIDTH else words


def _from(words: str, deciding: str) -> str:
    """A long rule from the words that decide on, with a few before them, or from its condition on."""
    deciding_at = words.find(deciding)
    if condition := _IF.search(words, 0, max(deciding_at, 0)):
        return head(words[condition.start() :], max(WIDTH, deciding_at + len(deciding) - condition.start()))
    at = words.find(deciding) - _FEW
    return words if len(words) <= BRIEF or at <= 0 else words[words.find(" ", at) + 1 :]


def _met(scene: Scene, words: str, deciding: str) -> bool:
    """Whether the user says what a rule makes its condition, if that is about the user."""
    condition = _OF_USER.search(words, 0, max(words.find(deciding), 0))
    if condition is None:
        return True
    said = " ".join(text for _, text in messages(scene))
    if _AWAY.search(condition["what"]):
        return _AWAY.search(said) is not None
    stems = [word[:_STEM] for word in re.findall(r"[a-z]+", condition["what"].lower()) if len(word) >= _STEM]
    return not stems or any(stem in said.lower() for stem in stems[:_STEMS])


def _reported(scene: Scene, thing: str, before: int) -> tuple[int, str, str] | None:
    """The last report of the state of a thing, by the user or by a look: the step, the words, the state."""
    said = re.compile(
        rf"\b{thing}(?:[ _-]enabled)?\W{{0,6}}(?:(?:is|are|was|currently|turned|both|still|set to)\s)*"
        rf"({_STATE})\b", re.IGNORECASE
    )  # fmt: skip
    for step in reversed(scene.trace.steps[: before - 1]):
        for text in reversed(list(_reports(step))):
            if found := list(said.finditer(text)):
                return step.n, sentence(text, found[-1].start()), found[-1].group(1).lower()
    return None


def _reports(step: Step) -> Iterator[str]:
    if step.source == "user" and not step.kind and step.message:
        yield step.message
    for call, result in pairs(step):
        if result is not None and named_read(call.name):
            yield ends(result.content)


def _in_record(scene: Scene, things: list[str], words: list[str], before: int) -> tuple[int, str, str] | None:
    """The state of a thing in the last record of the most exact of its ids that tells one."""
    for value in reversed(things):
        found, tries = record(scene, value, before), 0
        while found is not None and tries < _RECORDS:
            for key, leaf in found.leaves.items():
                if all(word in key.lower() for word in words) and leaf.lower() in (*ON, *_OFF):
                    own = next(name for name, text in found.leaves.items() if text == value)
                    return found.step, found.quote(own, key), leaf.lower()
            found, tries = record(scene, value, found.step), tries + 1
    return None
