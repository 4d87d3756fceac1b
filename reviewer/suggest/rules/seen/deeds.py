"""The few words that show what a call did: of its answer or of its arguments, whichever say more.

A record that comes back whole (an order with its payments) says less than its status or than the values
that were given. Not known: whether what was done was right.
"""

from __future__ import annotations

import re

from reviewer.facts.calls import arguments_of
from reviewer.facts.texts import strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.quoting import WIDTH, answered_call, around, given_to, head, sentence
from reviewer.trace import Step

_STATE = re.compile(r'"(?:status|message)": ?"(?P<words>[^"\\]{1,90})"')
_STEM = 4  # letters: `return` and `return requested`, `cancel` and `cancelled`
_WORDS = 3


def deed(step: Step, about: str, tool: str) -> tuple[str, str]:
    """What shows that this call was made and what it did: a quote and its caption, or nothing."""
    pair = answered_call(step, about, tool)
    if pair is None:
        return "", ""
    call, result = pair
    answer = result.content if result is not None else ""
    if (state := _told(answer, tool)) is not None:
        return around(answer, *state.span(), width=len(state[0])), "its answer"
    told = "" if answer.lstrip()[:1] in ("{", "[") else answer.lstrip()
    prose = next(filter(telling, (sentence(told, 0), head(told))), "")
    values = [value for value in strings(arguments_of(call)) if value]
    given = given_to(call, about, WIDTH)
    given = given if telling(given) and given != about else ""
    if prose and (not given or all(value in head(answer) for value in values)):
        return prose, "its answer"
    return (given, "done") if given else ("", "")


def _told(answer: str, tool: str) -> re.Match[str] | None:
    """The status that names the deed, or a message in a sentence."""
    verb = next((word for word in re.split(r"[_\W]+", tool.lower()) if len(word) >= _STEM), "")[:_STEM]
    for match in _STATE.finditer(answer[:20_000]):
        words = match["words"].lower()
        if '"message"' in match[0] and len(words.split()) >= _WORDS:
            return match
        if verb and verb in words:
            return match
    return None
