"""`export scout` and `export examples`: settled traces only, read back by Scout's own loader."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from reviewer.store import Store
from reviewer.trace import Trace
from tests.conftest import Ran
from tests.exporters.labelled import filled
from tests.exporters.readers import read_by
from tests.history import put, say, session

Cli = Callable[..., Ran]
_LOADER = """
import json, sys
from inspect_scout import validation_set
cases = validation_set(sys.argv[1]).cases
print(json.dumps([[case.id, case.target, case.split] for case in cases]))
"""


def test_a_case_a_settled_trace(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    ids = filled(store)
    ran = reviewer("export", "scout", "-o", tmp_path / "cases.jsonl", "--split", "dev=0.5,test=0.5")
    assert "exported 2 traces" in ran.err
    cases = [json.loads(line) for line in (tmp_path / "cases.jsonl").read_text().splitlines()]
    assert [(case["id"], case["target"]) for case in cases] == [
        (ids["a1"], "tool_misuse"),
        (ids["a2"], "other"),
    ]
    assert len({case["split"] for case in cases}) == 1  # two attempts at one task
    read = read_by("inspect_scout", _LOADER, tmp_path / "cases.jsonl", home=tmp_path)
    assert read == [[case["id"], case["target"], case["split"]] for case in cases]


def test_one_person_in_the_place_of_gold(store: Store, reviewer: Cli) -> None:
    ids = filled(store)
    said = reviewer("export", "scout", "--labels", "--annotator", "ana").out.splitlines()
    assert {json.loads(line)["id"]: json.loads(line)["target"] for line in said} == {
        ids["a1"]: "tool_misuse",
        ids["a2"]: "other",
        ids["b"]: "no_failure",
    }
    assert reviewer("export", "scout", "--labels").status == 2
    assert "there is ana, ben" in reviewer("export", "scout", "--labels", "--annotator", "cleo").err


def test_a_sample_of_inspect_goes_by_its_own_id(store: Store, reviewer: Cli) -> None:
    made = session(["a"])
    info = replace(made.info, format="inspect", meta={"uuid": "Xy12"})
    id = put(store, Trace(info, made.steps, made.raw, made.records))
    say(store, id, "adjudicate", "other", reason="r")
    assert json.loads(reviewer("export", "scout").out)["id"] == "Xy12"


def test_an_example_has_excerpt_evidence_and_reason(store: Store, reviewer: Cli) -> None:
    ids = filled(store)
    found = {
        line["trace_id"]: line for line in map(json.loads, reviewer("export", "examples").out.splitlines())
    }
    assert set(found) == {ids["a1"], ids["a2"]}
    one = found[ids["a1"]]
    assert one["evidence"] == [{"step": 3, "quote": "I look."}]  # what was not found is no evidence
    assert [part["step"] for part in one["excerpt"]] == [2, 3, 4, 6]
    assert one["evidence"][0]["quote"] in one["excerpt"][1]["text"]
    assert (one["mode"], one["decisive_step"]) == ("tool_misuse", 3)
    assert " ana " in one["rationale"] and " ben " in one["rationale"]
    assert found[ids["a2"]]["rationale"] == "the rule says so"
