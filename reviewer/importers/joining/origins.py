"""Where an outcome was read, as a name that stays: the file's folder and its name, never a whole path.

The same trajectory may lie in two folders, each with a report of the same name and another verdict; only
the folder tells the two origins apart. A folder that many runs have under one name (`sb-cli-reports`, the
instance, a folder named like the one it stands in) is named together with the one above it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


def origin_of(folder: Path, name: str, *common: str) -> str:
    """The origin of what the file `name` in `folder` says; `common`: folder names that tell no run apart."""
    return "/".join((*_telling(folder, common), name))


@lru_cache(maxsize=256)
def _telling(folder: Path, common: tuple[str, ...]) -> tuple[str, ...]:
    """The names of the folders that are needed, outermost first; links are followed: one folder, one name."""
    here = folder.resolve()
    names = [here.name]
    while here.name and (here.name in common or here.name == here.parent.name):
        here = here.parent
        names.insert(0, here.name)
    return tuple(name for name in names if name)
