"""What is quoted to show that it is done: places of an answer, a file, what had to be told, thanks."""

from __future__ import annotations

from reviewer.suggest.rules.seen.proofs import told
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Json, Outcome
from tests.suggest.rules.expected import propose, shows
from tests.traces import bash, call, says, trace, user

CANCEL = call("cancel_order", {"order_id": "#W1234", "reason": "late"}, '{"id": 7, "status": "cancelled"}')
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


def test_of_all_words_of_the_user_those_of_the_thing_itself_are_shown() -> None:
    works = user("I did that, and my internet is excellent. Anything else?")
    end = (says("Glad to hear it."), user("Thank you, have a good day."))
    found = propose(trace(user("It is slow"), CANCEL, works, *end), SCORED)
    assert (found.evidence[-1].step_n, found.evidence[-1].shows) == (3, "the user accepted")
    assert found.evidence[-1].quote == "I did that, and my internet is excellent."
    open_end = user("Try it, and let me know if everything is working.")
    found = propose(trace(user("It is slow"), CANCEL, open_end, *end), SCORED)
    assert found.evidence[-1].quote == "Thank you, have a good day.", "what may come is not there"
    sour = (says("Glad to hear it."), user("Thanks, but it is slow again."))
    assert "accepted" not in propose(trace(user("It is slow"), CANCEL, works, *sour), SCORED).rationale


def test_a_file_that_the_task_names_is_looked_at_once_it_is_there() -> None:
    bare = Outcome(passed=True, score=1.0)
    asked = user("Mend the settings so that the run leaves tide.dat behind.")
    before, mend = bash("ls", "tide.cfg"), bash("sed -i s/cell/cells/ tide.cfg")
    found = propose(trace(asked, before, mend, bash("ls -l", "-rw-r--r-- 1 ann 3202 tide.dat")), bare)
    assert shows(found) == [(4, "there at the end")] and found.evidence[0].quote.endswith("tide.dat")
    old = trace(asked, bash("ls", "tide.cfg tide.dat"), mend, bash("ls", "tide.cfg tide.dat"))
    assert propose(old, bare).status == "abstained", "it had been there before"
    told = "I mended the settings, so that tide.dat comes."
    end = call("finish", {"message": told}, told)
    assert propose(trace(asked, before, mend, end), bare).status == "abstained", "only its own words"
