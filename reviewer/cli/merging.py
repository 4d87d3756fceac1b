"""`merge`: other stores into this one, and what they leave to settle."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from reviewer.cli import out, unproven
from reviewer.cli.assigned import assigned_elsewhere, round_name, tell_elsewhere
from reviewer.cli.context import Context, now
from reviewer.cli.progress import progress
from reviewer.errors import StoreError, StoreMissing, why
from reviewer.exporters import records
from reviewer.label import Annotator
from reviewer.store.tally import KINDS, Counts, Received
from reviewer.study.conflicts import Conflict, conflicts
from reviewer.trace import Json


@click.command("merge")
@click.argument("stores", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="STORE…")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_merge(context: Context, stores: tuple[Path, ...], as_json: bool) -> int:
    """Bring everything that other stores hold into this one; they are not changed.

    Labels, suggestions, outcomes, traces and what people were shown are told apart by their ids, so it does
    not matter who merges whom, or how often. Two current labels of one person on the same trace stay two, are
    listed as a conflict, and count nowhere until that person decides again. The exit status is 1 if a store
    or a row could not be used.
    """
    stores = tuple({os.path.realpath(path): path for path in stores}.values())  # each once
    missing = [_missing(path) for path in stores]
    if all(missing):  # or a mistyped name would leave an empty store behind
        raise StoreMissing(f"{stores[0]}: {missing[0]}")
    done: list[tuple[Path, Received | str]] = []
    with context.open_store(create=True) as store:
        before = unproven.Before.of(store)
        draws = {draw.id for draw in store.assignments.draws()}
        for path in stores:
            try:
                done.append((path, store.merge(path, now=now(), progress=progress())))
            except StoreError as error:
                done.append((path, str(error)))
        left = conflicts(store)
        known = store.labels.annotators()
        arrived = unproven.since(before, store)
        elsewhere = assigned_elsewhere(store, context, draws)
    if as_json:
        found = {**_as_json(done, left, known), **unproven.record(arrived)}
        out.show_json({**found, "other_codebooks": elsewhere})
    else:
        _tell(done, left, known)
        unproven.tell(arrived)
        tell_elsewhere(elsewhere)
    return int(any(isinstance(result, str) or result.lost for _, result in done))


def _sum(done: Sequence[tuple[Path, Received | str]]) -> dict[str, Counts]:
    total = {kind: Counts() for kind in KINDS}
    for _, result in done:
        if isinstance(result, str):
            continue
        for kind, counts in result.counts.items():
            total[kind].new += counts.new
            total[kind].known += counts.known
            total[kind].refused += counts.refused
    return total


def _tell(
    done: Sequence[tuple[Path, Received | str]], left: Sequence[Conflict], known: Mapping[str, Annotator]
) -> None:
    for path, result in done:
        if isinstance(result, str):
            out.say(f"failed: {result}")
            continue
        for refusal in result.refused:
            out.say(f"refused: {path}: {refusal.reason}")
        for word in result.told:
            out.say(f"warning: {path}: {word}")
    taken = any(not isinstance(result, str) for _, result in done)
    for kind, counts in _sum(done).items() if taken else ():
        refused = f", {counts.refused:,} refused" if counts.refused else ""
        out.show(f"{kind:<12} {counts.new:,} new, {counts.known:,} known{refused}")
    for conflict in left:
        out.show(conflict_line(conflict, known))


def conflict_line(conflict: Conflict, known: Mapping[str, Annotator]) -> str:
    """`conflict: ana on t1-0123abcd (round 1): 2 labels; …`. Whoever reads it may still have to label that
    trace, so what was said is not in it."""
    person = known[conflict.annotator].name if conflict.annotator in known else conflict.annotator
    return (
        f"conflict: {person} on {conflict.trace_id[:11]} ({conflict.taxonomy}, "
        f"{round_name(conflict.round)}): {len(conflict.events)} {conflict.kind}s that exclude each other; "
        f"{person} settles it by deciding again"
    )


def conflict_record(conflict: Conflict, known: Mapping[str, Annotator]) -> dict[str, Json]:
    return {
        "trace_id": conflict.trace_id,
        "annotator": records.person(conflict.annotator, known),
        "taxonomy": conflict.taxonomy,
        "round": conflict.round,
        "kind": conflict.kind,
        "events": [{"id": event.id, "at": event.at} for event in conflict.events],
    }


def _as_json(
    done: Sequence[tuple[Path, Received | str]], left: Sequence[Conflict], known: Mapping[str, Annotator]
) -> dict[str, Json]:
    return {
        **{
            kind: {"new": counts.new, "known": counts.known, "refused": counts.refused}
            for kind, counts in _sum(done).items()
        },
        "conflicts": [conflict_record(conflict, known) for conflict in left],
        "stores": [
            {
                "file": str(path),
                "error": result if isinstance(result, str) else None,
                "refused": [] if isinstance(result, str) else [one.reason for one in result.refused],
                "warnings": [] if isinstance(result, str) else result.told,
            }
            for path, result in done
        ],
    }


def _missing(path: Path) -> str:
    """Why nothing can be there to merge; empty where something is."""
    try:
        return "" if path.exists() else "no store here"
    except OSError as error:
        return f"cannot be read: {why(error)}"
