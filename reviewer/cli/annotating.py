"""`annotate`: the same label as on the screen, without a screen."""

from __future__ import annotations

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.assigned import tell_codebook
from reviewer.cli.context import Context
from reviewer.cli.told import newcomer
from reviewer.errors import InputError
from reviewer.label import Annotator, Decision


def pairs(values: tuple[str, ...]) -> dict[str, str]:
    """`facet=choice` options as a mapping."""
    found = {}
    for value in values:
        key, sign, choice = value.partition("=")
        if not sign:
            raise InputError(f"--facet {value!r}: write FACET=CHOICE")
        found[key] = choice
    return found


@click.command("annotate")
@click.argument("trace")
@click.argument("mode", required=False)
@click.option("--as", "name", metavar="NAME", help="Who labels (default: the login name).")
@click.option("--submode", metavar="ID", default="", help="The submode of the mode.")
@click.option("--secondary", metavar="MODE", multiple=True, help="A secondary mode (at most two).")
@click.option(
    "--facet", metavar="FACET=CHOICE", multiple=True, help="An answer to a facet, such as claim=false."
)
@click.option(
    "--step", "step_n", type=out.NUMBER, help="The decisive step (of a note alone: what it is about)."
)
@click.option("--note", metavar="TEXT", default="", help="A note; without MODE it is kept as a note alone.")
@click.option("--clear", is_flag=True, help="Take the label back.")
@click.option("--round", type=out.NUMBER, help="The round (default: what waits for NAME, else the newest).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_annotate(
    context: Context,
    trace: str,
    mode: str | None,
    name: str | None,
    submode: str,
    secondary: tuple[str, ...],
    facet: tuple[str, ...],
    step_n: int | None,
    note: str,
    clear: bool,
    round: int | None,
    as_json: bool,
) -> int:
    """Give TRACE (its id, or a unique beginning of it) the label MODE.

    What the annotator was shown of the trace before (a suggestion, others' labels) is looked up and
    written into the label, as on the screen.
    """
    from reviewer.session import ReviewSession

    if clear and mode:
        raise click.UsageError("--clear takes a label back; it goes without MODE")
    if not (clear or mode or note):
        raise click.UsageError("Missing argument 'MODE' (or --note, or --clear)")
    if not mode and (submode or secondary or facet):
        raise click.UsageError("--submode, --secondary and --facet belong to a label: name the MODE")
    if len(secondary) > 2:
        raise click.UsageError("--secondary may be given twice at most")
    with context.open_store() as store:
        number = context.own_round(store, name, round, context.load_taxonomy(store))
        book = context.codebook(store, number)
        tell_codebook(store, number, book)
        new = newcomer(store, Annotator(*settings.identity(name)))
        session = ReviewSession(context.desk(store, name, number, book), blind=True, whole=True)
        place = session.find(store.traces.resolve(trace))
        if clear:
            event = session.clear(place)
        elif mode:
            details = {"submode": submode, "secondary": secondary, "facets": pairs(facet)}
            event = session.label(place, Decision(mode, step_n=step_n, note=note, **details))  # type: ignore[arg-type]  # from click
        else:
            kept = session.note(place, note, step_n)
            if kept is None:
                out.say("this note is there already")
                return 0
            event = kept
        known = store.labels.annotators()
    if new:
        out.say_line(new)
    if as_json:
        from reviewer.exporters import records

        out.show_json(records.label(event, known))
    else:
        what = event.mode or ("cleared" if clear else "note")
        by = f"{known[event.annotator].name} ({event.condition or 'note'})"
        out.show(f"saved: {event.trace_id[:11]} {what} by {by}")
    return 0
