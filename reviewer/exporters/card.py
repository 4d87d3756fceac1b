"""The card of a dataset folder: `README.md` with the YAML header that Hugging Face's hub and `datasets` read.

What stands in it was counted elsewhere and is handed in; here it is only put into words. Every text that is
not our own goes through `plain` (Markdown) or JSON, which is YAML (header).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from reviewer.exporters.columns import Schema, Type
from reviewer.taxonomy import Taxonomy

UNKNOWN = "unknown"
_WHO = (
    "Labels as they stand, by what their annotator had seen; `changed since` are blind labels that agreement"
    " counts and their annotator has changed since; `settled` are the traces that somebody adjudicated."
)
_MARK = re.compile(r"([\\`*_{}\[\]<>#|~])")


@dataclass(frozen=True, slots=True)
class Source:
    """Where traces or labels come from, how many, and under which licence (empty: nobody said)."""

    name: str
    what: str
    count: int
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One configuration of the dataset: its name, its files by split, rows by split, and its columns."""

    name: str
    files: Mapping[str, str]
    rows: Mapping[str, int]
    schema: Schema


@dataclass(frozen=True, slots=True)
class Card:
    """Everything that a card says. Sequences of texts are sentences or cells, ready but for escaping."""

    title: str
    taxonomy: Taxonomy
    parts: Sequence[Part]
    typed: bool  # whether the files carry their types themselves
    chosen: str  # what was chosen to be in here
    counts: Sequence[tuple[str, str]]
    split: str
    people: Sequence[tuple[str, ...]]
    rounds: Sequence[tuple[str, ...]]
    agreement: Sequence[tuple[str, ...]]
    agreement_notes: Sequence[str]
    kinds: Sequence[str]  # what `exposure` counts
    exposure: Sequence[tuple[str, ...]]
    status: Sequence[tuple[str, ...]]
    modes: Sequence[tuple[str, ...]]
    sources: Sequence[Source]
    sampling: Sequence[str]
    masked: Sequence[str]


def text(card: Card) -> str:
    """The whole file."""
    return f"---\n{_header(card)}---\n\n{_body(card)}"


def plain(words: str) -> str:
    """Foreign text as one line of Markdown that means nothing but itself."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in words).split())
    return _MARK.sub(r"\\\1", line)


# -- the header ------------------------------------------------------------------------------------------


def licence(sources: Iterable[Source]) -> str:
    """The line of the header: one licence for all, or that they differ, or that one of them is not known."""
    found = {source.licence.lower() for source in sources if source.count}
    if not found or "" in found:
        return f'license: "{UNKNOWN}"'
    return f"license: {json.dumps(found.pop())}" if len(found) == 1 else "license: other"


def _header(card: Card) -> str:
    lines = [
        licence(card.sources),
        f"pretty_name: {json.dumps(card.title)}",
        "tags:\n- agent-traces\n- failure-modes\n- human-labels",
        "configs:",
    ]
    for place, part in enumerate(card.parts):
        lines += [f"- config_name: {part.name}", *(["  default: true"] if not place else []), "  data_files:"]
        lines += [f"  - split: {split}\n    path: {json.dumps(path)}" for split, path in part.files.items()]
    if not card.typed:
        lines.append("dataset_info:")
        for part in card.parts:
            lines += [f"- config_name: {part.name}", "  features:", *_features(part.schema, "  ")]
    return "".join(f"{line}\n" for line in lines)


def _features(schema: Schema, indent: str) -> Iterable[str]:
    for name, type in schema.items():
        yield f"{indent}- name: {name}"
        yield from _feature(type, f"{indent}  ")


def _feature(type: Type, indent: str) -> Iterable[str]:
    if isinstance(type, list) and isinstance(type[0], dict):
        yield f"{indent}list:"
        yield from _features(type[0], indent)
    elif isinstance(type, list):
        yield f"{indent}list: {type[0]}"
    else:
        yield f"{indent}dtype: {type}"


# -- the text --------------------------------------------------------------------------------------------


def _body(card: Card) -> str:
    codebook = card.taxonomy
    stamp = f"`{codebook.id}` {plain(codebook.version)}, hash `{codebook.hash}` (`taxonomy.toml` is its text)"
    who = ("annotator", "labels", "blind", "assisted", "after peers", "changed since", "settled")
    parts = [
        f"# {plain(card.title)}",
        "Traces of AI agents with people's labels of how they failed. Written by `reviewer export dataset`.",
        f"In here: {plain(card.chosen)}.",
        _table(("what", "how many"), card.counts),
        f"## How to load\n\n{_loading(card)}",
        f"## Splits\n\n{plain(card.split)}\n\n{_splits(card.parts)}",
        f"## Who labelled\n\n{_WHO}\n\n{_table(who, card.people)}",
        f"## Rounds\n\n{_table(('round', 'labels', 'of this codebook', 'in here'), card.rounds)}",
        "## Agreement\n\nOf people's last labels before anything was revealed to them, 95 % intervals.\n\n"
        + _table(("between", "what", "n", "value", "95 %"), card.agreement)
        + "\n"
        + _sentences(card.agreement_notes),
        "## What the annotators had seen\n\nWho settles a trace has everybody's labels in view: that is"
        " `peers`, and no label.\n\n" + _table(("condition", *card.kinds), card.exposure),
        "## Gold\n\nGold is adjudicated, or at least two independent blind labels that agree. One label alone"
        " is `single`, never gold.\n\n" + _table(("status", "traces"), card.status),
        f"## Codebook\n\n{stamp}.\n\n" + _table(("mode", "gold traces", "definition"), card.modes),
        "## Sources and licences\n\n"
        + _table(("source", "what", "how many", "licence"), _cells(card.sources)),
        "A licence that is unknown here was not told to `reviewer`; ask the source before you pass it on.",
        "## How the traces were chosen\n\n" + _sentences(card.sampling),
        "## What was masked\n\n" + _sentences(card.masked),
    ]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _cells(sources: Sequence[Source]) -> list[tuple[str, ...]]:
    return [(one.name, one.what, str(one.count), one.licence or UNKNOWN) for one in sources]


def _loading(card: Card) -> str:
    calls = "\n".join(f'{part.name} = load_dataset("PATH", "{part.name}")' for part in card.parts)
    code = f"```python\nfrom datasets import load_dataset\n\n{calls}\n```"
    return f"{code}\n\n`PATH` is this folder or its name on a hub."


def _splits(parts: Sequence[Part]) -> str:
    rows = [(part.name, split, str(count)) for part in parts for split, count in part.rows.items()]
    return _table(("configuration", "split", "rows"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [f"| {' | '.join(plain(cell) for cell in row)} |\n" for row in rows]
    if not cells:
        return "None.\n"
    return f"| {' | '.join(head)} |\n|{' --- |' * len(head)}\n{''.join(cells)}"


def _sentences(lines: Sequence[str]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines) + "\n"
