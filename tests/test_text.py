"""`reviewer.text`: nothing that a terminal acts on or hides passes, and offsets stay."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.text import cells, safe, safe_line, shown

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
JOINERS = "\u200c\u200d\ufe0e\ufe0f"
# Signs of Arabic, Syriac and Kaithi that Unicode calls format controls, but which are drawn.
VISIBLE_FORMATS = "".join(
    map(chr, [*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD])
)


def is_inert(character: str) -> bool:
    """Neither control nor format nor surrogate; joiners are judged apart."""
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or character in "\t\n"


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0)])
def test_every_control_becomes_one_visible_sign(code: int) -> None:
    result = shown(f"a{chr(code)}b")
    assert len(result) == 3
    if chr(code) in "\t\n":
        assert result[1] == chr(code)
    else:
        assert unicodedata.category(result[1]) == "So", "a symbol"


@pytest.mark.parametrize(
    "code",
    [
        *(0xAD, 0x061C, 0x115F, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x202E, 0x2060, 0x2064),
        *(0x2066, 0x2069, 0x3164, 0xFE01, 0xFEFF, 0xFFF9, 0xFFFB, 0xE0001, 0xE0041, 0xE007F, 0xE0100),
    ],
)
def test_bidi_and_invisible_characters_are_seen(code: int) -> None:
    result = shown(f"a{chr(code)}b")
    assert len(result) == 3
    assert result[1] in "⇄◌␤"


def test_no_format_control_of_unicode_passes() -> None:
    text = shown("".join(f"a{chr(code)}" for code in range(0x110000)))
    assert len(text) == 2 * 0x110000
    left = {character for character in text if not is_inert(character)}
    assert left == set(VISIBLE_FORMATS)


@given(ANY_TEXT)
def test_one_code_point_to_one_inert_code_point(text: str) -> None:
    result = shown(text)
    assert len(result) == len(text)
    assert all(is_inert(after) or after in JOINERS + VISIBLE_FORMATS for after in result)


@given(ANY_TEXT)
def test_safe_of_safe_is_safe(text: str) -> None:
    assert safe(safe(text)) == safe(text)
    safe(text).encode("utf-8")


def test_a_carriage_return_is_a_line_end_only_before_lf() -> None:
    assert safe("one\r\ntwo\rthree\x08") == "one\ntwo␍three␈"
    assert shown("one\r\n") == "one␍\n"


@pytest.mark.parametrize(
    "text",
    ["👩‍💻", "❤️", "1️⃣", "👨‍👩‍👧‍👦", "نمی‌خواهم", "क्‍ष", "↩︎", "🏳️‍🌈"],
)
def test_joiners_stay_where_emoji_and_scripts_need_them(text: str) -> None:
    assert safe(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ad\u200dmin", "ad◌min"),
        ("ad\u200cmin", "ad◌min"),
        ("a\ufe0f", "a◌"),
        ("1\ufe0f", "1◌"),
        ("\u200d", "◌"),
        ("👩\u200d", "👩◌"),
        ("👩\u200c👩", "👩◌👩"),
        ("ن\u200cx", "ن◌x"),
    ],
)
def test_joiners_elsewhere_are_seen(text: str, expected: str) -> None:
    assert safe(text) == expected


def test_lone_surrogates_can_be_written() -> None:
    assert safe("a\ud800b") == "a\ufffdb"


@given(ANY_TEXT, st.integers(0, 12))
def test_one_line_fits_its_width(text: str, width: int) -> None:
    line = safe_line(text, width)
    assert "\n" not in line and "\t" not in line
    assert cells(line) <= width


def test_a_wide_character_is_never_cut() -> None:
    assert safe_line("你好你好", 6) == "你好…"
    assert safe_line("你好你", 6) == "你好你"
    assert safe_line("a\r\nb\tc") == "a␤b c"


def test_ten_megabytes_are_quick() -> None:
    """Generous against a busy machine; a Python loop over the characters takes seconds."""
    for text in ("x" * 10_000_000, ("y" * 79 + "\n") * 125_000):
        start = time.process_time()
        assert safe(text) == text
        assert time.process_time() - start < 0.3
    start = time.process_time()
    safe_line("z" * 10_000_000, 80)
    assert time.process_time() - start < 0.05
