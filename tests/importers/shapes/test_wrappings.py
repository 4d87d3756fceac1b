"""The same records in another wrapping: one line alone, a list as lines, lines as a list, files in a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.finding.files import open_source
from tests.importers.inspect_logs import HEADER, sample
from tests.importers.reading import one, put, read, read_all, reasons

ROW: dict[str, dict[str, Any]] = {
    "qwen": {
        "uuid": "a",
        "parentUuid": None,
        "sessionId": "s",
        "type": "user",
        "message": {"role": "user", "parts": [{"text": "Hi"}]},
    },
    "gptme": {"role": "user", "content": "Hi", "timestamp": "2026-01-02T03:04:05", "pinned": False},
    "vibe": {"role": "user", "content": "Hi", "message_id": "m1"},
    "grok": {"type": "user", "content": [{"type": "text", "text": "Hi"}], "prompt_index": 0},
    "iflow": {
        "uuid": "a",
        "sessionId": "session-1",
        "type": "user",
        "message": {"role": "user", "content": "Hi"},
    },
}


@pytest.mark.parametrize("name", ROW)
def test_a_session_of_one_line(tmp_path: Path, name: str) -> None:
    first = one(put(tmp_path, "x.jsonl", [ROW[name]])).trace
    assert (first.info.format, first.info.task, len(first.steps)) == ("other_cli", "Hi", 1)
    assert json.loads(first.raw) == [ROW[name]]
    more = dict(ROW[name], **{key: "b" for key in ("uuid", "message_id") if key in ROW[name]})
    grown = one(put(tmp_path, "x.jsonl", [ROW[name], more])).trace
    assert grown.info.trace_id == first.info.trace_id
    assert grown.records[: len(first.records)] == first.records
    assert one(put(tmp_path, "x.jsonl", [ROW[name]]), "other_cli").trace == first


HERMES = {
    "session_id": "h",
    "platform": "cli",
    "session_start": "2026-01-02T03:04:05",
    "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}],
}
CLINE = {
    "version": 1,
    "sessionId": "c",
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": '<user_input mode="act">Hi</user_input>'}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Yes"}]},
    ],
}
TALK = [
    {"content": "Hi", "role": "user", "name": "admin"},
    {"content": "Yes", "role": "assistant", "name": "b"},
]


@pytest.mark.parametrize(
    ("format", "records"),
    [
        ("other_cli", [HERMES, {**HERMES, "session_id": "i"}]),
        ("cline_roo", [CLINE, {**CLINE, "sessionId": "d"}]),
        ("autogen", [{"helper": TALK}, {"other": [{**TALK[0], "content": "Ho"}, TALK[1]]}]),
        (
            "inspect",
            [
                {**HEADER, "samples": [sample(1)]},
                {**HEADER, "samples": [sample(2), sample(3)]},
            ],
        ),
    ],
)
@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_files_in_one_file(tmp_path: Path, format: str, records: list[Any], name: str) -> None:
    apart = [item for record in records for item in read(put(tmp_path, "one.json", record))]
    found = read(put(tmp_path, name, records))
    assert {item.trace.info.format for item in found} == {format}
    assert [item.trace.info.trace_id for item in found] == [item.trace.info.trace_id for item in apart]
    assert [item.trace.steps for item in found] == [item.trace.steps for item in apart]
    assert [item.trace.info.source_index for item in found] == list(range(len(apart)))
    assert len({item.trace.info.task_id for item in found}) == len(apart)


def test_a_file_in_a_file_that_cannot_be_read_costs_itself(tmp_path: Path) -> None:
    good = {**HEADER, "samples": [sample(1)]}
    found, notes = read_all(put(tmp_path, "x.json", [good, {**HEADER, "eval": 1}, 7, good]))
    assert len(found) == 1
    assert "record 1: no Inspect log" in reasons(notes)
    assert "a row that is a number" in reasons(notes)
    assert "duplicate record" in reasons(notes)


UI = [
    {"ts": 1, "type": "say", "say": "text", "text": "Hi"},
    {"ts": 2, "type": "say", "say": "api_req_started", "text": "{}"},
    {"ts": 3, "type": "say", "say": "text", "text": "Yes"},
]
MANAGED = [
    {"type": "user.message", "id": "e1", "content": [{"type": "text", "text": "Hi"}]},
    {"type": "agent.message", "id": "e2", "content": [{"type": "text", "text": "Yes"}]},
    {"type": "session.status_idle", "id": "e3", "stop_reason": {"type": "end_turn"}},
]


@pytest.mark.parametrize(("format", "rows"), [("cline_roo", UI), ("anthropic_messages", MANAGED)])
def test_a_list_and_lines_give_the_same(tmp_path: Path, format: str, rows: list[Any]) -> None:
    listed = one(put(tmp_path, "x.json", rows)).trace
    lines = one(put(tmp_path, "x.jsonl", rows)).trace
    assert (listed.info.format, lines.info.format) == (format, format)
    assert listed.steps == lines.steps
    assert listed.info.trace_id == lines.info.trace_id
    assert json.loads(lines.raw) == json.loads(listed.raw) == rows


@pytest.mark.parametrize("value", [{"a": 1}, [{"a": 1}], [1, 2], [[1]], {"type": "config", "role": None}])
def test_what_is_nothing_stays_unknown(tmp_path: Path, value: Any) -> None:
    with pytest.raises(InputError, match="unknown format"):
        open_source(put(tmp_path, "x.json", value))
