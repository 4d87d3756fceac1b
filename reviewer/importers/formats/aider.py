"""aider's chat history: Markdown in which a file holds the sessions of a folder, one after the other.

A file is one trace: nothing in it names a session. What a line is shows only by how it begins, and an answer
may hold headings and quotes of its own; a line of the user begins with `####` and stands after a status line
or ends with two spaces, as aider writes it. Edits are calls; the words around them are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.opening.values import dumped, iso, moment
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.sums import totals
from reviewer.importers.shapes.task_ids import FILE, MARK
from reviewer.trace import Ended, Metrics, Result, ToolCall, Trace, TraceInfo, digest, record_hashes, trace_id

FORMAT = "aider"
ABOUT = "aider's chat history: all sessions of a folder, a trace (`.aider.chat.history.md`)"
VERSION = 1
GRADER_FIELDS: tuple[str, ...] = ()
IGNORED: dict[str, str] = {}

Part = Literal["", "status", "user", "agent"]
HEADER = re.compile(r"^# aider chat started at (.*)$", re.MULTILINE)
MARKS = re.compile(
    r"^(?:####? .*  |> (?:Applied edit to |Tokens: |Aider v|Main model: |Model: ).*)$", re.MULTILINE
)
MODEL = re.compile(r"^(?:Main model|Models?): (\S+?),?(?: with |$|,)")
TOKENS = re.compile(r"^Tokens: ([\d.,]+)([kM]?) sent,.*?([\d.,]+)([kM]?) received")
COST = re.compile(r"Cost: \$([\d.]+)")
EDIT = "Applied edit to "
FAULT = re.compile(
    r"^(?:litellm\.\w*Error|The LLM did not conform|\d+ SEARCH/REPLACE blocks? failed|# \d+ SEARCH/REPLACE)"
)
STOP = "^C KeyboardInterrupt"
# Commands whose words are a request, and no list of files.
REQUESTS = ("/ask", "/code", "/architect", "/copy-context")
FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
SCALE = {"": 1, "k": 1000, "M": 1_000_000}


def sniff(source: Source) -> bool:
    """A text in which a chat of aider starts, or, begun mid-way, in which aider says what it did."""
    if not source.is_text:
        return False
    return HEADER.search(source.text) is not None or len(MARKS.findall(source.text[:200_000])) >= 3


def read(source: Source) -> Iterator[Imported]:
    """The one trace of the file."""
    if not source.is_text or not source.text.strip():
        raise InputError(f"{source.path}: no chat history of aider: it is not Markdown")
    lines = source.text.splitlines()
    history = History(lines)
    steps = history.drafts.steps()
    kept = [line for line in lines if line.strip()]
    times = [when for when in history.times if when]
    info = TraceInfo(
        trace_id=trace_id([FORMAT, *_beginning(lines)]),
        content_hash=digest(source.text),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        task_id=source.path.name,
        task=history.task or history.first,
        model=history.model,
        agent="aider",
        ended=_ended(kept),
        n_messages=sum(line.startswith("####") for line in lines),
        n_tool_calls=sum(line.startswith(f"> {EDIT}") for line in lines),
        **totals(steps),
        started=times[0] if times else "",
        meta={MARK: FILE, "sessions": history.sessions},
    )
    yield Imported(Trace(info, steps, dumped(source.text), record_hashes(kept)), ignored=IGNORED)


def _beginning(lines: list[str]) -> list[str]:
    """The first lines that stand together: they stay when more is written at the end."""
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    return text.partition("\n\n")[0].split("\n")


def _ended(lines: list[str]) -> Ended:
    last = next((line for line in reversed(lines) if line.strip("> ")), "")
    return "user_stop" if STOP in last else "unknown"


class History:
    """Reads the lines once, in order. A step's ids are the numbers of its first lines (`L7`)."""

    def __init__(self, lines: list[str]) -> None:
        self.drafts = Drafts()
        self.task = self.first = self.model = ""
        self.sessions = 0
        self.times: list[str] = []
        self.part: Part = ""
        self.answer: Draft | None = None  # what edits and tokens belong to
        self.fenced = False
        self.blank = 0
        self.held: list[str] = []
        self.at = 0
        for number, line in enumerate(lines, 1):
            self._line(line, number)
        self._close()

    def _line(self, line: str, number: int) -> None:
        if header := HEADER.match(line):
            self._close()
            self._session(header[1].strip(), number)
        elif not line.strip():
            self.blank += 1
            if self.part == "agent":
                self.held.append("")
        elif self._is_user(line):
            if self.part != "user" or self.blank:
                self._open("user", number)
            self.held.append(line[4:].strip())
        elif line.startswith(">") and (not self.fenced or self._telling(line)):
            self.fenced = False
            self._open("status", number)
            self._status(line[1:].strip(), number)
        else:
            if self.part != "agent":
                self._open("agent", number)
            self.fenced ^= FENCE.match(line) is not None
            self.held.append(line.rstrip())
        if line.strip():
            self.blank = 0

    def _is_user(self, line: str) -> bool:
        """A prompt: as aider ends its lines, or where no answer can be going on."""
        if not (line.startswith("#### ") or line.rstrip() == "####"):
            return False
        return line.endswith("  ") or (self.part != "agent" and not self.fenced)

    @staticmethod
    def _telling(line: str) -> bool:
        """Whether a quoted line is aider's even inside of what looks like a block of code left open."""
        return line.startswith((f"> {EDIT}", "> Tokens: "))

    def _open(self, part: Part, number: int) -> None:
        if part == "status" and self.part in ("agent", "status"):
            self._flush()
        elif part != self.part or part == "user":
            self._close()
        self.part = part
        if not self.held:
            self.at = number

    def _session(self, when: str, number: int) -> None:
        self.sessions += 1
        self.answer = None
        at = iso(when) if moment(when) else ""
        self.times.append(at)
        text = f"aider chat started at {when}"
        self.drafts.add(Draft("system", [f"L{number}"], text, kind="notice", at=at))
        self.part = "status"

    def _flush(self) -> None:
        """Put what was held into a step of its own."""
        text = "\n".join(self.held).strip("\n")
        self.held = []
        self.fenced = False
        if not text:
            return
        if self.part == "user":
            self.drafts.add(Draft("user", [f"L{self.at}"], text))
            self.answer = None
            self.first = self.first or text
            if not self.task and (asked := _asked(text)):
                self.task = asked
        else:
            self.answer = self.drafts.add(Draft("agent", [f"L{self.at}"], text, model=self.model))

    def _close(self) -> None:
        self._flush()
        self.part = ""

    def _status(self, text: str, number: int) -> None:
        """What aider itself says: the edits and the tokens of the answer before, else a notice."""
        if found := MODEL.match(text):
            self.model = self.model or found[1]
        last = self.drafts.last
        agent = self.answer
        if text.startswith(EDIT):
            agent = self.answer = agent or self.drafts.add(Draft("agent", [f"L{number}"], model=self.model))
            agent.call(ToolCall("apply_edit", {"path": text.removeprefix(EDIT)}, f"L{number}"))
            agent.results.append(Result(text, f"L{number}"))
            if f"L{number}" not in agent.ids:
                agent.ids.append(f"L{number}")
        elif agent and (found := TOKENS.match(text)):
            cost = COST.search(text)
            spent = Metrics(_tokens(found[1], found[2]), _tokens(found[3], found[4]), _number(cost))
            agent.metrics = agent.metrics or spent
            agent.extra["tokens" if agent.metrics is spent else f"tokens L{number}"] = text
        elif last is not None and last.kind == "notice":
            last.message += f"\n{text}"
            last.fault = last.fault or FAULT.match(text) is not None
        elif text:
            fault = FAULT.match(text) is not None
            self.drafts.add(Draft("system", [f"L{number}"], text, kind="notice", fault=fault))


def _tokens(number: str, unit: str) -> int | None:
    try:
        return round(float(number.replace(",", "")) * SCALE[unit])
    except ValueError:
        return None


def _number(found: re.Match[str] | None) -> float | None:
    try:
        return float(found[1]) if found else None
    except ValueError:
        return None


def _asked(text: str) -> str:
    """What a prompt asks for: a command asks for nothing, but some commands carry a request."""
    if not text.startswith(("/", "!")):
        return text
    command, _, rest = text.partition(" ")
    return rest.strip() if command in REQUESTS else ""
