"""`reviewer.ansi`: colours become values, every other escape stays visible, nothing hides."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.ansi import PLAIN, Ink, Span, after_sgr, ansi_runs, ansi_spans, ink_at, rgb, without_codes


def test_colours_are_taken_out_and_words_stay_whole() -> None:
    text, spans = ansi_spans("\x1b[31m-old\x1b[m\n\x1b[1;32m+n\x1b[0;32mew\x1b[m x")
    assert text == "-old\n+new x"
    assert spans == (
        Span(0, 4, Ink(fg=1)),
        Span(5, 7, Ink(fg=2, bold=True)),
        Span(7, 9, Ink(fg=2)),
    )


@pytest.mark.parametrize(
    ("parameters", "ink"),
    [
        ("", PLAIN),
        ("0", PLAIN),
        ("1;3;4;9", Ink(bold=True, italic=True, underline=True, strike=True)),
        ("91", Ink(fg=9)),
        ("103", Ink(bg=11)),
        ("38;5;200", Ink(fg=200)),
        ("48;5;17;1", Ink(bg=17, bold=True)),
        ("38;2;1;2;3", Ink(fg=(1, 2, 3))),
        ("38:2::1:2:3", Ink(fg=(1, 2, 3))),
        ("38:2:1:2:3", Ink(fg=(1, 2, 3))),
        ("48:5:7", Ink(bg=7)),
        ("4:3", Ink(underline=True)),
        ("4:0", PLAIN),
        ("38;5;300", PLAIN),
        ("38;2;999;0;0", PLAIN),
        ("38;5", PLAIN),
        ("38", PLAIN),
        ("38:", PLAIN),
        (":", PLAIN),
        ("5;8", PLAIN),
        ("99999999999999999999", PLAIN),
    ],
)
def test_parameters(parameters: str, ink: Ink) -> None:
    assert after_sgr(PLAIN, parameters) == ink


def test_what_is_switched_on_is_switched_off() -> None:
    on = after_sgr(PLAIN, "1;2;3;4;7;9;31;41")
    assert after_sgr(on, "22;23;24;27;29;39;49") == PLAIN


@pytest.mark.parametrize(
    "hidden", ["\x1b[8mtext", "\x1b[30;40mtext", "\x1b[38;5;16;48;2;0;0;0mtext", "\x1b[37;47;7mtext"]
)
def test_hidden_text_is_not_hidden(hidden: str) -> None:
    text, spans = ansi_spans(hidden)
    assert text == "text"
    for span in spans:
        assert span.ink.fg is None or span.ink.bg is None or rgb(span.ink.fg) != rgb(span.ink.bg)


@pytest.mark.parametrize(
    "escape",
    [
        "\x1b]52;c;aGk=\x07",
        "\x1b[2J",
        "\x1b[6n",
        "\x1b[c",
        "\x1bP$qm\x1b\\",
        "\x9b31m",
        "\x1b[31",
        "\x1b[?1m",
    ],
)
def test_other_escapes_stay_as_visible_text(escape: str) -> None:
    text, spans = ansi_spans(f"a{escape}b")
    assert spans == ()
    assert len(text) == len(escape) + 2
    assert "\x1b" not in text and "\x9b" not in text


@given(st.text(st.sampled_from("\x1b[]31m0;:ab\r\n你"), max_size=60))
def test_runs_and_codes_make_up_the_text(text: str) -> None:
    runs = list(ansi_runs(text))
    for earlier, later in pairwise(runs):
        assert earlier.end < later.start
        assert text[earlier.end] == "\x1b" and text[later.start - 1] == "m"
    visible, spans = ansi_spans(text)
    assert "\x1b" not in visible
    assert all(0 <= span.start < span.end <= len(visible) for span in spans)


def test_ink_at_is_the_ink_of_the_run_there() -> None:
    text = "\x1b[31mone\x1b[1mtwo"
    assert ink_at(text, 0, len(text)) == Ink(fg=1, bold=True)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\x1b[32m\x1b[1m39 passed\x1b[0m\x1b[38;2;1;2;3m in\x1b[m 0.63s", "39 passed in 0.63s"),
        ("\x1b[2K\x1b[1Gdone\x1b[?25h", "done"),
        ("a [32m that is text", "a [32m that is text"),
        ("\x1b]0;a title\x07stays, visible", "\x1b]0;a title\x07stays, visible"),
        ("cut off \x1b[3", "cut off \x1b[3"),
    ],
)
def test_codes_are_left_out_of_a_few_words(text: str, left: str) -> None:
    assert without_codes(text) == left


def test_a_hundred_thousand_codes_take_bounded_time() -> None:
    start = time.process_time()
    ansi_spans("\x1b[31mx" * 100_000)
    assert time.process_time() - start < 3
