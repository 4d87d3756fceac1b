"""The keys that an annotator changed, laid over the bindings of a screen; a wrong table is refused whole.

A label key is never doubled: no binding takes a key of a mode, and nothing that decides takes Enter or Space.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from textual.binding import Binding
from textual.keys import Keys

from reviewer.errors import InputError
from reviewer.taxonomy import Taxonomy, near

_OURS = ("ctrl+c", "ctrl+p", "ctrl+q", "ctrl+z")  # of the app, whatever the screen
_DECIDE = ("label.", "settle.")
_KNOWN = {key.value for key in Keys}


def remapped(
    bindings: Iterable[Binding], table: Mapping[str, Sequence[str]], taxonomy: Taxonomy, file: object
) -> list[Binding]:
    """The bindings of one screen with the keys of `table`; `file` is named where it cannot be."""
    if not table:
        return list(bindings)
    changed = [
        replace(one, key=",".join(_key(key, one.id or "", file) for key in table[one.id or ""]))
        if one.id in table
        else one
        for one in bindings
    ]
    taken: dict[str, str] = {}
    modes = {mode.key: mode.id for mode in taxonomy.modes if mode.key}
    for one in changed:
        for key in one.key.split(","):
            by = taken.setdefault(key, one.id or "")
            if by != one.id:
                both = f"{one.id} and {by}" if one.id in table else f"{by} and {one.id}"
                raise InputError(f"{file}: {both} would share the key {key}; change one of them")
            if one.id in table and (key in modes or (key.isdigit() and key != "0")):
                mode = modes.get(key, "a mode")
                raise InputError(f"{file}: {one.id}: the key {key} labels ({mode}); choose another")
    return changed


def check(table: Mapping[str, Sequence[str]], known: Iterable[str], file: object) -> None:
    """Refuse a table that names what no screen knows."""
    known = sorted(known)
    for id in sorted(set(table) - set(known)):
        raise InputError(f"{file}: {id!r} is no binding{near(id, known)}")


def _key(key: str, id: str, file: object) -> str:
    """A key as the terminal library calls it; one character stands for itself."""
    if len(key) == 1 and key.isprintable() and not key.isspace():
        from textual.keys import _character_to_key

        return _character_to_key(key)
    base = key.rpartition("+")[2]
    held = key.removesuffix(base).split("+")[:-1]
    named = key in _KNOWN or len(base) == 1 or base in _KNOWN
    if not named or not all(one in ("ctrl", "shift", "alt") for one in held):
        raise InputError(f"{file}: {id}: {key!r} is no key; write n, ?, f5, ctrl+n, pagedown …")
    if key in _OURS:
        raise InputError(f"{file}: {id}: {key} belongs to the app; choose another")
    if key in ("enter", "space", "ctrl+m", "ctrl+j") and id.startswith(_DECIDE):
        raise InputError(f"{file}: {id}: {key} must not decide anything; choose another")
    return key
