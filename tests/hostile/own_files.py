"""Our own hostile inputs about files: names that lie, two layouts in one, bombs, numbers that are none."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable
from typing import Any

from tests.hostile.case import Case, Check


def cases(plain: Any, opening: Iterable[Check]) -> Iterable[Case]:
    """`plain` makes a plain trace, `opening` are the checks that every import passes."""
    colours = plain("\x1b[32m+added\x1b[0m and\0behind the NUL", id="c")
    seen: list[Check] = [
        *({"op": "search_finds", "text": "behind the NUL"}, {"op": "search_finds", "text": "+added"}),
        {"op": "rendered_contains", "text": "behind"},
        {"op": "rendered_matches", "regex": "ADDED"},
    ]
    yield Case("colours and NUL", {"c.json": colours}, [*opening, *seen])
    both = {"messages": [{"role": "user", "content": "a"}], "trajectory": [{"action": "b"}], "task": "t"}
    twice: list[Check] = [{"op": "n_traces", "eq": 1}, {"op": "import_twice_same_result"}]
    yield Case("two layouts", {"both.json": json.dumps(both).encode()}, [*opening, *twice])
    liars = {"gzip.json": b"\x1f\x8b\x08\0\0\0", "zip.jsonl": _zip({"x.txt": b"no log"}), "no.traj": b"{"}
    named: list[Check] = [{"op": "no_traceback"}, {"op": "errors_name_files"}, {"op": "import_exit", "ne": 0}]
    yield Case("names that lie", liars, named)
    bomb = {"bomb.eval": _zip({"samples/1_epoch_1.json": b"[" + b" " * 200_000_000})}
    small: list[Check] = [{"op": "max_rss_mb", "value": 400}, {"op": "no_traceback"}]
    yield Case("bomb", bomb, [*small, {"op": "import_output_contains", "text": "bomb.eval"}])
    rewards = [
        b'{"task_id": %d, "trial": 0, "reward": %s, "traj": [{"role": "user", "content": "a"}], "info": {}}'
        % (n, reward)
        for n, reward in enumerate((b"1.0", b"NaN", b"-Infinity"))
    ]
    means: list[Check] = [{"op": "stat_not", "stat": "mean_reward", "value": 0.3333}, {"op": "json_strict"}]
    yield Case("no numbers", {"tau.json": b"[" + b",".join(rewards) + b"]"}, [*opening, *means])


def _zip(members: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()
