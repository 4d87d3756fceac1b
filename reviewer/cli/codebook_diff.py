"""`taxonomy diff` and `taxonomy worklist`: what changed between codebooks, and whose labels it touches."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING

import click

from reviewer import settings, taxonomy
from reviewer.cli import out, told
from reviewer.cli.context import Context
from reviewer.errors import InputError, NotFound, StoreMissing
from reviewer.taxonomy import ModesMap, Taxonomy

if TYPE_CHECKING:
    from reviewer.study.carried import Due
    from reviewer.study.codebooks import Change, Passage
    from reviewer.trace import Json


def either(context: Context, which: str) -> Taxonomy:
    """A shipped one by its id, a file, or one that the store keeps: by hash, by version, by id@version."""
    kept: dict[str, tuple[str, str]] = {}
    with contextlib.suppress(StoreMissing), context.open_store() as store:
        kept = store.settings.taxonomies()
        used = kept.get(store.settings.get("taxonomy"), ("", ""))[0]
        found = [hash for hash, stamp in kept.items() if _names(which, hash, stamp, used)]
        if len(found) > 1:
            known = ", ".join(f"{kept[hash][0]} {kept[hash][1]} ({hash[:12]})" for hash in found)
            raise InputError(f"{which} names several codebooks of this store: {known}; name one by its hash")
        if found and (one := store.settings.taxonomy(found[0])) is not None:
            return one
    try:
        return taxonomy.load(which)
    except NotFound as error:
        with contextlib.suppress(StoreMissing), context.open_store() as store:
            if (one := store.settings.taxonomy(which)) is not None:
                return one
        raise NotFound(f"{error}" + f"; kept here: {_kept(kept)}" * bool(kept)) from None


def _names(which: str, hash: str, stamp: tuple[str, str], used: str) -> bool:
    id, version = stamp
    by_hash = len(which) > 5 and hash.startswith(which)
    return by_hash or which == f"{id}@{version}" or (which == version and id == used)


def _kept(kept: dict[str, tuple[str, str]]) -> str:
    return ", ".join(f"{id}@{version} ({hash[:12]})" for hash, (id, version) in kept.items())


@click.command("diff", short_help="Tell what differs between two codebooks.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--map", "map_file", metavar="FILE", help="What each mode of A is in B (else B's own [map]).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def diff_two(context: Context, a: str, b: str, map_file: str | None, as_json: bool) -> int:
    """Tell what differs between the codebooks A and B, and which labels of A it touches.

    A and B are ids, files, hashes, or versions that this store keeps (`2`, `six-modes@2`).
    """
    from reviewer.study.codebooks import diff, passages

    old, new = either(context, a), either(context, b)
    mapped = _map(context, old, new, map_file)
    changes = diff(old, new, mapped)
    found = passages(old, new, mapped)
    touched = [passage for passage in found.values() if passage.touched]
    if as_json:
        out.show_json(
            {
                "from": {"id": old.id, "version": old.version, "hash": old.hash},
                "to": {"id": new.id, "version": new.version, "hash": new.hash},
                "same": old.hash == new.hash,
                "changes": [_change(change) for change in changes],
                "modes": [
                    {"mode": p.old, "now": list(p.new), "fate": p.fate, "touched": p.touched}
                    for p in found.values()
                ],
            }
        )
        return 0
    out.show(f"{old.id} {old.version} ({old.hash[:12]}) -> {new.id} {new.version} ({new.hash[:12]})")
    if not changes:
        out.show("the same" if old.hash == new.hash else "nothing that a reader would see differs")
    for change in changes:
        _print(change)
    if touched:
        words = [f"{one.old} ({_fate(one)})" for one in touched]
        out.show(f"\nlabels to look at again: those of {', '.join(words)}")
    elif changes:
        out.show("\nno label has to be looked at again")
    return 0


def _map(context: Context, old: Taxonomy, new: Taxonomy, map_file: str | None) -> ModesMap:
    """The map given, else the one that the store keeps for these two, else that of the new codebook."""
    from reviewer.study.carried import map_between
    from reviewer.taxonomy_map import load_map

    if map_file is not None:
        return load_map(map_file, new)
    with contextlib.suppress(StoreMissing), context.open_store() as store:
        return map_between(store, old, new)
    return new.map


def _change(change: Change) -> dict[str, Json]:
    return {
        "what": change.what,
        "id": change.id or None,
        "part": change.part or None,
        "before": change.before or None,
        "after": change.after or None,
    }


def _print(change: Change) -> None:
    head = ": ".join(filter(None, (change.what, change.id, change.part)))
    if change.what.startswith("mode ") and not change.part:
        became = f" -> {change.after}" if change.after else ""
        out.show(f"{head}{became}" + (f" (was: {change.before})" if change.before else ""))
        return
    out.show(head)
    if change.before:
        out.show(f"    - {change.before}")
    if change.after:
        out.show(f"    + {change.after}")


@click.command("worklist", short_help="List the labels whose mode is not what it was.")
@click.option("--as", "name", metavar="NAME", help="Only the labels of NAME.")
@click.option("--from", "since", metavar="HASH", default="", help="Only labels made under this version.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def show_worklist(context: Context, name: str | None, since: str, as_json: bool) -> int:
    """List the traces whose label is of a mode that is not what it was, by annotator.

    `label --worklist` opens them, each annotator's own. Old labels stay as they are; a label under the
    codebook in use takes a trace off the list.
    """
    from reviewer.study.carried import worklist

    with context.open_store() as store:
        one = context.load_taxonomy(store)
        if since and not any(hash.startswith(since) for hash in store.settings.taxonomies()):
            raise NotFound(f"--from {since}: no codebook of this store has a hash that begins so")
        known, people = store.labels.annotators(), store.labels.links.people()
        found = worklist(store, one, since=since)
        if name is not None:
            told.somebody(store, name)
            me = people.person(settings.identity(name)[0])
            found = [due for due in found if due.annotator == me]
    names = {id: known[id].name if id in known else id for id in {due.annotator for due in found}}
    if as_json:
        listed = [_due(due, names) for due in found]
        stamp = {"id": one.id, "version": one.version, "hash": one.hash}
        out.show_json({"taxonomy": stamp, "worklist": listed})
        return 0
    rows = [
        (names[due.annotator], due.trace_id[:11], str(due.round), due.mode, _fate(due.passage))
        for due in found
    ]
    if rows:
        out.table(sorted(rows), ("annotator", "trace", "round", "label", "the mode"))
        counts = Counter(row[0] for row in rows)
        out.say(", ".join(f"{who}: {count}" for who, count in sorted(counts.items())))
    else:
        out.say(f"nothing to look at again under {one.id} {one.version}")
    return 0


def _due(due: Due, names: dict[str, str]) -> dict[str, Json]:
    return {
        "annotator": {"id": due.annotator, "name": names[due.annotator]},
        "trace_id": due.trace_id,
        "round": due.round,
        "mode": due.mode,
        "fate": due.passage.fate,
        "now": list(due.passage.new),
        "taxonomy_hash": due.taxonomy_hash,
    }


def _fate(passage: Passage) -> str:
    now = passage.new
    return passage.fate + (f": {' or '.join(now)}" if now and now != (passage.old,) else "")
