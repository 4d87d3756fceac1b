"""`annotators list|link|unlink`: who is in a store, and which of them are one person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.assigned import round_name
from reviewer.cli.context import Context, new_id, now
from reviewer.counting import count
from reviewer.label import Annotator, Link
from reviewer.trace import Json

if TYPE_CHECKING:
    from reviewer.study.people import Made, Roll, Standing


NAMELESS = "(no name came along)"


@click.group("annotators")
def command_annotators() -> None:
    """Who labelled what; which of them are one person.

    An annotator is an id that is made once for each name, OS user and config folder. The same name on two
    machines is two annotators until somebody links them; linked ones count as one person everywhere.
    """


@command_annotators.command("list", short_help="Everybody in this store, with their labels.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def list_known(context: Context, as_json: bool) -> int:
    """Everybody in this store, with their current labels by round and condition."""
    from reviewer.study.people import roll

    mine = settings.identities()
    with context.open_store() as store:
        found = roll(store, mine)
    if as_json:
        out.show_json(_as_json(found, mine))
    else:
        _tell(found, mine)
    return 0


@command_annotators.command("link", short_help="Say that two annotators are one person.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--as", "name", metavar="NAME", help="Who says so (default: the login name).")
@click.pass_obj
def link(context: Context, a: str, b: str, name: str | None) -> int:
    """Say that the annotators A and B (ids, beginnings of ids, or names) are one person.

    Nothing they said is changed. What both labelled becomes a conflict, which that person settles by
    deciding again under either name; what either was shown counts as shown to both.
    """
    return _say(context, a, b, name, same=True)


@command_annotators.command("unlink")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--as", "name", metavar="NAME", help="Who says so (default: the login name).")
@click.pass_obj
def unlink(context: Context, a: str, b: str, name: str | None) -> int:
    """Say that A and B are two people after all."""
    return _say(context, a, b, name, same=False)


def _say(context: Context, a: str, b: str, name: str | None, *, same: bool) -> int:
    from reviewer.study.conflicts import conflicts
    from reviewer.study.people import everybody, meant, short

    mine = settings.identities()
    with context.open_store() as store:
        one, other = meant(store, mine, a), meant(store, mine, b)
        for who in (one, other):
            if who.name:  # so that it is known by name wherever the statement goes
                store.labels.meet(who, now=now())
        known = everybody(store, mine)
        teller = Annotator(*settings.identity(name))
        said = store.labels.links.say(Link(new_id(), one.id, other.id, same, teller.id, now()))
        store.labels.meet(teller, now=now())
        people = store.labels.links.people()
        person = people.person(one.id)
        torn = sum(conflict.annotator == person for conflict in conflicts(store))
    names = " and ".join(f"{who.name or NAMELESS} ({short(who.id, known)})" for who in (one, other))
    already = "" if said else " already"
    if not same and person == people.person(other.id):
        out.show(
            f"{names} are not linked with each other{already}, but through others they are one person still"
        )
    elif not same:
        out.show(f"{names} are two people{already}")
    else:
        out.show(f"{names} are one person{already}")
        if torn:
            out.show(f"{count(torn, 'conflict')} of this person: none of it counts until they decide again")
    return 0


def _tell(found: Roll, mine: Mapping[str, str]) -> None:
    from reviewer.study.people import short

    ids = [one.annotator.id for one in found.standings]
    rows = [
        (
            short(one.annotator.id, ids),
            one.annotator.name or NAMELESS,
            "this one" if one.annotator.id in mine else "-",
            _made(one),
            ", ".join(short(id, ids) for id in one.annotator.also) or "-",
        )
        for one in found.standings
    ]
    out.table(rows, ("id", "name", "machine", "current labels", "one person with"))
    for said in found.torn:
        a, b = (short(id, ids) for id in said[0].pair)
        out.show(
            f"{a} and {b}: {len(said)} statements contradict each other, so they count as two people; "
            f"`annotators link {a} {b}` or `unlink` settles it"
        )
    for name, same in found.alike:
        shown = [short(id, ids) for id in same]
        out.show(
            f"{len(same)} annotators are called {name} ({', '.join(shown)}): if that is one person, "
            f"`reviewer annotators link {shown[0]} {shown[1]}`"
        )


_WORDS = {"blind": "blind", "suggestion": "with a suggestion seen", "peers": "with others' labels seen"}


def _made(one: Standing) -> str:
    """`six-modes round 1: 12 blind, 3 with a suggestion seen; …`."""
    places: dict[tuple[str, int], list[Made]] = {}
    for made in one.made:
        places.setdefault((made.taxonomy, made.round), []).append(made)
    told = [
        f"{taxonomy} {round_name(round)}: "
        + ", ".join(f"{made.n:,} {_WORDS[made.condition]}" for made in here)
        for (taxonomy, round), here in places.items()
    ]
    return "; ".join(told) or "none"


def _as_json(found: Roll, mine: Mapping[str, str]) -> Json:
    return {
        "annotators": [
            {
                "id": one.annotator.id,
                "name": one.annotator.name,
                "person": one.person,
                "also": list(one.annotator.also),
                "this_machine": one.annotator.id in mine,
                "labels": [
                    {"taxonomy": made.taxonomy, "round": made.round, "condition": made.condition, "n": made.n}
                    for made in one.made
                ],
            }
            for one in found.standings
        ],
        "links": [link_record(said) for said in found.said],
        "contradictions": [[link_record(said) for said in pair] for pair in found.torn],
        "same_name": [{"name": name, "ids": list(ids)} for name, ids in found.alike],
    }


def link_record(said: Link) -> dict[str, Json]:
    return {
        "id": said.id,
        "a": said.a,
        "b": said.b,
        "same": said.same,
        "said_by": said.said_by,
        "at": said.at,
        "supersedes": list(said.supersedes),
    }
