"""The net change of files over a run: the patch that the trace holds, and path by path what calls wrote.

What `model.Changed` and `model.Patch` say that they do not know is not known here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from reviewer.facts.calls import creates, is_api, paths_written, shell_commands
from reviewer.facts.model import Changed, Patch
from reviewer.facts.patches import Change, patched_files, unified
from reviewer.facts.writers import program_restores
from reviewer.trace import Result, Step, ToolCall

_NAMESAKES = 20
_NARROW = ("--stat", "--name-only", "--name-status", "--check", "--shortstat", "--numstat", "--summary")


@dataclass(slots=True)
class _Path:
    steps: list[int]  # none once it was brought back to what it was
    created: bool  # by this run, before anything else was done to it
    removed: bool = False
    was_there: bool = False  # the first thing done to it was to remove it


@dataclass(slots=True)
class Net:
    """Collects writes and patches step by step."""

    paths: dict[str, _Path] = field(default_factory=dict)
    last_write: int = 0
    _names: dict[str, list[str]] = field(default_factory=dict)
    _patch: tuple[int, str] | None = None

    def wrote(self, n: int, call: ToolCall, result: Result | None) -> tuple[tuple[str, bool], ...]:
        """A call wrote and did not fail: which paths, as far as it or its result tells."""
        reply = result.content if result is not None else ""
        found = paths_written(call, reply)
        created = creates(call, reply)
        for path, removed in found:
            known = self._known(path)
            if known is None:
                known = self.paths[path] = _Path([], created=created, was_there=removed)
                self._names.setdefault(path.rsplit("/", 1)[-1], []).append(path)
            known.steps.append(n)
            known.removed = removed
        for command in shell_commands(call):
            for path in program_restores(command):
                if (known := self._known(path)) is not None and not known.created:
                    known.steps, known.removed, known.was_there = [], False, True
        self.last_write = n if not is_api(call) else self.last_write
        return found

    def made(self, path: str) -> bool:
        """Whether the run itself began the path, so that removing it only tidies up."""
        known = self._known(path)
        return known is not None and not known.was_there

    def _known(self, path: str) -> _Path | None:
        """What is known of a path, or of one that may be the same: a shell names it from its folder."""
        if path in self.paths:
            return self.paths[path]
        short = path.removeprefix("./")
        for other in self._names.get(short.rsplit("/", 1)[-1], ())[:_NAMESAKES]:
            plain = other.removeprefix("./")
            if plain == short or plain.endswith("/" + short) or short.endswith("/" + plain):
                return self.paths[other]
        return None

    def look(self, step: Step) -> None:
        """Whether the step holds the patch that the run ends with."""
        if step.kind == "notice" or any(map(_submits, step.calls)):
            for text in (step.message, *(result.content for result in step.results)):
                self._take(step.n, text)
        for call in step.calls:
            if any(_shows_diff(command.words) for command in shell_commands(call)):
                for result in step.results:
                    self._take(step.n, result.content)

    def _take(self, n: int, text: str) -> None:
        if diff := unified(text):
            self._patch = (n, diff)

    @property
    def patch(self) -> Patch | None:
        """The last patch, unless something was written after it."""
        if self._patch is None or self._patch[0] < self.last_write:
            return None
        step, text = self._patch
        return Patch(step, text, patched_files(text))

    def changed(self) -> tuple[Changed, ...]:
        """Every path written, but those brought back since, or both begun and removed by the run."""
        return tuple(
            Changed(path, tuple(dict.fromkeys(one.steps)), _change(one))
            for path, one in self.paths.items()
            if one.steps and (one.was_there or not one.removed)
        )


def _change(path: _Path) -> Change:
    if path.removed:
        return "removed"
    return "created" if path.created else "changed"


def _submits(call: ToolCall) -> bool:
    return call.name.lower() == "submit" or any(c.program == "submit" for c in shell_commands(call))


def _shows_diff(words: list[str]) -> bool:
    """`git diff`, also of what is staged: of everything, as far as its words tell."""
    if words[:1] != ["git"] or "diff" not in words[1:4]:
        return False
    return not any(word in _NARROW for word in words)
