"""Which files below the folder `agent` of a Harbor trial hold its run. Harbor keeps one run several times over.

Its own trajectory (ATIF) is preferred, with what goes on from it; then what the agent keeps by itself (a
trajectory, sessions), then what it printed (`claude-code.txt`), then the last request of `episode-<n>/`. What
is left out is the same run once more. Whether a file holds a trace says whoever asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from reviewer.importers.beside import read_beside
from reviewer.importers.harbor import AGENT, is_trial

_HEAD = 64_000
_ATIF = re.compile(rb'"schema_version"\s*:\s*"ATIF-v\d', re.IGNORECASE)
_EPISODE = re.compile(r"\Aepisode-(\d{1,9})\Z")
_PRINTED = {".txt", ".log"}


def trial_logs(agent: Path) -> bool:
    """Whether a folder is the one in which Harbor keeps what the agent of a trial wrote."""
    return agent.name == AGENT and is_trial(agent.absolute().parent)


def chosen(
    agent: Path, files: Iterable[Path], wanted: Callable[[Path], bool], holds: Callable[[Path], bool]
) -> set[Path]:
    """Those of the files below `agent` to read.

    `wanted`: what a folder is searched for; `holds`: whether there is a trace in a file.
    """
    every = list(files)
    looked = [path for path in every if wanted(path)]
    if atif := {path for path in looked if path.suffix == ".json" and _is_atif(path)}:
        return atif
    whole, kept, calls = list[Path](), list[Path](), list[tuple[int, Path]]()
    for path in looked:
        inside = path.relative_to(agent).parts
        if episode := _EPISODE.match(inside[0]):
            calls.append((int(episode[1]), path))
        elif len(inside) == 1 and "traj" in path.name:
            whole.append(path)
        else:
            kept.append(path)
    if one := next(filter(holds, whole), None):
        return {one}
    if any(map(holds, kept)):  # the sessions of one run are several files; others among them are named
        return set(kept)
    printed = [path for path in every if path.suffix in _PRINTED and path.parent == agent]
    last = [path for _, path in sorted(calls, reverse=True)]
    one = next(filter(holds, printed), None) or next(filter(holds, last), None)
    return {one} if one else set(looked)


def _is_atif(path: Path) -> bool:
    return bool(_ATIF.search(read_beside(path, _HEAD, part=True) or b""))
