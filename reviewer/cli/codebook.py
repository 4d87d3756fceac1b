"""`taxonomy list|show|check|use`: the codebooks that labels are made under."""

from __future__ import annotations

import click

from reviewer import taxonomy
from reviewer.cli import out
from reviewer.cli.context import DEFAULT_TAXONOMY, Context, now


@click.group("taxonomy")
def command_taxonomy() -> None:
    """List, show or check taxonomies."""


@command_taxonomy.command("list")
def list_shipped() -> int:
    """The taxonomies that come with reviewer."""
    loaded = [taxonomy.load(name) for name in taxonomy.available()]
    rows = [(one.id, one.version, f"{len(one.failures)} failure modes", one.title) for one in loaded]
    out.table(rows, ("id", "version", "modes", "title"))
    return 0


@command_taxonomy.command("show")
@click.argument("which", metavar="ID|FILE", required=False)
@click.pass_obj
def show(context: Context, which: str | None) -> int:
    """Print a taxonomy: its modes with their keys, definitions and checks, and the rules between them."""
    one = taxonomy.load(which or context.taxonomy or DEFAULT_TAXONOMY)
    out.show(f"{one.id} {one.version}  {one.title}\n{one.source}\nhash {one.hash}\n")
    for mode in one.modes:
        share = "" if mode.share is None else f"  ({100 * mode.share:.1f} % published)"
        out.show(f"[{mode.key or ' '}] {mode.id}: {mode.definition}{share}")
        for submode in mode.submodes:
            out.show(f"      {submode.id}: {submode.definition}")
        for check in mode.checks:
            out.show(f"      ? {check}")
    for rule in one.rather:
        out.show(f"\n{rule.pair[0]} or {rule.pair[1]}? {rule.ask}")
        out.show(f"   {rule.pair[0]}: {rule.a}\n   {rule.pair[1]}: {rule.b}")
    return 0


@command_taxonomy.command("check")
@click.argument("file")
def check(file: str) -> int:
    """Tell whether FILE is a taxonomy that can be used."""
    one = taxonomy.load(file)
    out.show(f"ok: {one.id} {one.version}, {len(one.modes)} modes, hash {one.hash}")
    return 0


@command_taxonomy.command("use")
@click.argument("which", metavar="ID|FILE")
@click.pass_obj
def use(context: Context, which: str) -> int:
    """Make a taxonomy the one that this store is labelled under from now on; old labels stay as they are."""
    with context.open_store() as store:
        one = Context(context.store, which).load_taxonomy(store)
        store.settings.keep_taxonomy(one, now=now())
        store.settings.set("taxonomy", one.hash, now=now())
    out.show(f"in use: {one.id} {one.version}, hash {one.hash}")
    return 0
