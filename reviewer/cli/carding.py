"""What the card of a dataset folder says, counted: who labelled, how they agree, where traces are from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewer.cli.card_draws import sampling
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.exporters import table
from reviewer.exporters.card import Card, Part, Source
from reviewer.exporters.masking import Pseudonyms
from reviewer.label import AGAIN, FROM_SET, Annotator, LabelEvent, LabelledTrace
from reviewer.stats.estimate import Estimate, explain
from reviewer.store import Store
from reviewer.study.agreement import Agreement, Pair, agreement
from reviewer.taxonomy import Taxonomy

LABELS, EARLIER = "labels", "earlier labels, which agreement counts"
SETTLED, OTHERS = "adjudications", "other events"
NONE = "none (a note has no condition)"
KINDS = {"label": LABELS, "adjudicate": SETTLED, "note": "notes"}
HERE = "labels"  # the source that a licence of the labels made in this store is said of
ALONE = "These are the labels of one annotator: how far others agree with them is not told here."
SOURCE_HELP = "the sources here are"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for, in words where a reader of the card needs them."""

    title: str
    round: int
    chosen: str
    carry: bool  # labels of earlier codebooks are read under this one
    whole: bool  # everything of the round is in here
    split: str
    licences: Mapping[str, str]
    names: Pseudonyms | None  # None: names are shown
    masked: Mapping[str, int] | None  # None: nothing was looked for
    typed: bool
    alone: frozenset[str] = (
        frozenset()
    )  # the ids of the one person whose labels these are: nobody else is told


@dataclass(frozen=True, slots=True)
class Told:
    """What people said of the rows, by kind: exactly the rows of the labels, or what is behind the gold."""

    kinds: Mapping[str, Sequence[LabelEvent]]
    behind: bool

    @classmethod
    def of(cls, rows: Sequence[LabelledTrace], behind: Sequence[LabelledTrace]) -> Told:
        kinds: dict[str, list[LabelEvent]] = {name: [] for name in (LABELS, EARLIER, *KINDS.values(), OTHERS)}
        for row in behind or rows:
            old = () if row.history else table.earlier(row)
            for event in table.said(row):
                name = EARLIER if event in old else KINDS.get(event.kind, OTHERS)
                kinds[name].append(event)
        return cls({name: got for name, got in kinds.items() if got or name == LABELS}, bool(behind))

    @property
    def labels(self) -> list[LabelEvent]:
        """Everything that is a label, whether it stands now or not."""
        return [*self.kinds[LABELS], *self.kinds.get(EARLIER, ())]


def card(
    store: Store,
    taxonomy: Taxonomy,
    rows: Sequence[LabelledTrace],
    told: Told,
    tasks: int,
    parts: Sequence[Part],
    wanted: Wanted,
) -> Card:
    """The card of these rows; `told` is what people said of them."""
    found = agreement(store, taxonomy, wanted.round, carry=wanted.carry)
    behind = " behind the gold, not in here" * told.behind
    counts = [("traces", len(rows)), ("tasks", tasks)]
    counts += [(f"{name}{behind}", len(events)) for name, events in told.kinds.items()]
    status = Counter(row.gold.status for row in rows)
    golden = Counter(row.gold.decision.mode for row in rows if row.gold.decision)
    modes = [(mode.id, str(golden[mode.id]), mode.definition or mode.name) for mode in taxonomy.modes]
    return Card(
        title=wanted.title,
        taxonomy=taxonomy,
        parts=parts,
        typed=wanted.typed,
        chosen=wanted.chosen,
        counts=[(name, f"{count:,}") for name, count in counts],
        split=wanted.split,
        people=_people(rows, told),
        rounds=_rounds(store, taxonomy, wanted),
        agreement=_alone(found, wanted) if wanted.alone else _agreement(found, wanted.names),
        agreement_notes=[ALONE] if wanted.alone else _notes(found, wanted, told),
        kinds=tuple(told.kinds),
        exposure=_exposure(told),
        status=[(name, f"{count:,}") for name, count in sorted(status.items())],
        modes=modes,
        sources=sources(rows, told.labels, wanted.licences),
        sampling=sampling(store, wanted.round),
        masked=_masked(wanted),
    )


def sources(
    rows: Sequence[LabelledTrace], labels: Sequence[LabelEvent], licences: Mapping[str, str]
) -> list[Source]:
    """Where traces and labels are from, each with the licence that was told; InputError: one of no source."""
    traces = Counter(row.info.benchmark or row.info.format for row in rows)
    sets = Counter(map(_set, labels))
    known = {*traces, *sets}
    for name in licences:
        if name not in known:
            raise InputError(f"--licence {name}=…: {SOURCE_HELP} {', '.join(sorted(known)) or 'none'}")
    return [
        Source(name, what, count, licences.get(name, ""))
        for what, counted in (("traces", traces), ("labels", sets))
        for name, count in sorted(counted.items())
    ]


def _set(event: LabelEvent) -> str:
    """The published set that a label came with, or this store."""
    return event.origin.removeprefix(FROM_SET) if event.origin.startswith(FROM_SET) else HERE


def _people(rows: Sequence[LabelledTrace], told: Told) -> list[tuple[str, ...]]:
    """A line for everybody who labelled or settled something."""
    known: dict[str, Annotator] = {id: one for row in rows for id, one in row.annotators.items()}
    counted = {name: Counter(event.annotator for event in events) for name, events in told.kinds.items()}
    people = {id for name in (LABELS, EARLIER, SETTLED) for id in counted.get(name, ())}
    found = []
    for id in sorted(people, key=lambda id: _called(id, known)):
        mine = Counter(event.condition for event in told.kinds[LABELS] if event.annotator == id)
        counts = (counted[LABELS][id], mine["blind"], mine["suggestion"], mine["peers"])
        rest = (counted[name][id] if name in counted else 0 for name in (EARLIER, SETTLED))
        found.append((_called(id, known), *(f"{count:,}" for count in (*counts, *rest))))
    return found


def _called(id: str, known: Mapping[str, Annotator]) -> str:
    return known[id].name if id in known and known[id].name else id


def _exposure(told: Told) -> list[tuple[str, ...]]:
    """A line a condition: how many of each kind were made under it."""
    counted = [Counter(event.condition or NONE for event in events) for events in told.kinds.values()]
    conditions = ("blind", "suggestion", "peers", *([NONE] if any(one[NONE] for one in counted) else []))
    return [(name, *(f"{one[name]:,}" for one in counted)) for name in conditions]


def _rounds(store: Store, taxonomy: Taxonomy, wanted: Wanted) -> list[tuple[str, ...]]:
    heads = [event for event in store.labels.heads(taxonomy.id) if event.round <= AGAIN]
    labels = [event for event in heads if event.kind == "label"]
    labels = [event for event in labels if not wanted.alone or event.annotator in wanted.alone]
    every = Counter(event.round for event in labels)
    same = Counter(event.round for event in labels if event.taxonomy_hash == taxonomy.hash)
    return [
        (str(round), f"{every[round]:,}", f"{same[round]:,}", "yes" if round == wanted.round else "no")
        for round in sorted(every)
    ]


# -- agreement -------------------------------------------------------------------------------------------


def _agreement(found: Agreement, names: Pseudonyms | None) -> list[tuple[str, ...]]:
    group = found.all
    everybody = (("Krippendorff's alpha", group.alpha), ("Fleiss' kappa", group.fleiss), ("AC1", group.ac1))
    rows: list[tuple[str, ...]] = [("everybody", what, *_estimate(value)) for what, value in everybody]
    told = [("Cohen's kappa", found.pairs), ("kappa, failed or not", found.failed_or_not)]
    if found.met:
        told += [("kappa, traces met in an earlier round", found.met), ("kappa, the others", found.fresh)]
    for what, pairs in told:
        rows += [(_pair(pair, names), what, *_estimate(pair.found.kappa)) for pair in pairs]
    return rows + _own(found.own, names)


def _alone(found: Agreement, wanted: Wanted) -> list[tuple[str, ...]]:
    """Only how far the one person agrees with themselves: who reads it may label further."""
    return _own([pair for pair in found.own if pair.a.id in wanted.alone], wanted.names)


def _own(pairs: Sequence[Pair], names: Pseudonyms | None) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for pair in pairs:
        again = f"{_pair(pair, names).split(' × ')[0]} and the same later"
        rows.append((again, "Cohen's kappa with oneself", *_estimate(pair.found.kappa)))
    return rows


def _pair(pair: Pair, names: Pseudonyms | None) -> str:
    both = (pair.a, pair.b) if names is None else (names.person(pair.a.id), names.person(pair.b.id))
    return " × ".join(sorted(person.name or person.id for person in both))


def _estimate(value: Estimate) -> tuple[str, str, str]:
    if value.value is None:
        return f"{value.n:,}", "undefined", explain(value.undefined) if value.undefined else ""
    known = value.low is not None and value.high is not None
    interval = f"{_figure(value.low)} to {_figure(value.high)}" if known else "no interval"
    return f"{value.n:,}", _figure(value.value), interval


def _figure(value: float | None) -> str:
    """Two digits; what rounds to nothing has no sign."""
    return "" if value is None else f"{round(value, 2) + 0.0:.2f}"


def _notes(found: Agreement, wanted: Wanted, told: Told) -> list[str]:
    shared = count(found.shared, "trace", *(f"of round {found.round} {verb}" for verb in ("has", "have")))
    notes = [f"{shared} labels of two people or more."]
    if not wanted.whole:
        notes.append("It is that of the whole round, of which this dataset holds a part.")
    if not told.behind:
        notes.append("Of the labels in the files, those whose column counts is true are counted here.")
    if wanted.carry:
        notes.append("Labels of earlier codebooks count as they read under this one, by its map.")
    if found.assisted:
        seen = sum(len(pair.items) for pair in found.assisted)
        notes.append(f"Pairs of labels with one given in sight of a suggestion, left out: {seen:,}.")
    if found.other_versions:
        notes.append(
            f"Left out: {count(found.other_versions, 'label')} under another version of the codebook."
        )
    if found.conflicts:
        notes.append(f"Left out until settled: {count(found.conflicts, 'label')} in conflict.")
    return [*notes, *([found.warning] if found.warning else [])]


# -- what was taken out --------------------------------------------------------------------------------------


def _masked(wanted: Wanted) -> list[str]:
    people = "Annotators have numbers for names." if wanted.names else "Annotators are named."
    if wanted.masked is None:
        return [
            people,
            "Nothing else was masked: traces, notes and reasons may hold secrets and personal data.",
        ]
    found = ", ".join(f"{count:,} of the kind {kind}" for kind, count in sorted(wanted.masked.items()))
    return [people, f"Secrets and personal data that are known by their shape: {found or 'none was found'}."]
