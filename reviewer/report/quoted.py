"""What others published against the modes, as data: quoted, with its source, never a measurement of ours.

Knows no trace. A taxonomy without an entry in `mitigations.toml` has nothing quoted, and that is said too.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from reviewer.values import dataclass

FILE = Path(__file__).parent / "mitigations.toml"


@dataclass(frozen=True, slots=True)
class Quote:
    """One published measure against one mode; `side_effects` is empty where none are known to us."""

    mode: str
    measure: str
    effect: str
    side_effects: str
    place: str


@dataclass(frozen=True, slots=True)
class Quotes:
    """All that is quoted for one taxonomy: the source, the remark that goes with it, and what is missing."""

    source: str = ""
    remark: str = ""
    missing: str = ""
    quotes: tuple[Quote, ...] = ()

    def of(self, mode: str) -> tuple[Quote, ...]:
        return tuple(quote for quote in self.quotes if quote.mode == mode)

    def lacking(self, modes: Sequence[str]) -> tuple[str, ...]:
        """Those of `modes` for which nothing is quoted."""
        return tuple(mode for mode in modes if not self.of(mode))


@lru_cache(maxsize=1)
def _entries() -> dict[str, Quotes]:
    import tomllib  # only a report reads this

    found = {}
    for entry in tomllib.loads(FILE.read_text("utf-8"))["publication"]:
        quotes = tuple(Quote(**quote) for quote in entry["quote"])
        found[entry["taxonomy"]] = Quotes(entry["source"], entry["remark"], entry["missing"], quotes)
    return found


def quoted(taxonomy: str) -> Quotes:
    """What is quoted for the taxonomy with this id; an empty value where there is nothing."""
    return _entries().get(taxonomy, Quotes())
