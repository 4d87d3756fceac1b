"""What judges and people say in the record of a trace is no outcome: held back before the own label."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer import settings, taxonomy
from reviewer.cli.suggest_run import read
from reviewer.facts import facts
from reviewer.facts.model import Facts
from reviewer.label import FROM_SET, Decision
from reviewer.session import ReviewSession
from reviewer.session.held import read_record
from reviewer.store import Store
from reviewer.trace import Json, Outcome
from tests.conftest import SAMPLES, Ran
from tests.desks import desk, settling, shown, sitting
from tests.history import SIX, event, put, say, session, suggest

Cli = Callable[..., Ran]
GRADE = Outcome(False, 0.0, {"tests": "2 of 5"})
JUDGE = Outcome(True, None, "it looks fine", origin="judge")
PERSON = Outcome(None, 1.0, {"comment": "it promised pears"}, origin="score claim (ANNOTATION)")


@pytest.mark.parametrize(
    ("outcome", "who"),
    [
        (Outcome(False), ""),
        (Outcome(False, origin="report.json"), ""),
        (Outcome(origin="scores.match"), ""),
        (Outcome(origin="score quality (API)"), ""),
        (Outcome(origin="score quality (EVAL) #2"), "judge"),
        (Outcome(origin="score quality (ANNOTATION)"), "person"),
        (Outcome(origin="feedback tone (model)"), "judge"),
        (Outcome(origin="feedback tone (api)"), ""),
        (Outcome(origin="feedback tone (app)"), "person"),
        (Outcome(origin="corrections"), "person"),
        (Outcome(origin="human review"), "person"),
        (Outcome(origin="judge #2"), "judge"),
        (Outcome(origin="file: review by a model"), "judge"),
        (Outcome(detail=[{"annotator_kind": "LLM"}], origin="annotations"), "judge"),
        (Outcome(detail=[{"annotator_kind": "CODE"}], origin="annotations"), ""),
        (Outcome(detail={"llm_judge": "a model"}), "judge"),
        (Outcome(False, origin="human-eval/report.json"), ""),
        (Outcome(False, origin="judge/results.json"), ""),
    ],
)
def test_whose_opinion_an_outcome_is(outcome: Outcome, who: str) -> None:
    assert outcome.said_by == who


def test_the_samples_bring_opinions_that_blind_work_holds_back(reviewer: Cli) -> None:
    wanted = {"mast": 1, "langfuse": 1, "openinference": 1, "browser_use": 1}
    for name in wanted:
        reviewer("import", SAMPLES / name)
    with Store.open(settings.store_path(None)) as store:
        at = sitting(store)
        seen: set[str] = set()
        for place in range(len(at.items)):
            view = at.open(place)
            assert not any(outcome.said_by for outcome in view.outcomes)
            if view.held:
                seen.add(view.info.format)
                assert view.sealed
        assert seen == set(wanted)


def test_blind_work_shows_the_grade_and_holds_opinions_back_until_the_label(store: Store) -> None:
    id = put(store, session(["a"]), GRADE, JUDGE, PERSON)
    at = sitting(store)
    view = at.open(0)
    assert (view.outcomes, view.held, view.passed, view.sealed) == ((GRADE,), 2, False, True)
    assert shown(store, id) == {"outcome", "facts"}
    assert at.label(0, Decision("other")).condition == "blind"
    view = at.open(0)
    assert (len(view.outcomes), view.held, view.sealed) == (3, 0, False)
    assert shown(store, id) == {"outcome", "facts", "suggestion", "peers"}
    assert at.label(0, Decision("no_failure")).condition == "peers"


def test_assisted_work_shows_a_judge_like_a_suggestion_and_a_person_after_the_label(store: Store) -> None:
    put(store, session(["a"]), GRADE, JUDGE, PERSON)
    at = sitting(store, blind=False)
    view = at.open(0)
    assert (view.outcomes, view.held, view.sealed) == ((GRADE, JUDGE), 1, True)
    assert at.label(0, Decision("other")).condition == "suggestion"
    assert len(at.open(0).outcomes) == 3


def test_without_a_reveal_nothing_of_others_is_shown_after_the_label_either(store: Store) -> None:
    put(store, session(["a"]), GRADE, JUDGE)
    at = ReviewSession(desk(store), blind=True, reveal=False)
    at.label(0, Decision("other"))
    view = at.open(0)
    assert (view.outcomes, view.held, view.sealed) == ((GRADE,), 1, True)


def test_who_settles_sees_no_opinion_and_not_the_whole_record(store: Store) -> None:
    id = put(store, session(["a"]), GRADE, JUDGE)
    say(store, id)
    say(store, id, mode="no_failure", who="ben")
    view = settling(store).open(0)
    assert (view.outcomes, view.sealed) == ((GRADE,), True)


@pytest.mark.parametrize("blind", [True, False])
def test_the_record_of_a_labelled_set_is_read_after_the_label_and_that_is_recorded(
    store: Store, blind: bool
) -> None:
    id = put(store, session(["a"]))
    theirs = replace(
        event(id, "label", "other", "ben", condition="blind"), origin=f"{FROM_SET}MAST", taxonomy="mast"
    )
    with store.write():
        store.labels.insert(theirs)
    at = sitting(store, blind=blind)
    view = at.open(0)
    assert (view.sealed, view.record) == (True, True)
    assert at.label(0, Decision("other")).condition == "blind"
    view = at.open(0)
    assert (view.sealed, view.record, "peers" in shown(store, id)) == (False, True, False)
    read_record(at.desk, id)
    assert at.label(0, Decision("no_failure")).condition == "peers"


def test_a_label_under_an_earlier_codebook_reveals_nothing_of_the_new_one(store: Store) -> None:
    id = put(store, session(["a"]))
    sitting(store).label(0, Decision("other"))
    second = taxonomy.parse(SIX.toml.replace(f'version = "{SIX.version}"', 'version = "99"', 1), "second")
    store.settings.keep_taxonomy(second)
    suggest(store, id, taxonomy_hash=second.hash)
    at = ReviewSession(replace(desk(store), taxonomy=second), blind=True)
    view = at.open(0)
    assert (view.suggestions, view.withheld, view.sealed) == ((), True, True)
    assert at.label(0, Decision("other")).condition == "blind"
    assert at.open(0).suggestions


def test_show_by_name_keeps_the_record_back_and_records_it_afterwards(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "who_and_when").status == 0
    trace = next(
        row["id"]
        for row in json.loads(reviewer("traces", "--json").out)
        if "mistake_reason" in reviewer("show", row["id"], "--raw").out
    )
    settings.identity("ana")
    refused = reviewer("show", trace, "--raw", "--as", "ana")
    assert (refused.status, refused.out, len(refused.err.splitlines())) == (1, "", 1)
    assert "mistake" not in reviewer("show", trace, "--json", "--as", "ana").out
    assert (
        json.loads(reviewer("annotate", trace, "other", "--as", "ana", "--json").out)["condition"] == "blind"
    )
    assert "mistake_reason" in reviewer("show", trace, "--raw", "--as", "ana").out
    again = reviewer("annotate", trace, "no_failure", "--as", "ana", "--json")
    assert json.loads(again.out)["condition"] == "peers"


def _outcomes(reviewer: Cli, trace: str) -> list[Json]:
    return list(json.loads(reviewer("show", trace, "--json").out)["outcomes"])


def _read_for_suggesters() -> list[Facts]:
    with Store.open(settings.store_path(None)) as store:
        wanted = [info.trace_id for info in store.traces.all()]
        found = list(read(store, wanted))
        assert not any(outcomes for _, outcomes in found)  # nor does one judge hear of another
        return [facts(trace, store.outcomes.of(trace.info.trace_id)) for trace, _ in found]


def test_what_a_judge_thinks_is_no_outcome_wherever_one_asks(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "browser_use").status == 0
    rows = json.loads(reviewer("traces", "--json").out)
    (judged,) = [row for row in rows if _outcomes(reviewer, row["id"])]
    assert [one["origin"] for one in _outcomes(reviewer, judged["id"])] == [
        "judge"
    ]  # kept, and told as whose
    assert judged["passed"] is None
    assert json.loads(reviewer("traces", "--failed", "--json").out) == []
    assert "outcome unknown" in reviewer("show", judged["id"]).out
    assert {json.loads(line)["passed"] for line in reviewer("export", "jsonl").out.splitlines()} == {None}
    assert {trace.passed for trace in _read_for_suggesters()} == {None}
    with Store.open(settings.store_path(None)) as store:
        at = sitting(store)
        place = next(n for n, item in enumerate(at.items) if item.info.trace_id == judged["id"])
        at.label(place, Decision("other"))
        view = at.open(place)
    assert (len(view.outcomes), view.passed) == (1, None)  # shown after the label, and still no outcome


def test_show_and_lists_by_name_tell_no_verdict_of_a_judge(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "browser_use").status == 0
    judged = [row for row in json.loads(reviewer("traces", "--json").out) if _outcomes(reviewer, row["id"])]
    assert judged
    settings.identity("ana")
    named = {row["id"]: row for row in json.loads(reviewer("traces", "--as", "ana", "--json").out)}
    for row in judged:
        assert named[row["id"]]["passed"] is None
        told = json.loads(reviewer("show", row["id"], "--as", "ana", "--json").out)
        assert (told["passed"], told["outcomes"], told["meta"]) == (None, [], {})
        assert "outcome unknown" in reviewer("show", row["id"], "--as", "ana").out


def test_how_a_run_was_graded_is_an_exposure_in_show_as_in_the_list(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "tau_bench").status == 0
    trace = json.loads(reviewer("traces", "--json").out)[0]["id"]
    reviewer("show", trace)
    settings.identity("ana")
    reviewer("show", trace, "--as", "ana")
    with Store.open(settings.store_path(None)) as store:
        assert "outcome" in {kind for kind, _ in store.labels.exposures(settings.identity("ana")[0], trace)}
        assert {one.annotator for one in store.history.exposures()} == {settings.identity("ana")[0]}


def test_what_a_person_noted_at_a_span_is_held_back_and_on_record_then(reviewer: Cli, tmp_path: Path) -> None:
    spans = json.loads((SAMPLES / "openinference" / "ferry-and-bus.json").read_text("utf-8"))
    said = {"label": "incorrect", "score": 0, "explanation": "the bus was missed"}
    spans[0]["annotations"] = [{"name": "correctness", "annotator_kind": "HUMAN", "result": said}]
    (tmp_path / "spans.json").write_text(json.dumps(spans))
    ran = reviewer("import", tmp_path / "spans.json")
    assert ran.status == 0 and "an annotation by a person is no grade" in ran.err
    (row,) = json.loads(reviewer("traces", "--json").out)
    assert (row["passed"], row["score"]) == (None, None)
    settings.identity("ana")
    assert "missed" not in reviewer("show", row["id"], "--json", "--as", "ana").out
    assert "(blind)" in reviewer("annotate", row["id"], "other", "--as", "ana").out
    assert "missed" in reviewer("show", row["id"], "--raw", "--as", "ana").out
    assert "(peers)" in reviewer("annotate", row["id"], "no_failure", "--as", "ana").out
