"""A small damaged file costs what the damage struck, as a large one does; a damaged trace is refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.finding.files import open_source
from tests.importers.reading import read_all, reasons

TALK = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
CHATS = [{"id": f"c{n}", "messages": TALK * (n + 1)} for n in range(6)]
NAMED = {f"acme__loom-{n}": {"messages": TALK * (n + 1)} for n in range(6)}
SIMULATIONS = [{"id": f"s{n}", "task_id": str(n), "trial": 0, "messages": TALK} for n in range(6)]
SHAPES: dict[str, Any] = {
    "simulations": {"info": {"agent_info": {"llm": "brook"}}, "simulations": SIMULATIONS},
    "trajectories": {"trajectories": NAMED},
    "map": NAMED,
    "results": {"results": CHATS, "model": "brook"},
    "list": CHATS,
}
INDENTS = pytest.mark.parametrize("indent", [None, 2], ids=["one line", "lines"])


def write(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "x.json"
    path.write_text(text, encoding=encoding)
    return path


@INDENTS
@pytest.mark.parametrize("tail", [" garbage", "\n}", "\n]", '\n{"a": [[[', "\nTraceback: x\n  at y\n"])
@pytest.mark.parametrize("shape", [*SHAPES, "chat"])
def test_what_stands_behind_costs_itself(tmp_path: Path, shape: str, tail: str, indent: int | None) -> None:
    value = CHATS[0] if shape == "chat" else SHAPES[shape]
    text = json.dumps(value, indent=indent)
    whole, _ = read_all(write(tmp_path, text))
    path = write(tmp_path, text + tail)
    importer, source = open_source(path)
    found = list(importer.read(source))
    assert [one.trace for one in found] == [one.trace for one in whole]
    assert source.lost >= 1 or "skipped" in reasons(source.notes())
    assert reasons(source.notes())


@INDENTS
@pytest.mark.parametrize(
    "damage", ["{,}", '{"id": "x", "messages": [{"role" "user"}]}', '{"messages": [1 2]}']
)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_damaged_inside_costs_itself(
    tmp_path: Path, shape: str, damage: str, indent: int | None
) -> None:
    text = json.dumps(SHAPES[shape], indent=indent)
    whole, _ = read_all(write(tmp_path, text))
    at = max(text.rfind(mark) for mark in ('"acme__loom-3"', '{"id": "c3"', "{\n", '{"id": "s3"'))
    for mark in ('"acme__loom-3"', '"c3"', '"s3"'):
        if mark in text:
            at = text.index(mark) if mark.startswith('"acme') else text.rindex("{", 0, text.index(mark))
    name = '"acme__loom-x": ' if shape in ("trajectories", "map") else ""
    path = write(tmp_path, f"{text[:at]}{name}{damage}, {text[at:]}")
    importer, source = open_source(path)
    found = list(importer.read(source))
    assert [one.trace.info.trace_id for one in found] == [one.trace.info.trace_id for one in whole]
    assert [one.trace.steps for one in found] == [one.trace.steps for one in whole]
    assert source.lost == 1
    assert reasons(source.notes()).count("is skipped: ") == 1


@INDENTS
@pytest.mark.parametrize("shape", ["simulations", "trajectories", "results", "list"])
def test_what_comes_before_a_cut_is_read(tmp_path: Path, shape: str, indent: int | None) -> None:
    text = json.dumps(SHAPES[shape], indent=indent)
    path = write(tmp_path, text[: text.rindex('"messages"')])
    importer, source = open_source(path)
    assert len(list(importer.read(source))) == 5
    assert (source.lost, "is lost: it is cut off" in reasons(source.notes())) == (1, True)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_whatever_the_encoding_and_the_packing(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, json.dumps(SHAPES["simulations"], indent=1)[:-2] + "; x", encoding)
    assert len(read_all(path)[0]) == 6
    packed = tmp_path / "x.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert len(read_all(packed)[0]) == 6


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CHATS[0])[:-4],  # a trace that is cut off
        json.dumps(CHATS[0]).replace('"assistant",', '"assistant"'),
        '{"what": 1} x',  # nobody knows what is left
        '[{"what": 1}] x',
        '{\n"what": 1\n}\n{"what":',  # a run of values, of which most are damaged
        '{"a": 1, "b" 2}',
    ],
)
def test_what_is_no_trace_is_refused_with_the_damage(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"x.json: damaged JSON at line"):
        open_source(write(tmp_path, text))
