"""Inspect logs, written by hand for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.importers.reading import zipped

HEADER = {
    "version": 2,
    "status": "success",
    "eval": {"run_id": "r", "eval_id": "e", "task": "t", "model": "v/m"},
}
HASH = "0123456789abcdef0123456789abcdef"


def message(role: str, content: Any, id: str = "", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **({"id": id} if id else {}), **more}


def sample(id: Any = 1, **more: Any) -> dict[str, Any]:
    talk = [message("user", "Q?", source="input"), message("assistant", "A", "m2", source="generate")]
    return {
        "id": id,
        "epoch": 1,
        "input": "Q?",
        "target": "A",
        "messages": talk,
        "output": {"choices": [{"stop_reason": "stop"}]},
        "scores": {"match": {"value": "C"}},
        **more,
    }


def log(folder: Path, *samples: Any, name: str = "x.eval", **members: Any) -> Path:
    parts = {f"samples/{item['id']}_epoch_{item['epoch']}.json": item for item in samples}
    path = folder / name
    path.write_bytes(zipped({"_journal/start.json": HEADER, **parts, "header.json": HEADER, **members}))
    return path
