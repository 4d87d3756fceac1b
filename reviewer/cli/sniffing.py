"""`reviewer sniff`: what a file is and why, what is missing; for an unknown one the draft of a map."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import Path

import click

from reviewer import settings
from reviewer.cli import out, writing
from reviewer.cli.context import Context
from reviewer.errors import InputError
from reviewer.importers.base import Importer, NotATrace, Source
from reviewer.importers.finding.files import open_source, source_of
from reviewer.text import safe_line
from reviewer.trace import Json, plain

_SHOWN = 20  # ignored paths; `--json` gives all


@dataclass(slots=True)
class Found:
    """What reading a file gives, without keeping any of it."""

    format: str = ""
    about: str = ""
    why: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    ignored: dict[str, str] = field(default_factory=dict)
    warnings: list[dict[str, Json]] = field(default_factory=list)
    problem: str = ""
    map: str = ""


@click.command("sniff")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--map", "map_file", metavar="MAP", type=click.Path(path_type=Path), help="Read it by this map."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the draft of a map there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_sniff(
    context: Context, path: Path, map_file: Path | None, output: Path | None, as_json: bool
) -> int:
    """Say what FILE is, and why; nothing is kept.

    For a file of no known format the draft of a map is printed (or written with -o): where the task, the
    steps and the verdict seem to stand. `reviewer import --map MAP FILE` reads by it.
    """
    found = look(path, map_file)
    if found.map and output is not None:
        text = found.map
        output = writing.spared(output, settings.store_path(context.store), force=None)
        writing.to_file(output, lambda target: target.write(text.encode()))
    if as_json:
        out.show_json({name: getattr(found, name) for name in Found.__dataclass_fields__})
    else:
        _tell(path, found, output)
    return int(bool(found.problem))


def look(path: Path, map_file: Path | None) -> Found:
    """Read the file as an import would."""
    from reviewer.cli.archiving import is_one
    from reviewer.importers.sketch import sketch, written

    if is_one(path):
        return Found(
            problem=f"{path}: a whole store, by `export store`; `reviewer import` takes it by its name"
        )
    try:
        importer, source = open_source(path, mapped(map_file))
    except NotATrace as error:
        return Found(problem=str(error))
    except InputError as error:
        found = Found(problem=str(error))
        with contextlib.suppress(InputError):
            if map := sketch(source_of(path)):
                found.map = written(map, path.name)
        return found
    return _read(importer, source)


def mapped(map_file: Path | None) -> Importer | None:
    """The importer that a map makes."""
    if map_file is None:
        return None
    from reviewer.importers.mapped import Mapped
    from reviewer.importers.maps import load

    return Mapped(load(map_file))


def _read(importer: Importer, source: Source) -> Found:
    found = Found(importer.FORMAT, importer.ABOUT, " ".join((importer.sniff.__doc__ or "").split()))
    known = dict.fromkeys(("traces", "children", "steps", "messages", "tool_calls", "labels"), 0)
    lacking = dict.fromkeys(("task", "model", "outcome", "task id", "attempt", "how it ended"), 0)
    try:
        for imported in importer.read(source):
            info = imported.trace.info
            found.ignored.update(imported.ignored)
            if info.parent_id:
                known["children"] += 1
                continue
            counts = (1, info.n_steps, info.n_messages, info.n_tool_calls, len(imported.labels))
            for name, count in zip(
                ("traces", "steps", "messages", "tool_calls", "labels"), counts, strict=True
            ):
                known[name] += count
            graded = plain(imported.outcomes)
            outcome = any(one.passed is not None or one.score is not None for one in graded)
            task_id = info.task_id and not info.meta.get("task_id_from")
            there = (
                info.task,
                info.model,
                outcome,
                task_id,
                info.attempt is not None,
                info.ended != "unknown",
            )
            for name, is_there in zip(lacking, there, strict=True):
                lacking[name] += not is_there
    except InputError as error:
        found.problem = str(error)
    found.counts = known
    found.missing = [f"{name} ({count} of {known['traces']})" for name, count in lacking.items() if count]
    found.warnings = [{"line": one.line, "reason": one.reason, "count": one.count} for one in source.notes()]
    return found


def _tell(path: Path, found: Found, output: Path | None) -> None:
    if found.format:
        out.show(f"{safe_line(str(path))}: {found.format}: {found.about}")
        out.show(f"why: {found.why or 'it was asked for'}")
        counts = (f"{name.replace('_', ' ')} {count}" for name, count in found.counts.items())
        out.show(f"gives: {', '.join(counts)}")
        out.show("missing: " + (", ".join(found.missing) or "nothing"))
        for where, reason in list(found.ignored.items())[:_SHOWN]:
            out.show(f"not read: {safe_line(where)}: {reason}")
        if len(found.ignored) > _SHOWN:
            out.show(f"not read: {len(found.ignored) - _SHOWN} more (--json lists them)")
        for warning in found.warnings:
            place = f"line {warning['line']}: " if warning["line"] else ""
            out.say_line(f"warning: {place}{warning['reason']} ({warning['count']} times)")
    if found.problem:
        out.say_line(found.problem)
    if not found.map:
        return
    if output is None:
        out.say("a draft of a map follows; save it, check it, and import with --map")
        out.show_as_it_is(found.map.rstrip())
    else:
        out.say(f"a draft of a map is in {output}; check it, and import with --map {output}")
