"""Agreement in one round, from the store: between annotators, with oneself, and of suggesters with people.

Counts each person's last label before any reveal (law 3). Labels made with a suggestion in sight are
paired apart; labels made after others' labels were seen count nowhere; adjudications are no raters. A
person with two current labels on a trace (a conflict) is left out of that trace until it is settled.
The task is the unit of every interval wherever a task has several traces. Two columns of labels are
compared in one way whoever they belong to: `columns.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeAlias

from reviewer.label import Annotator, LabelEvent
from reviewer.stats.agreement import GroupAgreement, PairAgreement, group_agreement
from reviewer.stats.bands import in_words
from reviewer.stats.counts import count_items
from reviewer.stats.estimate import Estimate
from reviewer.stats.few import alpha_judged, judged
from reviewer.stats.krippendorff import alpha_sets
from reviewer.stats.resampled import ac1_bootstrap, alpha_bootstrap, fleiss_bootstrap
from reviewer.stats.sets import jaccard_distance, masi_distance
from reviewer.store import Store
from reviewer.study.columns import Compared, Row, Said, compare
from reviewer.study.earlier import earlier
from reviewer.study.ordering import warning
from reviewer.study.round_labels import Labels, RoundLabels
from reviewer.taxonomy import Taxonomy
from reviewer.trace import digest
from reviewer.values import dataclass

Items: TypeAlias = Sequence[tuple[str, str, str]]  # trace, one's mode, the other's

FEW = 20  # with fewer items in common the value says little
POSITIVES = 30  # with fewer ratings of a mode its kappa is decoration
FAILED, NOT_FAILED = "failed", "not_failed"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two columns of labels and how far they agree. With oneself `a` and `b` are one annotator."""

    a: Annotator
    b: Annotator
    compared: Compared

    @property
    def found(self) -> PairAgreement:
        return self.compared.found

    @property
    def items(self) -> Items:
        return [(trace, a.mode, b.mode) for trace, a, b in self.compared.rows]

    @property
    def words(self) -> str:
        """What the interval of kappa can tell."""
        return in_words(self.found.kappa)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before the value means anything."""
        few = f"fewer than {FEW} traces: read the interval, not the value"
        odd = self.found.warning
        return (*([few] if self.found.n < FEW else []), *([odd.sentence] if odd is not None else []))


@dataclass(frozen=True, slots=True)
class SuggesterAgreement:
    """One suggester against the blind labels of people, all together and one by one.

    `n_assisted` labels are counted, not used.
    """

    name: str
    n_blind: int
    n_assisted: int
    compared: Compared
    people: tuple[Pair, ...]

    @property
    def found(self) -> PairAgreement:
        return self.compared.found


@dataclass(frozen=True, slots=True)
class Together:
    """Everybody together, beyond `Agreement.all`.

    `masi` and `jaccard`: alpha of the sets of modes, primary and secondary. `gwet`: as `all`, but items with
    one rating bear on the chance agreement too (Gwet 2014). The others are intervals by resampling, None
    where not asked for.
    """

    masi: Estimate
    jaccard: Estimate
    gwet: GroupAgreement
    fleiss: Estimate | None = None
    alpha: Estimate | None = None
    ac1: Estimate | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything `agreement` reports of one round under one taxonomy (`across`: any version of it)."""

    round: int
    annotators: tuple[Annotator, ...]
    shared: int
    n_passed: int
    conflicts: int
    other_versions: int
    pairs: tuple[Pair, ...]
    all: GroupAgreement
    failed_or_not: tuple[Pair, ...]
    mode_if_failed: tuple[Pair, ...]
    assisted: tuple[Pair, ...]
    suggesters: tuple[SuggesterAgreement, ...]
    own: tuple[Pair, ...]
    together: Together
    across: bool = False
    met: tuple[Pair, ...] = ()  # on traces that one of both read, or somebody settled, in an earlier round
    fresh: tuple[Pair, ...] = ()  # the same two people on the others
    warning: str = ""  # why these are no rates: labels from a queue ordered by what machines say


def agreement(
    store: Store,
    taxonomy: Taxonomy,
    round: int,
    *,
    across: bool = False,
    carry: bool = False,
    bootstrap: tuple[int, int] | None = None,
    only: Collection[str] | None = None,
) -> Agreement:
    """The agreement of one round (`only` on these traces); `bootstrap`: (resamples, seed) of more intervals.

    With `carry`, labels of earlier codebooks count as they read under this one (`carried.py`).
    """
    here = RoundLabels(store, taxonomy, round, across, bootstrap, carry=carry, only=only)
    failure = {mode.id for mode in taxonomy.failures}
    apart = {mode.id for mode in taxonomy.modes if mode.apart}

    def failed_or_not(rows: list[Row], a: str, b: str) -> list[Row]:
        settled = [row for row in rows if row[1].mode not in apart and row[2].mode not in apart]
        return [(trace, _failed(x, failure), _failed(y, failure)) for trace, x, y in settled]

    def both_failed(rows: list[Row], a: str, b: str) -> list[Row]:
        return [row for row in rows if row[1].mode in failure and row[2].mode in failure]

    def assisted(rows: list[Row], a: str, b: str) -> list[Row]:
        seen = here.conditions
        return [row for row in rows if "suggestion" in (seen[a, row[0]], seen[b, row[0]])]

    before = earlier(store, round)
    counts = Counter(trace for mine in here.blind.values() for trace in mine)
    shared = [trace for trace, raters in counts.items() if raters > 1]
    group, together = _group(here)
    return Agreement(
        round=round,
        annotators=tuple(sorted(map(here.person, _people(here.heads)), key=lambda one: (one.name, one.id))),
        shared=_shared(here.counted),
        n_passed=sum(here.passed.get(trace, False) for trace in shared),
        conflicts=here.conflicts,
        other_versions=here.other_versions,
        pairs=_pairs(here, here.blind, lambda rows, a, b: rows, here.modes),
        all=group,
        failed_or_not=_pairs(here, here.blind, failed_or_not, (FAILED, NOT_FAILED)),
        mode_if_failed=_pairs(
            here, here.blind, both_failed, [mode for mode in here.modes if mode in failure]
        ),
        assisted=_pairs(here, here.current, assisted, here.modes),
        suggesters=_suggesters(here),
        own=_own(here),
        together=together,
        across=across,
        met=_pairs(here, here.blind, before.met_rows, here.modes),
        fresh=_pairs(here, here.blind, before.fresh_rows, here.modes),
        warning=warning(here.heads),
    )


def _pairs(
    here: RoundLabels,
    labels: Labels,
    choose: Callable[[list[Row], str, str], list[Row]],
    categories: Sequence[str],
) -> tuple[Pair, ...]:
    """Every pair of people with at least one item that `choose` keeps."""
    people = sorted(labels, key=lambda id: (here.person(id).name, id))
    found = []
    for a, b in combinations(people, 2):
        rows = choose(here.shared_by(labels, a, b), a, b)
        if rows:
            found.append(Pair(here.person(a), here.person(b), compare(rows, here.frame, categories)))
    return tuple(found)


def _failed(said: Said, failure: set[str]) -> Said:
    return Said(FAILED if said.mode in failure else NOT_FAILED)


def _people(heads: Iterable[LabelEvent]) -> list[str]:
    return list(dict.fromkeys(event.annotator for event in heads))


def _shared(heads: Iterable[LabelEvent]) -> int:
    """Traces with labels of two or more annotators, whatever they had seen."""
    raters: dict[str, set[str]] = {}
    for event in heads:
        raters.setdefault(event.trace_id, set()).add(event.annotator)
    return sum(len(people) > 1 for people in raters.values())


def _group(here: RoundLabels) -> tuple[GroupAgreement, Together]:
    traces = list(dict.fromkeys(trace for mine in here.blind.values() for trace in mine))
    said = [[mine.get(trace) for trace in traces] for mine in here.blind.values()]
    ratings = [[None if one is None else one.mode for one in mine] for mine in said]
    sets = [[None if one is None else one.modes for one in mine] for mine in said]
    tasks = [here.frame.task(trace) for trace in traces]
    # items with one rating are left out of the chance agreement too: then Fleiss is close to alpha
    group = group_agreement(ratings, categories=here.modes, tasks=tasks, singletons=False)
    masi, jaccard = (
        alpha_judged(alpha_sets(sets, far, tasks=tasks)) for far in (masi_distance, jaccard_distance)
    )
    gwet = group_agreement(ratings, categories=here.modes, tasks=tasks)
    if here.frame.bootstrap is None:
        return group, Together(masi, jaccard, gwet)
    counts = count_items(ratings, categories=here.modes, tasks=tasks)
    replicates, seed = here.frame.bootstrap
    drawn = [
        judged(draw(counts, replicates=replicates, seed=seed), counts.paired().tasks)
        for draw in (fleiss_bootstrap, alpha_bootstrap, ac1_bootstrap)
    ]
    return group, Together(masi, jaccard, gwet, *drawn)


def _own(here: RoundLabels) -> tuple[Pair, ...]:
    """Each person against the same person later."""
    rows: dict[str, list[Row]] = {}
    for first, second in here.again:
        rows.setdefault(first.annotator, []).append((first.trace_id, Said.of(first), Said.of(second)))
    people = sorted(rows, key=lambda id: (here.person(id).name, id))
    return tuple(
        Pair(here.person(id), here.person(id), compare(rows[id], here.frame, here.modes)) for id in people
    )


def _suggesters(here: RoundLabels) -> tuple[SuggesterAgreement, ...]:
    found = []
    for name in sorted({one.suggester for one in here.suggestions}):
        proposed = {one.trace_id: Said.of(one) for one in here.suggestions if one.suggester == name}
        by_person = {
            id: [(trace, proposed[trace], said) for trace, said in mine.items() if trace in proposed]
            for id, mine in here.blind.items()
        }
        rows = [row for mine in by_person.values() for row in mine]
        assisted = sum(
            event.condition == "suggestion" and event.trace_id in proposed for event in here.counted
        )
        people = [
            Pair(here.person(id), Annotator("", name), compare(mine, here.frame, here.modes))
            for id, mine in by_person.items()
            if mine
        ]
        people.sort(key=lambda pair: (pair.a.name, pair.a.id))
        # several people on one trace are no independent items: the trace (or its task) is the unit
        whole = compare(rows, here.frame, here.modes)
        found.append(SuggesterAgreement(name, len(rows), assisted, whole, tuple(people)))
    return tuple(found)


def unnamed(found: Agreement) -> Agreement:
    """The same with numbers for names, in an order that tells nothing."""
    order = sorted((person.id for person in found.annotators), key=lambda id: digest([found.round, id]))
    names = {id: f"annotator {place}" for place, id in enumerate(order, 1)}

    def hide(person: Annotator) -> Annotator:
        return Annotator("", names.get(person.id, "somebody"))

    def hidden(pairs: tuple[Pair, ...]) -> tuple[Pair, ...]:
        return tuple(replace(pair, a=hide(pair.a), b=hide(pair.b)) for pair in pairs)

    return replace(
        found,
        annotators=tuple(sorted(map(hide, found.annotators), key=lambda person: person.name)),
        pairs=hidden(found.pairs),
        failed_or_not=hidden(found.failed_or_not),
        mode_if_failed=hidden(found.mode_if_failed),
        assisted=hidden(found.assisted),
        own=hidden(found.own),
        met=hidden(found.met),
        fresh=hidden(found.fresh),
        suggesters=tuple(replace(one, people=()) for one in found.suggesters),
    )
