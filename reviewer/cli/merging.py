"""`merge`: other stores into this one, and what they leave to settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.context import Context, now
from reviewer.cli.peopling import count, link_record
from reviewer.cli.progress import progress
from reviewer.errors import StoreError, StoreMissing
from reviewer.exporters import records
from reviewer.label import Annotator, LabelEvent, Link
from reviewer.store import Store
from reviewer.store.links import current
from reviewer.store.tally import KINDS, Counts, Received
from reviewer.study.conflicts import Conflict, conflicts
from reviewer.trace import Json


@click.command("merge")
@click.argument("stores", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="STORE…")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_merge(context: Context, stores: tuple[Path, ...], as_json: bool) -> int:
    """Bring everything that other stores hold into this one; they are not changed.

    Labels, exposures, suggestions, outcomes and traces are told apart by their ids, so it does not matter
    who merges whom, or how often. Two current labels of one person on the same trace stay two, are listed
    as a conflict, and count nowhere until that person decides again. The exit status is 1 if a store or a
    row could not be used.
    """
    if not any(path.exists() for path in stores):  # or a mistyped name would leave an empty store behind
        raise StoreMissing(f"{stores[0]}: no store here")
    done: list[tuple[Path, Received | str]] = []
    with context.open_store(create=True) as store:
        before = store.history.said(), store.labels.links.all()
        stood = store.labels.heads()
        for path in stores:
            try:
                done.append((path, store.merge(path, now=now(), progress=progress())))
            except StoreError as error:
                done.append((path, str(error)))
        left = conflicts(store)
        known = store.labels.annotators()
        mine = _in_my_name(before[0], store.history.said())
        gone = _gone(mine, stood, store)
        standing = current(store.labels.links.all()).values()
        links = [link for said in standing for link in said if link not in before[1]]
    if as_json:
        own: Json = [
            {"annotator": records.person(id, known), "new": n, "labels_replaced": gone[id]}
            for id, n in mine.items()
        ]
        said: Json = [link_record(link) for link in links]
        out.show_json({**_as_json(done, left, known), "in_my_name": own, "new_links": said})
    else:
        _tell(done, left, known)
        _tell_people(mine, gone, links, known)
    return int(any(isinstance(result, str) or result.lost for _, result in done))


def _in_my_name(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """How many events came in under ids of this machine, by id."""
    mine = settings.identities()
    return {id: n - before.get(id, 0) for id, n in after.items() if id in mine and n > before.get(id, 0)}


def _gone(mine: Mapping[str, int], stood: Sequence[LabelEvent], store: Store) -> dict[str, int]:
    """How many labels of each that were current no longer are."""
    if not mine:
        return {}
    still = {event.id for event in store.labels.heads()}
    person = store.labels.links.people().person
    lost = [event for event in stood if event.kind == "label" and event.id not in still]
    return {id: sum(person(event.annotator) == person(id) for event in lost) for id in mine}


def _tell_people(
    mine: Mapping[str, int], gone: Mapping[str, int], links: Sequence[Link], known: Mapping[str, Annotator]
) -> None:
    """What nobody here can prove: who made what came under one's own id, and who is whom."""
    for id, n in mine.items():
        out.say_line(
            f"warning: {count(n, 'event')} under the id of {_name(id, known)} on this machine came in: "
            "made by you in another store, or by somebody in your name (`history` shows them); "
            f"{gone[id]} of your labels here {'is' if gone[id] == 1 else 'are'} replaced by them"
        )
    for link in links:
        a, b = (f"{_name(id, known)} ({id})" for id in link.pair)
        said = "are one person" if link.same else "are not one person"
        out.say_line(
            f"warning: {_name(link.said_by, known)} says there that {a} and {b} {said}; "
            "`annotators list` shows what counts, `annotators link` and `unlink` answer"
        )


def _name(id: str, known: Mapping[str, Annotator]) -> str:
    return known[id].name if id in known else id


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
    for kind, counts in _sum(done).items():
        refused = f", {counts.refused:,} refused" if counts.refused else ""
        out.show(f"{kind:<12} {counts.new:,} new, {counts.known:,} known{refused}")
    for conflict in left:
        out.show(conflict_line(conflict, known))


def conflict_line(conflict: Conflict, known: Mapping[str, Annotator]) -> str:
    """`conflict: ana on t1-0123abcd (round 1): loop, wrong_goal; …`."""
    person = _name(conflict.annotator, known)
    modes = ", ".join(event.mode for event in conflict.events)
    return (
        f"conflict: {person} on {conflict.trace_id[:11]} ({conflict.kind}, {conflict.taxonomy}, "
        f"round {conflict.round}): {modes}; {person} settles it by deciding again"
    )


def conflict_record(conflict: Conflict, known: Mapping[str, Annotator]) -> dict[str, Json]:
    return {
        "trace_id": conflict.trace_id,
        "annotator": records.person(conflict.annotator, known),
        "taxonomy": conflict.taxonomy,
        "round": conflict.round,
        "kind": conflict.kind,
        "events": [{"id": event.id, "mode": event.mode, "at": event.at} for event in conflict.events],
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
