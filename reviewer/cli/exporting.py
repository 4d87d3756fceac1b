"""`export`: the labelled set, the history of labels or the whole store into a file or a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.context import Context
from reviewer.cli.filtering import Filters, filters
from reviewer.cli.selection import Asked, Chosen, Counted, select
from reviewer.cli.writing import lines_into, spared, spared_folder, to_file, to_folder, to_stdout
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.exporters import ATIF, DATASET, EXPORTS, HISTORY, PARQUET, STORE, WITH_STEPS, exporter
from reviewer.store import Store

_FOLDERS = (ATIF, DATASET)
_VERBATIM = (HISTORY, STORE)
_ONE_EACH = ("scout", "examples")  # one decision a trace, so gold or one person's
_CARDS = ("licences", "names", "as_lines", "title")
_ROWS = ("gold", "labels", "history")
ROWS = (
    click.option("--gold", is_flag=True, help="Settled traces, gold alone (no suggestions)."),
    click.option("--labels", is_flag=True, help="What everybody says now (the default)."),
    click.option("--history", is_flag=True, help="Every event ever, of all rounds."),
)


@click.command("export")
@click.argument("what", metavar="WHAT", type=click.Choice([*EXPORTS, PARQUET, ATIF, DATASET, HISTORY, STORE]))
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The file or folder to write; - is the output."
)
@ROWS[0]
@ROWS[1]
@ROWS[2]
@click.option("--with-trace/--without-trace", default=None, help="The steps of each trace too, or not.")
@click.option("--force", is_flag=True, help="Replace the file or folder if it is there.")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@filters
@click.option("--annotator", metavar="NAME", help="Only what this annotator said.")
@click.option("--children", is_flag=True, help="Sub-agent runs too.")
@click.option("--carry", is_flag=True, help="Read labels of earlier codebooks under this one, by its map.")
@click.option("--split", metavar="NAME=SHARE,…", help="Draw splits by task: train=0.8,test=0.2.")
@click.option("--seed", type=int, help="The seed of that draw (default: 0).")
@click.option("--redact", is_flag=True, help="Mask secrets, personal data and the names of annotators.")
@click.option(
    "--licence", "licences", metavar="SOURCE=LICENCE", multiple=True, help="dataset: the licence of a source."
)
@click.option("--names", is_flag=True, help="dataset: name the annotators, who have numbers otherwise.")
@click.option("--jsonl", "as_lines", is_flag=True, help="dataset: JSON Lines in place of Parquet.")
@click.option("--title", metavar="TEXT", help="dataset: what the card is called.")
@click.pass_obj
def command_export(context: Context, /, what: str, output: Path | None, force: bool, **given: Any) -> int:
    """Write the labelled set out.

    \b
    jsonl     a line a trace with its gold, labels and suggestions
    csv       a row a label, adjudication or note
    parquet   the same with fixed types (needs pyarrow)
    atif      a folder of ATIF trajectories with their labels
    dataset   a folder for `datasets.load_dataset`, with a card
    scout     a validation set for Inspect Scout: gold modes
    examples  few-shot examples for a judge
    labels    the whole history of labels, for git and for `import`
    store     everything: traces, outcomes, labels, assignments, for `import`
    """
    given["rows"] = _rows(given)
    output = None if str(output) == "-" else output
    _check(what, output, given)
    place = settings.store_path(context.store)
    if output is not None:
        output = (
            spared_folder(output, force=force) if what in _FOLDERS else spared(output, place, force=force)
        )
    with context.open_store() as store:
        if what in _VERBATIM:
            counted, lines = _verbatim(store, what)
            _put(lines, output)
        else:
            counted = _labelled(context, store, what, output, given)
    things = count(counted.count, {HISTORY: "event", STORE: "line"}.get(what, "trace"))
    out.say(f"exported {things}{'' if output is None else f' to {output}'}")
    return 0


def _rows(given: dict[str, Any]) -> str | None:
    """Which rows were asked for, if any. UsageError: several, of which one would win in silence."""
    asked = [name for name in _ROWS if given.pop(name)]
    if len(asked) > 1:
        raise click.UsageError(f"{' and '.join(f'--{name}' for name in asked)} exclude each other")
    return next(iter(asked), None)


def _check(what: str, output: Path | None, given: dict[str, Any]) -> None:
    """Usage errors: options that this export knows nothing of would be ignored in silence."""
    said = {name for name, value in given.items() if value not in (None, False, ())}
    if what in _VERBATIM and said:
        holds = "labels without traces" if what == HISTORY else "the whole store"
        raise click.UsageError(f"{what} is {holds} as it is: it takes -o and --force only")
    if what != DATASET and said & set(_CARDS):
        raise click.UsageError("--licence, --names, --jsonl and --title belong to the dataset")
    if what in (*_FOLDERS, PARQUET) and output is None:
        raise click.UsageError(
            f"{what} is no text: name a {'folder' if what in _FOLDERS else 'file'} with -o"
        )
    if what in _ONE_EACH and given["rows"] == "history":
        raise click.UsageError(f"{what} holds one decision a trace: no --history")
    if what in _ONE_EACH and given["rows"] == "labels" and not given["annotator"]:
        raise click.UsageError(f"{what} holds one decision a trace: --labels needs --annotator")
    if given["seed"] is not None and not given["split"]:
        raise click.UsageError("--seed belongs to --split")
    if given["annotator"] and given["status"]:
        raise click.UsageError("--status tells what others said; it does not go with --annotator")
    if given["names"] and given["redact"]:
        raise click.UsageError("--redact takes names out, --names puts them in")


def _labelled(
    context: Context, store: Store, what: str, output: Path | None, given: dict[str, Any]
) -> Counted[Any]:
    taxonomy = context.load_taxonomy(store)
    strangers = store.labels.traceless()
    if strangers:
        words = count(strangers, "labelled trace", "is", "are")
        out.say(f"{words} not in this store; import first, or see `export {HISTORY}`")
    chosen = select(store, taxonomy, _asked(what, given))
    steps = what in WITH_STEPS if given["with_trace"] is None else given["with_trace"]
    with_trace = chosen.with_trace if steps else None
    if what == DATASET:
        assert output is not None  # checked above
        from reviewer.cli.datasets import write_dataset

        write_dataset(store, taxonomy, chosen, output, with_trace, given)
    elif what == ATIF:
        from reviewer.exporters import atif

        _into(output, atif.files(chosen.rows, taxonomy, chosen.with_trace))
    elif what == PARQUET:
        from reviewer.exporters import parquet

        parquet.needed()
        _write(output, lambda file: parquet.write(file, chosen.rows, taxonomy, with_trace))
    else:
        _put(exporter(what)(chosen.rows, taxonomy, with_trace), output)
    _tell(chosen)
    return chosen.rows


def _asked(what: str, given: dict[str, Any]) -> Asked:
    one_each = what in _ONE_EACH
    names = ("benchmark", "model", "mode", "status", "unlabelled", "flagged", "failed")
    return Asked(
        # what holds gold alone anyway keeps the notes and quotes that its reasons are made of
        rows="labels" if one_each else given["rows"] or "labels",
        one_each=one_each and given["rows"] == "labels",
        settled=one_each,
        round=given["round"],
        filters=Filters(**{name: given[name] for name in names}),
        annotator=given["annotator"],
        children=given["children"],
        carry=given["carry"],
        split=given["split"] or "",
        seed=given["seed"] or 0,
        redact=given["redact"],
        unnamed=given["redact"] or (what == DATASET and not given["names"]),
        short_paths=what == DATASET,
    )


def _tell(chosen: Chosen) -> None:
    for line in chosen.told():
        out.say(line)


def _verbatim(store: Store, what: str) -> tuple[Counted[Any], Iterator[str]]:
    if what == STORE:
        from reviewer.store.archive import lines as whole

        counted = Counted(whole(store))
        return counted, iter(counted)
    from reviewer.exporters.labels import lines
    from reviewer.study.carried import edges

    history, maps = store.history, edges(store)
    events = Counted(store.labels.events())
    annotators = store.labels.annotators().values()
    return events, lines(
        history.taxonomies(), annotators, events, history.exposures(), store.labels.links.all(), maps
    )


def _put(lines: Iterator[str], output: Path | None) -> None:
    if output is None:
        to_stdout(lines)
    else:
        to_file(output, lines_into(lines))


def _write(output: Path | None, write: Callable[[IO[bytes]], object]) -> None:
    assert output is not None  # checked above
    to_file(output, write)


def _into(output: Path | None, files: Iterator[tuple[str, str]]) -> None:
    """A folder of files, each with its text."""
    assert output is not None  # checked above

    def write(folder: Path) -> None:
        for name, text in files:
            try:
                (folder / name).write_text(text, "utf-8", newline="")
            except OSError as error:
                raise InputError(f"{name}: cannot be written: {error.strerror}") from error

    to_folder(output, write)
