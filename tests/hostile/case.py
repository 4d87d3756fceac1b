"""A hostile case: input files, a scenario, checks; read from a folder or built by `own.py`. Runs nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

Check: TypeAlias = Mapping[str, Any]
# Inputs that are read by a step of a scenario or by a check; everything else is a trace to import.
NO_TRACE = ("names.json", "labels.json", "sizes.json")


@dataclass(frozen=True, slots=True)
class Case:
    """`files` maps the name of an input to its bytes; the checks are those of CHECKS.md."""

    id: str
    files: Mapping[str, bytes]
    checks: Sequence[Check]
    scenario: Sequence[Mapping[str, Any]] = field(default_factory=tuple)

    @property
    def traces(self) -> list[str]:
        """The inputs to import, in name order."""
        names = sorted(self.files)
        return [
            name
            for name in names
            if Path(name).name not in NO_TRACE and not name.startswith("stub/") and not name.endswith(".bin")
        ]

    def write(self, folder: Path) -> None:
        """Put the inputs into `folder`, which is where the case is run."""
        for name, data in self.files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def load(folder: Path) -> Case:
    """The case in one folder of hostile cases."""
    spec = json.loads((folder / "case.json").read_text("utf-8"))
    names = list(dict.fromkeys(spec["inputs"]))
    files = {name: (folder / name).read_bytes() for name in names}
    return Case(spec["id"], files, spec["checks"], spec.get("scenario", ()))
