"""`report`: what broke and how often, each share with what it rests on, beside what was published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import click

from reviewer.cli import out
from reviewer.cli.codebook_diff import either
from reviewer.cli.context import Context
from reviewer.counting import count
from reviewer.crosswalk import Crosswalk, crosswalk
from reviewer.label import GoldStatus
from reviewer.report.quoted import Quotes, quoted
from reviewer.report.shares import BY, Group, ModeShare, Report, report
from reviewer.stats.estimate import explain
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json

LARGEST = 3  # for so many modes is told what was published against them
NO_INTERVAL = "few_tasks"
NOT_KNOWN = "(not known)"
REMARK = "fewer than 5 tasks: no interval"


@click.command("report")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option("--by", type=click.Choice(list(BY)), help="Only this breakdown (default: both).")
@click.option("--carry", is_flag=True, help="Read labels of earlier codebooks under this one, by its map.")
@click.option("--crosswalk", "into", metavar="ID|FILE", help="Tell it in the modes of another taxonomy.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_report(
    context: Context, round: int | None, by: str | None, carry: bool, into: str | None, as_json: bool
) -> int:
    """Print the share of each failure mode, over all traces, by model and by benchmark.

    Shares are of the traces whose mode is gold (adjudicated, or two blind labels that agree), a failure,
    and did not pass; everything else is counted apart. Intervals are of 95 %, with the task as the unit.
    With --crosswalk a mode that the other taxonomy has no single mode for keeps its name, apart. Last, for
    each benchmark, how much of passing and failing goes with the task, the model and the run.
    """
    from reviewer.cli import report_spread
    from reviewer.cli.working import flips_line, flips_record
    from reviewer.report.crossed import crossed
    from reviewer.report.spread import spreads
    from reviewer.study.known_rounds import there
    from reviewer.study.ordering import warning
    from reviewer.study.reveals import flips_of
    from reviewer.study.rows import labelled_traces

    walk: Crosswalk | None = None
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        number = there(store, round)
        rows = list(labelled_traces(store, taxonomy, number, carry=carry))
        flips = flips_of(store, taxonomy, number)
        if into is not None:
            walk = crosswalk(taxonomy.id, (other := either(context, into)).id)
            rows, taxonomy = crossed(rows, walk), other
        found = report(rows, taxonomy, [by] if by else list(BY))
        parts = spreads(rows)
        no_rates = warning(event for row in rows for event in row.labels)
    quotes = quoted(taxonomy.id)
    if as_json:
        told: dict[str, Json] = {
            "warning": no_rates or None,
            "carried": carry,
            "crosswalk": walk.source if walk else None,
        }
        told["revealed"] = flips_record(flips)
        told["spread"] = report_spread.record(parts.found)
        told["spread_left_out"] = report_spread.left_out(parts)
        out.show_json({**_as_json(found, taxonomy, number, quotes), **told})
    else:
        if no_rates:
            out.show(no_rates)
        if walk is not None:
            out.show(f"read by a crosswalk from {walk.start}: {walk.source}")
        if carry:
            out.show("labels of earlier codebooks are read under this one where its map leaves no doubt")
        _print(found, taxonomy, number, quotes)
        report_spread.tell(parts)
        if flips.n or flips.peers:
            out.show(f"\n{flips_line(flips)}")
    return 0


def _print(found: Report, taxonomy: Taxonomy, number: int, quotes: Quotes) -> None:
    whole = found.overall
    out.show(f"{taxonomy.id} {taxonomy.version}, round {number}")
    if not whole.traces:
        out.show("the store holds no traces; `reviewer import PATH` brings traces in")
        return
    out.show(f"{count(whole.traces, 'trace')}: {', '.join(_places(whole))}")
    if whole.passed_gold:
        out.show(f"of the passed ones are settled as: {_counts(whole.passed_gold)}")
    if whole.failures:
        out.show(f"\nshares of the {count(whole.failures, 'settled failure')}")
        rows = [_row(one) for one in sorted(whole.shares, key=lambda one: -one.n)]
        out.table(rows, ("mode", "n", "tasks", "share", "95 %", "published", "note"))
        if any(mode.share is not None for mode in taxonomy.failures):
            out.show(f"published: {taxonomy.source}: other agents on other tasks, no target for yours")
    else:
        out.show("no failure is settled yet, so there are no shares: label, `agreement`, `adjudicate`")
    for by in dict.fromkeys(group.by for group in found.groups):
        _print_groups(by, [group for group in found.groups if group.by == by])
    _print_quotes(whole, quotes)


def _print_groups(by: str, groups: Sequence[Group]) -> None:
    """One breakdown: where the traces of each group are counted, and the modes that occur in it."""
    out.show(f"\nby {by}")
    rows = [
        (
            *(group.value or NOT_KNOWN, str(group.traces), str(group.failures), str(group.tasks)),
            *(str(group.passed), str(sum(group.not_failures.values()) + sum(group.unknown_modes.values()))),
            str(sum(group.without_gold.values())),
        )
        for group in groups
    ]
    out.table(rows, (by, "traces", "failures", "of tasks", "passed", "no failure or apart", "without gold"))
    shares = [(group.value or NOT_KNOWN, *_row(one)) for group in groups for one in group.largest]
    if shares:
        out.show(f"\nmodes by {by}, where there is a failure of that mode")
        out.table(shares, (by, "mode", "n", "tasks", "share", "95 %", "published", "note"))


def _places(group: Group) -> Iterator[str]:
    """Where each trace is counted."""
    unverified = f"; of {group.unverified} the outcome is unknown" if group.unverified else ""
    yield f"{count(group.failures, 'settled failure')} at {count(group.tasks, 'task')}{unverified}"
    yield f"{group.passed} passed"
    yield from (f"{n} {mode}" for mode, n in group.not_failures.items())
    yield from (f"{n} {mode} (not in this taxonomy)" for mode, n in group.unknown_modes.items())
    if group.without_gold:
        yield f"{sum(group.without_gold.values())} without gold ({_counts(group.without_gold)})"


def _counts(counts: Mapping[str, int] | Mapping[GoldStatus, int]) -> str:
    words = {"none": "unlabelled"}
    return ", ".join(f"{n} {words.get(name, name)}" for name, n in sorted(counts.items()))


def _row(one: ModeShare) -> tuple[str, ...]:
    share = one.share
    between = (
        "-" if share.low is None or share.high is None else f"{_percent(share.low)} to {_percent(share.high)}"
    )
    note = REMARK if NO_INTERVAL in share.remarks else ""
    return (
        one.mode.id,
        str(one.n),
        str(one.tasks),
        _percent(share.value),
        between,
        _percent(one.mode.share),
        note,
    )


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def _print_quotes(overall: Group, quotes: Quotes) -> None:
    """What was published against the largest modes."""
    modes = [one.mode.id for one in overall.largest[:LARGEST]]
    if not modes or not quotes.quotes:
        return
    out.show(f"\npublished against the largest modes ({quotes.source}; {quotes.remark})")
    for mode in modes:
        for quote in quotes.of(mode):
            effects = quote.side_effects or "not known here"
            out.show(f"  {mode}: {quote.measure}: {quote.effect} ({quote.place}; side effects: {effects})")
    if lacking := quotes.lacking(modes):
        out.show(f"  {', '.join(lacking)}: nothing to quote; {quotes.missing}")


def _as_json(found: Report, taxonomy: Taxonomy, number: int, quotes: Quotes) -> dict[str, Json]:
    modes = [one.mode.id for one in found.overall.largest[:LARGEST]]
    return {
        "taxonomy": {"id": taxonomy.id, "version": taxonomy.version, "hash": taxonomy.hash},
        "round": number,
        "published": taxonomy.source or None,
        "all": _group(found.overall),
        **{
            f"by_{name}": [
                {name: group.value or None, **_group(group)} for group in found.groups if group.by == name
            ]
            for name in dict.fromkeys(group.by for group in found.groups)
        },
        "mitigations": {
            "source": quotes.source or None,
            "remark": quotes.remark or None,
            "missing": quotes.missing or None,
            "modes": [
                {
                    "mode": mode,
                    "quotes": [
                        {
                            "measure": quote.measure,
                            "effect": quote.effect,
                            "side_effects": quote.side_effects or None,
                            "place": quote.place,
                        }
                        for quote in quotes.of(mode)
                    ],
                }
                for mode in modes
            ],
        },
    }


def _group(group: Group) -> dict[str, Json]:
    return {
        "traces": group.traces,
        "failures": group.failures,
        "tasks": group.tasks,
        "outcome_unknown": group.unverified,
        "modes": [_mode(one) for one in group.shares],
        "not_failures": dict(group.not_failures),
        "passed": {"traces": group.passed, "gold": dict(group.passed_gold)},
        "without_gold": dict(group.without_gold),
        "unknown_modes": dict(group.unknown_modes),
    }


def _mode(one: ModeShare) -> Json:
    share = one.share
    return {
        "mode": one.mode.id,
        "n": one.n,
        "of": share.n,
        "tasks": one.tasks,
        "share": share.value,
        "low": share.low,
        "high": share.high,
        "interval": share.interval or None,
        "undefined": share.undefined or None,
        "remarks": [explain(remark) for remark in share.remarks],
        "published": one.mode.share,
    }
