"""The values of a Secret of Kubernetes, under `data` and `stringData`, in YAML and in JSON.

Pure. By its form alone: whatever the names are. Lines may be numbered or begin with the `+` of a patch, and
all of it may stand in a string. Not known here: values in a chart's template, a Secret that Terraform or a
library makes, a value that stands outside (`kubectl get secret -o jsonpath=…`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator

from reviewer.redact.shapes import BREAK

_KIND = re.compile(r"kind(?P<mark>\\{0,31}[\"']?)\s{0,4}:\s{0,4}\\{0,31}[\"']?Secret(?![\w-])")
_DATA = re.compile(r"(?P<mark>\\{0,31}[\"'])(?:stringData|data)(?P=mark)\s{0,4}:\s{0,4}\{")
_PAIR = re.compile(
    r"(?:\s|\\{1,32}n|,){0,80}(?P<mark>\\{0,31}\")[\w.-]{1,253}(?P=mark)\s{0,4}:\s{0,4}(?P=mark)"
    r"(?P<value>(?:(?!(?P=mark)).){0,20000}?)(?P=mark)",
    re.DOTALL,
)
_STRING_ENDS = re.compile(r"\\{0,31}[\"']")
_NEAR, _KINDS = 3, 400  # how many objects called data to either side are looked at, how many mappings of YAML
_FAR, _MOST = 20_000, 400  # characters between the kind and its data, lines of a document
_BREAK = re.compile(BREAK)
# What stands before a line of YAML: its number; then its depth, with the sign of a patch and dashes of lists.
_LINE = re.compile(
    r"(?:[ \t]{0,8}[0-9]{1,6}(?:\t|\\{1,4}t|→|[:|]| [|│]))?(?P<depth>(?:\+|-(?=[^\s-]))? *(?:- +)*)"
)
_HEAD = re.compile(r"(?:stringData|data):[ \t]*(?:#.*)?\Z")
_ENTRY = re.compile(r"[\"']?[\w.-]{1,253}[\"']?:[ \t]+(?P<value>\S.*?)[ \t]*\Z")
_NEXT_KIND = re.compile(r"kind[\"']?:|\$ |---|\.\.\.")
_EMPTY = re.compile(
    r"[\"']{0,2}\Z|[|>][+-]?\d?\Z|\{\{|\{\}|[\"']?\$[{(A-Z_]|[\"']?<[^<>]*>|\[masked |null\Z|~\Z"
)


def without_secrets(text: str, counts: Counter[str]) -> str:
    """Masks the values of each Secret in a text."""
    kinds = list(_KIND.finditer(text))
    if not kinds:
        return text
    plain = [kind for kind in kinds if not kind["mark"]][:_KINDS]
    found = {span for kind in plain for span in _in_yaml(text, kind.start())}
    data = list(_DATA.finditer(text)) if any(kind["mark"] for kind in kinds) else []
    found.update(span for kind in kinds if kind["mark"] for span in _in_json(text, kind, data))
    out: list[str] = []
    done = 0
    for begin, end in sorted(found):
        if begin >= done:
            counts["value of a Kubernetes secret"] += 1
            out += (text[done:begin], "[masked value]")
            done = end
    return "".join((*out, text[done:])) if out else text


def _in_json(text: str, kind: re.Match[str], every: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    """The values of the objects called `data` beside this kind, in the same object."""
    place = bisect_left(every, kind.start(), key=lambda data: data.start())
    for data in every[max(0, place - _NEAR) : place + _NEAR]:
        far = abs(data.start() - kind.start()) > _FAR
        if far or data["mark"] != kind["mark"] or not _beside(text, data.start(), kind.start()):
            continue
        at = data.end()
        while (pair := _PAIR.match(text, at)) and pair["mark"] == data["mark"]:
            if pair["value"] and not _EMPTY.match(pair["value"]):
                yield pair.span("value")
            at = pair.end()


def _beside(text: str, a: int, b: int) -> bool:
    """Whether two places are in the same object: none was left between them that was not entered there."""
    depth = 0
    for sign in text[min(a, b) : max(a, b)]:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            return False
    return depth == 0


def _in_yaml(text: str, place: int) -> Iterator[tuple[int, int]]:
    """The values under `data` in the mapping that this key of YAML belongs to."""
    begun = max((found.end() for found in _BREAK.finditer(text, max(0, place - 400), place)), default=None)
    start = begun if begun is not None else max(0, place - 400)
    column, at = _depth(text, start)
    if at != place:
        if text[place - 1 : place] not in ('"', "'"):
            return  # a word in a sentence
        start, column = place, 0  # a text in a string begins here
    above = list(_above(text, start, column)) if at == place else []
    lines = [*reversed(above), *_below(text, start, column)]
    for begin, end in _values(text, lines, column):
        within = text[end : end + 1] == "\\" or (end == len(text) or text[end] not in "\r\n")
        cut = _STRING_ENDS.search(text, begin + 1, end) if within else None
        yield begin, cut.start() if cut else end


def _values(text: str, lines: list[tuple[int, int]], column: int) -> Iterator[tuple[int, int]]:
    under = block = -1  # how deep a line is under `data`, and under a value of several lines
    for begin, end in lines:
        depth, at = _depth(text, begin)
        said = text[at:end].strip()
        if not said:
            continue
        if depth == column:
            under, block = (column if _HEAD.match(said) else -1), -1
        elif under >= 0 and depth > under:
            if 0 <= block < depth:
                yield at, end
                continue
            entry = _ENTRY.match(text[at:end])
            block = depth if entry and entry["value"][0] in "|>" else -1
            if entry and not _EMPTY.match(entry["value"]):
                yield at + entry.start("value"), at + entry.end("value")


def _depth(text: str, begin: int) -> tuple[int, int]:
    """How deep the key of a line is, and where it begins."""
    line = _LINE.match(text, begin)
    assert line is not None
    return len(line["depth"]), line.end()


def _below(text: str, begin: int, column: int) -> Iterator[tuple[int, int]]:
    """The lines from this one on that belong to the same mapping."""
    for n in range(_MOST):
        found = _BREAK.search(text, begin, begin + _FAR)
        end = found.start() if found else min(len(text), begin + _FAR)
        if n and _leaves(text, begin, end, column):
            return
        yield begin, end
        if found is None:
            return
        begin = found.end()


def _above(text: str, begin: int, column: int) -> Iterator[tuple[int, int]]:
    """The lines before this one that belong to the same mapping, the nearest first."""
    if "-" in text[slice(begin, _depth(text, begin)[1])]:
        return  # it begins an item of a list
    breaks = list(_BREAK.finditer(text, max(0, begin - _FAR), begin))
    for n in range(len(breaks) - 1, -1, -1):
        end = breaks[n].start()
        start = breaks[n - 1].end() if n else max(0, begin - _FAR)
        item = "-" in text[slice(start, _depth(text, start)[1])] and _depth(text, start)[0] == column
        if (not item and _leaves(text, start, end, column)) or not text[start:end].strip():
            return
        yield start, end
        if item:
            return


def _leaves(text: str, begin: int, end: int, column: int) -> bool:
    """Whether a line ends the mapping whose keys are in this column."""
    depth, at = _depth(text, begin)
    said = text[at:end].strip()
    if (depth == column and _NEXT_KIND.match(said)) or text.startswith("---", begin):
        return True
    return bool(said) and (depth < column or (depth == column and "-" in text[begin:at]))
