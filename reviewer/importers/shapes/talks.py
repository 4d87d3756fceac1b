"""Talks among agents, a message each: Magentic-One's logs and AutoGen's group chats, folded into steps.

In a log of Magentic-One the role names the speaker (`WebSurfer`, `Orchestrator (thought)`); in a group chat
`name` does, and the role says nothing (each agent calls itself the assistant). What a terminal answers is
the result of whoever spoke before. Knows no set and no label.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import as_code, as_dict, as_str, kind_of, shown
from reviewer.importers.shapes.content import text_of
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Ended, Json, Result

# `Orchestrator (thought)`, `Orchestrator (-> WebSurfer)`: how Magentic-One names who speaks, and how.
DIRECTED = re.compile(r"\A(?P<who>\w[\w .\-]*?) \((?P<how>thought|-> ?[^()]+|termination condition)\)\Z")
PEOPLE = {"human", "user", "user_proxy", "userproxy"}
TERMINALS = {"computer_terminal", "computerterminal"}
NO_CODE = "There is no code from the last"
EXIT = re.compile(r"\Aexitcode: (-?\d+)|then exited with Unix exit code: (-?\d+)")
PROMPT = "You are given: (1) a task"
# The agents that Magentic-One has.
TEAM = {
    "orchestrator": "orchestrator",
    "websurfer": "web_surfer",
    "filesurfer": "file_surfer",
    "assistant": "assistant",
    "computerterminal": "computer_terminal",
}
# What Magentic-One's console wrote last.
ANSWER = re.compile(r"^FINAL ANSWER: *(.*)$", re.MULTILINE)
CRASH = re.compile(r"^SCENARIO\.PY EXITED WITH CODE: (?!0\b)-?\d+", re.MULTILINE)


def magentic(records: Json) -> bool:
    """Whether this is a log of Magentic-One: roles that name a speaker, and how it speaks."""
    if not isinstance(records, list) or not records:
        return False
    roles = [as_str(as_dict(record).get("role")) for record in records[:40]]
    return any(DIRECTED.match(role) for role in roles) and not any("name" in as_dict(r) for r in records[:40])


class Talk:
    """Reads the messages once, in order. A step's ids are the places (`#0`, …) of its messages."""

    def __init__(
        self, records: list[Json], warn: Callable[[str], None], drafts: Drafts | None = None
    ) -> None:
        self.warn = warn
        self.drafts = drafts or Drafts()
        self.task = ""
        for index, record in enumerate(records):
            if isinstance(record, dict):
                self._message(record, index)
            else:
                warn(f"a message that is {kind_of(record)} is shown as it stands")
                self._add(Draft("agent", [f"#{index}"], shown(record) or "null"), index)

    def _message(self, record: dict[str, Any], index: int) -> None:
        role, name = shown(record.get("role")), shown(record.get("name"))
        speaker = name or role
        content = record.get("content")
        text = _text(content, self.warn)
        extra = {key: item for key, item in record.items() if key not in ("content", "role", "name")}
        if _plain(speaker) in TERMINALS:
            self._terminal(text, speaker, extra, index)
            return
        draft = Draft("agent", [f"#{index}"], name=speaker, extra=extra)
        if name and role and role not in ("assistant", "user"):
            draft.extra["role"] = role
        how = directed["how"] if (directed := DIRECTED.match(speaker)) else ""
        if how == "thought":
            draft.think(text)
        else:
            draft.say(text)
        if how == "termination condition":
            draft.source, draft.kind = "system", "notice"
        elif role == "system":
            draft.source = "system"
        elif _plain(speaker) in PEOPLE or (text.startswith(PROMPT) and not self.task):
            draft.source = "user"
            self.task = self.task or text
        self._add(draft, index)

    def _terminal(self, text: str, speaker: str, extra: dict[str, Json], index: int) -> None:
        """What came back from running the code of whoever spoke before, or that there was none to run."""
        if text.startswith(NO_CODE):
            draft = Draft("system", [f"#{index}"], text, kind="notice", name=speaker, extra=extra)
            self._add(draft, index)
            return
        found = EXIT.search(text[:200])
        code = as_code(found[1] or found[2]) if found else None
        result = Result(text, error=bool(code), exit_code=code)
        last = self.drafts.last
        if last is None or last.source != "agent" or last.reasoning:
            last = self._add(Draft("agent", [f"#{index}"], name=speaker), index)
        else:
            last.ids.append(f"#{index}")
            last.number = f"{last.number.partition('–')[0]}–{index}"
        last.results.append(result)
        if extra:
            last.extra[f"result #{index}"] = extra

    def _add(self, draft: Draft, index: int) -> Draft:
        draft.number = str(index)
        return self.drafts.add(draft)


def _text(content: Json, warn: Callable[[str], None]) -> str:
    """What was said; some sets keep a message as a list of its lines."""
    if isinstance(content, list) and all(isinstance(line, str) for line in content):
        return "\n".join(content)
    return text_of(content, warn)


def _plain(speaker: str) -> str:
    return speaker.strip().lower().replace(" ", "_")


def ended(records: list[Json]) -> Ended:
    """How a log of Magentic-One, or a group chat, stopped: what its last message says."""
    last = as_dict(records[-1]) if records else {}
    text = as_str(last.get("content"))
    if CRASH.search(text):
        return "error"
    if text.startswith("Max rounds"):
        return "limit"
    if text.startswith("Max time"):
        return "timeout"
    return "submitted" if ANSWER.search(text) or text.rstrip().endswith("TERMINATE") else "unknown"


def answer(records: list[Json]) -> str:
    """The final answer that the console of Magentic-One wrote last; "" where there is none."""
    last = as_dict(records[-1]) if records else {}
    found = ANSWER.search(as_str(last.get("content")))
    return found[1].strip() if found else ""


BENCHMARKS = (
    (re.compile(r"\A[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z"), "GAIA"),
    (re.compile(r"\A[0-9a-f]{64}\Z"), "AssistantBench"),
)


def benchmark(task_id: str) -> str:
    """GAIA names its tasks by UUIDs, AssistantBench by 64 hex digits; the sets take tasks of these two."""
    return next((name for shape, name in BENCHMARKS if shape.match(task_id)), "")


def agent_of_team(name: str) -> str:
    """Which agent of Magentic-One this is, however it is spelled; "" for any other."""
    return TEAM.get(re.sub(r"[^a-z]", "", name.lower()), "")
