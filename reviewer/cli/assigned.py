"""What is told to whoever labels about what is assigned to them, and the traces that they label again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reviewer.cli import out
from reviewer.cli.context import new_id, now
from reviewer.cli.told import newcomer
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.label import AGAIN, Annotator
from reviewer.study import rounds
from reviewer.study.assigning_people import Roster, assigned, keys

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from reviewer.cli.context import Context
    from reviewer.store import Store
    from reviewer.taxonomy import Taxonomy
    from reviewer.trace import Json


def round_name(round: int) -> str:
    """`round 2`, or `round 2, again` where people label a second time."""
    return f"round {round - AGAIN}, again" if round > AGAIN else f"round {round}"


def tell_codebook(
    store: Store, round: int, book: Taxonomy, say: Callable[[str], None] = out.say_line
) -> None:
    """Which codebook a round is labelled under, where that is not the obvious one."""
    mine, in_use = rounds.stamps(store).get(round, ()), store.settings.taxonomy()
    if not mine:
        return
    under = rounds.Stamp.of(book)
    if under not in mine:
        say(
            f"{round_name(round)} was assigned under {mine[-1].words}; you label under {under.words}: "
            "such labels are not compared with the others of the round"
        )
    elif in_use is not None and in_use.hash != book.hash:
        say(
            f"{round_name(round)} was assigned under {under.words} and is labelled under it, not under "
            f"{rounds.Stamp.of(in_use).words}, which is in use (`reviewer taxonomy use {under.hash[:8]}`)"
        )


def assigned_elsewhere(store: Store, context: Context, known: Collection[str]) -> list[Json]:
    """The rounds that draws not among `known` assigned under a codebook that is not in use here."""
    in_use = context.load_taxonomy(store)
    arrived = {draw.round for draw in store.assignments.draws() if draw.id not in known}
    found: list[Json] = []
    for round, mine in sorted(rounds.stamps(store).items()):
        if round in arrived and in_use.hash not in {stamp.hash for stamp in mine}:
            under = {"assigned_under": mine[-1].record, "in_use": rounds.Stamp.of(in_use).record}
            found.append({"round": round, **under})
    return found


def tell_elsewhere(found: list[Json]) -> None:
    """What `merge` says of them."""
    for one in found:
        under, in_use = (rounds.Stamp(**one[name]) for name in ("assigned_under", "in_use"))
        out.say_line(
            f"{round_name(one['round'])} was assigned under {under.words} and is labelled under it; in use "
            f"here is {in_use.words} (`reviewer taxonomy use {under.hash[:8]}` takes the former into use)"
        )


def tell_before(
    store: Store,
    taxonomy: Taxonomy,
    annotator: Annotator,
    round: int,
    say: Callable[[str], None] = out.say_line,
) -> None:
    """That this annotator is new here, what waits for them, and what was perhaps meant for them."""
    if new := newcomer(store, annotator):
        say(new)
    everything = store.assignments.all(round)
    mine = assigned(store, annotator, round)
    if mine:
        absent = store.assignments.absent(round)
        missing = sum(one.trace_id in absent for one in mine)
        left = rounds.waiting(store, annotator, taxonomy.id, round)
        what = _wanted(store, round)
        of = count(len(mine), "trace")
        say(f"{round_name(round)}: {left} of {of} assigned to you still without {what}")
        if missing:
            say(f"not in this store: {missing} of them; import or merge first")
    elif everything:
        roster = Roster(store)
        names = sorted({roster.name(one.annotator) for one in everything})
        say(
            f"round {round} is assigned to {', '.join(names)}; nothing of it to {annotator.name} "
            f"({annotator.id[:11]}), so this is the whole list"
        )
        if annotator.name in names:
            say(f"another {annotator.name} is among them: if that is you, `reviewer annotators link` says so")
    for other in store.assignments.rounds(keys(store, annotator)):
        under = rounds.book_id(store, other, taxonomy.id)
        if other < round <= AGAIN and (left := rounds.waiting(store, annotator, under, other)):
            what = _wanted(store, other)
            wait = count(left, "trace", "of yours still waits", "of yours still wait")
            say(f"round {other}: {wait} for {what} (--round {other})")


def _wanted(store: Store, round: int) -> str:
    return "a note (open coding: nobody labelled there)" if rounds.notes_only(store, round) else "a label"


def tell_after(store: Store, taxonomy: Taxonomy, annotator: Annotator, round: int) -> None:
    """How much of it is done."""
    person = store.labels.links.people().person(annotator.id)
    heads = store.labels.heads(taxonomy.id, round)
    own = [one for one in heads if one.annotator == person]
    done, noted = ({one.trace_id for one in own if one.kind == kind} for kind in ("label", "note"))
    mine = {one.trace_id for one in assigned(store, annotator, round)}
    if mine and rounds.notes_only(store, round):
        said = f"{len(mine & noted)} of {count(len(mine), 'assigned trace')} with a note by {annotator.name}"
        said += f" ({round_name(round)}, open coding)"
    elif mine:
        said = f"{len(mine & done)} of {count(len(mine), 'assigned trace')} labelled by {annotator.name}"
        said += f" ({round_name(round)})"
    else:
        every = count(len(store.traces.all()), "trace")
        said = f"{len(done)} of {every} labelled by {annotator.name}"
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
