"""`adjudicate TRACE MODE --reason …`: settle a disagreement from a script."""

from __future__ import annotations

import click

from reviewer.cli import out
from reviewer.cli.annotating import pairs
from reviewer.cli.context import Context
from reviewer.label import Decision


@click.command("adjudicate")
@click.argument("trace")
@click.argument("mode", required=False)
@click.option("--as", "name", metavar="NAME", help="Who settles it (default: the login name).")
@click.option("--reason", metavar="TEXT", default="", help="Which rule decides it, and why.")
@click.option("--submode", metavar="ID", default="", help="The submode of the mode.")
@click.option("--facet", metavar="FACET=CHOICE", multiple=True, help="An answer to a facet.")
@click.option("--step", "step_n", type=out.NUMBER, help="The decisive step.")
@click.option("--clear", is_flag=True, help="Take one's own adjudication back.")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_adjudicate(
    context: Context,
    trace: str,
    mode: str | None,
    name: str | None,
    reason: str,
    submode: str,
    facet: tuple[str, ...],
    step_n: int | None,
    clear: bool,
    round: int | None,
    as_json: bool,
) -> int:
    """Decide what TRACE is taken to be: MODE, with the reason. It becomes gold; labels stay as they are."""
    from reviewer.session import AdjudicationSession

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
