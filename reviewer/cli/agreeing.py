"""`agreement`: how far people agree beyond chance, each number with what it rests on; a gate for scripts."""

from __future__ import annotations

from dataclasses import replace

import click

from reviewer.cli import out, told
from reviewer.cli.context import Context
from reviewer.counting import count
from reviewer.errors import InputError


@click.command("agreement")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option("--rounds", "by_round", is_flag=True, help="A line a round, and whether the rounds differ.")
@click.option(
    "--require",
    metavar="NAME=VALUE",
    multiple=True,
    help="Exit 0 only when the lower end of the interval reaches VALUE: kappa=0.6 (or ac1, alpha, step, …).",
)
@click.option("--pair", metavar="A,B", help="The two people that --require is about (default: every pair).")
@click.option(
    "--bootstrap", metavar="N", type=click.IntRange(100, 1_000_000), help="N resamples, as further intervals."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Of the resamples.")
@click.option(
    "--across-codebooks",
    "across",
    is_flag=True,
    help="Pool labels of all versions of the codebook by the id of the mode.",
)
@click.option("--details", is_flag=True, help="All figures of each pair.")
@click.option(
    "--as",
    "name",
    metavar="NAME",
    help="Who looks: only traces that NAME labelled count, and the look is recorded.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value, with all figures.")
@click.pass_obj
def command_agreement(
    context: Context,
    round: int | None,
    by_round: bool,
    require: tuple[str, ...],
    pair: str | None,
    bootstrap: int | None,
    seed: int,
    across: bool,
    details: bool,
    name: str | None,
    as_json: bool,
) -> int:
    """Agreement between annotators, with oneself, and of each suggester with people.

    Blind labels only; pairs with an assisted label are listed apart. An interval is one of 95 %; where a task
    has several traces, the task is what it rests on. With --as, only traces that NAME labelled count, no
    suggester does, and what NAME labels anew after it is not blind; without, it is the lead's view and
    nothing is recorded.
    """
    if by_round and (round or require):
        raise click.UsageError("--rounds is about all rounds; it goes without --round and --require")
    if pair and not require:
        raise click.UsageError("--pair says what --require is about; it goes with --require")
    only = None if name is None else _told(context, name, round, by_round)
    drawn = None if bootstrap is None else (bootstrap, seed)
    if by_round:
        _rounds(context, across, drawn, only, as_json)
        return 0
    from reviewer.study.agreement import agreement
    from reviewer.study.agreement_gate import requirement
    from reviewer.study.known_rounds import there

    wanted = [requirement(one) for one in require]
    names = None if pair is None else _two(pair)
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        number = there(store, round)
        those = None if only is None else only.get(number, frozenset())
        found = agreement(store, taxonomy, number, across=across, bootstrap=drawn, only=those)
    if name is not None:  # whoever may label further is not told what machines said of it
        found = replace(found, suggesters=())
    if wanted:
        from reviewer.study.agreement_gate import chosen, judge

        pairs = chosen(found, names)
        verdicts = [verdict for one in wanted for verdict in judge(found, pairs, one)]
        if as_json:
            from reviewer.cli import agreement_json

            shown = {**agreement_json.whole(found, taxonomy), "required": agreement_json.verdicts(verdicts)}
            out.show_json(shown)
        for verdict in verdicts:
            (out.say_line if as_json else out.show_line)(verdict.sentence)
        return int(any(verdict.result != "reached" for verdict in verdicts))
    if as_json:
        from reviewer.cli import agreement_json

        out.show_json(agreement_json.whole(found, taxonomy))
    else:
        from reviewer.cli.agreement_words import tell

        tell(found, details=details)
    return 0


def _told(context: Context, name: str, round: int | None, by_round: bool) -> dict[int, frozenset[str]]:
    """The traces of each round that this person labelled: of no others are they told, and it is recorded."""
    from reviewer.study.known_rounds import there

    found, left = {}, 0
    with context.open_store() as store:
        told.somebody(store, name)
        taxonomy = context.load_taxonomy(store)
        heads = store.labels.heads(taxonomy.id)
        numbers = {event.round for event in heads} if by_round else {there(store, round)}
        for number in sorted(numbers):
            desk = context.desk(store, name, number, taxonomy)
            labels = [one for one in heads if one.round == number and one.kind == "label"]
            mine = frozenset(one.trace_id for one in labels if one.annotator == desk.person)
            left += len({one.trace_id for one in labels} - mine)
            told.peers(desk, name, sorted(mine))
            found[number] = mine
    if left:
        out.say(f"left out: {count(left, 'trace')} that {name} has not labelled")
    return found


def _two(pair: str) -> list[str]:
    names = [name.strip() for name in pair.split(",")]
    if len(names) != 2 or not all(names):
        raise InputError(f"--pair {pair!r}: write two annotators with a comma between them")
    return names


def _rounds(
    context: Context,
    across: bool,
    drawn: tuple[int, int] | None,
    only: dict[int, frozenset[str]] | None,
    as_json: bool,
) -> None:
    from reviewer.study.agreement_rounds import rounds

    with context.open_store() as store:
        found = rounds(store, context.load_taxonomy(store), across=across, bootstrap=drawn, only=only)
    if as_json:
        from reviewer.cli import agreement_json

        out.show_json(agreement_json.rounds(found))
    else:
        from reviewer.cli.agreement_words import tell_rounds

        tell_rounds(found)
