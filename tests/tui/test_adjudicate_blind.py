"""To whoever labels in the round the adjudication screen is the same, whatever others said of what they have
not labelled: frame by frame, over two stores that differ in nothing else."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest

from tests.tui.desk import adjudicating
from tests.tui.studies import differing, traces

FIRST = ("tool_misuse", "other")
SAID = (("planning_drift", "other"), ("no_failure", "no_failure"), ("other", "safety_refusal"))
ELSE = (("other", "other"), ("tool_misuse", "task_broken"), ("planning_drift", "silent_success"))
KEYS = [
    *("tab", "l", "v", "L", "H", "number_sign", *"3", "enter", "full_stop", "escape", "R", "escape"),
    *("A", "d", *"jjjjjj", "right_square_bracket", "down", "right", "enter", "escape", "escape", "escape"),
    *("ctrl+f", *"because", "enter", "down", "enter", "tab", "escape", "question_mark", "escape", "o", "o"),
]


async def frames(
    path: Path, rest: tuple[tuple[str, str], ...], size: tuple[int, int], patch: pytest.MonkeyPatch
) -> list[str]:
    """What cem, who labelled the first trace, sees of a study in which others said this of the rest."""
    from reviewer.cli import run

    numbers, ids = count(), count()
    patch.setenv("REVIEWER_CONFIG_DIR", str(path.parent / f"config-{path.stem}"))
    patch.setattr("reviewer.settings.os.urandom", lambda size: next(numbers).to_bytes(size))
    patch.setattr("reviewer.cli.context.new_id", lambda: f"id-{next(ids)}")  # by which labels are shuffled
    differing(path, (FIRST, *rest))
    assert run(["--store", str(path), "annotate", traces(path)[0], "other", "--as", "cem"]) == 0
    seen = []
    async with adjudicating(path, name="cem", size=size) as sat:
        seen.append(sat.text())
        for key in KEYS:
            await sat.press(key)
            seen.append(sat.text())
    return seen


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
async def test_no_frame_tells_what_others_said_of_the_rest(
    tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await frames(tmp_path / "one.db", SAID, size, monkeypatch)
    two = await frames(tmp_path / "two.db", ELSE, size, monkeypatch)
    differing_at = [key for key, a, b in zip(("", *KEYS), one, two, strict=True) if a != b]
    assert differing_at == []
    assert "tool_misuse" in one[0] + one[-1]  # of the first trace both are told
