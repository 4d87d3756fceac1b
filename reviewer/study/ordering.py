"""A queue for discovery: the traces that machines differ on, or are unsure of, come early.

Such an order gives no honest rates: what comes first was chosen because it is odd. So every third place is
a trace drawn at random, before any order was made, and each label keeps from which stratum it came (in its
`assignment`): shares and agreement may be told from the random ones. Knows suggestions, and no label of
anybody: the order must not tell what others said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from reviewer.counting import count
from reviewer.label import LabelEvent, Suggestion
from reviewer.store import Store
from reviewer.study.queue import Item
from reviewer.taxonomy import Taxonomy
from reviewer.trace import digest

Order: TypeAlias = Literal["disagreement", "uncertain"]
EVERY = 3
RANDOM = "random"
_MARK = "order:"


def ordered(
    items: Sequence[Item], store: Store, taxonomy: Taxonomy, order: Order, seed: str
) -> tuple[list[Item], dict[str, str]]:
    """The same items in that order, and the `assignment` of each trace: its order and stratum.

    `seed` decides who is drawn: the same for the same seed, whatever is suggested meanwhile.
    """
    said: dict[str, list[Suggestion]] = {}
    for one in store.suggestions.all(taxonomy.hash):
        if one.status == "ok":
            said.setdefault(one.trace_id, []).append(one)
    drawn = sorted(items, key=lambda item: digest([seed, item.info.trace_id]))
    drawn = drawn[: -(-len(items) // EVERY)]
    lucky = {item.info.trace_id for item in drawn}
    rank = _differing if order == "disagreement" else _unsure
    rest = [item for item in items if item.info.trace_id not in lucky]
    rest.sort(key=lambda item: -rank(said.get(item.info.trace_id, ())))
    mixed: list[Item] = []
    while drawn or rest:
        mixed += [*drawn[:1], *rest[: EVERY - 1]]
        drawn, rest = drawn[1:], rest[EVERY - 1 :]
    strata = {
        item.info.trace_id: f"{_MARK}{order}/{RANDOM if item.info.trace_id in lucky else 'ranked'}"
        for item in mixed
    }
    return mixed, strata


def _differing(said: Sequence[Suggestion]) -> float:
    """How many modes are proposed, and how evenly: 0 where all suggesters agree, or only one spoke."""
    modes = Counter(one.mode for one in said)
    return len(modes) - 1 + (1 - max(modes.values()) / modes.total()) if len(modes) > 1 else 0.0


def _unsure(said: Sequence[Suggestion]) -> float:
    """What the surest suggester lacks to being sure; -1, the last of all, where none proposes a mode.

    An abstention is no doubt about a mode: there is nothing to be checked.
    """
    return 1 - max((one.confidence or 0.0 for one in said), default=2.0)


def strata(labels: Iterable[LabelEvent]) -> Mapping[str, int]:
    """How many labels were made in an ordered queue: `ranked` and `random` ones."""
    found = (event.assignment for event in labels if event.assignment.startswith(_MARK))
    counts = Counter(assignment.rpartition("/")[2] for assignment in found)
    return {name: counts[name] for name in ("ranked", RANDOM) if counts[name]}


def warning(labels: Iterable[LabelEvent]) -> str:
    """What must stand beside every rate that rests on these labels; empty if nothing has to."""
    counts = strata(labels)
    if not counts.get("ranked"):
        return ""
    ranked = count(counts["ranked"], "label", "comes", "come")
    return (
        f"{ranked} from a queue ordered by what machines differ on or are unsure of: "
        f"shares and agreement over them are no rates; drawn at random: {counts.get(RANDOM, 0):,}"
    )
