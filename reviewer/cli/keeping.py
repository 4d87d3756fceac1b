"""`backup` and `check`: a whole copy of a live store, and whether the store is sound."""

from __future__ import annotations

from pathlib import Path

import click

from reviewer.cli import out
from reviewer.cli.context import Context
from reviewer.counting import count
from reviewer.errors import StoreDamaged


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def command_backup(context: Context, file: Path) -> int:
    """Copy the live store into FILE, which must not exist yet; safe while others are labelling."""
    with context.open_store() as store:
        store.backup(file)
    out.say(f"copied to {file}")
    return 0


@click.command("check")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_check(context: Context, as_json: bool) -> int:
    """Tell whether the store is sound: the file, what guards its history, and every event and trace."""
    try:
        with context.open_store() as store:
            problems = store.problems()
    except StoreDamaged as error:  # which sends people here
        raise StoreDamaged(str(error).replace("run `reviewer check`, then ", "")) from error
    if as_json:
        out.show_json({"ok": not problems, "problems": problems})
    else:
        for problem in problems:
            out.say(problem)
        out.show(
            "ok"
            if not problems
            else f"{count(len(problems), 'problem')}; restore a backup, or copy what can be read"
        )
    return 1 if problems else 0
