"""Other files that a session of Kimi's has: of the agent that started this one, and its twin.

Kimi Code keeps a folder for each agent and says in `state.json` who started whom; before, a sub-agent's
context lay beside its session's, named after it. Whether twins tell the same is not known here.
"""

from __future__ import annotations

import re
from pathlib import Path

from reviewer.errors import InputError
from reviewer.importers.base import Source
from reviewer.importers.opening.beside import plain_name, read_beside
from reviewer.importers.opening.decode import decode
from reviewer.importers.opening.values import as_dict, as_str, parsed

_CHILD = re.compile(r"\A(?P<session>.+)_[A-Za-z][\w-]*_\d+\Z")


def wire_parent(path: Path) -> Source | None:
    """The wire of the agent that started the one in `path`: `agents/<agent>/wire.jsonl`."""
    agent, agents = path.parent.name, path.parent.parent
    if agents.name != "agents" or agent == "main":
        return None
    told = as_dict(parsed(_text(agents.parent / "state.json")))
    above = as_str(as_dict(as_dict(told.get("agents")).get(agent)).get("parentAgentId")) or "main"
    if above == agent or not plain_name(above):
        return None
    return _source(agents / above / path.name)


def context_parent(path: Path) -> Source | None:
    """The context of the session that a sub-agent's context is named after: `<session>_<name>_<n>.jsonl`."""
    found = _CHILD.match(path.stem)
    return _source(path.with_name(f"{found['session']}.jsonl")) if found else None


def twin(path: Path) -> Source | None:
    """The wire beside a context, or the context beside a wire."""
    names = {"context.jsonl": "wire.jsonl", "wire.jsonl": "context.jsonl"}
    return _source(path.with_name(names[path.name])) if path.name in names else None


def _source(path: Path) -> Source | None:
    data = read_beside(path)
    try:
        return decode(path, data) if data else None
    except InputError:
        return None


def _text(path: Path) -> str:
    return (read_beside(path) or b"").decode(errors="replace")
