"""`adjudicate TRACE MODE --reason …`: settle a disagreement from a script."""

from __future__ import annotations

import click

from reviewer.cli import out
from reviewer.cli.annotating import pairs
from reviewer.cli.context import Context
from reviewer.label import Decision


@click.command("adjudicate")
@click.argument("trace", required=False)
@click.argument("mode", required=False)
@click.option("--as", "name", metavar="NAME", help="Who settles it (default: the login name).")
@click.option("--reason", metavar="TEXT", default="", help="Which rule decides it, and why.")
@click.option("--submode", metavar="ID", default="", help="The submode of the mode.")
@click.option("--facet", metavar="FACET=CHOICE", multiple=True, help="An answer to a facet.")
@click.option("--step", "step_n", type=out.NUMBER, help="The decisive step.")
@click.option("--clear", is_flag=True, help="Take one's own adjudication back.")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.option("--ledger", is_flag=True, help="Print the reasons given so far.")
@click.pass_obj
def command_adjudicate(
    context: Context,
    trace: str | None,
    mode: str | None,
    name: str | None,
    reason: str,
    submode: str,
    facet: tuple[str, ...],
    step_n: int | None,
    clear: bool,
    round: int | None,
    as_json: bool,
    ledger: bool,
) -> int:
    """Decide what TRACE is taken to be: MODE, with the reason. It becomes gold; labels stay as they are.

    Without TRACE, open the adjudication screen over everything that people differ on. --ledger prints
    the reasons given so far, grouped by the modes they decide between.
    """
    from reviewer.session import AdjudicationSession

    if ledger:
        return _print_ledger(context, round)
    if trace is None:
        return _open_screen(context, name, round)

    if not mode and not clear:
        raise click.UsageError("Missing argument 'MODE' (or --clear)")
    with context.open_store() as store:
        session = AdjudicationSession(context.desk(store, name, round))
        full_id = store.traces.resolve(trace)
        if clear:
            event = session.clear(full_id)
        else:
            decision = Decision(str(mode), submode=submode, facets=pairs(facet), step_n=step_n, reason=reason)
            event = session.adjudicate(full_id, decision)
        known = store.labels.annotators()
    if as_json:
        from reviewer.exporters import records

        out.show_json(records.label(event, known))
    else:
        out.show(
            f"saved: {full_id[:11]} {event.mode or 'cleared'}, adjudicated by {known[event.annotator].name}"
        )
    return 0


def _open_screen(context: Context, name: str | None, round: int | None) -> int:
    from reviewer.session import AdjudicationSession
    from reviewer.tui.running import run

    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)

    def session() -> AdjudicationSession:
        store = context.open_store()
        return AdjudicationSession(context.desk(store, name, round, taxonomy, origin="tui"))

    return run(session, context.open_reading, taxonomy, "AdjudicationApp")


def _print_ledger(context: Context, round: int | None) -> int:
    from reviewer.study.disagreements import cases

    with context.open_store() as store:
        number = round or store.labels.newest_round()
        settled = [case for case in cases(store, context.load_taxonomy(store), number) if case.gold.decision]
    settled.sort(key=lambda case: case.gold.decision is not None and not case.gold.decision.guideline)
    for case in settled:
        decision = case.gold.decision
        assert decision is not None
        change = "  THE GUIDELINE MUST CHANGE" if decision.guideline else ""
        out.show(f"{' or '.join(case.pair)}: {decision.mode} ({decision.confidence or '-'}){change}")
        out.show(f"    {case.info.trace_id[:11]}  {decision.reason}")
    if not settled:
        out.say("nothing was settled in this round yet")
    return 0
