"""The signals of calls that were expected and went through otherwise, or were refused, and of calls too many.

Each needs words of the user on its side: what was asked for and what was given instead. Where the user had
named or agreed to what was given, no tool was misused, and none fires; nor where what the grader missed does
not follow from it. Not known: whether the task told the user's side enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts.texts import line_of
from reviewer.facts.tools import named_write
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import Said, agreed, asked_for, forbidden, objected, telling_word
from reviewer.suggest.rules.seen.excuses import offered
from reviewer.suggest.rules.seen.fitting import fitting
from reviewer.suggest.rules.seen.follows import dropped, explains, fails_anyway, undone
from reviewer.suggest.rules.seen.mismatches import Gap, Proof, brief, given_words, of_another, proof
from reviewer.suggest.rules.seen.phrases import STATE_FORBIDS
from reviewer.suggest.rules.seen.plain import barred, doing, done, done_to
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, head, sentence
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.suggest.rules.seen.wanted import Made, Want, ids
from reviewer.trace import Step

_SHUTS = re.compile(r"\b(?:will not be able to|not be able to|no longer be)\b[^.;\n]{0,60}", re.IGNORECASE)
_ONCE = re.compile(
    r"\bonly be called once\b|\bcannot be \w+ (?:after|once|anymore)\b"
    r"|\b(?:before|after) (?:the|any|it) \w+ (?:is|are|has been|have been)\b", re.IGNORECASE
)  # fmt: skip
_ONLY_IF = re.compile(
    r"\b(?:an? |the )?\w+ (?:can|may|must) (?:only )?be (?P<what>\w+)\b[^.\n]{0,20}"
    r"\b(?:if|while|when|before)\b[^.,\n]{3,60}",
    re.IGNORECASE,
)
_PART = 40  # characters of a quote among others
_MOST = 12  # expected calls, or unexpected ones, that are looked into
_STATUS = re.compile(r'"status": ?"[^"]{3,80}"')


def out_of_order(scene: Scene) -> Fired | None:
    """Two things were asked for and expected, and the first that was done shut the door on the second, as a
    rule says. Where only the second was expected, no order may have done for both.
    """
    for want, first, made, asked in shut_out(scene):
        rule = _rule(scene, first, want.name)
        if asked is None or asked.n >= first.step or not rule or fails_anyway(scene, want):
            continue
        if scene.wanted is None or first.name not in scene.wanted.names:
            continue
        it, then = done(first.name), barred(want.name, "could no longer be")
        if doing(want.name) == doing(first.name):
            it, then = f"{first.name} was called", f"{want.name} could no longer be called"
        says = f"wrong order: {it} first ({first.step}); then {then} ({made.step})"
        but, became = _never_tried(scene, want), _became(scene.step(first.step))
        shown = [(first.step, became, "became")] if became else []
        refused = (made.step, head(made.error, BRIEF), "then refused")
        kept = fitting(says, but, [*shown, refused], [*rule, (asked.n, asked.quote, "asked")])
        return fired("out_of_order", first.step, says, 0.45, *kept, but=but)
    return None


def shut_out(scene: Scene) -> Iterator[tuple[Want, Made, Made, Said | None]]:
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
    """An expected call was tried with another value than the user had named, and refused.

    Not where the thing was somebody else's: a refusal has done it no harm, and what came of it is open.
    """
    for want in _open(scene):
        near = want.near
        found = proof(scene, want) if near is not None and near.error else None
        if near is None or found is None or found.another or fails_anyway(scene, want):
            continue
        says = f"wrong value: {found.says}, which was refused ({near.step})"
        but = _never_tried(scene, want)
        asked, *more = found.quotes
        kept = fitting(says, but, [asked, (near.step, head(near.error, BRIEF), "refused")], more)
        return fired("refused_call", near.step, says, 0.45, *kept, but=but)
    return None


def wrong_value(scene: Scene) -> Fired | None:
    """A call was made with another value than the user had named; of several the first."""
    found = [want for want in _open(scene) if want.near is not None and not want.near.error and want.apart]
    for want in sorted(found, key=lambda one: one.near.step if one.near else 0):
        shown = proof(scene, want)
        if shown is None or want.near is None or fails_anyway(scene, want):
            continue
        n, says, more = want.near.step, f"wrong value: {shown.says} ({want.near.step})", [*shown.quotes[2:]]
        if shown.another:
            n, says = _of_another(scene, shown, want.near)
        but = _never_tried(scene, want)
        kept = fitting(says, but, shown.quotes[:2], more)
        return fired("wrong_value", n, says, 0.4, *kept, but=but)
    return None


def _of_another(scene: Scene, found: Proof, made: Made) -> tuple[int, str]:
    """The first step that did something to another's thing, and what it did."""
    thing = found.gap.given if isinstance(found.gap.given, str) else ""
    own = (one for one in scene.writes_to(thing) if scene.step(one.step).source == "agent")
    first = next((one for one in own if named_write(one.name) and one.step < made.step), made)
    did = done_to(first.name, found.gap.label, brief(thing))
    return first.step, f"wrong value: {did} ({first.step}), whose {found.another}"


def _never_tried(scene: Scene, beside: Want) -> str:
    """What speaks for a part that was dropped."""
    other = dropped(scene, beside)
    asked = asked_for(scene, other.name, len(scene.trace.steps) + 1) if other is not None else None
    if other is None or asked is None:
        return ""
    return f"{doing(other.name)}, asked for at {asked.n}, was never tried"


def extra_call(scene: Scene) -> Fired | None:
    """A call that nobody expected went through: on another's thing, or against the user's word."""
    for made in scene.wanted.extra[:_MOST] if scene.wanted is not None else ():
        ours = scene.step(made.step).source == "agent"
        if ours and explains(scene, made) and not undone(scene, made):
            found = _on_anothers(scene, made) or _against_the_user(scene, made)
            if found is not None:
                return found
    return None


def _on_anothers(scene: Scene, made: Made) -> Fired | None:
    tries = (of_another(scene, Gap(key, None, value), made) for key, value in made.given.items())
    found = next((one for one in tries if one is not None), None)
    if found is None:
        return None
    n, says = _of_another(scene, found, made)
    return fired("extra_call", n, says, 0.45, *fitting(says, "", found.quotes))


def _against_the_user(scene: Scene, made: Made) -> Fired | None:
    """What the user had ruled out, or objected to and had not been offered."""
    no, asked = _ruled_out(scene, made), asked_for(scene, made.name, made.step, _PART)
    against, shown = no or objected(scene, made.step), _shown(scene.step(made.step), made)
    if against is None or not shown or (no is None and asked is None):
        return None
    if no is None and asked is not None and offered(scene, asked.n, made.step) is not None:
        return None  # the yes to an offer that says something else: was that made up?
    which = "which the user had ruled out" if no is not None else "which is not what the user had asked for"
    said = " ".join(one.quote for one in (against, asked) if one is not None)
    kind = "wrong value" if _another_id(made, said) else "wrong tool"
    says = f"{kind}: {done(made.name)} ({made.step}), {which}"
    became = (made.step, _became(scene.step(made.step)) or shown, "done")
    quotes = [became, (against.n, against.quote, f"user {against.how}")]
    more = [(asked.n, asked.quote, "asked")] if no is None and asked is not None else []
    return fired("extra_call", made.step, says, 0.4, *fitting(says, "", quotes, more))


def _another_id(made: Made, said: str) -> bool:
    """Whether the user speaks of another thing of the same form, by its id."""
    forms = {one: re.sub("[0-9]+", "[0-9]+", re.escape(one)) for one in ids(made.given)}
    return any("[0-9]" in form and re.search(form, said) and one not in said for one, form in forms.items())


def _ruled_out(scene: Scene, made: Made) -> Said | None:
    """Where the user said not to do what a call does, and did not come round to it before it was made."""
    no = forbidden(scene, made.name, made.step)
    words = [value for value in made.given.values() if isinstance(value, str)]
    after = agreed(scene, [*words, made.name.partition("_")[0]], made.step) if no else None
    return None if no is None or (after is not None and after.n > no.n) else no


def _open(scene: Scene) -> tuple[Want, ...]:
    return scene.wanted.open[:_MOST] if scene.wanted is not None else ()


def _rule(scene: Scene, first: Made, name: str) -> list[tuple[int, str, str]]:
    """The sentence of the policy that says what a call of this kind shuts out, else in what state of a thing
    the other one can be made, else that the first can be made once. Its kind is named there, or the heading.
    """
    verb, other = (one.partition("_")[0].rstrip("e").lower() for one in (first.name, name))
    for form, stem in ((_SHUTS, verb), (_ONLY_IF, other), (_ONCE, verb)):
        told = [
            (at, match)
            for at, match in scene.policy(form)
            if (match["what"].lower().startswith(stem) if form is _ONLY_IF else stem in _headed(match))
        ]
        told.sort(key=lambda one: not _about(one[1], name if form is _ONLY_IF else first.name))
        for at, match in told[:1]:
            return [(at, _rest(match), "the rule")]
    return []


def _rest(match: re.Match[str]) -> str:
    """The words of a rule; where they are few, their sentence."""
    words = match[0].strip()
    return head(words, BRIEF) if len(words) >= LEAST else sentence(match.string, match.start(), BRIEF)


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
