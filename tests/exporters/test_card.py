"""The card of a dataset says nothing that its files do not say: its numbers are counted again from them."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reviewer import taxonomy
from reviewer.exporters.csv import read_csv
from reviewer.stats.agreement import pair_agreement
from reviewer.store import Store
from reviewer.store.assignments import Assignment, Draw
from reviewer.study.agreement import agreement
from tests.conftest import Ran
from tests.history import SIX, now, put, say, session, show

Cli = Callable[..., Ran]
MODES = [mode.id for mode in SIX.modes]


def studied(store: Store, reviewer: Cli) -> list[str]:
    """Twelve traces labelled blind by two; ana changed two of hers after the reveal; lea settled two."""
    ids = [put(store, session([f"t{n}"], first=f"t{n}", task_id=f"t{n}")) for n in range(12)]
    for n, id in enumerate(ids):
        say(store, id, mode=MODES[n % 4])
        say(store, id, mode=MODES[n % 4 if n > 3 else (n + 1) % 4], who="ben")
    for n in (0, 1):
        show(store, ids[n])
        say(store, ids[n], mode=MODES[n + 1], note="Ben was right")
    say(store, ids[5], "note", note="odd, see ben@x")
    for n in (2, 3):
        ran = reviewer("adjudicate", ids[n], MODES[n], "--reason", "as ANA says", "--as", "lea")
        assert ran.status == 0, ran.err
    return ids


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def table(card: str, heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, its head first."""
    part = card.split(f"## {heading}\n")[1].split("\n## ", maxsplit=1)[0]
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    rows = [row for row in rows if row[0] != "---"]
    return [[cell.strip() for cell in row] for row in rows]


def test_a_reader_computes_the_kappa_of_the_card_from_the_files(
    store: Store, reviewer: Cli, tmp_path: Path
) -> None:
    studied(store, reviewer)
    folder = tmp_path / "ds"
    assert reviewer("export", "dataset", "--jsonl", "-o", folder).status == 0
    counted = [row for row in lines(folder / "data/labels/train.jsonl") if row["counts"]]
    by_person: dict[str, dict[str, str]] = {}
    for row in counted:
        assert row["condition"] == "blind" and row["trace_id"] not in by_person.get(row["annotator"], {})
        by_person.setdefault(row["annotator"], {})[row["trace_id"]] = row["mode"]
    (first, mine), (second, theirs) = sorted(by_person.items())
    shared = [trace for trace in mine if trace in theirs]
    both = [mine[trace] for trace in shared], [theirs[trace] for trace in shared]
    again = pair_agreement(*both, categories=MODES)
    told = next(
        row
        for row in table((folder / "README.md").read_text(), "Agreement")
        if row[:2] == [f"{first} × {second}", "Cohen's kappa"]
    )
    assert again.kappa.value is not None
    assert told[2:4] == [str(len(shared)), f"{again.kappa.value:.2f}"]
    assert agreement(store, SIX, 1).pairs[0].found.kappa.value == again.kappa.value
    rows = read_csv(reviewer("export", "csv").out)
    assert sorted(row["event_id"] for row in rows if row["counts"]) == sorted(
        row["event_id"] for row in counted
    )
    told_by_jsonl = [json.loads(line) for line in reviewer("export", "jsonl").out.splitlines()]
    assert {
        one["id"] for row in told_by_jsonl for one in (*row["labels"], *row["blind_labels"]) if one["counts"]
    } == {row["event_id"] for row in counted}


def test_of_two_blind_labels_of_one_person_none_counts(store: Store, reviewer: Cli) -> None:
    ids = studied(store, reviewer)
    say(store, ids[7], mode="other", supersedes=())
    twice = replace(say(store, ids[8], mode="other"), id="by hand", supersedes=())
    with store.write():
        store.labels.insert(twice)  # as a merge brings it
    rows = read_csv(reviewer("export", "csv").out)
    counts = Counter(row["trace_id"] for row in rows if row["counts"])
    assert (counts[ids[7]], counts[ids[8]]) == (2, 1)


def test_the_counts_of_the_card_are_those_of_the_files(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    studied(store, reviewer)
    folder = tmp_path / "ds"
    assert reviewer("export", "dataset", "--jsonl", "-o", folder).status == 0
    card, rows = (folder / "README.md").read_text(), lines(folder / "data/labels/train.jsonl")
    told = dict(table(card.replace("In here:", "## In\n"), "In"))
    earlier = "earlier labels, which agreement counts"
    assert told == {
        "what": "how many",
        **{"traces": "12", "tasks": "12", "labels": "24", earlier: "2", "adjudications": "2", "notes": "1"},
    }
    assert len(rows) == 24 + 2 + 2 + 1
    head, *conditions = table(card, "What the annotators had seen")
    assert head == ["condition", "labels", earlier, "adjudications", "notes"]
    for name, *counts in conditions:
        in_files = sum((row["condition"] or "none (a note has no condition)") == name for row in rows)
        assert sum(map(int, counts)) == in_files, name
    people = {row[0]: row[1:] for row in table(card, "Who labelled")[1:]}
    assert sorted(people.values()) == [
        ["0", "0", "0", "0", "0", "2"],
        ["12", "10", "2", "0", "2", "0"],
        ["12", "12", "0", "0", "0", "0"],
    ]
    settled = {row["annotator"] for row in rows if row["kind"] == "adjudicate"}
    assert [name for name, counts in people.items() if counts[-1] == "2"] == list(settled)


def test_gold_alone_has_the_same_counts_behind_it(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    studied(store, reviewer)
    assert reviewer("export", "dataset", "--gold", "--jsonl", "-o", tmp_path / "ds").status == 0
    card = (tmp_path / "ds" / "README.md").read_text()
    assert "| adjudications behind the gold, not in here | 2 |" in card
    assert "whose column counts is true" not in card


def test_agreement_with_oneself_and_the_draws_stand_in_the_card_in_words(
    store: Store, reviewer: Cli, tmp_path: Path
) -> None:
    ids = studied(store, reviewer)
    for id in ids[6:]:
        say(store, id, mode="other" if id == ids[6] else MODES[ids.index(id) % 4], round=1_000_001)
    settings = {"seed": "7", "of": 40, "drawn": 12, "overlapping": 12, "raters": "2", "only": None}
    settings |= {"more": 0, "more_of": 0, "more_wanted": 0, "stratify": ["model"], "taxonomy": {"id": "x"}}
    draw = Draw("d1", "new", 1, settings, now())
    store.assignments.add(draw, [Assignment("s1", "d1", ids[0], "a1-ana", 1, 0, True, "m", 0.3)], 0)
    assert reviewer("export", "dataset", "--jsonl", "--names", "-o", tmp_path / "ds").status == 0
    card = (tmp_path / "ds" / "README.md").read_text()
    own = [row for row in table(card, "Agreement") if "oneself" in row[1]]
    assert [row[:3] for row in own] == [["ana and the same later", "Cohen's kappa with oneself", "6"]]
    chosen = card.split("## How the traces were chosen\n\n")[1].split("\n\n")[0]
    words = "12 traces drawn by chance out of 40 that were free for 1 people (seed 7)"
    assert words in chosen.replace("\\", "")
    assert "None" not in chosen and "more_" not in chosen


def test_numbers_that_round_to_nothing_have_no_sign() -> None:
    from reviewer.cli.carding import _estimate
    from reviewer.stats.estimate import Estimate

    assert _estimate(Estimate(-0.004, -0.2, 0.001, 3, "", "")) == ("3", "0.00", "-0.20 to 0.00")


def test_what_is_carried_agrees_with_the_gold_of_the_card(
    store: Store, reviewer: Cli, tmp_path: Path
) -> None:
    studied(store, reviewer)
    later = tmp_path / "next.toml"
    later.write_text(SIX.toml.replace('version = "', 'version = "next ', 1), "utf-8")
    assert taxonomy.load(str(later)).hash != SIX.hash
    assert reviewer("taxonomy", "use", later).status == 0
    assert reviewer("export", "dataset", "--jsonl", "--carry", "-o", tmp_path / "ds").status == 0
    card = (tmp_path / "ds" / "README.md").read_text()
    pairs = [row for row in table(card, "Agreement") if row[1] == "Cohen's kappa"]
    assert [row[2] for row in pairs] == ["12"]
    assert "12 traces of round 1 have labels of two people or more" in card
    assert "under another version" not in card and "read under this one, by its map" in card
    rows = lines(tmp_path / "ds/data/labels/train.jsonl")
    assert sum(row["counts"] for row in rows) == 24


@pytest.mark.parametrize("given", [("--redact",), ()], ids=["redact", "plain"])
def test_names_in_words_are_masked_as_the_annotators_are(
    store: Store, reviewer: Cli, tmp_path: Path, given: tuple[str, ...]
) -> None:
    studied(store, reviewer)
    folder = tmp_path / "ds"
    assert reviewer("export", "dataset", "--jsonl", "-o", folder, *given).status == 0
    whole = "".join(file.read_text("utf-8") for file in folder.rglob("*.jsonl"))
    assert not re.search(r"\b(ana|ben|lea)\b", whole, re.IGNORECASE)
    people = {row["annotator"] for row in lines(folder / "data/labels/train.jsonl")}
    changed = next(row for row in lines(folder / "data/labels/train.jsonl") if "was right" in row["note"])
    assert changed["note"].removesuffix(" was right") in people
    assert reviewer("export", "dataset", "--jsonl", "--names", "--force", "-o", folder).status == 0
    assert "Ben was right" in (folder / "data/labels/train.jsonl").read_text("utf-8")


def test_an_infinite_score_is_no_text_in_a_column_of_numbers(
    store: Store, reviewer: Cli, tmp_path: Path
) -> None:
    from reviewer.trace import Outcome

    put(store, session(["x"], first="x"), Outcome(passed=False, score=float("inf")))
    put(store, session(["y"], first="y"), Outcome(passed=False, score=0.5))
    rows = [json.loads(line) for line in reviewer("export", "jsonl").out.splitlines()]
    assert [(row["score"], row.get("score_text")) for row in rows] == [(None, "Infinity"), (0.5, None)]
    assert [row["score"] for row in read_csv(reviewer("export", "csv").out)] == [float("inf"), 0.5]
    assert reviewer("export", "dataset", "--jsonl", "-o", tmp_path / "ds").status == 0
    assert [row["score"] for row in lines(tmp_path / "ds/data/traces/train.jsonl")] == [None, 0.5]
    whole = (tmp_path / "ds/data/traces/train.jsonl").read_text("utf-8")
    assert "Infinity" in whole  # among the outcomes, which are JSON as text


def test_traces_met_in_an_earlier_round_stand_apart_in_the_card(
    store: Store, reviewer: Cli, tmp_path: Path
) -> None:
    ids = studied(store, reviewer)
    for n, id in enumerate(ids[:6]):
        for who in ("ana", "ben"):
            say(store, id, mode=MODES[n % 4], who=who, round=2)
    for who in ("ana", "ben"):
        say(store, put(store, session(["new"], first="new")), mode="other", who=who, round=2)
    assert reviewer("export", "dataset", "--jsonl", "-o", tmp_path / "ds", "--round", "2").status == 0
    agreed = table((tmp_path / "ds" / "README.md").read_text(), "Agreement")
    told = {row[1]: row[2] for row in agreed}
    assert told["kappa, traces met in an earlier round"] == "4"  # two ana saw the suggestion of
    assert told["kappa, the others"] == "1"
