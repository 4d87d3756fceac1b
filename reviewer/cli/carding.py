"""What the card of a dataset folder says, counted: who labelled, how they agree, where traces are from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reviewer.errors import InputError
from reviewer.exporters.card import Card, Part, Source
from reviewer.exporters.masking import Pseudonyms
from reviewer.label import AGAIN, FROM_SET, Annotator, LabelEvent, LabelledTrace
from reviewer.stats.estimate import Estimate, explain
from reviewer.store import Store
from reviewer.study.agreement import Agreement, Pair, agreement
from reviewer.taxonomy import Taxonomy

HERE = "labels"  # the source that a licence of the labels made in this store is said of
SOURCE_HELP = "the sources here are"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for, in words where a reader of the card needs them."""

    title: str
    round: int
    chosen: str
    whole: bool  # everything of the round is in here
    split: str
    licences: Mapping[str, str]
    names: Pseudonyms | None  # None: names are shown
    masked: Mapping[str, int] | None  # None: nothing was looked for
    typed: bool


def card(
    store: Store,
    taxonomy: Taxonomy,
    rows: Sequence[LabelledTrace],
    labels: Sequence[LabelEvent],
    tasks: int,
    parts: Sequence[Part],
    wanted: Wanted,
) -> Card:
    """The card of these rows; `labels` are theirs, or those that their gold rests on."""
    found = agreement(store, taxonomy, wanted.round)
    told = "labels" if any(row.labels for row in rows) else "labels behind the gold, not in here"
    counts = (("traces", len(rows)), ("tasks", tasks), (told, len(labels)))
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
        people=_people(rows, labels),
        rounds=_rounds(store, taxonomy, wanted.round),
        agreement=_agreement(found, wanted.names),
        agreement_notes=_notes(found, wanted),
        exposure=[(name, f"{count:,}") for name, count in _conditions(labels).items()],
        status=[(name, f"{count:,}") for name, count in sorted(status.items())],
        modes=modes,
        sources=sources(rows, labels, wanted.licences),
        sampling=_sampling(store, wanted.round),
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


def _people(rows: Sequence[LabelledTrace], labels: Sequence[LabelEvent]) -> list[tuple[str, ...]]:
    known: dict[str, Annotator] = {id: one for row in rows for id, one in row.annotators.items()}
    found = []
    for id in sorted({event.annotator for event in labels}, key=lambda id: _called(id, known)):
        mine = _conditions([event for event in labels if event.annotator == id])
        counts = (sum(mine.values()), mine["blind"], mine["suggestion"], mine["peers"])
        found.append((_called(id, known), *(f"{count:,}" for count in counts)))
    return found


def _called(id: str, known: Mapping[str, Annotator]) -> str:
    return known[id].name if id in known and known[id].name else id


def _conditions(labels: Sequence[LabelEvent]) -> Counter[str]:
    found = Counter({"blind": 0, "suggestion": 0, "peers": 0})
    found.update(event.condition or "" for event in labels)
    return found


def _rounds(store: Store, taxonomy: Taxonomy, here: int) -> list[tuple[str, ...]]:
    heads = [event for event in store.labels.heads(taxonomy.id) if event.round <= AGAIN]
    labels = [event for event in heads if event.kind == "label"]
    every = Counter(event.round for event in labels)
    same = Counter(event.round for event in labels if event.taxonomy_hash == taxonomy.hash)
    return [
        (str(round), f"{every[round]:,}", f"{same[round]:,}", "yes" if round == here else "no")
        for round in sorted(every)
    ]


# -- agreement -------------------------------------------------------------------------------------------


def _agreement(found: Agreement, names: Pseudonyms | None) -> list[tuple[str, ...]]:
    group = found.all
    everybody = (("Krippendorff's alpha", group.alpha), ("Fleiss' kappa", group.fleiss), ("AC1", group.ac1))
    rows: list[tuple[str, ...]] = [("everybody", what, *_estimate(value)) for what, value in everybody]
    for what, pairs in (("Cohen's kappa", found.pairs), ("kappa, failed or not", found.failed_or_not)):
        rows += [(_pair(pair, names), what, *_estimate(pair.found.kappa)) for pair in pairs]
    return rows


def _pair(pair: Pair, names: Pseudonyms | None) -> str:
    both = (pair.a, pair.b) if names is None else (names.person(pair.a.id), names.person(pair.b.id))
    return " × ".join(sorted(person.name or person.id for person in both))


def _estimate(value: Estimate) -> tuple[str, str, str]:
    if value.value is None:
        return f"{value.n:,}", "undefined", explain(value.undefined) if value.undefined else ""
    known = value.low is not None and value.high is not None
    interval = f"{value.low:.2f} to {value.high:.2f}" if known else "no interval"
    return f"{value.n:,}", f"{value.value:.2f}", interval


def _notes(found: Agreement, wanted: Wanted) -> list[str]:
    notes = [f"{found.shared:,} traces of round {found.round} have labels of two people or more."]
    if not wanted.whole:
        notes.append("It is that of the whole round, of which this dataset holds a part.")
    if found.assisted:
        notes.append(f"{len(found.assisted)} pairs with labels given in sight of a suggestion are left out.")
    if found.other_versions:
        notes.append(f"{found.other_versions:,} labels under another version of the codebook are left out.")
    if found.conflicts:
        notes.append(f"{found.conflicts:,} labels in conflict are left out until they are settled.")
    return [*notes, *([found.warning] if found.warning else [])]


# -- where from, and what was taken out ------------------------------------------------------------------


def _sampling(store: Store, round: int) -> list[str]:
    draws = [draw for draw in store.assignments.draws() if draw.round == round]
    if not draws:
        return ["Nothing was assigned in this round: who labelled what was not drawn by chance."]
    lines = []
    for draw in draws:
        mine = [one for one in store.assignments.all(round) if one.draw == draw.id]
        chances = sorted({one.probability for one in mine})
        told = ", ".join(f"{key} {value}" for key, value in sorted(draw.settings.items()) if _short(value))
        chance = f"with a chance of {chances[0]:.3g} to {chances[-1]:.3g} each" if chances else "none of them"
        people, traces = len({one.annotator for one in mine}), len({one.trace_id for one in mine})
        lines.append(f"{draw.at[:10]}: {traces:,} traces drawn for {people} people, {chance} ({told}).")
    return lines


def _short(value: object) -> bool:
    return isinstance(value, int | float | bool) or value is None


def _masked(wanted: Wanted) -> list[str]:
    people = "Annotators have numbers for names." if wanted.names else "Annotators are named."
    if wanted.masked is None:
        return [
            people,
            "Nothing else was masked: traces, notes and reasons may hold secrets and personal data.",
        ]
    found = ", ".join(f"{count:,} of the kind {kind}" for kind, count in sorted(wanted.masked.items()))
    return [people, f"Secrets and personal data that are known by their shape: {found or 'none was found'}."]
