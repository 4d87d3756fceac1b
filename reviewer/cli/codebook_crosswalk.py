"""`taxonomy crosswalk A B`: how the modes of one taxonomy read under another, and how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reviewer.cli import out
from reviewer.cli.context import Context

if TYPE_CHECKING:
    from reviewer.crosswalk import Reading

_WORDS = {"exact": "=", "narrower": "is one of", "broader": "may be", "none": "nothing there"}


@click.command("crosswalk", short_help="Tell how the modes of one read under another.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def show_crosswalk(context: Context, a: str, b: str, as_json: bool) -> int:
    """Tell how the modes of A read under B, with the source, where that is published or plain.

    `=`: both mean the same; `is one of`: every such run is one there; `may be`: one of several, or not.
    """
    from reviewer.cli.codebook_diff import either
    from reviewer.crosswalk import Reading, crosswalk

    start, end = either(context, a), either(context, b)
    found = crosswalk(start.id, end.id)
    silent = Reading("", (), "none", "the crosswalk does not name it")
    readings = [(mode.id, found.readings.get(mode.id, silent)) for mode in start.modes]
    if as_json:
        listed = [
            {"mode": id, "to": list(one.to), "sure": one.sure, "why": one.why or None} for id, one in readings
        ]
        told = {"from": start.id, "to": end.id, "source": found.source, "turned": found.turned}
        out.show_json({**told, "modes": listed})
        return 0
    turned = "\n(turned round: the source reads it from the other side)" * found.turned
    out.show(f"{start.id} -> {end.id}\n{found.source}{turned}\n")
    out.table([row for id, one in readings for row in _rows(id, one)], (start.id, "", end.id, ""))
    return 0


def _rows(mode: str, one: Reading) -> list[tuple[str, str, str, str]]:
    """A line for each mode that it may be: all of them in one cell made every line as wide."""
    if not one.to:
        return [(mode, _WORDS[one.sure], f"({one.why})" if one.why else "", "")]
    first, *others = one.to
    return [(mode, _WORDS[one.sure], first, one.why), *(("", "", f"or {other}", "") for other in others)]
