"""`taxonomy list|show|check|use`: the codebooks that labels are made under; what compares them is beside."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import click

from reviewer import taxonomy
from reviewer.cli import out
from reviewer.cli.assigned import round_name
from reviewer.cli.codebook_amend import amend
from reviewer.cli.codebook_crosswalk import show_crosswalk
from reviewer.cli.codebook_diff import diff_two, either, show_worklist
from reviewer.cli.context import DEFAULT_TAXONOMY, Context, now
from reviewer.counting import count
from reviewer.errors import InputError, StoreMissing
from reviewer.taxonomy import Edge, ModesMap, Taxonomy

if TYPE_CHECKING:
    from reviewer.store import Store
    from reviewer.study.rounds import Stamp
    from reviewer.trace import Json


@click.group("taxonomy")
def command_taxonomy() -> None:
    """Show, check, compare and amend taxonomies; take one into use; list what has to be labelled anew."""


for _command in (diff_two, show_worklist, amend, show_crosswalk):
    command_taxonomy.add_command(_command)


@command_taxonomy.command("list", short_help="The taxonomies that come along, and those used here.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def list_known(context: Context, as_json: bool) -> int:
    """The taxonomies that come with reviewer, and those that this store was labelled under."""
    loaded = {one.hash: one for one in map(taxonomy.load, taxonomy.available())}
    used = ""
    with contextlib.suppress(StoreMissing), context.open_store() as store:
        for hash in store.settings.taxonomies():
            loaded[hash] = store.settings.taxonomy(hash) or loaded[hash]
        used = store.settings.get("taxonomy")
    if as_json:
        out.show_json([{**_stamp(one), "in_use": one.hash == used} for one in loaded.values()])
        return 0
    rows = [
        (
            "in use" if one.hash == used else "",
            *(one.id, one.version, one.hash[:12], str(len(one.failures)), one.title),
        )
        for one in loaded.values()
    ]
    out.table(rows, ("", "id", "version", "hash", "failure modes", "title"))
    return 0


def _stamp(one: Taxonomy) -> dict[str, Json]:
    modes = {"failure_modes": len(one.failures), "modes": len(one.modes)}
    return {"id": one.id, "version": one.version, "hash": one.hash, "title": one.title, **modes}


@command_taxonomy.command("show", short_help="Print a taxonomy: modes, keys, checks, rules between them.")
@click.argument("which", metavar="[ID|FILE|HASH]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def show(context: Context, which: str | None, as_json: bool) -> int:
    """Print a taxonomy: its modes with their keys, definitions and checks, and the rules between them.

    Without a name, the one of --taxonomy, else the one in use in the store, else six-modes.
    """
    named = which or context.taxonomy
    one = either(context, named) if named else _in_use(context)
    if as_json:
        keys = {mode.id: mode.key for mode in one.modes}
        out.show_json({**_stamp(one), "keys": keys, "data": json.loads(one.data)})
        return 0
    out.show(f"{one.id} {one.version}  {one.title}\n{one.source}\nhash {one.hash}\n")
    _show_modes(one)
    for rule in one.rather:
        out.show(f"\n{rule.pair[0]} or {rule.pair[1]}? {rule.ask}")
        out.show(f"   {rule.pair[0]}: {rule.a}\n   {rule.pair[1]}: {rule.b}")
        if rule.neither:
            out.show(f"   neither: {rule.neither}")
    for title, lines in (("Procedure", one.procedure), *((s.title, s.rules) for s in one.sections)):
        out.show(f"\n{title}" * bool(lines))
        for line in lines:
            out.show(f"   - {line}")
    for facet in one.facets:
        out.show(f"\n{facet.id}: {facet.question}")
        for choice in facet.choices:
            out.show(f"      {choice.id}: {choice.definition}")
    for old, new in one.map:
        out.show(f"\nwas {old}: {' or '.join(new) or 'dropped'}")
    return 0


def _in_use(context: Context) -> Taxonomy:
    with contextlib.suppress(StoreMissing), context.open_store() as store:
        return context.load_taxonomy(store)
    return taxonomy.load(DEFAULT_TAXONOMY)


def _show_modes(one: Taxonomy) -> None:
    for mode in one.modes:
        share = "" if mode.share is None else f"  ({100 * mode.share:.1f} % published)"
        out.show(f"[{mode.key or ' '}] {mode.id}: {mode.definition}{share}")
        for submode in mode.submodes:
            out.show(f"      {submode.id}: {submode.definition}")
        for check in mode.checks:
            out.show(f"      ? {check}")
        for example in mode.examples:
            out.show(f"      e.g. {example}")


@command_taxonomy.command("check")
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
def check(file: str, as_json: bool) -> int:
    """Tell whether FILE is a taxonomy that can be used."""
    from reviewer.study.ledger import DRAFT, drafts

    one = taxonomy.load(file)
    unfinished = drafts(one)
    if as_json:
        out.show_json({"ok": True, **_stamp(one), "drafts": unfinished})
    else:
        out.show(f"ok: {one.id} {one.version}, {count(len(one.modes), 'mode')}, hash {one.hash}")
    if unfinished:
        out.say(f"still a draft, edit what says {DRAFT} first: {', '.join(unfinished)}")
    return 0


@command_taxonomy.command("use", short_help="Label under a taxonomy from now on, in this store.")
@click.argument("which", metavar="ID|FILE|HASH")
@click.option(
    "--map", "map_file", metavar="FILE", help='What each old mode is now: old = "new", ["a", "b"] or "".'
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def use(context: Context, which: str, map_file: str | None, as_json: bool) -> int:
    """Make a taxonomy the one that this store is labelled under from now on; old labels stay as they are.

    With --map, or a [map] table in the taxonomy, old labels can be read under the new one where a command is
    asked to (--carry); `taxonomy worklist` lists those that have to be looked at again.
    """
    with context.open_store() as store:
        kept = store.settings.taxonomies()
        versions = [hash for hash, (id, _) in kept.items() if id == which]
        shipped = which in taxonomy.available()  # whatever was made of it here
        if len(versions) > 1 and not shipped:
            known = ", ".join(f"{kept[hash][1]} ({hash[:12]})" for hash in versions)
            raise InputError(f"{which} was used here in several versions: {known}; name one by its hash")
        one = taxonomy.load(which) if shipped else Context(context.store, which).load_taxonomy(store)
        before = store.settings.taxonomy()
        mapped, lost = _mapped(store, before, one, map_file)
        store.settings.keep_taxonomy(one, now=now())
        store.settings.set("taxonomy", one.hash, now=now())
        _keep(store, before, one, mapped, explicit=map_file is not None)
        labels = [event for event in store.labels.heads() if event.kind == "label"]
        due = _due(store, one)
        open_rounds = _assigned_under_others(store, one)
    others = sum(event.taxonomy_hash != one.hash for event in labels)
    if as_json:
        told = {"other_labels": others, "worklist": due, "unmapped": lost, "map": dict(mapped)}
        out.show_json({**_stamp(one), **told})
        return 0
    out.show(f"in use: {one.id} {one.version}, hash {one.hash}")
    if others:
        same = all(event.taxonomy == one.id for event in labels if event.taxonomy_hash != one.hash)
        which = "version of this codebook" if same else "codebook (or version of it)"
        words = count(others, "current label", "was made", "were made")
        out.say(f"{words} under another {which}, not counted under this one")
    for round, stamp in open_rounds:
        out.say_line(
            f"{round_name(round)} was assigned under {stamp.words} and is labelled under it still; what "
            "`assign` draws in the next round is labelled under this one"
        )
    if lost:
        out.say(f"no map says what these are now: {', '.join(lost)}")
    if due:
        words = count(due, "label", "is", "are")
        out.say(f"{words} of modes that changed: `taxonomy worklist`, `label --worklist`")
    return 0


def _mapped(
    store: Store, before: Taxonomy | None, one: Taxonomy, map_file: str | None
) -> tuple[ModesMap, list[str]]:
    """The map from the codebook in use to the new one, and the old modes it says nothing of."""
    from reviewer.study.carried import map_between
    from reviewer.study.codebooks import unmapped
    from reviewer.taxonomy_map import load_map

    if before is None or before.hash == one.hash:
        if map_file is not None:
            raise InputError("--map says what earlier modes are now; there is no earlier codebook here")
        return (), []
    if map_file is None:
        mapped = map_between(store, before, one)
        return mapped, unmapped(before, one, mapped) if before.id == one.id or mapped else []
    mapped = load_map(map_file, one)
    for id, _ in mapped:
        before.mode(id)  # NotFound names the near ones
    if lost := unmapped(before, one, mapped):
        raise InputError(
            f"{map_file}: {', '.join(lost)}: neither in the map nor in the new codebook; "
            'say what each is now, or "" (dropped)'
        )
    return mapped, []


def _keep(store: Store, before: Taxonomy | None, one: Taxonomy, mapped: ModesMap, *, explicit: bool) -> None:
    from reviewer.study.carried import keep_edge

    related = before is not None and (explicit or bool(mapped) or before.id == one.id)
    if before is not None and before.hash != one.hash and related:
        keep_edge(store, Edge(before.hash, one.hash, mapped), now=now())


def _assigned_under_others(store: Store, one: Taxonomy) -> list[tuple[int, Stamp]]:
    """The rounds, assigned under another codebook, in which somebody has traces left to label."""
    from reviewer.study import rounds
    from reviewer.study.assigning_progress import progress

    under = {round: mine[-1] for round, mine in rounds.stamps(store).items()}
    left = {was.round for was in progress(store, one) if was.waiting}
    return [(round, under[round]) for round in sorted(left & set(under)) if under[round].hash != one.hash]


def _due(store: Store, one: Taxonomy) -> int:
    from reviewer.study.carried import worklist

    return len(worklist(store, one))
