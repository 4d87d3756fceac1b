"""The text files of a trial: the keys that were sent (`commands.txt`), and what panes showed.

Each line of `commands.txt` is the Python repr of what was sent; the harness's own lines are left out, and
so is everything after the tests began. Files are small; a larger one is read in part.
"""

from __future__ import annotations

import ast
from pathlib import Path

from reviewer.importers.formats.terminal_bench.cast import WAIT
from reviewer.importers.formats.terminal_bench.screen import shown_on
from reviewer.importers.opening.beside import read_beside

LARGEST = 64_000_000
_HARNESS = ("clear", "C-d")
_RECORDING = "asciinema rec"


def text_of_file(path: Path) -> str:
    """The text of a file; "" for one that is not there or cannot be read."""
    return (read_beside(path, LARGEST, part=True) or b"").decode(errors="replace")


def pane(path: Path) -> str:
    """What a pane showed, without the empty rows at its end."""
    rows = text_of_file(path).replace("\r\n", "\n").replace("\n", "\r\n")  # captured: no raw output
    return shown_on(rows, 2000).strip()


def keys_sent(text: str) -> list[str]:
    """The agent's keys in order, each as it would be typed."""
    found: list[str] = []
    recordings = 0
    for line in text.split("\n"):
        keys = _keys(line.strip())
        if not keys:
            continue
        if keys[0].startswith(_RECORDING):
            recordings += 1
            if recordings > 1:
                break
            continue
        while len(keys) > 1 and keys[-1] in ("Enter", "C-m", "KPEnter", "C-j"):
            keys.pop()
        typed = WAIT.sub("", "".join(keys)).rstrip("\r\n")
        if typed in _HARNESS and (typed == "C-d" or not found):
            continue
        found.append(typed or "Enter")
    return found


def _keys(line: str) -> list[str]:
    """The keys of a line: a repr of a text or of a list of texts; else the line as it stands."""
    if not line:
        return []
    try:
        value = ast.literal_eval(line)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return [line]
    if isinstance(value, str):
        return [value]
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return list(value)
    return [line]
