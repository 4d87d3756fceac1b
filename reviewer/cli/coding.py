"""`codes`: open coding. The notes of a round, in groups; a taxonomy drafted from them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from reviewer import settings
from reviewer.cli import out, told, writing
from reviewer.cli.context import Context, now
from reviewer.cli.lists import text_of
from reviewer.counting import count
from reviewer.label import ExposureKind
from reviewer.study import coding, coding_files
from reviewer.study.coding import Group, Note
from reviewer.study.known_rounds import there
from reviewer.trace import Json

if TYPE_CHECKING:
    from reviewer.store import Store

F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(dir_okay=False, path_type=Path)


def _who(command: F) -> F:
    """The options of every command here."""
    named = click.option(
        "--as",
        "name",
        metavar="NAME",
        help="What NAME may see: of traces without their label, own notes only.",
    )
    numbered = click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
    return numbered(named(command))


@click.group("codes", invoke_without_command=True)
@_who
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_context
def command_codes(ctx: click.Context, name: str | None, round: int | None, as_json: bool) -> int:
    """Open coding: notes without a mode, in groups that may become modes.

    Write notes while reading (`i` in the review screen, or `annotate TRACE --note TEXT`), put alike ones into
    groups here, and let `codes draft FILE` write a taxonomy to begin with.
    """
    if ctx.invoked_subcommand is not None:
        if name or round or as_json:
            raise click.UsageError(f"options go behind the command: codes {ctx.invoked_subcommand} …")
        return 0
    context: Context = ctx.obj
    with context.open_store() as store:
        number, found = _notes(context, store, name, round)
    made = coding.groups(found)
    if as_json:
        out.show_json({"round": number, "notes": len(found), "groups": [_group(one) for one in made]})
    else:
        _tell(number, found, made)
    return 0


@command_codes.command("group", short_help="Put notes into a group.")
@click.argument("code", metavar="NAME")
@click.argument("words", nargs=-1, metavar="[NOTE|GROUP]…")
@click.option("--with", "having", metavar="TEXT", default="", help="All notes that hold this text.")
@_who
@click.pass_obj
def group(
    context: Context, code: str, words: tuple[str, ...], having: str, name: str | None, round: int | None
) -> int:
    """Put notes (beginnings of ids, whole groups, or all --with a text) into the group NAME."""
    if not words and not having:
        raise click.UsageError("name the notes, or say --with TEXT")
    return _put(context, _named(code), words, having, name, round)


@command_codes.command("merge", short_help="Put the notes of groups into one; rename a group.")
@click.argument("words", nargs=-1, required=True, metavar="GROUP… INTO")
@_who
@click.pass_obj
def merge(context: Context, words: tuple[str, ...], name: str | None, round: int | None) -> int:
    """Put all notes of one or more groups into the last one named; with a new name there, rename."""
    if len(words) < 2:
        raise click.UsageError("name the groups to merge, and last the one that takes them")
    return _put(context, _named(words[-1]), words[:-1], "", name, round)


@command_codes.command("clear")
@click.argument("words", nargs=-1, required=True, metavar="NOTE|GROUP…")
@_who
@click.pass_obj
def clear(context: Context, words: tuple[str, ...], name: str | None, round: int | None) -> int:
    """Take notes, or all notes of a group, out of their group."""
    return _put(context, "", words, "", name, round)


@command_codes.command("export", short_help="Write the groups into a file, for your editor.")
@click.argument("file", type=_FILE)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@_who
@click.pass_obj
def export(context: Context, file: Path, force: bool, name: str | None, round: int | None) -> int:
    """Write the groups with their notes into FILE, for your editor."""
    with context.open_store() as store:
        _, found = _notes(context, store, name, round)
    _write(context, file, coding_files.written(coding.groups(found)), force)
    out.say(f"{file}: {count(len(found), 'note')}; edit it, then `reviewer codes import {file}`")
    return 0


@command_codes.command("import", short_help="Take the groups of an edited file back.")
@click.argument("file", type=click.Path(path_type=Path))
@_who
@click.pass_obj
def take(context: Context, file: Path, name: str | None, round: int | None) -> int:
    """Put the notes into the groups under which they stand in FILE; all of them, or none."""
    text = text_of(file)
    moved = 0
    with context.open_store() as store:
        _, found = _notes(context, store, name, round)
        placed = coding_files.read(text, str(file), found)
        for code in dict.fromkeys(code for _, code in placed):
            taken = [note for note, other in placed if other == code]
            moved += coding.put(store, taken, code, by=_by(name), now=now)
    out.show(f"{moved} of {count(len(placed), 'note')} moved")
    return 0


@command_codes.command("draft", short_help="Draft a taxonomy: a mode for each group.")
@click.argument("file", type=_FILE)
@click.option("--id", help="The id of the taxonomy (default: the name of the file).")
@click.option("--title", default="", help="Its title.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@_who
@click.pass_obj
def draft(
    context: Context, file: Path, id: str | None, title: str, force: bool, name: str | None, round: int | None
) -> int:
    """Draft a taxonomy: a mode for each group, with its notes, and four answers that are no failure."""
    from reviewer import taxonomy_file

    with context.open_store() as store:
        _, found = _notes(context, store, name, round)
    text = coding_files.drafted(coding.groups(found), id or coding_files.slug(file.stem), title)
    one = taxonomy_file.parse(text, str(file))  # what is written can be used
    _write(context, file, text, force)
    left = sum(not note.code for note in found)
    out.show(f"{file}: {count(len(one.modes), 'mode')}, hash {one.hash}")
    if left:
        out.say(f"{count(left, 'note', 'is', 'are')} in no group and not in it")
    return 0


def _named(text: str) -> str:
    name = coding.name_of(text)
    if name != text:
        out.say_line(f"white space in a name is one space: the group is called {name}")
    return name


def _put(
    context: Context, code: str, words: tuple[str, ...], having: str, name: str | None, round: int | None
) -> int:
    with context.open_store() as store:
        _, found = _notes(context, store, name, round)
        taken = coding.chosen(found, words, having)
        moved = coding.put(store, taken, code, by=_by(name), now=now)
        size = sum(note.code == code for note in _notes(context, store, name, round)[1])
    if code:
        out.show(f"{code}: {count(moved, 'note')} put there, {size} in it now")
    else:
        out.show(f"{count(moved, 'note')} taken out of their group")
    return 0


def _by(name: str | None) -> str:
    return settings.identity(name)[0]


def _notes(context: Context, store: Store, name: str | None, round: int | None) -> tuple[int, list[Note]]:
    """The round, and the notes that may be shown; that others' notes are shown to NAME is recorded first."""
    taxonomy = context.load_taxonomy(store)
    if name is None:
        number = there(store, round)
        return number, coding.notes(store, taxonomy, number)
    told.somebody(store, name)
    number = context.own_round(store, name, None, taxonomy) if round is None else there(store, round)
    desk = context.desk(store, name, number, taxonomy)
    found = coding.notes(store, taxonomy, number, desk.person)
    shown: dict[str, list[tuple[ExposureKind, str]]] = {}
    for note in found:
        if note.annotator != desk.person:
            shown.setdefault(note.trace_id, []).append(("peers", note.id))
    told.record(desk, name, shown)
    return number, found


def _write(context: Context, file: Path, text: str, force: bool) -> None:
    """The text as the file, whole or not at all; a store is never written over."""
    file = writing.spared(file, settings.store_path(context.store), force=force)
    writing.to_file(file, lambda target: target.write(text.encode()))


def _group(one: Group) -> Json:
    return {
        "code": one.code or None,
        "count": len(one.notes),
        "traces": list(one.traces),
        "notes": [
            {
                "id": note.id,
                "trace": note.trace_id,
                "step": note.step_n,
                "annotator": {"id": note.annotator, "name": note.name},
                "text": note.text,
            }
            for note in one.notes
        ],
    }


def _tell(round: int, found: list[Note], made: list[Group]) -> None:
    if not found:
        out.say(f"round {round}: no notes to show yet; write some with i while reading, before you label")
        return
    named = [one for one in made if one.code]
    grouped, traces = sum(len(one.notes) for one in named), len({note.trace_id for note in found})
    told = f"round {round}: {count(len(found), 'note')} on {count(traces, 'trace')}"
    out.show(f"{told}, {grouped} of them in {count(len(named), 'group')}")
    for one in named:
        out.show()
        out.show(f"{one.code}: {count(len(one.notes), 'note')} on {count(len(one.traces), 'trace')}")
        out.table([_row(note) for note in one.notes], ("", "note", "trace", "by", ""))
    loose = [one for one in made if not one.code]
    if loose:
        out.show()
        out.show("in no group:")
        rows = []
        for one in loose:
            first = one.notes[0]
            more = (
                f" ({len(one.notes)} notes, on {count(len(one.traces), 'trace')})"
                if len(one.notes) > 1
                else ""
            )
            rows.append((*_row(first)[:-1], first.line + more))
        out.table(rows, ("", "note", "trace", "by", ""))


def _row(note: Note) -> tuple[str, ...]:
    return "", note.id[: coding.SHORT], coding_files.where(note), note.name, note.line
