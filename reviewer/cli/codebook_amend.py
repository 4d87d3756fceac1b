"""`taxonomy amend`: a codebook with what adjudications decided added to its text, for a person to edit."""

from __future__ import annotations

from pathlib import Path

import click

from reviewer import settings, taxonomy
from reviewer.cli import out, writing
from reviewer.cli.context import Context
from reviewer.counting import count

NOTHING = "nothing that a person settled in this round stands, so the text is as it was"


@click.command("amend", short_help="Write a codebook with what adjudications decided added.")
@click.argument("which", metavar="[ID|FILE]", required=False)
@click.option("--from-ledger", is_flag=True, required=True, help="Add the reasons of adjudications, by pair.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write (default: stdout).")
@click.option("--as", "name", metavar="NAME", help="Who reads the ledger (default: the login name).")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.pass_obj
def amend(
    context: Context,
    which: str | None,
    from_ledger: bool,
    output: Path | None,
    name: str | None,
    round: int | None,
) -> int:
    """Write ID|FILE (default: the codebook in use) with the rules that the ledger of a round gives.

    A pair of modes without a rule gets one, its sides made of the reasons; a pair with a rule gets a section
    of settled cases. It is a draft with a version of its own: edit, `taxonomy check` and `taxonomy use` it.
    """
    from reviewer.cli.ledger import ledger_of
    from reviewer.study.ledger import amended

    assert from_ledger
    with context.open_store() as store:
        in_use = context.load_taxonomy(store)
        base = in_use if which is None else taxonomy.load(which)
        ledger = ledger_of(context, store, in_use, name, round)
    text = amended(base.toml, base, ledger)
    grown = taxonomy.parse(text, "the amended taxonomy")  # what is written can be used
    if output is None:
        out.show_as_it_is(text.rstrip())
    else:
        output = writing.spared(output, settings.store_path(context.store), force=None)
        writing.to_file(output, lambda file: file.write(text.encode()))
    rules, sections = len(grown.rather) - len(base.rather), len(grown.sections) - len(base.sections)
    new = f"{count(rules, 'new rule')}, {count(sections, 'new section')}"
    out.say(f"{base.id} {base.version} -> {grown.version}: {new}; edit them" if ledger else NOTHING)
    return 0
