"""Whether a file that was not there was opened later all the same: by its name, or at its address.

Not known: whether what was opened is read to the end.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

from reviewer.facts.texts import ends
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step

_LOCAL = re.compile(r"^Address: ?file:\S*?([^/\s]+)\s*$", re.MULTILINE)
_PAGE = re.compile(r"\]\((https?://[^\s()]{1,500})\)")
_FAILED = re.compile(r"\berror 404\b|\b(?:file|page) not found\b", re.IGNORECASE)
_DOCUMENT = re.compile(r"\bpdf\b", re.IGNORECASE)
_HEAD = 2_000  # characters of a step in which it says what it opened


def reopened(scene: Scene, name: str, first: int, last: int) -> bool:
    """Whether a later step opens a file of this name, or the document that was opened at an address before
    the file was first missing.
    """
    before = {page for step in scene.trace.steps[: first - 1] for page in _documents(step)}
    for step in scene.trace.steps[last:]:
        text = ends(step.message)[:_HEAD]
        if step.source != "agent" or step.kind or _FAILED.search(text):
            continue
        if any(unquote(unquote(found)) == name for found in _LOCAL.findall(text)):
            return True
        if before & _documents(step):
            return True
    return False


def _documents(step: Step) -> set[str]:
    """The addresses that a step opened as a document: its first line or the address says so."""
    if step.source != "agent" or step.kind:
        return set()
    text = step.message.strip()[:_HEAD]
    line = text.partition("\n")[0]
    return {page for page in _PAGE.findall(text) if _DOCUMENT.search(line) or _DOCUMENT.search(page)}
