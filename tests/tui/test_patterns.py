"""Searching with what a pattern is known for finds what a plain scan finds, whatever pattern and text."""

from __future__ import annotations

import re
import sys
import warnings

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from reviewer.tui.seeking import _APART, _Count
from reviewer.tui.widgets.patterns import caseless, needed, odd, tally
from reviewer.tui.widgets.sought import MOST, Sought

SIGNS = (
    *("a", "b", "s", "k", "i", "K", "S", "é", "ß", "1", " ", "-", "_", "{", "}", ",", "]", "✓", "\n", "#"),
    *(".", "^", "$", "|", "(", ")", "(?:", "(?=", "(?!", "(?<=", "(?i)", "(?s:", "(?m)", "(?x)", "(?-i:"),
    *("*", "+", "?", "*?", "++", "{2}", "{0,1}", "{,2}", "{}", "(?P<n>", "(?#"),
    *(
        r"\d",
        r"\w",
        r"\s",
        r"\S",
        r"\W",
        r"\b",
        r"\B",
        r"\A",
        r"\Z",
        r"\n",
        r"\a",
        r"\.",
        r"\-",
        r"\\",
        r"\[",
    ),
    *(r"\x61", r"\x41", r"\u212a", r"\101", r"\1", "\\", "[", "[^", "[]", "[a-s]", "[^a-k]", "[ -_]"),
    *(r"[\n-z]", r"[\a-z]", "[-a]", "[a-]", "[a-k-s]", r"[\w-]", r"[\-a]", "[!-~]", "[A-Z]", "[^]]"),
)
LETTERS = "abskiABSKI1_-. {}\nİıſK éÉßẞσςΣ✓\ud800\x00[]"
PATTERNS = st.lists(st.sampled_from(SIGNS), min_size=1, max_size=7).map("".join)
LINES = st.lists(st.text(LETTERS, max_size=9), max_size=6).map("\n".join)
TEXTS = st.lists(st.text(LETTERS, max_size=30) | LINES, min_size=1, max_size=4)


@pytest.mark.filterwarnings("ignore::FutureWarning")
@given(PATTERNS, TEXTS, st.booleans())
@example("[ -_]", ["abc"], True)
@example(r"[\a-z]", ["ABC"], True)
@example("a{0}b", ["b"], True)
@example("k", ["\u212a"], True)
@example("s+", ["ſ", "S"], True)
@example("i", ["İı"], True)
@example(r"(a)\1", ["aA"], True)
@example("a|", ["xa", ""], True)
@example("^b$", ["a", "B", "c\nb"], True)
@example(r"[\n-f]", ["g"], True)
@example("(?-i:a)", ["A"], True)
@example("a[^b]b", ["a\nb"], True)
@example(r"a\sb", ["xa\nb"], False)
@example(r"a\W+b", ["xa\nb"], False)
@example("^a", ["x\na"], False)
@example("a$", ["a\nx"], False)
@example("a(?!.)", ["a\nxa"], False)
@example("aab", ["aab" + "\nx" * 400 + "\naab"], False)
@example("(?<!.)a", ["xa\na"], False)
@example("a[\t-z]", ["a\nx"], False)
@example(r"\Ba", ["ba\na", "a"], False)
def test_a_search_finds_what_a_scan_finds(pattern: str, texts: list[str], ignore_case: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            plain = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
        except re.error:
            assume(False)
    # as `sought` tells: no capital but in an escape, or the case counts
    assume(not ignore_case or (low := re.sub(r"\\.", "", pattern)) == low.lower())
    expected = sum(match.end() > match.start() for text in texts for match in plain.finditer(text))
    hay = _APART.join(text.encode("utf-8", "surrogatepass") for text in texts)
    assert _Count(Sought(pattern, True, ignore_case)).hits(hay) == expected
    if expected:
        low_hay = hay.lower() if ignore_case else hay
        assert odd(hay) or needed(pattern).encode() in low_hay


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        (r"\w+error: .*foo", "error: "),
        ("colou?r", "colo"),
        ("ab+c", "ab"),
        ("(quay|pier) 77", " 77"),
        ("quay|pier", ""),
        (r"file\.py", "file.py"),
        (r"\x41bcdef", ""),
        ("(?x) a b c", ""),
        ("größe", "gr"),
        ("[abc]def{2}", "de"),
    ],
)
def test_the_letters_that_each_match_holds(pattern: str, letters: str) -> None:
    assert needed(pattern) == letters


@pytest.mark.parametrize("pattern", [r"qu[aeiou]y \d+", r"\berror: [a-z0-9_-]+$", r"^\s*(def|class)\s", "."])
def test_usual_patterns_are_run_over_small_letters(pattern: str) -> None:
    assert caseless(pattern)


def test_no_other_letter_is_an_ascii_one_but_for_the_case() -> None:
    every = re.compile("[a-z]", re.IGNORECASE)
    alike = [chr(code) for code in range(128, sys.maxunicode + 1) if every.match(chr(code))]
    assert alike
    assert all(odd(letter.encode("utf-8", "surrogatepass")) for letter in alike)


def test_a_long_text_is_counted_no_further_than_is_told() -> None:
    assert tally(re.compile("a"), "a" * 100_000, MOST) == MOST
    assert tally(re.compile("(a)|"), "aab", MOST) == 2
    assert tally(re.compile("a*"), "aab", MOST) == 1
