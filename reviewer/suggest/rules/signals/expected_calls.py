"""The signals of calls that were expected and went through otherwise, or were refused, and of calls too many.

Each needs words of the user on its side: what was asked for and what was given instead. Where the user had
named or agreed to what was given, no tool was misused, and none fires; nor where what the grader missed does
not follow from it. Not known: whether the task told the user's side enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reviewer.facts.texts import line_of
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import Said, agreed, asked_for, forbidden, objected, telling_word
from reviewer.suggest.rules.seen.excuses import ASKS, handing_over
from reviewer.suggest.rules.seen.fitting import Quote, fitting
from reviewer.suggest.rules.seen.follows import dropped, explains, fails_anyway, told_instead, undone
from reviewer.suggest.rules.seen.mismatches import Gap, Proof, brief, given_words, of_another, proof
from reviewer.suggest.rules.seen.phrases import HANDS_OVER, STATE_FORBIDS
from reviewer.suggest.rules.seen.plain import doing, done
from reviewer.suggest.rules.seen.quoting import BRIEF, LEAST, clause, head, sentence
from reviewer.suggest.rules.seen.scene import Fired, Scene, fired
from reviewer.suggest.rules.seen.wanted import Made, Want, ids
from reviewer.trace import Step

_SHUTS = re.compile(r"\b(?:not be able to|no longer be)\b[^.;\n]{0,60}", re.IGNORECASE)
_ONCE = re.compile(
    r"\bonly be called once\b|\bcannot be \w+ (?:after|once|anymore)\b"
    r"|\b(?:before|after) (?:the|any|it) \w+ (?:is|are|has been|have been)\b", re.IGNORECASE
)  # fmt: skip
_ONLY_IF = re.compile(
    r"\b(?:an? |the )?\w+ (?:can|may|must) (?:only )?be (?P<what>\w+)\b[^.\n]{0,20}"
    r"\b(?:if|while|when|before)\b[^.,\n]{3,60}",
    re.IGNORECASE,
)
_IDLE = ("listed", "the call")  # what the sentence tells as well
_PART = 40  # characters of each of four quotes
_MOST = 12  # expected calls, or unexpected ones, that are looked into
_STATUS = re.compile(r'"status": ?"[^"]{3,80}"')


def out_of_order(scene: Scene) -> Fired | None:
    """Two things were asked for, and the first that was done shut the door on the second, as a rule says."""
    for want, first, made, asked in _shut_out(scene):
        rule = _rule(scene, first, want.name, made.step)
        if asked is None or asked.n >= first.step or not rule or fails_anyway(scene, want):
            continue
        it, then = done(first.name), doing(want.name)
        if then == doing(first.name):
            it, then = f"{first.name} was called", want.name
        says = (
            f"wrong order: {it} first (step {first.step}), so {then} (asked at {asked.n}) "
            f"was refused for good ({made.step})"
        )
        but = _never_tried(scene, want) or f"it was tried ({made.step}), so nothing was dropped"
        became = _became(scene.step(first.step))
        quotes = [
            (asked.n, asked.quote, "asked"),
            (made.step, head(made.error, BRIEF), "then refused"),
            *rule,
        ]
        kept = fitting(says, but, quotes, [(first.step, became, "became")])
        return fired("out_of_order", first.step, says, 0.45, *kept, but=but)
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
        if near is None or found is None or fails_anyway(scene, want):
            continue
        n, it = near.step, doing(want.name)
        says = f"wrong value: {found.says}; it was refused ({n}) and never put right"
        if found.another:
            says = f"wrong value: {found.says}; {it} was refused there ({n}){_instead(found)}"
        but = _never_tried(scene, want) or _went_wrong_before(scene, found.taken or n)
        kept = _fitting(says, but, found, (n, head(near.error, BRIEF), "refused"))
        return fired("refused_call", found.taken or n, says, 0.45, *kept, but=but)
    return None


def wrong_value(scene: Scene) -> Fired | None:
    """A call was made with another value than the user had named, and it stayed so; of several the first.

    Where a thing of another number was taken up before, the step is that one; the call is the harm.
    """
    found = [want for want in _open(scene) if want.near is not None and not want.near.error and want.apart]
    for want in sorted(found, key=lambda one: one.near.step if one.near else 0):
        shown = proof(scene, want)
        if shown is None or want.near is None or fails_anyway(scene, want):
            continue
        n = want.near.step
        says = f"wrong value: {shown.says} ({n}), and it stayed so"
        if shown.another:
            says = f"wrong value: {shown.says}, and {done(want.name)} there ({n}){_instead(shown)}"
        but = _never_tried(scene, want) or _went_wrong_before(scene, shown.taken or n)
        kept = _fitting(says, but, shown)
        return fired("wrong_value", shown.taken or n, says, 0.4, *kept, but=but)
    return None


def _instead(found: Proof) -> str:
    """The thing for which it was expected."""
    return f", never for the expected {brief(found.gap.want)}" if isinstance(found.gap.want, str) else ""


def _fitting(says: str, but: str, found: Proof, *others: Quote) -> list[Quote]:
    """The quotes of a proof; the call that the sentence tells, and what else was listed, if there is room."""
    idle = [quote for quote in found.quotes if quote[2] in _IDLE]
    kept = [quote for quote in found.quotes if quote[2] not in _IDLE]
    return fitting(says, but, [*kept, *others], reversed(idle))


def _never_tried(scene: Scene, beside: Want) -> str:
    """What speaks for a part that was dropped, which shows only at the end."""
    other = dropped(scene, beside)
    return f"{doing(other.name)} was never tried either, but this came first" if other is not None else ""


def _went_wrong_before(scene: Scene, n: int) -> str:
    """What speaks for a goal that was given up: a later hand-over, which only follows."""
    handed = handing_over(scene)
    names = scene.wanted.names if scene.wanted is not None else ()
    if handed is None or handed[0] <= n or any(map(HANDS_OVER.search, names)):
        return ""
    return f"the wrong choice ({n}) came before its hand-over ({handed[0]})"


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
    says = f"wrong value: {found.says}, and {done(made.name)} there ({made.step}), which was not expected"
    but = _went_wrong_before(scene, found.taken or made.step)
    kept = _fitting(says, but, found)
    return fired("extra_call", found.taken or made.step, says, 0.45, *kept, but=but)


def _against_the_user(scene: Scene, made: Made) -> Fired | None:
    against = _ruled_out(scene, made) or objected(scene, made.step)
    shown = _shown(scene.step(made.step), made)
    if against is None or not shown:
        return None
    asked = asked_for(scene, made.name, made.step, _PART) if against.how == "objected" else None
    says = f"{done(made.name)} (step {made.step}) and stayed so; the user {against.how} ({against.n})"
    if (sums := told_instead(scene, made)) is not None:
        says += f"; the sum told then ({sums[0]}) is {sums[1]}, expected {sums[2]}"
    else:
        says += "; no such call was expected"
    offer = _offered(scene, asked.n, made.step) if asked is not None else None
    but = f"it had offered this ({offer.n}); only the call ({made.step}) did the harm" if offer else ""
    quotes = [(asked.n, asked.quote, "asked")] if asked is not None else []
    quotes += [(made.step, _became(scene.step(made.step)), "became")]
    quotes.append((against.n, against.quote, f"user {against.how}"))
    more = [(offer.n, offer.quote, "but")] if offer is not None else []
    kept = fitting(says, but, quotes, [*more, (made.step, shown, "the call")])
    return fired("extra_call", made.step, says, 0.4, *kept, but=but)


def _offered(scene: Scene, after: int, before: int) -> Said | None:
    """Where the agent, between a request and a call, asked whether to do it."""
    for step in reversed(scene.trace.steps[after : before - 1]):
        match = ASKS.search(step.message) if step.source == "agent" else None
        if match is not None:
            return Said(step.n, clause(step.message, *match.span(), BRIEF), "offered")
    return None


def _ruled_out(scene: Scene, made: Made) -> Said | None:
    """Where the user said not to do what a call does, and did not come round to it before it was made."""
    no = forbidden(scene, made.name, made.step)
    words = [value for value in made.given.values() if isinstance(value, str)]
    after = agreed(scene, [*words, made.name.partition("_")[0]], made.step) if no else None
    return None if no is None or (after is not None and after.n > no.n) else no


def _open(scene: Scene) -> tuple[Want, ...]:
    return scene.wanted.open[:_MOST] if scene.wanted is not None else ()


def _rule(scene: Scene, first: Made, name: str, n: int) -> list[tuple[int, str, str]]:
    """The sentence of the policy that says what a call of this kind shuts out, else in what state of a thing
    the other one can be made, else that the first can be made once. Its kind is named there, or the heading.
    """
    verb, other = (one.partition("_")[0].rstrip("e").lower() for one in (first.name, name))
    for form, stem, step in ((_SHUTS, verb, first.step), (_ONLY_IF, other, n), (_ONCE, verb, first.step)):
        told = [
            (at, match)
            for at, match in scene.policy(form)
            if (match["what"].lower().startswith(stem) if form is _ONLY_IF else stem in _headed(match))
        ]
        told.sort(key=lambda one: not _about(one[1], name if form is _ONLY_IF else first.name))
        for at, match in told[:1]:
            return [(at, _rest(match), f"rule for {step}")]
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
