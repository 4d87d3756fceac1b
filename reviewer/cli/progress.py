"""How far a long piece of work is, in one line on the terminal; nothing where stderr is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import click

from reviewer.cli.intake import Progress
from reviewer.counting import count

_BAR = 20  # columns


def progress() -> Callable[[str], None]:
    """Paints a line over the one before it; an empty text takes it away."""
    if not sys.stderr.isatty():
        return lambda text: None
    last = 0

    def paint(text: str) -> None:
        nonlocal last
        click.echo(f"\r{text:<{last}}\r", nl=False, err=True)
        last = len(text)

    return paint


def importing(paint: Callable[[str], None]) -> Callable[[Progress], None]:
    """A bar with files, traces, speed and the time that is left."""
    started = time.monotonic()

    def show(at: Progress) -> None:
        paint(line(at, time.monotonic() - started))

    return show


def line(at: Progress, seconds: float) -> str:
    """`[######    ] 12 files, 340 traces, 35.1 MB/s, 0:12 left`; without a size there is no bar."""
    parts = [count(at.files, "file"), count(at.traces, "trace")]
    if not at.bytes_all or seconds <= 0:
        return ", ".join(parts)
    parts.append(f"{at.bytes_done / 1e6 / seconds:.1f} MB/s")
    if at.bytes_done:
        left = round(seconds * (at.bytes_all - at.bytes_done) / at.bytes_done)
        parts.append(f"{left // 60}:{left % 60:02} left")
    full = round(_BAR * at.bytes_done / at.bytes_all)
    return f"[{'#' * full:<{_BAR}}] {', '.join(parts)}"
