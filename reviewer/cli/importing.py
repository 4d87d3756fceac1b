"""`reviewer import`: files into the store, each whole or not at all, with what went wrong by name."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reviewer.cli import archiving, out, unproven
from reviewer.cli.context import Context
from reviewer.cli.intake import Change, as_is, fill_search, import_paths, only
from reviewer.cli.joining import (
    Joined,
    amend,
    differing,
    join_outcomes,
    known,
    missed,
    said,
    show_known,
    whole_too,
)
from reviewer.cli.lists import listed
from reviewer.cli.progress import importing, progress
from reviewer.cli.putting import Report
from reviewer.cli.sniffing import mapped
from reviewer.counting import count
from reviewer.importers import LABELS, importer
from reviewer.importers.finding.wanted import in_words
from reviewer.importers.per_request import Cutter
from reviewer.trace import Json

if TYPE_CHECKING:
    from reviewer.store.tally import Received


PATH = click.Path(path_type=Path)
_PAIR = re.compile(r"(benchmark|task|task_id|model|agent|attempt)=")
_OUTCOMES = "Join a table (CSV, JSON) of outcomes: trace or task, attempt, passed, score."
_MAP = "Read every file by this map (`reviewer sniff FILE` drafts one)."
_ONLY = "Only the traces whose ids this text file lists, one a line (`#` begins a comment)."
_PER_REQUEST = "Cut interactive sessions: one trace a request of the user."
_SET = "Say, in the place of what the files say: benchmark, task, model, agent or attempt of every trace."


@click.command("import")
@click.argument("paths", nargs=-1, metavar="PATH…")
@click.option("--format", metavar="F", help="Take every file as this format instead of looking into it.")
@click.option("--outcomes", "tables", metavar="FILE", type=PATH, multiple=True, help=_OUTCOMES)
@click.option("--set", "pairs", metavar="KEY=VALUE", multiple=True, help=_SET)
@click.option("--map", "map_file", metavar="MAP", type=PATH, help=_MAP)
@click.option("--only", "list_file", metavar="LIST", type=PATH, help=_ONLY)
@click.option("--per-request", is_flag=True, help=_PER_REQUEST)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_import(
    context: Context,
    paths: tuple[str, ...],
    format: str | None,
    tables: tuple[Path, ...],
    pairs: tuple[str, ...],
    map_file: Path | None,
    list_file: Path | None,
    per_request: bool,
    as_json: bool,
) -> int:
    """Bring traces into the store: files, folders, globs, or - for standard input.

    Labels and whole stores that `export` wrote are taken in too. What is in the store already is left as it
    is. A bad line costs that line, a bad file that file; the exit status is 1 if a trace or file was lost, or
    none was found.
    """
    if not paths and not tables:
        raise click.UsageError("name a file or a folder to import, or a table with --outcomes")
    paths, more = _split(paths, bool(pairs))
    fields = said((*pairs, *more))
    if map_file is not None and format:
        raise click.UsageError("--map reads by itself; leave --format out")
    given = mapped(map_file) or (importer(format) if format else None)
    paint = progress()
    archives, paths = archiving.apart(paths)
    with context.open_store(create=bool(paths or archives)) as store:
        before = unproven.Before.of(store)
        stores = [(path, archiving.bring(store, path)) for path in archives]
        cutter = Cutter() if per_request else None
        change: Change = cutter or as_is
        chosen = listed(list_file) if list_file else []
        change = only(chosen, change) if chosen else change
        report = import_paths(store, paths, given, importing(paint), change)
        for line in (*missed(chosen, report.ids), *whole_too(store, cutter.sessions if cutter else ())):
            out.say(line)
        report.touched(amend(store, report.ids, fields))
        joined = [join_outcomes(store, table) for table in tables]
        for one in joined:
            report.touched(one.new)
        apart = differing(store, [trace_id for one in joined for trace_id in one.new])
        found = known(store, report.ids or [trace_id for one in joined for trace_id in one.new])
        arrived = unproven.since(before, store)
        fill_search(store, lambda left: paint(f"making the search ready, {count(left, 'step')} left"))
    paint("")
    if as_json:
        tell_nothing(report, paths)
        whole = {"stores": [archiving.record(*one) for one in stores]} if stores else {}
        out.show_json(
            {
                **_as_json(report),
                **_joined(joined),
                **whole,
                "known": found,
                **unproven.record(arrived, whole=False),
            }
        )
    else:
        for path, received in stores:
            archiving.tell(path, received)
        unproven.tell(arrived)
        if paths:
            tell(report, paths)
        _tell_joined(joined, apart)
        show_known(found)
    lost = report.lost or any(received.lost for _, received in stores) or bool(paths and not report.files)
    return int(lost or any(one.problems for one in joined))


def _split(paths: tuple[str, ...], setting: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Paths, and the further pairs of `--set model=x benchmark=y`, which are no paths."""
    more = tuple(word for word in paths if setting and _PAIR.match(word) and not os.path.lexists(word))
    return tuple(word for word in paths if word not in more), more


def _tell_joined(joined: Sequence[Joined], apart: int) -> None:
    for one in joined:
        for problem in one.problems:
            out.say_line(f"no outcome: {problem}")
    if joined:
        new = sum(len(one.new) for one in joined)
        unread = sum(one.unread for one in joined)
        rows = count(sum(len(one.problems) for one in joined) - unread, "row")
        rest = f"{sum(one.known for one in joined)} known, {rows} unused"
        out.show(
            f"outcomes: {new} new, {rest}" + f"; {count(unread, 'table')} could not be read" * bool(unread)
        )
    if apart:
        words = count(apart, "trace", "now has", "now have")
        out.say(f"{words} outcomes that differ: what passed is unknown there")


def _joined(joined: Sequence[Joined]) -> dict[str, Json]:
    if not joined:
        return {}
    problems = [problem for one in joined for problem in one.problems]
    counts = {"new": sum(len(one.new) for one in joined), "known": sum(one.known for one in joined)}
    return {"outcomes": {**counts, "unused": problems}}


def tell(report: Report, paths: Sequence[str]) -> None:
    """The report in words: the sum to stdout, every loss and warning to stderr."""
    tell_nothing(report, paths)
    for file in report.files:
        if file.error:
            out.say_line(f"failed: {file.error}")
        for warning in file.warnings:
            place = f"{file.path}:{warning.line}" if warning.line else f"{file.path}"
            times = f" ({warning.count:,} times)" if warning.count > 1 else ""
            out.say_line(f"warning: {place}: {warning.reason}{times}")
    parts = ("new", "unchanged", "updated", "failed")
    counts = ", ".join(f"{getattr(report, part)} {part}" for part in parts)
    read = f"{count(sum(file.there for file in report.files), 'file')}, {count(report.read, 'trace')}"
    under = report.sub_agents
    apart = f" ({under} of {'a sub-agent' if under == 1 else 'sub-agents'})" if under else ""
    out.show(f"{read}{apart}: {counts}")
    if report.labels is not None:
        by_hand = any(file.format in LABELS for file in report.files)
        out.show(_label_line(report.labels, "labels" if by_hand else "labels that came with published sets"))


def tell_nothing(report: Report, paths: Sequence[str]) -> None:
    """Where there was no file to read: what was looked for, what was passed over, and what helps."""
    if report.files or not paths:
        return
    passed = report.unopened + report.beside
    files = f"{count(passed, 'file')} passed over" if passed else "no file is there"
    if report.beside:
        files += f" ({report.beside:,} opened: reports, settings and the like that lie beside traces)"
    out.say_line(
        f"nothing found in {', '.join(paths)}: {files}. Folders are searched for {in_words()}; hidden ones "
        "in them are not entered. Name the folder of the traces, or a file: any name will do"
    )


_LABEL_KINDS = {
    "events": "event",
    "exposures": "exposure",
    "annotators": "annotator",
    "taxonomies": "taxonomy",
    "links": "link",
    "maps": "map",
}


def _label_line(labels: Received, what: str) -> str:
    new = [count(n, f"new {one}") for kind, one in _LABEL_KINDS.items() if (n := labels.counts[kind].new)]
    known = sum(labels.counts[kind].known for kind in _LABEL_KINDS)
    counts = ", ".join([*(new or ["nothing new"]), f"{known} known", f"{len(labels.refused)} refused"])
    return f"{what}: {counts}"


def _label_counts(labels: Received | None) -> dict[str, Json]:
    """What became of label files, beside the promised keys and only where there was one."""
    if labels is None:
        return {}
    counts = {
        kind: {"new": labels.counts[kind].new, "known": labels.counts[kind].known} for kind in _LABEL_KINDS
    }
    return {"labels": {**counts, "refused": len(labels.refused)}}


def _as_json(report: Report) -> dict[str, Json]:
    return {
        **_label_counts(report.labels),
        "traces": {part: getattr(report, part) for part in ("read", "new", "unchanged", "updated", "failed")},
        "files": [
            {
                "file": str(file.path),
                "format": file.format or None,
                "traces": file.traces,
                "error": file.error or None,
            }
            for file in report.files
        ],
        "warnings": [
            {"file": str(file.path), "line": warning.line, "reason": warning.reason, "count": warning.count}
            for file in report.files
            for warning in file.warnings
        ],
    }
