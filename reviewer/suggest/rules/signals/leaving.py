"""The signals of runs that ended, or were handed to somebody else, while an expected call was never made.

They fire only where the run shows that the step was open: the last report calls a thing off that the rules
want on, or the user asked for just this. Not where a reason of policy was given, a look-up had failed for
good, or the user wanted a person: whether that was right is a reader's to tell. What a simulated user was
told is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts.texts import ends, pairs
from reviewer.facts.tools import named_read
from reviewer.suggest.rules.seen.consent import Said, asked_for, messages, named
from reviewer.suggest.rules.seen.excuses import declined_after, excuse, handing_over, outage, user_left
from reviewer.suggest.rules.seen.phrases import HANDS_OVER, NEGATED
from reviewer.suggest.rules.seen.quoting import BRIEF, WIDTH, around, head, sentence, tail
from reviewer.suggest.rules.seen.records import record
from reviewer.suggest.rules.seen.scene import Fired, Scene, claim_line, claimed, fired
from reviewer.suggest.rules.seen.wanted import Made, Want, ids
from reviewer.trace import Step

_ON, _OFF = ("on", "yes", "true", "enabled"), ("off", "no", "false", "disabled")
_STATE = "|".join((*_ON, *_OFF))
_FIRST = (
    re.compile(r"\btry\b[^.\n]{0,80}\bbefore (?:you )?(?:transfer|hand|escalat)", re.IGNORECASE),
    re.compile(r"\b(?:transfer|hand|escalat)\w*\b[^.\n]{0,60}\bonly if\b", re.IGNORECASE),
)
_TRIES = re.compile(r"^(?:can|check|run|test|try|verify)_")
_CAUSE = re.compile(  # what a reason says of why
    r"\b(?:lacks?|missing|because|since|due to|unable|cannot|can['’]t|could not|(?:is|are|was) not"
    r"|fails?|failed|exhausted|without success)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\b(?:if|when|unless)\b", re.IGNORECASE)
_OF_USER = re.compile(
    r"\b(?:if|when|unless)\b[^,.\n]{0,20}\b(?:user|customer|caller)\b(?P<what>[^,.\n]{0,120})",
    re.IGNORECASE,
)
_AWAY = re.compile(r"\b(?:abroad|overseas|travel\w*|outside|foreign|on (?:a|my) trip)\b", re.IGNORECASE)
_LONG = 1_000  # characters of a sentence of the policy
_RULE = 70  # characters of a rule
_FEW = 18  # characters before the words that decide
_STEM, _STEMS = 5, 2  # characters of a word of a condition, and how many words
_NEAR = 6  # steps before a hand-over in which a last check stands
_MOST = 12  # calls that are looked into
_RECORDS = 8  # of one thing
_BY_NAME = {"enable": True, "activate": True, "disable": False}
_SWITCHES = frozenset(("toggle", "enable", "disable", "turn", "switch", "activate", "set"))


def handed_over(scene: Scene) -> Fired | None:
    """The agent handed over while a step was open that the rules or the user had asked for."""
    found = handing_over(scene)
    never = _never(scene)
    if found is None or not found[1] or not never or any(map(HANDS_OVER.search, _names(scene))):
        return None
    n, reason = found
    if excuse(scene, n) is not None:
        return None
    over = (n, _cause(reason), "handed over")
    first = _when_to_hand_over(scene)
    for want in never:
        if (open_ := _still(scene, want, n)) is not None:
            rule, (m, report, state) = open_
            state = "on" if state in _ON else "off"
            thing = " ".join(want.name.split("_")[1:])
            says = (
                f"premature stop: {thing} is still {state} at step {m}, {want.name} was never called, and "
                f"step {n} hands over"
            )
            shown = [rule, (m, report, f"still {state}"), *(_failing(scene, n) or first)]
            return fired("handed_over", n, says, 0.4, *sorted(shown, key=lambda quote: quote[0]), over)
    for want in never:
        asked = None if _switch(want) else asked_for(scene, want.name, n)
        if asked is not None and not any(one.name == want.name for one in scene.calls_of(want.name)):
            says = (
                f"premature stop: {want.name}, asked for at {asked.n}, was never tried; "
                f"step {n} hands over, naming no policy"
            )
            return fired("handed_over", n, says, 0.35, *first, (asked.n, asked.quote, "asked"), over)
    return None


def _failing(scene: Scene, before: int) -> list[tuple[int, str, str]]:
    """The last look before a step whose short answer says that it does not work."""
    for step in reversed(scene.trace.steps[max(0, before - _NEAR) : before - 1]):
        for call, result in pairs(step):
            text = "" if result is None else result.content.strip()
            if _TRIES.search(call.name) and len(text) <= BRIEF and NEGATED.search(text):
                return [(step.n, text, "still fails")]
    return []


def never_called(scene: Scene) -> Fired | None:
    """What the user asked for by name was never tried nor declined, and the run came to its own end."""
    claim = scene.facts.claim
    acted = any(step.calls for step in scene.trace.steps if step.source == "agent")
    if not acted or scene.ran_out or handing_over(scene) is not None or claim is None:
        return None
    if claimed(scene.facts) or user_left(scene) is not None:
        return None  # a claim of the whole is another mode; and who is left by the user does not stop
    for want in _never(scene):
        asked = _asked_by_name(scene, want, claim.step)
        if (
            asked is None
            or declined_after(scene, asked.n) is not None
            or outage(scene, claim.step) is not None
        ):
            continue
        says = (
            f"dropped goal: asked for at step {asked.n}, {want.name} was never called; "
            f"the run ends at step {claim.step}"
        )
        ended = [(n, head(words, BRIEF), "ended") for n, words in claim_line(scene.facts)]
        return fired("never_called", claim.step, says, 0.3, (asked.n, asked.quote, "asked"), *ended)
    return None


def _names(scene: Scene) -> frozenset[str]:
    return scene.wanted.names if scene.wanted is not None else frozenset()


def _never(scene: Scene) -> list[Want]:
    open_ = scene.wanted.open if scene.wanted is not None else ()
    return [want for want in open_ if want.near is None and not HANDS_OVER.search(want.name)][:_MOST]


def _switch(want: Want) -> bool:
    """Whether a call puts something on or off: then a report of its state is no request."""
    words = want.name.lower().split("_")
    return len(words) > 1 and words[0] in _SWITCHES


def _asked_by_name(scene: Scene, want: Want, before: int) -> Said | None:
    """Where the user asked for it: by the id of its thing, or by what a tool does that was never used."""
    asked = None if _switch(want) else asked_for(scene, want.name, before)
    by_id = named(scene, ids(want.wanted), before)
    return asked if asked and (by_id is not None or not scene.calls_of(want.name)) else None


def _still(scene: Scene, want: Want, before: int) -> tuple[tuple[int, str, str], tuple[int, str, str]] | None:
    """The rule that wants a thing switched, and the last report in which it is not."""
    words = want.name.lower().split("_")
    if not _switch(want):
        return None
    thing = r"[\s_-]".join(map(re.escape, words[1:]))
    rule = _rule(scene, want.name, thing)
    if rule is None:
        return None
    things = ids(want.wanted)
    report = _in_record(scene, things, words[1:], before) if things else _reported(scene, thing, before)
    if report is None or (report[2] in _ON) == rule[3] or mistaken(scene, want, report[0]) is not None:
        return None
    return rule[:3], report


def mistaken(scene: Scene, want: Want, after: int = 0) -> Made | None:
    """A call that went through and is by its name about the same thing: perhaps taken for this one."""
    thing = want.name.lower().split("_")[1:]
    made = scene.wanted.made if scene.wanted is not None and _switch(want) else ()
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
            states = {state.lower() in _ON for state in re.findall(rf"(?i)\b(?:{_STATE})\b", words)}
            states = {_BY_NAME[verb]} if (verb := name.partition("_")[0]) in _BY_NAME else states
            if len(states) == 1:
                if not _met(scene, words, match[0]):
                    return None
                return n, _from(_with_next(match.string, words), match[0]), "a way", states.pop()
    return None


def _when_to_hand_over(scene: Scene) -> list[tuple[int, str, str]]:
    """The sentence of the policy that says what to try before the task is handed over."""
    found = (place for way in _FIRST for place in scene.policy(way))
    return [(n, around(match.string, *match.span(), _RULE), "the rule") for n, match in found][:1]


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


def _cause(reason: str) -> str:
    """The last sentence of a reason that says why, from its start; else the end of the reason."""
    found = [] if len(reason) <= BRIEF else list(_CAUSE.finditer(reason))
    return head(sentence(reason, found[-1].start(), _LONG), BRIEF) if found else tail(reason, BRIEF)


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
                if all(word in key.lower() for word in words) and leaf.lower() in (*_ON, *_OFF):
                    own = next(name for name, text in found.leaves.items() if text == value)
                    return found.step, found.quote(own, key), leaf.lower()
            found, tries = record(scene, value, found.step), tries + 1
    return None
