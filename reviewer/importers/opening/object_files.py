"""One JSON object that is too large to be held: what is large in it is read one element at a time.

The file is gone through twice. The first time finds what is small (settings, tasks, before and after the
large list) and where the large lists and maps stand; the second gives their elements to an importer that
says by name which it reads so (`STREAMS`). A damaged element costs itself; where its end is not
known, and after the object, what comes is lost. All that is said. Knows no trace format.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from reviewer.errors import InputError
from reviewer.importers.base import Importer, Line, Source, Warn
from reviewer.importers.opening import line_files
from reviewer.importers.opening.loading import Loader
from reviewer.importers.opening.object_parts import Part
from reviewer.importers.opening.sliding import Damaged, Text
from reviewer.trace import Json

# From this many characters on a member of the object is large; so many are kept of it for sniffers.
PART = 2_000_000
KEPT = 8_000_000  # characters that are kept of all members together
MOST_KEYS = 1_000_000
SELF = ""  # the name of the object itself, where its members are what is read one at a time


@dataclass(slots=True)
class Member:
    """One member of the object: its place among them, its first elements, its size in characters."""

    place: int
    name: str
    opened: str = ""  # the bracket that it begins with, "" for a single value
    kept: list[Line] = field(default_factory=list)
    value: Json = None  # of a single value
    taken: int = 0
    size: int = 0
    large: bool = False
    again: set[str] = field(default_factory=set)  # keys that stand in it more than once

    def shown(self) -> Json:
        """The value, of a large member as far as it is kept."""
        good = [line for line in self.kept if not line.bad]
        if self.opened == "[":
            return [line.value for line in good]
        return {line.name: line.value for line in good} if self.opened else self.value


def object_file(path: Path, held: Path | None = None) -> Source | None:
    """The object with its large members in parts; None for a file that has to be read whole.

    `held` is where it lies, when that is not the file it is told of by.
    """
    place = held or path
    try:
        if place.stat().st_size < line_files.LARGE or not place.is_file():
            return None
    except (OSError, ValueError):  # is told of by whoever reads it whole
        return None
    return object_in(path, lambda: place.open("rb"), PART, KEPT)


def object_in(path: Path, opens: Callable[[], BinaryIO], most: int, room: int) -> Source | None:
    """The same of an object anywhere; a member is large from `most` on, `room` is for all that is kept."""
    try:
        whole = ObjectFile(path, opens, most, room)
    except (OSError, ValueError, InputError, Damaged, Run):  # is told of by whoever reads it whole
        return None
    parts = {name: whole.part(name) for name, member in whole.members.items() if member.large}
    return Source(path, "", True, value=whole.value(), parts=parts, warnings=whole.warnings, pieces=whole)


def narrowed(source: Source, importer: Importer, reread: Callable[[], Source]) -> Source | None:
    """The source as `importer` reads it piece by piece; None where it has to be read whole."""
    whole = source.pieces
    if not isinstance(whole, ObjectFile) or whole.full:
        return None
    names: Sequence[str] = getattr(importer, "STREAMS", ())
    lists = [name for name in source.parts if name in names and whole.members[name].opened == "["]
    parts = {name: source.parts[name] for name in lists}
    others = [name for name in source.parts if name not in parts]
    sizes = {name: whole.members[name].size for name in source.parts}
    if not parts or sum(sizes[name] for name in others) > sum(sizes[name] for name in parts):
        return None
    value = {**source.value, **{name: whole.loaded(name) for name in others}}
    return replace(source, value=value, parts=parts, lost=source.lost + whole.beside(parts), reread=reread)


class Run(Exception):
    """The object is the first of several values."""


class ObjectFile:
    """The members of one object; raises `Damaged` where there is nothing to be read piece by piece."""

    def __init__(self, path: Path, opens: Callable[[], BinaryIO], most: int, room: int) -> None:
        self.path = path
        self.opens = opens
        self.most = most
        self._room = room
        self.refused: InputError | None = None  # why it cannot be read whole, where that is known
        self.warnings: list[Warn] = []
        self.loader = Loader(path, self.warnings)
        self.members: dict[str, Member] = {}
        self.large: set[int] = set()  # places of large members, those hidden by a later one too
        self.full = False  # there are more members than are kept
        self.damage: Member | None = None  # the member in which the file cannot be read on
        self.ended = False  # the object is whole
        self.spoilt: list[Warn] = []  # what is skipped of small members
        self.missing = 0  # elements of large ones that are skipped where these are read whole
        self.top = Member(-1, SELF, "{")
        self._parts: dict[str, Part] = {}
        self._held = 0
        with opens() as file:
            self._scan(Text(file.read))
        if not (self.full or any(member.large for member in self.members.values())):
            raise Damaged("nothing in it is large")

    def value(self) -> dict[str, Json]:
        """The object, of its large members as far as they are kept."""
        return {name: member.shown() for name, member in self.members.items()}

    def part(self, name: str) -> Part:
        """The members of the object itself, or the elements of one that is large."""
        member = self.members[name] if name else self.top
        return self._parts.setdefault(name, Part(self, member))

    def beside(self, names: Collection[str]) -> int:
        """How much is lost that is not met by whoever goes through these members; it is told."""
        met = SELF in names or (self.damage is not None and self.damage.name in names)
        lost = self.missing + (self.damage is not None and (self.ended or not met))
        if SELF not in names:
            self.warnings += self.spoilt
            lost += len(self.spoilt)
        return lost

    def loaded(self, name: str) -> Json:
        """A large member, whole."""
        member = self.members[name]
        kept = list(Part(self, member))
        self.missing += sum(bool(line.bad) for line in kept) - (self.damage is member)
        return replace(member, kept=kept).shown()

    def _scan(self, text: Text) -> None:
        if text.next() != "{":
            raise Damaged("no object")
        seen: set[str] = set()
        after = ""
        try:
            for place, name in enumerate(text.inside()):
                member = Member(place, name)
                _remember(seen, name, self.top)
                try:
                    self._whole_member(text, member)
                except Damaged:
                    self.damage = member
                    after = f"element {member.taken} of {name!r}" if member.large else after
                    raise
                finally:
                    if member.large or (self.damage is None and not self.full):
                        self.members[name] = self._kept(member)
                after = repr(name)
        except Damaged as damage:
            if not (self.full or self.large):
                raise
            self.damage = self.damage or Member(-1, SELF)
            self.warnings.append(Warn(0, f"what comes after {after} is lost: {damage}"))
            return
        self.ended = True
        if not text.ends(self.loader):
            self._followed(text)
        self.warnings += text.odd_bytes()

    def _followed(self, text: Text) -> None:
        """What stands after the object is lost, unless it is another of its kind: a run of values."""
        with contextlib.suppress(Damaged):
            value, _ = text.element()
            if isinstance(value, dict) and value.keys() & self.members.keys():
                raise Run
        self.damage = Member(-1, SELF)
        self.warnings.append(Warn(0, "what comes after the object is lost: it ends before the file does"))

    def _whole_member(self, text: Text, member: Member) -> None:
        """Go through one member; a small one that is damaged costs its own rest."""
        try:
            self._member(text, member)
        except Damaged as damage:
            if member.large or not member.opened:
                raise
            text.out(damage)
            self._spoil(member, str(damage), "the rest of ")

    def _member(self, text: Text, member: Member) -> None:
        """Go through one member; of a large one only the first elements are kept."""
        sign = text.next()
        if sign not in ("[", "{"):
            line = text.take(self.loader)
            member.value, member.size = line.value, len(line.text)
            self._spoil(member, line.bad)
            return
        member.opened = sign
        seen: set[str] = set()
        for name in text.inside():
            if sign == "{":
                _remember(seen, name, member)
            if member.large and len(member.kept) > 1:
                member.size += text.leave()
            else:
                line = text.take(self.loader, name)
                member.kept.append(line)
                member.size += len(line.text)
                member.large = member.size > self.most
            member.taken += 1
        for number, line in enumerate(() if member.large else member.kept, 1):
            self._spoil(member, line.bad, f"element {number} of ")

    def _spoil(self, member: Member, why: str, part: str = "") -> None:
        """Something in a small member cannot be read."""
        if why:
            self.spoilt.append(Warn(0, f"{part}{member.name!r} is skipped: {why}"))

    def _kept(self, member: Member) -> Member:
        """The member, without what it holds when there is no more room for it."""
        if member.large:
            self.large.add(member.place)
        self._held += sum(len(line.text) for line in member.kept) or member.size
        if self._held > self._room:
            self.full = True
            member.kept, member.value = [], None
        return member


def _remember(seen: set[str], name: str, member: Member) -> None:
    """Keep a key, to know it when it comes again; an object of too many is no map of traces."""
    if len(seen) >= MOST_KEYS:
        raise Damaged("too many members")
    if name in seen:
        member.again.add(name)
    seen.add(name)
