"""Pictures of the screens. A change shows as a difference; UPDATE_SNAPSHOTS=1 draws them anew."""

import os
import re
from pathlib import Path

import pytest

from tests.conftest import SAMPLES
from tests.tui.desk import Sitting, fill, sitting

SNAPSHOTS = Path(__file__).with_name("snapshots")
SIZES = [(80, 24), (120, 40), (200, 50)]


def drawn(sat: Sitting) -> str:
    """The screen as SVG, without the random names and the font that would be fetched from elsewhere."""
    svg = sat.app.export_screenshot(title="reviewer")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    return re.sub(r"[ \t]+\n", "\n", svg)


def compare(name: str, svg: str) -> None:
    file = SNAPSHOTS / f"{name}.svg"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        file.write_text(svg, "utf-8")
    assert file.exists(), "run once with UPDATE_SNAPSHOTS=1 and look at the picture"
    assert svg == file.read_text("utf-8"), f"{name} looks different; UPDATE_SNAPSHOTS=1 accepts it"


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_review(tmp_path: Path, size: tuple[int, int]) -> None:
    fill(tmp_path / "s.db", SAMPLES / "mini_swe_agent")
    async with sitting(tmp_path / "s.db", size=size) as sat:
        await sat.press("L")
        compare(f"summary-{size[0]}x{size[1]}", drawn(sat))
        await sat.press("5", "v")
        compare(f"review-{size[0]}x{size[1]}", drawn(sat))


async def test_light_theme(tmp_path: Path) -> None:
    fill(tmp_path / "s.db", SAMPLES / "mini_swe_agent")
    async with sitting(tmp_path / "s.db", size=(120, 40)) as sat:
        sat.app.theme = "textual-light"
        await sat.press("L", "e")
        compare("review-light-120x40", drawn(sat))
