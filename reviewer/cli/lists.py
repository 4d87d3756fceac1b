"""Text files that people name: read whole, or as a list of traces, one id a line, as `traces` prints it.

Knows no store: what an id stands for is for others to say.
"""

from __future__ import annotations

from pathlib import Path

from reviewer.errors import InputError, why

TRACES = ("trace", "task", "model", "ended", "outcome", "steps", "errors")  # `traces` prints two more


def text_of(path: Path, of: str = "") -> str:
    """The text in a file that somebody named; `of` is the option, where an empty one cannot be meant."""
    try:
        text = path.expanduser().read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        raise InputError(f"{of}{' ' * bool(of)}{path}: cannot be read as text: {why(error)}") from None
    if of and not text.strip():
        raise InputError(f"{of} {path}: the file is empty; write into it, or leave {of} out")
    return text


def listed(path: Path) -> list[str]:
    """The ids in the file: the first word of each line; `#` begins a comment.

    The header of `reviewer traces`, wherever a shuffle or a sort has put it, is no id.
    """
    from reviewer.importers.joining.outcome_files import whole

    try:
        lines = whole(path).decode("utf-8-sig").splitlines()
    except ValueError as error:
        raise InputError(f"{path}: cannot be read: {why(error)}") from None
    words = [line.partition("#")[0].split() for line in lines]
    ids = [word[0] for word in words if word and tuple(word[: len(TRACES)]) != TRACES]
    if not ids:
        raise InputError(f"{path}: no id of a trace in it")
    return ids
