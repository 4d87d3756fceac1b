"""The few words that show what a call did: of its answer or of its arguments, whichever say more.

A record that comes back whole (an order with its payments) says less than its status or than the values
that were given. Not known: whether what was done was right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from reviewer.facts.texts import spelled, strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.quoting import WIDTH, answered_call, around, given_to, head, sentence
from reviewer.trace import Json, Step, ToolCall

MOST = WIDTH

_STATE = re.compile(r'"(?:status|message)": ?"(?P<words>[^"\\]{1,90})"')
_MEMBER = re.compile(r',(?=\s?["{\[])')  # where a member of an object or a list ends
_KEYED = re.compile(r'"(?P<key>[^"\\]{1,40})": ?')
_STEM = 4  # letters: `return` and `return requested`, `cancel` and `cancelled`
_WORDS = 3
_MOST_OF = 0.6  # of the arguments: a text that long is the call itself
_OPEN = re.compile(r"[\s,:;(\[{]+\Z")


def deed(step: Step, about: str, tool: str) -> tuple[str, str]:
    """What shows that this call was made and what it did: a quote and its caption, or nothing."""
    pair = answered_call(step, about, tool)
    if pair is None:
        return "", ""
    call, result = pair
    answer = result.content if result is not None else ""
    if (state := _told(answer, tool)) is not None:
        return around(answer, *state.span(), width=len(state[0])), "its answer"
    given = _given(call, about)
    prose = "" if answer.lstrip()[:1] in ("{", "[", "") else head(answer, MOST)
    values = [value for value in strings(_parsed(call)) if value]
    for words in (sentence(prose, 0), prose):
        if telling(words) and all(value in words for value in values):
            return words, "its answer"
    if telling(given) and given != about:
        return given, "done"
    return (prose, "its answer") if telling(prose) else (given, "done") if telling(given) else ("", "")


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


def _given(call: ToolCall, about: str) -> str:
    """The arguments in whole members, from the first that is no id on; a command or a text from its start."""
    whole = spelled(call.arguments) if call.arguments else ""
    longest = max(strings(_parsed(call)), key=len, default="")
    worded = len(longest) >= _MOST_OF * len(whole) and " " in longest
    return given_to(call, about, MOST) if worded or "\\" in whole or whole[:1] != "{" else members(whole)


def _parsed(call: ToolCall) -> Json:
    """The arguments, of which some files hold the text."""
    try:
        return json.loads(call.arguments) if isinstance(call.arguments, str) else call.arguments
    except (ValueError, RecursionError):
        return call.arguments


def members(whole: str, most: int = MOST) -> str:
    """A part of an object as it is written, in whole members, from the first that is not only an id on."""
    if len(whole) <= most:
        return whole
    start = next((at for at, key in _keys(whole) if not _of_id(key)), 0)
    ends = [match.start() for match in _MEMBER.finditer(whole, start + 1)]
    end = max((at for at in (*ends, len(whole)) if at - start <= most), default=start)
    part = whole[start:end]
    return part if telling(part) else _OPEN.sub("", head(whole[start:], most))


def _keys(whole: str) -> Iterator[tuple[int, str]]:
    for match in _KEYED.finditer(whole):
        yield match.start(), match["key"]


def _of_id(key: str) -> bool:
    return key == "id" or key.endswith(("_id", "Id", "_ids"))
