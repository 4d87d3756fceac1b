"""Words of the summary page: counts with their noun, spans of time, sums of money, long lines cut short.

Pure; knows no fact and no part.
"""

from __future__ import annotations

from collections.abc import Sequence

ROWS = 12
_WIDE = 300


def one_line(text: str) -> str:
    """White space as single blanks; what is longer than a few rows ends in an ellipsis and its length."""
    line = " ".join(text[: 4 * _WIDE].split())
    indent = text[: len(text) - len(text.lstrip(" "))]
    if len(line) <= _WIDE and len(text) <= 4 * _WIDE:
        return indent + line
    return f"{indent}{line[:_WIDE]} … ({len(text):,} characters)"


def some(steps: Sequence[int]) -> str:
    """The first steps of many."""
    shown = ", ".join(str(step) for step in steps[:8])
    return shown if len(steps) <= 8 else f"{shown} and {len(steps) - 8} more"


def steps_of(steps: Sequence[int]) -> str:
    """`step 4`, `steps 4, 7`."""
    return f"{'step' if len(steps) == 1 else 'steps'} {some(steps)}"


def money(cost: float) -> str:
    """Dollars to the hundredth of a cent; nothing is `$0`, and a little is not called nothing."""
    if 0 < cost < 0.00005:
        return "less than $0.0001"
    return f"${cost:.4f}" if cost else "$0"


def span(seconds: float) -> str:
    """A length of time for reading: `95 s`, `12 min`, `3.5 h`, `2.1 days`."""
    if seconds < 120:
        return f"{seconds:,.0f} s"
    if seconds < 7_200:
        return f"{seconds / 60:,.0f} min ({seconds:,.0f} s)"
    if seconds < 172_800:
        return f"{seconds / 3_600:,.1f} h ({seconds:,.0f} s)"
    return f"{seconds / 86_400:,.1f} days ({seconds:,.0f} s)"
