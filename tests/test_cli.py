"""The command line: what scripts are promised, and one clear line for everything that goes wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer import settings
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]


@pytest.fixture
def cli(reviewer: Cli) -> Cli:
    """A store with samples in it that bring no labels of their own."""
    folders = ("mini_swe_agent", "mini_swe_agent-attempts", "plain", "claude_code", "inspect", "tau_bench")
    assert reviewer("import", *(SAMPLES / name for name in folders)).status == 0
    return reviewer


def loaded(ran: Ran) -> Any:
    """The one JSON value of a command; NaN and the like are refused."""

    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    assert ran.status == 0, ran.err
    return json.loads(ran.out, parse_constant=refuse)


def ids(cli: Cli) -> list[str]:
    return [row["id"] for row in loaded(cli("traces", "--json"))]


def test_import_counts_what_it_read_and_the_second_time_changes_nothing(reviewer: Cli) -> None:
    first = loaded(reviewer("import", SAMPLES, "--json"))
    assert set(first) == {"traces", "files", "warnings", "known", "labels"}
    assert first["traces"]["new"] == first["traces"]["read"] > 10
    assert set(first["files"][0]) == {"file", "format", "traces", "error"}
    again = loaded(reviewer("import", SAMPLES, "--json"))
    assert again["traces"] == {**first["traces"], "new": 0, "unchanged": first["traces"]["read"]}


def test_one_bad_file_costs_itself_and_is_named(reviewer: Cli, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bad\x1b[31m.json").write_text("{nope")
    (tmp_path / "in" / "good.json").write_text('{"task": "t", "trajectory": [{"thought": "x"}]}')
    ran = reviewer("import", tmp_path / "in")
    assert ran.status == 1
    assert "2 files, 1 trace: 1 new" in ran.out
    assert "bad␛[31m.json" in ran.err
    assert "\x1b" not in ran.out + ran.err


def test_promised_keys(cli: Cli) -> None:
    row = loaded(cli("traces", "--json"))[0]
    assert {
        *("id", "file", "format", "benchmark", "task_id", "model", "agent", "attempt", "ended", "passed"),
        *("score", "steps", "messages", "tool_calls", "errors", "label", "suggestion"),
    } <= set(row)
    cli("annotate", row["id"], "other", "--as", "ana")
    assert {"traces", "labels", "annotators", "suggestions", "disagreements", "conflicts"} <= set(
        loaded(cli("status", "--json"))
    )
    assert {"id", "kind", "annotator", "mode", "condition", "supersedes", "at"} <= set(
        loaded(cli("history", row["id"], "--json"))[0]
    )
    assert {"steps", "ended", "task", "outcomes"} <= set(loaded(cli("show", row["id"], "--json")))
    assert {
        *("taxonomy", "round", "annotators", "shared", "n_passed", "pairs", "all", "modes"),
        *("failed_or_not", "mode_if_failed", "assisted", "suggesters"),
    } <= set(loaded(cli("agreement", "--json")))


def test_a_study_from_two_labels_to_gold(cli: Cli) -> None:
    first, second, third, *_ = ids(cli)
    for who, modes in {"ana": ["other", "no_failure", "other"], "ben": ["other", "other", "other"]}.items():
        for trace, mode in zip((first, second, third), modes, strict=True):
            assert cli("annotate", trace, mode, "--as", who).status == 0
    status = loaded(cli("status", "--json"))
    assert (status["labels"], status["annotators"], status["disagreements"]) == (6, 2, 1)
    (pair,) = loaded(cli("agreement", "--json"))["pairs"]
    assert (pair["n"], pair["percent_agreement"]) == (3, pytest.approx(2 / 3))
    assert pair["kappa"] == pytest.approx(0)
    assert cli("adjudicate", second, "other", "--as", "lea").status == 1
    assert cli("adjudicate", second, "other", "--reason", "rule 3", "--as", "lea").status == 0
    rows = {row["trace_id"]: row for row in map(json.loads, cli("export", "jsonl").out.splitlines())}
    assert rows[first]["status"] == "unanimous"
    assert (rows[second]["status"], rows[second]["gold"]["mode"]) == ("adjudicated", "other")
    assert len(rows[second]["labels"]) == 2
    assert loaded(cli("agreement", "--json"))["pairs"][0]["n"] == 3
    assert loaded(cli("status", "--json"))["disagreements"] == 0


def test_one_label_is_single_and_never_gold(cli: Cli) -> None:
    trace = ids(cli)[0]
    cli("annotate", trace, "other", "--as", "ana")
    row = next(
        row for row in map(json.loads, cli("export", "jsonl").out.splitlines()) if row["trace_id"] == trace
    )
    assert (row["status"], row["gold"]) == ("single", None)


def test_all_of_one_category_has_no_kappa_and_says_why(cli: Cli) -> None:
    for trace in ids(cli)[:4]:
        for who in ("ana", "ben"):
            cli("annotate", trace, "no_failure", "--as", who)
    (pair,) = loaded(cli("agreement", "--json"))["pairs"]
    assert (pair["kappa"], pair["undefined"], pair["percent_agreement"]) == (None, "no_variation", 1.0)
    assert "undefined" in cli("agreement").out


def test_clear_takes_a_label_back_and_history_keeps_it(cli: Cli) -> None:
    trace = ids(cli)[0]
    cli("annotate", trace, "other", "--as", "ana")
    assert cli("annotate", trace, "--clear", "--as", "ana").status == 0
    assert loaded(cli("status", "--json"))["labels"] == 0
    assert [event["kind"] for event in loaded(cli("history", trace, "--json"))] == ["label", "retract"]


def test_details_of_a_label_come_out_again(cli: Cli) -> None:
    trace = ids(cli)[0]
    options = (
        "--submode",
        "false_completion",
        "--secondary",
        "other",
        "--facet",
        "claim=false",
        "--step",
        "2",
    )
    ran = cli("annotate", trace, "silent_success", *options, "--note", "é", "--as", "ana", "--json")
    label = loaded(ran)
    assert (label["submode"], label["secondary"], label["facets"]) == (
        "false_completion",
        ["other"],
        {"claim": "false"},
    )
    assert (label["decisive_step"]["n"], label["note"], label["condition"]) == (2, "é", "blind")


def test_with_a_name_nothing_of_others_or_of_machines_is_shown_before_the_own_label(cli: Cli) -> None:
    cli("suggest")
    trace = ids(cli)[0]
    cli("annotate", trace, "other", "--as", "ana")
    settings.identity("ben")
    theirs = {row["id"]: row for row in loaded(cli("traces", "--as", "ben", "--json"))}
    assert all(row["label"] is None and row["suggestion"] is None for row in theirs.values())
    mine = {row["id"]: row for row in loaded(cli("traces", "--as", "ana", "--json"))}
    assert mine[trace]["label"]["mode"] == "other"
    assert mine[trace]["suggestion"] is None  # never revealed, so a list does not reveal it either
    assert all(row["suggestion"] for row in loaded(cli("traces", "--json")))  # the lead's view


def test_raw_is_the_source_record(cli: Cli) -> None:
    for row in loaded(cli("traces", "--json")):
        if row["format"] not in ("mini_swe_agent", "claude_code", "plain"):
            continue  # those that hold several traces in one object have a test with their importer
        raw = json.loads(cli("show", row["id"], "--raw").out)
        text = Path(row["file"]).read_text("utf-8")
        source = (
            [json.loads(line) for line in text.splitlines()]
            if row["file"].endswith("jsonl")
            else json.loads(text)
        )
        assert raw == source or raw in source


def test_an_export_with_steps_is_whole_or_not_there(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    assert cli("export", "jsonl", "-o", file, "--with-trace").status == 0
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert rows[0]["trace"]["steps"]
    again = cli("export", "jsonl", "-o", file)
    assert again.status == 1
    assert "--force" in again.err
    assert cli("export", "jsonl", "-o", file, "--force").status == 0
    assert cli("export", "jsonl", "-o", tmp_path / "no" / "x").status == 1
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "status", "word"),
    [
        (["show", "zzz"], 1, "no trace begins with"),
        (["show", "t1-"], 1, "several"),
        (["annotate", "T", "toolmisuse", "--as", "ana"], 1, "tool_misuse"),
        (["annotate", "T", "other", "--submode", "nope"], 1, "nope"),
        (["annotate", "T", "other", "--facet", "claim"], 1, "FACET=CHOICE"),
        (["annotate", "T", "other", "--facet", "claim=maybe"], 1, "maybe"),
        (["annotate", "T", "other", "--step", "99999"], 1, "no step"),
        (["annotate", "T", "other", "--as", "a\x1bb"], 1, "printable"),
        (["annotate", "T", "--clear", "--as", "ana"], 1, "nothing of yours"),
        (["annotate", "T"], 2, "MODE"),
        (["annotate", "T", "other", "--round", "0"], 2, "round"),
        (["adjudicate", "T", "other"], 1, "reason"),
        (["--taxonomy", "nope", "traces"], 1, "nope"),
        (["import", "/nowhere/at/all"], 1, "no such file"),
        (["suggest", "--with", "nope"], 1, "nope"),
        (["nonsense"], 2, "nonsense"),
        (["export", "xml"], 2, "xml"),
    ],
)
def test_errors_are_one_clear_line(cli: Cli, arguments: list[str], status: int, word: str) -> None:
    trace = ids(cli)[0]
    ran = cli(*[trace if argument == "T" else argument for argument in arguments])
    assert ran.status == status, ran.err
    assert word in ran.err + ran.out
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err + ran.out
    if status == 1:
        assert len(ran.err.strip().splitlines()) == 1


def test_without_a_store_the_line_says_what_to_do(reviewer: Cli, tmp_path: Path) -> None:
    for command in (["traces"], ["status"], ["agreement"], ["check"]):
        ran = reviewer("--store", tmp_path / "none.db", *command)
        assert ran.status == 1
        assert "reviewer import" in ran.err
    assert not (tmp_path / "none.db").exists()


def test_backup_and_check(cli: Cli, tmp_path: Path) -> None:
    assert cli("backup", tmp_path / "copy.db").status == 0
    assert loaded(cli("--store", tmp_path / "copy.db", "check", "--json")) == {"ok": True, "problems": []}
    assert cli("backup", tmp_path / "copy.db").status == 1


def test_taxonomies(reviewer: Cli, tmp_path: Path) -> None:
    assert "six-modes" in reviewer("taxonomy", "list").out
    assert "tool_misuse" in reviewer("taxonomy", "show").out
    (tmp_path / "bad.toml").write_text("= nope")
    assert reviewer("taxonomy", "check", tmp_path / "bad.toml").status == 1


def test_the_taxonomy_that_is_shown_is_the_one_in_use(cli: Cli) -> None:
    assert cli("taxonomy", "use", "who-and-when").status == 0
    assert cli("taxonomy", "show").out == cli("taxonomy", "show", "who-and-when").out
    assert cli("--taxonomy", "six-modes", "taxonomy", "show").out.startswith("six-modes ")


def test_traces_filters_by_the_state_of_the_labels_and_by_flag(cli: Cli) -> None:
    one, two = ids(cli)[:2]
    for name, mode in (("ana", "tool_misuse"), ("bo", "planning_drift")):
        assert cli("annotate", one, mode, "--as", name).status == 0
    assert [row["id"] for row in loaded(cli("traces", "--status", "disagreed", "--json"))] == [one]
    assert loaded(cli("traces", "--flagged", "--json")) == []
    assert two not in {row["id"] for row in loaded(cli("traces", "--status", "single", "--json"))}
