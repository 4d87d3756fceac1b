"""aider's chat history: who a line is by depends on how it begins, how it ends and what stands before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.errors import InputError
from reviewer.importers.base import Imported
from reviewer.importers.finding.files import find, open_source
from reviewer.trace import Trace
from tests.importers.reading import SAMPLES, one, read

SHOP = SAMPLES / "aider" / "ledger-shop" / ".aider.chat.history.md"
GAUGE = SAMPLES / "aider" / "rain-gauge" / ".aider.chat.history.md"


def _read(tmp_path: Path, text: str) -> Imported:
    path = tmp_path / ".aider.chat.history.md"
    path.write_text(text, encoding="utf-8")
    return one(path)


def _trace(tmp_path: Path, text: str) -> Trace:
    return _read(tmp_path, text).trace


def test_sessions_prompts_answers_and_what_aider_says() -> None:
    trace = one(SHOP).trace
    assert [(step.source, step.kind) for step in trace.steps[:6]] == [
        ("system", "notice"),
        ("user", ""),
        ("system", "notice"),
        ("user", ""),
        ("agent", ""),
        ("system", "notice"),
    ]
    info = trace.info
    assert info.task == "The receipt rounds each line before it adds them up.\nIt should round the sum only."
    assert (info.model, info.ended, info.meta["sessions"]) == ("lantern/brook-large", "user_stop", 2)
    assert info.n_messages == 6  # lines that begin with ####, the heading in an answer among them
    assert info.n_tool_calls == 1
    assert info.started == "2026-03-02T09:14:05.000Z"
    assert (info.tokens_in, info.tokens_out) == (4100 + 5200 + 3900, 312 + 98 + 41)
    assert info.cost == pytest.approx(0.04)


def test_headings_and_quotes_in_an_answer_stay_in_it() -> None:
    answer = one(SHOP).trace.steps[4]
    assert "#### shop/totals.py" in answer.message
    assert "> keep the sum exact until here" in answer.message
    assert answer.message.endswith("```")
    assert [call.arguments for call in answer.calls] == [{"path": "shop/totals.py"}]
    assert answer.results[0].call_id == answer.calls[0].id


def test_an_edit_that_could_not_be_read_is_a_fault() -> None:
    (fault,) = [step for step in one(SHOP).trace.steps if step.error]
    assert fault.message == "The LLM did not conform to the edit format."


def test_a_file_that_begins_mid_way() -> None:
    trace = one(GAUGE).trace
    assert trace.steps[0].source == "agent"
    assert trace.steps[0].calls[0].arguments == {"path": "gauge/tips.py"}
    assert trace.info.task == "count tips per hour, too"
    assert trace.info.n_tool_calls == 4


def test_two_trailing_spaces_make_a_prompt_even_after_an_answer(tmp_path: Path) -> None:
    head = (
        "# aider chat started at 2026-01-01 10:00:00\n\n#### one{0}\n\nDone.\n\n#### two{0}\n\nDone, too.\n"
    )
    spaced = _trace(tmp_path, head.format("  "))
    assert [step.source for step in spaced.steps] == ["system", "user", "agent", "user", "agent"]
    bare = _trace(tmp_path, head.format(""))
    assert [step.source for step in bare.steps] == ["system", "user", "agent"]
    assert bare.info.n_messages == 2


def test_a_file_without_an_answer(tmp_path: Path) -> None:
    trace = _trace(
        tmp_path, "\n# aider chat started at 2026-01-01 10:00:00\n\n> Aider v0.86.1  \n\n#### /add a.py  \n"
    )
    assert [step.source for step in trace.steps] == ["system", "user"]
    assert trace.info.task == "/add a.py"


def test_growth_keeps_the_id_and_the_ids_of_steps(tmp_path: Path) -> None:
    text = SHOP.read_text(encoding="utf-8")
    for cut in (300, 700, len(text) // 2):
        before, after = _trace(tmp_path, text[: text.index("\n", cut) + 1]), _trace(tmp_path, text)
        assert before.info.trace_id == after.info.trace_id
        assert after.records.startswith(before.records)
        ids = [step.stable_id for step in before.steps]
        assert ids == [step.stable_id for step in after.steps][: len(ids)]


def test_a_fence_left_open_does_not_swallow_the_rest(tmp_path: Path) -> None:
    trace = _trace(
        tmp_path,
        "# aider chat started at 2026-01-01 10:00:00\n\n#### go  \n\n```python\nx = 1\n\n"
        "> Tokens: 1k sent, 2 received.  \n> Applied edit to a.py  \n\n#### more  \n",
    )
    assert [step.source for step in trace.steps] == ["system", "user", "agent", "user"]
    assert trace.steps[2].calls[0].arguments == {"path": "a.py"}


def test_folders_are_searched_for_it_and_other_texts_are_not_taken(tmp_path: Path) -> None:
    assert SHOP in [found.path for found in find([SHOP.parent]).files]
    path = tmp_path / "notes.md"
    path.write_text("# Notes\n\n#### heading\n\n> a quote\n", encoding="utf-8")
    with pytest.raises(InputError):
        open_source(path)
    with pytest.raises(InputError):
        read(path.with_name("none.md"), "aider")


def test_large_files_are_read_in_a_moment(tmp_path: Path) -> None:
    text = SHOP.read_text(encoding="utf-8") * 1500  # 3 MB
    assert _trace(tmp_path, text).info.n_tool_calls == 1500
