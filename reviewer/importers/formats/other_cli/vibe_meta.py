"""What Mistral Vibe keeps beside the messages of a session: `meta.json`, or `metadata` in older ones.

Only where and with what the session ran; the identity of a trace does not hang on it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reviewer.importers.opening.beside import read_beside
from reviewer.importers.opening.values import as_dict, as_list, as_str, parsed
from reviewer.trace import Json

_LARGEST = 4_000_000
_KEPT = ("session_id", "title", "git_branch", "git_commit", "username", "parent_session_id")


def beside(path: Path) -> dict[str, Any]:
    """The file beside the messages; {} where there is none."""
    data = read_beside(path.parent / "meta.json", _LARGEST) if path.name == "messages.jsonl" else None
    return as_dict(parsed(data.decode(errors="replace"))) if data else {}


def about(meta: dict[str, Any]) -> tuple[str, dict[str, Json], list[Json]]:
    """The model, what a person may want to know, and the times at which the session began and ended."""
    config = as_dict(meta.get("agent_config")) or as_dict(meta.get("config"))
    active = as_str(config.get("active_model"))
    models = (as_dict(model) for model in as_list(config.get("models")))
    named = (as_str(model.get("name")) for model in models if active and model.get("alias") == active)
    kept = {key: meta[key] for key in _KEPT if meta.get(key)}
    if folder := as_dict(meta.get("environment")).get("working_directory"):
        kept["cwd"] = folder
    times = [meta.get("start_time"), meta.get("end_time")]
    return next(filter(None, named), "") or active, kept, times


def tokens(meta: dict[str, Any]) -> dict[str, Json]:
    """The tokens of the whole session, under the names that the heads of other sessions have."""
    stats = as_dict(meta.get("stats"))
    names = {"input_tokens": "session_prompt_tokens", "output_tokens": "session_completion_tokens"}
    return {key: stats.get(name) for key, name in names.items()}
