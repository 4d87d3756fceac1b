"""`report`: what it promises to scripts, and that it shows what its numbers rest on."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer.store import Store
from tests.conftest import Ran

Cli = Callable[..., Ran]
APART = {
    "traces",
    "failures",
    "tasks",
    "outcome_unknown",
    "modes",
    "not_failures",
    "passed",
    "without_gold",
    "unknown_modes",
}


@pytest.fixture
def study(reviewer: Cli, tmp_path: Path) -> Cli:
    """Eight failed traces at six tasks and one passed, seven of them labelled by two people."""
    runs = [
        {
            "task": "t",
            "task_id": f"task-{n % 6}",
            "model": "a\x1b[31m" if n < 6 else "b",
            "benchmark": "kitchen",
            "passed": n == 8,
            "attempt": n,
            "trajectory": [{"thought": f"x{n}"}],
        }
        for n in range(9)
    ]
    (tmp_path / "runs.json").write_text(json.dumps(runs))
    assert reviewer("import", tmp_path / "runs.json").status == 0
    ids = [one["id"] for one in json.loads(reviewer("traces", "--json").out)]
    modes = ["silent_success"] * 3 + ["other"] * 3 + ["task_broken"]
    for trace, mode in zip(ids, modes, strict=False):
        for who in ("ana", "ben"):
            assert reviewer("annotate", trace, mode, "--as", who).status == 0
    assert reviewer("annotate", ids[7], "other", "--as", "ana").status == 0
    return reviewer


def test_an_empty_store_says_what_is_missing_and_counts_nothing(reviewer: Cli, store: Store) -> None:
    told = reviewer("report")
    assert told.status == 0 and "no traces; `reviewer import PATH`" in told.out and "0 " not in told.out
    assert "of the traces" not in reviewer("agreement").out


def loaded(ran: Ran) -> Any:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    assert ran.status == 0, ran.err
    return json.loads(ran.out, parse_constant=refuse)


def test_the_keys_and_numbers_of_the_json(study: Cli) -> None:
    found = loaded(study("report", "--json"))
    assert {"taxonomy", "round", "published", "all", "by_model", "by_benchmark", "mitigations"} <= set(found)
    whole = found["all"]
    assert set(whole) >= APART
    assert (whole["traces"], whole["failures"], whole["tasks"]) == (9, 6, 6)
    assert whole["not_failures"] == {"task_broken": 1}
    assert whole["passed"] == {"traces": 1, "gold": {}}
    assert whole["without_gold"] == {"single": 1}
    modes = {one["mode"]: one for one in whole["modes"]}
    one = modes["silent_success"]
    assert (one["n"], one["of"], one["tasks"], one["share"]) == (3, 6, 3, 0.5)
    assert one["low"] < 0.5 < one["high"]
    assert one["published"] == 0.089
    assert modes["planning_drift"]["n"] == 0
    assert {group["model"]: group["failures"] for group in found["by_model"]} == {"a\x1b[31m": 6, "b": 0}


def test_only_the_breakdown_that_was_asked_for(study: Cli) -> None:
    found = loaded(study("report", "--json", "--by", "benchmark"))
    assert "by_model" not in found
    assert [group["benchmark"] for group in found["by_benchmark"]] == ["kitchen"]
    assert "by model" not in study("report", "--by", "benchmark").out
    assert study("report", "--by", "weather").status == 2


def test_the_text_says_what_it_rests_on(study: Cli) -> None:
    out = study("report").out
    assert "6 settled failures at 6 tasks, 1 passed, 1 task_broken, 1 without gold (1 single)" in out
    assert "Table 2" in out
    assert "64 %" in out and "not measured on your agent" in out
    assert "other: nothing to quote" in out
    assert "\x1b" not in out


def test_a_settled_disagreement_counts_and_another_round_does_not(study: Cli) -> None:
    ids = [one["id"] for one in loaded(study("traces", "--json"))]
    assert study("adjudicate", ids[7], "other", "--reason", "rule 1", "--as", "lea").status == 0
    assert loaded(study("report", "--json"))["all"]["failures"] == 7
    assert study("report", "--round", "2").status == 1
    assert study("annotate", ids[0], "other", "--as", "ana", "--round", "2").status == 0
    empty = study("report", "--round", "2")
    assert "no failure is settled yet" in empty.out
    assert loaded(study("report", "--round", "2", "--json"))["all"]["without_gold"] == {
        "none": 7,
        "single": 1,
    }


def test_a_taxonomy_without_published_figures_quotes_none(study: Cli, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'id = "mine"\nversion = "1"\n[[mode]]\nid = "burnt"\n[[mode]]\nid = "raw"\n'
    )
    trace = loaded(study("traces", "--json"))[0]["id"]
    mine = ("--taxonomy", tmp_path / "mine.toml")
    for who in ("ana", "ben"):
        assert study(*mine, "annotate", trace, "raw", "--as", who).status == 0
    out = study(*mine, "report").out
    assert "raw" in out
    assert "published:" not in out and "published against" not in out
