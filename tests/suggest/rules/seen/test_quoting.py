"""Of a step the words that decide, with whole ones round them: never cut before, and short enough to read."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.quoting import (
    BRIEF,
    LEAST,
    WIDTH,
    around,
    call_made,
    called,
    clause,
    head,
    sentence,
    tail,
)
from tests.traces import bash, call

LONG = " ".join(f"word{n}" for n in range(300))


def test_the_words_are_kept_with_whole_ones_round_them() -> None:
    text = "First a sentence. " + "word " * 80 + "the deciding value stands here, " + "more " * 80
    at = text.index("deciding")
    quote = around(text, at, at + 8)
    assert "deciding value" in quote and len(quote) <= WIDTH and f" {quote} " in text
    assert len(quote) > WIDTH - 10, "as much as there is room for"
    assert around(LONG, len(LONG) - 7, len(LONG)).endswith("word299") and around("", 0, 1) == ""
    assert around("abc", -5, 99) == "abc"


def test_words_longer_than_a_quote_keep_their_end_where_the_value_stands() -> None:
    assert around("x" * 500, 0, 500) == "x" * WIDTH
    assert around(f"{LONG} = 7 seconds", 0, len(LONG) + 4).endswith("word299 = 7")
    assert around(f"{LONG} addresses", 0, len(LONG) + 5).endswith("word299 addresses"), "no word is cut"


@pytest.mark.parametrize(
    "before", ["It was late. ", '{"a": ["b", "c"], "d": 5, '], ids=["sentence", "member"]
)
def test_a_quote_begins_with_the_sentence_or_the_member_of_an_object(before: str) -> None:
    text = f'{LONG}. {before}"status": "done" {LONG}'
    at = text.index('"status"')
    assert around(text, at, at + 8).startswith('"status": "done" word0')


def test_a_quote_keeps_to_its_line_unless_that_says_nothing() -> None:
    assert (
        around("above\nthis line says what it is about\nbelow", 11, 15) == "this line says what it is about"
    )
    short = f"{LONG}\n6\n{LONG}"
    at = short.index("\n6\n") + 1
    assert around(short, at, at + 1) == "word297 word298 word299 6 word0 word1 word2 word3", (
        "and whole words only"
    )


def test_a_sentence_is_cut_at_its_ends_and_a_long_one_at_blanks() -> None:
    text = "Hello. I want the red one, at 4.50 each! Thanks.\nBye"
    assert sentence(text, text.index("red")) == "I want the red one, at 4.50 each!"
    assert sentence(text, 0) == "Hello." and sentence(text, len(text) - 1) == "Bye"
    at = LONG.index("word150")
    quote = sentence(LONG, at)
    assert "word150" in quote and len(quote) <= WIDTH and f" {quote} " in f" {LONG} "


def test_a_sentence_that_says_little_goes_on_with_the_next() -> None:
    two = "I see. Yes, do. It is late, and the shop is closed by now. So be it."
    assert sentence(two, 7) == "Yes, do."
    assert sentence(two, 7, least=LEAST) == "Yes, do. It is late, and the shop is closed by now."
    assert sentence("Please cancel the order #W1 for me today. Now.", 7, least=LEAST).endswith("today.")


def test_a_beginning_and_an_end_are_whole_words() -> None:
    assert head(" \n a  b\nc") == "a b c" and head("x" * 999) == "x" * WIDTH
    assert f"{head(LONG, BRIEF)} " in LONG and len(head(LONG, BRIEF)) <= BRIEF
    text = "Filler words go here. " * 20 + "All steps were taken, and nothing helped the user at all."
    assert tail(text).endswith("nothing helped the user at all.") and len(tail(text)) <= WIDTH
    assert tail(text).startswith("Filler") and tail(" short ") == "short"
    assert f" {tail(LONG)}" in LONG and tail("y" * 500) == "y" * WIDTH


def test_a_call_is_its_command_else_its_arguments() -> None:
    step = bash("python -m pytest -q tests/test_rows.py", "1 failed", 1)
    assert called(step) == "python -m pytest -q tests/test_rows.py"
    assert called(bash("git add .")) == '{"command":"git add ."}', "a short one is no more than its name"
    cancel = call("cancel_order", {"order_id": "#W1", "reason": "late"}, '{"a": 1, "status": "cancelled"}')
    assert called(cancel) == '{"order_id":"#W1","reason":"late"}'
    assert call_made(cancel, "#W1", "cancel_order") == (called(cancel), '{"a": 1, "status": "cancelled"}')
    assert called(call("restart", {}, "ok")) == "restart"
    assert call_made(cancel, "#W2", "modify_order") == ("", "")


def test_of_a_long_call_the_part_that_names_the_thing_is_shown() -> None:
    edit = bash(f"cat > /w/note.txt <<EOF\n{LONG}\nEOF\ncp /w/note.txt /w/copy.txt", "")
    given, answered = call_made(edit, "/w/copy.txt", "bash")
    assert given == "cp /w/note.txt /w/copy.txt" and answered == ""
    script = bash("python - <<X\nopen('a')\nX", "done")
    assert call_made(script, "", "python")[0] == "python - <<X open('a') X", "a program in the call"


def test_a_value_of_json_is_never_cut_in_two() -> None:
    compact = '{"seats":[{"from":"ATL","price":105.5},{"from":"LGA","price":1020}],"pays":"card_77,8"}'
    for width in range(30, len(compact)):
        quote = head(compact, width)
        rest = compact[len(quote) :]
        assert compact.startswith(quote) and rest[0] in ",}]", quote
    spaced = compact.replace(":", ": ").replace(",", ", ")
    for width in range(30, len(spaced)):
        quote = head(spaced, width)
        assert spaced[len(quote)] in ",}]", quote
    assert head("9" * 30 + "x" * 60 + "12345678", 95).endswith("x"), "a number at the end of one long word"


def test_a_clause_begins_where_its_part_of_the_sentence_does_and_ends_on_no_loose_word() -> None:
    text = "Thanks for that, and second, I need to move the bed from my old room to the new one. Bye."
    at = text.index("move")
    assert clause(text, at, at + 8) == "I need to move the bed from my old room to the new one."
    assert clause(text, at, at + 12, 30) == "I need to move the bed"
    assert clause("Hello—can you move it?", 6, 9) == "can you move it?"
    assert clause("word " * 50, 100, 104, 20) == "word word word word"
