"""Large JSON objects are read element by element, and give what they give when they are read whole."""

from __future__ import annotations

import gzip
import json
import tempfile
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.importers import importer as importer_of
from reviewer.importers import names
from reviewer.importers.finding.files import find, open_source
from reviewer.importers.mapped import Mapped
from reviewer.importers.maps import load
from reviewer.importers.opening import line_files, object_files, sliding
from tests.importers.opening.told import told
from tests.importers.reading import SAMPLES, SHARED, read, reasons
from tests.importers.test_any_bytes import SHAPED

CHAT: dict[str, Any] = {
    "id": "c",
    "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}],
}


def small(patch: pytest.MonkeyPatch) -> None:
    """Take every object for a large one."""
    patch.setattr(line_files, "LARGE", 0)
    patch.setattr(object_files, "PART", 0)


@pytest.fixture
def all_large(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)


def _objects() -> list[Path]:
    every = find([folder for folder in (SAMPLES, SHARED / "traces") if folder.is_dir()]).files
    return [one.path for one in every if one.path.suffix != ".jsonl" and one.path.read_bytes()[:1] == b"{"]


@pytest.mark.parametrize("path", _objects(), ids=lambda path: path.name)
def test_both_ways_give_the_same(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = told(path)
    small(monkeypatch)
    assert told(path) == whole
    monkeypatch.setattr(object_files, "KEPT", 0)
    assert told(path) == whole


def _sim(number: int) -> dict[str, Any]:
    messages = [{"role": "user", "content": f"Do {number}"}, {"role": "assistant", "content": "Done."}]
    return {"id": f"s{number}", "task_id": str(number), "trial": 0, "messages": messages}


TASKS = [{"id": str(n), "user_scenario": {"instructions": f"task {n}"}} for n in range(4)]
INFO = {"agent_info": {"llm": "brook-large"}}
SIMULATIONS = [_sim(n) for n in range(4)]


def _write(path: Path, members: list[tuple[str, Any]], encoding: str = "utf-8", tail: str = "") -> Path:
    inner = ", ".join(f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in members)
    path.write_bytes((("\ufeff" if encoding != "utf-8" else "") + "{" + inner + tail).encode(encoding))
    return path


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-32-le"])
def test_what_stands_after_the_list_is_known_to_each_trace(tmp_path: Path, encoding: str) -> None:
    members = [("simulations", SIMULATIONS), ("tasks", TASKS), ("info", INFO)]
    encoding = "utf-8" if encoding == "utf-8-sig" else encoding
    path = _write(tmp_path / "x.json", members, encoding, "}")
    importer, source = open_source(path)
    assert not source.text
    found = list(importer.read(source))
    assert [one.trace.info.task for one in found] == [f"task {n}" for n in range(4)]
    assert {one.trace.info.model for one in found} == {"brook-large"}
    assert source.notes() == ()


@pytest.mark.usefixtures("all_large")
def test_of_a_key_that_stands_twice_the_later_one_counts(tmp_path: Path) -> None:
    members: list[tuple[str, Any]] = [
        ("simulations", SIMULATIONS[:3]),
        ("info", {"agent_info": {"llm": "a"}}),
    ]
    members += [("tasks", TASKS), ("info", INFO), ("simulations", SIMULATIONS[3:])]
    found = read(_write(tmp_path / "x.json", members, tail="}"))
    assert [(one.trace.info.task_id, one.trace.info.model) for one in found] == [("3", "brook-large")]


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize(
    ("tail", "reason"),
    [
        (
            ', {"id": "s4", "task_id": "4", "mess',
            "what comes after element 4 of 'simulations' is lost: it is cut",
        ),
        (", ", "what comes after element 4 of 'simulations' is lost: it is cut off"),
        ("", "what comes after element 4 of 'simulations' is lost: it is cut off"),
        ("; " + "x" * 99, "what comes after element 4 of 'simulations' is lost: damaged JSON"),
        ('], "tasks": [{"id": "0"', "what comes after 'simulations' is lost: it is cut off"),
        ("]", "what comes after 'simulations' is lost: it is cut off"),
    ],
)
def test_whole_traces_before_the_damage_go_in(tmp_path: Path, tail: str, reason: str) -> None:
    text = json.dumps({"info": INFO, "simulations": SIMULATIONS})[:-2]
    path = tmp_path / "x.json"
    path.write_text(text + tail, encoding="utf-8")
    importer, source = open_source(path)
    assert [one.trace.info.task_id for one in importer.read(source)] == ["0", "1", "2", "3"]
    assert reason in reasons(source.notes())
    assert source.lost == 1


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize("tail", ["garbage", '\n{"a": 1}\n', "}", "]", '\n{"a": [[[', "\n[1, 2]\n[3]"])
@pytest.mark.parametrize("shape", ["simulations", "trajectories", ""])
def test_what_stands_after_the_object_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str, tail: str
) -> None:
    monkeypatch.setattr(line_files, "FIRST", 0)  # the first line is too long to be one of JSON Lines
    monkeypatch.setattr(object_files, "KEPT", 0 if shape == "" else object_files.KEPT)
    rows = {f"acme__loom-{n}": {"messages": CHAT["messages"] * (n + 1)} for n in range(6)}
    inner = {"info": INFO, "simulations": SIMULATIONS} if shape == "simulations" else {shape: rows}
    path = tmp_path / "x.json"
    path.write_text(json.dumps(inner if shape else rows) + tail, encoding="utf-8")
    importer, source = open_source(path)
    assert not source.text
    assert len(list(importer.read(source))) == (4 if shape == "simulations" else 6)
    assert reasons(source.notes()).count("what comes after the object is lost") == 1
    assert source.lost == 1


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize("cut", [1, 2])
@pytest.mark.parametrize("shape", ["simulations", "trajectories", ""])
def test_the_same_cut_is_the_same_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str, cut: int
) -> None:
    monkeypatch.setattr(object_files, "KEPT", 0 if shape == "" else object_files.KEPT)
    rows = {f"acme__loom-{n}": {"messages": CHAT["messages"] * (n + 1)} for n in range(6)}
    inner = {"info": INFO, "simulations": SIMULATIONS} if shape == "simulations" else {shape: rows}
    path = tmp_path / "x.json"
    path.write_text(json.dumps(inner if shape else rows)[:-cut], encoding="utf-8")
    importer, source = open_source(path)
    found = len(list(importer.read(source)))
    assert found == (4 if shape == "simulations" else 5 if (shape, cut) == ("", 2) else 6)
    assert source.lost == 1


@pytest.mark.usefixtures("all_large")
def test_objects_of_a_kind_one_after_the_other_are_a_run(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(CHAT) + "\n" + json.dumps(dict(CHAT, id="d")), encoding="utf-8")
    assert object_files.object_file(path) is None
    assert len(read(path)) == 2


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("shape", ["trajectories", ""])
def test_of_a_key_that_stands_twice_in_a_map_each_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str, large: bool
) -> None:
    rows = [(f"acme__loom-{n % 5}", {"messages": CHAT["messages"] * (n + 1)}) for n in range(6)]
    path = tmp_path / "x.json"
    inner = ", ".join(f"{json.dumps(key)}: {json.dumps(row)}" for key, row in rows)
    path.write_text(f'{{"{shape}": {{{inner}}}}}' if shape else f"{{{inner}}}", encoding="utf-8")
    if large:
        small(monkeypatch)
    importer, source = open_source(path)
    found = list(importer.read(source))
    assert [one.trace.info.task_id for one in found] == [key for key, _ in rows]
    assert "keys that stand more than once, each time with a record that is read: 'acme__loom-0'" in reasons(
        source.notes()
    )
    assert source.lost == 0


DEEP = '{"messages": ' + "[" * 60_000 + ' "a ] \\" [" ' + "]" * 60_000 + "}"
DAMAGES = {
    "deep": DEEP,
    "twice": '{"id": "x",, "messages": [{"role": "user", "content": "} ] {"}]}',
    "nothing": '{"id": , "messages": []}',
    "bare": '{"id": "x", messages: [1, {"a": "\\\\"}]}',
}


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize("chunk", [7, 1 << 20])
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("shape", ["list", "simulations", "trajectories", ""])
def test_a_damaged_element_costs_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shape: str, damage: str, chunk: int
) -> None:
    if damage == "deep" and chunk == 7:
        return  # takes its time
    monkeypatch.setattr(sliding, "CHUNK", chunk)
    monkeypatch.setattr(object_files, "PART", 10_000 if shape == "" else 0)
    monkeypatch.setattr(object_files, "KEPT", 450 if shape == "" else object_files.KEPT)
    texts = [json.dumps(_sim(n) if shape == "simulations" else dict(CHAT, id=f"c{n}")) for n in range(8)]
    texts.insert(5, DAMAGES[damage])
    named = ", ".join(f'"acme__loom-{n}": {text}' for n, text in enumerate(texts))
    inner = {
        "list": f"[{', '.join(texts)}]",
        "simulations": f'{{"info": {{}}, "simulations": [{", ".join(texts)}]}}',
        "trajectories": f'{{"trajectories": {{{named}}}, "a": 1}}',
        "": f"{{{named}}}",
    }
    path = tmp_path / "x.json"
    path.write_text(inner[shape], encoding="utf-8")
    importer, source = open_source(path)
    assert not source.text
    assert len(list(importer.read(source))) == 8
    assert source.lost == 1
    assert reasons(source.notes()).count("skipped: ") == 1


@pytest.mark.usefixtures("all_large")
def test_a_comma_too_many_costs_nothing(tmp_path: Path) -> None:
    rows = [json.dumps(one) for one in SIMULATIONS]
    path = tmp_path / "x.json"
    for text in (
        f'{{,"info": {{}},, "simulations": [,{rows[0]},,{rows[1]}, {rows[2]}, {rows[3]},],}}',
        f"[{', '.join(json.dumps(dict(CHAT, id=str(n))) for n in range(3))},, {json.dumps(CHAT)},]",
    ):
        path.write_text(text, encoding="utf-8")
        importer, source = open_source(path)
        assert not source.text
        assert len(list(importer.read(source))) == 4
        assert source.lost == 0
        assert "commas with nothing between them are passed over" in reasons(source.notes())


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize(
    "info", [f'{{"agent_info": {{"llm": "brook"}}, "x": {DEEP}}}', '{"a" 1, "b": ["]"]}', "[{,}]"]
)
def test_damage_beside_the_list_is_named(tmp_path: Path, info: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(
        f'{{"info": {info}, "simulations": {json.dumps(SIMULATIONS)}, "tasks": {json.dumps(TASKS)}}}',
        encoding="utf-8",
    )
    importer, source = open_source(path)
    assert [one.trace.info.task for one in importer.read(source)] == [f"task {n}" for n in range(4)]
    assert source.lost == 1
    assert "of 'info' is skipped: " in reasons(source.notes())


@pytest.mark.usefixtures("all_large")
def test_packed_objects_are_read_so_too(tmp_path: Path) -> None:
    path = _write(tmp_path / "x.json", [("info", INFO), ("simulations", SIMULATIONS)], tail="}")
    packed = tmp_path / "x.json.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    importer, source = open_source(packed)
    assert len(list(importer.read(source))) == 4
    assert not source.text
    assert str(source.path) == str(packed)


@pytest.mark.usefixtures("all_large")
def test_an_element_that_is_nested_too_deeply_costs_itself(tmp_path: Path) -> None:
    deep = '{"messages": ' + "[" * 400 + "]" * 400 + "}"
    path = tmp_path / "x.json"
    rows = ", ".join([*map(json.dumps, SIMULATIONS[:3]), deep, json.dumps(SIMULATIONS[3])])
    path.write_text(f'{{"simulations": [{rows}]}}', encoding="utf-8")
    importer, source = open_source(path)
    assert len(list(importer.read(source))) == 4
    assert "element 4 of 'simulations' is skipped: its JSON is nested more than" in reasons(source.notes())
    assert source.lost == 1


WRAPPED: list[Any] = [
    {"results": [dict(CHAT, id=str(n)) for n in range(6)], "model": "x"},
    {"trajectories": {f"acme__loom-{n}": {"messages": CHAT["messages"] * (n + 1)} for n in range(6)}},
    {f"acme__loom-{n}": {"messages": CHAT["messages"] * (n + 1)} for n in range(6)},
    {"train": [dict(CHAT, id=f"t{n}") for n in range(3)], "test": [dict(CHAT, id=f"e{n}") for n in range(3)]},
    {"data": [{"task": f"Do {n}", "trajectory": [{"action": "ls", "observation": "a"}]} for n in range(6)]},
]


@pytest.mark.parametrize("value", WRAPPED, ids=lambda value: next(iter(value)))
def test_records_inside_an_object_nobody_knows(
    tmp_path: Path, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert open_source(path)[0].sniff.__doc__  # what `reviewer sniff` gives as the reason
    whole = told(path)
    found = whole[1]
    assert isinstance(found, list)
    assert len(found) == 6
    lines = tmp_path / "lines.jsonl"
    parts = [value] if all(isinstance(part, dict) for part in value.values()) else list(value.values())
    parts = [value["trajectories"]] if "trajectories" in value else parts
    rows = [row for part in parts for row in (part.values() if isinstance(part, dict) else part)]
    rows = [row for row in rows if isinstance(row, dict)]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    alone = [one.trace for one in read(lines)]
    assert [one.trace.info.trace_id for one in found] == [one.info.trace_id for one in alone]
    assert [one.trace.steps for one in found] == [one.steps for one in alone]
    if "acme__loom-0" in str(value):
        assert [one.trace.info.task_id for one in found] == [f"acme__loom-{n}" for n in range(6)]
    if "model" in value:
        assert "not what stands beside them: " in str(whole[3])
    small(monkeypatch)
    assert told(path) == whole
    monkeypatch.setattr(object_files, "KEPT", 0)
    assert told(path) == whole


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    rows = (dict(_sim(n), messages=[{"role": "user", "content": f"{n} " * 20_000}]) for n in range(400))
    with path.open("w", encoding="utf-8") as file:
        file.write('{"simulations": [' + ",\n".join(map(json.dumps, rows)) + '], "info": {}}')
    for name in names():
        importer_of(name)  # forty modules are compiled once, and no part of a file
    tracemalloc.start()
    importer, source = open_source(path)
    count = sum(1 for _ in importer.read(source))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert path.stat().st_size > line_files.LARGE
    assert count == 400
    assert peak < 16_000_000


def test_a_file_that_changes_between_the_passes_is_an_error_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    path = _write(tmp_path / "x.json", [("info", INFO), ("simulations", SIMULATIONS)], tail="}")
    importer, source = open_source(path)
    path.write_text('{"info": {}, "simulations": [1, 2', encoding="utf-8")
    with pytest.raises(InputError, match="has changed while it was read"):
        list(importer.read(source))


@pytest.mark.usefixtures("all_large")
def test_padding_after_the_end_is_no_damage(tmp_path: Path) -> None:
    object_ = _write(
        tmp_path / "x.json", [("info", INFO), ("simulations", SIMULATIONS)], tail="}\n" + "\0" * 99
    )
    rows = json.dumps([dict(CHAT, id=str(n)) for n in range(4)])
    list_ = tmp_path / "y.json"
    list_.write_text(rows + "\n" + "\0" * 99, encoding="utf-8")
    for path in (object_, list_):
        importer, source = open_source(path)
        assert not source.text
        assert (len(list(importer.read(source))), source.lost) == (4, 0)
        assert "NUL bytes" in reasons(source.notes())


def test_an_object_of_too_many_keys_is_no_map_of_traces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    monkeypatch.setattr(object_files, "MOST_KEYS", 5)
    path = tmp_path / "x.json"
    path.write_text(json.dumps({str(n): n for n in range(20)}), encoding="utf-8")
    assert object_files.object_file(path) is None


MAP = """
format = "harbour_log"
trace = "runs[]"
steps = "log[]"
[info]
task = "goal"
[step]
role = "who"
text = "body"
"""


def test_a_map_reads_the_list_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "map.toml").write_text(MAP, encoding="utf-8")
    mapped = Mapped(load(tmp_path / "map.toml"))
    runs = [{"goal": f"Moor {n}.", "log": [{"who": "bot", "body": "ok"}]} for n in range(4)]
    path = _write(tmp_path / "x.json", [("made", "today"), ("runs", runs)], tail="}")
    importer, source = open_source(path, mapped)
    whole = list(importer.read(source))
    small(monkeypatch)
    importer, source = open_source(path, mapped)
    assert not source.text
    assert list(importer.read(source)) == whole
    assert len(whole) == 4


WRAPS = st.sampled_from(
    ["results", "trajectories", "data", "runs", "simulations", "samples", "resourceSpans", ""]
)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(SHAPED, min_size=1, max_size=6), WRAPS, st.booleans())
def test_shapes_of_formats_inside_an_object(rows: list[Any], key: str, named: bool) -> None:
    """What is taken piece by piece has the traces of the whole."""
    if key in ("simulations", "samples", "runs", "data", "resourceSpans"):  # told by the first elements
        rows = rows[:1] * len(rows)
    inner = {f"k{n}": row for n, row in enumerate(rows)} if named or not key else rows
    value = {"made": "today", key: inner, "after": [1]} if key else inner
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "x.json")
        path.write_text(json.dumps(value), encoding="utf-8")
        whole = told(path)
        small(patch)
        assert repr(told(path)) == repr(whole)
        patch.setattr(object_files, "KEPT", 0)
        assert repr(told(path)) == repr(whole)


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=4) | st.integers(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(
    st.sampled_from(
        ["simulations", "samples", "tasks", "info", "data", "eval", "status", "version", "a", ""]
    ),
    VALUES | st.lists(st.fixed_dictionaries({"task_id": VALUES, "messages": VALUES}), max_size=4),
    max_size=6,
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    OBJECTS, st.integers(min_value=0, max_value=400), st.binary(max_size=3), st.sampled_from([1, 3, 1 << 20])
)
def test_any_object_is_read_or_refused(value: Any, at: int, noise: bytes, chunk: int) -> None:
    """Whole, the same is read both ways; damaged, nothing but our error comes."""
    data = json.dumps(value).encode()
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder, "x.json")
        path.write_bytes(data)
        whole = told(path)
        small(patch)
        patch.setattr(sliding, "CHUNK", chunk)
        assert repr(told(path)) == repr(whole)
        path.write_bytes(data[:at] + noise)
        told(path)
        path.write_bytes(data[:at] + noise + data[at + len(noise) :])
        told(path)
