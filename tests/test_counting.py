"""A number and its noun agree, and so does the verb; no message counts with a noun that cannot follow."""

import re

import pytest

from reviewer.counting import count
from tests.conftest import ROOT


@pytest.mark.parametrize(
    ("number", "what", "told"),
    [
        (0, "call", "0 calls"),
        (1, "call", "1 call"),
        (2_000, "call", "2,000 calls"),
        (1, "batch", "1 batch"),
        (2, "batch", "2 batches"),
        (2, "more entry", "2 more entries"),
        (2, "day", "2 days"),
    ],
)
def test_the_noun_follows_the_number(number: int, what: str, told: str) -> None:
    assert count(number, what) == told


def test_the_verb_follows_too() -> None:
    told = [count(n, "label", "is", "are") for n in (0, 1, 2)]
    assert told == ["0 labels are", "1 label is", "2 labels are"]


def test_no_message_leaves_the_number_open() -> None:
    """Neither `trace(s)` nor a plural made by hand beside a number."""
    by_hand = re.compile(r"\{[^{}]+\} [a-z]+\(e?s\)|'s' \* |\"s\" \* |'' if [^{}]+ == 1 else 'e?s'")
    found = [
        f"{file.relative_to(ROOT)}: {line.strip()}"
        for file in sorted((ROOT / "reviewer").rglob("*.py"))
        if "rules" not in file.parts
        for line in file.read_text("utf-8").splitlines()
        if by_hand.search(line)
    ]
    assert found == []
