"""What had to be told, in the words in which the agent tells it."""

from __future__ import annotations

from reviewer.suggest.rules.seen.required import told
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Json, Outcome
from tests.traces import says, trace, user


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
