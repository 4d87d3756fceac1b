"""Lists of traces in a text file, one id a line, as people write them or as `reviewer traces` prints them.

Knows no store: what an id stands for is for others to say.
"""

from __future__ import annotations

from pathlib import Path

from reviewer.errors import InputError

TRACES = ("trace", "task", "model", "ended", "outcome", "steps", "errors")  # `traces` prints two more


def listed(path: Path) -> list[str]:
    """The ids in the file: the first word of each line; `#` begins a comment.

    The header of `reviewer traces`, wherever a shuffle or a sort has put it, is no id.
    """
    from reviewer.importers.joining.outcome_files import whole

    try:
        lines = whole(path).decode("utf-8-sig").splitlines()
    except ValueError as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
    words = [line.partition("#")[0].split() for line in lines]
    ids = [word[0] for word in words if word and tuple(word[: len(TRACES)]) != TRACES]
    if not ids:
        raise InputError(f"{path}: no id of a trace in it")
    return ids
