"""Rows of text beyond ASCII: the quick way breaks them where the exact one does."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from reviewer.text import shown
from reviewer.tui.widgets import layout
from reviewer.tui.widgets.layout import is_plain, next_row

LETTERS = "ab é✓→│ж€ \u0301\ufe0f\u200d世👍\t\x1b[31m\x00"


def test_what_is_taken_for_narrow_is_one_cell_and_shown_as_it_is() -> None:
    every = [chr(code) for code in range(128, sys.maxunicode + 1) if is_plain(chr(code))]
    assert len(every) > 2_000
    assert all(cell_len(letter) == 1 and shown(letter) == letter for letter in every)


@given(
    st.lists(st.sampled_from(["a", " ", "é", "✓", "→", "│", "ж", *LETTERS])).map("".join), st.integers(2, 12)
)
def test_a_row_ends_where_measuring_ends_it(text: str, width: int) -> None:
    quick = next_row(text, 0, len(text), width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layout, "is_plain", lambda _: False)
        assert next_row(text, 0, len(text), width) == quick
