"""From the spans of a file to its traces: one a trace id, in the order in which they begin in the file.

A talk that goes on over several traces stays several traces: each is one request and its answer, and they
share the `session` in their `meta`. What an earlier trace of the same talk was asked is not the task of the
later one. A dump whose spans name no parent and share no trace id is one trace: only the file ties them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.shelf import large
from reviewer.importers.shapes.spans.run import Form, Run
from reviewer.importers.shapes.spans.shapes import spans
from reviewer.importers.shapes.spans.shelved import Shelved
from reviewer.importers.shapes.spans.span import Span


def traces(source: Source, form: Form) -> Iterator[Imported]:
    """All traces of the file."""
    if large(source) and (shelf := Shelved(source)).several:
        yield from _one_by_one(source, form, shelf)
        return
    source.hold()
    every = spans(source)
    groups = _groups(source, every)
    once = [span for group in groups for span in group]
    dump = len(groups) == len(once) and all(span.loose for span in once)
    groups = [once] if dump and once else groups
    asked: dict[str, set[str]] = {}
    places = {(span.line, span.trace) for span in every}
    shared = Counter(line for line, _ in places)
    mixed = {line for line, count in shared.items() if count > 1}
    made = 0
    for group in groups:
        run = Run(source, form, group, mixed, dump)
        if not run.told:
            source.warn("a trace without a model, a tool or an agent in it is not imported", group[0].line)
            continue
        yield run.imported(made, len(groups) == 1, asked)
        made += 1
    if not made:
        raise InputError(f"{source.path}: no trace in it: no span tells of a model, a tool or an agent")


def _one_by_one(source: Source, form: Form, shelf: Shelved) -> Iterator[Imported]:
    """The traces of a file that is too large to be held: the spans of one are in memory at a time."""
    asked: dict[str, set[str]] = {}
    made = 0
    for name in shelf.names():
        own, every = shelf.take(name)
        (group,) = _groups(source, every)
        run = Run(own, form, group, shelf.mixed, dump=False)
        if not run.told:
            source.warn("a trace without a model, a tool or an agent in it is not imported", group[0].line)
            continue
        yield run.imported(made, False, asked)
        made += 1
    if not made:
        raise InputError(f"{source.path}: no trace in it: no span tells of a model, a tool or an agent")


def _groups(source: Source, every: Iterable[Span]) -> list[list[Span]]:
    """The spans of each trace, each span once."""
    groups: dict[str, dict[str, Span]] = {}
    for span in every:
        group = groups.setdefault(span.trace, {})
        before = group.get(span.source_id)
        if before is not None:
            same = before.record == span.record
            source.warn(
                f"a span that stands twice is shown once{'' if same else ', the later one'}", span.line
            )
        group[span.source_id] = span
    return [list(group.values()) for group in groups.values()]
