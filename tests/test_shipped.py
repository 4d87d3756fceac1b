"""Every taxonomy that comes with reviewer works everywhere: keys, labels, agreement, rules, report."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from reviewer import settings, taxonomy
from reviewer.crosswalk import Crosswalk, crosswalk, pairs, turned
from reviewer.errors import NotFound
from reviewer.report.crossed import crossed
from reviewer.store import Store
from reviewer.study import planning
from reviewer.study.rows import labelled_traces
from reviewer.suggest.rules import Rules
from reviewer.taxonomy import RESERVED_KEYS, Taxonomy
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]
SHIPPED = [taxonomy.load(id) for id in taxonomy.available()]
NEW = ("tau-bench", "corrupt-success", "hard-weak-bad")


@pytest.fixture(params=SHIPPED, ids=lambda one: one.id)
def one(request: pytest.FixtureRequest) -> Taxonomy:
    found: Taxonomy = request.param
    return found


def test_every_mode_has_a_key_of_its_own_and_a_definition(one: Taxonomy) -> None:
    keys = [mode.key for mode in one.modes]
    assert all(keys)
    assert len(set(keys)) == len(keys)
    assert not RESERVED_KEYS & {key for key in keys if not key.isdigit()}
    assert all(mode.definition for mode in one.modes)
    assert one.source
    assert one.procedure


@pytest.mark.parametrize("id", NEW)
def test_the_new_ones_are_whole(id: str) -> None:
    book = taxonomy.load(id)
    assert all(mode.key.isdigit() for mode in book.modes)
    assert all(mode.checks for mode in book.failures)
    ruled = {mode for rule in book.rather for mode in rule.pair}
    lacking = {mode.id for mode in book.failures} - ruled
    assert lacking <= {"another_fault"}
    assert {"task_broken", "not_an_attempt", "cannot_tell"} <= {mode.id for mode in book.non_failures}


def test_a_plan_with_the_published_shares_of_mast_takes_what_the_methods_say() -> None:
    shares = planning.published(taxonomy.load("mast"))
    assert len(shares.modes) == 14
    assert planning.plan(shares, 0.6, 0.1).n == 110


def test_the_fourteen_of_mast_are_there_in_order() -> None:
    numbers = [mode.name.split()[0] for mode in taxonomy.load("mast").failures][:14]
    assert numbers == [
        *(f"1.{n}" for n in range(1, 6)),
        *(f"2.{n}" for n in range(1, 7)),
        "3.1",
        "3.2",
        "3.3",
    ]


def test_the_names_are_those_of_the_sources() -> None:
    tau = [mode.id for mode in taxonomy.load("tau-bench").failures]
    named = {
        "goal_partially_completed",
        "used_wrong_tool",
        "used_wrong_tool_argument",
        "took_unintended_action",
    }
    assert named < set(tau)
    fault = [choice.id for choice in taxonomy.load("tau-bench").facet("fault").choices]
    assert sorted(fault) == ["agent", "environment", "user"]
    corrupt = [mode.id for mode in taxonomy.load("corrupt-success").failures]
    assert corrupt == ["policy_compliance", "policy_faithfulness", "data_faithfulness", "execution_claims"]
    assert [m.id for m in taxonomy.load("hard-weak-bad").failures] == ["hard_task", "weak_model", "bad_run"]


def test_a_study_under_it_from_label_to_report(one: Taxonomy, reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "tau_bench").status == 0
    assert reviewer("taxonomy", "use", one.id).status == 0
    with Store.open(place()) as store:
        ids = [info.trace_id for info in store.traces.all()]
    assert len(ids) > 1
    modes = [mode.id for mode in one.modes]
    for n, trace in enumerate(ids):
        for name, shift in (("ana", 0), ("ben", n % 2)):
            mode = modes[(n + shift) % len(modes)]
            ran = reviewer("annotate", trace, mode, "--as", name)
            assert ran.status == 0, ran
            assert mode in ran.out
    agreement = json.loads(reviewer("agreement", "--json").out)
    assert agreement
    assert reviewer("suggest").status == 0
    for name in ("ana", "ben"):
        assert reviewer("adjudicate", "--list", "--as", name).status == 0
    report = json.loads(reviewer("report", "--json").out)
    assert report["taxonomy"]["id"] == one.id
    export = [json.loads(line) for line in reviewer("export", "jsonl").out.splitlines()]
    assert {row["settled_by"] for row in export} <= {None, "rule"}


def place() -> Path:
    return settings.store_path(None)


def test_rules_suggest_a_mode_of_it_or_say_why_not(one: Taxonomy, reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "tau_bench", SAMPLES / "mini_swe_agent").status == 0
    with Store.open(place()) as store:
        for info in store.traces.all():
            trace, outcomes = store.traces.trace(info.trace_id), store.outcomes.of(info.trace_id)
            proposal = Rules().suggest(trace, outcomes, one)
            assert proposal.reason if proposal.status == "abstained" else one.has(proposal.mode)


# -- crosswalks ----------------------------------------------------------------------------------


@pytest.mark.parametrize("walk", pairs(), ids=lambda walk: f"{walk.start}-{walk.end}")
def test_a_crosswalk_names_every_mode_and_only_modes(walk: Crosswalk) -> None:
    start, end = taxonomy.load(walk.start), taxonomy.load(walk.end)
    assert sorted(walk.readings) == sorted(mode.id for mode in start.modes)
    assert walk.source
    for reading in walk.readings.values():
        assert all(map(end.has, reading.to)), reading
        assert bool(reading.to) is (reading.sure != "none"), reading
        assert reading.sure == "broader" or len(reading.to) <= 1, reading


@pytest.mark.parametrize("walk", pairs(), ids=lambda walk: f"{walk.start}-{walk.end}")
def test_the_way_back_is_no_surer_than_the_way_there(walk: Crosswalk) -> None:
    back = turned(walk)
    for id, reading in walk.readings.items():
        for to in reading.to:
            assert id in back.readings[to].to
            if back.readings[to].certain:
                assert reading.sure == "exact"
    assert crosswalk(walk.end, walk.start).readings == back.readings


def test_the_rules_bench_reads_agentrx_as_the_crosswalk_does() -> None:
    text = resources.files("reviewer.suggest").joinpath("crosswalk.toml").read_text("utf-8")
    bench = tomllib.loads(text)["agentrx"]
    readings = crosswalk("agentrx", "six-modes").readings
    assert bench == {id: reading.certain for id, reading in readings.items()}


def test_no_crosswalk_is_one_line_that_says_which_there_are() -> None:
    with pytest.raises(
        NotFound, match="no crosswalk between mast and agentrx; known are agentrx and six-modes"
    ):
        crosswalk("mast", "agentrx")


def test_a_crosswalk_is_printed_with_one_mode_a_line_and_no_line_of_blanks(reviewer: Cli) -> None:
    lines = reviewer("taxonomy", "crosswalk", "six-modes", "mast").out.splitlines()
    table = lines[lines.index("") + 1 :]
    assert max(map(len, table)) <= 80
    at = next(n for n, line in enumerate(table) if line.startswith("planning_drift"))
    assert table[at].split()[-1] == "disobey_task_specification"
    assert table[at + 1].split() == ["or", "disobey_role_specification"]


def test_a_report_is_read_through_a_crosswalk_only_when_asked(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "tau_bench").status == 0
    assert reviewer("taxonomy", "use", "tau-bench").status == 0
    with Store.open(place()) as store:
        ids = [info.trace_id for info in store.traces.all()][:2]
    for trace, mode in zip(ids, ("used_wrong_tool", "used_wrong_tool_argument"), strict=True):
        for name in ("ana", "ben"):
            assert reviewer("annotate", trace, mode, "--as", name).status == 0
    with Store.open(place()) as store:
        rows = list(labelled_traces(store, taxonomy.load("tau-bench"), 1))
    read = [
        row.gold.decision.mode
        for row in crossed(rows, crosswalk("tau-bench", "six-modes"))
        if row.gold.decision
    ]
    assert sorted(read) == ["tau-bench:used_wrong_tool_argument", "tool_misuse"]
    plain = json.loads(reviewer("report", "--json").out)
    assert (plain["taxonomy"]["id"], plain["crosswalk"]) == ("tau-bench", None)
    asked = json.loads(reviewer("report", "--crosswalk", "six-modes", "--json").out)
    assert asked["taxonomy"]["id"] == "six-modes"
    assert "τ-bench" in asked["crosswalk"]
    assert reviewer("report", "--crosswalk", "mast").status == 1


def test_crosswalk_command(reviewer: Cli) -> None:
    ran = reviewer("taxonomy", "crosswalk", "tau-bench", "six-modes")
    assert "is one of" in ran.out
    told = json.loads(reviewer("taxonomy", "crosswalk", "six-modes", "agentrx", "--json").out)
    assert told["turned"] is True
    by_mode = {mode["mode"]: mode for mode in told["modes"]}
    assert by_mode["no_failure"]["sure"] == "exact"
    assert by_mode["safety_refusal"]["sure"] == "none"
