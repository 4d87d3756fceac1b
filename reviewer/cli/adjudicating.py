"""`adjudicate`: settle disagreements, on the screen or from a script; list them; print the reasons given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.annotating import pairs
from reviewer.cli.context import Context
from reviewer.label import Annotator, Decision, LabelEvent
from reviewer.study.gold import marked
from reviewer.study.known_rounds import there
from reviewer.study.unlabelled import waiting

if TYPE_CHECKING:
    from reviewer.session import AdjudicationSession

LEFT_OUT = (
    "left out: what {name}, who labels in this round, has not labelled yet, whatever others said of it; "
    "--unlabelled opens that too, and what it shows {name} does not label blind any more"
)
_WITHOUT_TRACE = ("list_cases", "ledger")


@click.command("adjudicate")
@click.argument("trace", required=False)
@click.argument("mode", required=False)
@click.option("--as", "name", metavar="NAME", help="Who settles it (default: the login name).")
@click.option("--reason", metavar="TEXT", default="", help="Which rule decides it, and why.")
@click.option("--note", metavar="TEXT", default="", help="What everybody missed, where MODE is nobody's.")
@click.option("--submode", metavar="ID", default="", help="The submode of the mode.")
@click.option("--secondary", metavar="MODE", multiple=True, help="A secondary mode (at most two).")
@click.option("--facet", metavar="FACET=CHOICE", multiple=True, help="An answer to a facet.")
@click.option("--step", "step_n", type=out.NUMBER, help="The decisive step.")
@click.option("--reaffirm", is_flag=True, help="Settle TRACE as before, over the labels that stand now.")
@click.option("--clear", is_flag=True, help="Take one's own adjudication back.")
@click.option("--allow-own", is_flag=True, help="Settle also what one labelled; exports say so.")
@click.option(
    "--unlabelled",
    is_flag=True,
    help="Settle also what waits for one's own label in this round, which is not blind then.",
)
@click.option(
    "--list", "list_cases", is_flag=True, help="Print what is open, stale, settled, settled by rule."
)
@click.option("--ledger", is_flag=True, help="Print the reasons given so far.")
@click.option(
    "--toml", "as_toml", is_flag=True, help="With --ledger: as text for the codebook, to be edited."
)
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_adjudicate(
    context: Context,
    /,
    trace: str | None,
    mode: str | None,
    name: str | None,
    round: int | None,
    **given: Any,
) -> int:
    """Decide what TRACE is taken to be: MODE, with the reason. It becomes gold; labels stay as they are.

    Without TRACE, open the adjudication screen over everything that people differ on. Where independent
    blind labels agree, the trace is settled by that rule, and nobody has to. When a label on a settled trace
    changes, the adjudication is stale: it stays gold, marked, until --reaffirm or another decision.
    """
    _refuse(trace, mode, given)
    if given["ledger"]:
        from reviewer.cli.ledger import print_ledger, print_ledger_toml

        if given["as_toml"]:
            return print_ledger_toml(context, name, round)
        return print_ledger(context, name, round, as_json=given["as_json"])
    if given["list_cases"]:
        from reviewer.cli.settled import print_cases

        return print_cases(context, name, round, as_json=given["as_json"])
    if trace is None:
        return _open_screen(context, name, round, given)
    return _settle(context, trace, mode, name, round, given)


def _refuse(trace: str | None, mode: str | None, given: dict[str, Any]) -> None:
    """UsageError: options that do not go together."""
    for option in _WITHOUT_TRACE:
        if given[option] and trace:
            raise click.UsageError(f"--{option.removesuffix('_cases')} takes no TRACE")
    if given["as_toml"] and (not given["ledger"] or given["as_json"]):
        raise click.UsageError("--toml goes with --ledger, and without --json")
    for option in ("clear", "reaffirm"):
        if given[option] and mode:
            raise click.UsageError(f"--{option} takes no MODE")
        if given[option] and not trace:
            raise click.UsageError(f"--{option} needs a TRACE")
    if given["clear"] and given["reaffirm"]:
        raise click.UsageError("--clear and --reaffirm exclude each other")
    if len(given["secondary"]) > 2:
        raise click.UsageError("--secondary may be given twice at most")
    if given["secondary"] and not mode:
        raise click.UsageError("--secondary belongs to a MODE")
    if trace and not mode and not (given["clear"] or given["reaffirm"]):
        raise click.UsageError("Missing argument 'MODE' (or --clear, or --reaffirm)")


def _settle(
    context: Context, trace: str, mode: str | None, name: str | None, round: int | None, given: dict[str, Any]
) -> int:
    from reviewer.session import AdjudicationSession

    with context.open_store() as store:
        round = there(store, round)
        session = AdjudicationSession(context.desk(store, name, round), **_allowed(given))
        full_id = store.traces.resolve(trace)
        if given["clear"]:
            event = session.clear(full_id)
        elif given["reaffirm"]:
            event = session.reaffirm(full_id, reason=given["reason"], note=given["note"])
        else:
            facets = pairs(given["facet"])
            words = {key: given[key] for key in ("submode", "secondary", "step_n", "reason", "note")}
            event = session.adjudicate(full_id, Decision(str(mode), facets=facets, **words))
        known = store.labels.annotators()
        if not given["clear"]:
            _warn(session, full_id)
            _tell_step(session, event, given["step_n"])
    if given["as_json"]:
        from reviewer.exporters import records

        out.show_json(records.label(event, known))
    else:
        who = known[event.annotator].name
        out.show(f"saved: {full_id[:11]} {event.mode or 'cleared'}, adjudicated by {who}")
    return 0


def _allowed(given: dict[str, Any]) -> dict[str, bool]:
    return {option: given[option] for option in ("allow_own", "unlabelled")}


def _open_screen(context: Context, name: str | None, round: int | None, given: dict[str, Any]) -> int:
    from reviewer.cli.sitting import Talk, outside
    from reviewer.session import AdjudicationSession
    from reviewer.tui.running import run

    talk = Talk()
    with context.open_store() as store:
        round = there(store, round)
        taxonomy = context.load_taxonomy(store)
        person = Annotator(*settings.identity(name))
        if not given["unlabelled"] and waiting(store, taxonomy, person, round):
            talk.say(LEFT_OUT.format(name=person.name))

    def session() -> AdjudicationSession:
        store = context.open_store()
        desk = context.desk(store, name, round, taxonomy, origin="tui")
        return AdjudicationSession(desk, **_allowed(given))

    return run(session, context.open_reading, taxonomy, "AdjudicationApp", outside(name, talk))


def _tell_step(session: AdjudicationSession, event: LabelEvent, step_n: int | None) -> None:
    """Where no decisive step was named: the one that was taken, or those that people marked."""
    if event.step_n is not None and event.step_n != step_n:
        out.say(f"decisive step {event.step_n}")
    elif event.step_n is None:
        labels, _ = session.said(event.trace_id)
        steps = [f"{one.step_n}" for one in marked(map(session.desk.placed, labels))]
        if steps:
            out.say(
                f"note: no decisive step was saved; people marked {' and '.join(steps)} (--step N takes one)"
            )


def _warn(session: AdjudicationSession, trace_id: str) -> None:
    """What about this adjudication somebody may not have meant; it is saved all the same."""
    desk = session.desk
    heads = desk.store.labels.heads(desk.taxonomy.id, desk.round, trace_id)
    session.look_into([trace_id])  # what follows tells of others' labels
    labels = [event for event in heads if event.kind == "label"]
    _, said = session.said(trace_id)
    verdicts = {event.mode for event in heads if event.kind == "adjudicate"}
    if len(verdicts) > 1:
        words = " and ".join(sorted(verdicts))
        out.say(f"warning: adjudicated as {words}; it is not gold until one of them is taken back (--clear)")
    if len({event.mode for event in said}) < 2:
        out.say("note: nobody's labels differ on this trace")
    if any(event.annotator == desk.annotator.id for event in labels):
        out.say("note: you labelled this trace yourself; the adjudication says so")
