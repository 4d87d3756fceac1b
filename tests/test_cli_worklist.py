"""A change of the codebook: who has to look at what again, and old labels read by a map, only when asked."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as budget
from hypothesis import strategies as st

from reviewer import settings, taxonomy
from reviewer.label import Annotator, Decision, LabelEvent
from reviewer.session import Desk
from reviewer.session.revisiting import WorklistSession, round_of
from reviewer.store import Store
from reviewer.study.carried import carry, edges, keep_edge, worklist
from reviewer.study.gold import golds
from reviewer.taxonomy import Edge, Taxonomy
from tests.conftest import Ran
from tests.history import PEOPLE, now, put, session

Cli = Callable[..., Ran]
OLD = """id = "kitchen"
version = "1"
[[mode]]
id = "burnt"
definition = "Black."
[[mode]]
id = "raw"
definition = "Cold."
submodes = ["middle"]
[[mode]]
id = "fine"
kind = "non_failure"
"""
NEW = OLD.replace('"1"', '"2"').replace('"burnt"', '"charred"').replace(
    'id = "raw"\ndefinition = "Cold."\nsubmodes = ["middle"]',
    'id = "cold"\n[[mode]]\nid = "half_done"\nsubmodes = ["middle"]',
)  # fmt: skip
MAP = 'burnt = "charred"\nraw = ["cold", "half_done"]\n'
WHO = ("ana", "ben")
SAID = [("burnt", "burnt"), ("raw", "raw"), ("fine", "fine"), ("burnt", "raw")]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {"old.toml": OLD, "new.toml": NEW, "map.toml": MAP, "inside.toml": f"{NEW}[map]\n{MAP}"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in texts}


@pytest.fixture
def study(reviewer: Cli, files: dict[str, Path], tmp_path: Path) -> Cli:
    """Four traces that ana and ben labelled under the old codebook."""
    runs = [
        {"task": "t", "task_id": f"k{n}", "passed": False, "trajectory": [{"thought": f"x{n}"}]}
        for n in range(4)
    ]
    (tmp_path / "runs.json").write_text(json.dumps(runs))
    assert reviewer("import", tmp_path / "runs.json").status == 0
    assert reviewer("taxonomy", "use", files["old.toml"]).status == 0
    for trace, modes in zip(traces(), SAID, strict=True):
        for name, mode in zip(("ana", "ben"), modes, strict=True):
            assert reviewer("annotate", trace, mode, "--as", name).status == 0
    return reviewer


def traces() -> list[str]:
    with Store.open(settings.store_path(None)) as store:
        return [info.trace_id for info in store.traces.all()]


def history() -> list[LabelEvent]:
    with Store.open(settings.store_path(None)) as store:
        return store.labels.events()


def due(cli: Cli, *more: str) -> list[tuple[str, str]]:
    told = json.loads(cli("taxonomy", "worklist", "--json", *more).out)["worklist"]
    return [(one["annotator"]["name"], one["trace_id"]) for one in told]


def gold(cli: Cli, *more: str) -> list[str | None]:
    rows = [json.loads(line) for line in cli("export", "jsonl", *more).out.splitlines()]
    return [row["gold"] and row["gold"]["mode"] for row in rows]


@pytest.mark.parametrize("way", ["--map", "[map]"])
def test_a_map_makes_a_worklist_and_old_labels_never_change(
    study: Cli, files: dict[str, Path], way: str
) -> None:
    before = history()
    given = [files["new.toml"], "--map", files["map.toml"]] if way == "--map" else [files["inside.toml"]]
    told = json.loads(study("taxonomy", "use", *given, "--json").out)
    assert (told["worklist"], told["unmapped"]) == (3, [])
    ids = traces()
    assert sorted(due(study)) == sorted([("ana", ids[1]), ("ben", ids[1]), ("ben", ids[3])])
    assert due(study, "--as", "ana") == [("ana", ids[1])]
    assert due(study, "--from", taxonomy.parse(OLD).hash[:12]) == due(study)
    assert study("taxonomy", "worklist", "--from", "0000000").status == 1
    assert "split: cold or half_done" in study("taxonomy", "worklist").out
    assert gold(study) == [None] * 4  # nothing is carried unless asked for
    assert gold(study, "--carry") == ["charred", None, "fine", None]
    report = json.loads(study("report", "--carry", "--json").out)
    assert report["carried"] is True
    assert history() == before


def test_labels_under_the_new_codebook_empty_the_worklist_in_a_round_of_their_own(
    study: Cli, files: dict[str, Path]
) -> None:
    before = history()
    assert study("taxonomy", "use", files["new.toml"], "--map", files["map.toml"]).status == 0
    for name, trace in due(study):
        assert study("annotate", trace, "cold", "--as", name, "--round", "2").status == 0
    assert due(study) == []
    assert history()[: len(before)] == before
    assert gold(study, "--round", "2") == [None, "cold", None, None]
    assert gold(study, "--round", "2", "--carry") == ["charred", "cold", "fine", None]
    assert study("taxonomy", "use", taxonomy.parse(OLD).hash[:12]).status == 0
    assert gold(study, "--round", "1") == ["burnt", "raw", "fine", None]  # as ever


def test_a_map_that_leaves_a_mode_out_or_names_none_is_refused(
    study: Cli, files: dict[str, Path], tmp_path: Path
) -> None:
    wrong = {
        'burnt = "charred"': "raw: neither in the map",
        'burnt = "chared"\nraw = ""': "did you mean charred",
        f'{MAP}brunt = ""': "did you mean burnt",
        "burnt = [": "not TOML",
        "burnt = 3": "must be text",
    }
    for text, why in wrong.items():
        (tmp_path / "bad.toml").write_text(text)
        ran = study("taxonomy", "use", files["new.toml"], "--map", tmp_path / "bad.toml")
        assert (ran.status, len(ran.err.splitlines()), why in ran.err) == (1, 1, True), ran
    assert study("taxonomy", "use", files["new.toml"], "--map", tmp_path / "none.toml").status == 1
    assert (
        study("taxonomy", "use", files["old.toml"], "--map", files["map.toml"]).status == 1
    )  # in use already
    assert "*" not in study("taxonomy", "list").out
    (tmp_path / "drop.toml").write_text('burnt = "charred"\nraw = ""\n')
    assert study("taxonomy", "use", files["new.toml"], "--map", tmp_path / "drop.toml").status == 0
    assert "dropped" in study("taxonomy", "worklist").out


def test_diff_takes_files_ids_hashes_and_versions(study: Cli, files: dict[str, Path]) -> None:
    assert study("taxonomy", "use", files["new.toml"], "--map", files["map.toml"]).status == 0
    old, new = (taxonomy.parse(text) for text in (OLD, NEW))
    for a, b in [("1", "2"), ("kitchen@1", "kitchen@2"), (old.hash[:10], new.hash), (files["old.toml"], "2")]:
        told = json.loads(study("taxonomy", "diff", a, b, "--json").out)
        assert (told["from"]["hash"], told["to"]["hash"], told["same"]) == (old.hash, new.hash, False)
        fates = {mode["mode"]: mode["fate"] for mode in told["modes"]}
        assert fates == {"burnt": "renamed", "raw": "split", "fine": "unchanged"}
    assert "mode renamed: burnt -> charred" in study("taxonomy", "diff", "1", "2").out
    assert study("taxonomy", "diff", "1", "1").out.splitlines()[-1] == "the same"
    told = json.loads(
        study("taxonomy", "diff", "2", "1", "--json").out
    )  # the way back is the map turned round
    fates = {mode["mode"]: mode["fate"] for mode in told["modes"]}
    assert fates == {"charred": "renamed", "cold": "merged", "half_done": "merged", "fine": "unchanged"}
    assert "kept here: kitchen@1" in study("taxonomy", "diff", "9", "1").err


# -- in a store ---------------------------------------------------------------------------------


def desk(store: Store, who: str, book: Taxonomy, round: int) -> Desk:
    ids = iter(f"{who}{round}-{n}-{now()}" for n in range(1000))
    return Desk(store, PEOPLE[who], book, round, now, ids.__next__, "test")


def fill(store: Store, said: Sequence[tuple[str, str]], book: Taxonomy) -> list[str]:
    from reviewer.label import Decision
    from reviewer.session import ReviewSession

    found = [put(store, session([f"x{n}"], f"t{n}")) for n in range(len(said))]
    for place, modes in enumerate(said):
        for who, mode in zip(WHO, modes, strict=True):
            ReviewSession(desk(store, who, book, 1), blind=True).label(place, Decision(mode))
    return found


def changed(store: Store) -> tuple[Taxonomy, Taxonomy]:
    old, new = taxonomy.parse(OLD), taxonomy.parse(f"{NEW}[map]\n{MAP}")
    store.settings.keep_taxonomy(new, now=now())
    keep_edge(store, Edge(old.hash, new.hash, new.map), now=now())
    return old, new


@budget(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(said=st.lists(st.tuples(*[st.sampled_from(["burnt", "raw", "fine"])] * 2), min_size=1, max_size=5))
def test_relabelling_empties_the_worklist_and_nothing_else_does(
    said: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with Store.open(tmp_path_factory.mktemp("s") / "s.db", create=True) as store:
        ids = fill(store, said, taxonomy.parse(OLD))
        _, new = changed(store)
        expected = {
            (ids[n], PEOPLE[who].id)
            for n, modes in enumerate(said)
            for who, m in zip(WHO, modes, strict=True)
            if m == "raw"
        }
        assert {(one.trace_id, one.annotator) for one in worklist(store, new)} == expected
        before = store.labels.events()
        for who in WHO:
            mine = [trace for trace, person in expected if person == PEOPLE[who].id]
            sitting = WorklistSession(desk(store, who, new, round_of(store, new)), blind=True)
            assert {item.info.trace_id for item in sitting.items} == set(mine)
            for place in range(len(sitting.items)):
                sitting.label(place, Decision("cold"))
        assert worklist(store, new) == []
        assert store.labels.events()[: len(before)] == before
        found = carry(store, new, 2)
        known = golds(found.current.heads, found.current.blind)
        names = {"burnt": "charred", "raw": "cold", "fine": "fine"}
        for trace, (a, b) in zip(ids, said, strict=True):
            wanted = ("unanimous", names[a]) if a == b else ("disagreed", None)
            decision = known[trace].decision
            assert (known[trace].status, decision and decision.mode) == wanted


def test_a_trace_is_carried_whole_or_not_at_all(store: Store) -> None:
    """Two who agree are not unanimous while a third label cannot be read."""
    from reviewer.session import ReviewSession

    old = taxonomy.parse(OLD)
    (trace,) = fill(store, [("burnt", "burnt")], old)
    third = Desk(store, Annotator("a1-cleo", "cleo"), old, 1, now, lambda: f"c{now()}", "test")
    ReviewSession(third, blind=True).label(0, Decision("raw"))
    _, new = changed(store)
    found = carry(store, new, 1)
    assert (found.current.labels, found.carried, found.left) == ([], 0, 3)
    assert trace not in golds(found.current.heads, found.current.blind)


def test_maps_are_kept_once_and_lead_over_several_versions(store: Store) -> None:
    fill(store, [("burnt", "burnt")], taxonomy.parse(OLD))
    _, new = changed(store)
    changed(store)
    assert len(edges(store)) == 1
    last = taxonomy.parse(NEW.replace('"2"', '"3"').replace("charred", "black"))
    store.settings.keep_taxonomy(last, now=now())
    keep_edge(store, Edge(new.hash, last.hash, (("charred", ("black",)),)), now=now())
    found = carry(store, last, 1)
    assert {event.mode for event in found.current.labels} == {"black"}
    assert {event.taxonomy_hash for event in found.current.labels} == {last.hash}
    assert len(found.current.blind) == 2


def test_a_worklist_of_nothing_says_so(store: Store) -> None:
    from reviewer.errors import NotFound

    fill(store, [("burnt", "burnt")], taxonomy.parse(OLD))
    _, new = changed(store)
    with pytest.raises(NotFound, match="nothing to look at again for ana"):
        WorklistSession(desk(store, "ana", new, 2), blind=True).first()


def test_what_does_not_go_with_a_worklist_is_wrong_usage(study: Cli, tmp_path: Path) -> None:
    for more in (["--again", "3"], ["--order", "uncertain"], [tmp_path / "runs.json"]):
        assert study("label", "--worklist", "--blind", *more).status == 2


def test_a_worklist_has_a_round_of_its_own_after_the_last(study: Cli, files: dict[str, Path]) -> None:
    for round in ("2", "3"):
        given = ("--annotators", "ana,ben", "--overlap", "100%", "--n", "1", "--round", round)
        assert study("assign", *given).status == 0
    assert study("taxonomy", "use", files["inside.toml"]).status == 0
    with Store.open(settings.store_path(None)) as store:
        new = taxonomy.load(str(files["inside.toml"]))
        assert round_of(store, new) == 4
        ben = Annotator(*settings.identity("ben"))
        sitting = WorklistSession(Desk(store, ben, new, 4, now, lambda: "b1", "test"), blind=True)
        sitting.label(0, Decision("cold"))
        assert round_of(store, new) == 4  # the next sitting goes on in it
