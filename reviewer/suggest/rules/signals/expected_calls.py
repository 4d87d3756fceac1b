"""The signals of expected calls that were made with another value, or that a call before had shut out.

Each needs words of the user on its side: what was asked for, beside what was done. Where the user had named
or agreed to what was given, no tool was misused, and none fires. Not known: whether the task told the user's
side enough, and whether the run would have failed all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts.tools import named_write
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import asked_for
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.mismatches import Gap, brief, given_words, proof
from reviewer.suggest.rules.seen.phrases import STATE_FORBIDS
from reviewer.suggest.rules.seen.plain import barred, done, done_to
from reviewer.suggest.rules.seen.quoting import BRIEF, head
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.suggest.rules.seen.wanted import Made, Want, ids
from reviewer.trace import Step

_RULE = re.compile(  # with its subject: who or what cannot, or can only
    r"\b(?:(?:the|an?|any) \w+|you|it) (?:can|may|will|must|should)(?: (?P<no>not|no longer)| only)\b"
    r"[^.;\n]{3,80}",
    re.IGNORECASE,
)
_MOST = 12  # expected calls that are looked into
_STATUS = re.compile(r'(?<="status": ")[^"]{3,80}(?=")|(?<="status":")[^"]{3,80}(?=")')


def out_of_order(scene: Scene) -> Fired | None:
    """Two things were asked for and expected, and the first that was done shut the door on the second, as a
    rule says. Where only the second was expected, no order may have done for both.
    """
    for want, first, made in _shut_out(scene):
        asked, rule = asked_for(scene, want.name, made.step, BRIEF), _rule(scene, want.name)
        if asked is None or asked.n >= first.step or not rule:
            continue
        says = f"wrong order: {done(first.name)} first ({first.step}), so {barred(want.name)} ({made.step})"
        became = (first.step, _became(scene.step(first.step)), "became")
        refused = (made.step, head(made.error, BRIEF), "then refused")
        kept = fitting(says, "", [became, refused], [*rule, (asked.n, asked.quote, "asked")])
        return fired("out_of_order", first.step, says, 0.45, *kept)
    return None


def _shut_out(scene: Scene) -> Iterator[tuple[Want, Made, Made]]:
    """Expected calls, what another expected one had made of their thing, and how they were refused for it."""
    for want in _open(scene):
        for made in reversed(_made(scene)):
            thing = next(filter(telling, ids(made.given)), None) if made.name == want.name else None
            if not thing or thing not in want.wanted.values() or not STATE_FORBIDS.search(made.error):
                continue
            before = [
                one for one in _writes_to(scene, thing) if one.step < made.step and one.name != want.name
            ]
            if before:
                if scene.wanted is not None and before[-1].name in scene.wanted.names:
                    yield want, before[-1], made
                break


def wrong_value(scene: Scene) -> Fired | None:
    """A call was made with another value than the user had named, or on another's thing: the first of them.

    The step is the first that did something to that thing.
    """
    found = [want for want in _open(scene) if want.near is not None and not want.near.error and want.apart]
    for want in sorted(found, key=lambda one: one.near.step if one.near else 0):
        shown, made = proof(scene, want), want.near
        if shown is None or made is None:
            continue
        says, quotes = f"wrong value: {shown.says} ({made.step})", list(shown.quotes)
        if shown.another:
            thing, label = str(shown.gap.given), shown.gap.label
            own = (one for one in _writes_to(scene, thing) if scene.step(one.step).source == "agent")
            made = next((one for one in own if named_write(one.name) and one.step < made.step), made)
            says = f"wrong value: {done_to(made.name, label, brief(thing))} ({made.step}), "
            says += f"whose {shown.another}"
            given = given_words(scene.step(made.step), Gap(label, None, thing))
            quotes.append((made.step, given, f"{made.name} got"))
        return fired("wrong_value", made.step, says, 0.4, *fitting(says, "", quotes))
    return None


def _open(scene: Scene) -> tuple[Want, ...]:
    return scene.wanted.open[:_MOST] if scene.wanted is not None else ()


def _made(scene: Scene) -> tuple[Made, ...]:
    return scene.wanted.made if scene.wanted is not None else ()


def _writes_to(scene: Scene, thing: str) -> list[Made]:
    """The calls that went through and were about the thing of this id."""
    return [one for one in _made(scene) if not one.error and thing in one.given.values()]


def _rule(scene: Scene, name: str) -> list[tuple[int, str, str]]:
    """Where the policy says when a call of this kind cannot, or can only, be made."""
    stem = name.partition("_")[0].rstrip("ey").lower()
    found = [(at, match) for at, match in scene.policy(_RULE) if stem in match[0].lower()]
    found.sort(key=lambda one: one[1]["no"] is None)
    return [(at, head(match[0], BRIEF), "the rule") for at, match in found[:1]]


def _became(step: Step) -> str:
    """What the result of a write says that its thing has become."""
    found = (_STATUS.search(result.content) for result in step.results)
    return next((match.group() for match in found if match), "")
