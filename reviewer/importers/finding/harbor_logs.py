"""Which files below the folder `agent` of a Harbor trial hold its run, which stands there several times.

Harbor's own trajectory (ATIF) is preferred, with what goes on from it; then what the agent keeps by itself (a
trajectory, sessions), then what it printed (`claude-code.txt`), then the last request of `episode-<n>/`. What
is left out is the same run once more. Whether a file holds a trace says whoever asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from reviewer.importers.joining.harbor import AGENT, is_trial
from reviewer.importers.opening.beside import read_beside

_HEAD = 64_000
_ATIF = re.compile(rb'"schema_version"\s*:\s*"ATIF-v\d', re.IGNORECASE)
_EPISODE = re.compile(r"\Aepisode-(\d{1,9})\Z")
_PRINTED = {".txt", ".log"}


def sorted_out(
    root: Path, files: Iterable[Path], wanted: Callable[[Path], bool], holds: Callable[[Path], bool]
) -> Iterator[tuple[Path, bool]]:
    """The files of a folder, each with whether it is read: in the logs of a trial those of one record of it.

    `wanted`: what a folder is searched for; `holds`: whether there is a trace in a file.
    """

    @cache
    def is_log(folder: Path) -> bool:
        return is_trial(folder.absolute().parent)

    def logs(path: Path) -> Path | None:
        inside = path.relative_to(root).parts[:-1]
        around = [root.joinpath(*inside[:depth]) for depth in range(len(inside) + 1)]
        return next((one for one in around if one.absolute().name == AGENT and is_log(one)), None)

    for agent, group in groupby(files, key=logs):
        if agent is None:
            yield from ((path, wanted(path)) for path in group)
        else:
            every = list(group)
            picked = _chosen(agent, every, wanted, holds)
            yield from ((path, path in picked) for path in every)


def _chosen(
    agent: Path, every: list[Path], wanted: Callable[[Path], bool], holds: Callable[[Path], bool]
) -> set[Path]:
    """Those of the files below `agent` to read."""
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
