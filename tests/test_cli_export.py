"""`export`: which rows go out, which options go together, and that nothing is ignored in silence."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer.exporters.csv import read_csv
from reviewer.store import Store
from tests.conftest import Ran
from tests.exporters.labelled import filled
from tests.history import say

Cli = Callable[..., Ran]


def rows(ran: Ran) -> list[dict[str, Any]]:
    assert ran.status == 0, ran.err
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ((), ["a1", "a2", "b", "c", "d"]),
        (("--children",), ["a1", "a2", "b", "c", "d", "child"]),
        (("--gold",), ["a1", "a2"]),
        (("--benchmark", "bench"), ["a1", "a2", "b", "c", "d"]),
        (("--benchmark", "other"), []),
        (("--model", "model-a"), ["a1", "a2"]),
        (("--mode", "other"), ["a2"]),
        (("--mode", "no_failure", "--annotator", "ben"), ["a2"]),
        (("--mode", "no_failure", "--annotator", "ana"), ["b"]),
        (("--status", "adjudicated"), ["a2"]),
        (("--status", "single"), ["b"]),
        (("--unlabelled",), ["d"]),
        (("--flagged",), ["c"]),
        (("--failed",), ["a1", "b"]),
        (("--failed", "--gold"), ["a1"]),
        (("--annotator", "ben"), ["a1", "a2"]),
        (("--round", "1", "--status", "conflict", "--gold"), []),
    ],
)
def test_the_filters_choose_the_same_traces_in_every_format(
    store: Store, reviewer: Cli, given: tuple[str, ...], names: list[str]
) -> None:
    ids = filled(store)
    wanted = [ids[name] for name in names]
    assert [row["trace_id"] for row in rows(reviewer("export", "jsonl", *given))] == wanted
    table = read_csv(reviewer("export", "csv", *given).out)
    assert list(dict.fromkeys(row["trace_id"] for row in table)) == wanted


def test_gold_is_the_gold_alone(store: Store, reviewer: Cli) -> None:
    filled(store)
    for row in rows(reviewer("export", "jsonl", "--gold")):
        assert row["gold"]["mode"] and not (row["labels"] or row["blind_labels"] or row["suggestions"])
    table = read_csv(reviewer("export", "csv", "--gold").out)
    assert [(row["kind"], row["mode"], row["annotator"]) for row in table] == [
        ("gold", "tool_misuse", ""),
        ("gold", "other", ""),
    ]
    assert [row["reason"] for row in table] == ["", "the rule says so"]


def test_history_is_every_event_of_every_round(store: Store, reviewer: Cli) -> None:
    ids = filled(store)
    say(store, ids["b"], mode="other", who="ben", round=2)
    say(store, ids["b"], "retract", who="ben", round=2)
    events = store.labels.events()
    found = rows(reviewer("export", "jsonl", "--history", "--round", 1))
    told = {event["id"]: event for row in found for event in row.get("history", ())}
    assert set(told) == {event.id for event in events}
    assert all(told[event.id]["supersedes"] == list(event.supersedes) for event in events)
    table = [row for row in read_csv(reviewer("export", "csv", "--history").out) if row["kind"]]
    assert {row["event_id"] for row in table} == set(told)
    assert {row["kind"] for row in table} == {"label", "adjudicate", "note", "flag", "retract"}


def test_one_annotator_alone(store: Store, reviewer: Cli) -> None:
    filled(store)
    for row in rows(reviewer("export", "jsonl", "--history", "--annotator", "ana")):
        said = [*row["labels"], *row["blind_labels"], *row["adjudications"], *row["notes"], *row["history"]]
        assert said and {event["annotator"]["name"] for event in said} == {"ana"}
    say(store, store.traces.all()[0].trace_id, "flag", who="ben")  # what others flagged is theirs
    assert not rows(reviewer("export", "jsonl", "--flagged", "--annotator", "ana"))
    assert rows(reviewer("export", "jsonl", "--flagged", "--annotator", "ben"))


def test_the_card_of_one_annotator_tells_of_nobody_else(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    given = ("export", "dataset", "--jsonl", "-o", tmp_path / "ana", "--annotator", "ana")
    assert reviewer(*given).status == 0
    card = (tmp_path / "ana" / "README.md").read_text("utf-8")
    assert "how far others agree with them is not told here" in card
    told = re.findall(r"annotator \d", card)
    assert told and len(set(told)) == 1 and "Cohen's kappa" not in card and "Fleiss" not in card
    (round,) = re.findall(r"\| 1 \| (\d) \| \d \| yes \|", card)
    assert int(round) == sum(e.kind == "label" and e.annotator == "a1-ana" for e in store.labels.heads())


def test_splits_are_told_and_written(store: Store, reviewer: Cli) -> None:
    ids = filled(store)
    given = ("--split", "train=0.5,test=0.5", "--seed", 3, "--children")
    ran = reviewer("export", "jsonl", *given)
    found = {row["trace_id"]: row["split"] for row in rows(ran)}
    assert found[ids["a1"]] == found[ids["a2"]] == found[ids["child"]]
    counts = {name: list(found.values()).count(name) for name in ("train", "test")}
    assert "split by task, seed 3: " in ran.err
    assert all(f"{name} {count} traces of " in ran.err for name, count in counts.items())
    table = read_csv(reviewer("export", "csv", *given).out)
    assert {row["trace_id"]: row["split"] for row in table} == found
    few = rows(reviewer("export", "jsonl", *given, "--failed"))
    assert all(row["split"] == found[row["trace_id"]] for row in few)


@pytest.mark.parametrize(
    ("given", "status", "said"),
    [
        (("labels", "--redact"), 2, "as it is"),
        (("store", "--failed"), 2, "as it is"),
        (("labels", "--with-trace"), 2, "as it is"),
        (("jsonl", "--licence", "a=b"), 2, "belong to the dataset"),
        (("csv", "--names"), 2, "belong to the dataset"),
        (("parquet",), 2, "-o"),
        (("dataset",), 2, "-o"),
        (("atif",), 2, "-o"),
        (("scout", "--history"), 2, "--history"),
        (("examples", "--labels"), 2, "--annotator"),
        (("jsonl", "--seed", "1"), 2, "--split"),
        (("dataset", "-o", "x", "--names", "--redact"), 2, "--redact"),
        (("jsonl", "--split", "a=0.5"), 1, "sum to 0.5"),
        (("jsonl", "--annotator", "nobody"), 1, "there is ana, ben"),
        (("jsonl", "--mode", "othre"), 1, "othre"),
        (("csv", "--mode", "othre"), 1, "othre"),
        (("csv", "--annotator", "nobody"), 1, "there is ana, ben"),
        (("jsonl", "--gold", "--history"), 2, "--gold and --history exclude each other"),
        (("csv", "--labels", "--history"), 2, "exclude each other"),
        (("jsonl", "--round", "99"), 1, "--round 99: there is no such round; there is 1"),
        (("jsonl", "--annotator", "ana", "--status", "disagreed"), 2, "--status tells what others said"),
        (("csv", "--round", "2"), 1, "there is no such round"),
    ],
)
def test_what_does_not_go_together_is_said(
    store: Store, reviewer: Cli, given: tuple[str, ...], status: int, said: str
) -> None:
    filled(store)
    ran = reviewer("export", *given)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err.splitlines()[-1]


def test_the_same_store_is_the_same_file(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    for what in ("jsonl", "csv", "scout", "examples", "parquet", "store", "labels"):
        files = [tmp_path / f"{what}-{n}" for n in range(2)]
        assert [reviewer("export", what, "-o", file).status for file in files] == [0, 0]
        assert files[0].read_bytes() == files[1].read_bytes()
