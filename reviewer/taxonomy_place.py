"""One table of a TOML file with the words for where it stands: one value of one type, or what is wrong.

Knows no taxonomy and no file system.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from reviewer.errors import TaxonomyError
from reviewer.trace import Json

MAX_BYTES = 1 << 20  # a taxonomy is read beside a trace; more than this is some other file
ID_LENGTH = 64


class Place:
    """A table of the file with the words for where it is; its methods read one value of one type."""

    __slots__ = ("data", "file", "where")

    def __init__(self, file: str, where: str, data: Mapping[str, Json]) -> None:
        self.file, self.where, self.data = file, where, data

    def bad(self, reason: str) -> NoReturn:
        raise TaxonomyError(f"{self.file}: {self.where + ': ' if self.where else ''}{reason}")

    def only(self, *allowed: str) -> None:
        for key in self.data:
            if key not in allowed:
                import difflib

                close = difflib.get_close_matches(key, allowed, n=1)
                self.bad(f"unknown key {key!r}" + (f", did you mean {close[0]!r}?" if close else ""))

    def text(self, key: str, needed: bool = False) -> str:
        value = self.data.get(key, "")
        if not isinstance(value, str):
            self.bad(f"{key!r} must be text")
        if needed and not value.strip():
            self.bad(f"{key!r} is missing")
        return value

    def id(self, key: str) -> str:
        return self.checked_id(self.text(key, needed=True))

    def checked_id(self, value: Json) -> str:
        """An id goes on a command line and in a table: one printable word that is no option."""
        fine = isinstance(value, str) and value.isprintable() and value.split() == [value]
        if not fine or value.startswith("-") or len(value) > ID_LENGTH:
            self.bad(
                f"{value!r} is no id: one word of printable characters, {ID_LENGTH} at most, no leading '-'"
            )
        return str(value)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.bad(f"{key!r} must be a list of texts")
        return tuple(value)

    def share(self) -> float | None:
        value = self.data.get("share")
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.bad("'share' must be a number from 0 to 1")
        if not 0 <= value <= 1:  # false for nan, too
            self.bad("'share' must be from 0 to 1")
        return float(value)

    def truth(self, key: str) -> bool:
        value = self.data.get(key, False)
        if not isinstance(value, bool):
            self.bad(f"{key!r} must be true or false")
        return value

    def named(self, key: str) -> tuple[tuple[str, str], ...]:
        """`key` as a table of id = "definition", or a list of bare ids."""
        value = self.data.get(key, {})
        if isinstance(value, list):
            value = self.unique(key, value)
        if not isinstance(value, dict) or not all(isinstance(text, str) for text in value.values()):
            self.bad(f'{key!r} must be a table of id = "definition", or a list of ids')
        return tuple((self.checked_id(id), text) for id, text in value.items())

    def unique(self, key: str, ids: list[Json]) -> dict[str, str]:
        out: dict[str, str] = {}
        for id in ids:
            if self.checked_id(id) in out:
                self.bad(f"{id!r} stands twice in {key!r}")
            out[id] = ""
        return out

    def tables(self, key: str) -> tuple[Place, ...]:
        """The entries of `[[key]]`, each a place of its own."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.bad(f"{key!r} must be written as [[{key}]] tables")
        return tuple(Place(self.file, _where(key, n, item), item) for n, item in enumerate(value, 1))


def _where(key: str, n: int, item: Mapping[str, Json]) -> str:
    name = item.get("id", item.get("title", item.get("pair")))
    if isinstance(name, list) and all(isinstance(part, str) for part in name):
        name = " / ".join(name)
    return f"{key} {n} ({name})" if isinstance(name, str) and len(name) <= 160 else f"{key} {n}"
