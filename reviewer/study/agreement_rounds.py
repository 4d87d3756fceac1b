"""Agreement round by round, and whether the rounds could be one: what a pilot is for.

A line is a round under one version of the codebook. Rounds are put to a test of homogeneity only where that
makes sense: the same version of the codebook (or `across` asked for), no trace in two of the rounds (the
kappas must be independent), and the same kind of kappa.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from reviewer.stats.compare import Homogeneity, homogeneity
from reviewer.stats.estimate import Estimate
from reviewer.store import Store
from reviewer.study.again import is_again
from reviewer.study.agreement import Agreement, agreement
from reviewer.study.current import current
from reviewer.study.round_labels import among
from reviewer.taxonomy import Taxonomy
from reviewer.values import dataclass


@dataclass(frozen=True, slots=True)
class RoundLine:
    """One round under one version. `kappa` is Cohen's where two people share traces, else Fleiss'.

    Where versions were asked to be pooled and several are in the round, `version` names all, `hash` is empty.
    """

    round: int
    version: str
    hash: str
    what: str
    kappa: Estimate
    found: Agreement
    traces: frozenset[str]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The lines, and the test over them or the reason why there is none."""

    lines: tuple[RoundLine, ...]
    test: Homogeneity | None
    why_not: str = ""


def rounds(
    store: Store,
    taxonomy: Taxonomy,
    *,
    across: bool = False,
    bootstrap: tuple[int, int] | None = None,
    only: Mapping[int, Collection[str]] | None = None,
) -> Rounds:
    """Every round with labels under any version of `taxonomy`, the oldest first; `only` on traces of each."""
    heads = [event for event in store.labels.heads(taxonomy.id) if event.kind == "label"]
    used = sorted({event.round for event in heads if not is_again(event.round)})
    versions = {event.round: dict[str, None]() for event in heads}
    for event in heads:
        versions[event.round][event.taxonomy_hash] = None
    lines = []
    for round in used:
        for hash in [taxonomy.hash] if across else versions[round]:
            book = _version(store, taxonomy, hash)
            those = None if only is None else only.get(round, ())
            found = agreement(store, book, round, across=across, bootstrap=bootstrap, only=those)
            blind = among(current(store, book, round, across=across), those).blind
            line = _line(round, book, found, Counter(event.trace_id for event in blind))
            lines.append(_named(store, taxonomy, line, list(versions[round])) if across else line)
    return _tested(lines, taxonomy, across)


def _named(store: Store, taxonomy: Taxonomy, line: RoundLine, hashes: Sequence[str]) -> RoundLine:
    """The line with the versions that its labels were made under, not the one that they are read under."""
    books = [_version(store, taxonomy, hash) for hash in hashes]
    if len(books) == 1:
        return replace(line, version=books[0].version, hash=books[0].hash)
    return replace(line, version=" + ".join(book.version for book in books), hash="")


def _version(store: Store, taxonomy: Taxonomy, hash: str) -> Taxonomy:
    """The version with this hash; where its text was never kept here, ours with that hash on it."""
    if hash == taxonomy.hash:
        return taxonomy
    kept = store.settings.taxonomy(hash)
    if kept is not None and kept.hash == hash:
        return kept
    return replace(taxonomy, hash=hash, version="unknown")


def _line(round: int, book: Taxonomy, found: Agreement, raters: Counter[str]) -> RoundLine:
    single = len(found.pairs) == 1
    return RoundLine(
        round,
        book.version,
        book.hash,
        "Cohen's kappa" if single else "Fleiss' kappa",
        found.pairs[0].found.kappa if single else found.all.fleiss,
        found,
        frozenset(trace for trace, count in raters.items() if count > 1),
    )


def _tested(lines: Sequence[RoundLine], taxonomy: Taxonomy, across: bool) -> Rounds:
    mine = [line for line in lines if (across or line.hash == taxonomy.hash) and line.traces]
    if len(mine) < 2:
        others = len({line.hash for line in lines if line.traces}) > 1
        why = "fewer than two rounds with traces in common under this version of the codebook"
        ask = "; kappas across versions are compared with --across-codebooks only"
        return Rounds(tuple(lines), None, why + (ask if others and not across else ""))
    if any(count > 1 for count in Counter(trace for line in mine for trace in line.traces).values()):
        return Rounds(
            tuple(lines), None, "some traces are in two rounds, so their kappas are not independent"
        )
    if len({line.what for line in mine}) > 1:
        return Rounds(tuple(lines), None, "two people in one round and more in another: not the same kappa")
    return Rounds(tuple(lines), homogeneity([line.kappa for line in mine]))
