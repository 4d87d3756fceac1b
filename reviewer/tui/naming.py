"""What a trace is called on one line: the id of its task, and what the task says where that id says nothing.

Foreign text, made one line of; whoever paints it makes it inert.
"""

from __future__ import annotations

import re

from reviewer.trace import TraceInfo

_WORDS = 40  # characters of the task
_MUTE = re.compile(
    r"[\W\d_]*|default|(?:task|test|id|item|row|sample)?[\W_]*\d+|"
    r"(?:[a-z]{2,7}_)?(?=[^_]*\d)[0-9a-z]{20,}|"  # of a session, as a random number is written
    r"[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}|(?=.*\d)[0-9a-f]{12,}",
    re.IGNORECASE,
)


def called(info: TraceInfo) -> str:
    """`django-12345`, `55 · Book a flight to …`, or the id of the trace."""
    return in_a_line(info.task_id, info.task) or info.trace_id


def in_a_line(task_id: str, task: str) -> str:
    """The same of the id and the text of a task; empty where both are."""
    id = " ".join(task_id[:400].split())
    if id and not _MUTE.fullmatch(id):
        return id
    words = " ".join(task[:400].split())
    if len(words) > _WORDS:
        words = words[:_WORDS].rstrip() + "…"
    shown = f"{id[:8]}…" if len(id) > 12 else id
    return " · ".join(part for part in (shown, words) if part)
