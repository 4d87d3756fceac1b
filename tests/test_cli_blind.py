"""What a command tells of others is on record before it is told: a label given afterwards is not blind."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from reviewer import settings
from reviewer.cli.assigned import serve_again
from reviewer.cli.context import Context
from reviewer.errors import StoreReadOnly
from reviewer.label import Annotator, Decision
from reviewer.session import AdjudicationSession, ReviewSession
from reviewer.store import Store
from reviewer.store.connection import Connection
from tests.conftest import SAMPLES, Ran
from tests.history import put, session

Cli = Callable[..., Ran]


@pytest.fixture
def cli(reviewer: Cli) -> Cli:
    assert reviewer("import", SAMPLES / "mini_swe_agent").status == 0
    return reviewer


def ids(cli: Cli) -> list[str]:
    return [row["id"] for row in json.loads(cli("traces", "--json").out)]


def says(cli: Cli, trace: str, mode: str, name: str, *more: str) -> str:
    """The condition of the label."""
    ran = cli("annotate", trace, mode, "--as", name, "--json", *more)
    assert ran.status == 0, ran.err
    return str(json.loads(ran.out)["condition"])


def shared(cli: Cli) -> list[Any]:
    return [pair["n"] for pair in json.loads(cli("agreement", "--json").out)["pairs"]]


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_the_list_of_cases_is_a_look_at_what_others_said(cli: Cli, more: tuple[str, ...]) -> None:
    trace = ids(cli)[0]
    says(cli, trace, "planning_drift", "ana")
    says(cli, trace, "tool_misuse", "ben")
    assert "tool_misuse" in cli("adjudicate", "--list", "--as", "ana", *more).out
    assert says(cli, trace, "tool_misuse", "ana") == "peers"
    assert says(cli, trace, "other", "ben") == "blind"  # who did not look


def test_that_a_rule_settles_a_trace_tells_what_the_other_said(cli: Cli) -> None:
    for command in ("--list", "--ledger"):
        trace = ids(cli)[command == "--ledger"]
        for name in ("ana", "ben"):
            assert says(cli, trace, "other", name) == "blind"
        cli("adjudicate", command, "--as", "ana")
        assert says(cli, trace, "other", "ana") == "peers", command


def test_what_a_list_tells_in_one_round_is_known_in_the_next(cli: Cli) -> None:
    trace = ids(cli)[0]
    says(cli, trace, "planning_drift", "ana")
    says(cli, trace, "tool_misuse", "ben")
    assert cli("assign", "--annotators", "ana,ben", "--round", "2").status == 0
    cli("adjudicate", "--list", "--as", "ana")
    assert says(cli, trace, "tool_misuse", "ana", "--round", "2") == "peers"


def test_reaffirming_tells_how_a_trace_was_settled(cli: Cli) -> None:
    trace = ids(cli)[0]
    assert cli("adjudicate", trace, "other", "--reason", "r", "--note", "n", "--as", "lea").status == 0
    assert "other" in cli("adjudicate", trace, "--reaffirm", "--as", "ana").out
    assert says(cli, trace, "other", "ana") == "peers"


def test_ones_own_conflict_is_settled_by_a_label_that_counts(cli: Cli, tmp_path: Path) -> None:
    trace = ids(cli)[0]
    there = tmp_path / "there.db"
    assert cli("backup", there).status == 0
    says(cli, trace, "other", "ana")
    assert cli("--store", there, "annotate", trace, "no_failure", "--as", "ana").status == 0
    assert cli("merge", there).status == 0
    with Store.open(settings.store_path(None)) as store:
        ana = AdjudicationSession(Context(None, None).desk(store, "ana", 1))
        assert ana.first().info.trace_id == trace  # barred, and with nothing but her own two labels
        ana.look_into([trace])
        assert not [one for one in store.history.exposures() if one.kind == "peers"]
    assert says(cli, trace, "other", "ana") == "blind"


def test_what_was_seen_in_another_store_counts_after_a_merge(cli: Cli, tmp_path: Path) -> None:
    trace = ids(cli)[0]
    there = tmp_path / "there.db"
    says(cli, trace, "other", "ben")
    assert cli("backup", there).status == 0
    settings.identity("ana")
    assert "other" in cli("--store", there, "history", trace, "--as", "ana").out
    assert says(cli, trace, "other", "ana") == "blind"  # nobody here knows
    assert shared(cli) == [1]
    assert cli("merge", there).status == 0
    assert shared(cli) in ([], [0])
    (row,) = (one for one in map(json.loads, cli("export", "jsonl").out.splitlines()) if one["labels"])
    assert (row["status"], len(row["blind_labels"])) == ("assisted", 1)


def test_a_conflict_is_told_without_what_was_said(cli: Cli, tmp_path: Path) -> None:
    trace = ids(cli)[0]
    there = tmp_path / "there.db"
    assert cli("backup", there).status == 0
    says(cli, trace, "other", "ben")
    assert cli("--store", there, "annotate", trace, "tool_misuse", "--as", "ben").status == 0
    for ran in (cli("merge", there), cli("status"), cli("merge", there, "--json"), cli("status", "--json")):
        assert trace[:11] in ran.out and "ben" in ran.out
        assert "tool_misuse" not in ran.out and "other," not in ran.out and '"mode": "other"' not in ran.out


def test_agreement_is_a_look_for_whoever_asks_by_name(cli: Cli) -> None:
    one, two = ids(cli)[:2]
    assert cli("suggest").status == 0
    says(cli, one, "planning_drift", "ana")
    says(cli, one, "tool_misuse", "ben")
    says(cli, two, "other", "ben")
    says(cli, two, "silent_success", "cem")
    cli("agreement")
    assert says(cli, one, "planning_drift", "ana") == "blind"  # the lead's view records nothing
    for more in ((), ("--rounds",), ("--json",)):
        ran = cli("agreement", "--as", "ana", *more)
        assert ran.status == 0 and "left out: 1 trace that ana has not labelled" in ran.err
        assert "cem" not in ran.out and '"shared": 2' not in ran.out
        assert "rules" not in ran.out  # nor is she told what machines say of what she may label anew
    assert "rules" in cli("agreement").out
    assert says(cli, one, "tool_misuse", "ana") == "peers"
    assert says(cli, two, "other", "ana") == "blind"  # not labelled by her: left out


def test_the_export_of_one_person_holds_what_that_person_said_alone(cli: Cli) -> None:
    trace = ids(cli)[0]
    cli("suggest")
    says(cli, trace, "planning_drift", "ana", "--note", "mine")
    says(cli, trace, "tool_misuse", "ben")
    cli("annotate", trace, "--note", "theirs", "--as", "ben")
    assert cli("adjudicate", trace, "other", "--reason", "why", "--note", "n", "--as", "lea").status == 0
    for rows in ((), ("--history",)):
        ran = cli("export", "jsonl", "--annotator", "ana", *rows)
        (row,) = map(json.loads, ran.out.splitlines())
        assert (row["status"], row["gold"], row["suggestions"]) == ("single", None, [])
        for word in ("tool_misuse", "theirs", "lea", "why"):  # as values: paths may hold anything
            assert f'"{word}"' not in ran.out
    (row,) = map(json.loads, cli("export", "jsonl", "--annotator", "lea").out.splitlines())
    assert (row["status"], row["gold"]["mode"]) == ("adjudicated", "other")


@pytest.mark.parametrize(
    "command",
    [
        ("history", "TRACE"),
        ("show", "TRACE", "--suggestions"),
        ("adjudicate", "--list"),
        ("adjudicate", "--ledger"),
        ("agreement",),
        ("codes",),
    ],
)
def test_where_nothing_can_be_recorded_nobody_is_told_by_name(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    trace = ids(cli)[0]
    cli("suggest")
    for name, mode in (("ana", "planning_drift"), ("ben", "tool_misuse")):
        cli("annotate", trace, "--note", f"said by {name}", "--as", name)
        says(cli, trace, mode, name)
    assert cli("adjudicate", trace, "tool_misuse", "--reason", "why", "--as", "lea").status == 0
    copy = tmp_path / "copy.db"
    shutil.copy(settings.store_path(None), copy)
    words = [trace if word == "TRACE" else word for word in command]

    def write(connection: Connection) -> NoReturn:
        raise StoreReadOnly("attempt to write a readonly database")

    monkeypatch.setattr(Connection, "write", write)  # root may write everywhere, so no file mode does it
    refused = cli("--store", copy, *words, "--as", "ana")
    assert (refused.status, refused.out, len(refused.err.splitlines())) == (1, "", 1)
    assert "what ana is shown has to be recorded" in refused.err
    assert cli("--store", copy, *words).status == 0


def test_whether_rules_fired_is_not_told_before_blind_work(
    store: Store, capfd: pytest.CaptureFixture[str]
) -> None:
    from reviewer import taxonomy
    from reviewer.cli.suggesting import fill_in

    put(store, session(["a"]))
    fill_in(store, taxonomy.load("six-modes"))
    assert capfd.readouterr().err.splitlines()[-1].endswith("no model asked: 1 trace looked at")


def test_while_a_trace_is_served_again_ones_first_label_is_not_told_or_that_is_a_look(cli: Cli) -> None:
    one, two = ids(cli)[:2]
    for trace in (one, two):
        says(cli, trace, "planning_drift", "ana", "--note", "my first thought")
    with Store.open(settings.store_path(None)) as store:
        me = Annotator(*settings.identity("ana"))
        book = Context(None, None).load_taxonomy(store)
        round, _ = serve_again(store, book, me, 1, 2)
    told = {row["id"]: row for row in json.loads(cli("traces", "--as", "ana", "--json").out)}
    assert (told[one]["label"], told[two]["label"]) == (None, None)
    assert "my first thought" in cli("history", one, "--as", "ana").out
    with Store.open(settings.store_path(None)) as store:
        desk = Context(None, None).desk(store, "ana", round)
        again = ReviewSession(desk, blind=True, reveal=False)
        found = {id: again.label(again.find(id), Decision("other")).condition for id in (one, two)}
        assert found == {one: "peers", two: "blind"}
    told = {row["id"]: row for row in json.loads(cli("traces", "--as", "ana", "--round", "1", "--json").out)}
    assert told[two]["label"] is not None


def test_the_cases_of_who_settles_leave_out_what_waits_for_their_own_label(cli: Cli) -> None:
    one = ids(cli)[0]
    assert cli("assign", "--annotators", "ana", "--round", "1").status == 0
    says(cli, one, "planning_drift", "ben")
    says(cli, one, "tool_misuse", "cem")
    with Store.open(settings.store_path(None)) as store:
        assert not AdjudicationSession(Context(None, None).desk(store, "ana", 1)).cases
        assert AdjudicationSession(Context(None, None).desk(store, "lea", 1)).cases
    assert says(cli, one, "other", "ana") == "blind"
    with Store.open(settings.store_path(None)) as store:
        assert AdjudicationSession(Context(None, None).desk(store, "ana", 1)).cases
