"""The signals of calls that were expected and went through otherwise, or were refused, and of calls too many.

Each needs words of the user on its side: what was asked for and what was given instead. Where the user had
named or agreed to what was given, no tool was misused, and none fires. Not known: whether the task told the
user's side enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts.texts import line_of
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import Said, agreed, asked_for, forbidden, objected, telling_word
from reviewer.suggest.rules.seen.mismatches import Gap, given_words, of_another, proof
from reviewer.suggest.rules.seen.phrases import STATE_FORBIDS
from reviewer.suggest.rules.seen.quoting import around, sentence
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.suggest.rules.seen.wanted import Made, Want, ids
from reviewer.trace import Step

_ONCE = re.compile(
    r"\bonly be called once\b|\bnot be able to\b|\bno longer be\b|\bcannot be \w+ (?:after|once|anymore)\b"
    r"|\b(?:before|after) (?:the|any|it) \w+ (?:is|are|has been|have been)\b", re.IGNORECASE
)  # fmt: skip
_SHUTS = re.compile(r"\b(?:not be able to|no longer be)\b", re.IGNORECASE)
_PART = 60  # characters of each of four quotes
_WHOLE = 2_000  # characters of a sentence of the policy
_MOST = 12  # expected calls, or unexpected ones, that are looked into
_STATUS = re.compile(r'"status": ?"[^"]{3,80}"')


def out_of_order(scene: Scene) -> Fired | None:
    """Two things were asked for, and the first that was done shut the door on the second."""
    for want, first, made, asked in _shut_out(scene):
        if asked is None or asked.n >= first.step:
            continue
        became = _became(scene.step(first.step))
        says = (
            f"precondition or order: {first.name} went first (step {first.step}); {want.name}, asked for too "
            f"(step {asked.n}), was then refused (step {made.step}), never done"
        )
        quotes = [(asked.n, asked.quote, "asked"), (first.step, became or str(_thing(first)), "first")]
        quotes += [(made.step, made.error, "then refused"), *_rule(scene, first.name)]
        return fired("out_of_order", first.step, says, 0.45, *quotes)
    return None


def _shut_out(scene: Scene) -> Iterator[tuple[Want, Made, Made, Said | None]]:
    """Expected calls refused for what a write had made of their thing, and where they were asked for."""
    for want in _open(scene):
        for made in reversed(scene.calls_of(want.name)):
            thing = _thing(made)
            if not thing or thing not in want.wanted.values() or not STATE_FORBIDS.search(made.error):
                continue
            writes = [one for one in scene.writes_to(thing) if one.name != want.name]
            before = [one for one in writes if one.step < made.step]
            if before:
                yield want, before[-1], made, asked_for(scene, want.name, made.step, _PART)
                break


def refused_call(scene: Scene) -> Fired | None:
    """An expected call was tried with another value than the user had named, and refused."""
    for want in _open(scene):
        near = want.near
        found = proof(scene, want) if near is not None and near.error else None
        if near is not None and found is not None:
            n = near.step
            says = f"wrong value: {found.says}; {want.name} was refused (step {n}) and never went through"
            shown = [quote for quote in found.quotes if quote[2] != "listed"][:3]
            return fired("refused_call", found.taken or n, says, 0.45, *shown, (n, near.error, "refused"))
    return None


def wrong_value(scene: Scene) -> Fired | None:
    """A call was made with another value than the user had named, and it stayed so; of several the first.

    Where a thing of another number was taken up before, the step is that one; the call is the harm.
    """
    found = [want for want in _open(scene) if want.near is not None and not want.near.error and want.apart]
    for want in sorted(found, key=lambda one: one.near.step if one.near else 0):
        shown = proof(scene, want)
        if shown is not None and want.near is not None:
            n = want.near.step
            says = f"wrong value: {shown.says}; {want.name} went through with it (step {n}), and it stayed so"
            return fired("wrong_value", shown.taken or n, says, 0.4, *shown.quotes)
    return None


def extra_call(scene: Scene) -> Fired | None:
    """A call that nobody expected went through: on another's thing, or against the user's word."""
    for made in scene.wanted.extra[:_MOST] if scene.wanted is not None else ():
        if scene.step(made.step).source != "agent":
            continue
        others = [
            found for key, value in made.given.items() if (found := of_another(scene, key, value, made))
        ]
        if others:
            n = made.step
            says = f"wrong value: {others[0].says}; {made.name} went through with it (step {n}), unexpected"
            return fired("extra_call", others[0].taken or n, says, 0.45, *others[0].quotes)
        against = _ruled_out(scene, made) or objected(scene, made.step)
        shown = _shown(scene.step(made.step), made)
        if against is None or not shown:
            continue
        asked = asked_for(scene, made.name, made.step) if against.how == "objected" else None
        quotes = [(asked.n, asked.quote, "asked")] if asked else []
        quotes += [(made.step, shown, "the call"), (made.step, _became(scene.step(made.step)), "became")]
        quotes.append((against.n, against.quote, f"user {against.how}"))
        says = (
            f"{made.name} went through (step {made.step}), which was not expected; the user "
            f"{against.how} (step {against.n}), and it stayed so"
        )
        return fired("extra_call", made.step, says, 0.4, *sorted(quotes, key=lambda quote: quote[0]))
    return None


def _ruled_out(scene: Scene, made: Made) -> Said | None:
    """Where the user said not to do what a call does, and did not come round to it before it was made."""
    no = forbidden(scene, made.name, made.step)
    words = [value for value in made.given.values() if isinstance(value, str)]
    after = agreed(scene, [*words, made.name.partition("_")[0]], made.step) if no else None
    return None if no is None or (after is not None and after.n > no.n) else no


def _open(scene: Scene) -> tuple[Want, ...]:
    return scene.wanted.open[:_MOST] if scene.wanted is not None else ()


def _rule(scene: Scene, name: str) -> list[tuple[int, str, str]]:
    """The sentence of the policy that says a call of this kind shuts out others, else that it can be made
    once. It names the kind itself, or stands below its heading.
    """
    verb = name.partition("_")[0].rstrip("e").lower()
    told = [(n, match) for n, match in scene.policy(_ONCE) if verb in _headed(match)]
    told.sort(key=lambda one: (_SHUTS.search(one[1][0]) is None, not _about(one[1], name)))
    return [(n, _within_sentence(match), "the rule") for n, match in told[:1]]


def _within_sentence(match: re.Match[str]) -> str:
    whole = sentence(match.string, match.start(), _WHOLE)
    at = whole.find(match[0])
    return around(whole, at, at + len(match[0]), _PART)


def _headed(match: re.Match[str]) -> str:
    """The line of a rule, and the heading above it."""
    above = match.string.rfind("\n#", 0, match.start())
    heading = match.string[above:].strip().split("\n", 1)[0] if above >= 0 else ""
    return f"{heading}\n{line_of(match.string, match.start())}".lower()


def _about(match: re.Match[str], name: str) -> bool:
    """Whether the words of a tool's name stand there."""
    return all(word in _headed(match) for word in name.lower().split("_"))


def _became(step: Step) -> str:
    """What the result of a write says that its thing has become."""
    found = (_STATUS.search(result.content) for result in step.results)
    return next((match.group() for match in found if match), "")


def _thing(made: Made) -> str | None:
    """The id of what a call is about."""
    return next(filter(telling, ids(made.given)), None)


def _shown(step: Step, made: Made) -> str:
    """The first argument of a call with its name, as the step holds it."""
    for key, value in made.given.items():
        if (
            isinstance(value, str)
            and telling_word(value)
            and (words := given_words(step, Gap(key, None, value)))
        ):
            return words
    return ""
