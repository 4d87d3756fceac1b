"""`export labels` and its `import`: a history that goes out and in again is the same to the byte."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer import label_file
from reviewer.cli.intake import import_paths
from reviewer.exporters.labels import lines
from reviewer.label import LabelEvent
from reviewer.store import Store
from tests.conftest import Ran
from tests.history import NUMBERS, OTHER, SIX, event, now, put, say, session, show, take_back

Cli = Callable[..., Ran]


def exported(store: Store) -> str:
    known = store.labels.annotators().values()
    return "".join(lines(store.history.taxonomies(), known, store.labels.events(), store.history.exposures()))


def brought(folder: Path, text: str) -> Store:
    """A new store with what stands in a file of this text."""
    number = next(NUMBERS)
    file = folder / f"{number}.jsonl"
    file.write_text(text)
    store = Store.open(folder / f"{number}.db", create=True)
    report = import_paths(store, [str(file)], None)
    assert not report.lost, report
    return store


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["label", "note", "retract", "flag", "adjudicate", "undo", "show"]),
        st.sampled_from(["other", "no_failure", "tool_misuse"]),
        st.sampled_from(["ana", "ben"]),
        st.sampled_from(["t1-a", "t1-b"]),
    ),
    max_size=12,
)


def play(store: Store, steps: list[tuple[str, str, str, str]]) -> None:
    for kind, mode, who, trace in steps:
        if kind == "undo":
            take_back(store, who)
        elif kind == "show":
            show(store, trace, who=who)
        elif kind != "retract":
            say(store, trace, kind, mode, who, note=f"{mode}\r\n\ud800\x7f\x00é")  # type: ignore[arg-type]
        elif any(
            e.kind == "label" and e.annotator == f"a1-{who}" for e in store.labels.heads(trace_id=trace)
        ):
            say(store, trace, "retract", who=who)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_out_and_in_and_out_is_the_same_to_the_byte(tmp_path: Path, steps: list[Any]) -> None:
    with Store.open(tmp_path / f"{next(NUMBERS)}.db", create=True) as store:
        play(store, steps)
        text = exported(store)
        with brought(tmp_path, text) as other:
            assert exported(other) == text
            assert {e.id: e for e in other.labels.events()} == {e.id: e for e in store.labels.events()}
            assert [e.id for e in other.labels.events()] == [e.id for e in store.labels.events()]
            # an undo there goes back as it would have here
            ours, theirs = take_back(store), take_back(other)
            assert (ours and ours.supersedes) == (theirs and theirs.supersedes)


def test_the_file_is_ascii_and_a_new_label_is_a_new_line(store: Store) -> None:
    say(store, "t1-b", note="é\x1b[2J\x7f")
    before = exported(store)
    assert before.isascii()
    assert not set(before) & {"\x1b", "\x7f"}
    say(store, "t1-a")
    after = exported(store).splitlines()
    assert json.loads(after[0]) == {"reviewer": "labels", "version": 1}
    (added,) = [line for line in after if line not in before.splitlines()]
    assert [line for line in after if line != added] == before.splitlines()


def test_one_event_has_one_spelling() -> None:
    one = event("t1-a", condition="blind", facets={"b": "1", "a": "2"}, supersedes=("y", "x"))
    other = replace(one, facets={"a": "2", "b": "1"}, supersedes=("x", "y"))
    assert list(label_file.lines([], [], [one], [])) == list(label_file.lines([], [], [other], []))


def test_bytes_that_an_editor_broke_cost_their_line(store: Store, tmp_path: Path, reviewer: Cli) -> None:
    say(store, "t1-a", note="caf#")
    say(store, "t1-b")
    (tmp_path / "l.jsonl").write_bytes(exported(store).encode().replace(b"caf#", b"caf\xe9"))
    ran = reviewer("--store", tmp_path / "new.db", "import", tmp_path / "l.jsonl", "--json")
    assert (ran.status, loaded(ran)["labels"]["refused"]) == (1, 1)
    assert loaded(ran)["labels"]["events"]["new"] == 1


def test_labels_may_come_before_their_trace(store: Store, tmp_path: Path) -> None:
    trace = session(["a"])
    id = put(store, trace)
    show(store, id)
    said = say(store, id)
    assert said.condition == "suggestion"
    with brought(tmp_path, exported(store)) as other:
        assert other.traces.all() == []
        put(other, trace)
        (here,) = other.labels.heads(trace_id=id)
        assert here == said
        assert here.content_hash == other.traces.info(id).content_hash


def labelled_under(store: Store) -> str:
    taxonomy = store.settings.taxonomy()
    assert taxonomy is not None
    return taxonomy.hash


def test_the_taxonomy_labelled_under_last_is_the_one_of_the_new_store(store: Store, tmp_path: Path) -> None:
    say(store, "t1-a")
    store.settings.keep_taxonomy(OTHER)
    say(store, "t1-a", mode="x", taxonomy=OTHER.id, taxonomy_hash=OTHER.hash)
    with brought(tmp_path, exported(store)) as other:
        assert labelled_under(other) == OTHER.hash
    say(store, "t1-a")
    with brought(tmp_path, exported(store)) as other:
        assert labelled_under(other) == SIX.hash


def test_what_comes_from_elsewhere_does_not_change_what_is_labelled_under(
    store: Store, tmp_path: Path
) -> None:
    say(store, "t1-a", mode="x", taxonomy=OTHER.id, taxonomy_hash=OTHER.hash)
    store.settings.keep_taxonomy(OTHER)
    with Store.open(tmp_path / "mine.db", create=True) as mine:
        say(mine, "t1-a")
        with mine.write():
            from reviewer.store.tally import Received

            mine.history.receive([(1, OTHER)], Received(), now=now())
        assert len(mine.settings.taxonomies()) == 2
        assert labelled_under(mine) == SIX.hash


# -- the command ---------------------------------------------------------------------------------------


def label_lines(store: Store) -> list[str]:
    say(store, "t1-a")
    say(store, "t1-a", mode="no_failure")
    say(store, "t1-b", who="ben")
    show(store, "t1-a")
    return exported(store).splitlines()


def loaded(ran: Ran) -> Any:
    return json.loads(ran.out)


def test_the_second_import_changes_nothing(store: Store, tmp_path: Path, reviewer: Cli) -> None:
    (tmp_path / "l.jsonl").write_text("\n".join(label_lines(store)))
    target = ("--store", tmp_path / "new.db")
    first = reviewer(*target, "import", tmp_path / "l.jsonl", "--json")
    assert first.status == 0
    assert loaded(first)["labels"]["events"] == {"new": 3, "known": 0}
    again = loaded(reviewer(*target, "import", tmp_path / "l.jsonl", "--json"))["labels"]
    assert all(counts["new"] == 0 for name, counts in again.items() if name != "refused")
    assert (again["events"]["known"], again["refused"]) == (3, 0)
    out = reviewer(*target, "export", "labels").out
    assert out == reviewer("export", "labels").out


def test_a_line_that_would_change_what_was_said_is_refused_by_name(
    store: Store, tmp_path: Path, reviewer: Cli
) -> None:
    file = tmp_path / "l.jsonl"
    rows = label_lines(store)
    place = next(n for n, line in enumerate(rows) if '"no_failure"' in line)
    rows[place] = rows[place].replace('"no_failure"', '"tool_misuse"')
    file.write_text("\n".join(rows))
    before = store.labels.events()
    ran = reviewer("import", file)
    assert ran.status == 1
    assert before[1].id in ran.err
    assert "mode" in ran.err
    assert f"l.jsonl:{place + 1}" in ran.err
    assert "1 refused" in ran.out
    assert store.labels.events() == before


def _cut(lines: list[str]) -> list[str]:
    return [*lines[:-1], lines[-1][:40]]


def _conflict(lines: list[str]) -> list[str]:
    return ["<<<<<<< ours", *lines, "=======", ">>>>>>> theirs"]


@pytest.mark.parametrize(
    ("damage", "events", "refused"),
    [
        (lambda rows: rows[1:], 3, 0),
        (_cut, 3, 1),
        (_conflict, 3, 0),
        (lambda rows: rows + rows, 3, 0),
        (lambda rows: [line.replace('"blind"', '"sighted"') for line in rows], 0, 3),
        (lambda rows: rows[:1], 0, 0),
        (lambda rows: [*rows, '{"reviewer": "event"}', "[]", '{"reviewer": ["x"]}'], 3, 3),
    ],
    ids=["no header", "cut short", "git conflict", "twice", "unknown word", "only header", "strange lines"],
)
def test_an_edited_file_costs_only_its_lines(
    store: Store, tmp_path: Path, reviewer: Cli, damage: Any, events: int, refused: int
) -> None:
    file = tmp_path / "l.jsonl"
    file.write_text("\n".join(damage(label_lines(store))))
    ran = reviewer("--store", tmp_path / "new.db", "import", file, "--json")
    assert ran.status == int(refused > 0), ran
    found = loaded(ran)["labels"]
    assert (found["events"]["new"], found["refused"]) == (events, refused)
    told = [one["reason"] for one in loaded(ran)["warnings"] if one["line"]]
    conflict = sum("conflict markers" in reason for reason in told)
    assert conflict == (damage is _conflict)
    assert len(told) - conflict == refused


def test_a_file_of_a_later_version_is_refused_whole(store: Store, tmp_path: Path, reviewer: Cli) -> None:
    rows = label_lines(store)
    (tmp_path / "l.jsonl").write_text("\n".join([rows[0].replace("1", "2"), *rows[1:]]))
    ran = reviewer("--store", tmp_path / "new.db", "import", tmp_path / "l.jsonl")
    assert ran.status == 1
    assert "upgrade" in ran.err
    with Store.open(tmp_path / "new.db") as new:
        assert new.labels.events() == []


def test_options_that_mean_nothing_to_a_history_are_refused(reviewer: Cli, store: Store) -> None:
    assert reviewer("export", "labels", "--with-trace").status == 2
    assert reviewer("export", "labels", "--round", 1).status == 2


# -- single lines --------------------------------------------------------------------------------------


def good() -> dict[str, Any]:
    made = event("t1-a", condition="blind", seconds=1.5)
    (line,) = [line for line in label_file.lines([], [], [made], []) if '"event"' in line]
    value: dict[str, Any] = json.loads(line)
    assert label_file.read(value) == made
    return value


@pytest.mark.parametrize(
    "change",
    [
        {"id": ""},
        {"id": "x" * 201},
        {"id": "a b"},
        {"id": 7},
        {"kind": "verdict"},
        {"kind": "note"},  # a note has no condition
        {"condition": None},
        {"condition": "Blind"},
        {"mode": ""},
        {"mode": "two words"},
        {"mode": ["other"]},
        {"taxonomy_hash": ""},
        {"round": 0},
        {"round": True},
        {"round": 2**70},
        {"step_n": -1},
        {"step_n": 1.5},
        {"seconds": 10**400},
        {"seconds": float("nan")},
        {"secondary": "other"},
        {"facets": {"claim": 1}},
        {"facets": []},
        {"supersedes": [""]},
        {"supersedes": {"a": 1}},
        {"note": None},
        {"guideline": 1},
        {"colour": "red"},
        {"trace_id": "t1-\x1b"},
    ],
    ids=str,
)
def test_a_field_that_does_not_fit_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(label_file.InputError):
        label_file.read(good() | change)


@pytest.mark.parametrize("missing", ["id", "kind", "trace_id", "annotator", "at", "origin", "app"])
def test_a_field_that_is_missing_is_refused(missing: str) -> None:
    value = good()
    del value[missing]
    with pytest.raises(label_file.InputError, match=missing):
        label_file.read(value)


def test_an_event_cannot_replace_itself_and_a_taxonomy_cannot_change_under_its_hash() -> None:
    value = good()
    with pytest.raises(label_file.InputError, match="itself"):
        label_file.read(value | {"supersedes": [value["id"]]})
    with pytest.raises(label_file.InputError, match="hash"):
        label_file.read({"reviewer": "taxonomy", "hash": SIX.hash, "toml": OTHER.toml})
    with pytest.raises(label_file.InputError, match="TOML"):
        label_file.read({"reviewer": "taxonomy", "hash": SIX.hash, "toml": "= nope"})
    with pytest.raises(label_file.InputError, match="name"):
        label_file.read({"reviewer": "annotator", "id": "a", "name": "x\x1b[2J"})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from([*good(), "reviewer", "ref", "toml", "name", "x"]), JSON))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_line_is_a_value_or_one_of_our_errors(change: dict[str, Any]) -> None:
    for value in (change, good() | change):
        try:
            label_file.read(value)
        except label_file.InputError as error:
            assert "\n" not in str(error)


def test_nobody_takes_back_what_another_said(store: Store, tmp_path: Path, reviewer: Cli) -> None:
    mine = say(store, "t1-a")
    foreign: list[LabelEvent] = [
        event("t1-a", who="ben", condition="blind", supersedes=(mine.id,)),
        event("t1-b", condition="blind", supersedes=(mine.id,)),
        event("t1-a", condition="blind", supersedes=(mine.id,), mode="no_failure"),
    ]
    file = tmp_path / "l.jsonl"
    file.write_text("\n".join(label_file.lines([], [], foreign, [])))
    assert reviewer("import", file).status == 0
    assert mine.id not in {e.id for e in store.labels.heads(trace_id="t1-b")}
    here = {e.id for e in store.labels.heads(trace_id="t1-a")}
    assert here == {foreign[0].id, foreign[2].id}  # one's own event takes the old one out, another's does not
    assert len(store.labels.events()) == 4
