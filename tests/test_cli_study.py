"""A study on the command line: a plan, open coding, a drawn round, queues, one's own labels again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer import taxonomy
from reviewer.label import AGAIN
from reviewer.store import Store
from reviewer.study.coding_files import count
from tests.conftest import SAMPLES, Ran
from tests.test_cli_merge import loaded

Cli = Callable[..., Ran]
WORD = "zzmodezz"  # stands in nothing that we print by ourselves


@pytest.fixture
def ids(reviewer: Cli) -> list[str]:
    """The traces of a store of two formats."""
    assert (
        reviewer("import", SAMPLES / "plain", SAMPLES / "tau_bench", SAMPLES / "mini_swe_agent").status == 0
    )
    return [row["id"] for row in loaded(reviewer("traces", "--json"))]


def mine(reviewer: Cli, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = loaded(reviewer("assign", "--list", "--as", name, "--json"))
    return found


def test_a_plan_needs_no_store(reviewer: Cli) -> None:
    found = loaded(reviewer("plan", "--shares", "0.8,0.2", "--json"))
    assert (found["n"], found["half_width"], found["modes"][0]["n"]) == (392, 0.1, 392)
    words = reviewer("plan", "--kappa", "0.7", "--width", "0.15").out
    assert "from about 0.55 to 0.85" in words and "as published with six-modes" in words
    assert "tool_misuse" in words
    for bad in (["--kappa", "2"], ["--width", "0"], ["--shares", "store"], ["--icc", "7"]):
        ran = reviewer("plan", *bad)
        assert ran.status == 1 and ran.err.count("\n") == 1 and bad[0] in ran.err


def test_a_plan_takes_shares_and_tasks_from_the_store(reviewer: Cli, ids: list[str]) -> None:
    assert "no blind labels" in reviewer("plan", "--shares", "store").err
    for n, trace in enumerate(ids[:4]):
        assert reviewer("annotate", trace, "tool_misuse" if n else "other", "--as", "ana").status == 0
    found = loaded(reviewer("plan", "--shares", "store", "--json"))
    assert found["shares"] == {"tool_misuse": 0.75, "other": 0.25} and found["per_task"] >= 1


def test_a_round_is_drawn_told_and_kept(reviewer: Cli, ids: list[str]) -> None:
    options = ("--annotators", "ana,ben,cem", "--overlap", "50%", "--seed", "s", "--stratify", "model,ended")
    dry = loaded(reviewer("assign", *options, "--dry-run", "--json"))
    assert dry["draw"] is None and loaded(reviewer("assign", "--list", "--json")) == []
    made = loaded(reviewer("assign", *options, "--json"))
    assert [one["trace"] for one in made["assignments"]] == [one["trace"] for one in dry["assignments"]]
    assert made["settings"]["seed"] == "s" and made["overlap"] == int(len(ids) / 2 + 0.5)
    assert sum(pair["traces"] for pair in made["pairs"]) == made["overlap"]
    assert all(0 < one["probability"] <= 1 and one["stratum"] for one in made["assignments"])
    words = reviewer("assign", *options).out
    assert "nothing to add" in words and "ana and ben" in words
    listed = loaded(reviewer("assign", "--list", "--json"))
    assert sum(one["assigned"] for one in listed) == len(ids) + made["overlap"]
    assert "ana" in reviewer("assign", "--list").out
    status = loaded(reviewer("status", "--json"))
    assert status["assigned"] == listed
    assert "ana labelled 0 of" in reviewer("status").out


def test_what_assign_tells_is_so(reviewer: Cli, ids: list[str], tmp_path: Path) -> None:
    ran = reviewer("assign", "--annotators", "ana,ben", "--overlap", len(ids) * 10)
    assert "were to overlap" not in ran.out  # not more than there are
    for who in ("cem", "ben,cem"):
        ran = reviewer("assign", "--annotators", who, "--round", 1)
        assert (ran.status, "stands already" in ran.out) == (0, False)
        assert "no trace is left that may be drawn, and cem has none" in ran.out
        found = loaded(reviewer("assign", "--annotators", who, "--round", 1, "--json"))["annotators"]
        (cem,) = [one for one in found if one["annotator"]["name"] == "cem"]
        assert (cem["new"], cem["assigned"]) == (0, 0)
    Store.open(tmp_path / "empty.db", create=True).close()
    empty = reviewer("--store", tmp_path / "empty.db", "assign", "--annotators", "ana")
    assert (empty.status, empty.out) == (1, "")
    assert "no trace to draw from" in empty.err


def test_people_who_may_look_first_are_the_reason_only_where_they_are(reviewer: Cli, ids: list[str]) -> None:
    reviewer("assign", "--annotators", "ana,ben")
    many = reviewer("assign", "--annotators", "ana,ben,cem", "--overlap", len(ids) + 100).out
    assert f"{len(ids)} more traces were to overlap, but their people may see the suggestion first" in many
    reviewer("assign", "--annotators", "ana", "--round", 2, "--rest", "blind")
    alone = reviewer("assign", "--annotators", "ana", "--round", 2, "--overlap", "100%").out
    assert "nobody named here is new to them" in alone
    assert "suggestion first" not in alone


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("assign", "--annotators", "p,q", "--seed", "\udcff"), "--seed"),
        (("plan", "--width", "1e-200"), "--width"),
        (("plan", "--per-task", "1e300"), "--per-task"),
    ],
)
def test_what_no_number_can_be_is_a_line(reviewer: Cli, arguments: tuple[str, ...], said: str) -> None:
    reviewer("import", SAMPLES / "plain")
    ran = reviewer(*arguments)
    assert (ran.status, len(ran.err.splitlines()), said in ran.err) == (1, 1, True), ran.err


def test_a_queue_is_found_under_the_name_and_fills_the_label(reviewer: Cli, ids: list[str]) -> None:
    reviewer("assign", "--annotators", "ana,ben", "--overlap", "100%")
    first = mine(reviewer, "ana")[0]
    label = loaded(reviewer("annotate", first["trace"], "other", "--as", "ana", "--json"))
    assert label["condition"] == "blind"
    assert mine(reviewer, "ana")[0]["labelled"] and not mine(reviewer, "ben")[0]["labelled"]
    lines = [json.loads(line) for line in reviewer("export", "labels").out.splitlines()]
    events = [line for line in lines if line.get("assignment")]
    assert len(events) == 1 and len(events[0]["assignment"]) == 36


def test_an_own_list_tells_nothing_of_others_and_nothing_of_the_draw(reviewer: Cli, ids: list[str]) -> None:
    reviewer("assign", "--annotators", "ana,ben", "--overlap", "3", "--stratify", "suggestion,model")
    for asked in ([], ["--json"]):
        seen = reviewer("assign", "--list", "--as", "ana", *asked).out
        assert not any(word in seen for word in ("ben", "overlap", "stratum", "probab", "blind"))


def test_a_new_round_is_the_default_of_who_is_in_it_and_of_nobody_else(reviewer: Cli, ids: list[str]) -> None:
    assert reviewer("annotate", ids[0], "other", "--as", "ben").status == 0
    assert reviewer("assign", "--annotators", "ana", "--round", "3").status == 1
    assert reviewer("assign", "--annotators", "ana", "--round", "2").status == 0
    assert loaded(reviewer("annotate", ids[0], "other", "--as", "ben", "--json"))["round"] == 1
    assert loaded(reviewer("agreement", "--json"))["round"] == 1
    assert loaded(reviewer("annotate", ids[0], "other", "--as", "ana", "--json"))["round"] == 2
    assert loaded(reviewer("agreement", "--json"))["round"] == 2


def test_wrong_use_is_told_in_a_line(reviewer: Cli, ids: list[str], tmp_path: Path) -> None:
    for arguments, status in (
        ([], 2),
        (["--annotators", " , "], 1),
        (["--annotators", "ana,ana"], 1),
        (["--annotators", "a\x1b[31mna"], 1),
        (["--annotators", "x" * 200], 1),
        (["--annotators", "ana", "--overlap", "10%"], 1),
        (["--annotators", "ana,ben", "--overlap", "x"], 1),
        (["--annotators", "ana,ben", "--overlap", "130%"], 1),
        (["--annotators", "ana,ben", "--overlap", "nan"], 1),
        (["--annotators", "ana", "--stratify", "moon"], 1),
        (["--annotators", "ana", "--round", str(AGAIN + 1)], 1),
        (["--annotators", "ana", "--again", "5"], 1),
        (["--annotators", "a1-zzzz"], 1),
        (["--as", "ana"], 2),
    ):
        ran = reviewer("assign", *arguments)
        assert ran.status == status, (arguments, ran.out, ran.err)
        assert "Traceback" not in ran.err


def test_only_what_is_listed_is_drawn(reviewer: Cli, ids: list[str], tmp_path: Path) -> None:
    (tmp_path / "few.txt").write_text(f"{ids[1][:12]}  # why\n\n{ids[2]}\n")
    made = loaded(reviewer("assign", "--annotators", "ana", "--only", tmp_path / "few.txt", "--json"))
    assert {one["trace"] for one in made["assignments"]} == {ids[1], ids[2]}


def test_a_fresh_round_takes_nothing_that_another_had(reviewer: Cli, ids: list[str]) -> None:
    first = loaded(reviewer("assign", "--annotators", "ana", "--n", "3", "--json"))
    had = {one["trace"] for one in first["assignments"]}
    free = next(trace for trace in ids if trace not in had)
    assert reviewer("annotate", free, "other", "--as", "ben").status == 0
    second = loaded(reviewer("assign", "--annotators", "ana", "--round", "2", "--fresh", "--json"))
    assert {one["trace"] for one in second["assignments"]} == set(ids) - had - {free}


def test_what_was_revealed_before_counts_in_no_pair_and_that_is_told(
    reviewer: Cli, ids: list[str], tmp_path: Path
) -> None:
    for name in ("ana", "ben"):
        assert reviewer("annotate", ids[0], "other", "--as", name).status == 0
    reviewer("history", ids[0], "--as", "ana")  # shows what others said
    both = ("--annotators", "ana,ben", "--overlap", "100%", "--only")
    file = tmp_path / "few.txt"
    file.write_text("\n".join(ids[:3]), "utf-8")
    made = loaded(reviewer("assign", *both, file, "--round", "2", "--json"))
    assert made["never_blind"] == 1 and made["pairs"][0]["traces"] == made["overlap"] == 2
    assert (
        "1 of the assignments can get no blind label" in reviewer("assign", *both, file, "--round", "2").out
    )


def test_a_round_that_can_measure_nobody_says_so_first(reviewer: Cli, ids: list[str]) -> None:
    for trace in ids:
        for name in ("ana", "ben"):
            assert reviewer("annotate", trace, "other", "--as", name).status == 0
    for trace in ids:
        reviewer("history", trace, "--as", "ana")  # shows what others said
    both = ("--annotators", "ana,ben", "--overlap", "50%", "--round", "2")
    told = reviewer("assign", *both).out.splitlines()
    assert "no two people can be measured" in told[0] and "--fresh" in told[0]
    fresh = reviewer("assign", *both, "--fresh").out
    assert "no trace passes --only, --failed or --fresh; `reviewer import`" in fresh
    assert "stands already" not in fresh


def test_own_labels_again(reviewer: Cli, ids: list[str]) -> None:
    for trace in ids[:4]:
        assert reviewer("annotate", trace, "other", "--as", "ana").status == 0
    (made,) = loaded(reviewer("assign", "--annotators", "ana", "--again", "3", "--json"))
    assert (made["waiting"], made["round"]) == (3, AGAIN + 1)
    (same,) = loaded(reviewer("assign", "--annotators", "ana", "--again", "3", "--json"))
    assert same["waiting"] == 3
    again = [one["trace"] for one in mine(reviewer, "ana") if one["round"] > AGAIN]
    assert len(again) == 3 and set(again) <= set(ids[:4])
    for trace in again:
        second = loaded(reviewer("annotate", trace, "other", "--as", "ana", "--round", AGAIN + 1, "--json"))
        assert second["condition"] == "blind" and not second["supersedes"]
    other = next(trace for trace in ids if trace not in again)
    assert reviewer("annotate", other, "other", "--as", "ana", "--round", AGAIN + 1).status == 1
    assert loaded(reviewer("status", "--json"))["labels"] == 4
    assert loaded(reviewer("agreement", "--json"))["round"] == 1
    assert loaded(reviewer("traces", "--json", "--unlabelled"))[0]["id"] not in ids[:4]


# -- open coding -------------------------------------------------------------------------------


def test_notes_become_groups_and_groups_a_taxonomy(reviewer: Cli, ids: list[str], tmp_path: Path) -> None:
    for n, trace in enumerate(ids[:6]):
        words = ("loops on the same error", "guesses an id")[n % 2]
        assert reviewer("annotate", trace, "--note", words, "--step", "1", "--as", "ana").status == 0
    assert "2 notes" not in reviewer("codes").out.splitlines()[0]
    assert "(3 notes, on 3 traces)" in reviewer("codes").out
    folded = reviewer("codes", "group", "Loop\ning", "--with", "loops")
    assert folded.err == "white space in a name is one space: the group is called Loop ing\n"
    assert reviewer("codes", "group", "Looping", "--with", "loops").err == ""
    found = loaded(reviewer("codes", "--json"))
    assert [(one["code"], one["count"]) for one in found["groups"]] == [("Looping", 3), (None, 3)]
    first = found["groups"][1]["notes"][0]["id"]
    assert "3 in it now" in reviewer("codes", "group", "Guessing", first[:8]).out
    file = tmp_path / "codes.toml"
    assert reviewer("codes", "export", file).status == 0
    assert reviewer("codes", "export", file).status == 1
    file.write_text(file.read_text("utf-8").replace('"Guessing"', '"Made-up values"'), "utf-8")
    assert reviewer("codes", "import", file).out == "3 of 6 notes moved\n"
    draft = tmp_path / "draft.toml"
    assert reviewer("codes", "draft", draft, "--id", "mine", "--title", "My modes").status == 0
    assert "ok: mine 1, 7 modes" in reviewer("taxonomy", "check", draft).out
    text = draft.read_text("utf-8")
    assert f",  # {ids[1][:11]} step 1\n" in text  # in a comment: whoever still labels it reads the examples
    assert not any("t1-" in words for mode in taxonomy.parse(text, "draft").modes for words in mode.examples)
    assert reviewer("taxonomy", "use", draft).status == 0
    assert reviewer("annotate", ids[0], "looping", "--as", "ana").status == 0
    assert loaded(reviewer("codes", "--json"))["notes"] == 6
    assert reviewer("codes", "merge", "Looping", "Made-up values", "All of it").status == 0
    assert reviewer("codes", "clear", "All of it").status == 0
    assert [one["code"] for one in loaded(reviewer("codes", "--json"))["groups"]] == [None, None]


def test_no_file_of_groups_is_written_over_a_store(reviewer: Cli, ids: list[str], tmp_path: Path) -> None:
    reviewer("annotate", ids[0], "--note", "loops", "--as", "ana")
    reviewer("codes", "group", "Looping", "--with", "loops")
    other = tmp_path / "other.db"
    assert reviewer("backup", other).status == 0
    store = tmp_path / "reviews.db"
    for file in (store, other):
        before = file.read_bytes()
        for words in (("export",), ("draft", "--id", "mine")):
            ran = reviewer("codes", words[0], file, *words[1:], "--force")
            assert ran.status == 1 and ran.err.count("\n") == 1 and "name another file" in ran.err
        assert file.read_bytes() == before
    assert reviewer("status").status == 0


def test_blind_codes_show_no_note_of_others_before_the_label(
    reviewer: Cli, ids: list[str], tmp_path: Path
) -> None:
    reviewer("annotate", ids[0], "--note", f"it is {WORD}", "--as", "ben")
    reviewer("annotate", ids[0], "--note", "I wonder", "--as", "ana")
    reviewer("codes", "group", f"group {WORD}", "--with", "it is", "--as", "ben")
    assert WORD in reviewer("codes").out
    file = tmp_path / "x.toml"
    shown = [
        *(reviewer("codes", "--as", "ana"), reviewer("codes", "--as", "ana", "--json")),
        reviewer("codes", "group", "x", "--with", "it is", "--as", "ana"),
        reviewer("codes", "merge", "group", "y", "--as", "ana"),
        reviewer("codes", "export", file, "--as", "ana"),
    ]
    assert not any(WORD in ran.out + ran.err for ran in shown)
    assert WORD not in file.read_text("utf-8") and "I wonder" in file.read_text("utf-8")
    assert loaded(reviewer("annotate", ids[0], "other", "--as", "ana", "--json"))["condition"] == "blind"
    assert WORD in reviewer("codes", "--as", "ana").out
    later = loaded(reviewer("annotate", ids[0], "tool_misuse", "--as", "ana", "--json"))
    assert later["condition"] == "peers"  # what was shown is on record


def test_options_of_codes_stand_behind_its_commands(reviewer: Cli, ids: list[str]) -> None:
    assert reviewer("codes", "--round", "1", "group", "x", "y").status == 2
    assert reviewer("codes", "group", "x").status == 2
    assert reviewer("codes", "group", "x", "nothing").status == 1
    assert "no notes to show" in reviewer("codes").err


def test_one_thing_is_told_in_the_singular(reviewer: Cli, ids: list[str]) -> None:
    assert [count(n, "trace") for n in (1, 2, 1200)] == ["1 trace", "2 traces", "1,200 traces"]
    assert [count(n, "trace", "is", "are") for n in (1, 2)] == ["1 trace is", "2 traces are"]
    for name in ("ana", "ben"):
        assert reviewer("annotate", ids[0], "other", "--as", name).status == 0
    assert "; 1 trace with labels of two or more" in reviewer("agreement").out
    told = reviewer("assign", "--annotators", "ana,ben", "--n", "1").out
    assert "1 of 19 traces drawn" in told and "1 trace left out" in told
