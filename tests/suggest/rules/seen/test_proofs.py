"""Which place of an answer, and which words of what had to be told, are quoted."""

from __future__ import annotations

from reviewer.suggest.rules.seen.proofs import told
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Json, Outcome
from tests.suggest.rules.expected import propose
from tests.traces import call, says, trace, user


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


def what(facts: tuple[str, ...], *words: str) -> tuple[str, tuple[int, str, str]] | None:
    detail: Json = {"r_outputs": 1, "outputs": dict.fromkeys(facts, True)}
    run = trace(user("What did I pay?"), *map(says, words))
    return told(Scene.of(run, [Outcome(passed=True, detail=detail)]))


def test_a_fact_is_told_as_prose_writes_it_with_the_number_of_others() -> None:
    found = what(("1126.1", "oak"), "You paid $1,126.10 for it.", "Anything else?")
    assert found == ("“$1,126.10” and 1 more", (2, "You paid $1,126.10 for it.", "told, as required"))
    assert what(("9.5",), "It was $9.55 or $19.5.") is None, "a part of a number is no fact"
    named = what(("746342064230",), "The tracking number is 746342064230.")
    assert named is not None and named[0] == "", "a long number says nothing alone"
