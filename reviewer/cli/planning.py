"""`plan`: how many double labels an interval of kappa takes, in words and numbers."""

from __future__ import annotations

import click

from reviewer import settings, taxonomy
from reviewer.cli import out
from reviewer.cli.context import DEFAULT_TAXONOMY, Context
from reviewer.errors import InputError
from reviewer.study import planning
from reviewer.study.known_rounds import there
from reviewer.study.planning import Plan, Shares
from reviewer.trace import Json

_LEARN = "Expected, not measured: a pilot round tells what kappa and shares are."


@click.command("plan")
@click.option("--kappa", type=float, default=planning.KAPPA, show_default=True, help="The kappa you expect.")
@click.option(
    "--width", type=float, default=planning.WIDTH, show_default=True, help="The interval: kappa ± this."
)
@click.option(
    "--shares",
    default="published",
    metavar="published|store|0.5,0.5",
    show_default=True,
    help="The shares of the modes: those of the taxonomy's source, of the labels here, or yours.",
)
@click.option(
    "--per-task", type=float, help="Traces of one task, on average (default: as in the store, else 1)."
)
@click.option(
    "--icc",
    type=float,
    default=planning.ICC,
    show_default=True,
    help="How alike traces of a task are, 0 to 1.",
)
@click.option(
    "--round", type=out.NUMBER, help="The round whose labels --shares store takes (default: the newest)."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_plan(
    context: Context,
    kappa: float,
    width: float,
    shares: str,
    per_task: float | None,
    icc: float,
    round: int | None,
    as_json: bool,
) -> int:
    """How many traces two people have to label for an interval of kappa ± WIDTH, in all and for each mode.

    Works without a store. Three people who all label the same traces need fewer; twice as narrow takes four
    times as many.
    """
    known, tasks = _shares(context, shares, round)
    found = planning.plan(known, kappa, width, per_task or tasks, icc)
    if as_json:
        out.show_json(_as_json(found))
    else:
        _tell(found)
    return 0


def _shares(context: Context, asked: str, round: int | None) -> tuple[Shares, float]:
    """The shares, and how many traces a task has in the store, where there is one."""
    if not settings.store_path(context.store).exists():
        if asked == "store":
            raise InputError("--shares store: there is no store here; name one with --store")
        one = taxonomy.load(context.taxonomy or DEFAULT_TAXONOMY)
        return planning.published(one) if asked == "published" else planning.given(asked), 1.0
    with context.open_store() as store:
        tasks = planning.tasks_of(store)
        if asked not in ("published", "store"):
            return planning.given(asked), tasks
        one = context.load_taxonomy(store)
        if asked == "store":
            return planning.observed(store, one, there(store, round)), tasks
        return planning.published(one), tasks


def _tell(found: Plan) -> None:
    low, high = found.kappa - found.width, min(1.0, found.kappa + found.width)
    out.show(
        f"{found.n:,} traces labelled blind by the same two people: if their kappa is {found.kappa:.2f}, its "
        f"95 % interval will reach from about {low:.2f} to {high:.2f}"
    )
    out.show(f"shares of the modes: {found.shares.source}")
    if found.design > 1:
        out.show(
            f"{found.per_task:.1f} traces a task, alike by {found.icc:g} (assumed): "
            f"{found.design:.2f} times as many as with one trace a task"
        )
    if found.n < planning.FEWEST:
        out.show(
            f"below {planning.FEWEST} traces the formula promises too much: take {planning.FEWEST} at least"
        )
    out.show()
    out.show("for one mode against all others, with the same kappa:")
    rows = [
        (one.mode, f"{100 * one.share:.1f} %", "-" if one.n is None else f"{one.n:,}") for one in found.modes
    ]
    out.table(rows, ("mode", "share", "traces"))
    out.show()
    out.show(_LEARN)


def _as_json(found: Plan) -> Json:
    return {
        "kappa": found.kappa,
        "half_width": found.width,
        "level": 0.95,
        "n": found.n,
        "shares": dict(found.shares.modes),
        "shares_are": found.shares.source,
        "per_task": found.per_task,
        "icc": found.icc,
        "design_effect": found.design,
        "modes": [{"mode": one.mode, "share": one.share, "n": one.n} for one in found.modes],
    }
