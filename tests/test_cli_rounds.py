"""A round keeps the codebook that it was assigned under: on another machine, and when another is in use."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer.cli.assigned import tell_after, tell_before
from reviewer.cli.context import Context
from reviewer.label import Annotator
from reviewer.settings import identity
from reviewer.store import Store
from reviewer.study import rounds
from tests.conftest import Ran
from tests.test_cli_merge import loaded
from tests.test_cli_worklist import NEW, OLD

Cli = Callable[..., Ran]
NEXT = OLD.replace('"1"', '"2"').replace("Black.", "Black all over.")


@pytest.fixture
def lab(reviewer: Cli, tmp_path: Path) -> Path:
    """Four traces under version 1, and a copy of the store on ben's machine."""
    for name, text in (("old.toml", OLD), ("next.toml", NEXT), ("new.toml", NEW)):
        (tmp_path / name).write_text(text)
    runs = [{"task": f"cook {n}", "task_id": f"k{n}", "trajectory": [{"thought": f"x{n}"}]} for n in range(4)]
    (tmp_path / "runs.json").write_text(json.dumps(runs))
    store = tmp_path / "lab.db"
    assert reviewer("--store", store, "import", tmp_path / "runs.json").status == 0
    assert reviewer("--store", store, "taxonomy", "use", tmp_path / "old.toml").status == 0
    assert reviewer("--store", store, "backup", tmp_path / "ben.db").status == 0
    return store


def traces(reviewer: Cli, store: Path) -> list[str]:
    return [row["id"] for row in loaded(reviewer("--store", store, "traces", "--json"))]


def assign(reviewer: Cli, store: Path, *more: object) -> Ran:
    ran = reviewer("--store", store, "assign", "--annotators", "ana,ben", "--overlap", "100%", *more)
    assert ran.status == 0, ran.err
    return ran


def test_another_machine_labels_a_round_under_what_it_was_assigned_under(
    reviewer: Cli, lab: Path, tmp_path: Path
) -> None:
    ben = tmp_path / "ben.db"
    assert reviewer("--store", lab, "taxonomy", "use", tmp_path / "next.toml").status == 0
    assign(reviewer, lab)
    merged = reviewer("--store", ben, "merge", lab)
    assert "round 1 was assigned under kitchen 2 (" in merged.err and "in use here is kitchen 1" in merged.err
    (trace, *_) = traces(reviewer, ben)
    said = reviewer("--store", ben, "annotate", trace, "raw", "--as", "ben")
    assert said.status == 0 and "is labelled under it, not under kitchen 1" in said.err
    assert reviewer("--store", lab, "annotate", trace, "raw", "--as", "ana").err == ""
    assert reviewer("--store", lab, "merge", ben).err.count("was assigned under") == 0
    found = loaded(reviewer("--store", lab, "agreement", "--json"))
    assert (found["other_versions"], found["pairs"][0]["n"]) == (0, 1)


def test_the_merge_says_so_in_json_and_once(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    assert reviewer("--store", lab, "taxonomy", "use", tmp_path / "next.toml").status == 0
    assign(reviewer, lab)
    (one,) = loaded(reviewer("--store", tmp_path / "ben.db", "merge", lab, "--json"))["other_codebooks"]
    assert (one["round"], one["assigned_under"]["version"], one["in_use"]["version"]) == (1, "2", "1")
    assert loaded(reviewer("--store", tmp_path / "ben.db", "merge", lab, "--json"))["other_codebooks"] == []


def test_who_asks_for_another_codebook_is_told(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    assign(reviewer, lab)
    trace = traces(reviewer, lab)[0]
    ran = reviewer(
        *("--store", lab, "--taxonomy", tmp_path / "next.toml"), "annotate", trace, "raw", "--as", "ana"
    )
    assert ran.status == 0 and "you label under kitchen 2" in ran.err
    (ana, _) = loaded(reviewer("--store", lab, "assign", "--list", "--json"))
    assert (ana["labelled"], ana["other_versions"]) == (1, 1)
    assert "1 labelled under another version" in reviewer("--store", lab, "assign", "--list").out


def test_a_round_is_not_assigned_under_two_codebooks(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    assign(reviewer, lab, "--n", "2")
    used = reviewer("--store", lab, "taxonomy", "use", tmp_path / "next.toml")
    assert "round 1 was assigned under kitchen 1" in used.err
    ran = reviewer("--store", lab, "assign", "--annotators", "ana,ben", "--n", "1", "--round", "1")
    assert ran.status == 1 and "(--round 2)" in ran.err and ran.err.count("\n") == 1
    assert assign(reviewer, lab, "--n", "1", "--round", "2").status == 0
    assert reviewer(
        "--store", lab, "annotate", traces(reviewer, lab)[0], "raw", "--as", "ana", "--round", "1"
    ).err.startswith("round 1 was assigned under kitchen 1")


def test_a_codebook_that_is_not_here_is_asked_for(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    import sqlite3

    assert reviewer("--store", lab, "taxonomy", "use", tmp_path / "next.toml").status == 0
    assign(reviewer, lab)
    trace = traces(reviewer, lab)[0]
    with sqlite3.connect(lab) as db:
        db.execute("DELETE FROM taxonomies WHERE version = '2'")
        db.execute("UPDATE settings SET value = (SELECT hash FROM taxonomies) WHERE key = 'taxonomy'")
    ran = reviewer("--store", lab, "annotate", trace, "raw", "--as", "ana")
    assert ran.status == 1 and "which this store does not have" in ran.err and ran.err.count("\n") == 1


@pytest.mark.parametrize("settings", ['{"taxonomy": 5}', '{"taxonomy": {"id": "x"}}', "{}"])
def test_a_draw_that_names_no_codebook_says_nothing(reviewer: Cli, lab: Path, settings: str) -> None:
    import sqlite3

    assign(reviewer, lab)
    with sqlite3.connect(lab) as db:
        db.execute("UPDATE draws SET settings = ?", (settings,))
    ran = reviewer("--store", lab, "annotate", traces(reviewer, lab)[0], "raw", "--as", "ana")
    assert (ran.status, ran.err) == (0, "")


def test_counts_of_labels_say_labels(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    trace = traces(reviewer, lab)[0]
    for name, mode in (("ana", "raw"), ("ben", "burnt")):
        assert reviewer("--store", lab, "annotate", trace, mode, "--as", name).status == 0
    settled = reviewer("--store", lab, "adjudicate", trace, "raw", "--reason", "cold", "--as", "lea")
    assert settled.status == 0, settled.err
    used = reviewer("--store", lab, "taxonomy", "use", tmp_path / "next.toml")
    assert "2 current labels were made under another version of this codebook" in used.err
    told = loaded(reviewer("--store", lab, "status", "--json"))
    assert (told["other_versions"], told["other_settled"], told["other_taxonomies"]) == (2, 1, 0)
    assert "2 labels made under another version" in reviewer("--store", lab, "agreement").out


def test_what_was_labelled_on_another_machine_leaves_the_worklist(
    reviewer: Cli, lab: Path, tmp_path: Path
) -> None:
    ben = tmp_path / "ben.db"
    trace = traces(reviewer, lab)[0]
    for name in ("ana", "ben"):
        assert reviewer("--store", lab, "annotate", trace, "burnt", "--as", name).status == 0
    assert reviewer("--store", lab, "taxonomy", "use", tmp_path / "next.toml").status == 0
    assign(reviewer, lab, "--round", "2")
    due = loaded(reviewer("--store", lab, "taxonomy", "worklist", "--json"))["worklist"]
    assert sorted(one["annotator"]["name"] for one in due) == ["ana", "ben"]
    assert reviewer("--store", ben, "merge", lab).status == 0
    assert reviewer("--store", ben, "annotate", trace, "burnt", "--as", "ben").status == 0
    assert reviewer("--store", lab, "annotate", trace, "burnt", "--as", "ana").status == 0
    assert reviewer("--store", lab, "merge", ben).status == 0
    assert loaded(reviewer("--store", lab, "taxonomy", "worklist", "--json"))["worklist"] == []


def test_open_coding_ends_with_the_last_note(
    reviewer: Cli, lab: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assign(reviewer, lab, "--n", "2")
    mine = [
        one["trace"] for one in loaded(reviewer("--store", lab, "assign", "--list", "--as", "ana", "--json"))
    ]
    for trace in mine:
        assert reviewer("--store", lab, "annotate", trace, "--note", "odd", "--as", "ana").status == 0
    found = {
        one["annotator"]["name"]: one
        for one in loaded(reviewer("--store", lab, "assign", "--list", "--json"))
    }
    assert [(found[who]["noted"], found[who]["waiting"]) for who in ("ana", "ben")] == [(2, 0), (0, 2)]
    with Store.open(lab) as store:
        book = Context(None, None).load_taxonomy(store)
        ana, ben = (Annotator(*identity(name)) for name in ("ana", "ben"))
        assert [rounds.waiting(store, one, book.id, 1) for one in (ana, ben)] == [0, 2]
        tell_before(store, book, ben, 2)
        assert "2 traces of yours still wait for a note (open coding" in capfd.readouterr().err
        tell_before(store, book, ana, 2)
        assert "still wait" not in capfd.readouterr().err
        tell_after(store, book, ana, 1)
        assert "2 of 2 assigned traces with a note by ana" in capfd.readouterr().err
    assert "ana wrote notes on 2 of 2 assigned traces" in reviewer("--store", lab, "status").out
    assert loaded(reviewer("--store", lab, "status", "--json"))["notes"] == 2
    assert "open coding" in reviewer("--store", lab, "assign", "--list").out
    rows = loaded(reviewer("--store", lab, "assign", "--list", "--as", "ana", "--json"))
    assert [(one["labelled"], one["noted"]) for one in rows] == [(False, True)] * 2
    # a label in the round makes it one of labels: notes are then no answer
    assert reviewer("--store", lab, "annotate", mine[0], "raw", "--as", "ana").status == 0
    found = {
        one["annotator"]["name"]: one
        for one in loaded(reviewer("--store", lab, "assign", "--list", "--json"))
    }
    assert found["ana"]["waiting"] == 1


def test_traces_of_an_earlier_round_are_told_when_assigned_and_apart_in_agreement(
    reviewer: Cli, lab: Path
) -> None:
    first, second, *_ = traces(reviewer, lab)
    for name, mode in (("ana", "raw"), ("ben", "burnt")):
        assert reviewer("--store", lab, "annotate", first, mode, "--as", name).status == 0
    settled = reviewer("--store", lab, "adjudicate", first, "raw", "--reason", "cold", "--as", "lea")
    assert settled.status == 0
    options = ("--annotators", "ana,ben", "--overlap", "100%", "--round", "2")
    told = reviewer("--store", lab, "assign", *options, "--dry-run").out
    assert (
        "1 of the traces were met in an earlier round" in told and "settled (1)" in told and "--fresh" in told
    )
    made = loaded(reviewer("--store", lab, "assign", *options, "--json"))
    assert (made["drawn_met_before"], made["drawn_settled_before"]) == (1, 1)
    for trace, modes in ((first, ("raw", "raw")), (second, ("raw", "burnt"))):
        for name, mode in zip(("ana", "ben"), modes, strict=True):
            ran = reviewer("--store", lab, "annotate", trace, mode, "--as", name, "--round", "2")
            assert ran.status == 0
    found = loaded(reviewer("--store", lab, "agreement", "--round", "2", "--json"))
    assert [(one["n"], one["percent_agreement"]) for one in found["met_before"]] == [(1, 1.0)]
    assert [(one["n"], one["percent_agreement"]) for one in found["fresh"]] == [(1, 0.0)]
    words = reviewer("--store", lab, "agreement", "--round", "2").out
    assert "in an earlier round" in words and "the fresh ones" in words
    assert loaded(reviewer("--store", lab, "agreement", "--round", "1", "--json"))["met_before"] == []


def test_pooled_rounds_say_what_they_were_labelled_under(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    def said(round: int) -> None:
        for trace in traces(reviewer, lab)[:2]:
            for name in ("ana", "ben"):
                ran = reviewer("--store", lab, "annotate", trace, "raw", "--as", name, "--round", round)
                assert ran.status == 0

    said(1)
    assert reviewer("--store", lab, "taxonomy", "use", tmp_path / "next.toml").status == 0
    said(2)
    options = ("agreement", "--rounds", "--across-codebooks")
    found = loaded(reviewer("--store", lab, *options, "--json"))["rounds"]
    assert [one["taxonomy"]["version"] for one in found] == ["1", "2"]
    assert found[0]["taxonomy"]["hash"] != found[1]["taxonomy"]["hash"]
    third = traces(reviewer, lab)[3]
    assert reviewer("--store", lab, "annotate", third, "raw", "--as", "ana", "--round", "1").status == 0
    assert "1 + 2 (pooled)" in reviewer("--store", lab, *options).out


def test_the_default_can_be_gone_back_to_after_it_was_amended(
    reviewer: Cli, lab: Path, tmp_path: Path
) -> None:
    from reviewer import taxonomy

    shipped = taxonomy.load("six-modes")
    amended = tmp_path / "mine.toml"
    amended.write_text(shipped.toml.replace(f'version = "{shipped.version}"', 'version = "mine"', 1), "utf-8")
    for which in ("six-modes", amended, "six-modes"):
        used = reviewer("--store", lab, "taxonomy", "use", which)
        assert used.status == 0, used.err
    assert used.out == f"in use: six-modes {shipped.version}, hash {shipped.hash}\n"


def test_a_round_of_second_labels_is_called_by_the_first_ones(
    reviewer: Cli, lab: Path, tmp_path: Path
) -> None:
    from reviewer.cli.assigned import serve_again
    from reviewer.label import Annotator
    from reviewer.settings import identity
    from reviewer.store import Store
    from reviewer.taxonomy import load

    trace = traces(reviewer, lab)[0]
    assert reviewer("--store", lab, "annotate", trace, "raw", "--as", "ana").status == 0
    with Store.open(lab) as store:
        serve_again(store, load(str(tmp_path / "old.toml")), Annotator(*identity("ana")), 1, 1)
    used = reviewer("--store", lab, "taxonomy", "use", tmp_path / "next.toml")
    assert "round 1, again was assigned under kitchen 1" in used.err
