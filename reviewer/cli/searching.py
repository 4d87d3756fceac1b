"""`search`: the steps of all traces in which words stand, each with its line."""

from __future__ import annotations

import click

from reviewer.cli import out
from reviewer.cli.context import Context
from reviewer.counting import count
from reviewer.errors import InputError, StoreReadOnly
from reviewer.store import Store

_LIMIT = 50
_BATCH = 0.5  # seconds


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="WORDS…")
@click.option("--limit", type=out.NUMBER, default=_LIMIT, show_default=True, help="How many steps at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_search(context: Context, words: tuple[str, ...], limit: int, as_json: bool) -> int:
    """List the steps of all traces that hold every word (and "phrase"), the newest traces first.

    A word is letters and digits, upper and lower case alike: foo_bar is the words foo and bar in a row. What
    is searched is the text of traces; labels and suggestions are not in it.
    """
    from reviewer.session.searching import found, pattern_of

    # an argument with spaces in it was quoted for the shell, and is meant as a phrase
    asked = " ".join(f'"{word}"' if " " in word and '"' not in word else word for word in words)
    if not pattern_of(asked):
        raise InputError("nothing to search for: only letters and digits count as words")
    with context.open_store() as store:
        left = _filled(store)
        hits = store.fulltext.find(asked, limit + 1)
        lines = found(store, asked, hits[:limit])
    more = len(hits) > limit
    if as_json:
        rows = [
            {
                **{"trace": one.info.trace_id, "step": one.n, "line": one.line, "file": one.info.source_path},
                **{
                    "task_id": one.info.task_id,
                    "model": one.info.model,
                    "parent": one.info.parent_id or None,
                },
            }
            for one in lines
        ]
        out.show_json({"words": asked, "hits": rows, "more": more, "not_indexed": left})
        return 0
    if lines:
        rows_of = [(one.info.trace_id[:11], str(one.n), one.info.task_id or "-", one.line) for one in lines]
        out.table(rows_of, ("trace", "step", "task", "line"))
    else:
        out.say("no step of any trace holds all of these words")
    if more:
        out.say(f"these are the newest {limit}; there are more, --limit shows them")
    if left:
        unread = count(left, "step", "was", "were")
        out.say(f"{unread} not searched: the store cannot be written, so the index cannot grow")
    return 0


def _filled(store: Store) -> int:
    """Fill the index as far as it lags behind; how many steps are missing where that cannot be."""
    from reviewer.cli.progress import progress

    left = store.fulltext.pending()
    paint = progress()
    try:
        while left:
            paint(f"filling the index: {count(left, 'step')} left")
            store.fulltext.fill(_BATCH)
            left = store.fulltext.pending()
    except StoreReadOnly:
        return left
    finally:
        paint("")
    return 0
