"""A round that is asked for has to be there: an empty answer about one that is not looks like a result."""

from __future__ import annotations

from reviewer.errors import InputError
from reviewer.label import AGAIN
from reviewer.store import Store
from reviewer.study.again import is_again


def known(store: Store) -> list[int]:
    """The rounds in which somebody said something or has something to label; the first one always is."""
    said = {event.round for event in store.labels.events()}
    return sorted({1, *said, *store.assignments.rounds()})


def there(store: Store, round: int | None) -> int:
    """`round`, or the newest with labels where none is named. InputError: there is none of this number."""
    if round is None:
        return store.labels.newest_round()
    rounds = known(store)
    if round not in rounds:
        names = ", ".join(str(number) for number in rounds if not is_again(number))
        more = f" (+ {AGAIN:,} for second labels)" if any(map(is_again, rounds)) else ""
        raise InputError(f"--round {round}: there is no such round; there is {names}{more}")
    return round
