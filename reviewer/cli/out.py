"""How commands print: results to stdout, talk to stderr, foreign text through `safe`, JSON strict."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from reviewer.cli.folding import beside, cells, folded, stacked
from reviewer.text import safe, safe_line
from reviewer.trace import Json

_MOST = 2**31 - 1


if TYPE_CHECKING:
    _Type = click.ParamType[int]
else:
    _Type = click.ParamType  # which is not generic in every version that we take


class _Number(_Type):
    """A number from 1 on, within what a store can count; its limits would only be noise in a help text."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value).strip()
        if not (text.isascii() and text.isdecimal() and len(text) <= 10 and 1 <= int(text) <= _MOST):
            self.fail(f"{value!r:.60} is no number from 1 to {_MOST:,}", param, ctx)
        return int(text)


NUMBER = _Number()  # of a step, of a round


def say(text: str) -> None:
    """A line of talk, to stderr."""
    click.echo(folded(safe(text), sys.stderr), err=True)


def say_line(text: str) -> None:
    """The same for what quotes names and values of others: a line break in them is shown, and breaks none."""
    click.echo(folded(safe_line(text), sys.stderr), err=True)


def show(text: str = "") -> None:
    """A line of the result in our words, to stdout."""
    click.echo(folded(safe(text), sys.stdout))


def show_beside(head: str, text: str) -> None:
    """A word and, in a column of its own, what is said of it."""
    click.echo(beside(safe_line(head), safe_line(text), sys.stdout).rstrip())


def show_as_it_is(text: str) -> None:
    """Text of others, of a trace or for a file: no line of it is broken by us."""
    click.echo(safe(text))


def show_line(text: str) -> None:
    """One line of the result that quotes names of others: a line break in them is shown, and breaks none."""
    click.echo(folded(safe_line(text), sys.stdout))


def show_json(value: Json) -> None:
    """One JSON value to stdout: ASCII, strict (no NaN), so that no terminal and no parser trips on it."""
    from reviewer.exporters.strict import dumps

    click.echo(dumps(value, indent=2 if sys.stdout.isatty() else None))


def verbatim(text: str) -> None:
    """As it is into a file or pipe; on a terminal with every control character made visible."""
    if sys.stdout.isatty():
        show_as_it_is(text)
        return
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")


def table(rows: Sequence[Sequence[str]], header: Sequence[str]) -> None:
    """Columns as wide as their cells; the last one is never cut, but folded on a terminal."""
    head, *body = [[safe_line(cell) for cell in row] for row in (header, *rows)]
    lines = [*stacked(head, body, sys.stdout), *body]
    widths = [max(cells(line[column]) for line in lines) for column in range(len(header) - 1)]
    for *before, last in lines:
        padded = (cell + " " * (width - cells(cell) + 2) for cell, width in zip(before, widths, strict=True))
        click.echo(beside("".join(padded), last, sys.stdout).rstrip())


def dollars(amount: float) -> str:
    """A sum for reading: `$12.40`, `$0.0031`; a little is not called nothing."""
    if 0 < amount < 0.00005:
        return "under $0.0001"
    return f"${amount:,.{2 if amount >= 1 else 4}f}" if amount else "$0"


def number(value: float | None, digits: int = 2) -> str:
    """A number for a table; `-` where there is none. What rounds to 0 has no sign."""
    return "-" if value is None else f"{round(value, digits) + 0.0:.{digits}f}"


def between(low: float | None, high: float | None, digits: int = 2) -> str:
    """An interval for a table; `-` where there is none."""
    return "-" if low is None or high is None else f"{number(low, digits)} to {number(high, digits)}"
