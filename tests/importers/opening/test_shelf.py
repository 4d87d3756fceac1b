"""Rows of many traces that stand in each other: sorted on the disk they give what they give in memory."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import Line, Source
from reviewer.importers.finding.files import open_source
from reviewer.importers.opening import line_files
from reviewer.importers.opening.shelf import Shelf
from tests.importers.opening.test_object_files import small


def _run(trace: int, number: int) -> dict[str, Any]:
    run = f"{trace}-{number}"
    parent = {"parent_run_id": f"{trace}-0"} if number else {}
    kind = ("chain", "llm", "tool")[number % 3]
    said = {"messages": [{"role": "user", "content": f"Do {run}"}]}
    row = {
        "id": run,
        "trace_id": f"t{trace}",
        "run_type": kind,
        "name": kind,
        "inputs": said,
        "outputs": {"o": run},
    }
    return {**row, **parent, "start_time": f"2026-01-01T00:00:{number:02}", "dotted_order": f"a.{run}"}


def _observation(trace: int, number: int) -> dict[str, Any]:
    kind = ("GENERATION", "TOOL", "SPAN")[number % 3]
    times = {"startTime": f"2026-01-01T00:00:{number:02}Z", "endTime": f"2026-01-01T00:01:{number:02}Z"}
    row = {
        "id": f"{trace}-{number}",
        "traceId": f"t{trace}",
        "type": kind,
        "name": "n",
        "input": f"i{number}",
    }
    return {**row, **times, "output": f"o{number}", "model": "brook-large" if kind == "GENERATION" else None}


def _span(trace: int, number: int) -> dict[str, Any]:
    given = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "brook-large",
        "gen_ai.prompt": f"Do {number}",
    }
    attributes = [{"key": key, "value": {"stringValue": value}} for key, value in given.items()]
    times = {"startTimeUnixNano": str(10**18 + number), "endTimeUnixNano": str(10**18 + number + 5)}
    return {
        "traceId": f"{trace:032x}",
        "spanId": f"{trace:08x}{number:08x}",
        "name": "chat",
        "attributes": attributes,
        **times,
    }


def _resource(spans: list[dict[str, Any]]) -> dict[str, Any]:
    return {"resource": {"attributes": []}, "scopeSpans": [{"scope": {"name": "s"}, "spans": spans}]}


def _mixed(make: Any) -> list[Any]:
    rows = [make(trace, number) for trace in range(3) for number in range(4)]
    random.Random(5).shuffle(rows)
    return rows


FEEDBACK = {"run_id": "1-0", "key": "success", "score": 1, "id": "f"}
RUNS, SPANS = _mixed(_run), _mixed(_span)
PAIRS = [SPANS[at : at + 2] for at in range(0, len(SPANS), 2)]
FILES: dict[str, Any] = {
    "runs.json": {"exported": "today", "runs": RUNS, "feedback": [FEEDBACK]},
    "ingest.json": {
        "post": RUNS,
        "patch": [{"id": "1-0", "trace_id": "t1", "outputs": {"o": 2}, "end_time": "x"}],
    },
    "runs.jsonl": [FEEDBACK, *RUNS],
    "observations.json": {"data": _mixed(_observation), "meta": {"page": 1}},
    "observations.jsonl": _mixed(_observation),
    "otlp.json": {"resourceSpans": [_resource(pair) for pair in PAIRS]},
    "otlp.jsonl": [{"resourceSpans": [_resource(pair)]} for pair in [*PAIRS, SPANS[:1], []]],
    "one.json": {"resourceSpans": [_resource([_span(1, number)]) for number in range(4)]},
    "spans.json": {"spans": SPANS, "exported": "today"},
}


def _told(path: Path) -> tuple[object, ...]:
    importer, source = open_source(path)
    return importer.FORMAT, list(importer.read(source)), source.lost, sorted(map(repr, source.notes()))


@pytest.mark.parametrize("name", FILES)
def test_both_ways_give_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / name
    value = FILES[name]
    rows = value if name.endswith("l") else [value]
    path.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    whole = _told(path)
    assert isinstance(whole[1], list)
    assert len(whole[1]) == (1 if name == "one.json" else 3)
    small(monkeypatch)
    opened: list[Any] = []
    temporary = tempfile.TemporaryFile

    def counted() -> Any:
        opened.append(temporary())
        return opened[-1]

    monkeypatch.setattr(tempfile, "TemporaryFile", counted)
    assert _told(path) == whole
    assert opened, "it was read whole"


def test_a_full_disk_is_an_error_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    source = Source(tmp_path / "x.jsonl", "", False, lines=iter([Line(1, "{}", {})]))
    with pytest.raises(InputError, match=r"x\.jsonl: .*No space left on device.*TMPDIR"):
        Shelf(source)


@pytest.mark.parametrize("name", ["runs.jsonl", "otlp.jsonl"])
def test_lines_are_taken_back_as_they_stand(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_files, "LARGE", 0)
    path = tmp_path / name
    path.write_text("".join(json.dumps(row, indent=None) + "  \n" for row in FILES[name]), encoding="utf-8")
    importer, source = open_source(path)
    for imported in importer.read(source):
        json.loads(imported.trace.raw)
