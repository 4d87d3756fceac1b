"""The review screen, lived in: what each key does to the store and to the screen."""

from pathlib import Path

import pytest

from reviewer.cli import run
from reviewer.label import LabelEvent
from reviewer.store import Store
from reviewer.tui.sheet import BOOKMARK, DECISIVE, EVIDENCE, FLAG, HIT, STARTS
from reviewer.tui.widgets.step_list import NEW, SIGNS
from tests.conftest import SAMPLES
from tests.tui.desk import fill, sitting

MINI = SAMPLES / "mini_swe_agent"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    filled = tmp_path / "tui.db"
    fill(filled, MINI)
    return filled


def events(path: Path, kind: str = "") -> list[LabelEvent]:
    with Store.open(path) as store:
        return [event for event in store.labels.events() if kind in ("", event.kind)]


def labels(path: Path) -> list[tuple[str, str | None]]:
    return [(event.mode, event.condition) for event in events(path, "label")]


async def test_it_opens_on_the_summary_of_the_first_open_trace(path: Path) -> None:
    async with sitting(path) as sat:
        text = sat.text()
        assert "1/4" in text
        assert "summary" in text
        assert "ended: submitted" in text
        assert "BLIND" in text
        assert "hidden until your label is in" in text


async def test_a_blind_label_is_saved_then_the_suggestion_is_revealed_and_recorded(path: Path) -> None:
    async with sitting(path, size=(130, 40)) as sat:
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.view.suggestions == ()
        await sat.press("2")
        assert labels(path) == [("planning_drift", "blind")]
        assert sat.screen.sheet.view.suggestions
        trace = sat.screen.sheet.view.info.trace_id
        assert "saved planning_drift (blind)" in sat.text()
    with Store.open(path) as store:
        who = next(iter(store.labels.annotators()))
        assert "suggestion" in {kind for kind, _ in store.labels.exposures(who, trace)}


async def test_a_second_label_key_is_refused_until_the_next_trace(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("2", "3", "y")
        assert labels(path) == [("planning_drift", "blind")]
        assert "not labelled" in sat.text()
        await sat.press("L", "3")
        assert [mode for mode, _ in labels(path)] == ["planning_drift", "context_hallucination"]


async def test_revising_after_the_reveal_is_a_second_event_and_not_blind(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("2", "r", "3")
        assert labels(path) == [("planning_drift", "blind"), ("context_hallucination", "suggestion")]
    with Store.open(path) as store:
        assert [event.mode for event in store.labels.blind_heads("six-modes", 1)] == ["planning_drift"]


async def test_seen_suggestions_stay_seen_when_one_comes_back_blind(path: Path) -> None:
    async with sitting(path, blind=False) as sat:
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.view.suggestions
    async with sitting(path, blind=True) as sat:
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.view.suggestions == ()
        await sat.press("1")
    assert labels(path) == [("tool_misuse", "suggestion")]


async def test_assisted_work_confirms_with_one_key_and_goes_on_after_the_commit(path: Path) -> None:
    async with sitting(path, blind=False) as sat:
        while sat.screen.sheet is not None and sat.screen.sheet.suggestion is None:
            await sat.press("L")
        assert sat.screen.sheet is not None
        proposed, place = sat.screen.sheet.suggestion, sat.screen.sheet.view.place
        assert proposed is not None
        await sat.press("y")
        assert labels(path) == [(proposed.mode, "suggestion")]
        assert sat.screen.sheet.view.place != place


async def test_nothing_to_confirm_says_why(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("y")
        assert "stays hidden until your own label is in" in sat.text()
        assert labels(path) == []


@pytest.mark.parametrize("key", ["enter", "space", "tab", "escape"])
async def test_keys_that_hands_rest_on_label_nothing(path: Path, key: str) -> None:
    async with sitting(path, blind=False) as sat:
        await sat.press(key, key)
    assert labels(path) == []


async def test_undo_goes_back_through_the_traces_and_says_so(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("1", "L", "2", "u")
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.view.place == 1
        await sat.press("u", "u")
        assert sat.screen.sheet.view.place == 0
        assert "not labelled yet" in sat.text()
        await sat.press("u")
        assert "nothing to undo" in sat.text()
    assert [event.kind for event in events(path)] == ["label", "label", "retract", "retract"]


async def test_an_undo_elsewhere_says_so_first_and_any_other_key_lets_it_stand(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("1", "L", "2", "u", "u")
        said = (
            "u again takes back tool_misuse on 1/4; its suggestion was seen: a new label counts as assisted"
        )
        assert said in " ".join(" ".join(sat.text().splitlines()[-2:]).split())
        await sat.press("l", "u")
        assert "u again takes back" in sat.text()
        assert [event.kind for event in events(path)] == ["label", "label", "retract"]
        await sat.press("u")
    assert [event.kind for event in events(path)] == ["label", "label", "retract", "retract"]


async def test_after_a_label_H_goes_back_to_the_trace_just_labelled(path: Path) -> None:
    async with sitting(path, blind=False) as sat:
        assert sat.screen.sheet is not None
        await sat.press("L", "1", "number_sign", "1", "enter", "1")
        assert sat.screen.sheet.view.place == 2
        await sat.press("H")
        assert sat.screen.sheet.view.place == 0
        await sat.press("number_sign", "3", "enter", "H")
        assert sat.screen.sheet.view.place == 1


async def test_a_decisive_step_that_was_only_suggested_is_not_taken_and_that_is_said(path: Path) -> None:
    async with sitting(path, blind=False, size=(150, 40)) as sat:
        for _ in range(4):
            assert sat.screen.sheet is not None
            one = sat.screen.sheet.suggestion
            if one is not None and one.step_n:
                break
            await sat.press("L")
        assert one is not None and one.step_n
        await sat.press("y")
        assert f"step {one.step_n} not taken: x there marks it" in sat.text()
        (label,) = events(path, "label")
        assert label.step_n is None
        await sat.press("H", *"g", *str(one.step_n), "enter", "x")
        assert "not taken" not in sat.text()
    assert events(path, "label")[-1].step_n == one.step_n


async def test_a_flag_stands_in_the_title(path: Path) -> None:
    async with sitting(path, size=(80, 24)) as sat:
        await sat.press("f")
        assert FLAG in sat.text().splitlines()[0]
        await sat.press("f")
        assert FLAG not in sat.text().splitlines()[0]


async def test_a_note_leaves_the_step_readable_keeps_its_lines_and_is_taken_away(path: Path) -> None:
    async with sitting(path, size=(80, 24)) as sat:
        await sat.press("l", "i")
        box = sat.app.screen.query_one("#note").region
        assert (box.height, box.bottom) == (6, 24)
        await sat.press(*"one", "ctrl+j", *"two", "enter", "ctrl+w", "ctrl+w")
        assert "note saved" not in sat.text()
        at = next(n for n, line in enumerate(sat.text().splitlines()) if "note: one" in line)
        assert sat.text().splitlines()[at + 1].split()[0] == "two"
        await sat.press("i", *["backspace"] * 7, "enter")
        assert "note taken away" in sat.text()


async def test_undo_reaches_behind_the_last_sitting(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("1")
    async with sitting(path) as sat:
        await sat.press("u", "u")
    with Store.open(path) as store:
        assert store.labels.heads() == []


async def test_the_decisive_step_goes_into_the_label_by_its_stable_id(path: Path) -> None:
    async with sitting(path, size=(130, 40)) as sat:
        await sat.press("x")
        assert "x marks the step that decided it; l goes" in sat.text()
        await sat.press("l", "l", "l", "x")
        assert "decisive step 3" in sat.text()
        await sat.press("1")
    (label,) = events(path, "label")
    assert label.step_n == 3
    assert label.step_source
    assert label.steps_opened == 3
    assert label.seconds is not None


async def test_a_note_is_kept_with_or_without_a_label_and_a_draft_is_not_lost(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("i", *"half q1")
        await sat.press("escape")
        assert events(path) == []
        await sat.press("i", *" done", "enter")
        assert [event.note for event in events(path, "note")] == ["half q1 done"]
        await sat.press("5")
        assert [event.note for event in events(path, "label")] == ["half q1 done"]
        await sat.press("L", "H", "i", *["backspace"] * 12, "enter")
    assert [event.kind for event in events(path)] == ["note", "label", "retract"]
    with Store.open(path) as store:
        assert [event.mode for event in store.labels.heads()] == ["silent_success"]


async def test_skip_and_flag(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("s")
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.view.place == 1
        await sat.press("f", "f")
        assert [event.kind for event in events(path)] == ["skip", "flag", "unflag"]
        await sat.press("1", "enter", "1", "enter", "1", "enter")
        assert sat.screen.sheet.view.place == 0  # skipped ones come last


async def test_skipping_where_all_is_done_is_said_whole_at_80_columns(path: Path) -> None:
    async with sitting(path, size=(80, 24)) as sat:
        for _ in range(20):
            await sat.press("1", "enter")
        await sat.press("s")
        assert "every trace in the queue has a label of yours; skipped, it comes again last" in sat.text()


async def test_where_the_steps_end_is_said(path: Path) -> None:
    async with sitting(path, size=(80, 24)) as sat:
        await sat.press("h")
        assert "this is the summary; nothing comes before it" in sat.text()
        await sat.press("dollar_sign", "l")
        assert "this is the last step" in sat.text()
        await sat.press("h")
        assert "this is the last step" not in sat.text()


async def test_quitting_and_coming_back_resumes_at_the_first_open_trace(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("1", "L")
    async with sitting(path) as sat:
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.view.place == 1
        assert "1 labelled" in sat.text()


async def test_going_through_all_traces_ends_with_a_word_and_not_with_a_crash(path: Path) -> None:
    async with sitting(path, blind=False) as sat:
        await sat.press("1", "1", "1", "1")
        assert "every trace in the queue has a label of yours" in sat.text()
    assert len(labels(path)) == 4


async def test_jumps_to_errors_writes_checks_and_ends(path: Path) -> None:
    async with sitting(path) as sat:
        sheet = sat.screen.sheet
        assert sheet is not None
        await sat.press("dollar_sign")
        assert sheet.n == sheet.view.info.n_steps
        await sat.press("0")
        assert sheet.n == 0
        await sat.press("e")
        assert "no error recognised in this trace" in sat.text()
        await sat.press("L")
        sheet = sat.screen.sheet
        assert sheet is not None
        await sat.press("e")
        first = sheet.n
        assert first > 0
        assert sat.screen.steps.row(first).error  # type: ignore[union-attr]
        await sat.press("dollar_sign", "E")
        assert sheet.n >= first
        assert sheet.facts is not None
        await sat.press("0", "w")
        assert sheet.n == sheet.facts.writes[0].step
        await sat.press("0", "c")
        assert sheet.n == sheet.facts.checks[0].step
        await sat.press("g", "7", "enter")
        assert sheet.n == 7
        await sat.press("g", *"999", "enter")
        assert "steps are numbered" in sat.text()


async def test_search_goes_through_all_hits_and_says_which(path: Path) -> None:
    async with sitting(path) as sat:
        sheet = sat.screen.sheet
        assert sheet is not None
        await sat.press("slash", *"pytest", "enter")
        total = sum(sheet.hits.values())
        assert f"hit 1 of {total}" in sat.text()
        for number in range(2, total + 1):
            await sat.press("n")
            assert f"hit {number} of {total}" in sat.text()
        await sat.press("n")
        assert f"hit 1 of {total}" in sat.text()
        await sat.press("slash", *"re:pyt.st", "enter")
        assert f"of {total}" in sat.text()
        await sat.press("slash", *"zebra", "enter")
        assert "does not occur" in sat.text()
        await sat.press("slash", *"re:(", "enter")
        assert "not a regular expression" in sat.text()


async def test_the_mode_menu_labels_with_what_is_typed(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("m", *"refus", "enter")
        assert labels(path) == [("safety_refusal", "blind")]
        await sat.press("L", "m", "escape")
        assert len(labels(path)) == 1


async def test_modes_beyond_the_ninth_have_letters(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("t")
    assert labels(path) == [("cannot_tell", "blind")]


def test_every_sign_means_one_thing() -> None:
    marks = (DECISIVE, EVIDENCE, FLAG, HIT, BOOKMARK, STARTS, NEW)
    assert len({*marks, *SIGNS.values()}) == len(marks) + len(SIGNS)


async def test_help_shows_every_key_and_every_mode(path: Path) -> None:
    async with sitting(path, size=(100, 300)) as sat:
        taxonomy = sat.app.opening.taxonomy
        await sat.press("question_mark")
        text = sat.text()
        for words in (
            "Take back what you decided last",
            "Label with the mode of this key",
            "injected: put in by the program around the agent",
            *(m.name for m in taxonomy.modes),
        ):
            assert words in text
        await sat.press("escape")
        assert sat.screen.sheet is not None


@pytest.mark.parametrize("size", [(20, 5), (40, 12), (80, 24), (200, 50)])
async def test_every_size_lives(path: Path, size: tuple[int, int]) -> None:
    async with sitting(path, size=size) as sat:
        await sat.press("l", "l", "j", "space", "z", "W", "W", "L", "e", "1")
        await sat.pilot.resize_terminal(30, 6)
        await sat.settle()
        await sat.pilot.resize_terminal(*size)
        await sat.settle()
        lines = sat.text().split("\n")
        assert len(lines) == size[1]
    assert len(labels(path)) == 1


async def test_a_failed_write_is_told_and_nothing_is_called_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reviewer.store import connection

    monkeypatch.setattr(connection, "WAIT", 0.2)
    async with sitting(path) as sat:
        with Store.open(path) as other, other.write():
            await sat.press("1")
            text = sat.text()
        assert "not saved" in text
        assert "saved tool_misuse" not in text
        await sat.press("1")
        assert "saved tool_misuse" in sat.text()
    assert len(labels(path)) == 1


async def test_a_draft_survives_the_end_of_the_app_in_the_middle_of_a_word(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("i", *"half a tho")
        await sat.app.action_quit()  # what a hang-up does as well
    async with sitting(path) as sat:
        assert "a note was begun and not saved" in sat.text()
        await sat.press("i", *"ught", "enter")
        assert [event.note for event in events(path, "note")] == ["half a thought"]
        assert "begun" not in sat.text()


async def test_enter_on_an_unchanged_note_saves_nothing(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("i", *"one", "enter", "i", "enter", "i", *"x", "backspace", "enter")
    assert len(events(path, "note")) == 1


@pytest.mark.parametrize("blind", [True, False])
async def test_a_relabel_shows_the_rule_that_separates_the_two_modes(path: Path, blind: bool) -> None:
    async with sitting(path, blind=blind, size=(130, 40)) as sat:
        assert sat.screen.sheet is not None
        taxonomy = sat.screen.taxonomy
        with Store.open(path) as store:
            suggested = store.suggestions.of(sat.screen.sheet.view.info.trace_id, taxonomy.hash)[0].mode
        mode = next(
            m for m in taxonomy.modes if m.key and m.id != suggested and taxonomy.rule(m.id, suggested)
        )
        rule = taxonomy.rule(mode.id, suggested)
        assert rule is not None
        assert rule.ask[:20] not in sat.text()
        await sat.press(mode.key)
        assert rule.ask[:20] in sat.text()


async def test_a_held_mode_key_labels_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviewer.tui.app.REPEAT_SECONDS", 60.0)  # hands in a test are slower than a keyboard
    async with sitting(path, blind=False) as sat:
        await sat.press("2", "2", "2")
        assert len(labels(path)) == 1
        assert "held down" in sat.text()
        await sat.press("j", "2")
        assert len(labels(path)) == 2


async def test_a_crash_shows_no_local_variables(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        async with sitting(path) as sat:

            def crash() -> None:
                held = "words " + "of a trace"
                raise ZeroDivisionError(f"after {len(held)}")

            sat.app.call_later(crash)
            await sat.settle()
    shown = capsys.readouterr().err
    assert "ZeroDivisionError: after 16" in shown
    assert "words of a trace" not in shown


async def test_a_label_given_before_the_session_grew_says_so(tmp_path: Path) -> None:
    path, file = tmp_path / "grown.db", tmp_path / "session.jsonl"
    source = SAMPLES / "claude_code" / "dropped-goal-after-compaction.jsonl"
    lines = source.read_text("utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:20]), "utf-8")
    fill(path, file)
    async with sitting(path) as sat:
        await sat.press("2")
        assert "earlier version" not in sat.text()
    file.write_text("".join(lines), "utf-8")
    fill(path, file)
    async with sitting(path) as sat:
        assert "earlier version of this trace" in sat.text()


async def test_a_mark_and_a_draft_are_there_when_one_comes_back(path: Path) -> None:
    async with sitting(path) as sat:
        await sat.press("l", "l", "x", "i", *"begun", "escape")
        assert "i goes on with it" in sat.text()
        await sat.press("L", "H")
        assert sat.screen.sheet is not None
        assert (sat.screen.sheet.decisive, sat.screen.sheet.draft) == (2, "begun")
        await sat.press("5")
    (label,) = events(path, "label")
    assert label.step_n == 2


async def test_undo_of_a_label_on_a_trace_that_came_later_shows_that_trace(
    path: Path, tmp_path: Path
) -> None:
    file = tmp_path / "late.json"
    file.write_text('{"id": "late", "task": "t", "trajectory": [{"action": "a"}]}', "utf-8")
    async with sitting(path) as sat:
        fill(path, file)
        with Store.open(path) as store:
            late = store.traces.all()[-1].trace_id
        assert run(["--store", str(path), "annotate", late, "other", "--as", "ana"]) == 0
        await sat.press("u")
        assert sat.screen.sheet is not None
        assert sat.screen.sheet.view.info.trace_id == late
        assert "undone: label other on 5/5" in sat.text()


async def test_an_undo_says_what_it_undid_and_where(path: Path) -> None:
    async with sitting(path, blind=False, size=(150, 40)) as sat:
        await sat.press("i", *"a thought", "enter", "f", "1", "H", "r", "2", "L")
        for said in (
            "undone: label planning_drift, so tool_misuse stands again on 1/4",
            "undone: label tool_misuse on 1/4",
            "undone: flag on 1/4",
            "undone: note on 1/4",
            "nothing to undo",
        ):
            await sat.press("u")
            assert said in sat.text()
