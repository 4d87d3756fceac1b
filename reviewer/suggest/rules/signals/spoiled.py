"""What speaks so strongly against a run that passed that it is no suggestion: where a reader has to look.

A rule broken on the way, a thing of somebody else's, a user who denies it, a hand-over that nothing shows to
be right, an answer that lay open beside the task's own words, a check that failed. By form, English only. Not
known: a consent or an objection in other words, and whether the grader was right all the same.
"""

from __future__ import annotations

import re

from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.texts import pairs
from reviewer.facts.tools import named_read
from reviewer.suggest.rules.seen.graded import answer, expected
from reviewer.suggest.rules.seen.grounds import asked_for_a_person, grounds, hand_over, instead
from reviewer.suggest.rules.seen.mismatches import Gap, of_another
from reviewer.suggest.rules.seen.phrases import HANDS_OVER
from reviewer.suggest.rules.seen.plain import doing
from reviewer.suggest.rules.seen.proofs import seen_after
from reviewer.suggest.rules.seen.put import own_writes, rule_of_consent, yes_to
from reviewer.suggest.rules.seen.quoting import sentence, shortened
from reviewer.suggest.rules.seen.scene import Scene, user_speaks
from reviewer.suggest.rules.seen.ungraded import uncounted
from reviewer.suggest.rules.seen.wanted import Made
from reviewer.suggest.rules.signals.claims import objection
from reviewer.trace import canonical

Found = tuple[int, str] | None
_TEST = re.compile(r"(?:^|/)(?:tests?/|test_|conftest)|_test\.\w+$|\.(?:test|spec)\.\w+$")
_ASKS_BACK = re.compile(r"\b(?:earlier|before),? you (?:said|mentioned|told|quoted)\b", re.IGNORECASE)
_MONEY = re.compile(  # which way money goes by what a write returned; a payment may be the one of long ago
    r'"(?:\w{0,40}price_difference": (?P<less>-?)|transaction_type": "(?P<back>refund)", "amount": )'
    r"(?P<sum>\d{1,9}(?:\.\d{1,20})?)"
)
_BACK = re.compile(r"\brefund|\bcredit(?:ed)? (?:back )?to\b|\bpaid back\b", re.IGNORECASE)
_MORE = re.compile(r"\bcharged?\b|\b(?:additional|extra) (?:cost|charge|payment)\b|\bto pay\b", re.IGNORECASE)
_RUN = 7  # words of the task in a row: no page holds them by chance
_FIRST = 4  # steps in which a task stands
_LONG, _NAME = 200_000, 60
_NEAR = 400  # characters round an answer
_WRITES, _CALLS = 50, 200


def spoiled(scene: Scene) -> Found:
    """A step, and why; nothing where nothing of the kind was found."""
    it = "it passed" if scene.facts.passed is True else "its grader says success"
    found = next(filter(None, (look(scene) for look in _LOOKS)), None)
    return (found[0], f"{it}, but {found[1]}") if found is not None else None


def _no_yes(scene: Scene) -> Found:
    """A write without the yes that the policy demands: none was said, or it was for another call."""
    rule = rule_of_consent(scene)
    for write in own_writes(scene)[:_WRITES] if rule is not None else ():
        yes = yes_to(scene, write)
        if yes is None or yes.quote is None:
            said = f"what the user said before, at {yes.n}, is no clear yes" if yes else "nobody had said yes"
            return write.step, f"{said} to {doing(write.tool)} there; the policy at {rule} demands one"
        given = [arguments_of(call) for call in scene.step(write.step).calls if call.name == write.tool]
        for step in scene.trace.steps[yes.n : write.step - 1]:
            for call, result in pairs(step):
                if call.name == write.tool and failed(result) and arguments_of(call) not in given:
                    was = f"the user's yes at {yes.n} was for the {call.name} refused at {step.n}"
                    return write.step, f"{was}; that at {write.step} is another"
    return None


def _not_expected(scene: Scene) -> Found:
    """A write that no grader expected, where the data are not as expected either."""
    names = expected(scene.outcomes)
    if names and any(map(uncounted, scene.facts.failed_checks)):
        other = next((write for write in own_writes(scene) if write.tool not in names), None)
        if other is not None:
            why = f"{other.tool} was called there, which was not expected"
            return other.step, f"{why}, and the database is not as expected (unrewarded)"
    return None


def _no_test(scene: Scene) -> Found:
    """A test that was removed."""
    for changed in scene.facts.changed:
        if changed.removed and _TEST.search(changed.path):
            return changed.steps[-1], f"the test {changed.path} was removed there"
    return None


def _denied(scene: Scene) -> Found:
    """The user denies for good what was said to be done."""
    denied = objection(scene)
    if denied is not None and denied[2]:
        return denied[1][0], "the user denies there what was said to be done"
    return None


def _asked_back(scene: Scene) -> Found:
    """The user asks, after the last write, why they had been told otherwise."""
    since = scene.facts.last_write.step if scene.facts.last_write is not None else len(scene.trace.steps)
    for step in scene.trace.steps[since:]:
        if step.source == "user" and not step.kind and _ASKS_BACK.search(step.message[:_LONG]):
            return step.n, "the user asks there why it came out otherwise than they were told"
    return None


def _wrong_way(scene: Scene) -> Found:
    """A refund told as a charge, or a charge as a refund, after the last write that moved money."""
    for write in reversed(own_writes(scene)[-_WRITES:]):
        texts = (result.content[:_LONG] for result in scene.step(write.step).results)
        *_, last = (None, *(match for text in texts for match in _MONEY.finditer(text)))
        if last is not None:
            paid = not (last["back"] or last["less"])
            return _told_otherwise(scene, write.step, f"{float(last['sum']):.2f}", paid)
    return None


def _told_otherwise(scene: Scene, after: int, amount: str, paid: bool) -> Found:
    """Where the agent says of a sum that it goes the other way than the result of step `after` has it."""
    for step in scene.trace.steps[after:]:
        at = step.message.find(amount) if step.source == "agent" and not step.kind else -1
        said = sentence(step.message, at) if at >= 0 else ""
        back, more = bool(_BACK.search(said)), bool(_MORE.search(said))
        if back != more and back == paid:
            is_, told = ("a charge", "a refund") if paid else ("a refund", "a charge")
            return step.n, f"it calls {amount} {told} there; by the result at {after} it is {is_}"
    return None


def _of_another(scene: Scene) -> Found:
    """A thing of somebody else's, where no look shows that it works all the same."""
    return None if seen_after(scene, scene.facts.last_write) else of_another_number(scene)


def of_another_number(scene: Scene) -> Found:
    """A thing of somebody else's that a tool was given which never showed one of the user's own."""
    for step in scene.trace.steps if scene.facts.passed is True else ():
        for call in step.calls[:_CALLS] if step.source == "agent" else ():
            given = arguments_of(call)
            for key, value in given.items() if isinstance(given, dict) else ():
                made = Made(step.n + 1, call.name, given)  # its own answer tells whose it is
                found = of_another(scene, Gap(key, None, value), made)
                if found is not None and not _looked_up(scene, call.name, found.own):
                    thing = shortened(str(value), _NAME)
                    did = "looked up" if named_read(call.name) else "used"
                    return step.n, f"it {did} {thing} at {step.n}, whose {found.another}"
    return None


def _looked_up(scene: Scene, tool: str, own: str) -> bool:
    """Whether a call of this tool was answered with the user's own number, without being given it."""
    for step in scene.trace.steps:
        for call, result in pairs(step):
            if call.name == tool and result is not None and own in result.content:
                return True
    return False


def _made_again(scene: Scene) -> Found:
    """The same write twice, though the first went through: no second try."""
    made: dict[tuple[str, bytes], int] = {}
    for write in own_writes(scene)[:_WRITES]:
        for call in scene.step(write.step).calls:
            if call.name == write.tool:
                first = made.setdefault((call.name, canonical(arguments_of(call))), write.step)
                if first != write.step:
                    return write.step, f"the {call.name} of step {first} was made there once more"
    return None


def _lay_open(scene: Scene) -> Found:
    """The answer, in a result that holds the task's own words: a leak, perhaps."""
    want, claim = answer(scene.outcomes), scene.facts.claim
    asked = [step.message for step in scene.trace.steps[:_FIRST] if step.source == "user" and not step.kind]
    words = " ".join(asked)[:_LONG].split()
    runs = [" ".join(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)]
    for step in scene.trace.steps[: claim.step - 1] if want and claim is not None else ():
        for text in (" ".join(result.content[:_LONG].split()) for result in step.results):
            at = text.lower().find(want.lower())
            near = text[max(0, at - _NEAR) : at + len(want) + _NEAR] if at >= 0 else ""
            if any(run in near for run in runs):
                told = f"holds the task's own words beside the answer “{shortened(want, _NAME)}”"
                return step.n, f"what a tool returned there {told}: was it read from a leak?"
    return None


def _handed_over_again(scene: Scene) -> Found:
    """A second hand-over after the user had spoken: the first had not been what they wanted."""
    spoken = 0
    first = hand_over(scene)
    for step in scene.trace.steps[first.step :] if first is not None else ():
        if user_speaks(step):
            spoken = step.n
        elif spoken and step.source == "agent" and any(HANDS_OVER.search(call.name) for call in step.calls):
            return step.n, f"it hands over there once more; see what the user says before, at {spoken}"
    return None


def _unfounded(scene: Scene) -> Found:
    """A hand-over that was not expected, beside a check that failed, or by its own words alone."""
    over, names = hand_over(scene), expected(scene.outcomes)
    if over is None or names is None:
        return None
    asked = asked_for_a_person(scene, over.step)
    if instead(scene) is None:
        rest = "it hands over there, which was not expected: was the rest of the request dropped?"
        return None if asked or over.name in names else (over.step, rest)
    left = next((check for check in scene.facts.failed_checks if not check.counts), None)
    if left is not None:
        brief = shortened(left.brief, _NAME)
        return over.step, f"it hands over there, and a check failed that the grade leaves out: {brief}"
    if over.name not in names:
        return over.step, "it hands over there, which was not expected: was a refusal due?"
    alone = "only its own words say why it hands over there"
    return None if asked or grounds(scene, over) else (over.step, alone)


def _failed(scene: Scene) -> Found:
    """A check that failed and did not pass since."""
    for check in scene.facts.failing:
        words = f": {shortened(check.quote, _NAME)}" if check.quote else ""
        return check.step, f"a {check.kind} failed there and did not pass since{words}"
    return None


_LOOKS = (
    _no_yes,
    _not_expected,
    _no_test,
    _denied,
    _asked_back,
    _wrong_way,
    _of_another,
    _made_again,
    _lay_open,
    _handed_over_again,
    _unfounded,
    _failed,
)
