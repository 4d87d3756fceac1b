"""The rollout that started a sub-agent's rollout: a file of its own, named after its thread.

It is looked for beside the file and, in the program's own folders, in those of all days. Who is found is
known by the record inside, not by the name. Knows no steps.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Source
from reviewer.importers.opening.beside import plain_name, read_beside
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.values import as_dict, as_str


def parent_thread(meta: dict[str, Any]) -> str:
    """The thread that spawned this one, or ""."""
    spawn = as_dict(as_dict(as_dict(meta.get("source")).get("subagent")).get("thread_spawn"))
    return as_str(meta.get("parent_thread_id")) or as_str(spawn.get("parent_thread_id"))


def parent_source(path: Path, thread: str) -> Source | None:
    """The file of `thread` near the file `path`, decoded; None where there is none."""
    if not plain_name(thread) or not thread.replace("-", "").isalnum():
        return None
    folders = [(path.parent, f"*{thread}.jsonl")]
    if all(part.isdecimal() for part in path.parent.parts[-3:]) and len(path.parts) > 4:
        folders.append((path.parents[3], f"*/*/*/rollout-*{thread}.jsonl"))
    try:
        for folder, pattern in folders:
            for found in sorted(folder.glob(pattern)):
                if found.resolve() != path.resolve() and (data := read_beside(found)):
                    return decode(found, data)
    except (OSError, InputError, ValueError):
        return None
    return None
