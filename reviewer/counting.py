"""A number with the noun that it counts, for every sentence that has one: `1 trace`, `2 traces`. Pure."""

from __future__ import annotations


def count(number: int, what: str, *verbs: str) -> str:
    """`1 note`, `2 notes`, the noun being the last word of `what`; with the verbs for one and for several:
    `1 note is`, `2 notes are`."""
    one = number == 1
    told = f"{number:,} {what if one else several(what)}"
    return f"{told} {verbs[not one]}" if verbs else told


def several(what: str) -> str:
    """The noun for more than one, or none: `entry` becomes `entries`, `batch` becomes `batches`."""
    if what.endswith("y") and what[-2:-1] not in "aeiou":
        return f"{what[:-1]}ies"
    return what + ("es" if what.endswith(("ch", "sh", "s", "x")) else "s")


def count_calls(shown: int, held: int) -> str:
    """Calls that the steps show, with what the file counts otherwise: some stand in a text only, those of
    sub-agents stand elsewhere in it.
    """
    if shown > held:
        return f"{count(shown, 'call')} ({f'{shown - held:,}' if held else 'all'} read from the text)"
    return count(shown, "call") + (f" (of {held:,} in the whole file)" if shown < held else "")
