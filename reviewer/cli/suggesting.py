"""`suggest`: let a machine propose a mode for the traces that lack a suggestion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from reviewer.cli import out
from reviewer.cli.context import Context, new_id, now
from reviewer.store import Store
from reviewer.suggest import suggester
from reviewer.suggest.base import Suggester
from reviewer.suggest.runner import run
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Outcome, Trace


@click.command("suggest")
@click.option("--with", "which", metavar="NAME", default="rules", help="rules (default) or scripted.")
@click.option("--answers", metavar="FILE", help="The JSON file with the answers of `scripted`.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_suggest(context: Context, which: str, answers: str | None, as_json: bool) -> int:
    """Suggest a mode for each trace that lacks a suggestion of this suggester. A suggestion is no label."""
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        chosen = suggester(which, {"answers": answers} if answers else None)
        counts = _suggest(store, chosen, taxonomy, store.suggestions.lacking(chosen.name, taxonomy.hash))
    if as_json:
        out.show_json({"suggester": chosen.name, "counts": counts})
    else:
        said = ", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "nothing to do"
        out.show(f"{chosen.name}: {said}")
    return 0


def fill_in(store: Store, taxonomy: Taxonomy) -> None:
    """Suggest by rules where nothing has suggested yet."""
    lacking = store.suggestions.lacking("", taxonomy.hash)
    if lacking:
        counts = _suggest(store, suggester("rules"), taxonomy, lacking)
        out.say(
            f"suggestions by rules, offline, no model asked: {counts.get('ok', 0)} of {len(lacking)} traces"
        )


def _suggest(store: Store, chosen: Suggester, taxonomy: Taxonomy, wanted: Sequence[str]) -> dict[str, int]:
    store.settings.keep_taxonomy(taxonomy.hash, taxonomy.id, taxonomy.version, taxonomy.toml)
    save, known = store.suggestions.save, store.suggestions.answered
    return dict(run(_read(store, wanted), chosen, taxonomy, save, now=now, new_id=new_id, known=known))


def _read(store: Store, wanted: Sequence[str]) -> Iterator[tuple[Trace, Sequence[Outcome]]]:
    for trace_id in wanted:
        yield store.traces.trace(trace_id), store.outcomes.of(trace_id)
