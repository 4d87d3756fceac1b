"""Our own hostile inputs for what goes out and comes back: texts for a spreadsheet, stores that diverged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.hostile.case import Case, Check

FORMULAS = ("=1+1", " @SUM(1)", "\t-2+3", "+cmd|' /C calc'!A0", "'=x", "\r\n=1", '"a", "b"\r\nc\rd\0e\u2028')


def cases(plain: Any, opening: Iterable[Check]) -> Iterable[Case]:
    """`plain` makes a plain trace, `opening` are the checks that every import passes."""
    files = {f"f{n}.json": plain(text, id=f"f{n}", task=text) for n, text in enumerate(FORMULAS)}
    files["long.json"] = plain("x", id="long", task="y" * 200_000)
    sheet: list[Check] = [
        {"op": "csv_cells_safe", "not_in": ["=", "+", "-", "@", "\t", "\r"]},
        {"op": "csv_roundtrip", "via": "csv module"},
        {"op": "csv_row_count_equals_labels"},
    ]
    yield Case("spreadsheet", files, [*opening, *sheet])
    mixed = [
        {"task": "a", "id": "n1", "passed": True, "score": 1, "trajectory": [{"action": {"k": 1}}]},
        {"task": "b", "id": 2, "score": 0.5, "trajectory": [{"action": ["k"]}], "late": "stands only here"},
        {"task": "c", "id": None, "score": "0.5", "trajectory": [{"action": None, "thought": "\ud800"}]},
        {"task": "d", "score": None, "trajectory": [{"thought": 2**80}], "final_state": {"x": [2**80, None]}},
    ]
    rows = "\n".join(map(json.dumps, mixed))
    tables: list[Check] = [
        {"op": "parquet_schema_fixed"},
        {"op": "export_row_count", "formats": ["csv", "jsonl", "parquet"], "equal": True},
        {"op": "export_contains", "format": "jsonl", "text": "stands only here"},
        {"op": "export_utf8", "formats": ["csv", "jsonl", "parquet"]},
    ]
    yield Case("mixed types", {"rows.jsonl": rows.encode()}, [*opening, {"op": "n_traces", "eq": 4}, *tables])
    secret = "sk-ant-abcdefghijklmnop0123456789"
    files = {"s.json": plain(f"export KEY={secret} for ana.lind@example.org", id="s")}
    masked: list[Check] = [
        {"op": "export_redacted_excludes", "text": text} for text in (secret, "ana.lind@example.org")
    ]
    yield Case("secrets", files, [*opening, *masked[:1]])
    yield Case("people", files, [*opening, *masked[1:]])
    merged: list[Check] = [
        *({"op": "merge_commutes"}, {"op": "merge_idempotent"}, {"op": "history_events", "eq": 4}),
        {"op": "conflicts_listed", "eq": 1},
    ]
    said = (("A", "ana", "drift"), ("B", "ana", "tool"), ("B", "ben", "tool"), ("A", "cleo", "none"))
    play: list[Mapping[str, Any]] = [
        {"do": "import", "files": ["m.json"]},
        {"do": "copy_store", "to": "B"},
        *({"do": "label", "store": s, "as": who, "trace": "m", "value": value} for s, who, value in said),
        *({"do": "merge", "from": one, "into": other} for one, other in (("B", "A"), ("A", "B"), ("B", "A"))),
    ]
    yield Case("diverged stores", {"m.json": plain("text", id="m")}, [*opening, *merged], play)
