"""`suggest`: let a machine propose a mode for the traces that lack a suggestion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import click

from reviewer.cli import out
from reviewer.cli.context import Context
from reviewer.cli.payloads import show_readably
from reviewer.cli.suggest_options import claude_options, given, named
from reviewer.cli.suggest_run import Tally, in_words, read, suggest
from reviewer.cli.teaching import claimed, limited, taught, unasked, unknown
from reviewer.counting import count
from reviewer.errors import InputError, SuggesterStopped
from reviewer.store import Store
from reviewer.store.alone import alone
from reviewer.suggest import suggester
from reviewer.suggest.base import Suggester
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, digest

if TYPE_CHECKING:
    from reviewer.suggest.claude.suggester import Claude


@click.command("suggest")
@click.option("--with", "which", metavar="NAME", default="rules", help="rules (default), claude or scripted.")
@click.option("--limit", type=out.NUMBER, metavar="N", help="At most N traces.")
@click.option("--answers", metavar="FILE", help="The JSON file with the answers of `scripted`.")
@claude_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_suggest(
    context: Context,
    /,
    which: str,
    limit: int | None,
    answers: str | None,
    as_json: bool,
    **options: Json,
) -> int:
    """Suggest a mode for each trace that lacks a suggestion of this suggester. A suggestion is no label.

    Each answer is saved as it comes. Ctrl-C waits a few seconds for those under way; what was saved is
    saved, and nothing is asked twice.
    """
    _fit_together(which, limit, options)
    chosen = None if which == "claude" else suggester(which, {"answers": answers} if answers else None)
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        if chosen is not None:
            tally = Tally(store)
            with _stops(lambda: {"suggester": which, "counts": dict(tally.counts)}, as_json):
                suggest(store, chosen, taxonomy, wanted(store, chosen, taxonomy)[:limit], tally)
            if tally.why:
                out.say(f"{tally.counts['failed']} failed, the first of them: {tally.why}")
            _show(which, tally.counts, as_json)
            return tally.status
        how = given(options)
        if options["resume"]:
            with alone(store.path):
                return _resume(store, yes=options["yes"], as_json=as_json)
        how |= taught(store, taxonomy, options)
        if options["judge"]:
            how |= claimed(store, taxonomy, how, options["judge"], limit)
            lacking = list(how["claims"])
        else:
            lacking = limited(store, taxonomy, how, unasked(store, taxonomy, how), limit)
        if options["dry_run"] or options["show_payload"]:
            return _preview(store, lacking, how, taxonomy, options, as_json=as_json)
        if not lacking:
            _show(which, Counter(), as_json)
            return 0
        how["consent"] = _consent(store, how, len(lacking), yes=options["yes"])
        claude = cast("Claude", suggester(which, how))
        with alone(store.path):
            if options["batch"]:
                return _batch(store, claude, taxonomy, lacking, how, as_json=as_json)
            return _ask(store, claude, taxonomy, lacking, as_json=as_json)


def _fit_together(which: str, limit: int | None, options: Mapping[str, Json]) -> None:
    if which != "claude" and (given := named(options)):
        raise click.UsageError(f"{given[0]} belongs to --with claude")
    cost = options["max_cost"]
    if cost is not None and not 0 <= cost < float("inf"):
        raise click.UsageError("--max-cost: a number of dollars")
    if options["resume"] and (limit or named({**options, "resume": None, "yes": None})):
        raise click.UsageError(
            "--resume goes on as the batch was sent; it takes no option but --yes and --json"
        )


def _ask(store: Store, claude: Claude, taxonomy: Taxonomy, lacking: Sequence[str], *, as_json: bool) -> int:
    tally = Tally(store, len(lacking), spent=lambda: claude.gate.spent)
    with _stops(lambda: {"suggester": claude.name, "counts": dict(tally.counts), **tally.found()}, as_json):
        suggest(store, claude, taxonomy, lacking, tally)
    if claude.gate.out_of_money:
        why = (
            "a reply without a price"
            if claude.gate.unpriced
            else f"reached ({out.dollars(claude.gate.spent)})"
        )
        left = len(lacking) - tally.counts.total()
        beyond = claude.width > 1 and claude.gate.spent > (claude.gate.max_cost or 0.0)
        most = f"; at most {count(claude.width, 'request')} under way then went beyond it" if beyond else ""
        out.say(f"--max-cost {why}{most}; {count(left, 'trace', 'was', 'were')} not asked about")
    _show(claude.name, tally.counts, as_json, tally, waiting=tally.waiting)
    return tally.status


def _batch(
    store: Store,
    claude: Claude,
    taxonomy: Taxonomy,
    lacking: Sequence[str],
    how: Mapping[str, Json],
    *,
    as_json: bool,
) -> int:
    from reviewer.cli.batching import Sending

    kept = {name: value for name, value in how.items() if name != "consent"}
    sending = Sending(store, claude, taxonomy, Tally(store), kept)

    def found() -> dict[str, Json]:
        return {
            "suggester": claude.name,
            "batches": sending.batches,
            "requests": sending.requests,
            "traces": sending.traces,
            "waiting": sending.tally.waiting,
            "estimate": round(sending.estimate, 6),
        }

    try:
        with _stops(found, as_json):
            sending.send(lacking)
    finally:
        claude.close()
    if sending.left:
        beyond = "would go beyond it by the estimate, and"
        words = count(sending.left, "trace", f"{beyond} was", f"{beyond} were")
        out.say(f"--max-cost: {words} not sent")
    if as_json:
        out.show_json(found())
    elif not sending.batches:
        wait = f"; {sending.tally.waiting} wait in a batch (--resume fetches them)"
        out.show(f"nothing was sent{wait if sending.tally.waiting else ''}")
    else:
        out.show(
            f"{count(sending.requests, 'request')} about {count(sending.traces, 'trace')} sent as "
            f"{count(sending.batches, 'batch')}, about {out.dollars(sending.estimate)}; "
            "`reviewer suggest --with claude --resume` fetches the answers, most within an hour, all within "
            "a day"
        )
    return 0


@contextmanager
def _stops(found: Callable[[], Mapping[str, Json]], as_json: bool) -> Iterator[None]:
    """With --json, what there is by then, and why it is not more, also where a run is stopped."""
    try:
        yield
    except (SuggesterStopped, KeyboardInterrupt) as error:
        if as_json:
            out.show_json({**found(), "stopped": str(error) or "interrupted"})
        raise


def _resume(store: Store, *, yes: bool, as_json: bool) -> int:
    from reviewer.cli import asking
    from reviewer.cli.fetching import resume

    tally = Tally(store)
    found = resume(store, tally, lambda how, count: asking.agreed(store, how, count, yes=yes))
    if as_json:
        out.show_json(
            {"suggester": "claude", "counts": dict(tally.counts), "batches": found, **tally.found()}
        )
        return 1 if found.get("stuck") else tally.status
    if not any(found.values()):
        out.show("no batch is under way")
        return 0
    said = ", ".join(f"{count} {name.replace('_', ' ')}" for name, count in found.items() if count)
    out.say(f"batches: {said}")
    _show("claude", tally.counts, as_json, tally)
    return 1 if found.get("stuck") else tally.status


def _consent(store: Store, how: Mapping[str, Json], traces: int, *, yes: bool) -> str:
    from reviewer.cli import asking

    if how.get("max_cost") is not None and not asking.priced(how):
        raise InputError("--max-cost: there is no price for this model, so nothing could be held to it")
    return asking.agreed(store, how, traces, yes=yes)


def fill_in(store: Store, taxonomy: Taxonomy) -> None:
    """Suggest by rules where nothing has suggested yet."""
    lacking = store.suggestions.lacking("", taxonomy.hash)
    if lacking:
        suggest(store, suggester("rules"), taxonomy, lacking, Tally(store))
        # not of how many: in blind work that would tell of one trace whether there is a suggestion
        out.say(f"suggestions by rules, offline, no model asked: {count(len(lacking), 'trace')} looked at")


def wanted(store: Store, chosen: Suggester, taxonomy: Taxonomy) -> list[str]:
    """The traces that this suggester, with these settings, has not seen as they are now.

    Those where it failed before come last, so that none is starved.
    """
    now_set = digest({"version": chosen.version, **chosen.settings})
    known: dict[tuple[str, str], set[str]] = {}
    for one in store.suggestions.every(taxonomy.hash):
        if one.suggester == chosen.name and digest(dict(one.settings)) == now_set:
            known.setdefault((one.trace_id, one.content_hash), set()).add(one.status)
    said = {
        info.trace_id: known.get((info.trace_id, info.content_hash), set()) for info in store.traces.all()
    }
    return sorted((id for id, had in said.items() if had <= {"failed"}), key=lambda id: bool(said[id]))


def _preview(
    store: Store,
    lacking: Sequence[str],
    how: Mapping[str, Json],
    taxonomy: Taxonomy,
    options: Mapping[str, Json],
    *,
    as_json: bool,
) -> int:
    from reviewer.cli import asking

    tally, batch, kept = Tally(store), bool(options["batch"]), store.batches.kept
    traces = unknown(taxonomy, how, read(store, lacking), tally.known)
    if options["show_payload"]:
        shown = asking.payloads(how, traces, taxonomy, kept, batch=batch)
        out.show_json(shown) if as_json else show_readably(shown)
    else:
        found = asking.estimate(how, traces, taxonomy, kept, batch=batch)
        out.show_json(found) if as_json else out.show(asking.estimate_line(found))
    if tally.waiting:
        out.say(f"{tally.waiting} more wait in a batch (--resume fetches them)")
    return 0


def _show(
    which: str,
    counts: Counter[str],
    as_json: bool,
    paid: Tally | None = None,
    waiting: int = 0,
) -> None:
    if as_json:
        out.show_json({"suggester": which, "counts": dict(counts), **(paid.found() if paid else {})})
        return
    said = in_words(sorted(counts.items())) or "nothing to do"
    more = f"; {paid.money()}, {count(paid.masked, 'secret')} masked" if paid else ""
    wait = f"; {waiting} wait in a batch (--resume fetches them)" if waiting else ""
    out.show(f"{which}: {said}{more}{wait}")
