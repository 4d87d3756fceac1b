"""`label`: import what is new, suggest by rules where nothing else did, open the review screen."""

from __future__ import annotations

import glob
import os

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.context import Context, now
from reviewer.cli.sitting import Talk, outside
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.label import Annotator
from reviewer.session import ReviewSession
from reviewer.store import Store
from reviewer.study.ordering import Order
from reviewer.tui.running import need_terminal, run

BLIND, ASSISTED = "blind", "assisted"
_QUESTION = """How do you want to work in this store?

  blind     the suggestion stays hidden until your own label is in;
            recommended wherever agreement will be reported
  assisted  the suggestion is shown from the start; such labels are
            marked as assisted and counted apart
"""


@click.command("label")
@click.argument("paths", nargs=-1, metavar="[PATH…]")
@click.option("--as", "name", metavar="NAME", help="Who labels (default: the login name).")
@click.option("--blind", is_flag=True, help="Hide the suggestion until the label is in.")
@click.option("--assisted", is_flag=True, help="Show it from the start.")
@click.option("--round", type=out.NUMBER, help="The round (default: what waits for you, else the newest).")
@click.option(
    "--order",
    type=click.Choice(["disagreement", "uncertain"]),
    help="For discovery: first what suggesters differ on, or are unsure of; every third at random.",
)
@click.option(
    "--again",
    type=out.NUMBER,
    metavar="N",
    help="Label up to N traces of your own again, blind: for agreement with yourself.",
)
@click.option("--worklist", is_flag=True, help="Only what has to be labelled anew: `taxonomy worklist`.")
@click.option(
    "--reveal/--no-reveal", default=True, help="Blind: show the suggestion after the label, or not."
)
@click.pass_obj
def command_label(
    context: Context,
    /,
    paths: tuple[str, ...],
    name: str | None,
    round: int | None,
    order: Order | None,
    again: int | None,
    worklist: bool,
    reveal: bool,
    **ways: bool,
) -> int:
    """Open the review screen; with PATH… import what is new there first.

    What is assigned to you (`reviewer assign`) is your queue, in your order; else all traces are.
    """
    from reviewer.cli import assigned

    annotator, known_as = settings.identity(name)  # a bad name is told before anything is opened or imported
    given = "".join(way for way, wanted in ways.items() if wanted)
    _refuse(given, paths, order, again, worklist=worklist)
    if worklist:
        from reviewer.cli.revisiting import open_worklist

        with context.open_store() as store:
            way = _way_of_working(store, given, annotator)
        return open_worklist(context, name, round, blind=way == BLIND, reveal=reveal)
    with context.open_store(create=bool(paths)) as store:
        lost = _bring_in(store, paths)
        if not store.traces.any():
            out.say("the store holds no traces yet; name a folder of them: reviewer label PATH")
            return 1
        taxonomy = context.load_taxonomy(store)
        me, talk = Annotator(annotator, known_as), Talk()
        if again is not None:
            book = context.codebook(store, round or store.labels.newest_round())
            way, (round, _) = BLIND, assigned.serve_again(store, book, me, round, again)
        else:
            way = _way_of_working(store, given, annotator)
            if way == BLIND and order is not None:
                raise InputError(
                    "--order is by what suggesters say, and a place in such a queue tells it: "
                    "it goes with --assisted"
                )
            round = context.own_round(store, name, round, taxonomy)
        assigned.tell_codebook(store, round, taxonomy := context.codebook(store, round), talk.say)
        assigned.tell_before(store, taxonomy, me, round, talk.say)
        if store.suggestions.lacking("", taxonomy.hash):
            from reviewer.cli.suggesting import fill_in

            fill_in(store, taxonomy)
    if order is not None:
        out.say(
            f"ordered by {order}, every third trace at random: for finding cases. Shares and agreement over "
            "labels from such a queue are no rates; each label keeps how it was chosen"
        )

    def session() -> ReviewSession:
        desk = context.desk(context.open_store(), name, round, taxonomy, origin="tui")
        return ReviewSession(desk, blind=way == BLIND, order=order, reveal=reveal)

    status = run(session, context.open_reading, taxonomy, "ReviewApp", outside(name, talk))
    if status == 0:  # otherwise there may be no terminal left to say it on
        with context.open_store() as store:
            assigned.tell_after(store, taxonomy, me, round)
    return max(status, lost)


def _refuse(
    given: str, paths: tuple[str, ...], order: Order | None, again: int | None, *, worklist: bool
) -> None:
    """What cannot be opened is told before anything is kept: options that do not go together, a name that
    is none (it would leave an empty store behind), no terminal."""
    if given not in ("", BLIND, ASSISTED):
        raise click.UsageError("--blind and --assisted exclude each other")
    if again is not None and (given == ASSISTED or order):
        raise click.UsageError(
            "--again is blind and in a random order; --assisted and --order do not go with it"
        )
    if worklist and (again is not None or order or paths):
        raise click.UsageError("--worklist is a queue of its own: no PATH, --again or --order")
    for path in paths:
        if path != "-" and not (path and os.path.lexists(path)) and not glob.has_magic(path):
            raise InputError(f"{path or 'an empty path'}: no such file or folder; nothing was opened")
    need_terminal()


def _bring_in(store: Store, paths: tuple[str, ...]) -> int:
    """Import what is new; 1 if some of it was lost, InputError where nothing of it could be read.

    Asked first where a store holds traces already: a study drawn from a folder would grow by the rest of it.
    """
    if not paths:
        return 0
    from reviewer.cli.importing import tell
    from reviewer.cli.intake import import_paths, unknown
    from reviewer.cli.progress import importing, progress

    paint = progress()
    held = len(store.traces.all())
    new = unknown(store, paths) if held else 0
    if new:
        out.say_line(
            f"{', '.join(paths)}: {count(new, 'trace')} would be new in this store, which holds {held:,}. "
            "To keep a study as it is, say no: the screen opens without them; `import --only LIST` takes some"
        )
        if not click.confirm("bring them in?", err=True):
            return 0
    report = import_paths(store, paths, None, importing(paint))
    paint("")
    tell(report, paths)
    if not report.read and report.labels is None and store.traces.any():
        raise InputError(
            f"nothing could be read of {', '.join(paths)}: nothing was opened; `reviewer label` without "
            "PATH opens what the store holds"
        )
    return 1 if report.failed else 0


def _way_of_working(store: Store, given: str, annotator: str) -> str:
    """The way given, else the one this annotator took last in this store, else the store's, else ask."""
    own = f"work {annotator}"
    known = store.settings.get(own) or store.settings.get("work")
    if not given and not known:
        out.say(_QUESTION)
        known = click.prompt(
            "blind or assisted", BLIND, type=click.Choice([BLIND, ASSISTED]), show_choices=False, err=True
        )
    way = given or known
    if not store.settings.get("work"):
        store.settings.set("work", way, now=now())
    if not given and store.settings.get(own) not in ("", store.settings.get("work")):
        out.say(f"you work {way} here, as the last time; --blind or --assisted changes it")
    if given and store.settings.get(own) != way:
        store.settings.set(own, way, now=now())
    return way
