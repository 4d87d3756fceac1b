"""The `reviewer` command: one group, each command imported only when it is called.

Parses, calls, prints; everything is wired here. Exit status: 0 done, 1 an error of ours (one clear
line), 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import sys
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

import click

from reviewer import __version__
from reviewer.cli.context import Context
from reviewer.cli.folding import folded
from reviewer.errors import ReviewerError
from reviewer.text import safe, safe_line

# name: (module, one line for the list of commands); the function in the module is called `command_NAME`
COMMANDS: dict[str, tuple[str, str]] = {
    "sniff": ("sniffing", "Say what a file is and why; for an unknown one, draft a map to read it by."),
    "import": ("importing", "Bring traces into the store: files, folders, globs, or - for standard input."),
    "plan": ("planning", "How many traces two people have to label, for an interval of kappa."),
    "assign": ("assigning", "Draw who labels what in a round; tell how far everybody is."),
    "label": ("labelling", "Open the review screen (on PATH… imports what is new first)."),
    "codes": ("coding", "Open coding: the notes of a round, in groups; a taxonomy drafted from them."),
    "annotate": ("annotating", "Give a trace a label without a screen."),
    "suggest": ("suggesting", "Let a machine suggest a mode for the traces that lack one."),
    "status": ("looking", "Count what the store holds."),
    "traces": ("looking", "List the traces."),
    "show": ("showing", "Print one trace, one step, or the source record."),
    "search": ("searching", "Find words in all traces, with the step and the line."),
    "history": ("showing", "Print everything that was ever said about a trace."),
    "suggesters": ("measuring", "How good each suggester is against blind labels, by version."),
    "agreement": ("agreeing", "How far annotators agree, beyond chance."),
    "quality": ("working", "How a round was worked on: time, reading, suggestions taken, changes, drift."),
    "adjudicate": ("adjudicating", "Settle a disagreement."),
    "report": ("reporting", "What broke, and in what share, beside what was published."),
    "export": ("exporting", "Write the labelled set out."),
    "demo": ("demonstrating", "Make a store to try things on: samples, suggestions, labels of two people."),
    "annotators": ("peopling", "Who labelled what; which of them are one person."),
    "merge": ("merging", "Bring what other stores hold into this one."),
    "taxonomy": ("codebook", "Show, check, compare and amend taxonomies; take one into use."),
    "backup": ("keeping", "Copy the live store into a file."),
    "check": ("keeping", "Tell whether the store is sound."),
}


_UNWRITABLE = {errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EFBIG, errno.EBADF}


class Commands(click.Group):
    """A group that knows the names of its commands, and imports only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"reviewer.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"command_{cmd_name}")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):  # click looks for near ones among the imported
            from difflib import get_close_matches

            near = get_close_matches(name, COMMANDS)
            advice = f"did you mean {' or '.join(near)}?" if near else "`reviewer --help` lists them"
            raise click.UsageError(f"no such command {name!r:.60}; {advice}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="reviewer")
@click.option("--store", metavar="PATH", help="The store (else REVIEWER_STORE, else ./reviews.db).")
@click.option("--taxonomy", metavar="ID|FILE", help="The taxonomy to label under (default: six-modes).")
@click.pass_context
def group(ctx: click.Context, store: str | None, taxonomy: str | None) -> None:
    """Read what an AI agent did, decide how it failed, and prove that you agree.

    Start with `reviewer label PATH`, where PATH is a folder of traces.
    """
    ctx.obj = Context(store, taxonomy)
    if ctx.invoked_subcommand != "label":  # which turns it on when the first screen is painted
        gc.enable()


def main() -> None:
    """Run the command line; the only place where errors become lines and exit codes."""
    gc.disable()  # collecting while modules are imported only costs; commands that do much turn it on
    for name, way in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, Path(os.devnull).open(way))  # noqa: SIM115  # open to the end
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a character gets its number instead
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = run(sys.argv[1:])
    try:
        sys.stderr.flush()
    except OSError:  # its terminal has gone
        _drop(2)
    sys.exit(status)


def hoisted(arguments: list[str]) -> list[str]:
    """The arguments with `--store` and `--taxonomy` in front, where they belong, wherever they were typed."""
    front: list[str] = []
    rest = list(arguments)
    place = 0
    while place < len(rest) and rest[place] != "--":
        name, sign, _ = rest[place].partition("=")
        if name in ("--store", "--taxonomy"):
            taken = 1 if sign else 2
            front += rest[place : place + taken]
            del rest[place : place + taken]
        else:
            place += 1
    return front + rest


def run(arguments: list[str]) -> int:
    try:
        result = group.main(hoisted(arguments), prog_name="reviewer", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        usage = error.ctx.get_usage() + "\n" if isinstance(error, click.UsageError) and error.ctx else ""
        return _fail(usage, error.format_message(), 2)
    except ReviewerError as error:
        return _fail("", safe_line(str(error)), 1)
    except (click.Abort, KeyboardInterrupt):
        return _fail("", "interrupted; what was saved is saved", 130)
    except FileNotFoundError as error:
        if error.filename is not None or _here():  # not what is handled below
            raise
        return _fail("", "the current folder was deleted; go to another one (cd) and try again", 1)
    except BrokenPipeError:  # the reader of our output has gone (`| head`)
        _drop(1)
        return 141
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            raise
        _drop(1)
        return _fail("", f"the output cannot be written: {error.strerror}", 1)
    return result if isinstance(result, int) else 0


def _drop(number: int) -> None:
    """What is left in a buffer has nowhere to go; the interpreter would end with a failure of its own."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)


def _here() -> bool:
    """Whether the current folder still exists."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _fail(usage: str, message: str, status: int) -> int:
    click.echo(usage + folded(f"reviewer: {safe(message)}", sys.stderr), err=True)
    return status
