"""Adjudication from the command line: by rule, by people, stale, own, against all; the ledger as text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer import settings
from reviewer.exporters.csv import read_csv
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]


@pytest.fixture
def ids(reviewer: Cli) -> list[str]:
    """Four traces: ana and ben differ on two, agree blind on the third; ana alone labelled the fourth."""
    assert reviewer("import", SAMPLES / "mini_swe_agent").status == 0
    with Store.open(settings.store_path(None)) as store:
        found = [info.trace_id for info in store.traces.all()][:4]
    said = [("tool_misuse", "planning_drift"), ("other", "silent_success"), ("other", "other")]
    for trace, modes in zip(found, said, strict=False):
        for name, mode in zip(("ana", "ben"), modes, strict=True):
            assert reviewer("annotate", trace, mode, "--as", name).status == 0
    assert reviewer("annotate", found[3], "other", "--as", "ana").status == 0
    return found


def settle(reviewer: Cli, trace: str, mode: str, *more: str, name: str = "lea", reason: str = "r") -> Ran:
    return reviewer("adjudicate", trace, mode, "--as", name, "--reason", reason, *more)


def listed(reviewer: Cli, *more: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(reviewer("adjudicate", "--list", "--json", *more).out)
    return told


def row(reviewer: Cli, trace: str) -> dict[str, Any]:
    rows = (json.loads(line) for line in reviewer("export", "jsonl").out.splitlines())
    return next(one for one in rows if one["trace_id"] == trace)


def test_what_is_unanimous_is_settled_by_rule_and_nobody_is_said_to_have_done_it(
    reviewer: Cli, ids: list[str]
) -> None:
    told = listed(reviewer)
    assert told["counts"] == {
        **{"open": 2, "conflict": 0, "stale": 0, "settled": 0},
        **{"settled_by_rule": 1, "hidden": 0},
    }
    (ruled,) = told["settled_by_rule"]
    assert (ruled["trace_id"], ruled["mode"], ruled["labels"]) == (ids[2], "other", 2)
    assert "settled by rule" in reviewer("adjudicate", "--list").out
    (entry,) = json.loads(reviewer("adjudicate", "--ledger", "--json").out)
    assert (entry["settled_by"], entry["annotator"], entry["trace_id"]) == ("rule", None, ids[2])
    assert "settled by rule: 1 trace" in reviewer("adjudicate", "--ledger").out
    assert (row(reviewer, ids[2])["settled_by"], row(reviewer, ids[2])["adjudications"]) == ("rule", [])
    assert json.loads(reviewer("status", "--json").out)["settled_by_rule"] == 1
    with Store.open(settings.store_path(None)) as store:
        assert not [event for event in store.labels.events() if event.kind == "adjudicate"]


def test_the_step_that_people_marked_is_in_the_gold(reviewer: Cli, ids: list[str]) -> None:
    for trace, modes in ((ids[0], ("tool_misuse", "planning_drift")), (ids[2], ("other", "other"))):
        for name, mode in zip(("ana", "ben"), modes, strict=True):
            more = ("--step", 3) if (name, mode) != ("ben", "other") else ()
            assert reviewer("annotate", trace, mode, "--as", name, *more).status == 0
    assert "decisive step 3" in settle(reviewer, ids[0], "tool_misuse").err
    for name, mode, n in (("ana", "other", 2), ("ben", "silent_success", 3)):
        assert reviewer("annotate", ids[1], mode, "--as", name, "--step", n).status == 0
    told = settle(reviewer, ids[1], "no_failure", "--note", "the grader was late").err
    assert "no decisive step was saved; people marked 2 and 3 (--step N takes one)" in told
    rows = read_csv(reviewer("export", "csv", "--gold").out)
    steps = {row["trace_id"]: row["step"] for row in rows}
    assert [steps[trace] for trace in ids[:3]] == [3, None, 3]
    assert "note" not in settle(reviewer, ids[1], "other", "--step", 2).err


def test_a_mode_that_nobody_gave_needs_a_note(reviewer: Cli, ids: list[str]) -> None:
    refused = settle(reviewer, ids[0], "no_failure")
    assert (refused.status, len(refused.err.splitlines())) == (1, 1)
    assert "overriding everybody needs a note (--note TEXT)" in refused.err
    assert listed(reviewer)["counts"]["settled"] == 0
    assert settle(reviewer, ids[0], "no_failure", "--note", "  ").status == 1
    saved = settle(reviewer, ids[0], "no_failure", "--note", "the grader was late", "--json")
    assert json.loads(saved.out)["note"] == "the grader was late"
    assert "note: the grader was late" in reviewer("adjudicate", "--ledger").out
    assert settle(reviewer, ids[1], "other").status == 0  # somebody gave it: no note


def test_the_refusal_of_a_note_tells_of_labels_and_is_on_record(reviewer: Cli, ids: list[str]) -> None:
    assert settle(reviewer, ids[0], "no_failure", name="cleo").status == 1
    assert "(peers)" in reviewer("annotate", ids[0], "no_failure", "--as", "cleo").out


def test_nobody_settles_what_they_labelled_unless_allowed_and_it_says_so(
    reviewer: Cli, ids: list[str]
) -> None:
    refused = settle(reviewer, ids[0], "tool_misuse", name="ana")
    assert (refused.status, len(refused.err.splitlines())) == (1, 1)
    assert "a third person settles it" in refused.err
    allowed = settle(reviewer, ids[0], "tool_misuse", "--allow-own", name="ana")
    assert allowed.status == 0
    assert "says so" in allowed.err
    found = row(reviewer, ids[0])
    assert (found["status"], found["own"], found["stale"], found["settled_by"]) == (
        *("adjudicated", True, False),
        "person",
    )
    assert "by somebody who labelled it" in reviewer("adjudicate", "--list").out
    assert "by somebody who labelled it" in reviewer("adjudicate", "--ledger").out
    assert settle(reviewer, ids[0], "tool_misuse", name="lea").status == 0
    assert row(reviewer, ids[0])["own"] is False  # a third person says the same


def test_own_is_own_in_another_round_too(reviewer: Cli, ids: list[str]) -> None:
    assert reviewer("annotate", ids[0], "other", "--as", "mo", "--round", "2").status == 0
    assert settle(reviewer, ids[0], "tool_misuse", "--round", "1", name="mo").status == 1
    assert reviewer("annotate", ids[0], "--clear", "--as", "mo", "--round", "2").status == 0
    assert settle(reviewer, ids[0], "tool_misuse", "--round", "1", name="mo").status == 0


CHANGES: list[tuple[str, tuple[str, ...]]] = [
    ("relabelled", ("tool_misuse", "--as", "ben")),
    ("labelled by a third", ("other", "--as", "mo")),
    ("taken back", ("--clear", "--as", "ben")),
]


@pytest.mark.parametrize("change", [change for _, change in CHANGES], ids=[name for name, _ in CHANGES])
def test_a_change_of_labels_makes_it_stale_until_somebody_reaffirms_it(
    reviewer: Cli, ids: list[str], change: tuple[str, ...]
) -> None:
    assert settle(reviewer, ids[0], "tool_misuse", reason="rule 7").status == 0
    assert reviewer("annotate", ids[0], *change).status == 0
    found = row(reviewer, ids[0])
    assert (found["status"], found["gold"]["mode"], found["stale"]) == ("adjudicated", "tool_misuse", True)
    assert json.loads(reviewer("status", "--json").out)["stale"] == 1
    assert listed(reviewer)["counts"]["stale"] == 1
    assert "stale" in reviewer("adjudicate", "--list").out
    assert "STALE" in reviewer("adjudicate", "--ledger").out
    again = reviewer("adjudicate", ids[0], "--reaffirm", "--as", "lea", "--json")
    assert (json.loads(again.out)["mode"], json.loads(again.out)["reason"]) == ("tool_misuse", "rule 7")
    assert (row(reviewer, ids[0])["stale"], listed(reviewer)["counts"]["stale"]) == (False, 0)


def test_stale_travels_with_the_labels(reviewer: Cli, ids: list[str], tmp_path: Path) -> None:
    assert settle(reviewer, ids[0], "tool_misuse").status == 0
    assert reviewer("export", "labels", "-o", tmp_path / "before.jsonl").status == 0
    assert reviewer("annotate", ids[0], "other", "--as", "ben").status == 0
    assert reviewer("export", "labels", "-o", tmp_path / "after.jsonl").status == 0
    for name, stale in (("before", 0), ("after", 1)):
        other = tmp_path / f"{name}.db"
        assert reviewer("--store", other, "import", tmp_path / f"{name}.jsonl").status == 0
        assert json.loads(reviewer("--store", other, "status", "--json").out)["stale"] == stale


def test_what_cannot_be_reaffirmed_is_one_line(reviewer: Cli, ids: list[str]) -> None:
    ran = reviewer("adjudicate", ids[0], "--reaffirm", "--as", "lea")
    assert (ran.status, "nobody adjudicated it" in ran.err) == (1, True)
    assert settle(reviewer, ids[0], "tool_misuse").status == 0
    assert settle(reviewer, ids[0], "planning_drift", name="mo").status == 0
    assert "in two ways" in reviewer("adjudicate", ids[0], "--reaffirm", "--as", "lea").err
    for wrong in (["--reaffirm"], [ids[0], "other", "--reaffirm"], [ids[0], "--clear", "--reaffirm"]):
        assert reviewer("adjudicate", *wrong).status == 2
    for wrong in (["--list", ids[0]], ["--toml"], ["--ledger", "--toml", "--json"]):
        assert reviewer("adjudicate", *wrong).status == 2


def test_with_a_name_nothing_is_told_of_what_that_person_has_not_labelled(
    reviewer: Cli, ids: list[str]
) -> None:
    assert settle(reviewer, ids[0], "tool_misuse", reason="secretly").status == 0
    settings.identity("cleo")
    for command in (
        ("--list",),
        ("--ledger",),
        ("--ledger", "--toml"),
        ("--list", "--json"),
        ("--ledger", "--json"),
    ):
        ran = reviewer("adjudicate", *command, "--as", "cleo")
        for told in ("secretly", "tool_misuse", "planning_drift", *ids):
            assert told not in ran.out + ran.err, command
    assert "(blind)" in reviewer("annotate", ids[0], "other", "--as", "cleo").out
    assert "secretly" in reviewer("adjudicate", "--ledger", "--as", "cleo").out  # after the own label
    traces = len(json.loads(reviewer("traces", "--json").out))
    assert listed(reviewer, "--as", "ben")["counts"]["hidden"] == traces - 3
    for name in ("cleo", "dan"):  # that others agree on a further trace does not show in the number
        assert reviewer("annotate", ids[3], "other", "--as", name).status == 0
    assert listed(reviewer, "--as", "ben")["counts"]["hidden"] == traces - 3


def test_no_rule_is_made_of_an_adjudication_that_is_stale(reviewer: Cli, ids: list[str]) -> None:
    assert settle(reviewer, ids[0], "tool_misuse", reason="settled first").status == 0
    for name in ("cleo", "dan"):
        assert reviewer("annotate", ids[0], "silent_success", "--as", name).status == 0
    assert settle(reviewer, ids[1], "other", reason="settled after").status == 0
    for command in (("taxonomy", "amend", "--from-ledger"), ("adjudicate", "--ledger", "--toml")):
        ran = reviewer(*command)
        assert ran.status == 0 and "settled after" in ran.out and "settled first" not in ran.out
        assert "left out: 1 adjudication made before the labels changed" in ran.err
    assert "0 new rules, 1 new section" in reviewer("taxonomy", "amend", "--from-ledger").err
    assert reviewer("adjudicate", ids[1], "--clear", "--as", "lea").status == 0
    assert "nothing that a person settled in this round stands" in reviewer(*command).err
    assert reviewer("adjudicate", ids[0], "--reaffirm", "--as", "lea").status == 0
    again = reviewer("taxonomy", "amend", "--from-ledger")
    assert "settled first" in again.out and "left out" not in again.err


def test_the_ledger_becomes_a_codebook_that_can_be_used(
    reviewer: Cli, ids: list[str], tmp_path: Path
) -> None:
    assert settle(reviewer, ids[0], "tool_misuse", reason='the "schema" says \\ no').status == 0
    assert settle(reviewer, ids[1], "no_failure", "--note", "no file was named").status == 0
    toml = reviewer("adjudicate", "--ledger", "--toml").out
    assert "[[rather]]" in toml
    assert "no file was named" in toml
    grown = tmp_path / "grown.toml"
    assert reviewer("taxonomy", "amend", "--from-ledger", "-o", grown).status == 0
    ran = reviewer("taxonomy", "check", grown)
    assert (ran.status, "still a draft, edit what says DRAFT first: rule" in ran.err) == (0, True)
    assert "rule added" in reviewer("taxonomy", "diff", "six-modes", grown).out
    assert reviewer("taxonomy", "amend", "--from-ledger", "-o", grown).status == 1  # never replaces a file
    assert reviewer("taxonomy", "amend").status == 2
    assert reviewer("taxonomy", "use", grown).status == 0
    assert json.loads(reviewer("taxonomy", "check", grown, "--json").out)["version"] == "2"


def test_what_nobody_labelled_is_gold_only_with_a_note(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "plain").status == 0
    trace = json.loads(reviewer("traces", "--json").out)[0]["id"]
    refused = settle(reviewer, trace, "other")
    assert (refused.status, refused.err.count("\n")) == (1, 1)
    assert "nobody has labelled" in refused.err and "--note TEXT" in refused.err
    assert settle(reviewer, trace, "other", "--note", "seen by two of us at a table").status == 0
