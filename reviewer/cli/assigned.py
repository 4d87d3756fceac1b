"""What is told to whoever labels about what is assigned to them, and the traces that they label again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reviewer.cli import out
from reviewer.cli.context import new_id, now
from reviewer.errors import InputError
from reviewer.label import AGAIN, Annotator
from reviewer.study import rounds
from reviewer.study.assigning_people import Roster, assigned, keys

if TYPE_CHECKING:
    from reviewer.store import Store
    from reviewer.taxonomy import Taxonomy


def round_name(round: int) -> str:
    """`round 2`, or `round 2, again` where people label a second time."""
    return f"round {round - AGAIN}, again" if round > AGAIN else f"round {round}"


def tell_before(store: Store, taxonomy: Taxonomy, annotator: Annotator, round: int) -> None:
    """What waits for this annotator, and what was perhaps meant for them; nothing where nobody is."""
    everything = store.assignments.all(round)
    mine = assigned(store, annotator, round)
    if mine:
        absent = store.assignments.absent(round)
        missing = sum(one.trace_id in absent for one in mine)
        left = rounds.waiting(store, annotator, taxonomy.id, round)
        out.say(
            f"{round_name(round)}: {left} of {len(mine)} traces that are assigned to you wait for a label"
        )
        if missing:
            out.say(f"{missing} of them are not in this store; import or merge them first")
    elif everything:
        roster = Roster(store)
        names = sorted({roster.name(one.annotator) for one in everything})
        out.say_line(
            f"round {round} is assigned to {', '.join(names)}; nothing of it to {annotator.name} "
            f"({annotator.id[:11]}), so this is the whole list"
        )
        if annotator.name in names:
            out.say_line(
                f"another {annotator.name} is among them: if that is you, `reviewer annotators link` says so"
            )
    for other in store.assignments.rounds(keys(store, annotator)):
        if other < round <= AGAIN and (left := rounds.waiting(store, annotator, taxonomy.id, other)):
            out.say(f"round {other}: {left} traces of yours still wait (--round {other})")


def tell_after(store: Store, taxonomy: Taxonomy, annotator: Annotator, round: int) -> None:
    """How much of it is done."""
    person = store.labels.links.people().person(annotator.id)
    heads = store.labels.heads(taxonomy.id, round)
    done = {one.trace_id for one in heads if one.kind == "label" and one.annotator == person}
    mine = {one.trace_id for one in assigned(store, annotator, round)}
    if mine:
        count = f"{len(mine & done)} of {len(mine)} assigned traces"
        said = f"{count} labelled by {annotator.name} ({round_name(round)})"
    else:
        said = f"{len(done)} of {len(store.traces.all())} traces labelled by {annotator.name}"
    out.say_line(f"{store.path}: {said}")


def serve_again(
    store: Store, taxonomy: Taxonomy, annotator: Annotator, round: int | None, count: int
) -> tuple[int, int]:
    """(the round, how many wait) after up to `count` traces of somebody's own were put there to label again.

    InputError: there is none.
    """
    from reviewer.study.assigning_round import draw_again

    first, who = round or store.labels.newest_round(), annotator.name
    if first > AGAIN:
        raise InputError(f"--round {first}: name the round of the first labels")
    drawn, blind = draw_again(
        store, taxonomy, annotator, first, count, seed=new_id()[:8], now=now(), new_id=new_id
    )
    if drawn.made:
        drawn.keep(store)
    mine = assigned(store, annotator, drawn.draw.round)
    if not mine and not blind:
        raise InputError(f"nothing to label again: {who} has no blind label in round {first}")
    if not mine:
        raise InputError(
            f"nothing to label again: {who} labelled {blind} traces blind in round {first}, and each was "
            "revealed afterwards; `label --blind --no-reveal` keeps suggestions hidden"
        )
    if len(mine) < count:
        out.say_line(
            f"{len(mine)}, not {count}: of the {blind} traces that {who} labelled blind in round {first}, "
            "the others were revealed afterwards"
            if len(mine) < blind
            else f"{len(mine)}, not {count}: {who} labelled no more traces blind in round {first}"
        )
    return drawn.draw.round, rounds.waiting(store, annotator, taxonomy.id, drawn.draw.round)
