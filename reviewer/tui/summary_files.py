"""The files of a run on the summary page: its patch where the trace holds one, else what was written.

A folder that all paths share is said once. Not known: what sub-agents wrote, whose runs are traces of their
own. Texts are raw, whoever draws them makes them inert.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import commonpath, dirname
from typing import TYPE_CHECKING

from reviewer.counting import count
from reviewer.tui.summary_words import ROWS, one_line, steps_of
from reviewer.tui.widgets.part import Part

if TYPE_CHECKING:
    from reviewer.facts import Changed, Facts, Patch

_SMALL_PATCH = 24  # lines of a patch that stay open
_MARKS = {"created": "A", "changed": "M", "removed": "D"}


def net_parts(facts: Facts, *, alone: bool = True) -> Iterator[Part]:
    """The final net change of files: the patch if the trace holds it, else the paths.

    `alone`: the run has no sub-agents, which may have written more.
    """
    if facts.patch is not None:
        yield from _patch(facts.patch)
    elif facts.changed:
        yield from _written(facts.changed, alone)


def _written(changed: Sequence[Changed], alone: bool) -> Iterator[Part]:
    folder = shared_folder([one.path for one in changed])
    names = [one.path.removeprefix(folder) for one in changed]
    if folder and not all(one.path.startswith("/") for one in changed):  # told from the relative ones
        names = [f"…/{name}" if name != one.path else name for name, one in zip(names, changed, strict=True)]
    where = f", in {one_line(folder.rstrip('/'))}" if folder else ""
    who = "" if alone else " by this run itself"
    yield Part(f"files written to{who}: {len(changed)}{where}", "title", head=True)
    rows = list(zip(names, changed, strict=True))
    for name, one in rows[:ROWS]:
        style = {"created": "added", "removed": "removed"}.get(one.change, "text")
        line = f"  {_MARKS[one.change]} {one_line(name)}   {steps_of(one.steps)}"
        yield Part(line, style, target=one.steps[-1], hang=4)
    if len(rows) > ROWS:
        rest = (f"  {_MARKS[one.change]} {one_line(name)}" for name, one in rows[ROWS:])
        yield Part(f"  and {len(rows) - ROWS:,} more:", "key")
        yield Part("\n".join(rest), foldable=True, shut=True)


def shared_folder(paths: Sequence[str]) -> str:
    """The folder, with its last slash, of all absolute paths; empty for fewer than two, or for the root."""
    absolute = [path for path in paths if path.startswith("/")]
    if len(absolute) < 2:
        return ""
    folder = commonpath([dirname(path) for path in absolute]) + "/"
    return folder if folder.strip("/") else ""


def _patch(patch: Patch) -> Iterator[Part]:
    added, removed = sum(f.added for f in patch.files), sum(f.removed for f in patch.files)
    files = count(len(patch.files), "file")
    title = f"net change: {files}, +{added:,} −{removed:,}, as the diff of step {patch.step} has it"
    yield Part(title, "title", head=True, target=patch.step)
    for one in patch.files[:ROWS]:
        yield Part(f"  {_MARKS[one.change]} {one_line(one.path)}   +{one.added:,} −{one.removed:,}", hang=4)
    if len(patch.files) > ROWS:
        yield Part(f"  … and {count(len(patch.files) - ROWS, 'more file')}, in the diff", "fold")
    shut = patch.text.count("\n") > _SMALL_PATCH
    yield Part(patch.text.rstrip("\n"), "text", foldable=True, look="patch", shut=shut)
