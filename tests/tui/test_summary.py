"""The summary page: what stands on it, in which order, and that its lines lead to their steps by keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewer.facts import facts
from reviewer.store import Store
from reviewer.trace import Outcome
from reviewer.tui.summary_facts import failed_parts
from tests.conftest import SAMPLES
from tests.traces import trace, user
from tests.tui.desk import Sitting, fill, sitting

RUN = {
    "id": "berth-7",
    "task": "Move booking B4 to berth 7.",
    "steps": [
        {"role": "user", "content": "Please move B4 to berth 7."},
        {
            "role": "assistant",
            "content": "I look it up.",
            "tool_calls": [{"id": "1", "name": "get_booking", "arguments": {"id": "B4"}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "Error: no such booking"},
        {
            "role": "assistant",
            "content": "Moving.",
            "tool_calls": [{"id": "2", "name": "move_booking", "arguments": {"id": "B4", "to": 6}}],
        },
        {"role": "tool", "tool_call_id": "2", "content": "moved to 6"},
        {"role": "assistant", "content": "B4 lies at berth 7 now."},
    ],
    "passed": False,
    "final_state": {f"k{n}": n + 1 for n in range(90)},
    "expected_state": {f"k{n}": n for n in range(90)},
}


async def body(sat: Sitting) -> list[str]:
    """The texts of the page, with the facts in."""
    for _ in range(60):
        if sat.screen.sheet is not None and sat.screen.sheet.facts is not None:
            break
        await sat.pilot.pause(0.05)
    await sat.settle()
    return [part.text for part in sat.screen.body.parts]


def place(texts: list[str], begin: str) -> int:
    return next(n for n, text in enumerate(texts) if text.strip().startswith(begin))


async def open_run(sat: Sitting, task: str) -> None:
    for _ in range(12):
        assert sat.screen.sheet is not None
        if sat.screen.sheet.view.info.task_id == task:
            return
        await sat.press("L")
    raise AssertionError(f"{task} is not in the queue")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    fill(tmp_path / "s.db", SAMPLES / "tau_bench", SAMPLES / "swe_agent")
    return tmp_path / "s.db"


async def test_what_decides_stands_first(store: Path) -> None:
    async with sitting(store, size=(120, 40)) as sat:
        await open_run(sat, "ferrytable__ferrytable-52")
        texts = await body(sat)
        order = [
            "summary",
            "task:",
            "failed checks",
            "net change:",
            "final claim",
            "on the way",
            "cost, time",
        ]
        places = [place(texts, begin) for begin in order]
        assert places == sorted(places)
        assert any("test_single_is_rounded" in text for text in texts)
        ended = sat.screen.body.parts[place(texts, "summary")]
        assert not ended.target, "J begins with what failed, not with the last step"
        assert any(
            part.look == "patch" and part.text.startswith("diff --git") for part in sat.screen.body.parts
        )


def test_what_does_not_count_stands_apart() -> None:
    checks = ("the database is not as expected", "action not done: look() (not part of the reward)")
    outcomes = [Outcome(passed=False, detail={"failed_checks": list(checks)})]
    told = facts(trace(user("x")), outcomes)
    found = [(part.text, part.style) for part in failed_parts(told)]
    assert found == [
        ("failed checks", "title"),
        ("  ✗ the database is not as expected", "error"),
        ("not met, and not part of the reward", "title"),
        ("  · action not done: look()", "text"),
    ]


async def test_expected_against_actual_is_a_diff(store: Path) -> None:
    async with sitting(store, size=(120, 40)) as sat:
        for _ in range(10):
            texts = await body(sat)
            if any(text.startswith("expected −") for text in texts) and any(t.startswith("-") for t in texts):
                break
            await sat.press("L")
        parts = sat.screen.body.parts
        assert {part.style for part in parts if part.text.startswith("- ")} == {"removed"}
        assert {part.style for part in parts if part.text.startswith("+ ")} == {"added"}


async def test_lines_lead_to_their_steps_by_keys_alone(store: Path) -> None:
    async with sitting(store, size=(120, 40)) as sat:
        await open_run(sat, "ferrytable__ferrytable-52")
        await body(sat)
        leading = [(n, part.target) for n, part in enumerate(sat.screen.body.parts) if part.target]
        assert len(leading) >= 4
        await sat.press("greater_than_sign")
        assert "chooses a line first" in sat.text()
        await sat.press("J", "J", "K", "J")
        sheet = sat.screen.sheet
        assert sheet is not None and sheet.lead == leading[1][0]
        await sat.press("greater_than_sign")
        assert sat.screen.sheet is sheet and sheet.n == leading[1][1]
        await sat.press("J")
        assert "summary page" in sat.text()
        await sat.press("0", "K")
        assert sheet.lead == leading[0][0], "the choice is kept while one is away"
        await sat.press(*["J"] * (len(leading) + 3))
        assert sheet.lead == leading[-1][0], "the last line stays chosen"


async def test_a_click_leads_nowhere(store: Path) -> None:
    async with sitting(store, size=(80, 24)) as sat:
        await body(sat)
        await sat.press("J")
        sheet = sat.screen.sheet
        assert sheet is not None
        for y in range(1, 14):
            await sat.pilot.click(offset=(40, y))
        assert (sat.screen.sheet, sheet.n) == (sheet, 0)


async def test_opening_a_trace_records_that_facts_are_shown(store: Path) -> None:
    async with sitting(store) as sat:
        assert sat.screen.sheet is not None
        trace = sat.screen.sheet.view.info.trace_id
    with Store.open(store) as opened:
        (who,) = opened.labels.annotators()
        assert ("facts", "summary page") in opened.labels.exposures(who, trace)


async def test_nothing_is_cut_in_silence(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    fill(tmp_path / "s.db", tmp_path / "run.json")
    async with sitting(tmp_path / "s.db", size=(120, 40)) as sat:
        parts = (await body(sat)) and sat.screen.body.parts
        told = "\n".join(part.text for part in parts)
        assert "- k89: 89" in told and "+ k89: 90" in told
        assert any(part.shut and "k89" in part.text for part in parts)
