"""Search in the open trace: each hit with its number, smart about case, over steps read in slices."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.errors import InputError
from reviewer.session import Reading
from reviewer.store import Store
from reviewer.trace import Result, Step, ToolCall, Trace, TraceInfo, renumbered
from reviewer.tui import seeking
from reviewer.tui.seeking import Seeker
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.sought import Sought, sought, word_at
from tests.conftest import SAMPLES
from tests.traces import says
from tests.tui.desk import Sitting, fill, sitting
from tests.tui.longer import longer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return longer(tmp_path / "s.db")


def status(sat: Sitting) -> str:
    return sat.text().splitlines()[-2].strip()


def step(sat: Sitting) -> int:
    assert sat.screen.sheet is not None
    return sat.screen.sheet.n


async def find(sat: Sitting, text: str) -> None:
    await sat.press("slash")
    await sat.pilot.press(*["space" if letter == " " else letter for letter in text])
    await sat.press("enter")


async def test_each_hit_says_which_of_how_many_it_is(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await find(sat, "moor")
        total = 5
        for number in (*range(1, total + 1), 1):
            assert f"hit {number} of {total} · “moor”" in status(sat), number
            await sat.press("n")
        for number in (1, total, total - 1):
            await sat.press("N")
            assert f"hit {number} of {total}" in status(sat)


async def test_an_upper_case_letter_asks_for_itself(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await find(sat, "Moor")
        assert "hit 1 of 1 · “Moor” in this step, with this case" in status(sat)
        assert step(sat) == 9


async def test_a_pattern_and_a_wrong_one(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await find(sat, "re:\\d (passed|failed)")
        assert "hit 1 of 3 · “re:\\d (passed|failed)”" in status(sat)
        await find(sat, "re:(")
        assert "not a regular expression" in status(sat)


async def test_what_does_not_occur_says_so_and_escape_ends_a_search(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await find(sat, "zeppelin")
        assert "“zeppelin” does not occur" in status(sat)
        await sat.press("n")
        assert "“zeppelin” has no hit" in status(sat)
        await find(sat, "moor")
        await sat.press("escape")
        assert "the search is ended" in status(sat)
        await sat.press("n")
        assert "no search is open" in status(sat)


@pytest.mark.parametrize(
    ("word", "said", "where"),
    [
        ("harbour.py", "first in step 2, in what a tool gave back", 2),
        ("harbor.py", "first in step 3, from the agent itself; nothing before it holds it", 3),
        ("Kestrel", "first in step 9, said by the user", 9),
        ("kestrel", "first in step 9, written “Kestrel”, said by the user · upper and lower case", 9),
        ("zeppelin", "does not occur in this trace", 12),
    ],
)
async def test_where_a_text_occurs_first(path: Path, word: str, said: str, where: int) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press("dollar_sign", "p")
        await sat.pilot.press(*word)
        await sat.press("enter")
        assert f"“{word}”" in status(sat)
        assert said in status(sat)
        assert step(sat) == where


async def test_the_word_of_the_hit_is_offered(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await sat.press("dollar_sign")
        await find(sat, "kestr")
        await sat.press("p")
        asked = next(line for line in sat.text().splitlines() if "Kestrel)" in line)
        assert asked.strip() == "text whose first place in the trace you want to see (Enter: Kestrel)"
        await sat.press("enter")
        assert "“Kestrel”: first in step 9" in status(sat)


async def test_escape_leads_back_from_where_a_text_occurs_first(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await find(sat, "moor")
        here, hits = step(sat), dict(sat.screen.sheet.hits)  # type: ignore[union-attr]
        await sat.press("p", *["backspace"] * 20)
        await sat.pilot.press(*"kestrel")
        await sat.press("enter")
        assert step(sat) != here
        await sat.press("escape")
        assert (step(sat), sat.screen.sheet.hits) == (here, hits)  # type: ignore[union-attr]
        await sat.press("escape")
        assert "the search is ended" in status(sat)
        assert step(sat) == here


async def test_escape_leads_back_from_the_task_where_a_text_stands_first(tmp_path: Path) -> None:
    fill(tmp_path / "s.db", SAMPLES / "mini_swe_agent" / "ledgerlib__ledgerlib-198.traj.json")
    async with sitting(tmp_path / "s.db", size=(120, 30)) as sat:
        await find(sat, "ledger")
        here = step(sat)
        await sat.press("p", *["backspace"] * 40)
        await sat.pilot.press(*"numeric")
        await sat.press("enter")
        assert "in the task already" in status(sat)
        assert (here > 0, step(sat)) == (True, 0)
        await sat.press("escape")
        assert step(sat) == here


async def test_where_a_text_occurs_first_leaves_the_search_as_it_is(path: Path) -> None:
    async with sitting(path, size=(120, 30)) as sat:
        await find(sat, "moor")
        hits = dict(sat.screen.sheet.hits)  # type: ignore[union-attr]
        await sat.press("p", *["backspace"] * 20)
        await sat.pilot.press(*"kestrel")
        await sat.press("enter")
        assert step(sat) == 9
        assert sat.screen.sheet.hits == hits  # type: ignore[union-attr]
        assert sat.screen.sheet.sought.pattern == "moor"  # type: ignore[union-attr]
        await sat.press("n")
        assert "of 5 · “moor”" in status(sat)


async def test_only_n_and_hit_lists_go_to_hits(tmp_path: Path) -> None:
    long = "\n".join(f"line {n}" for n in range(30)) + "\nquay\n" + "\n".join("end" for _ in range(9))
    put(tmp_path / "s.db", says("quay"), says(long), says("quay")).close()
    async with sitting(tmp_path / "s.db", size=(120, 20)) as sat:
        await sat.press("l")
        await find(sat, "quay")
        await sat.press("g", "2", "enter")
        assert sat.screen.body.top == 0
        assert "1 of 3 hits in this step · “quay” · n goes to the first" in status(sat)
        await sat.press("n")
        assert sat.screen.body.top > 0
        assert "hit 2 of 3" in status(sat)
        await sat.press("n", "N")
        assert sat.screen.body.top > 0
        await sat.press("g", "2", "enter")
        await sat.press("N")
        assert step(sat) == 1


# -- the engine -------------------------------------------------------------------------------


def put(path: Path, *steps: Step) -> Reading:
    store = Store.open(path, create=True)
    info = TraceInfo("t1-x", "h", "plain", n_steps=len(steps))
    with store.write():
        store.traces.put(Trace(info, renumbered(steps)), now="now")
    return Reading(store)


def all_hits(seeker: Seeker, reading: Reading, typed: str, last: int, seconds: float = 1) -> dict[int, int]:
    found: dict[int, int] = {}
    n = 1
    while n <= last:
        some, n = seeker.seek(reading, sought(typed), n, last, seconds)
        found.update(some)
    return found


TEXTS = (
    "Grüße from the Straße, ΣΊΣΥΦΟΣ and sisyphos",
    "\x1b[31mred\x1b[0m wo\x1b[1mrds\x1b[0m with colour",
    "İstanbul, NUL \x00 in \x00 the middle",
    '{"city": "Gruesse", "n": [1, 2], "deep": {"key": "caf\\u00e9"}}',
    "one two one TWO One",
    "a\x00b",
)
STEPS = tuple(
    Step(
        0,
        "agent",
        text,
        calls=(ToolCall("bash", {"command": text, "n": 3}, "c"),),
        results=(Result(text, "c"),),
    )
    for text in TEXTS
)
TYPED = (
    *("one", "One", "two", "words", "straße", "sisyphos", "σίσυφος", "istanbul", "nul", "the middle", "\x00"),
    *('"city": "', '"n": [1, 2]', '"n":[1,2]', "café", "caf\\u00e9", "b", "bash", "command", "n: 3"),
    *("re:o.e", "re:T[Ww]O", "re:^one", "re:\\bTWO\\b", "re:", "zeppelin"),
)  # fmt: skip


@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("room", [40_000_000, 0, 300])
def test_hits_are_counted_as_the_step_marks_them_cold_and_warm(
    tmp_path: Path, typed: str, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeking, "ROOM", room)
    reading = put(tmp_path / "s.db", *STEPS)
    asked = sought(typed)
    drawn = {}
    for step in reading.steps("t1-x", 1, len(STEPS)):
        body = BodyDocument.of(step)
        if hits := body.search(asked.pattern, regex=asked.regex, ignore_case=asked.ignore_case):
            drawn[step.n] = len(hits)
    seeker = Seeker("t1-x")
    assert all_hits(seeker, reading, typed, len(STEPS)) == drawn, "cold"
    all_hits(seeker, reading, "other", len(STEPS))
    assert all_hits(seeker, reading, typed, len(STEPS)) == drawn, "warm"
    assert all_hits(seeker, reading, typed, len(STEPS), seconds=0) == drawn, "in the smallest slices"
    reading.close()


def test_case_is_smart() -> None:
    assert sought("abc").ignore_case
    assert not sought("aBc").ignore_case
    assert sought(r"re:\S+\W").ignore_case
    assert not sought(r"re:\S+A").ignore_case
    with pytest.raises(InputError):
        sought("re:[")
    assert Sought("x").tally("X x") == 2


@pytest.mark.parametrize(
    ("text", "part", "word"),
    [
        ("see src/app.py: it", "app", "src/app.py"),
        ("order #W123, please", "W12", "W123"),
        ("(foo)", "foo", "foo"),
        ("a -- b", "--", "--"),
        ("x" * 5000, "xxx", "x" * 503),
    ],
)
def test_the_word_of_which_a_hit_is_a_part(text: str, part: str, word: str) -> None:
    at = text.index(part)
    assert word_at(text, at, at + len(part)) == word


async def test_where_layout_makes_more_hits_the_number_is_that_of_the_screen(tmp_path: Path) -> None:
    put(tmp_path / "s.db", says('{"a":"x","b": "y"}'), says("nothing")).close()
    async with sitting(tmp_path / "s.db", size=(120, 30)) as sat:
        await find(sat, '": "')
        assert "hit 1 of 2" in status(sat)
