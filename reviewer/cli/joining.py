"""What people say of traces beside their files (outcomes from a table, `--set model=…`); what is unknown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import click

from reviewer.cli import out
from reviewer.cli.context import now
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.store import Store
from reviewer.store.amending import FIELDS
from reviewer.study.rows import verdict
from reviewer.trace import Json, Outcome, plain

COLUMNS = ("outcome", "score", "model", "task", "attempt")
_AT_ONCE = 2_000  # outcomes in one transaction
_ADVICE = {
    "outcome": "--outcomes FILE joins a table of them",
    "model": "--set model=NAME says it",
}


def said(pairs: Sequence[str]) -> dict[str, Json]:
    """`--set model=x` as fields of a trace."""
    names = {"task": "task_id"}
    found: dict[str, Json] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        key = names.get(key.strip(), key.strip())
        if not equals or key not in FIELDS:
            choices = ", ".join(name.removesuffix("_id") for name in FIELDS)
            raise click.UsageError(f"--set {pair!r}: write KEY=VALUE with one of {choices}")
        if key == "attempt" and not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise click.UsageError(f"--set {pair!r}: an attempt is a whole number")
        found[key] = int(value) if key == "attempt" else value
    return found


def missed(chosen: Sequence[str], ids: Sequence[str]) -> Iterator[str]:
    """A line for each id of a list that no trace of the import begins with."""
    for wanted in chosen:
        begin = f"t1-{wanted.removeprefix('t1-')}"
        if not any(trace_id.startswith(begin) for trace_id in ids):
            yield f"warning: no trace of these files has the id {wanted}"


def whole_too(store: Store, sessions: Sequence[str]) -> Iterator[str]:
    """A line where sessions that were cut into requests are in the store whole as well."""
    held = sum(store.traces.find(one) is not None for one in sessions)
    if held:
        sessions_cut = count(held, "session")
        yield f"warning: {sessions_cut} cut into requests: whole in the store as well, both count"


def differing(store: Store, ids: Sequence[str]) -> int:
    """How many of these traces have outcomes that say different things."""
    said = (store.outcomes.of(trace_id) for trace_id in set(ids))
    return sum(
        len({one.passed for one in plain(outcomes) if one.passed is not None}) > 1 for outcomes in said
    )


def amend(store: Store, ids: Sequence[str], fields: dict[str, Json]) -> set[str]:
    """Say these fields of the traces, with a word about what they replace; returns those it was new for."""
    if not fields:
        return set()
    infos = [info for trace_id in ids if (info := store.traces.find(trace_id))]
    for name, value in fields.items():
        known = sum(getattr(info, name) not in ("", None, value) for info in infos)
        if known:
            out.say(
                f"{name.removesuffix('_id')} {value} stands in place of another in {count(known, 'trace')}"
            )
    with store.write():
        return {trace_id for trace_id in ids if store.amend(trace_id, fields)}


@dataclass(slots=True)
class Joined:
    """What became of a table of outcomes: traces with a new one, rows known before, rows that fit none."""

    new: set[str] = field(default_factory=set)
    known: int = 0
    problems: list[str] = field(default_factory=list)
    unread: bool = False  # the table itself is the problem


def join_outcomes(store: Store, path: Path) -> Joined:
    """Put the outcomes of a table to the traces of the store that its rows name.

    A table that cannot be read is a problem like a row that cannot: what was imported before is told all the
    same.
    """
    from reviewer.importers.joining.outcome_files import Matcher, rows

    joined, matcher = Joined(), Matcher(replace(info, meta={}) for info in store.traces.each())
    said: list[tuple[str, Outcome]] = []
    try:
        table = list(rows(path))
    except InputError as error:
        joined.problems.append(str(error))
        joined.unread, table = True, []
    for row in table:
        found = row if isinstance(row, str) else matcher.match(row)
        if isinstance(row, str) or isinstance(found, str):
            joined.problems.append(f"{path}: {found}")
        else:
            said.append((found.trace_id, row.outcome))
    for begin in range(0, len(said), _AT_ONCE):
        with store.write():
            for trace_id, outcome in said[begin : begin + _AT_ONCE]:
                if store.outcomes.put(trace_id, outcome, now=now()):
                    joined.new.add(trace_id)
                else:
                    joined.known += 1
    return joined


def known(store: Store, ids: Sequence[str]) -> dict[str, dict[str, int]]:
    """For each format of these traces: how many there are, and of how many each thing is known."""
    wanted = set(ids)
    counts: dict[str, dict[str, int]] = {}
    for info in store.traces.each():
        if info.trace_id not in wanted:
            continue
        row = counts.setdefault(info.format, dict.fromkeys(("traces", *COLUMNS), 0))
        passed, score = verdict(store.outcomes.of(info.trace_id))
        row["traces"] += 1
        row["outcome"] += passed is not None
        row["score"] += score is not None
        row["model"] += bool(info.model)
        row["task"] += bool(info.task_id) and not info.meta.get("task_id_from")
        row["attempt"] += info.attempt is not None
    return counts


def show_known(counts: dict[str, dict[str, int]]) -> None:
    """The table, and what to do about what is missing."""
    if not counts:
        return
    header = ("format", "traces", *COLUMNS)
    out.table([(name, *(str(row[column]) for column in header[1:])) for name, row in counts.items()], header)
    for column, advice in _ADVICE.items():
        lacking = sum(row["traces"] - row[column] for row in counts.values())
        if lacking:
            out.show(f"{count(lacking, 'trace')} without {column}: {advice}")
