"""A taxonomy as values: its modes, neighbour rules, facets and procedure, with near-miss lookups.

What a mode means is data (`taxonomies/*.toml`, or anybody's file); nothing in here, or anywhere else
in the code, names a mode. How the text becomes values is `taxonomy_file`'s business. Knows no
terminal and no store.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

from reviewer.errors import NotFound
from reviewer.values import dataclass

# Old mode: what it is now; no mode (dropped), one (renamed or merged) or several (split).
ModesMap: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
Kind: TypeAlias = Literal["failure", "non_failure"]

# Keys that the review screen uses for itself: a mode cannot have one of them. Digits go to the first
# nine modes of a file, in its order.
RESERVED_KEYS = frozenset("hlHLjk0$eEvVwWcC/nNgzZuixfsSym?qbBdrRpo:JK[]{}")
DIGITS = "123456789"


@dataclass(frozen=True, slots=True)
class Edge:
    """One change of the codebook in use, by hashes, with the map that was given for it."""

    old: str
    new: str
    map: ModesMap


@dataclass(frozen=True, slots=True)
class Submode:
    """A finer kind of a mode; the definition is one line, or empty."""

    id: str
    definition: str = ""


@dataclass(frozen=True, slots=True)
class Mode:
    """One answer to "how did it fail"; a `non_failure` is an answer that says it did not.

    `apart` marks an answer that neither calls the run good nor bad (it leaves "failed or not" open),
    so that such labels are counted apart. `share` is a published share of failures, 0 to 1. `key` is
    what chooses the mode on the review screen; empty means through the menu only. `examples` are short
    cases of it, for whoever learns to tell the modes apart.
    """

    id: str
    name: str
    kind: Kind = "failure"
    definition: str = ""
    submodes: tuple[Submode, ...] = ()
    checks: tuple[str, ...] = ()
    share: float | None = None
    key: str = ""
    apart: bool = False
    examples: tuple[str, ...] = ()

    @property
    def failure(self) -> bool:
        return self.kind == "failure"

    def submode(self, id: str) -> Submode:
        """The submode with this id; `NotFound` names the near ones."""
        for submode in self.submodes:
            if submode.id == id:
                return submode
        known = [submode.id for submode in self.submodes]
        raise NotFound(f"no submode {id!r} of {self.id!r}{near(id, known)}")


@dataclass(frozen=True, slots=True)
class Rather:
    """How to decide between two modes: one question, when it is `a`, when `b`, and when neither."""

    pair: tuple[str, str]
    ask: str
    a: str
    b: str
    neither: str = ""

    def turned(self) -> Rather:
        """The same rule with its sides exchanged."""
        return replace(self, pair=(self.pair[1], self.pair[0]), a=self.b, b=self.a)


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer of a facet."""

    id: str
    definition: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """A further single choice that the taxonomy asks for beside the mode."""

    id: str
    question: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """Rules on one subject ("several modes in one trace"), a line each."""

    title: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """A named, versioned, hashed list of modes with all that helps to choose between them.

    `procedure` are the questions to go through in order. `hash` is SHA-256 over the canonical JSON of
    the data, so comments and layout do not matter; `toml` is the text it was read from,
    `data` the same as JSON, in the same order.

    `map` says which modes of the version before became which of these: `{"old": ()}` was dropped, several
    new ones are a split. Old labels are read by it where somebody asks for that; they never change.
    """

    id: str
    version: str
    title: str
    source: str
    modes: tuple[Mode, ...]
    rather: tuple[Rather, ...]
    facets: tuple[Facet, ...]
    procedure: tuple[str, ...]
    sections: tuple[Section, ...]
    hash: str
    toml: str
    data: str
    map: ModesMap = ()

    @property
    def failures(self) -> tuple[Mode, ...]:
        return tuple(mode for mode in self.modes if mode.failure)

    @property
    def non_failures(self) -> tuple[Mode, ...]:
        return tuple(mode for mode in self.modes if not mode.failure)

    def has(self, id: str) -> bool:
        return any(mode.id == id for mode in self.modes)

    def mode(self, id: str) -> Mode:
        """The mode with this id; `NotFound` names the near ones, or all if none is near."""
        for mode in self.modes:
            if mode.id == id:
                return mode
        known = [mode.id for mode in self.modes]
        raise NotFound(f"no mode {id!r} in taxonomy {self.id!r}{near(id, known)}")

    def mode_for_key(self, key: str) -> Mode | None:
        """The mode that this key chooses, if it chooses one."""
        return next((mode for mode in self.modes if key and mode.key == key), None)

    def rule(self, a: str, b: str) -> Rather | None:
        """The rule between `a` and `b`, turned so that its side a is about `a`."""
        for rather in self.rather:
            if rather.pair == (a, b):
                return rather
            if rather.pair == (b, a):
                return rather.turned()
        return None

    def rules_of(self, id: str) -> tuple[Rather, ...]:
        """Every rule between this mode and a neighbour, turned so that side a is about it."""
        return tuple(
            rather if rather.pair[0] == id else rather.turned() for rather in self.rather if id in rather.pair
        )

    def facet(self, id: str) -> Facet:
        """The facet with this id; `NotFound` names the near ones."""
        for facet in self.facets:
            if facet.id == id:
                return facet
        raise NotFound(f"no facet {id!r} in taxonomy {self.id!r}{near(id, [f.id for f in self.facets])}")


def near(id: str, known: list[str]) -> str:
    """`: did you mean …?` with the near ones, else the known ones (a dozen at most), for an error."""
    import difflib

    typed, small = id.casefold(), {k.casefold(): k for k in known}  # `NO_FAILURE` is near `no_failure`
    found = difflib.get_close_matches(typed, list(small), n=3, cutoff=0.5)
    close = [small[k] for k in found or [k for k in small if id and typed in k][:3]]
    if close:
        return f": did you mean {' or '.join(close)}?"
    if not known:
        return " (there are none)"
    rest = f" and {len(known) - 12} more" if len(known) > 12 else ""
    return f": known are {', '.join(known[:12])}{rest}"


def available() -> tuple[str, ...]:
    """The ids of the taxonomies that come with reviewer."""
    from reviewer import taxonomy_file

    return taxonomy_file.available()


def load(path_or_id: str | Path) -> Taxonomy:
    """A shipped taxonomy by its id, or a file by its path. `NotFound` if neither, else `TaxonomyError`."""
    from reviewer import taxonomy_file

    return taxonomy_file.load(path_or_id)


def restore(data: str, toml: str, hash: str) -> Taxonomy:
    """The taxonomy that a store kept, from its `data`, `toml` and `hash`."""
    from reviewer import taxonomy_file

    return taxonomy_file.restore(data, toml, hash)


def parse(toml_text: str, name: str = "taxonomy") -> Taxonomy:
    """The taxonomy in a TOML text; `TaxonomyError` names the place in `name` that cannot be used."""
    from reviewer import taxonomy_file

    return taxonomy_file.parse(toml_text, name)
