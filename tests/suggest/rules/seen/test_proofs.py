"""Which place of an answer and which words of a deal are quoted."""

from __future__ import annotations

from reviewer.trace import Outcome, Step
from tests.suggest.rules.expected import propose
from tests.traces import call, says, trace, user

RULE = Step(0, "system", "Before any change you must obtain explicit user confirmation (yes) to proceed.")
SCORED = Outcome(passed=True, score=1.0, detail={"info": {"r_actions": 1.0}})


def test_of_places_with_the_answer_the_sentence_with_the_words_of_the_question_is_shown() -> None:
    outcome = Outcome(passed=True, expected_state={"answer": "Ida Holm"})
    ask = user("Who carved the figurehead of the schooner?")
    pages = (
        call("search", {}, "Pages: [Ida Holm](/wiki/Ida_Holm)\n\nOther things stand here, too."),
        call("search", {}, "The schooner is of 1890. Its figurehead was carved by Ida Holm, a baker."),
        call("search", {}, "Many a person of the town bought bread, as is known, of Ida Holm."),
    )
    found = propose(trace(ask, *pages, says("FINAL ANSWER: Ida Holm")), outcome)
    assert found.evidence[0].step_n == 3 and "carved by Ida Holm" in found.evidence[0].quote
    listed = call("search", {}, "Figurehead, schooner | [Ida Holm](/wiki/Ida_Holm) | carved, 1890, in oak")
    found = propose(trace(ask, listed, *pages, says("FINAL ANSWER: Ida Holm")), outcome)
    assert found.evidence[0].step_n == 4, "a row of a table says less than a sentence"
    below = call("search", {}, "Whistle\n\n### Figurehead\n\nIda Holm\n\nVideo")
    found = propose(trace(ask, below, says("FINAL ANSWER: Ida Holm")), outcome)
    assert found.evidence[0].quote == "### Figurehead Ida Holm"
