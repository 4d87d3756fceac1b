"""The facts of a trace as values: each with its step and, where it helps, verbatim words.

A fact never says whether something was right. What each does not know stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass

from reviewer.facts.compared import Compared
from reviewer.facts.failures import FailedCheck
from reviewer.facts.gaps import Gap
from reviewer.facts.patches import Change, PatchedFile
from reviewer.facts.programs import CheckKind
from reviewer.facts.results import CheckState, ErrorKind
from reviewer.facts.states import StateDiff


@dataclass(frozen=True, slots=True)
class Write:
    """A call that changes something. Not known: whether a byte really changed; writes inside scripts
    that the trace does not show; writes by tools with names that do not tell.

    `failed` is what its result says; `reply` is the first line of the result. `api`: it went to a named
    function of the task's world (an order, a booking), so that no test could have been run on it.
    `tidy`: it only removes files that the run itself had made.
    """

    step: int
    tool: str
    call: str
    target: str = ""
    failed: bool = False
    reply: str = ""
    api: bool = False
    tidy: bool = False

    @property
    def counts(self) -> bool:
        """Whether it may have changed what the run leaves: it did not fail, and is no tidying up."""
        return not self.failed and not self.tidy


@dataclass(frozen=True, slots=True)
class Check:
    """A run of tests, a build, a linter, a check script, a request or a server start.

    `vacuous`: it ran and checked nothing (no tests found, only a server started). Not known: whether
    the check tests what the task asks. `unknown`: neither words nor exit code tell.
    """

    step: int
    kind: CheckKind
    call: str
    state: CheckState
    quote: str = ""
    after_last_write: bool = False

    @property
    def checked(self) -> bool:
        return self.state in ("passed", "failed")


@dataclass(frozen=True, slots=True)
class Error:
    """A result flagged as an error, with a non-zero exit code, or that begins by naming one; a step that
    is flagged as one; a last step that ends in a traceback.

    `recovered` is the step of a later call of the same tool that went through, on the same `target`
    or (`same_target` false) on another within ten steps; where the error says that something is not there,
    only on one of that name. Where the call was given an identifier, another tool may do it, but on that
    thing only. The same call that raises another error has put the first one right. A fault of
    provider or harness is over with the next turn of the agent, an error that answers no call with the next
    result within ten steps that is none. Not known: whether that later call did what the first was meant to,
    and errors that the output neither flags nor begins with. A failed check is an error too. `kind`:
    environment and human go by the words of the message. `status` is the file's word for a reply that the
    harness could not take; then the quote is only how that reply begins.
    """

    step: int
    kind: ErrorKind
    tool: str
    quote: str
    target: str = ""
    recovered: int | None = None
    same_target: bool = False
    status: str = ""


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same call, with equal arguments and an equal result, at `steps`; no write in between, unless
    the call itself writes.

    Not known: whether the agent had reason to look again (waiting for something, say).
    """

    steps: tuple[int, ...]
    tool: str
    call: str
    failed: bool
    reply: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """Words at a step, verbatim and whole."""

    step: int
    quote: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A path that calls wrote to, and what became of it over the run.

    Not known: the content; changes that were undone by hand; paths that scripts or variables name; `created`
    where neither the tool nor its reply says so. A relative name is taken for the absolute one that ends so.
    """

    path: str
    steps: tuple[int, ...]
    change: Change = "changed"

    @property
    def removed(self) -> bool:
        return self.change == "removed"


@dataclass(frozen=True, slots=True)
class Patch:
    """The net change of the files as the trace itself holds it, in step `step`, as a unified diff.

    It is the last one of the run: what was submitted, or what a `git diff` after the last write printed.
    Not known: whether that `git diff` was narrowed to some files; changes that no diff shows (ignored files).
    """

    step: int
    text: str
    files: tuple[PatchedFile, ...]


@dataclass(frozen=True, slots=True)
class Used:
    """A tool and how often it was called; `errors` counts results that are errors, as `Error` tells them.

    `first_error` is the step of the first of those. Not known: calls that a script or a sub-agent made.
    """

    tool: str
    calls: int
    errors: int
    first: int
    first_error: int | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What can be computed from a trace and its outcomes, without a verdict.

    `claim` are the agent's last words that are more than a pleasantry, or what the run handed in (see
    `claim`), then at the step that shows it; they may be no claim at all.
    `unanswered` are steps with more calls than results, calls aside that end a run. `user_turns` are
    the real user turns after the first; injected text is not among them. `passed` is None when unknown or
    when outcomes differ. `gaps` are the longest first, `tools` the most used first. `states` and `compared`
    are two views of one thing: by path for programs, and as lines for reading.
    """

    writes: tuple[Write, ...] = ()
    checks: tuple[Check, ...] = ()
    errors: tuple[Error, ...] = ()
    repeats: tuple[Repeat, ...] = ()
    compactions: tuple[int, ...] = ()
    unanswered: tuple[int, ...] = ()
    claim: Said | None = None
    user_turns: tuple[Said, ...] = ()
    changed: tuple[Changed, ...] = ()
    states: tuple[StateDiff, ...] = ()
    compared: tuple[Compared, ...] = ()
    failed_checks: tuple[FailedCheck, ...] = ()
    patch: Patch | None = None
    gaps: tuple[Gap, ...] = ()
    tools: tuple[Used, ...] = ()
    passed: bool | None = None
    first_action: int | None = None
    last_agent: int | None = None

    @property
    def last_write(self) -> Write | None:
        """The last write that its result does not call failed and that is no tidying up."""
        return next((write for write in reversed(self.writes) if write.counts), None)

    @property
    def checks_after(self) -> tuple[Check, ...]:
        """The checks run after the last write (all of them if nothing was written)."""
        return tuple(check for check in self.checks if check.after_last_write)

    @property
    def unrecovered(self) -> tuple[Error, ...]:
        return tuple(error for error in self.errors if error.recovered is None)

    @property
    def failing(self) -> tuple[Check, ...]:
        """Each distinct check whose last run failed, unless the same kind passed whole after it.

        Not known: whether a later run with other words covers the failed one.
        """
        last: dict[tuple[str, str], Check] = {}
        for check in self.checks:
            if check.state in ("passed", "failed"):
                last[check.kind, check.call] = check
        newest_pass = {check.kind: check.step for check in self.checks if check.state == "passed"}
        return tuple(
            check
            for check in last.values()
            if check.state == "failed" and newest_pass.get(check.kind, 0) < check.step
        )

    def said_after(self, step: int) -> Said | None:
        """What the user said next after this step."""
        return next((turn for turn in self.user_turns if turn.step > step), None)
