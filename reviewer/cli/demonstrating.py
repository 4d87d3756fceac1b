"""`demo`: a store to try things on, with our samples, suggestions by rules and the labels of two people.

The people do not exist. Their labels lie beside the samples (`labels.toml`), with fixed ids and times, and
go through the same session as anybody's.
"""

from __future__ import annotations

import contextlib
import tomllib
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import click

import reviewer
from reviewer import settings, taxonomy
from reviewer.cli import out
from reviewer.cli.context import Context, now
from reviewer.errors import InputError
from reviewer.label import Annotator, Decision
from reviewer.session import Desk, ReviewSession
from reviewer.store import Store
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json

DEFAULT = "demo.db"
LABELS = "labels.toml"
ONE_LABEL = timedelta(minutes=3)  # between two labels of one person
_SPACE = uuid.UUID("6f0d6c3e-3a8e-4b35-9a55-7d2f6e1c9b10")  # of the ids of the demo's events


@click.command("demo")
@click.argument("path", required=False, type=click.Path())
@click.pass_obj
def command_demo(context: Context, path: str | None) -> int:
    """Make a store at PATH (default: demo.db) to try things on.

    It holds the sample traces, suggestions by the offline rules, and the blind labels of two people who
    differ in places. An existing file is never touched.
    """
    place = settings.file_named(path or context.store or DEFAULT)
    if place.exists():
        raise InputError(f"{place}: already there; name another: reviewer demo PATH")
    whole = False
    try:
        with Store.open(place, create=True) as store:
            codebook, count = _fill(store, samples())
            whole = True
            _tell(store, codebook, count)
    finally:
        if not whole:  # half a demo would only be in the way of the next one
            with contextlib.suppress(OSError):  # it never came to be
                place.unlink(missing_ok=True)
    _next(str(place))
    return 0


def samples() -> Path:
    """The folder of samples: inside an installed package, else at the root of the checkout."""
    package = Path(reviewer.__file__).parent
    for folder in (package / "sample_traces", package.parent / "sample_traces"):
        if (folder / LABELS).is_file():
            return folder
    raise InputError(f"{package}: the sample traces are not beside it; install reviewer again")


def _fill(store: Store, folder: Path) -> tuple[Taxonomy, int]:
    """Traces, suggestions and labels into an empty store; the codebook, and how many traces."""
    from reviewer.cli.intake import import_paths
    from reviewer.cli.suggesting import fill_in

    said = tomllib.loads((folder / LABELS).read_text("utf-8"))
    codebook = taxonomy.load(said["taxonomy"])
    read = import_paths(store, [str(folder)], None).read
    fill_in(store, codebook)
    for name, person in said["annotators"].items():
        _label(store, codebook, folder, said, name, Annotator(person["id"], person["name"]))
    store.settings.set("work", "blind", now=now())
    return codebook, read


def _label(
    store: Store, codebook: Taxonomy, folder: Path, said: dict[str, Json], name: str, person: Annotator
) -> None:
    """All labels of one person, as a sitting of theirs."""
    places = {(Path(info.source_path), info.source_index): info.trace_id for info in store.traces.all()}
    clock, new_id = _clock(said), _ids(name)
    session = ReviewSession(Desk(store, person, codebook, 1, clock, new_id, "demo"), blind=True)
    for entry in said["trace"]:
        trace_id = places[folder / entry["file"], entry.get("place", 0)]
        for label in entry.get(name, []):
            session.label(session.find(trace_id), _decision(label))


def _decision(label: dict[str, Json]) -> Decision:
    known = {"mode", "submode", "step", "note"}
    return Decision(
        label["mode"],
        submode=label.get("submode", ""),
        facets={facet: choice for facet, choice in label.items() if facet not in known},
        step_n=label.get("step"),
        note=label.get("note", ""),
    )


def _clock(said: dict[str, Json]) -> Callable[[], str]:
    """A clock that goes on by itself, so that the same demo has the same times everywhere."""
    at = said["began"]

    def tick() -> str:
        nonlocal at
        at += ONE_LABEL
        return str(at.isoformat(timespec="microseconds").replace("+00:00", "Z"))

    return tick


def _ids(name: str) -> Callable[[], str]:
    count = 0

    def new() -> str:
        nonlocal count
        count += 1
        return str(uuid.uuid5(_SPACE, f"{name} {count}"))

    return new


def _tell(store: Store, codebook: Taxonomy, count: int) -> None:
    from reviewer.cli.agreement_words import tell
    from reviewer.study.agreement import agreement

    out.show(f"{store.path}: {count} sample traces, written by us; labels by two people who do not exist\n")
    tell(agreement(store, codebook, 1))


def _next(path: str) -> None:
    import shlex

    store = f"reviewer --store {shlex.quote(path)}"
    out.show("\nnext:")
    rows = [
        (f"  {store} label", "read and label for yourself, blind"),
        (f"  {store} adjudicate --as lead", "settle what they differ on, as a third person"),
        (f"  {store} report", "what broke, and in what share"),
        (f"  {store} export jsonl", "the labelled set"),
    ]
    for command, does in rows:
        out.show(f"{command:<{max(len(row[0]) for row in rows)}}  {does}")
