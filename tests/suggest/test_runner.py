"""The runner: one suggestion a trace, quotes verified, our errors stored as reasons, nothing asked twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from reviewer import taxonomy
from reviewer.errors import InputError, StoreError
from reviewer.label import Evidence, Suggestion
from reviewer.suggest import SUGGESTERS, suggester
from reviewer.suggest.base import Closing, Proposal, Suggester
from reviewer.suggest.evidence import verify
from reviewer.suggest.runner import request_hash, run
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Step, Trace
from tests.conftest import SAMPLES, Ran
from tests.traces import FAILED, PASSED, bash, says, trace

KITCHEN = taxonomy.parse('id = "k"\nversion = "1"\n[[mode]]\nid = "burnt"\n[[mode]]\nid = "raw"\n')
SAMPLE = trace(
    says("I look  at\nthe   pan."), bash("cat pan.txt", "It is black."), id="t1-pan", task_id="fry"
)


def scripted(answers: Mapping[str, Any]) -> Suggester:
    return suggester("scripted", {"answers": answers})


def collect(
    who: Suggester, *traces: Trace, outcomes: Sequence[Outcome] = ()
) -> tuple[list[Suggestion], Counter[str]]:
    saved: list[Suggestion] = []
    ids = iter(range(99))
    counts = run(
        [(one, outcomes) for one in traces],
        who,
        KITCHEN,
        saved.append,
        now=lambda: "now",
        new_id=lambda: f"s{next(ids)}",
    )
    return saved, counts


ANSWER = {
    "mode": "burnt",
    "runner_up": "raw",
    "rationale": "The pan is black.",
    "confidence": 0.9,
    "step": 2,
    "evidence": [{"step": 2, "quote": "It is black."}, {"step": 1, "quote": "It is black."}],
}


def test_a_suggestion_carries_all_that_it_rests_on() -> None:
    (found,), counts = collect(scripted({"fry": ANSWER}), SAMPLE)
    assert counts == {"ok": 1}
    assert (found.id, found.at, found.trace_id, found.content_hash) == (
        "s0",
        "now",
        "t1-pan",
        "hash of t1-pan",
    )
    assert (found.mode, found.runner_up, found.confidence) == ("burnt", "raw", 0.9)
    assert (found.step_n, found.step_source) == (2, "#2")
    assert [item.verified for item in found.evidence] == [True, False]
    assert found.taxonomy_hash == KITCHEN.hash and found.suggester == "scripted"
    assert found.settings["version"] == "1" and found.settings["outcome"] == "withheld"
    assert found.request == request_hash(SAMPLE, (), scripted({"fry": ANSWER}), KITCHEN)


def test_a_script_tells_the_parts_of_a_rationale_apart_or_together() -> None:
    stored = "The pan is black.\n\nBut: white at 1\n\nNote: by hand"
    answers = {
        "t1-a": {**ANSWER, "objection": "white at 1\n\nNote: by hand"},
        "t1-b": {**ANSWER, "rationale": stored},
        "t1-c": {**ANSWER, "objection": ["white"]},
    }
    traces = [trace(says("It is black."), id=id) for id in answers]
    apart, together, wrong = collect(scripted(answers), *traces)[0]
    assert apart.why == ("The pan is black.", "white at 1 Note: by hand", "")
    assert together.rationale == stored and together.why.but == "white at 1"
    assert wrong.status == "malformed" and "objection" in wrong.reason


class Failing:
    """A suggester whose surroundings fail."""

    name, version = "failing", "1"
    settings: Mapping[str, Json] = {}

    def __init__(self, error: Exception) -> None:
        self.error = error

    def suggest(self, trace: Trace, outcomes: Sequence[Outcome], taxonomy: Taxonomy) -> Proposal:
        raise self.error


class FailingOurs(Failing):
    __module__ = "reviewer.suggest.rules"


def test_an_error_of_ours_costs_one_trace_and_a_bug_of_ours_stays_a_bug() -> None:
    saved, counts = collect(Failing(StoreError("no key")), SAMPLE, SAMPLE)
    assert counts == {"failed": 2}
    assert [(one.status, one.reason, one.mode) for one in saved] == [("failed", "no key", "")] * 2
    with pytest.raises(ZeroDivisionError):
        collect(FailingOurs(ZeroDivisionError()), SAMPLE)
    (other,), _ = collect(Failing(ZeroDivisionError("no pan")), SAMPLE)
    assert other.reason == "the suggester broke down: ZeroDivisionError: no pan"


@pytest.mark.parametrize(
    "answer",
    [
        {"mode": "fried"},
        {"mode": "burnt", "runner_up": "fried"},
        {"mode": "burnt", "confidence": 2},
        {"mode": "burnt", "confidence": float("nan")},
        {"mode": "burnt", "confidence": True},
        {"mode": "burnt", "step": "2"},
        {"mode": "burnt", "evidence": [{"step": 1}]},
        {"mode": ["burnt"]},
        {"status": "great"},
        {},
        7,
        None,
    ],
    ids=str,
)
def test_an_answer_that_is_none_is_malformed_and_names_no_mode(answer: Any) -> None:
    (found,), _ = collect(scripted({"*": answer}), SAMPLE)
    assert (found.status, found.mode) == ("malformed", "")
    assert found.reason


def test_a_script_may_abstain_answer_shortly_or_not_know_the_trace() -> None:
    quiet = {"status": "refused", "reason": "will not"}
    for answers, status, mode in (
        ({"t1-pan": "raw", "fry": "burnt"}, "ok", "raw"),
        ({"fry": "burnt", "*": "raw"}, "ok", "burnt"),
        ({"*": quiet}, "refused", ""),
        ({"other": "raw"}, "abstained", ""),
    ):
        (found,), _ = collect(scripted(answers), SAMPLE)
        assert (found.status, found.mode) == (status, mode)


def test_scripts_are_read_from_files(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"fry": "raw"}))
    (found,), _ = collect(suggester("scripted", {"answers": str(file)}), SAMPLE)
    assert found.mode == "raw"
    for content in (b"[1]", b"{", b"\xff", b"[" * 100_000):
        file.write_bytes(content)
        with pytest.raises(InputError, match="answers"):
            suggester("scripted", {"answers": file})
    with pytest.raises(InputError, match="cannot be read"):
        suggester("scripted", {"answers": tmp_path / "none.json"})


def test_nothing_is_asked_twice() -> None:
    who = scripted({"*": "raw"})
    asked = request_hash(SAMPLE, (), who, KITCHEN)
    saved: list[Suggestion] = []
    counts = run(
        [(SAMPLE, ())],
        who,
        KITCHEN,
        saved.append,
        now=str,
        new_id=str,
        known=lambda request: request == asked,
    )
    assert counts == {"known": 1} and not saved


def test_the_request_is_hashed_over_all_that_the_answer_depends_on() -> None:
    rules, raw, burnt = suggester("rules"), scripted({"*": "raw"}), scripted({"*": "burnt"})
    other = taxonomy.parse(KITCHEN.toml + 'definition = "cold"\n')
    hashes = {
        request_hash(SAMPLE, (), raw, KITCHEN),
        request_hash(SAMPLE, (), burnt, KITCHEN),
        request_hash(SAMPLE, (), raw, other),
        request_hash(trace(id="t1-x"), (), raw, KITCHEN),
        request_hash(SAMPLE, (), rules, KITCHEN),
        request_hash(SAMPLE, PASSED, rules, KITCHEN),
        request_hash(SAMPLE, FAILED, rules, KITCHEN),
    }
    assert len(hashes) == 7
    assert request_hash(SAMPLE, PASSED, raw, KITCHEN) == request_hash(SAMPLE, (), raw, KITCHEN), (
        "it is withheld"
    )


def test_every_listed_suggester_can_be_made_and_answers() -> None:
    nobody = "http://127.0.0.1:9"  # `claude` has tests of its own that answer it
    options = {"claude": {"base_url": nobody, "consent": nobody, "tries": 1}}
    for name in SUGGESTERS:
        who = suggester(name, options.get(name, {"answers": {}}))
        assert who.name == name and who.version
        assert who.settings["outcome"] in ("used", "withheld")
        (found,), _ = collect(who, SAMPLE)
        assert found.status != "ok" or KITCHEN.has(found.mode)
        if isinstance(who, Closing):
            who.close()
    with pytest.raises(InputError, match="rules"):
        suggester("oracle")


@pytest.mark.parametrize(
    ("step", "quote", "verified"),
    [
        (1, "look at the pan.", True),
        (1, "look  at\nthe   pan.", True),
        (1, "look at a pan.", False),
        (1, "LOOK", False),
        (2, "cat pan.txt", True),
        (2, "black", True),
        (1, "", False),
        (1, " \n", False),
        (3, "look", False),
        (-1, "look", False),
        (0, "the task", True),
        (0, "look", False),
    ],
)
def test_a_quote_is_verified_when_its_words_stand_in_the_step(step: int, quote: str, verified: bool) -> None:
    sample = trace(*SAMPLE.steps, task="This is the task.")
    (found,) = verify(sample, [Evidence(step, quote)])
    assert found.verified is verified
    assert (found.step_n, found.quote) == (step, quote), "what is not found is kept as it came"
    assert found.step_source == (f"#{step}" if step in (1, 2) else "")


def test_a_quote_from_arguments_is_found_as_text_and_as_json() -> None:
    step = bash("echo 'a\nb'")
    assert all(
        item.verified for item in verify(trace(step), [Evidence(1, "echo 'a b'"), Evidence(1, '{"command":')])
    )


def test_the_stable_id_of_a_step_goes_along() -> None:
    sample = trace(Step(0, "agent", "hello", source_ids=("u-7", "u-8")))
    (found,) = verify(sample, [Evidence(1, "hello", verified=False)])
    assert (found.step_source, found.verified) == ("u-7", True)


def test_new_answers_are_a_new_question_also_after_no_answer(
    reviewer: Callable[..., Ran], tmp_path: Path
) -> None:
    assert reviewer("import", SAMPLES / "plain" / "front-desk.json").status == 0
    file = tmp_path / "answers.json"
    script = ("suggest", "--with", "scripted", "--answers", file)
    file.write_text("{}")
    assert "3 abstained" in reviewer(*script).out and "nothing to do" in reviewer(*script).out
    file.write_text('{"*": "other"}')
    assert "2 suggested" in reviewer(*script, "--limit", 2).out and "1 suggested" in reviewer(*script).out
    assert "nothing to do" in reviewer(*script).out
    file.write_text("{}")  # the first question again: it was answered
    assert "nothing to do" in reviewer(*script).out
