"""`export`: the labelled set into a file, written beside it first and moved into place when whole."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from reviewer.cli import out
from reviewer.cli.context import Context
from reviewer.errors import InputError
from reviewer.exporters import EXPORTS, exporter


@click.command("export")
@click.argument("what", type=click.Choice(list(EXPORTS)))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write (default: stdout).")
@click.option("--with-trace", is_flag=True, help="The steps of each trace too.")
@click.option("--force", is_flag=True, help="Replace the file if it is there.")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.pass_obj
def command_export(
    context: Context, what: str, output: Path | None, with_trace: bool, force: bool, round: int | None
) -> int:
    """Write the labelled set out: every trace with its gold, labels and suggestions."""
    from reviewer.study.rows import labelled_traces

    if output is not None and output.exists() and not force:
        raise InputError(f"{output}: already there; --force replaces it")
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        rows = labelled_traces(store, taxonomy, round or store.labels.newest_round())
        lines = exporter(what)(rows, taxonomy, store.traces.trace if with_trace else None)
        count = _to_stdout(lines) if output is None else _to_file(lines, output)
    out.say(f"exported {count} rows{'' if output is None else f' to {output}'}")
    return 0


def _to_stdout(lines: Iterator[str]) -> int:
    return sum(1 for line in lines if sys.stdout.write(f"{line}\n"))


def _to_file(lines: Iterator[str], output: Path) -> int:
    part = output.with_name(f"{output.name}.part-{os.getpid()}")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as file:
            count = sum(1 for line in lines if file.write(f"{line}\n"))
            file.flush()
            os.fsync(file.fileno())
        part.replace(output)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return count
