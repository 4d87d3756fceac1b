"""How often each mode is the reason among the failed traces whose mode is settled: over all, and by group.

Pure: works on the exporters' rows, knows no store. Every trace is counted in exactly one place: a failure
(what the shares are shares of), settled as no failure, passed, or without gold. Tasks are the unit of the
intervals, since attempts at one task are no separate evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from reviewer.label import GoldStatus, LabelledTrace
from reviewer.stats.clustered import clustered_share
from reviewer.stats.estimate import Estimate
from reviewer.taxonomy import Mode, Taxonomy
from reviewer.values import dataclass

BY: Mapping[str, Callable[[LabelledTrace], str]] = {
    "model": lambda row: row.info.model,
    "benchmark": lambda row: row.info.benchmark,
}


@dataclass(frozen=True, slots=True)
class ModeShare:
    """One failure mode in a group: `n` failures, at `tasks` tasks; the share rests on all of the group."""

    mode: Mode
    n: int
    tasks: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class Group:
    """What became of `traces` traces: all of them, or those of one model or benchmark (`value`; may be "").

    `traces` = `failures` + `not_failures` + `passed` + `without_gold` + `unknown_modes`. `failures` are
    traces with a failure mode as gold that did not pass; `unverified` of them have no known outcome.
    `passed` traces stand apart whatever was said of them; `passed_gold` counts the modes of those with
    gold, failures among them. `unknown_modes` are golds that this taxonomy has no mode for.
    """

    by: str
    value: str
    traces: int
    failures: int
    tasks: int
    unverified: int
    shares: tuple[ModeShare, ...]
    not_failures: Mapping[str, int]
    passed: int
    passed_gold: Mapping[str, int]
    without_gold: Mapping[GoldStatus, int]
    unknown_modes: Mapping[str, int]

    @property
    def largest(self) -> tuple[ModeShare, ...]:
        """The modes that occur, the most frequent first."""
        return tuple(sorted((one for one in self.shares if one.n), key=lambda one: -one.n))


@dataclass(frozen=True, slots=True)
class Report:
    """The group of all traces, and the groups of each breakdown, those with most failures first."""

    overall: Group
    groups: tuple[Group, ...]


def report(
    rows: Iterable[LabelledTrace], taxonomy: Taxonomy, by: Sequence[str] = ("model", "benchmark")
) -> Report:
    """The report over all rows of one round, broken down by each of `by` (keys of BY)."""
    rows = list(rows)
    groups = []
    for name in by:
        parts: dict[str, list[LabelledTrace]] = {}
        for row in rows:
            parts.setdefault(BY[name](row), []).append(row)
        found = [_group(part, taxonomy, name, value) for value, part in parts.items()]
        groups += sorted(found, key=lambda group: (-group.failures, -group.traces, group.value))
    return Report(_group(rows, taxonomy, "", ""), tuple(groups))


def _group(rows: Sequence[LabelledTrace], taxonomy: Taxonomy, by: str, value: str) -> Group:
    failed: list[tuple[str, tuple[str, str]]] = []
    not_failures: Counter[str] = Counter()
    passed_gold: Counter[str] = Counter()
    without: Counter[GoldStatus] = Counter()
    unknown: Counter[str] = Counter()
    unverified = 0
    for row in rows:
        mode = row.gold.decision.mode if row.gold.decision is not None else None
        if row.passed:
            passed_gold.update([] if mode is None else [mode])
        elif mode is None:
            without[row.gold.status] += 1
        elif not taxonomy.has(mode):
            unknown[mode] += 1
        elif taxonomy.mode(mode).failure:
            failed.append((mode, row.info.task_key))
            unverified += row.passed is None
        else:
            not_failures[mode] += 1
    return Group(
        by=by,
        value=value,
        traces=len(rows),
        failures=len(failed),
        tasks=len({task for _, task in failed}),
        unverified=unverified,
        shares=tuple(_share(mode, failed) for mode in taxonomy.failures),
        not_failures=not_failures,
        passed=sum(row.passed is True for row in rows),
        passed_gold=passed_gold,
        without_gold=without,
        unknown_modes=unknown,
    )


def _share(mode: Mode, failed: Sequence[tuple[str, tuple[str, str]]]) -> ModeShare:
    all_of = Counter(task for _, task in failed)
    with_it = Counter(task for said, task in failed if said == mode.id)
    share = clustered_share([(with_it[task], count) for task, count in all_of.items()])
    return ModeShare(mode, with_it.total(), len(with_it), share)
