"""`export`: the labelled set into a file, written beside it first and moved into place when whole."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.context import Context
from reviewer.errors import InputError
from reviewer.exporters import EXPORTS, HISTORY, exporter
from reviewer.store import Store

T = TypeVar("T")


class Counted(Iterable[T]):
    """Counts what is taken out of it."""

    def __init__(self, rows: Iterable[T]) -> None:
        self.rows = rows
        self.count = 0

    def __iter__(self) -> Iterator[T]:
        for row in self.rows:
            self.count += 1
            yield row


@click.command("export")
@click.argument("what", type=click.Choice([*EXPORTS, HISTORY]))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write (default: stdout).")
@click.option("--with-trace", is_flag=True, help="The steps of each trace too.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.pass_obj
def command_export(
    context: Context, what: str, output: Path | None, with_trace: bool, force: bool, round: int | None
) -> int:
    """Write the labelled set out.

    jsonl: a line a trace with its gold, labels and suggestions. csv: a row a label. labels: the whole
    history of labels of all rounds, a line an event, for git and for `import` on another machine.
    """
    if what == HISTORY and (with_trace or round):
        raise click.UsageError(f"{HISTORY} is the whole history without traces: no --with-trace, no --round")
    if output is not None:
        output = _spared(output, settings.store_path(context.store), force=force)
    with context.open_store() as store:
        if what == HISTORY:
            counted, lines = _history(store)
        else:
            counted, lines = _traces(context, store, what, with_trace, round)
        if output is None:
            _to_stdout(lines)
        else:
            _to_file(lines, output)
    things = "events" if what == HISTORY else "traces"
    out.say(f"exported {counted.count} {things}{'' if output is None else f' to {output}'}")
    return 0


def _spared(output: Path, store: Path, *, force: bool) -> Path:
    """The file to write, links followed; a store is refused even with --force."""
    try:
        if output.is_dir():
            raise InputError(f"{output}: a folder; name a file in it")
        if output.exists() and not force:
            raise InputError(f"{output}: already there; --force replaces it")
        if output.exists() and not output.is_file():  # a pipe or a device
            return output
        output = output.resolve()
    except (OSError, RuntimeError) as error:  # a name too long, a file in place of a folder, a loop of links
        raise InputError(f"{output}: cannot be written: {error}") from error
    beside = {store.resolve().with_name(f"{store.resolve().name}{end}") for end in ("", "-journal", "-wal")}
    if output in beside:
        raise InputError(f"{output}: belongs to the store itself; name another file")
    if output.is_file():
        with output.open("rb") as file:
            if file.read(16).startswith(b"SQLite format 3"):
                raise InputError(f"{output}: a database, maybe a store, is not replaced; name another file")
    return output


def _traces(
    context: Context, store: Store, what: str, with_trace: bool, round: int | None
) -> tuple[Counted[Any], Iterator[str]]:
    from reviewer.study.rows import labelled_traces

    taxonomy = context.load_taxonomy(store)
    strangers = store.labels.traceless()
    if strangers:
        out.say(f"{strangers} labelled traces are not in this store; import them, or see `export {HISTORY}`")
    rows = Counted(labelled_traces(store, taxonomy, round or store.labels.newest_round()))
    return rows, exporter(what)(rows, taxonomy, store.traces.trace if with_trace else None)


def _history(store: Store) -> tuple[Counted[Any], Iterator[str]]:
    from reviewer.exporters.labels import lines

    history = store.history
    events = Counted(store.labels.events())
    annotators = store.labels.annotators().values()
    links = store.labels.links.all()
    return events, lines(history.taxonomies(), annotators, events, history.exposures(), links)


def _to_stdout(lines: Iterator[str]) -> None:
    """UTF-8 whatever the locale says; on a terminal nothing in it moves the terminal."""
    if sys.stdout.isatty():
        for line in lines:
            out.show(line.removesuffix("\n").removesuffix("\r"))
        return
    sys.stdout.flush()
    for line in lines:
        sys.stdout.buffer.write(line.encode())
    sys.stdout.buffer.flush()


def _to_file(lines: Iterator[str], output: Path) -> None:
    if output.exists() and not output.is_file():  # a pipe or a device: there is nothing to replace
        try:
            with output.open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(lines)
        except OSError as error:
            raise InputError(f"{output}: cannot be written: {error.strerror}") from error
        return
    part = output.with_name(f"{output.name}.part-{os.getpid()}")
    try:
        with part.open("x", encoding="utf-8", newline="") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        part.replace(output)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):  # it never came to be
            part.unlink(missing_ok=True)
