"""Which rows an export holds, and what is done to each on its way: history, gold, splits, masks, names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Generic, TypeVar

from reviewer.cli.filtering import Filters
from reviewer.counting import count
from reviewer.exporters.masking import Masker, Pseudonyms, of_sets
from reviewer.label import LabelledTrace
from reviewer.store import Store
from reviewer.study import selecting, splitting
from reviewer.study.known_rounds import there
from reviewer.study.rows import labelled_traces
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Trace

T = TypeVar("T")


class Counted(Iterable[T], Generic[T]):
    """Counts what is taken out of it."""

    def __init__(self, rows: Iterable[T]) -> None:
        self.rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[T]:
        for row in self.rows:
            self.count += 1
            yield row


@dataclass(frozen=True, slots=True)
class Asked:
    """What an export was asked for."""

    rows: str = "labels"  # or gold, or history
    one_each: bool = False  # one person's label in the place of gold
    settled: bool = False  # only traces with a decision
    round: int | None = None
    filters: Filters = field(default_factory=Filters)
    annotator: str | None = None
    children: bool = False
    carry: bool = False  # labels of earlier codebooks, read under this one
    split: str = ""
    seed: int = 0
    redact: bool = False
    unnamed: bool = False
    short_paths: bool = False

    def words(self, round: int) -> str:
        """The same in words."""
        rows = {"gold": "settled traces with their gold", "history": "traces with the whole history"}
        told = [f"{rows.get(self.rows, 'traces with their current labels')} of round {round}"]
        chosen = ("benchmark", "model", "mode", "status", "unlabelled", "flagged", "failed")
        for name in chosen:
            value = getattr(self.filters, name)
            if value:
                told.append(name if value is True else f"{name} {value}")
        told += ["of one annotator"] if self.annotator else []
        told += ["sub-agent runs too"] if self.children else []
        told += ["labels of earlier codebooks carried"] if self.carry else []
        return ", ".join(told)

    @property
    def whole(self) -> bool:
        """Whether nothing of the round is left out."""
        return self.filters == Filters() and self.annotator is None and self.rows != "gold"


class Chosen:
    """The rows that were asked for, as a stream, and the traces that go with them."""

    def __init__(self, store: Store, taxonomy: Taxonomy, asked: Asked) -> None:
        self.asked = asked
        self.round = there(store, asked.round)
        self.people = selecting.people_called(store, asked.annotator) if asked.annotator else frozenset()
        if asked.filters.mode is not None:  # said before a line is out
            taxonomy.mode(asked.filters.mode)
        self.masker = Masker() if asked.redact else None
        self.names: Pseudonyms | None = None
        self.behind: list[LabelledTrace] = []
        self.by_split: dict[str, Counter[str]] = {}
        self.splits = splitting.parsed(asked.split, asked.seed) if asked.split else None
        self._store = store
        self._keys: Mapping[str, str] = {}
        self.rows: Counted[LabelledTrace] = Counted(self._all(taxonomy))

    def with_trace(self, id: str) -> Trace:
        """A trace with its steps, masked where that was asked for."""
        trace = self._store.traces.trace(id)
        return trace if self.masker is None else self.masker.trace(trace)

    def told(self) -> list[str]:
        """What is worth a line once all rows are out."""
        lines = []
        if self.splits is not None:
            lines.append(f"split by task, seed {self.asked.seed}: {self.split_words()}")
        if self.masker is not None:
            masked = sorted(self.masker.masked.items())
            lines.append(f"masked: {', '.join(f'{n} {kind}' for kind, n in masked) or 'nothing was found'}")
        return lines

    def split_words(self) -> str:
        """How many traces of how many tasks each split got."""
        counted = [(name, self.by_split.get(name, Counter())) for name in (self.splits or _NONE).names]
        return ", ".join(
            f"{name} {count(sum(keys.values()), 'trace')} of {count(len(keys), 'task')}"
            for name, keys in counted
        )

    def task(self, id: str) -> str:
        """What attempts at one task share."""
        if not self._keys:
            self._keys = splitting.keys(self._store.traces.all(children=True))
        return self._keys[id]

    def _all(self, taxonomy: Taxonomy) -> Iterator[LabelledTrace]:
        store, asked = self._store, self.asked
        people = self.people
        rows: Iterator[LabelledTrace] = labelled_traces(
            store, taxonomy, self.round, children=asked.children, carry=asked.carry
        )
        rows = (row for row in rows if asked.filters.match(row, _mode(row, people), bool(row.labels), people))
        if asked.rows == "history":
            rows = selecting.with_history(rows, store)
        if people:
            rows = selecting.said_by(rows, people)
        if asked.one_each:
            rows = selecting.as_gold(rows)
        elif asked.rows == "gold":
            rows = selecting.gold_only(self._behind(rows))
        if asked.settled:
            rows = (row for row in rows if row.gold.decision is not None)
        if asked.unnamed:
            self.names = Pseudonyms(store.labels.annotators(), of_sets(store.labels.events()))
        for row in rows:
            yield self._dressed(row)

    def _behind(self, rows: Iterator[LabelledTrace]) -> Iterator[LabelledTrace]:
        """The same rows, remembering the labels behind their gold, which do not go out themselves."""
        for row in rows:
            if row.gold.decision is not None:
                self.behind.append(row)
            yield row

    def behind_gold(self) -> list[LabelledTrace]:
        """The rows whose gold alone goes out, with all that was said of them, under the names that go out."""
        return list(map(self.names.row, self.behind)) if self.names else self.behind

    def _dressed(self, row: LabelledTrace) -> LabelledTrace:
        if self.splits is not None:
            key = self.task(row.info.trace_id)
            row = replace(row, split=self.splits.of(key))
            self.by_split.setdefault(row.split, Counter())[key] += 1
        if self.asked.short_paths:
            row = replace(row, info=replace(row.info, source_path=PurePath(row.info.source_path).name))
        if self.names is not None:
            row = self.names.row(row)
        return row if self.masker is None else self.masker.row(row)


_NONE = splitting.Splits(())


def select(store: Store, taxonomy: Taxonomy, asked: Asked) -> Chosen:
    """The rows that an export was asked for."""
    return Chosen(store, taxonomy, asked)


def _mode(row: LabelledTrace, people: frozenset[str]) -> str | None:
    """The mode that `--mode` asks about: the gold one, or that of the annotator who was named."""
    if not people:
        return row.gold.decision.mode if row.gold.decision else None
    mine = [event.mode for event in row.labels if event.kind == "label" and event.annotator in people]
    return mine[0] if mine else None
