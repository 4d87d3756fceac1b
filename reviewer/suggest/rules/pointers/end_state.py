"""What differs first between the expected state and the one a run left, in words, with its place in the run.

Reads the lines of `facts.compared`, in which looks and failed calls are left out already. Not known here:
whether the difference matters, or which of several is the one that began it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from reviewer.facts import Compared, Facts, Line
from reviewer.suggest.rules.seen.quoting import shortened

_CALL = re.compile(r"(?:\w+ )?[\w.-]+\(")
_LABEL = re.compile(r"([\w.-]+): ")
_WIDE = 80


@dataclass(frozen=True, slots=True)
class Difference:
    """`step` made the call that differs (0: not known), `name` is that call's, `made` what it was given.

    `want`: what was expected there, in short; empty where nothing was.
    """

    says: str
    step: int = 0
    name: str = ""
    made: str = ""
    want: str = ""


def first_difference(facts: Facts) -> Difference | None:
    """The first one of all outcomes whose final state is known."""
    return next(filter(None, map(_first, facts.compared)), None)


def _first(one: Compared) -> Difference | None:
    above: list[Line] = []
    for n, line in enumerate(one.lines if one.final else ()):
        while above and above[-1].depth >= line.depth:
            above.pop()
        if line.sign == ">":
            above.append(line)
        elif line.sign in "-+":
            return _told(line, one.lines[n + 1 : n + 2], above)
    return None


def _told(line: Line, after: Sequence[Line], above: Sequence[Line]) -> Difference:
    call = next((heading for heading in reversed(above) if heading.step), None)
    label, value = _parts(line)
    # a whole call says for itself what it is; the list that holds it is a word of the file only
    heading = call or (above[-1] if above and not _CALL.match(value) else None)
    where = ", ".join(filter(None, (heading.text if heading else "", label)))
    where = f"{where}: " if where else ""
    step = call.step if call else line.step
    name = _name(call.text if call else value)
    if line.sign == "+":
        return Difference(f"{where}{_came(step)} {_brief(value)}, not expected", step, name, value)
    for other in after:
        its_label, made = _parts(other)
        if (other.sign, other.depth, its_label) == ("+", line.depth, label):
            step = step or other.step
            value, made = _apart(value, made)
            says = f"{where}expected {_brief(value)}, {_came(step)} {_brief(made)}"
            return Difference(says, step, name if call else _name(made), made, _brief(value))
    return Difference(f"{where}expected {_brief(value)}, not there", step, name, want=_brief(value))


def _came(step: int) -> str:
    """How it is said that something came: calls are made, a state is found."""
    return "made" if step else "found"


def _parts(line: Line) -> tuple[str, str]:
    """The label of a line and its value; a text without its quotation marks, as arguments hold it."""
    match = _LABEL.match(line.text)
    label, value = (match[1], line.text[match.end() :]) if match else ("", line.text)
    if value.startswith('"'):
        try:
            plain = json.loads(value)
        except ValueError:  # a long one, which was cut
            return label, value
        return label, plain if isinstance(plain, str) and plain.strip() else value
    return label, value


def _apart(want: str, made: str) -> tuple[str, str]:
    """Of two lists the first items that the other has not, since the screen shows a list item by item."""
    try:
        left, right = json.loads(want), json.loads(made)
    except (ValueError, RecursionError):
        return want, made
    if not isinstance(left, list) or not isinstance(right, list):
        return want, made
    gone = [str(item) for item in left if item not in right]
    new = [str(item) for item in right if item not in left]
    return (gone[0], new[0]) if gone and new and gone[0].strip() and new[0].strip() else (want, made)


def _name(call: str) -> str:
    """The name in `requestor name(arguments)`."""
    return call.partition("(")[0].rpartition(" ")[2]


def _brief(value: str) -> str:
    return shortened(value, _WIDE)
