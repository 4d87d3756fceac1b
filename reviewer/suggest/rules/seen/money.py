"""Whether what an agent says of money is what the answer to its call shows: charged where it was refunded.

By form: sums with a currency sign in English sentences, and records of transactions with their kind and
amount. Not known: sums of several calls, fees that no record holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from reviewer.facts import Write
from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import pairs, strings
from reviewer.suggest.rules.seen.phrases import NEGATED
from reviewer.suggest.rules.seen.quoting import answered_call
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step

_RECORD = re.compile(
    r'"transaction_type": ?"(?P<kind>payment|charge|refund|credit)", ?"amount": ?(?P<sum>\d+(?:\.\d+)?)'
)
_ENTRY = re.compile(r'"transaction_type": ?"[^{}]{8,90}(?=\})')
_SUM = re.compile(r"[$€£]\s?(?P<sum>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)")
_SENTENCE = re.compile(r"[^\n.!?]+(?:\.\d[^\n.!?]*)*")
_CHARGED = re.compile(
    r"\b(?:charg(?:ed?|ing)|additional (?:cost|charge|payment)|(?:owe|paid|pay|cover\w*)\b)", re.IGNORECASE
)
_REFUNDED = re.compile(r"\b(?:refund\w*|credit(?:ed|ing)?\b(?! card)|reimburs\w*|paid back)", re.IGNORECASE)
_BACK = frozenset(("refund", "credit"))
_LONG, _MOST = 20_000, 200
_ASKS = 2  # messages before a call that tell what it will cost


def told_otherwise(scene: Scene, at: int) -> tuple[int, str] | None:
    """Where the agent says of a sum the reverse of what the answer at a step shows, after it or before."""
    new = {amount: kind for kind, amount in _records(scene, at)}
    for step in scene.trace.steps[: at - 1] if new else ():
        for _, amount in _records(scene, step.n):
            new.pop(amount, None)  # of an earlier deal
    if not new:
        return None
    own = [step for step in scene.trace.steps if step.source == "agent" and not step.kind and step.message]
    after = [step for step in own if step.n >= at][:1]
    for step in (*after, *[step for step in own if step.n < at][: -_ASKS - 1 : -1]):
        for words in islice(_SENTENCE.finditer(step.message[:_LONG]), _MOST):
            sums = {round(float(one["sum"].replace(",", "")), 2) for one in _SUM.finditer(words[0])}
            charged, refunded = _CHARGED.search(words[0]), _REFUNDED.search(words[0])
            if len(sums) != 1 or bool(charged) == bool(refunded) or NEGATED.search(words[0]):
                continue
            back = new.get(sums.pop())
            said = charged or refunded
            if back is not None and said is not None and back == bool(charged):
                shown = "refund" if back else "payment"
                return step.n, f"“{said[0]}” is said there of a sum that the answer at {at} calls a {shown}"
    return None


def transaction(step: Step, write: Write) -> str:
    """The record of money in the answer to a write that names a value which it was given; the last one."""
    call, result = answered_call(step, write.target, write.tool) or (None, None)
    if call is None or result is None:
        return ""
    values = [text for text in strings(arguments_of(call)) if text]
    found = [match[0] for match in _ENTRY.finditer(result.content[:_LONG])]
    return next((one for one in reversed(found) if any(f'"{value}"' in one for value in values)), "")


def _records(scene: Scene, n: int) -> Iterator[tuple[bool, float]]:
    """Whether money went back, and how much, as the results of a step show it."""
    for _, result in pairs(scene.step(n)):
        if result is not None and "transaction_type" in result.content:
            for one in islice(_RECORD.finditer(result.content[:_LONG]), _MOST):
                yield one["kind"] in _BACK, round(float(one["sum"]), 2)
