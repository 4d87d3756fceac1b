"""Open coding: the notes that people write while reading, before there is a codebook, and groups of them.

Whoever has read two hundred of them puts alike ones together, and each group may become a mode. A note that
is written anew keeps the group of the one it replaces. Groups are no labels. Of a trace that somebody has not
labelled in the round they see their own notes only, and only groups that they made themselves.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence

from reviewer.errors import InputError, NotFound
from reviewer.label import FROM_SET, LabelEvent
from reviewer.store import Store
from reviewer.store.codes import CODE_LENGTH, Code
from reviewer.taxonomy import Taxonomy, near
from reviewer.values import dataclass

SHORT = 8  # characters of an id that are shown


@dataclass(frozen=True, slots=True)
class Note:
    """One current note: what was written, by whom (a name), about which trace, at which step; its group."""

    id: str
    text: str
    trace_id: str
    step_n: int | None
    annotator: str
    name: str
    code: str = ""

    @property
    def line(self) -> str:
        """The note in one line."""
        return " ".join(self.text.split())


@dataclass(frozen=True, slots=True)
class Group:
    """Notes of one code; where there is none, all notes with the same words."""

    code: str
    notes: tuple[Note, ...]

    @property
    def traces(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(note.trace_id for note in self.notes))


def notes(store: Store, taxonomy: Taxonomy, round: int, viewer: str = "") -> list[Note]:
    """The current notes of a round with their groups; with `viewer` what that person may see."""
    heads = store.labels.heads("", round)  # notes come before the codebook, so they are of any
    codes, before = store.codes.all(), store.codes.replaced()
    names = {id: one.name for id, one in store.labels.annotators().items()}
    people = store.labels.links.people()
    mine = [one for one in heads if one.kind == "label" and one.annotator == viewer]
    labelled = {one.trace_id for one in mine if one.taxonomy == taxonomy.id}
    found = []
    for event in sorted(heads, key=lambda one: (one.at, one.id)):
        hidden = bool(viewer) and event.trace_id not in labelled
        if event.kind != "note" or event.origin.startswith(FROM_SET):
            continue
        if hidden and event.annotator != viewer:
            continue
        code = code_of(event.id, codes, before)
        own = code is not None and people.person(code.annotator) == viewer
        shown = code.code if code is not None and (own or not hidden) else ""
        found.append(_note(event, names.get(event.annotator, event.annotator), shown))
    return found


def _note(event: LabelEvent, name: str, code: str) -> Note:
    return Note(event.id, event.note, event.trace_id, event.step_n, event.annotator, name, code)


def code_of(id: str, codes: Mapping[str, Code], before: Mapping[str, Sequence[str]]) -> Code | None:
    """The group of a note: its own, else that of the note it replaced, and so on."""
    seen, level = {id}, [id]
    while level:
        if known := [codes[one] for one in level if one in codes]:
            return max(known, key=lambda one: (one.at, one.code))
        level = [old for one in level for old in before.get(one, ()) if old not in seen]
        seen.update(level)
    return None


def groups(found: Iterable[Note]) -> list[Group]:
    """The groups, largest first, and then the notes without one, those of the same words together."""
    by: dict[tuple[str, str], list[Note]] = {}
    for note in found:
        by.setdefault((note.code, "" if note.code else plain(note.text)), []).append(note)
    made = [Group(code, tuple(several)) for (code, _), several in by.items()]
    made.sort(key=lambda group: (not group.code, -len(group.notes), group.code or group.notes[0].line))
    return made


def plain(text: str) -> str:
    """Words that are the same to a reader."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def name_of(text: str) -> str:
    """The name of a group as it is kept. InputError: that is none."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > CODE_LENGTH or not name.isprintable():
        raise InputError(f"{text!r:.60}: a group has a name of 1 to {CODE_LENGTH} printable characters")
    return name


def chosen(found: Sequence[Note], words: Iterable[str], having: str = "") -> list[Note]:
    """The notes that are meant: by the beginning of an id, the name of a group, or by words that they hold.

    An id stands for all notes without a group that have the same words, as they are listed.

    NotFound, InputError: a word means nothing, or several notes.
    """
    picked = {note.id: note for note in found if having and plain(having) in plain(note.text)}
    if having and not picked:
        raise NotFound(f"no note holds {having!r}")
    for word in words:
        of_code = [note for note in found if note.code and note.code == " ".join(word.split())]
        by_id = [note for note in found if note.id.startswith(word) and (len(word) > 3 or note.id == word)]
        if not of_code and len(by_id) > 1:
            raise InputError(f"{word!r} is the beginning of {len(by_id)} notes; type more of the id")
        if not of_code and not by_id:
            known = sorted({note.code for note in found if note.code})
            raise NotFound(f"no note and no group {word!r}{near(word, known)}; `reviewer codes` lists them")
        same = [note for note in found if by_id and not note.code and _alike(note, by_id[0])]
        picked.update({note.id: note for note in of_code or [*by_id, *same]})
    return list(picked.values())


def _alike(note: Note, other: Note) -> bool:
    return not other.code and plain(note.text) == plain(other.text)


def put(store: Store, taken: Iterable[Note], code: str, *, by: str, now: Callable[[], str]) -> int:
    """Put notes into the group `code` (empty: into none); how many were not there before."""
    name, at = name_of(code) if code else "", now()
    moved = [note for note in taken if note.code != name]
    store.codes.put(Code(note.id, name, by, at) for note in moved)
    return len(moved)
