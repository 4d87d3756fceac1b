"""What a command is about to tell a person of others and of machines: on record first, or not told.

Every command that prints such a thing goes through here. Where the store cannot be written, a look of
somebody named with --as is refused: a copy of the store that is labelled later would not know of it. Without
--as it is the lead's view there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from reviewer.errors import StoreReadOnly
from reviewer.label import ExposureKind

if TYPE_CHECKING:
    from reviewer.session import Desk


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
