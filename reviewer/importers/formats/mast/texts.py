"""Runs that MAST's sets keep as one text: logs of many frameworks, cut where a line begins a new entry.

What no rule can cut stays one step. The words are left as they are; who speaks is not guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from reviewer.importers.opening.values import as_dict, as_list, kind_of, parsed
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.talks import Talk
from reviewer.trace import Json

HEADS = tuple(
    re.compile(head, re.MULTILINE)
    for head in (
        r"^\[\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[^\]\n]{0,40}\]",  # ChatDev
        r"^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,\d]* ?(?:[|-]|\[)",  # MetaGPT, OpenManus
        r"^-{5,} ?[A-Za-z]\w* ?-{5,} *$",  # Magentic-One on a console
        r"^[A-Za-z]\w*(?: ?\([^()\n]{1,60}\))? \(to [A-Za-z]\w*\): *$",  # AG2 on a console
        r"^[A-Za-z][\w\-]* - (?:DEBUG|INFO|WARNING|ERROR) - ",  # HyperAgent
    )
)
TASK = re.compile(
    r"(?:^| [-|] )\W*"
    r"(?:task_prompt|problem_statement|problem statement|task|question|user request)"
    r"\W{0,4}[:=] *(\S.*)$",
    re.MULTILINE | re.IGNORECASE,
)


def pieces(text: str) -> list[str]:
    """The entries of a log: cut by the kind of head that the most lines have, two at least."""
    found = max(([match.start() for match in head.finditer(text)] for head in HEADS), key=len)
    if len(found) < 2:
        return [text] if text.strip() else []
    starts = found if not text[: found[0]].strip() else [0, *found]
    ends = [*starts[1:], len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def steps_of(said: Json, warn: Callable[[str], None]) -> tuple[Drafts, str, int]:
    """The steps, the task and the number of messages of a trajectory: messages, lines, or one text."""
    if isinstance(said, str) and said.lstrip()[:1] in ("[", "{"):
        value = parsed(said)
        inner = as_list(value) or as_list(as_dict(value).get("trajectory"))
        if inner and all(isinstance(item, dict) for item in inner):
            said = inner
    if isinstance(said, list) and not all(isinstance(item, str) for item in said):
        talk = Talk(said, warn)
        return talk.drafts, talk.task, len(said)
    text = "\n".join(said) if isinstance(said, list) else said
    if text is not None and not isinstance(text, str):
        warn(f"a trajectory that is {kind_of(text)} is shown as JSON")
        text = readable(text)
    drafts = Drafts()
    parts = pieces(text) if text else []
    for index, part in enumerate(parts):
        drafts.add(Draft("agent", [f"#{index}"], part.rstrip("\n")))
    found = TASK.search(text[:20_000]) if text else None
    return drafts, found[1].strip() if found else "", len(parts)
