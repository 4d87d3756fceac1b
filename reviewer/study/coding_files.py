"""Groups of notes as a file for one's editor and back; a taxonomy drafted from them. Text in, text out."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.study.coding import Group, Note, name_of
from reviewer.taxonomy import RESERVED_KEYS

NO_CODE = "no group"
_HEAD = """\
# Notes in groups. A note belongs to the group under whose [[group]] it stands: move its line, rename a group,
# add one. Lines that are left out stay where they were; what stands behind # is for reading only.
# Then: reviewer codes import FILE
"""
_DRAFT = """\
# A draft, made from {notes} in {groups}. Sharpen each definition until two people who read
# it look at the same thing; add checks (questions with yes or no), and [[rather]] rules between neighbours.
# `reviewer taxonomy check FILE` tells whether it can be used, `reviewer taxonomy use FILE` takes it into use.
"""
_EXAMPLES = 5  # of a mode
_EXAMPLE = 300  # characters of one
_ID = 40


def quoted(text: str) -> str:
    """A TOML string of one line."""
    out = []
    for sign in text:
        if sign in '"\\':
            out.append(f"\\{sign}")
        elif not sign.isprintable():
            code = 0xFFFD if unicodedata.category(sign) == "Cs" else ord(sign)  # half a pair is no character
            out.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
        else:
            out.append(sign)
    return f'"{"".join(out)}"'


# -- for an editor -----------------------------------------------------------------------------


def written(groups: Iterable[Group]) -> str:
    """All groups with their notes; those without a group stand last, under an empty name."""
    named = [group for group in groups if group.code]
    loose = [note for group in groups if not group.code for note in group.notes]
    parts = [_HEAD]
    for name, notes in [*((group.code, group.notes) for group in named), ("", loose)]:
        parts.append(f"\n[[group]]\nname = {quoted(name)}{'' if name else f'  # {NO_CODE}'}\nnotes = [\n")
        parts += [f"  {quoted(note.id)},  # {_comment(note)}\n" for note in notes]
        parts.append("]\n")
    return "".join(parts)


def _comment(note: Note) -> str:
    """A comment takes no control characters and ends with its line."""
    text = "".join(sign if sign.isprintable() else " " for sign in note.line)
    name = "".join(sign if sign.isprintable() else " " for sign in note.name)
    return f"{where(note)} {name}: {text}"


def where(note: Note) -> str:
    """`t1-0123abcd step 7`."""
    return note.trace_id[:11] + ("" if note.step_n is None else f" step {note.step_n}")


def read(text: str, name: str, found: Sequence[Note]) -> list[tuple[Note, str]]:
    """Each note of the file with its group. InputError names what cannot be used; then nothing is."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: not TOML: {' '.join(str(error).split())}") from None
    tables = data.get("group")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InputError(f"{name}: there are no [[group]] tables; `reviewer codes export` writes such a file")
    known = {note.id: note for note in found}
    placed: dict[str, str] = {}
    for number, table in enumerate(tables, 1):
        code, ids = table.get("name", ""), table.get("notes", [])
        if not isinstance(code, str) or not isinstance(ids, list):
            raise InputError(f"{name}: group {number}: 'name' must be text and 'notes' a list")
        for id in ids:
            if not isinstance(id, str) or id not in known:
                raise InputError(f"{name}: group {number} ({code}): no note {id!r:.60} in this round")
            if id in placed:
                raise InputError(f"{name}: group {number} ({code}): note {id} stands in two groups")
            placed[id] = name_of(code) if code else ""
    return [(known[id], code) for id, code in placed.items()]


# -- a taxonomy --------------------------------------------------------------------------------


def drafted(groups: Sequence[Group], id: str, title: str) -> str:
    """A taxonomy with a mode for each named group, examples from its notes, and the four non-failures.

    InputError: there is no named group.
    """
    named = [group for group in groups if group.code]
    if not named:
        raise InputError("there is no group yet: `reviewer codes group NAME NOTE…` makes one")
    notes = sum(len(group.notes) for group in named)
    parts = [_DRAFT.format(notes=count(notes, "note"), groups=count(len(named), "group"))]
    parts.append(f'\nid = {quoted(id)}\nversion = "1"\ntitle = {quoted(title or id)}\n')
    source = f"Open coding of {count(notes, 'note')}"
    parts.append(f"source = {quoted(source)}\n")
    ends = files(__package__).joinpath("ends_of_drafts.toml").read_text("utf-8")
    _, other, *rest = ends.split("[[mode]]\n")
    taken, keys = {tomllib.loads(mode)["id"] for mode in rest}, _keys()
    for number, group in enumerate(named, 1):
        mode = slug(group.code, taken)
        taken.add(mode)
        key = "" if number <= 9 else next(keys, "")
        parts.append(f"\n[[mode]]\nid = {quoted(mode)}\nname = {quoted(group.code)}\n")
        parts.append(f"key = {quoted(key)}\n" * bool(key))
        parts.append(f"definition = {quoted(_definition(group))}\nexamples = [\n")
        # which trace stands in a comment: whoever still has to label it reads the examples in the app
        parts += [f"  {quoted(_cut(note.line))},  # {where(note)}\n" for note in _examples(group)]
        parts.append("]\n")
    if tomllib.loads(other)["id"] not in taken:
        key = "" if len(named) < 9 else next(keys, "")
        rest.insert(0, f"key = {quoted(key)}\n" * bool(key) + other)
    return "".join([*parts, "\n", *(f"[[mode]]\n{mode}" for mode in rest)])


def _definition(group: Group) -> str:
    """The words of the notes, the most frequent first, until somebody writes a definition."""
    lines = list(dict.fromkeys(note.line for note in group.notes))
    lines.sort(key=lambda line: -sum(note.line == line for note in group.notes))
    return f"(draft) {group.code}: {'; '.join(_cut(line) for line in lines[:3])}"


def _examples(group: Group) -> list[Note]:
    shown = {note.line: note for note in reversed(group.notes)}  # the first of the same words
    first = [note for note in group.notes if shown[note.line] is note]
    return first[:_EXAMPLES]


def _cut(text: str) -> str:
    return text if len(text) <= _EXAMPLE else f"{text[: _EXAMPLE - 1]}…"


def slug(name: str, taken: Iterable[str] = ()) -> str:
    """An id out of a name: letters of any script, digits, underscores; one that is not taken."""
    words = re.sub(r"[^\w]+", "_", unicodedata.normalize("NFKC", name).casefold()).strip("_")
    start = words[:_ID].strip("_") or "mode"
    known, number, found = set(taken), 1, start
    while found in known:
        number += 1
        found = f"{start}_{number}"
    return found


def _keys() -> Iterator[str]:
    return iter([letter for letter in "atMPQTUXYAFDGIO" if letter not in RESERVED_KEYS])
