"""What a command is about to tell a person of others and of machines: on record first, or not told.

Every command that prints such a thing goes through here. Looking makes no annotator. Where the store cannot
be written, a look of somebody named with --as is refused: a copy of the store that is labelled later would
not know of it. Without --as it is the lead's view there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from reviewer import settings
from reviewer.errors import NotFound, StoreReadOnly
from reviewer.label import FROM_SET, Annotator, ExposureKind

if TYPE_CHECKING:
    from reviewer.session import Desk
    from reviewer.store import Store

_MOST = 8  # names that are told


def somebody(store: Store, name: str | None) -> None:
    """NotFound: nobody of this name works here or is assigned anything. Whoever labels may be new."""
    if name is None or not name.strip() or settings.known(name):
        return
    if store.assignments.keys(Annotator("", name)) - {""}:  # assigned by name, and not here before
        return
    here = sorted({*settings.identities().values(), settings.login_name()})
    there = [one for one in store.labels.annotators().values() if one.name == name]
    more = f"; this store has {name} of another machine ({there[0].id[:11]})" if there else ""
    raise NotFound(
        f"--as {name!r}: nobody of that name works on this machine; known are {', '.join(here)}{more}. "
        "Looking makes no annotator: `label --as` and `annotate --as` do"
    )


def newcomer(store: Store, annotator: Annotator) -> str:
    """`new annotator: zed (here: ana, ben)`, for a slip of --as makes one; empty where nobody else is here.

    Those of published labelled sets are nobody who works here; whoever is assigned something is awaited.
    """
    known = store.labels.annotators()
    if not known or annotator.id in known or store.assignments.keys(annotator) - {annotator.id}:
        return ""
    sets = {event.annotator for event in store.labels.events() if event.origin.startswith(FROM_SET)}
    here = sorted({one.name for one in known.values() if one.id not in sets})
    if not here or annotator.name in here:
        return ""
    more = f" and {len(here) - _MOST} more" if len(here) > _MOST else ""
    return f"new annotator: {annotator.name} (here: {', '.join(here[:_MOST])}{more})"


def record(desk: Desk, name: str | None, shown: Mapping[str, Iterable[tuple[ExposureKind, str]]]) -> None:
    """Commit that this person is about to see all of this: trace -> (kind, which one).

    StoreReadOnly: it cannot be recorded, and `name` asked.
    """
    try:
        desk.expose_all(shown)
    except StoreReadOnly as error:
        if name is not None:
            raise StoreReadOnly(
                f"what {name} is shown has to be recorded, and this store cannot be written; "
                "without --as it is the lead's view"
            ) from error


def peers(desk: Desk, name: str | None, traces: Iterable[str]) -> None:
    """Commit that this person is about to see what others said of these traces in the round of the desk."""
    record(desk, name, {trace: desk.said_by_others(trace) for trace in traces})
