"""What a folder is searched for. Elsewhere a name says nothing: a file that somebody names is opened."""

from __future__ import annotations

from pathlib import Path

from reviewer.importers.opening.packed import ENDINGS as PACKED

SUFFIXES = {".json", ".jsonl", ".ndjson", ".traj", ".eval", ".parquet"}
ENDINGS = (".aider.chat.history.md",)
NAMES = {"opencode.db", "sessions.db"}


def in_words() -> str:
    """The same for people: the endings and names of files that are opened in a folder."""
    endings, names = ", ".join(sorted(SUFFIXES)), ", ".join(sorted({*ENDINGS, *NAMES}))
    return f"{endings} (packed too: {', '.join(PACKED)}), {names}"


def wanted(path: Path) -> bool:
    """Whether a file in a folder is looked into: by its ending, or a name that one tool gives its files."""
    if path.name in NAMES or path.name.endswith(ENDINGS):
        return True
    if path.suffix in PACKED:
        path = path.with_suffix("")
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".")
