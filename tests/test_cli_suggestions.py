"""Suggestions side by side: on the command line and in the panel; looking at them is on record."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from reviewer import settings
from reviewer.label import Evidence, Rationale
from reviewer.store import Store
from reviewer.tui.panel import _found, _proofs, _quotes, _suggestion, _suggestions
from tests.conftest import Ran
from tests.history import put, session, suggest

Run = Callable[..., Ran]


def judged(store: Store) -> str:
    """Rules and a model differ; a judge refutes the model."""
    trace = put(store, session(["so it is"], "so it is"))
    suggest(store, trace, "other", evidence=(Evidence(1, "so it is", "", True),))
    first = suggest(store, trace, "tool_misuse", suggester="claude", model="m", confidence=0.7)
    usage = {"judges": first.id, "finding": "refutes"}
    proof = (Evidence(1, "so it is", "", True), Evidence(1, "nowhere", "", False))
    suggest(store, trace, "other", suggester="claude-judge", model="m", usage=usage, evidence=proof)
    return trace


def test_show_puts_all_suggesters_side_by_side(store: Store, reviewer: Run) -> None:
    trace = judged(store)
    said = reviewer("show", trace, "--suggestions").out
    assert "claude m: tool_misuse, confidence 0.70" in said
    assert "claude-judge m: other (refutes: claude)" in said and "✗ not found: step 1: “nowhere”" in said
    listed = json.loads(reviewer("show", trace, "--suggestions", "--json").out)
    assert [(one["suggester"], one["finding"]) for one in listed] == [
        ("claude", None),
        ("claude-judge", "refutes"),
        ("rules", None),
    ]


def test_a_quote_is_shown_without_its_colours_and_kept_with_them(store: Store, reviewer: Run) -> None:
    quote = "\x1b[32m\x1b[1m39 passed\x1b[0m\x1b[32m in 0.63s\x1b[0m"
    trace = put(store, session([quote], "so it is"))
    suggest(store, trace, "other", evidence=(Evidence(1, quote, "", True),))
    assert "step 1: “39 passed in 0.63s”" in reviewer("show", trace, "--suggestions").out
    (kept,) = json.loads(reviewer("show", trace, "--suggestions", "--json").out)
    assert kept["evidence"][0]["quote"] == quote
    (part,) = _quotes([Evidence(1, quote, "", True)])
    assert part.text == "★ step 1: “39 passed in 0.63s”"


def test_who_looked_at_suggestions_labels_blind_no_more(store: Store, reviewer: Run) -> None:
    trace = judged(store)
    assert reviewer("show", trace, "--json").status == 0
    assert reviewer("annotate", trace, "other", "--as", "ana").status == 0
    settings.identity("ben")
    reviewer("show", trace, "--suggestions", "--as", "ben")
    assert reviewer("annotate", trace, "other", "--as", "ben").status == 0
    assert [event.condition for event in store.labels.heads()] == ["blind", "suggestion"]


@pytest.mark.parametrize("look", [("show", "--suggestions"), ("history",)])
@pytest.mark.parametrize(("step", "condition"), [(2, "suggestion"), (None, "blind")])
def test_where_to_start_reading_is_a_look_and_counts_alone_are_none(
    store: Store, reviewer: Run, look: tuple[str, ...], step: int | None, condition: str
) -> None:
    trace = put(store, session(["so", "it is"], "so it is"))
    words = "Start at step 2: it ends there" if step else "nothing that points to a mode. Seen: 2 calls"
    suggest(store, trace, "", status="abstained", reason=words, step_n=step)
    settings.identity("ana")
    for hidden in (("traces",), ("show", trace), ("search", "ends"), ("show", trace, "--step", "2")):
        said = reviewer(*hidden, *([] if hidden[0] == "search" else ["--as", "ana"]), "--json")
        assert words not in said.out and '"step": 2,' not in said.out, hidden
    assert words in reviewer(look[0], trace, *look[1:], "--as", "ana").out
    given = json.loads(reviewer("annotate", trace, "other", "--as", "ana", "--json").out)
    assert given["condition"] == condition
    (row,) = json.loads(reviewer("traces", "--as", "ana", "--json").out)
    assert [one["step"] for one in row["suggestions"]] == ([2] if step else [])


def test_a_list_shows_an_annotator_only_what_was_shown_before(store: Store, reviewer: Run) -> None:
    trace = judged(store)
    settings.identity("ana")
    assert json.loads(reviewer("traces", "--json", "--as", "ana").out)[0]["suggestions"] == []
    reviewer("show", trace, "--suggestions", "--as", "ana")
    assert len(json.loads(reviewer("traces", "--json", "--as", "ana").out)[0]["suggestions"]) == 3


def test_the_panel_says_who_refutes_whom_and_whose_quotes_are_found(store: Store) -> None:
    found = tuple(store.suggestions.of(judged(store)))
    view = SimpleNamespace(blind=False, labels=(), condition="blind", withheld=False, suggestions=found)
    sheet = SimpleNamespace(view=view, taxonomy=SimpleNamespace(modes=()))
    said = [part.text for part in _suggestions(sheet)]  # type: ignore[arg-type]
    assert (
        "claude-judge m refutes claude: other" in said
        and "claude m suggests tool_misuse, confidence 0.70" in said
    )
    proofs = [part.text for part in _found(sheet)]  # type: ignore[arg-type]
    assert "rules: 1 of 1 quote found in the trace (v goes there)" in proofs
    assert "claude-judge: 1 of 2 quotes found in the trace (v goes there)" in proofs


def test_the_panel_names_the_step_and_a_judge_without_any_proof(store: Store) -> None:
    first = suggest(store, put(store, session(["so it is"], "so it is")), "tool_misuse", step_n=3)
    usage = {"judges": first.id, "finding": "refutes"}
    gone, there = Evidence(1, "nowhere", "", False), Evidence(1, "so", "", True)

    def said(*proof: Evidence) -> str:
        judge = replace(
            first, id="j", suggester="judge", mode="other", step_n=None, usage=usage, evidence=proof
        )
        return next(_suggestion(judge, [first, judge])).text

    assert next(_suggestion(first, [first])).text == "rules suggests tool_misuse, step 3"
    assert said(gone, gone) == "judge refutes rules: other (none of its quotes found)"
    assert said(gone, there) == said() == "judge refutes rules: other"


def test_what_speaks_for_another_mode_stands_behind_the_quotes_and_the_note_last(
    store: Store, reviewer: Run
) -> None:
    trace = put(store, session(["so it is"], "so it is"))
    why = str(Rationale("it was left so.", "an error came before; it was overcome", "by a rule"))
    suggest(store, trace, "other", rationale=why, evidence=(Evidence(1, "so it is", "", True),))
    lines = [line.strip() for line in reviewer("show", trace, "--suggestions").out.splitlines()]
    assert lines[-4:] == [
        "it was left so.",
        "★ step 1: “so it is”",
        "but: an error came before; it was overcome",
        "note: by a rule",
    ]
    view = SimpleNamespace(
        blind=False, labels=(), condition="", withheld=False, suggestions=store.suggestions.of(trace)
    )
    sheet = SimpleNamespace(view=view, taxonomy=SimpleNamespace(modes=()))
    parts = [*_suggestions(sheet), *_proofs(sheet), *_found(sheet)]  # type: ignore[arg-type]
    assert [part.text for part in parts][1:4] == lines[-4:-1] and parts[-1].text == "by a rule"


@pytest.mark.parametrize(
    "given", [("a", "b", "c"), ("a", "", "c"), ("a", "b", ""), ("a", "", ""), ("", "b", "")]
)
def test_a_rationale_is_read_as_it_was_written(given: tuple[str, str, str]) -> None:
    assert Rationale.of(str(Rationale(*given))) == given


def test_no_part_of_a_rationale_passes_for_another() -> None:
    forged = Rationale("a\n\nNote: it was checked\n \n\nBut: no", "b\n\nNote: c\r\n\r\nNote: d")
    assert Rationale.of(str(forged)).note == ""
    assert Rationale.of(str(forged)).but == "b Note: c Note: d"


def test_where_everything_failed_the_status_says_so(store: Store, reviewer: Run, tmp_path: Path) -> None:
    one = put(store, session(["so it is"], "so it is"))
    two = put(store, session(["so it was"], "so it was"))
    bad = {"status": "failed", "reason": "no connection"}
    for said, status in (({one: bad, two: bad}, 1), ({one: bad, two: "other"}, 0)):
        (tmp_path / "answers.json").write_text(json.dumps(said))
        ran = reviewer("suggest", "--with", "scripted", "--answers", tmp_path / "answers.json")
        assert (ran.status, "failed, the first of them: no connection" in ran.err) == (status, True)
    assert ran.out == "scripted: 1 failed, 1 suggested\n"


def test_suggestions_under_another_codebook_are_not_nothing(store: Store, reviewer: Run) -> None:
    assert "nothing has suggested anything under six-modes 1 yet: " in reviewer("suggesters").err
    judged(store)
    assert "claude m" in reviewer("suggesters").out
    said = reviewer("--taxonomy", "mast", "suggesters").err
    assert "nothing has suggested anything under mast " in said and "(3 suggestions under other codeb" in said
