"""`export store` and its `import`: whatever a store holds, an empty one becomes equal to it."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer.cli.archiving import apart, bring
from reviewer.errors import InputError
from reviewer.label import Link
from reviewer.store import Store
from reviewer.store.archive import lines
from reviewer.store.assignments import Assignment, Draw
from reviewer.store.codes import Code
from reviewer.trace import Outcome
from tests.conftest import SAMPLES, Ran
from tests.exporters.labelled import filled
from tests.exporters.test_labels import STEPS, play
from tests.history import NUMBERS, OTHER, now, put, say, session, suggest

Cli = Callable[..., Ran]


def text(store: Store) -> str:
    return "".join(lines(store))


def brought(folder: Path, said: str) -> Store:
    number = next(NUMBERS)
    file = folder / f"{number}.jsonl"
    file.write_text(said)
    store = Store.open(folder / f"{number}.db", create=True)
    received = bring(store, file)
    assert not received.lost, received.refused
    return store


def everything(store: Store) -> dict[str, Any]:
    """What two equal stores have in common."""
    infos = [replace(info, revision=0) for info in store.traces.all(children=True)]
    return {
        "traces": infos,
        "steps": {info.trace_id: store.traces.trace(info.trace_id).steps for info in infos},
        "raw": {info.trace_id: store.traces.raw(info.trace_id) for info in infos},
        "revisions": store.revisions.all(),
        "outcomes": store.outcomes.all(),
        "events": {event.id: event for event in store.labels.events()},
        "current": {event.id for event in store.labels.heads()},
        "exposures": set(store.history.exposures()),
        "annotators": list(store.labels.annotators().values()),
        "taxonomies": {one.hash: one.toml for one in store.history.taxonomies()},
        "suggestions": {one.id: one for one in store.suggestions.all()},
        "links": {link.id: link for link in store.labels.links.all()},
        "draws": store.assignments.draws(),
        "assignments": store.assignments.all(),
        "codes": store.codes.all(),
    }


GROWN = st.lists(
    st.tuples(
        st.sampled_from(["one", "two"]),  # whose first record it is
        st.integers(1, 4),  # records that have come by then
        st.sampled_from([None, True, False]),
        st.sampled_from([None, 0.25, float("inf"), float("-inf")]),
        st.sampled_from(["file", "report.json"]),
    ),
    max_size=5,
)
TEXTS = ["Infinity", "\ud800\0\x7f\x1b", "é\u2028", "-Infinity", '"', "{}"]


def study(store: Store, draws: int, same: list[bool]) -> None:
    """What a study leaves beside labels: draws with assignments, links, notes in groups."""
    for n in range(draws):
        draw = Draw(f"d{next(NUMBERS)}", "new", n + 1, {"overlap": 0.3}, now())
        who = ("a1-ana", "name:cleo")
        given = [
            Assignment(f"as{next(NUMBERS)}", draw.id, "t1-a", one, n + 1, place, True, "x", 1 / 3)
            for place, one in enumerate(who)
        ]
        store.assignments.add(draw, given, seen=0)
    for one in same:
        store.labels.links.say(Link(f"l{next(NUMBERS)}", "a1-ana", "a1-x", one, "a1-ben", now()))
    notes = [event.id for event in store.labels.events() if event.kind == "note"]
    store.codes.put([Code(id, "waits \u00e9", "a1-ana", now()) for id in notes[:2]])


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    grown=GROWN,
    steps=STEPS,
    notes=st.lists(st.sampled_from(TEXTS), max_size=3),
    draws=st.integers(0, 2),
    same=st.lists(st.booleans(), max_size=3),
)
def test_an_empty_store_becomes_an_equal_one(
    tmp_path: Path, grown: list[Any], steps: list[Any], notes: list[str], draws: int, same: list[bool]
) -> None:
    with Store.open(tmp_path / f"{next(NUMBERS)}.db", create=True) as store:
        for first, count, passed, score, origin in grown:
            made = session([f"{first} {n}" for n in range(count)], first=first)
            id = put(store, made, Outcome(passed, score, {"x": score}, origin=origin))
            suggest(store, id, rationale="\ud800\0", confidence=0.5)
            for note in notes:
                say(store, id, note=note, seconds=1.5)
        play(store, steps)
        study(store, draws, same)
        said = text(store)
        assert said.isascii() and not set(said) & {"\x1b", "\x7f"}
        for line in said.splitlines():
            json.loads(line, parse_constant=pytest.fail)
        with brought(tmp_path, said) as other:
            assert everything(other) == everything(store)
            assert text(other) == said
            assert other.problems() == []


def test_the_samples_go_out_and_in_again(reviewer: Cli, tmp_path: Path, store: Store) -> None:
    assert reviewer("import", SAMPLES).status == 0
    filled(store)
    say(store, "t1-elsewhere", mode="x", taxonomy=OTHER.id, taxonomy_hash=OTHER.hash)
    assert reviewer("export", "store", "-o", tmp_path / "all.jsonl").status == 0
    new = tmp_path / "new.db"
    ran = reviewer("--store", new, "import", tmp_path / "all.jsonl", "--json")
    assert ran.status == 0, ran.err
    (counts,) = json.loads(ran.out)["stores"]
    assert counts["traces"] == {"new": len(store.traces.all(children=True)), "known": 0}
    with Store.open(new) as other:
        assert everything(other) == everything(store)
    again = json.loads(reviewer("--store", new, "import", tmp_path / "all.jsonl", "--json").out)["stores"][0]
    assert all(again[kind]["new"] == 0 for kind in ("traces", "events", "outcomes", "suggestions"))


DAMAGE = {
    "no JSON": (lambda line: line[:-9], "damaged"),
    "a field too many": (lambda line: line.replace("{", '{"owned": 1, ', 1), "owned"),
    "a wrong type": (lambda line: line.replace('"round": 1', '"round": "x"'), "line"),
    "no such table": (lambda line: line.replace('"events"', '"settings"'), "none of"),
    "a forged mode": (lambda line: line.replace('"blind"', '"seen"'), "line"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_a_damaged_line_costs_itself_and_is_named(
    store: Store, reviewer: Cli, tmp_path: Path, what: str
) -> None:
    filled(store)
    damage, reason = DAMAGE[what]
    said = text(store).splitlines()
    number = next(n for n, line in enumerate(said) if '"condition": "blind"' in line and '"events"' in line)
    said[number] = damage(said[number])
    file = tmp_path / "x.jsonl"
    file.write_text("\n".join(said))
    ran = reviewer("--store", tmp_path / "new.db", "import", file)
    assert ran.status == 1
    assert f"line {number + 1}: " in ran.err and reason in ran.err
    with Store.open(tmp_path / "new.db") as other:
        assert len(other.labels.events()) == len(store.labels.events()) - 1
        assert other.traces.all() and other.problems() == []


def test_a_file_of_another_kind_or_version_is_refused(store: Store, tmp_path: Path, reviewer: Cli) -> None:
    newer, other = tmp_path / "newer.jsonl", tmp_path / "labels.jsonl"
    newer.write_text('{"reviewer": "store", "version": 99}\n')
    other.write_text('{"reviewer": "labels", "version": 1}\n')
    assert apart([str(newer), str(other), "-", "no such", "x\0"]) == (
        [newer],
        (str(other), "-", "no such", "x\0"),
    )
    with pytest.raises(InputError, match="upgrade reviewer"):
        bring(store, newer)
    ran = reviewer("import", newer)
    assert (ran.status, ran.err.count("\n")) == (1, 1)


def test_others_may_write_meanwhile(store: Store, tmp_path: Path) -> None:
    ids = filled(store)
    before = {event.id for event in store.labels.events()}
    said = []
    with Store.open(store.path) as mine:
        for n, line in enumerate(lines(mine)):
            said.append(line)
            say(store, ids["b"], mode="other" if n % 2 else "no_failure", who=("ana", "ben")[n % 2])
            put(store, session([f"a {n}"], first=f"{n}"), Outcome(passed=True))
    with brought(tmp_path, "".join(said)) as other:
        assert before <= {event.id for event in other.labels.events()}
        known = {event.id for event in store.labels.events()}
        assert {event.id for event in other.labels.events()} <= known
        assert not [
            one for one in other.labels.events() if one.taxonomy_hash not in _hashes(other) and one.mode
        ]


def _hashes(store: Store) -> set[str]:
    return {one.hash for one in store.history.taxonomies()}
