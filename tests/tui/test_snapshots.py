"""Pictures of the screens. A change shows as a difference; UPDATE_SNAPSHOTS=1 draws them anew."""

import json
import os
import re
import sqlite3
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from reviewer.cli import run
from reviewer.store import Store
from tests.conftest import SAMPLES
from tests.tui.desk import Sitting, adjudicating, fill, sitting

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


def fill_somewhere(path: Path) -> None:
    """The store of the pictures; its files lie where no checkout does."""
    fill(path, SAMPLES / "mini_swe_agent")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE traces SET source_path = replace(source_path, ?, '/data/runs')", (str(SAMPLES),))
    db.close()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_review(tmp_path: Path, size: tuple[int, int]) -> None:
    fill_somewhere(tmp_path / "s.db")
    async with sitting(tmp_path / "s.db", size=size) as sat:
        await sat.press("L")
        compare(f"summary-{size[0]}x{size[1]}", drawn(sat))
        await sat.press("5", "v")
        compare(f"review-{size[0]}x{size[1]}", drawn(sat))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_beside(tmp_path: Path, size: tuple[int, int]) -> None:
    fill(tmp_path / "s.db", SAMPLES / "mini_swe_agent-attempts")
    async with sitting(tmp_path / "s.db", size=size) as sat:
        await sat.press("B", "d")
        compare(f"beside-{size[0]}x{size[1]}", drawn(sat))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_inside(tmp_path: Path, size: tuple[int, int]) -> None:
    fill(tmp_path / "s.db", SAMPLES / "claude_code")
    async with sitting(tmp_path / "s.db", size=size) as sat:
        while sat.screen.sheet is None or not sat.screen.sheet.view.children:
            await sat.press("L")
        await sat.press("l", "l", "S", "l")
        compare(f"inside-{size[0]}x{size[1]}", drawn(sat))


async def test_light_theme(tmp_path: Path) -> None:
    fill_somewhere(tmp_path / "s.db")
    async with sitting(tmp_path / "s.db", size=(120, 40)) as sat:
        sat.app.theme = "textual-light"
        await sat.press("L", "e")
        compare("review-light-120x40", drawn(sat))


def disagreeing(path: Path) -> None:
    """Two people over four traces who differ on three of them."""
    fill_somewhere(path)
    with Store.open(path) as store:
        ids = [info.trace_id for info in store.traces.all()]
    said = {
        "ana": [
            ("no_failure", "8"),
            ("silent_success", "19"),
            ("environment_fragility", "5"),
            ("tool_misuse", "9"),
        ],
        "ben": [
            ("no_failure", "8"),
            ("planning_drift", "17"),
            ("tool_misuse", "5"),
            ("planning_drift", "12"),
        ],
    }
    for who, labels in said.items():
        for trace, (mode, step) in zip(ids, labels, strict=True):
            note = f"{mode.replace('_', ' ')}, see step {step}"
            arguments = [
                "--store",
                str(path),
                "annotate",
                trace,
                mode,
                "--as",
                who,
                "--step",
                step,
                "--note",
                note,
            ]
            assert run(arguments) == 0


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_adjudication(tmp_path: Path, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count()
    monkeypatch.setattr("reviewer.cli.context.new_id", lambda: f"id-{next(numbers)}")  # the order of A and B
    disagreeing(tmp_path / "s.db")
    async with adjudicating(tmp_path / "s.db", size=size) as sat:
        await sat.press("v")
        compare(f"adjudication-{size[0]}x{size[1]}", drawn(sat))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_agreement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    numbers = count()
    monkeypatch.setattr(
        "reviewer.settings.os.urandom", lambda count: next(numbers).to_bytes(count)
    )  # who is 1
    disagreeing(tmp_path / "s.db")
    async with adjudicating(tmp_path / "s.db", size=size) as sat:
        await sat.press("A")
        await sat.until("kappa")
        compare(f"agreement-{size[0]}x{size[1]}", drawn(sat))
        await sat.press("d", *"jjjj")
        compare(f"agreement-details-{size[0]}x{size[1]}", drawn(sat))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_details(tmp_path: Path, size: tuple[int, int]) -> None:
    fill_somewhere(tmp_path / "s.db")
    async with sitting(tmp_path / "s.db", size=size) as sat:
        await sat.press("L", "5", "full_stop", "x")
        compare(f"details-{size[0]}x{size[1]}", drawn(sat))


LOOKS = {
    "call": (
        "*** Begin Patch\n*** Update File: door.py\n@@ def open\n-    return None\n+    return Door(3)\n"
        "*** End Patch"
    ),
    "code": 'def total(rows):\n    """All of it."""\n    return sum(row["n"] for row in rows)  # a number',
    "got": (
        "\x1b[1;32mok\x1b[0m 12 checks, \x1b[31mbroken: 1\x1b[0m \x1b]0;no title\x07\n"
        "東京 タワー   | 333 m\nשלום עולם      | 2\n👩‍🚒 fire brigade | 1\n"
        "diff --git a/d.py b/d.py\n--- a/d.py\n+++ b/d.py\n@@ -1,2 +1,2 @@\n pass\n-x = 1\n+x = 2\n"
    ),
    "json": json.dumps(
        {"order": {"id": "W-7", "paid": True, "items": [{"n": n} for n in range(20)]}, "total": 3.5}
    ),
}


async def test_looks_of_texts(tmp_path: Path) -> None:
    calls = [
        {"id": "a", "name": "apply_patch", "arguments": {"patch": LOOKS["call"]}},
        {"id": "b", "name": "python", "arguments": {"code": LOOKS["code"], "timeout": 5}},
    ]
    messages = [
        {"role": "user", "content": "mend the door"},
        {"role": "assistant", "content": "I mend it", "tool_calls": [_call(call) for call in calls]},
        {"role": "tool", "tool_call_id": "a", "content": LOOKS["got"]},
        {"role": "tool", "tool_call_id": "b", "content": LOOKS["json"]},
    ]
    (tmp_path / "chat.json").write_text(json.dumps({"messages": messages}), "utf-8")
    fill(tmp_path / "s.db", tmp_path / "chat.json")
    async with sitting(tmp_path / "s.db", size=(120, 60)) as sat:
        await sat.press("l", "l")
        compare("looks-120x60", drawn(sat))
        sat.app.theme = "high-contrast"
        await sat.settle()
        compare("looks-contrast-120x60", drawn(sat))


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
    return {"id": call["id"], "type": "function", "function": function}


async def test_the_menu_of_modes(tmp_path: Path) -> None:
    fill_somewhere(tmp_path / "s.db")
    async with sitting(tmp_path / "s.db", size=(120, 40)) as sat:
        await sat.press("m", "down")
        compare("modes-120x40", drawn(sat))
