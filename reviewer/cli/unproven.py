"""What comes from elsewhere and nobody can prove: what is said in one's own name, and who is said to be whom.

A label file and a foreign store carry no signature. So whoever takes one in is told of events under the ids
of this machine, which of one's labels they replace, and which annotators are linked by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.peopling import link_record
from reviewer.counting import count
from reviewer.exporters import records
from reviewer.label import Annotator, Link
from reviewer.store import Store
from reviewer.store.links import current
from reviewer.trace import Json
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class Before:
    """What a store held: events by annotator, its last row of them, its links."""

    said: Mapping[str, int]
    last: int
    links: Sequence[Link]

    @classmethod
    def of(cls, store: Store) -> Before:
        return cls(store.history.said(), store.history.last(), store.labels.links.all())


@dataclass(frozen=True, slots=True)
class Arrived:
    """Events that came in under ids of this machine, one's labels that they replace, links that hold now."""

    mine: Mapping[str, int]
    replaced: Mapping[str, int]
    links: Sequence[Link]
    known: Mapping[str, Annotator]

    def name(self, id: str) -> str:
        return self.known[id].name if id in self.known else id


def since(before: Before, store: Store) -> Arrived:
    """What of it came in."""
    ours, said = settings.identities(), store.history.said()
    mine = {id: n - before.said.get(id, 0) for id, n in said.items() if id in ours}
    mine = {id: n for id, n in mine.items() if n}
    links = [link for heads in current(store.labels.links.all()).values() for link in heads]
    return Arrived(
        mine=mine,
        replaced={id: store.history.replaced(id, before.last) for id in mine},
        links=[link for link in links if link not in before.links],
        known=store.labels.annotators(),
    )


def tell(arrived: Arrived) -> None:
    for id, n in arrived.mine.items():
        gone = arrived.replaced[id]
        out.say_line(
            f"warning: {count(n, 'event')} under the id of {arrived.name(id)} on this machine came in: "
            "made by you in another store, or by somebody in your name (`history` shows them); "
            f"{count(gone, 'label')} of yours here replaced by them"
        )
    for link in arrived.links:
        a, b = (f"{arrived.name(id)} ({id})" for id in link.pair)
        said = "are one person" if link.same else "are not one person"
        out.say_line(
            f"warning: {arrived.name(link.said_by)} says there that {a} and {b} {said}; "
            "`annotators list` shows what counts, `annotators link` and `unlink` answer"
        )


def record(arrived: Arrived, *, whole: bool = True) -> dict[str, Json]:
    """The same as a JSON object; unless `whole`, only where there is something to tell."""
    if not whole and not (arrived.mine or arrived.links):
        return {}
    return {
        "in_my_name": [
            {
                "annotator": records.person(id, arrived.known),
                "new": n,
                "labels_replaced": arrived.replaced[id],
            }
            for id, n in arrived.mine.items()
        ],
        "new_links": [link_record(link) for link in arrived.links],
    }
