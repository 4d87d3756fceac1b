"""`label`: import what is new, suggest by rules where nothing else did, open the review screen."""

from __future__ import annotations

import glob
import os
import sys

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.context import Context, now
from reviewer.cli.sitting import outside
from reviewer.errors import InputError
from reviewer.session import ReviewSession
from reviewer.store import Store
from reviewer.study.ordering import Order
from reviewer.taxonomy import Taxonomy
from reviewer.tui.running import run

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
@click.option(
    "--blind/--assisted", "blind", default=None, help="Hide the suggestion until the label is in, or not."
)
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option(
    "--order",
    type=click.Choice(["disagreement", "uncertain"]),
    help="For discovery: first what suggesters differ on, or are unsure of; every third at random.",
)
@click.pass_obj
def command_label(
    context: Context,
    paths: tuple[str, ...],
    name: str | None,
    blind: bool | None,
    round: int | None,
    order: Order | None,
) -> int:
    """Open the review screen; with PATH… import what is new there first."""
    annotator, _ = settings.identity(name)  # a bad name is told before anything is opened or imported
    with context.open_store(create=bool(paths)) as store:
        lost = _bring_in(store, paths)
        if not store.traces.any():
            out.say("the store holds no traces yet; name a folder of them: reviewer label PATH")
            return 1
        way = _way_of_working(store, blind, annotator)
        taxonomy = context.load_taxonomy(store)
        if store.suggestions.lacking("", taxonomy.hash):
            from reviewer.cli.suggesting import fill_in

            fill_in(store, taxonomy)
    if order is not None:
        out.say(
            f"ordered by {order}, every third trace at random: for finding cases. Shares and agreement over "
            "labels from such a queue are no rates; each label keeps how it was chosen"
        )
    status = _run(context, name, round, way, taxonomy, order)
    if status == 0:  # otherwise there may be no terminal left to say it on
        _tell_the_count(context, name, round, taxonomy)
    return max(status, lost)


def _tell_the_count(context: Context, name: str | None, round: int | None, taxonomy: Taxonomy) -> None:
    with context.open_store() as store:
        desk = context.desk(store, name, round, taxonomy)
        heads = store.labels.heads(taxonomy.id, desk.round)
        mine = {one.trace_id for one in heads if one.kind == "label" and one.annotator == desk.person}
        traces = len(store.traces.all())
        out.say(f"{store.path}: {len(mine)} of {traces} traces labelled by {desk.annotator.name}")


def _bring_in(store: Store, paths: tuple[str, ...]) -> int:
    if not paths:
        return 0
    for path in paths:
        if path != "-" and not (path and os.path.lexists(path)) and not glob.has_magic(path):
            raise InputError(f"{path}: no such file or folder; nothing was opened")
    from reviewer.cli.importing import tell
    from reviewer.cli.intake import import_paths
    from reviewer.cli.progress import importing, progress

    paint = progress()
    report = import_paths(store, paths, None, importing(paint))
    paint("")
    tell(report)
    return 1 if report.failed else 0


def _way_of_working(store: Store, blind: bool | None, annotator: str) -> str:
    """The option given, else what this annotator took last in this store, else the store's, else ask once."""
    own = f"work {annotator}"
    known = store.settings.get(own) or store.settings.get("work")
    if blind is None and not known:
        if not sys.stdin.isatty():
            raise InputError("say how to work in this store: --blind or --assisted")
        out.say(_QUESTION)
        known = click.prompt(
            "blind or assisted", type=click.Choice([BLIND, ASSISTED]), default=BLIND, err=True
        )
    way = known if blind is None else BLIND if blind else ASSISTED
    if not store.settings.get("work"):
        store.settings.set("work", way, now=now())
    if blind is None and store.settings.get(own) not in ("", store.settings.get("work")):
        out.say(f"you work {way} here, as the last time; --blind or --assisted changes it")
    if blind is not None and store.settings.get(own) != way:
        store.settings.set(own, way, now=now())
    return way


def _run(
    context: Context,
    name: str | None,
    round: int | None,
    way: str,
    taxonomy: Taxonomy,
    order: Order | None = None,
) -> int:
    def session() -> ReviewSession:
        desk = context.desk(context.open_store(), name, round, taxonomy, origin="tui")
        return ReviewSession(desk, blind=way == BLIND, order=order)

    return run(session, context.open_reading, taxonomy, "ReviewApp", outside(name))
