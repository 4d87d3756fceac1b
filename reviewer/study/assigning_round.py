"""A draw over a store: which traces of a round may be drawn, what stands, and what a further draw adds.

What stands is never changed, and nobody gets a trace twice in a round. Traces that somebody labelled in the
round without an assignment are left out: nobody knows with which chance they came in.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Literal, TypeAlias

from reviewer.errors import InputError
from reviewer.label import Annotator, LabelEvent
from reviewer.store import Store
from reviewer.store.assignments import NAMED, Assignment, Draw
from reviewer.study.again import again_round, eligible
from reviewer.study.assigning import Candidate, Raters, Seat, design, more
from reviewer.study.assigning_people import Roster, assigned
from reviewer.study.rounds import Stamp
from reviewer.study.rows import verdict
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, TraceInfo
from reviewer.values import dataclass

Rest: TypeAlias = Literal["blind", "chosen"]
STRATA = ("model", "ended", "suggestion", "benchmark", "task", "agent", "passed")


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. `n`: how many new traces (None: all). `overlap`: a share, or a count above 1.

    `only`: the traces that may be drawn (None: all). `rest`: whether the traces of one person are blind too,
    or as that person chose to work.
    """

    round: int
    people: tuple[Annotator, ...]
    n: int | None = None
    overlap: float = 0.0
    raters: Raters = "2"
    stratify: tuple[str, ...] = ()
    rest: Rest = "chosen"
    seed: str = "0"
    only: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw that may be kept. `seen`: the assignments of the round that it was made in view of.

    `left_out`: traces with a label of this round that nobody assigned. `book`: what it is labelled under.
    `sighted`: of the traces that were to get a second person, how many their one person may label assisted.
    """

    draw: Draw
    made: tuple[Assignment, ...]
    seen: int
    left_out: int
    book: Taxonomy
    sighted: int = 0

    def keep(self, store: Store) -> None:
        """Commit it. InputError: somebody else assigned traces of the round meanwhile."""
        for one in self.draw.settings["annotators"]:
            if not one["id"].startswith(NAMED):
                store.labels.meet(Annotator(one["id"], one["name"]), now=self.draw.at)
        store.settings.keep_taxonomy(self.book, now=self.draw.at)  # so that its text travels with the draw
        store.assignments.add(self.draw, self.made, self.seen)


def draw(store: Store, taxonomy: Taxonomy, wish: Wish, now: str, new_id: Callable[[], str]) -> Drawn:
    """What a call of `assign` adds; nothing is written. InputError: it cannot be done as it is asked for."""
    roster = Roster(store, wish.people)
    names = {roster.person(one.id): one.name for one in wish.people}
    keys = {roster.person(one.id): one.id for one in wish.people}
    standing = store.assignments.all(wish.round)
    holders: dict[str, dict[str, bool]] = {}  # trace -> person -> whether it is blind
    for one in standing:
        mine = holders.setdefault(one.trace_id, {})
        person = roster.person(one.annotator)
        mine[person] = one.blind or mine.get(person, False)
    labels = [one for one in store.labels.heads(taxonomy.id, wish.round) if one.kind == "label"]
    infos = [info for info in store.traces.all() if wish.only is None or info.trace_id in wish.only]
    labelled = {one.trace_id for one in labels}
    free = [info for info in infos if info.trace_id not in holders]
    fresh = [info for info in free if info.trace_id not in labelled]
    n = len(fresh) if wish.n is None else min(wish.n, len(fresh))
    strata = _strata(store, taxonomy, infos, wish.stratify)
    random = Random(f"{wish.seed} round {wish.round}")
    shared = sum(len(who) > 1 for who in holders.values())
    overlap = min(n, _overlap(wish.overlap, n, shared))
    if overlap and len(wish.people) < 2:
        raise InputError("traces overlap between people: name two annotators at least, or --overlap 0")
    seats = design(
        [Candidate(info.trace_id, strata[info.trace_id]) for info in fresh],
        list(names),
        n=n,
        overlap=overlap,
        raters=wish.raters,
        random=random,
    )
    single = {
        Candidate(info.trace_id, strata[info.trace_id]): tuple(holders[info.trace_id])
        for info in infos
        if len(holders.get(info.trace_id, ())) == 1 and _stays_blind(holders, labels, roster, info.trace_id)
    }
    alone = sum(len(holders.get(info.trace_id, ())) == 1 for info in infos)
    lacking = max(0, min(len(holders) + n, _overlap(wish.overlap, len(holders) + n, 0)) - shared - overlap)
    further = more(single, list(names), n=lacking, raters=wish.raters, random=random)
    settings = _settings(wish, names, keys) | {
        "taxonomy": Stamp.of(taxonomy).record,
        "of": len(fresh),
        "drawn": n,
        "overlapping": overlap,
        "more_of": len(single),
        "more": len({seat.trace_id for seat in further}),
        "more_wanted": lacking,
    }
    kept = Draw(new_id(), "new", wish.round, settings, now)
    after = {roster.person(one.annotator): 0 for one in standing}
    for one in standing:
        person = roster.person(one.annotator)
        after[person] = max(after[person], one.place + 1)
    made = _placed(kept, [*seats, *further], keys, after, wish.rest == "blind", random, new_id)
    return Drawn(
        kept, tuple(made), len(standing), len(free) - len(fresh), taxonomy, min(lacking, alone - len(single))
    )


def _overlap(asked: float, n: int, have: int) -> int:
    """How many traces overlap: of a share that many of `n`; of a count what it lacks to `have`."""
    return math.floor(asked * n + 0.5) if asked <= 1 else max(0, round(asked) - have)


def _stays_blind(
    holders: Mapping[str, Mapping[str, bool]], labels: Sequence[LabelEvent], roster: Roster, trace_id: str
) -> bool:
    """Whether what one person says of a trace will count in a pair: they label it blind, or have."""
    ((person, blind),) = holders[trace_id].items()
    said = [one for one in labels if one.trace_id == trace_id and roster.person(one.annotator) == person]
    return all(one.condition == "blind" for one in said) if said else blind


def _placed(
    kept: Draw,
    seats: Sequence[Seat],
    keys: Mapping[str, str],
    after: Mapping[str, int],
    blind: bool,
    random: Random,
    new_id: Callable[[], str],
) -> list[Assignment]:
    """The seats of each person in a random order, behind what they have: it does not tell what overlaps."""
    made = []
    for person, key in sorted(keys.items(), key=lambda item: item[0]):
        mine = sorted((seat for seat in seats if seat.annotator == person), key=lambda seat: seat.trace_id)
        random.shuffle(mine)
        for place, seat in enumerate(mine, after.get(person, 0)):
            fixed = (new_id(), kept.id, seat.trace_id, key, kept.round, place)
            made.append(Assignment(*fixed, seat.overlap or blind, seat.stratum, seat.probability))
    return made


def _settings(wish: Wish, names: Mapping[str, str], keys: Mapping[str, str]) -> dict[str, Json]:
    return {
        "annotators": [{"id": keys[person], "name": name} for person, name in names.items()],
        "n": wish.n,
        "overlap": wish.overlap,
        "raters": wish.raters,
        "stratify": list(wish.stratify),
        "rest": wish.rest,
        "seed": wish.seed,
        "only": None if wish.only is None else len(wish.only),
    }


def _strata(
    store: Store, taxonomy: Taxonomy, infos: Sequence[TraceInfo], by: Sequence[str]
) -> dict[str, str]:
    """The stratum of each trace: its values of `by`."""
    suggested = {}
    if "suggestion" in by:
        every = store.suggestions.all(taxonomy.hash)
        suggested = {one.trace_id: one.mode for one in every if one.status == "ok"}
    passed: dict[str, str] = {}
    if "passed" in by:
        words = {True: "passed", False: "failed", None: ""}
        passed = {trace: words[verdict(graded)[0]] for trace, graded in store.outcomes.all().items()}

    def value(info: TraceInfo, name: str) -> str:
        if name == "suggestion":
            return suggested.get(info.trace_id, "")
        if name == "passed":
            return passed.get(info.trace_id, "")
        return info.task_id if name == "task" else str(getattr(info, name))

    return {info.trace_id: " / ".join(value(info, name) or "-" for name in by) for info in infos}


def draw_again(
    store: Store,
    taxonomy: Taxonomy,
    annotator: Annotator,
    round: int,
    count: int,
    *,
    seed: str,
    now: str,
    new_id: Callable[[], str],
) -> tuple[Drawn, int]:
    """Up to `count` traces for one person to label again, what waits already among them; nothing is written.

    And how many traces of the round this person labelled blind. Random traces in a random order.
    """
    home = again_round(round)
    people = store.labels.links.people().ids(annotator.id)
    able, blind = eligible(store, taxonomy, round, people)
    standing = assigned(store, annotator, home)
    said = {one.trace_id for one in store.labels.heads(taxonomy.id, home) if one.annotator in people}
    taken = said | {one.trace_id for one in standing}
    able = [trace for trace in able if trace not in taken]
    random = Random(f"{seed} again {round} {annotator.id}")
    drawn = random.sample(able, max(0, min(len(able), count - len(taken))))
    settings: dict[str, Json] = {
        "annotators": [{"id": annotator.id, "name": annotator.name}],
        "n": count,
        "seed": seed,
        "of": len(able),
        "drawn": len(drawn),
        "taxonomy": Stamp.of(taxonomy).record,
    }
    kept = Draw(new_id(), "again", home, settings, now)
    first = max((one.place + 1 for one in standing), default=0)
    made = tuple(
        Assignment(new_id(), kept.id, trace, annotator.id, home, place, True, "", len(drawn) / len(able))
        for place, trace in enumerate(drawn, first)
    )
    return Drawn(kept, made, len(store.assignments.all(home)), 0, taxonomy), blind
