"""The lead's screen on what is stale, one's own, against everybody, settled by rule; the worklist."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input

from reviewer.cli import run
from reviewer.cli.context import Context
from reviewer.label import LabelEvent
from reviewer.session import AdjudicationSession
from reviewer.session.revisiting import WorklistSession
from reviewer.store import Store
from reviewer.tui.app import AdjudicationApp, ReviewApp
from reviewer.tui.opening import Opening
from tests.tui.desk import Sitting, _running, adjudicating
from tests.tui.studies import differing, traces

DRIFT = ("tool_misuse", "planning_drift")
SAID = [DRIFT, ("other", "silent_success"), ("other", "other")]
SIZES = [(80, 24), (200, 50)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return differing(tmp_path / "study.db", SAID)


def cli(path: Path, *arguments: str) -> int:
    return run(["--store", str(path), *arguments])


def adjudications(path: Path, trace: str) -> list[LabelEvent]:
    with Store.open(path) as store:
        return [event for event in store.labels.events(trace) if event.kind == "adjudicate"]


def trace_of(sat: Sitting) -> str:
    assert sat.screen.sheet is not None
    return sat.screen.sheet.view.info.trace_id


async def go_to(sat: Sitting, trace: str) -> None:
    """To the case that this trace is, from wherever one is."""
    await sat.press("H", "H")
    for _ in range(3):
        if trace_of(sat) != trace:
            await sat.press("L")
    assert trace_of(sat) == trace


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_settled_by_rule_is_counted_and_is_no_case(path: Path, size: tuple[int, int]) -> None:
    async with adjudicating(path, size=size) as sat:
        text = sat.text()
        assert "1 by rule" in text
        assert "1/2" in text
        assert "stale" not in text


@pytest.mark.parametrize("size", SIZES)
async def test_a_stale_case_is_open_again_and_its_key_and_enter_reaffirm_it(
    path: Path, size: tuple[int, int]
) -> None:
    first = traces(path)[0]
    assert cli(path, "adjudicate", first, "tool_misuse", "--as", "lea", "--reason", "rule seven") == 0
    assert cli(path, "annotate", first, "planning_drift", "--as", "later") == 0
    async with adjudicating(path, name="lea", size=size) as sat:
        await go_to(sat, first)
        text = " ".join(sat.text().split())
        assert "0 settled · 1 stale" in text
        assert "stale: labels changed since. 1 and Enter" in text
        assert "settled: tool_misuse" in text
        await sat.press("1")
        assert sat.app.screen.query_one(Input).value == "rule seven"
        await sat.press("enter")
        assert "1 settled" in sat.text()
        assert "stale" not in sat.text()
    assert [event.reason for event in adjudications(path, first)] == ["rule seven", "rule seven"]


@pytest.mark.parametrize("size", SIZES)
async def test_against_everybody_a_note_is_asked_for_and_kept(path: Path, size: tuple[int, int]) -> None:
    async with adjudicating(path, size=size) as sat:
        trace = trace_of(sat)
        await sat.press("6")
        assert "nobody gave this mode" in sat.text()
        await sat.press(*"why", "enter", "enter")
        assert "a note is needed as well" in " ".join(sat.text().split())
        assert adjudications(path, trace) == []
        await sat.press(*"missed", "enter")
    (event,) = adjudications(path, trace)
    assert (event.mode, event.reason, event.note) == ("safety_refusal", "why", "missed")


async def test_a_mode_that_somebody_gave_asks_for_no_note(path: Path) -> None:
    async with adjudicating(path) as sat:
        with Store.open(path) as store:
            (mode, *_) = [e.mode for e in store.labels.events(trace_of(sat)) if e.kind == "label"]
        key = next(known.key for known in sat.screen.taxonomy.modes if known.id == mode)
        await sat.press(key)
        assert "nobody gave" not in sat.text()
        assert len(sat.app.screen.query(Input)) == 1


@pytest.mark.parametrize("size", SIZES)
async def test_ones_own_is_somebody_elses_to_settle(path: Path, size: tuple[int, int]) -> None:
    own = traces(path)[0]
    assert cli(path, "annotate", own, "other", "--as", "lea") == 0
    for trace in traces(path)[1:]:  # what lea was told of already waits for no blind label of hers
        assert cli(path, "history", trace, "--as", "lea") == 0
    async with adjudicating(path, name="lea", size=size) as sat:
        assert trace_of(sat) != own  # what one may settle comes first
        await go_to(sat, own)
        assert "you labelled this one" in " ".join(sat.text().split())
        await sat.press("1")
        assert "so a third person settles it" in " ".join(sat.text().split())
        assert not sat.app.screen.query(Input)
    assert adjudications(path, own) == []


async def test_allowed_it_is_saved_as_ones_own(path: Path) -> None:
    own = traces(path)[0]
    assert cli(path, "annotate", own, "tool_misuse", "--as", "lea") == 0
    context = Context(str(path), None)
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)

    def session() -> AdjudicationSession:
        return AdjudicationSession(
            context.desk(context.open_store(), "lea", None, origin="tui"), allow_own=True
        )

    async with _running(
        AdjudicationApp(Opening.of(session, context.open_reading, taxonomy)), (200, 50)
    ) as sat:
        await go_to(sat, own)
        assert "what you decide says so" in " ".join(sat.text().split())
        await sat.press("1", *"r", "enter")
        await go_to(sat, own)
        assert "settled by somebody who labelled it" in " ".join(sat.text().split())
    (event,) = adjudications(path, own)
    assert event.assignment.endswith("+own")


@pytest.mark.parametrize("size", SIZES)
async def test_the_worklist_is_a_queue_of_what_changed(
    path: Path, tmp_path: Path, size: tuple[int, int]
) -> None:
    from reviewer import taxonomy as codebooks

    text = codebooks.load("six-modes").toml
    changed = text.replace("A tool that exists was used", "A tool at hand was used").replace('"1"', '"2"', 1)
    (tmp_path / "two.toml").write_text(changed)
    assert cli(path, "taxonomy", "use", str(tmp_path / "two.toml")) == 0
    context = Context(str(path), None)
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
    assert taxonomy.version == "2"

    def session() -> WorklistSession:
        return WorklistSession(context.desk(context.open_store(), "zoltana", 2, origin="tui"), blind=True)

    async with _running(ReviewApp(Opening.of(session, context.open_reading, taxonomy)), size) as sat:
        assert "1/1" in sat.text()
        assert trace_of(sat) == traces(path)[0]
        assert "tool_misuse" not in sat.text().replace("Tool misuse", "")  # the old label is not in the way
        await sat.press("2")
    with Store.open(path) as store:
        last = store.labels.events()[-1]
        assert (last.mode, last.round, last.taxonomy_hash) == ("planning_drift", 2, taxonomy.hash)
