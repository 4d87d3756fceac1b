"""The spans of a file that is too large to be held, put aside by their traces and taken back trace by trace.

A line of JSON Lines whose spans are all of one trace stays a line; of any other each span is put aside with
the resource and the scope around it. Knows no dialect.
"""

from __future__ import annotations

from dataclasses import replace

from reviewer.importers.base import Line, Source
from reviewer.importers.opening.loading import lenient
from reviewer.importers.opening.shelf import Shelf
from reviewer.importers.opening.values import kind_of
from reviewer.importers.shapes.spans.shapes import decoded, found_in, is_loose, trace_of, walk
from reviewer.importers.shapes.spans.span import Span


class Shelved:
    """The spans of one file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._shelf = Shelf(source)
        self.mixed: set[int] = set()  # lines with spans of several traces
        self._place = 0
        loose = True
        empty: list[tuple[int, str]] = []
        for line, value, text in walk(source):
            every = list(found_in(value))
            loose = loose and all(is_loose(span) for span, _ in every)
            names = {trace_of(span) for span, _ in every}
            if line and len(names) == 1:
                self._shelf.put(names.pop(), line, [self._place, text])
            else:
                for number, (span, home) in enumerate(every, self._place):
                    bare = {key: item for key, item in span.items() if key != "child_spans"}
                    self._shelf.put(trace_of(span), line, [number, "", bare, home])
                self.mixed |= {line} if line and every else set()
            self._place += len(every)
            empty += [] if every else [(line, kind_of(value) if not isinstance(value, dict | list) else "")]
        # One trace is a whole, and so is a dump whose spans only the file ties.
        self.several = len(self._shelf.names()) > 1 and not loose
        for line, kind in empty if self.several else ():
            what = f"is {kind}, not an object" if kind else "holds no span"
            source.warn(f"a record that {what} is not shown", line)

    def names(self) -> list[str]:
        """The ids of the traces, in the order in which they begin."""
        return self._shelf.names()

    def take(self, name: str) -> tuple[Source, list[Span]]:
        """The spans of one trace, and a source with no other lines than those that are of it alone."""
        lines: list[Line] = []
        found: list[Span] = []
        for number, (place, text, *alone), _ in self._shelf.take(name):
            inner = [tuple(alone)] if alone else found_in(lenient(text))
            lines += [] if alone else [Line(number, text)]
            found += [decoded(span, home, at, number) for at, (span, home) in enumerate(inner, place)]
        return replace(self._source, lines=tuple(lines)), found
