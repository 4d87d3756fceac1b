"""`show --step N --raw`: the records of that step, or why not; a judge's word in one waits for the label."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer import settings
from reviewer.session.records import Record, speaks
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]
WORD = "Wrongly"


def first(cli: Cli) -> str:
    return str(json.loads(cli("traces", "--json").out)[0]["id"])


def exposed() -> set[str]:
    with Store.open(settings.store_path(None)) as store:
        return {one.kind for one in store.history.exposures()}


def test_the_records_of_a_step_are_printed_and_no_others(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "claude_code").status == 0
    trace = first(reviewer)
    whole = json.loads(reviewer("show", trace, "--raw").out)
    seen = []
    for row in json.loads(reviewer("show", trace, "--json").out)["steps_list"]:
        ran = reviewer("show", trace, "--step", row["n"], "--raw")
        if ran.status == 0:
            records = [json.loads(line) for line in ran.out.splitlines()]
            assert records and all(record in whole for record in records) and records != whole
            assert json.loads(reviewer("show", trace, "--step", row["n"], "--raw", "--json").out) == records
            seen.append(row["n"])
    assert len(seen) > 3


def test_where_it_cannot_be_told_it_says_so(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "moatless").status == 0
    ran = reviewer("show", first(reviewer), "--step", "2", "--raw")
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1)
    assert "which part of the source record step 2 was made of cannot be told" in ran.err
    assert reviewer("show", first(reviewer), "--step", "9999", "--raw").status == 1


@pytest.fixture
def judged(reviewer: Cli, tmp_path: Path) -> str:
    """A run whose last record holds a judge's verdict in a single word."""
    (file,) = (SAMPLES / "browser_use").glob("library-hours.history.json")
    run = json.loads(file.read_text("utf-8"))
    said = [result for turn in run["history"] for result in turn["result"] if "judgement" in result]
    assert len(said) == 1
    said[0]["judgement"] = {"verdict": False, "reasoning": WORD, "failure_reason": ""}
    (tmp_path / file.name).write_text(json.dumps(run))
    assert reviewer("import", tmp_path / file.name).status == 0
    settings.identity("ana")
    return first(reviewer)


def test_a_judge_in_a_record_waits_for_the_own_label_and_is_on_record_then(
    reviewer: Cli, judged: str
) -> None:
    last = json.loads(reviewer("show", judged, "--json").out)["steps"]
    given = ("show", judged, "--step", last, "--raw", "--as", "ana")
    for more in ((), ("--json",)):
        refused = reviewer(*given, *more)
        assert (refused.status, refused.out, WORD in refused.err) == (1, "", False)
        assert "after a label of ana's own" in refused.err
    assert reviewer("show", judged, "--step", last - 1, "--raw", "--as", "ana").status == 0
    assert "(blind)" in reviewer("annotate", judged, "other", "--as", "ana").out
    assert not exposed() & {"suggestion", "peers"}
    assert WORD in reviewer(*given).out
    assert "suggestion" in exposed()
    assert "(suggestion)" in reviewer("annotate", judged, "no_failure", "--as", "ana").out
    assert WORD in reviewer("show", judged, "--step", last, "--raw").out  # the lead's view


@pytest.mark.parametrize(
    ("record", "said", "found"),
    [
        ({"note": {"label": "bad", "score": 0}}, {"label": "bad", "score": 0}, True),
        ({"note": {"label": "bad", "score": 0, "more": 1}}, [{"label": "bad", "score": 0, "id": None}], True),
        ({"note": {"label": "bad", "score": 1}}, {"label": "bad", "score": 0}, False),
        ({"label": "bad"}, {"x": {"result": {"label": "bad"}}}, True),
        ({"label": "bad", "more": 1}, {"label": "bad"}, False),  # one field in common is chance
        ({"text": "it  was\nnot so"}, {"why": "it was not so"}, True),
        ({"text": "it was so"}, {"why": "so"}, False),
        ({"text": "it was not so"}, "was not", True),
        ({}, {}, False),
        ({}, None, False),
    ],
)
def test_what_was_said_is_found_by_its_words_or_by_its_object(record: Any, said: Any, found: bool) -> None:
    assert speaks(Record(False, values=(record,)), [said]) is found
