"""`assign`: who labels what in a round, drawn so that agreement can be told; and how far everybody is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reviewer import settings
from reviewer.cli import assigned as told
from reviewer.cli import out
from reviewer.cli.context import Context, new_id, now
from reviewer.cli.lists import listed
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.label import AGAIN, FROM_SET
from reviewer.study import rounds
from reviewer.study.assigning_round import STRATA

if TYPE_CHECKING:
    from reviewer.label import Annotator
    from reviewer.store import Store
    from reviewer.study.assigning_round import Wish
    from reviewer.taxonomy import Taxonomy

_LIST = click.Path(path_type=Path)


@click.command("assign")
@click.option("--annotators", metavar="A,B,C", help="Who labels: names, or beginnings of ids.")
@click.option(
    "--overlap",
    default="0",
    metavar="30%|COUNT",
    help="How many traces several people get, blind (default: none).",
)
@click.option(
    "--raters", type=click.Choice(["2", "all"]), default="2", show_default=True, help="How many get those."
)
@click.option("--n", type=click.IntRange(0), metavar="COUNT", help="Draw so many new traces (default: all).")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest; the next number begins one).")
@click.option("--stratify", metavar="BY,BY", help=f"Draw evenly over: {', '.join(STRATA)}.")
@click.option(
    "--rest",
    type=click.Choice(["blind", "chosen"]),
    default="chosen",
    show_default=True,
    help="The other traces: blind too, or as each one chose to work.",
)
@click.option(
    "--seed", metavar="TEXT", help="The same seed draws the same (default: a new one, which is told)."
)
@click.option("--only", "list_file", type=_LIST, metavar="LIST", help="Draw only from these ids, one a line.")
@click.option("--failed", is_flag=True, help="Draw only from traces that the benchmark counts as failed.")
@click.option("--fresh", is_flag=True, help="Draw only from traces that no other round has had.")
@click.option("--again", type=out.NUMBER, metavar="N", help="Up to N of their own traces again, for each.")
@click.option("--dry-run", is_flag=True, help="Tell what would be assigned; keep nothing.")
@click.option("--list", "listing", is_flag=True, help="Assign nothing: tell how far everybody is.")
@click.option("--as", "name", metavar="NAME", help="With --list: your own traces and nobody else's.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_assign(
    context: Context,
    /,
    listing: bool,
    annotators: str | None,
    again: int | None,
    name: str | None,
    dry_run: bool,
    as_json: bool,
    **given: object,
) -> int:
    """Assign traces to annotators: some to several of them, the others to one each.

    Traces to several people are blind, also for somebody who works with suggestions, and nothing tells which
    they are. What stands is never changed and nobody gets a trace twice in a round: a second call adds new
    traces, and with a larger --overlap gives blind ones that one person has to others as well. The chance of
    each assignment, the seed and the settings are kept.
    """
    from reviewer.cli import assigning_words as words
    from reviewer.study.assigning_people import resolve

    if name is not None and not listing:
        raise click.UsageError("--as goes with --list")
    if listing:
        return words.tell_progress(context, name, as_json)
    if not annotators:
        raise click.UsageError("say who labels: --annotators ana,ben (or --list: how far they are)")
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        names = [one for part in annotators.split(",") if (one := part.strip())]
        people = tuple(resolve(store, names, settings.identities()))
        if again is not None:
            if dry_run:
                raise click.UsageError(
                    "--again is drawn for each by themselves; --dry-run does not go with it"
                )
            round = given["round"]
            assert round is None or isinstance(round, int)
            book = context.codebook(store, round or store.labels.newest_round())
            return _again(store, book, people, round, again, as_json)
        wish = _wish(store, people, given)
        _one_codebook(store, wish.round, taxonomy)
        from reviewer.study.assigning_round import draw

        drawn = draw(store, taxonomy, wish, now(), new_id)
        if not (drawn.made or drawn.seen or drawn.left_out or drawn.draw.settings["of"]):
            raise InputError("there is no trace to draw from: nothing to assign")
        if drawn.made and not dry_run:
            drawn.keep(store)
        words.tell_draw(store, taxonomy, drawn, kept=bool(drawn.made) and not dry_run, as_json=as_json)
    return 0


def _again(
    store: Store,
    taxonomy: Taxonomy,
    people: tuple[Annotator, ...],
    round: int | None,
    number: int,
    as_json: bool,
) -> int:
    found = []
    for one in people:
        home, waiting = told.serve_again(store, taxonomy, one, round, number)
        found.append({"annotator": {"id": one.id, "name": one.name}, "round": home, "waiting": waiting})
        if not as_json:
            word = f"reviewer label --again {number} --as {one.name}"
            out.show(f"{one.name}: {count(waiting, 'trace')} to label again ({word})")
    if as_json:
        out.show_json(found)
    return 0


def _one_codebook(store: Store, round: int, taxonomy: Taxonomy) -> None:
    """InputError: the round was assigned under another codebook; a round is labelled under one."""
    mine = rounds.stamps(store).get(round, ())
    if mine and taxonomy.hash not in {stamp.hash for stamp in mine}:
        raise InputError(
            f"round {round} was assigned under {mine[-1].words}, not {rounds.Stamp.of(taxonomy).words}: "
            f"begin the next round (--round {rounds.newest(store) + 1}), or draw under the former "
            f"(reviewer --taxonomy {mine[-1].hash[:8]} assign …)"
        )


def _wish(store: Store, people: tuple[Annotator, ...], given: dict[str, object]) -> Wish:
    from reviewer.study.assigning_round import Wish

    round = given["round"]
    assert round is None or isinstance(round, int)
    stratify = tuple(part.strip() for part in str(given["stratify"] or "").split(",") if part.strip())
    for by in stratify:
        if by not in STRATA:
            raise InputError(f"--stratify {by}: there is {', '.join(STRATA)}")
    if round is not None and round > AGAIN:
        raise InputError(f"--round {round}: rounds of second labels are made by --again")
    seed = str(given["seed"] or new_id()[:8])
    if not seed.isprintable():
        raise InputError(f"--seed {seed!r:.90}: expect printable characters")
    return Wish(
        rounds.checked(store, round) or rounds.newest(store),
        people,
        n=given["n"],  # type: ignore[arg-type]  # from click, like the next ones
        overlap=_overlap(str(given["overlap"])),
        raters=given["raters"],  # type: ignore[arg-type]
        stratify=stratify,
        rest=given["rest"],  # type: ignore[arg-type]
        seed=seed,
        only=_only(store, round or rounds.newest(store), given),
    )


def _overlap(text: str) -> float:
    """`30%`, `0.3` or a whole number of traces (`1` is one trace, `100%` and `1.0` are all)."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = -1.0
    share = text.endswith("%") or "." in text
    number = number / 100 if text.endswith("%") else number
    if not 0 <= number <= (1 if share else 2**31):
        raise InputError(f"--overlap {text}: say a share such as 30% or 0.3, or a number of traces")
    return number if share or number != 1 else 1 + 1e-9


def _only(store: Store, round: int, given: dict[str, object]) -> frozenset[str] | None:
    """The ids that may be drawn; None: all."""
    chosen: set[str] | None = None
    list_file = given["list_file"]
    if isinstance(list_file, Path):
        chosen = {store.traces.resolve(one) for one in listed(list_file)}
    if given["failed"]:
        from reviewer.study.rows import verdict

        graded = store.outcomes.all()
        lost = {trace for trace, outcomes in graded.items() if verdict(outcomes)[0] is False}
        chosen = lost if chosen is None else chosen & lost
    if given["fresh"]:
        had = {one.trace_id for one in store.assignments.all() if one.round != round}
        heads = [one for one in store.labels.heads() if not one.origin.startswith(FROM_SET)]
        # a note too: open coding quotes it in the codebook that is read beside the trace
        had |= {one.trace_id for one in heads if one.kind in ("label", "note") and one.round != round}
        every = {info.trace_id for info in store.traces.all()} if chosen is None else chosen
        chosen = every - had
    return None if chosen is None else frozenset(chosen)
