"""Maps: paths, what is refused, what is read by them; drafts that read the file they were drafted for."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.importers.base import Imported
from reviewer.importers.finding.files import open_source, source_of
from reviewer.importers.mapped import Mapped
from reviewer.importers.maps import every, first, load, parse
from reviewer.importers.sketch import sketch, written
from tests.conftest import Ran
from tests.importers.reading import put, reasons

RUN = {
    "case": "harbour-7",
    "conf": {"model": "brook"},
    "prompt": {"goal": "Moor the ferry."},
    "log": [
        {"who": "human", "say": {"text": "Moor it."}, "ts": 1767225600},
        {
            "who": "bot",
            "body": "ok",
            "call": {"tool": "rope", "args": {"n": 2}},
            "out": "tied",
            "mood": "calm",
        },
        {"who": "bot", "body": "done"},
    ],
    "stop": "max_turns",
    "grade": {"passed": True, "points": 3},
}
MAP = """
format = "harbour_log"
steps = "log[]"
[info]
task = "prompt.goal"
task_id = "case"
model = "conf.model"
ended = "stop"
[step]
role = "who"
text = ["say.text", "body"]
tool = "call.tool"
arguments = "call.args"
result = "out"
at = "ts"
[roles]
bot = "agent"
[ended]
max_turns = "limit"
[outcome]
passed = "grade.passed"
score = "grade.points"
"""


def mapped(path: Path, text: str = MAP) -> tuple[list[Imported], str]:
    importer, source = open_source(path, Mapped(parse(text, "m.toml")))
    return list(importer.read(source)), reasons(source.notes())


def test_paths() -> None:
    value = {"a": [{"b": 1}, {"b": [2, 3]}, {"c": 4}], "d": {"e": None}}
    assert list(every(value, "a[].b")) == [1, [2, 3]]
    assert list(every(value, "a[1].b[]")) == [2, 3]
    assert list(every(value, "")) == [value]
    assert list(every(value, "a.b")) == list(every(value, "x[].y")) == []
    assert first(value, ("d.e", "a[0].b")) == 1


def test_a_record_is_read_by_its_map(tmp_path: Path) -> None:
    (one,), warned = mapped(put(tmp_path, "x.json", RUN))
    info, steps = one.trace.info, one.trace.steps
    assert (info.format, info.task, info.task_id, info.model) == (
        "harbour_log",
        "Moor the ferry.",
        "harbour-7",
        "brook",
    )
    assert (info.ended, info.n_messages, info.n_tool_calls) == ("limit", 3, 1)
    assert [step.source for step in steps] == ["user", "agent", "agent"]
    assert (steps[1].calls[0].name, steps[1].calls[0].arguments) == ("rope", {"n": 2})
    assert steps[1].results[0].content == "tied"
    assert steps[1].extra == {"mood": "calm"}
    assert steps[0].at == "2026-01-01T00:00:00.000Z"
    assert (one.outcomes[0].passed, one.outcomes[0].score) == (True, 3.0)
    assert json.loads(one.trace.raw) == RUN
    assert warned == ""


def test_a_new_grade_is_no_new_trace(tmp_path: Path) -> None:
    (one,), _ = mapped(put(tmp_path, "x.json", RUN))
    (other,), _ = mapped(put(tmp_path, "y.json", {**RUN, "grade": {"passed": False}}))
    (third,), _ = mapped(put(tmp_path, "z.json", {**RUN, "case": "harbour-8"}))
    assert one.trace.info.trace_id == other.trace.info.trace_id != third.trace.info.trace_id


def test_traces_inside_a_record_and_lines_that_are_steps(tmp_path: Path) -> None:
    inside = MAP.replace("steps =", 'trace = "runs[]"\nsteps =')
    found, _ = mapped(put(tmp_path, "x.json", {"runs": [RUN, {**RUN, "case": "b"}, 5]}), inside)
    assert [one.trace.info.task_id for one in found] == ["harbour-7", "b"]
    rows = [{"run": name, **step} for step in RUN["log"] for name in ("a", "b")]
    grouped = MAP.replace('steps = "log[]"', 'group = "run"')
    found, _ = mapped(put(tmp_path, "x.jsonl", rows), grouped)
    assert [one.trace.info.n_messages for one in found] == [3, 3]
    single = MAP.replace('steps = "log[]"', 'lines = "one"')
    found, _ = mapped(put(tmp_path, "y.jsonl", RUN["log"]), single)
    assert [one.trace.info.n_messages for one in found] == [3]


def test_results_in_rows_of_their_own_and_roles_that_are_left_out(tmp_path: Path) -> None:
    log = [
        {"who": "bot", "call": {"tool": "rope", "args": {}}},
        {"who": "deck", "body": "tied"},
        {"who": "clock", "body": "tick"},
        {"who": "gull", "body": "kee"},
    ]
    text = MAP.replace("[roles]", '[roles]\ndeck = "result"\nclock = "skip"')
    (one,), warned = mapped(put(tmp_path, "x.json", {**RUN, "log": log}), text)
    assert [step.message for step in one.trace.steps] == ["", "kee"]
    assert one.trace.steps[0].results[0].content == "tied"
    assert "the role 'gull' is not in the map's [roles]" in warned


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("format =", "former ="), "unknown key 'former'"),
        (('"harbour_log"', '"plain"'), "one of ours"),
        (('"harbour_log"', '"Harbour"'), "lower-case"),
        (('"log[]"', '"log["'), "no path"),
        (('"log[]"', "5"), "no path"),
        (('steps = "log[]"', ""), "steps is missing"),
        (('"agent"', '"boat"'), "roles.bot is 'boat'"),
        (('"limit"', '"sunk"'), "ended.max_turns is 'sunk'"),
        (('tool = "call.tool"', "tool = {}"), "no path"),
        (("[step]", "[step"), "no TOML"),
        (('role = "who"', 'rule = "who"'), "unknown key 'step.rule'"),
    ],
)
def test_a_map_that_is_wrong_says_where(change: tuple[str, str], why: str) -> None:
    with pytest.raises(InputError, match=r"m\.toml|map") as caught:
        Mapped(parse(MAP.replace(*change), "m.toml"))
    assert why in str(caught.value)


def test_a_map_that_finds_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the map finds no trace"):
        mapped(put(tmp_path, "x.json", {"other": 1}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["log", "who", "say", "body", "call", "out"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(JSON, st.sampled_from([MAP, MAP.replace('steps = "log[]"', 'group = "who"')]))
def test_any_value_gives_traces_or_our_error(value: Any, text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = put(Path(folder), "x.json", value)
        try:
            mapped(path, text)
            sketch(source_of(path))
        except InputError as error:
            assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("name", "value", "messages"),
    [
        ("x.json", RUN, 3),
        ("x.jsonl", [RUN, {**RUN, "case": "b"}], 6),
        ("x.json", {"runs": [RUN, {**RUN, "case": "b"}]}, 6),
        ("x.jsonl", [{"run_id": n % 2, "speaker": "user", "utterance": str(n)} for n in range(6)], 6),
    ],
    ids=["one", "lines", "inside", "rows"],
)
def test_a_draft_reads_the_file_it_was_drafted_for(
    tmp_path: Path, name: str, value: Any, messages: int
) -> None:
    path = put(tmp_path, name, value)
    drafted = sketch(source_of(path))
    assert drafted is not None
    found, _ = mapped(path, written(drafted, name))
    assert sum(one.trace.info.n_messages for one in found) == messages
    assert all(step.message or step.calls for one in found for step in one.trace.steps)


def test_sniff_and_import_from_the_command_line(reviewer: Callable[..., Ran], tmp_path: Path) -> None:
    path, draft = put(tmp_path, "x.json", RUN), tmp_path / "m.toml"
    ran = reviewer("sniff", path, "-o", draft)
    assert (ran.status, draft.exists()) == (1, True)
    assert "unknown format" in ran.err
    assert reviewer("sniff", path, "-o", draft).status == 1  # never over a file that is there
    told = json.loads(reviewer("sniff", path, "--map", draft, "--json").out)
    assert told["counts"]["messages"] == 3
    assert json.loads(reviewer("import", path, "--map", draft, "--json").out)["traces"]["new"] == 1
    assert json.loads(reviewer("import", path, "--map", draft, "--json").out)["traces"]["unchanged"] == 1
    assert reviewer("import", path, "--map", draft, "--format", "plain").status == 2


def test_sniff_says_what_and_why_and_what_is_missing(reviewer: Callable[..., Ran], tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]
    ran = reviewer("sniff", put(tmp_path, "x.json", {"messages": talk}))
    assert ran.status == 0
    for line in ("openai_chat: ", "why: ", "gives: traces 1", "missing: model (1 of 1), outcome (1 of 1)"):
        assert line in ran.out
    assert "unknown format" in reviewer("sniff", put(tmp_path, "y.json", {"a": 1})).err


def test_a_corrected_map_reads_the_traces_anew(reviewer: Callable[..., Ran], tmp_path: Path) -> None:
    path, file = put(tmp_path, "x.json", RUN), tmp_path / "m.toml"
    file.write_text(MAP.replace('"say.text", "body"', '"nowhere"'), encoding="utf-8")
    reviewer("import", path, "--map", file)
    (trace,) = json.loads(reviewer("traces", "--json").out)
    reviewer("annotate", trace["id"], "other", "--as", "ana", "--step", "3")
    file.write_text(MAP, encoding="utf-8")
    assert json.loads(reviewer("import", path, "--map", file, "--json").out)["traces"]["updated"] == 1
    assert json.loads(reviewer("import", path, "--map", file, "--json").out)["traces"]["unchanged"] == 1
    steps = json.loads(reviewer("show", trace["id"], "--json").out)["steps_list"]
    assert [step["message"] for step in steps] == ["Moor it.", "ok", "done"]
    assert json.loads(reviewer("status", "--json").out)["labels"] == 1


@pytest.mark.parametrize(
    "path", ["run..events[]", ".run", "run.", "run.events[].", "[0]..x", "run." * 20_000 + ".x"]
)
def test_a_key_without_a_name_is_no_path(path: str) -> None:
    with pytest.raises(InputError, match="no path: keys with dots"):
        parse(f'format = "x"\nsteps = "{path}"\n[step]\ntext = "t"\n', "m.toml")


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000 + "]" * 5000, "a = " + "[" * 5000, "a = {b=" * 3000, "a = " + "9" * 5000]
)
def test_what_no_reader_of_toml_takes_is_named(text: str) -> None:
    with pytest.raises(InputError, match=r"m\.toml: no TOML"):
        parse(text, "m.toml")


@pytest.mark.parametrize("name", ["big.toml", "/dev/zero", "a\0b", "n" * 300, "."])
def test_a_file_that_is_no_map(tmp_path: Path, name: str) -> None:
    (tmp_path / "big.toml").write_text("#" * 2_000_000, encoding="utf-8")
    with pytest.raises(InputError, match=r"and so no map|cannot be read"):
        load(tmp_path / name)


def test_what_the_map_names_and_the_file_lacks_is_told(tmp_path: Path) -> None:
    text = MAP.replace('"grade.passed"', '"grade.word"').replace('"conf.model"', '"conf.modell"')
    _, warned = mapped(put(tmp_path, "x.json", {**RUN, "grade": {"word": "PASS"}}), text)
    assert "info.model = 'conf.modell' leads to nothing in this file" in warned
    assert "outcome.score = 'grade.points' leads to nothing" in warned
    (one,), warned = mapped(put(tmp_path, "y.json", {**RUN, "grade": {"word": "Pass", "points": 1}}), text)
    assert one.outcomes[0].passed is True
    _, warned = mapped(put(tmp_path, "z.json", {**RUN, "grade": {"word": "perhaps"}}), text)
    assert "outcome.passed is 'perhaps', neither true nor false" in warned
