"""How the traces of a round were chosen, in words: for the card of a dataset folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewer.counting import count
from reviewer.store import Store
from reviewer.store.assignments import Assignment, Draw
from reviewer.study.again import again_round
from reviewer.trace import Json

NOT_DRAWN = "Nothing was assigned in this round: who labelled what was not drawn by chance."


def sampling(store: Store, round: int) -> list[str]:
    """A sentence or two a draw, the earliest first."""
    draws = [draw for draw in store.assignments.draws() if draw.round in (round, again_round(round))]
    lines = []
    for draw in sorted(draws, key=lambda draw: (draw.at, draw.id)):
        mine = [one for one in store.assignments.all(draw.round) if one.draw == draw.id]
        lines.append(f"{draw.at[:10]}: {(_again if draw.kind == 'again' else _new)(draw, mine)}")
    if not any(draw.round == round for draw in draws):
        lines.insert(0, NOT_DRAWN)
    return lines


def _new(draw: Draw, made: Sequence[Assignment]) -> str:
    told = draw.settings
    people = len({one.annotator for one in made})
    drawn = _number(told, "drawn")
    seats = {one.trace_id for one in made}
    words = f"{len(seats) if drawn is None else drawn:,} traces drawn by chance"
    words += _given(" out of {} that were free", _number(told, "of"))
    words += _given(" in a selection of {}", _number(told, "only"))
    words += f" for {people} people{_seed(told)}"
    by = told.get("stratify")
    if isinstance(by, list | tuple) and by:
        words += f", in proportion to {', '.join(map(str, by))}"
    if overlapping := _number(told, "overlapping"):
        raters = "everybody" if told.get("raters") == "all" else f"{told.get('raters', 2)} people"
        words += f"; {overlapping:,} of them go to {raters}"
    if more := _number(told, "more"):
        words += f"; {more:,} that one person had already went to another as well"
    if told.get("rest") == "blind":
        words += "; all are labelled blind"
    return f"{words}.{_chances(made)}"


def _again(draw: Draw, made: Sequence[Assignment]) -> str:
    words = f"{count(len(made), 'trace')} drawn by chance to be labelled a second time by the same person"
    words += _given(" out of {} that they labelled blind", _number(draw.settings, "of"))
    return f"{words}{_seed(draw.settings)}."


def _chances(made: Sequence[Assignment]) -> str:
    chances = sorted({one.probability for one in made})
    if not chances:
        return " Nobody got one."
    if chances[0] == chances[-1]:
        return f" Every assignment came about with a chance of {chances[0]:.3g}."
    return f" An assignment came about with a chance of {chances[0]:.3g} to {chances[-1]:.3g}."


def _number(told: Mapping[str, Json], name: str) -> int | None:
    value = told.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _given(words: str, value: int | None) -> str:
    return "" if value is None else words.format(f"{value:,}")


def _seed(told: Mapping[str, Json]) -> str:
    return f" (seed {told['seed']})" if told.get("seed") not in (None, "") else ""
