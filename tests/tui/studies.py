"""Small studies for tests of the lead's screens: two people who differ on the first traces of a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reviewer.cli import run
from reviewer.store import Store
from tests.conftest import SAMPLES
from tests.tui.desk import fill

NAMES = "zoltana", "quibben"  # words that stand nowhere else on a screen


def differing(path: Path, said: Sequence[tuple[str, str]]) -> Path:
    """A store where the two of `NAMES` said these modes of the first traces."""
    fill(path, SAMPLES / "mini_swe_agent")
    for trace, modes in zip(traces(path), said, strict=False):
        for name, mode in zip(NAMES, modes, strict=True):
            assert (
                run(["--store", str(path), "annotate", trace, mode, "--as", name, "--note", f"as {mode}"])
                == 0
            )
    return path


def traces(path: Path) -> list[str]:
    with Store.open(path) as store:
        return [info.trace_id for info in store.traces.all()]
