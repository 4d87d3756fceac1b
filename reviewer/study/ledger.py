"""The rule ledger as text for a codebook: what adjudications decided, pair by pair, in TOML that loads.

A pair of modes without a rule gets a `[[rather]]` table whose sides hold the reasons; a pair that has a
rule, and reasons that belong to no pair, get a `[[section]]`. It is a draft: a person turns the reasons into
something that can be looked up in a trace. Pure; knows no store.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from reviewer.label import LabelEvent
from reviewer.taxonomy import Mode, Taxonomy
from reviewer.text import safe_line
from reviewer.values import dataclass

DRAFT = "DRAFT"  # what no codebook that is finished says
_MARKED = re.compile(rf"^\s*\W?{DRAFT}\b|\({DRAFT}\)", re.IGNORECASE)
ASK = f"{DRAFT}, say what to look up in the trace: which of the two does it show?"
NOT_YET = f"{DRAFT}: no case was settled this way yet; say when it is."
_VERSION = re.compile(r'^(\s*version\s*=\s*)("[^"\n]*"|\'[^\'\n]*\')', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One adjudication: what it decided, between which modes, why; `guideline`: the codebook must change."""

    trace_id: str
    mode: str
    said: tuple[str, ...]
    reason: str
    note: str = ""
    guideline: bool = False

    @property
    def pair(self) -> tuple[str, ...]:
        """The mode decided for and the one that most people gave instead; one mode if nobody gave another."""
        others = Counter(mode for mode in self.said if mode != self.mode).most_common(1)
        return (self.mode, *(mode for mode, _ in others))


def entries(adjudications: Iterable[LabelEvent], labels: Mapping[str, Sequence[LabelEvent]]) -> list[Entry]:
    """The ledger: adjudications with what was said of each trace, by pair, changes of the guideline first."""
    made = [
        Entry(
            event.trace_id,
            event.mode,
            tuple(
                sorted(mode for mode, _ in {(e.mode, e.annotator) for e in labels.get(event.trace_id, ())})
            ),
            event.reason,
            event.note,
            event.guideline,
        )
        for event in adjudications
    ]
    return sorted(made, key=lambda one: (not one.guideline, sorted(one.pair), one.mode, one.trace_id))


def drafts(taxonomy: Taxonomy) -> list[str]:
    """What of a codebook nobody has put into words yet: definitions and rules that say they are a draft."""
    modes = [mode.id for mode in taxonomy.modes if any(map(_unfinished, _words(mode)))]
    rules = [
        f"rule {' / '.join(rule.pair)}"
        for rule in taxonomy.rather
        if any(map(_unfinished, (rule.ask, rule.a, rule.b, rule.neither)))
    ]
    lines = [section.title for section in taxonomy.sections if any(map(_unfinished, section.rules))]
    facets = [
        facet.id
        for facet in taxonomy.facets
        if any(map(_unfinished, (facet.question, *(choice.definition for choice in facet.choices))))
    ]
    return [*modes, *rules, *lines, *facets]


def _words(mode: Mode) -> tuple[str, ...]:
    return (mode.definition, *mode.checks, *(submode.definition for submode in mode.submodes))


def _unfinished(text: str) -> bool:
    """Whether a text says of itself that it is a draft: first of all, or in brackets, or in capitals.

    A definition may well be about drafts that an agent wrote.
    """
    return DRAFT in text or bool(_MARKED.search(text))


def as_toml(ledger: Sequence[Entry], taxonomy: Taxonomy) -> str:
    """The tables to add to the text of `taxonomy`; empty where nothing was settled."""
    order = {mode.id: place for place, mode in enumerate(taxonomy.modes)}
    groups: dict[tuple[str, ...], list[Entry]] = {}
    for entry in ledger:
        pair = tuple(sorted(entry.pair, key=lambda mode: (order.get(mode, len(order)), mode)))
        groups.setdefault(pair, []).append(entry)
    return "\n".join(_group(pair, group, taxonomy) for pair, group in groups.items())


def amended(text: str, taxonomy: Taxonomy, ledger: Sequence[Entry]) -> str:
    """The text of a taxonomy with what the ledger adds, and a version of its own."""
    tables = as_toml(ledger, taxonomy)
    if not tables:
        return text
    version = taxonomy.version
    grown = str(int(version) + 1) if version.isdecimal() and version.isascii() else f"{version}.1"
    renamed = _VERSION.sub(lambda found: found[1] + quoted(grown), text, count=1)
    told = "# What adjudications decided, as a draft: edit, then `reviewer taxonomy check`."
    return f"{renamed.rstrip()}\n\n{told}\n\n{tables}"


def quoted(text: str) -> str:
    """A TOML basic string: what JSON writes, but for DEL and for halves of surrogate pairs."""
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")


def _group(pair: tuple[str, ...], group: Sequence[Entry], taxonomy: Taxonomy) -> str:
    must = "; THE GUIDELINE MUST CHANGE" * any(one.guideline for one in group)
    cases = [f"# {_plain(one.trace_id[:11])}: {_plain(one.mode)}" for one in group]
    head = [f"# {_plain(' or '.join(pair))}: {len(group)} settled{must}", *cases]
    known = len(pair) == 2 and all(map(taxonomy.has, pair))
    if known and taxonomy.rule(*pair) is None:
        sides = [_side(mode, group) for mode in pair]
        table = ["[[rather]]", f"pair = [{quoted(pair[0])}, {quoted(pair[1])}]", f"ask = {quoted(ASK)}"]
        return "\n".join([*head, *table, f"a = {sides[0]}", f"b = {sides[1]}", ""])
    rules = list(dict.fromkeys(f"{one.mode}: {_told(one)}" for one in group))
    title = f"Settled cases: {' or '.join(pair)}"
    lines = [f"  {quoted(rule)}," for rule in rules]
    return "\n".join([*head, "[[section]]", f"title = {quoted(title)}", "rules = [", *lines, "]", ""])


def _side(mode: str, group: Sequence[Entry]) -> str:
    reasons = list(dict.fromkeys(_told(one) for one in group if one.mode == mode))
    return quoted(" / ".join(reasons) or NOT_YET)


def _told(entry: Entry) -> str:
    """The reason in one line, with the note of who overrode everybody."""
    return " ".join(f"{entry.reason} {entry.note}".split()) or NOT_YET


def _plain(text: str) -> str:
    """What may stand in a comment: one line without controls or lone surrogates."""
    return safe_line(text).encode("utf-8", "replace").decode("utf-8")
