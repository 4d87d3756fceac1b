"""The central types: a trace, its steps, what they call and get back, and what the benchmark said.

Frozen values of the standard library only. Nothing here reads a file, knows a format, a store or a
screen. The words are those of ATIF (Agent Trajectory Interchange Format, v1.x): a step has a `source`
(system, user, agent); an agent step is a message, its reasoning, its tool calls and their results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, TypeAlias

from reviewer.values import dataclass

Json: TypeAlias = Any  # what `json.loads` returns; checked where it is read, never trusted
Source: TypeAlias = Literal["system", "user", "agent"]
Ended: TypeAlias = Literal["submitted", "limit", "timeout", "error", "refused", "user_stop", "unknown"]

SOURCES: tuple[Source, ...] = ("system", "user", "agent")
ENDED: tuple[Ended, ...] = ("submitted", "limit", "timeout", "error", "refused", "user_stop", "unknown")


def canonical(value: Json) -> bytes:
    """One spelling for one JSON value: sorted keys, no spaces, ASCII. What hashes are taken over."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def digest(value: Json) -> str:
    """64 hex digits of SHA-256 over the canonical JSON of `value`."""
    return _sha256(canonical(value)).hex()


def _sha256(data: bytes) -> bytes:
    import hashlib  # 2 ms of OpenSSL, which a first screen does not need

    return hashlib.sha256(data).digest()


def trace_id(identity: Json) -> str:
    """`t1-` and 32 hex digits: the id of the trace whose identifying source record is `identity`."""
    return "t1-" + digest(identity)[:32]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call that a step makes. `arguments` as the source gave them: an object, or a text left raw."""

    name: str
    arguments: Json = None
    id: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What came back for the call with id `call_id` (empty: the source does not say which).

    `error` is what the source flags as one, or a non-zero exit code; a person's "deny" is `denied`,
    not an error.
    """

    content: str = ""
    call_id: str = ""
    error: bool = False
    denied: bool = False
    exit_code: int | None = None


@dataclass(frozen=True, slots=True)
class Metrics:
    """Tokens as counted by the source, cost in US dollars; None where it does not say."""

    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a trace, numbered from 1; 0 is the summary page and no step.

    `source_ids` are the ids (or `#index`) of the source records folded into this step; the first is
    its stable id, which survives a better importer and a session that grows. `number` is the source's
    own numbering where it differs from `n`; `name` is who speaks, where several agents share a run. `kind`
    tells apart what is not a plain turn: `injected`
    (reminders, caveats, notices in a user's name), `compaction`, `notice` (something the harness said).
    `fault` is an error of the step itself (the provider failed, the reply could not be parsed).
    `extra` keeps what the importer did not understand, so that a person still sees it.
    """

    n: int
    source: Source
    message: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[Result, ...] = ()
    source_ids: tuple[str, ...] = ()
    number: str = ""
    name: str = ""
    kind: Literal["", "injected", "compaction", "notice"] = ""
    fault: bool = False
    at: str = ""
    seconds: float | None = None
    model: str = ""
    metrics: Metrics | None = None
    extra: Mapping[str, Json] = field(default_factory=dict)

    @property
    def error(self) -> bool:
        """Whether the step or one of its results is flagged as an error."""
        return self.fault or any(result.error for result in self.results)

    @property
    def stable_id(self) -> str:
        return self.source_ids[0] if self.source_ids else f"#{self.n}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the benchmark (or a later grader) said about one trace; `passed` None means unknown.

    `score` is kept as it is, fractions included. `detail` is the grader's own record. `origin` names
    where it was read (`file`, `report.json`, …).
    """

    passed: bool | None = None
    score: float | None = None
    detail: Json = None
    final_state: Json = None
    expected_state: Json = None
    origin: str = "file"

    @property
    def said_by(self) -> Literal["", "judge", "person"]:
        """Whose opinion of the run this is; empty: it is the benchmark's own verdict.

        An opinion is kept and shown, and decides nothing about `passed`. Importers say so in `origin`:
        it is `judge`, or begins with `human`, or ends as the tracing tools name it; a file's has a folder
        in front, whatever that is called.
        """
        if _PERSON.search(self.origin):
            return "person"
        notes = self.detail if isinstance(self.detail, list) else [self.detail]
        if self.origin == "annotations" and all(_by_code(note) for note in notes):
            return ""
        by_model = isinstance(self.detail, dict) and "llm_judge" in self.detail
        return "judge" if by_model or _JUDGE.search(self.origin) else ""


def plain(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """What the benchmark said, without anybody's opinion."""
    return tuple(outcome for outcome in outcomes if not outcome.said_by)


def _by_code(note: Json) -> bool:
    return isinstance(note, dict) and note.get("annotator_kind") == "CODE"


_PERSON = re.compile(r"^human [^/]*$|^corrections$|\((ANNOTATION|app)\)( #\d+)?$")
_JUDGE = re.compile(r"^judge( #\d+)?$|^annotations$| by a model$|\((EVAL|model|auto_eval|sums)\)( #\d+)?$")


@dataclass(frozen=True, slots=True)
class TraceInfo:
    """All about a trace but its steps. Counts: `n_steps` are ours; messages, calls as FORMATS counts.

    `started` is ISO 8601 in UTC, `seconds` the wall time, `cost` US dollars. `parent_id` names the
    trace this run is a sub-agent of, `parent_step` the stable id of the step that started it.
    `meta` holds what else is worth keeping (version, folder, entry point …); `task_id_from` in it says
    that nothing in the record names the task.
    """

    trace_id: str
    content_hash: str
    format: str
    importer: int = 1
    source_path: str = ""
    source_index: int = 0
    benchmark: str = ""
    task_id: str = ""
    task: str = ""
    model: str = ""
    agent: str = ""
    attempt: int | None = None
    ended: Ended = "unknown"
    n_steps: int = 0
    n_messages: int = 0
    n_tool_calls: int = 0
    n_errors: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    started: str = ""
    seconds: float | None = None
    parent_id: str = ""
    parent_step: str = ""
    revision: int = 1
    meta: Mapping[str, Json] = field(default_factory=dict)

    @property
    def task_key(self) -> tuple[str, str]:
        """What two attempts at one task share; a trace that names no task stands for itself."""
        named = self.task_id and not self.meta.get("task_id_from")
        return (self.benchmark, self.task_id) if named else ("", self.trace_id)


@dataclass(frozen=True, slots=True)
class Trace:
    """One attempt of one agent at one task.

    `raw` is the JSON text of the source record as it stood in the file (for JSON Lines: an array of
    its lines). `records` are 8-byte hashes of the conversation records in order, for formats whose
    files grow: the old ones being a prefix of the new ones makes a revision, not a new trace.
    """

    info: TraceInfo
    steps: tuple[Step, ...] = ()
    raw: str = "null"
    records: bytes = b""


def record_hashes(records: Sequence[Json]) -> bytes:
    """The `records` of a trace: 8 bytes of SHA-256 for each conversation record, joined."""
    return b"".join(_sha256(canonical(record))[:8] for record in records)


def renumbered(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same steps with `n` = 1, 2, …"""
    return tuple(replace(step, n=n) for n, step in enumerate(steps, 1))


@dataclass(frozen=True, slots=True)
class OutlineRow:
    """A step without its body: enough for a list of steps and for jumps. `size` is in bytes of the body."""

    n: int
    source: Source
    kind: str
    tools: str
    head: str
    n_calls: int
    error: bool
    at: str
    seconds: float | None
    size: int
    stable_id: str


HEAD = 160  # characters of a headline


def headline(step: Step) -> str:
    """One line for a list: what an agent does before what it says, and what it says before what it got."""
    called = "; ".join(filter(None, map(_called, step.calls[:4])))
    for candidate in (called, step.message, step.reasoning, *(result.content for result in step.results)):
        line = " ".join(candidate[: 4 * HEAD].split())
        if line:
            return line[:HEAD]
    return ""


def _tail_of_path(text: str) -> str:
    """A long path by its last parts, which tell it apart; any other text as it is."""
    if text.startswith("/") and len(text) > 40 and not any(map(str.isspace, text[: 2 * HEAD])):
        return "…/" + "/".join(text[: 2 * HEAD].split("/")[-2:])
    return text


def _called(call: ToolCall) -> str:
    """`ls -la`, `src/app.py`: the first text among the arguments; the name of the tool stands beside it."""
    arguments = call.arguments
    if isinstance(arguments, Mapping):
        texts = (value for value in arguments.values() if isinstance(value, str) and value.strip())
        return _tail_of_path(next(texts, ""))[: 2 * HEAD]
    return arguments[: 2 * HEAD] if isinstance(arguments, str) else ""
