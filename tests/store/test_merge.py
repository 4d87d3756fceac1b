"""Merging stores: who merges whom does not matter, twice changes nothing, nothing foreign is trusted."""

import shutil
import sqlite3
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.errors import StoreDamaged, StoreError, StoreMissing, StoreReadOnly, StoreTooNew
from reviewer.label import Exposure, ExposureKind, Gold
from reviewer.store import Store
from reviewer.study.conflicts import conflicts
from reviewer.study.gold import golds
from reviewer.study.rows import verdict
from reviewer.trace import Outcome, trace_id
from tests.history import NUMBERS, PEOPLE, SIX, event, link, now, put, say, session, show, suggest, take_back


def new(folder: Path, name: str = "") -> Store:
    return Store.open(folder / f"{name}{next(NUMBERS)}.db", create=True)


def copied(store: Store) -> Store:
    target = store.path.with_name(f"copy{next(NUMBERS)}.db")
    store.backup(target)
    return Store.open(target)


def known(store: Store) -> dict[str, Any]:
    """Everything that a merge must yield alike, whatever the order."""
    labels = store.labels

    def gold(one: Gold) -> tuple[Any, ...]:
        return (one.status, one.decision, sorted(one.events))

    rows = store.outcomes.all()
    return {
        "events": {e.id: e for e in labels.events()},
        "heads": {e.id for e in labels.heads()},
        "blind": {e.id for e in labels.blind_heads(SIX.id, 1)},
        "exposures": {e.id: e for e in store.history.exposures()},
        "annotators": labels.annotators(),
        "taxonomies": set(store.settings.taxonomies()),
        "traces": {(i.trace_id, i.content_hash, i.n_steps) for i in store.traces.all(children=True)},
        "revisions": store.revisions.all(),
        "bodies": {
            i.trace_id: tuple(store.traces.steps(i.trace_id)) for i in store.traces.all(children=True)
        },
        "verdicts": {trace: verdict(said) for trace, said in rows.items()},
        "suggestions": {s.id for s in store.suggestions.all()},
        "all suggestions": store.suggestions.count()[0],
        "gold": {
            k: gold(v) for k, v in golds(labels.heads(SIX.id, 1), labels.blind_heads(SIX.id, 1)).items()
        },
        "conflicts": conflicts(store),
        "links": {one.id: one for one in labels.links.all()},
        "people": labels.links.people(),
    }


def merge(target: Store, *others: Store) -> list[Any]:
    return [target.merge(other.path, now=now()) for other in others]


SESSIONS = {name: [f"{name}{n}" for n in range(5)] for name in "xy"}
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["label", "note", "retract", "flag", "adjudicate", "undo", "show", "suggest", "grow", "grade"]
        )
        | st.sampled_from(["link", "unlink"]),
        st.sampled_from(["other", "no_failure"]),
        st.sampled_from(["ana", "ben"]),
        st.sampled_from("xy"),
        st.integers(1, 5),
    ),
    max_size=8,
)


def play(store: Store, steps: list[tuple[str, str, str, str, int]]) -> None:
    for kind, mode, who, name, length in steps:
        trace = session(SESSIONS[name][:length], name)
        id = trace.info.trace_id
        if kind == "grow":
            put(store, trace)
        elif kind == "grade":
            with store.write():
                store.outcomes.put(id, Outcome(mode == "other", float(length)), now=now())
        elif kind == "undo":
            take_back(store, who)
        elif kind in ("link", "unlink"):
            link(store, "ana", "ben", same=kind == "link", by=who)
        elif kind == "show":
            show(store, id, who=who)
        elif kind == "suggest":
            suggest(store, id, mode)
        elif kind != "retract":
            say(store, id, kind, mode, who, note="n" * length)  # type: ignore[arg-type]
        elif any(
            e.kind == "label" and e.annotator == store.labels.links.people().person(PEOPLE[who].id)
            for e in store.labels.heads(trace_id=id)
        ):
            say(store, id, "retract", who=who)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=STEPS, mine=STEPS, theirs=STEPS)
def test_merging_commutes_and_a_second_time_changes_nothing(
    tmp_path: Path, before: list[Any], mine: list[Any], theirs: list[Any]
) -> None:
    with new(tmp_path) as a:
        play(a, before)
        with copied(a) as b:
            play(a, mine)
            play(b, theirs)
            old = known(a), known(b)
            with copied(a) as ab, copied(b) as ba, new(tmp_path) as neither:
                merge(ab, b)
                merge(ba, a)
                merge(neither, a, b)
                assert known(ab) == known(ba) == known(neither)
                assert old == (known(a), known(b))
                assert known(ab)["events"] == old[0]["events"] | old[1]["events"]
                for again in merge(ab, b, a, ba):
                    assert not again.lost
                    assert all(counts.new == 0 for counts in again.counts.values()), again
                assert known(ab) == known(ba)


def test_two_heads_of_one_person_are_a_conflict_until_that_person_decides(tmp_path: Path) -> None:
    with new(tmp_path) as a, new(tmp_path) as b:
        say(a, "t1-a", mode="other")
        say(b, "t1-a", mode="no_failure")
        say(b, "t1-a", mode="no_failure", who="ben")
        merge(a, b)
        (conflict,) = conflicts(a)
        assert {one.mode for one in conflict.events} == {"other", "no_failure"}
        heads, blind = a.labels.heads(SIX.id, 1), a.labels.blind_heads(SIX.id, 1)
        assert golds(heads, blind)["t1-a"].status == "conflict"
        settled = say(a, "t1-a", mode="no_failure")
        assert len(settled.supersedes) == 2
        assert conflicts(a) == []
        merge(b, a)
        assert conflicts(b) == []
        heads, blind = b.labels.heads(SIX.id, 1), b.labels.blind_heads(SIX.id, 1)
        assert golds(heads, blind)["t1-a"].status == "unanimous"


def test_two_adjudicators_who_agree_give_the_same_gold_in_any_order(tmp_path: Path) -> None:
    with new(tmp_path) as a, new(tmp_path) as b:
        say(a, "t1-a", "adjudicate", reason="rule 1", submode="x")
        say(b, "t1-a", "adjudicate", who="ben", reason="rule 2", submode="y")
        for target, other in ((a, b), (b, a)):
            merge(target, other)
        decided = [golds(store.labels.heads(), ())["t1-a"].decision for store in (a, b)]
        assert decided[0] == decided[1]
        assert decided[0] is not None
        assert (decided[0].mode, decided[0].submode) == ("other", "")


def test_clocks_that_differ_do_not_turn_a_history_around(tmp_path: Path) -> None:
    with new(tmp_path) as a, new(tmp_path) as b:
        first = say(b, "t1-a", at="2026-01-01T05:00:00Z")
        second = say(b, "t1-a", mode="no_failure", at="2026-01-01T00:00:00Z")
        merge(a, b)
        assert [e.id for e in a.labels.events()] == [first.id, second.id]


@pytest.mark.parametrize(("kind", "ref"), [("suggestion", "s1"), ("peers", "e-ben")])
def test_what_one_id_was_shown_in_another_store_before_its_label_counts(
    tmp_path: Path, kind: ExposureKind, ref: str
) -> None:
    with new(tmp_path) as a, new(tmp_path) as b:
        a.labels.expose([Exposure("x-there", PEOPLE["ana"].id, "t1-a", kind, ref, now())])
        said = say(b, "t1-a")
        assert b.labels.blind_heads(SIX.id, 1) == [said]
        merge(b, a)
        assert b.labels.events() == [said]  # what was written stays as it is
        assert b.labels.blind_heads(SIX.id, 1) == []
        assert [one.condition for one in b.labels.heads(SIX.id, 1)] == [kind]
        assert [one.condition for one in b.labels.heads(SIX.id, 1, "t1-a")] == [kind]


def test_what_one_id_was_shown_after_its_label_does_not_count(tmp_path: Path) -> None:
    with new(tmp_path) as a, new(tmp_path) as b:
        said = say(b, "t1-a")
        a.labels.expose([Exposure("x-there", PEOPLE["ana"].id, "t1-a", "suggestion", "s1", now())])
        merge(b, a)
        assert b.labels.blind_heads(SIX.id, 1) == [said]


def test_the_revision_that_a_label_refers_to_comes_along(tmp_path: Path) -> None:
    short, long = session(["a"]), session(["a", "b"])
    id = short.info.trace_id
    with new(tmp_path) as a, new(tmp_path) as b, new(tmp_path) as c:
        put(a, long)
        put(b, short)
        say(b, id)
        put(c, short)
        put(c, long)  # the short one is dropped here: no label refers to it
        merge(a, b)
        merge(c, b)
        for store in (a, c):
            assert store.traces.info(id).content_hash == long.info.content_hash
            assert store.revisions.all()[id] == {short.info.content_hash, long.info.content_hash}
            with sqlite3.connect(store.path) as db:
                kept = db.execute("SELECT count(DISTINCT revision) FROM bodies").fetchone()
            assert kept == (2,)
            assert store.problems() == []


def test_the_same_id_with_another_content_is_kept_apart_and_told(tmp_path: Path) -> None:
    mine, theirs = session(["a", "b"]), session(["a", "c"])
    id = mine.info.trace_id
    own = trace_id([id, theirs.info.content_hash])
    with new(tmp_path) as a, new(tmp_path) as b:
        put(a, mine, Outcome(True))
        put(b, theirs, Outcome(False))
        child = session(["k"], "kid", parent_id=id)
        put(b, child)
        suggest(b, id)
        say(b, id)
        (found,) = merge(a, b)
        (told,) = found.told
        assert id in told and own in told and "labels" in told
        assert {info.trace_id for info in a.traces.all()} == {id, own}
        assert [step.message for step in a.traces.steps(own)] == ["a", "c"]
        assert [verdict(a.outcomes.of(one))[0] for one in (id, own)] == [True, False]
        assert [one.trace_id for one in a.suggestions.all()] == [own]
        assert [one.trace_id for one in a.traces.children(own)] == [child.info.trace_id]
        before = known(a)
        (again,) = merge(a, b)
        assert known(a) == before
        assert all(counts.new == 0 for counts in again.counts.values())


def test_the_same_name_on_two_machines_stays_two_people(tmp_path: Path) -> None:
    with new(tmp_path) as a, new(tmp_path) as b:
        say(a, "t1-a")
        PEOPLE["other ana"] = type(PEOPLE["ana"])("a1-elsewhere", "ana")
        say(b, "t1-a", who="other ana")
        merge(a, b)
        assert [one.name for one in a.labels.annotators().values()] == ["ana", "ana"]
        assert conflicts(a) == []


def test_what_was_said_is_not_changed_by_another_store(tmp_path: Path) -> None:
    with new(tmp_path) as a:
        said = say(a, "t1-a", mode="other")
        with copied(a) as b:
            path = b.path
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER events_no_update")
        db.execute("UPDATE events SET mode = 'no_failure'")
        db.execute("UPDATE annotators SET name = 'eve'")
    with Store.open(a.path) as a:
        found = a.merge(path, now=now())
        assert found.counts["events"].refused == 1
        assert said.id in found.refused[0].reason
        assert "eve" in found.told[0]
        assert a.labels.events() == [said]
        assert a.labels.annotators()[PEOPLE["ana"].id].name == "ana"


# -- stores that are not to be trusted -----------------------------------------------------------------


BOMB = zlib.compress(b'{"n": 1, "source": "agent"}' + b" " * (1 << 20))  # sound, if it is cut short
DAMAGE = {
    "no JSON in a label": ("UPDATE events SET facets = '{'", "events"),
    "JSON of another kind": ("UPDATE events SET secondary = '5'", "events"),
    "nested without end": (f"UPDATE events SET shown = '{'[' * 100_000}'", "events"),
    "an empty id": ("UPDATE events SET id = ''", "events"),
    "an absurd id": ("UPDATE events SET id = printf('%01000d', 1)", "events"),
    "no UTF-8": ("UPDATE events SET trace_id = CAST(x'ff20' AS TEXT)", "events"),
    "a round that is none": ("UPDATE events SET round = -1", "events"),
    "a name that moves a terminal": ("UPDATE annotators SET name = char(27) || '[2J'", "annotators"),
    "a taxonomy that was edited": (
        "UPDATE taxonomies SET toml = replace(toml, 'loop', 'look')||'x=1'",
        "taxonomies",
    ),
    "an exposure of nothing": ("UPDATE exposures SET kind = 'smell'", "exposures"),
    "a suggestion without a mode": ("UPDATE suggestions SET mode = ''", "suggestions"),
    "evidence that is none": ("UPDATE suggestions SET evidence = '[1]'", "suggestions"),
    "an outcome without JSON": ("UPDATE outcomes SET detail = 'x'", "outcomes"),
    "a verdict beyond yes and no": ("UPDATE outcomes SET passed = 2", "outcomes"),
    "a trace that never ended so": ("UPDATE traces SET ended = 'eaten'", "traces"),
    "meta without JSON": ("UPDATE traces SET meta = ''", "traces"),
    "a body that is none": ("UPDATE bodies SET data = x'00', codec = 1", "traces"),
    "a body that is a bomb": (f"UPDATE bodies SET data = x'{BOMB.hex()}', codec = 1", "traces"),
    "a step that is no object": ("UPDATE bodies SET data = CAST('[]' AS BLOB), codec = 0", "traces"),
    "a step of wrong types": (
        """UPDATE bodies SET codec = 0, data = CAST('{"n": 1, "source": "agent", "message": 7}' AS BLOB)""",
        "traces",
    ),
    "a step from nobody": (
        """UPDATE bodies SET codec = 0, data = CAST('{"n": 1, "source": "ghost"}' AS BLOB)""",
        "traces",
    ),
    "bodies that are gone": ("DELETE FROM bodies", "traces"),
    "a source record that is gone": ("DELETE FROM raw", "traces"),
    "a source record without JSON": ("UPDATE raw SET data = x'7b', codec = 0", "traces"),
    "revisions that are gone": ("DELETE FROM revisions", "traces"),
    "a link with oneself": ("UPDATE links SET b = a", "links"),
    "a link that is neither yes nor no": ("UPDATE links SET same = 2", "links"),
    "a link without JSON": ("UPDATE links SET supersedes = '['", "links"),
    "a link that replaces no ids": ("""UPDATE links SET supersedes = '{"a": 1}'""", "links"),
    "a link to nobody": ("UPDATE links SET a = char(27)", "links"),
    "a link that replaces itself": ("UPDATE links SET supersedes = json_array(id)", "links"),
}


WHOLE = {"traces", "events", "exposures", "suggestions", "annotators", "taxonomies", "outcomes", "links"}


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A store with one of everything."""
    with new(tmp_path, "other") as store:
        id = put(store, session(["a"]), Outcome(False, 0.5, detail={"k": 1}))
        suggestion = suggest(store, id)
        show(store, id, ref=suggestion.id)
        say(store, id)
        link(store, "ana", "ben")
    return store.path


@pytest.mark.parametrize("what", DAMAGE)
def test_a_broken_row_costs_itself_and_is_named(store: Store, other: Path, what: str) -> None:
    sql, kind = DAMAGE[what]
    with sqlite3.connect(other) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(sql)
    found = store.merge(other, now=now())
    assert {name: counts.refused for name, counts in found.counts.items() if counts.refused} == {kind: 1}
    assert len(found.refused) == 1
    assert found.refused[0].reason
    for name, counts in found.counts.items():
        assert counts.new == (name != kind and name in WHOLE), name
    assert store.problems() == []
    assert known(store)


def wal(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = WAL")


def hot(path: Path) -> None:
    """What is left when the last writer was killed in the middle of a commit."""
    journal, whole = path.with_name(f"{path.name}-journal"), path.read_bytes()
    with sqlite3.connect(path, isolation_level=None) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("CREATE TABLE spill(x)")
        db.executemany("INSERT INTO spill VALUES(randomblob(200))", [()] * 3000)
        kept, half = journal.read_bytes(), path.read_bytes()
        db.execute("ROLLBACK")
    assert half != whole
    journal.write_bytes(kept)
    path.write_bytes(half)


def run(sql: str) -> Callable[[Path], None]:
    def do(path: Path) -> None:
        with sqlite3.connect(path) as db:
            db.executescript(sql)

    return do


@pytest.mark.parametrize(
    ("change", "error", "word"),
    [
        (lambda path: path.write_bytes(b"x" * 5000), StoreDamaged, "not a store"),
        (lambda path: path.unlink(), StoreMissing, "no store"),
        (lambda path: (path.unlink(), path.mkdir()), StoreError, "folder"),
        (run("PRAGMA user_version = 99"), StoreTooNew, "upgrade"),
        (run("PRAGMA user_version = 0"), StoreError, "older"),
        (run("PRAGMA application_id = 1"), StoreDamaged, "not a store"),
        (run("DROP TABLE suggestions"), StoreDamaged, "suggestions"),
        (
            run(
                "DROP TABLE suggestions; CREATE VIEW suggestions AS "
                "WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT * FROM n"
            ),
            StoreDamaged,
            "suggestions",
        ),
        (run("ALTER TABLE suggestions DROP COLUMN omitted"), StoreError, "omitted"),
        (lambda path: path.write_bytes(path.read_bytes()[:9000]), StoreDamaged, "check"),
        (wal, StoreReadOnly, "write-ahead"),
        (hot, StoreReadOnly, "interrupted"),
    ],
    ids=["bytes", "missing", "folder", "newer", "older", "other program", "no table", "endless view",
         "no column", "cut short", "wal", "hot journal"],
)  # fmt: skip
def test_a_store_that_cannot_be_read_is_refused_and_left_as_it_is(
    store: Store, other: Path, change: Any, error: type[StoreError], word: str
) -> None:
    change(other)
    before = folder(other)
    with pytest.raises(error, match=word):
        store.merge(other, now=now())
    assert folder(other) == before


def folder(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.glob(f"{path.name}*") if file.is_file()}


def test_the_other_store_is_not_changed_not_even_its_time(store: Store, other: Path) -> None:
    before, at = folder(other), other.stat().st_mtime_ns
    other.chmod(0o444)
    assert not store.merge(other, now=now()).lost
    assert (folder(other), other.stat().st_mtime_ns) == (before, at)


def test_a_store_is_not_merged_into_itself(store: Store, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(store.path)
    with pytest.raises(StoreError, match="merge into"):
        store.merge(tmp_path / "link.db", now=now())


def test_a_copy_in_hand_merges_like_the_original(store: Store, other: Path, tmp_path: Path) -> None:
    shutil.copy(other, tmp_path / "plain copy.db")
    store.merge(other, now=now())
    found = store.merge(tmp_path / "plain copy.db", now=now())
    assert all(counts.new == 0 for counts in found.counts.values())


def test_ids_that_collide_with_other_content_are_refused(store: Store, tmp_path: Path) -> None:
    first = event("t1-a", condition="blind")
    with store.write():
        store.labels.insert(first)
    with new(tmp_path) as b:
        with b.write():
            b.labels.insert(event("t1-b", condition="blind", id=first.id))
        found = store.merge(b.path, now=now())
    assert found.counts["events"].refused == 1
    assert "trace_id" in found.refused[0].reason
