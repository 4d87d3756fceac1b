"""Foreign text in every place that is not the text of a step: file names, ids, models, tools, people, notes,
taxonomies, suggestions, errors; through every command and every screen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.hostile.own import ACTIONS, BYTES, TERMINAL, document
from tests.tui.driving import driving
from tests.tui.seeing import FORBIDDEN
from tests.tui.terminal import Terminal

Reviewer = Callable[..., Ran]
TEXT = f"{TERMINAL} {ACTIONS} \u202ereversed\u200b\ud800 [/] end"
# What a file system takes as a name, and a person as theirs.
FILE = "\x1b]0;owned\x07 [@click=app.quit]f[b] \u202e\x9b6n [link=x].json"
PERSON = "[@click=app.quit]ana[/] [/x]"


def taxonomy(folder: Path) -> Path:
    """A taxonomy whose every text is hostile."""
    text = json.dumps(TEXT.replace("\ud800", "").replace("\x7f", ""))
    mode = f"name = {text}\ndefinition = {text}\nchecks = [{text}]\nsubmodes = {{ deep = {text} }}\n"
    modes = "".join(f'\n[[mode]]\nid = "{name}"\n{mode}' for name in ("one", "two"))
    rule = f'\n[[rather]]\npair = ["one", "two"]\nask = {text}\na = {text}\nb = {text}\n'
    file = folder / "taxonomy.toml"
    file.write_text(f'id = "foreign"\nversion = "1"\ntitle = {text}\n{modes}{rule}', "utf-8")
    return file


@pytest.fixture
def store(tmp_path: Path, reviewer: Reviewer) -> tuple[list[object], str]:
    """The options before a command, and the id of a trace with hostile text everywhere around its steps."""
    folder = tmp_path / "[red]\x1b[31m"
    folder.mkdir()
    call = {"id": TEXT, "type": "function", "function": {"name": TEXT, "arguments": json.dumps({TEXT: TEXT})}}
    messages = [
        {"role": "user", "content": TEXT},
        {"role": "assistant", "content": TEXT, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": TEXT, "name": TEXT, "content": f"Error: {TEXT}"},
    ]
    around = dict.fromkeys(("task", "id", "task_id", "benchmark", "model", "agent", "ended", TEXT), TEXT)
    states = {"final_state": {TEXT: TEXT}, "expected_state": {TEXT: [TEXT]}}
    (folder / FILE).write_bytes(document({**around, **states, "messages": messages}))
    before: list[object] = ["--store", tmp_path / "s.db", "--taxonomy", taxonomy(tmp_path)]
    assert reviewer(*before, "import", folder / FILE).status == 0
    trace = json.loads(reviewer(*before, "traces", "--json").out)[0]["id"]
    evidence = [{"step": 1, "quote": TEXT}, {"step": 2, "quote": TERMINAL}]
    answer = {
        "mode": "one",
        "runner_up": TEXT,
        "rationale": TEXT,
        "confidence": 0.5,
        "step": 2,
        "model": TEXT,
    }
    answers = tmp_path / "answers.json"
    answers.write_bytes(document({"*": {**answer, "evidence": evidence}}))
    assert reviewer(*before, "suggest", "--with", "scripted", "--answers", answers).status == 0
    for name in (PERSON, "ben [b]"):
        given = reviewer(
            *before, "annotate", trace, "two", "--as", name, "--note", TEXT.replace("\ud800", "")
        )
        assert given.status == 0, given
    return before, trace


def commands(trace: str) -> list[list[str]]:
    shown = [[verb, trace] for verb in ("show", "history")]
    plain = [
        ["traces"],
        ["traces", "--as", PERSON],
        ["status"],
        ["agreement"],
        ["check"],
        ["taxonomy", "show"],
    ]
    refused = [
        ["annotate", trace, TEXT.replace("\ud800", "")],
        ["show", "x\x1b[6n"],
        ["import", "/no\x1b[6n"],
    ]
    return [*shown, ["show", trace, "--step", "2"], *plain, *refused]


def test_every_command_prints_it_inert(store: tuple[list[object], str], reviewer: Reviewer) -> None:
    before, trace = store
    shown = ""
    for command in commands(trace):
        ran = reviewer(*before, *command)
        assert ran.status in (0, 1)
        assert not re.search(FORBIDDEN, ran.out + ran.err), command
        shown += ran.out + ran.err
    assert shown.count("␛]52;c;") > 8 and "[@click=app.quit]ana[/]" in shown


def test_every_json_keeps_it_and_stays_ascii(store: tuple[list[object], str], reviewer: Reviewer) -> None:
    before, trace = store
    for command in (["traces"], ["status"], ["agreement"], ["show", trace], ["history", trace]):
        out = reviewer(*before, *command, "--json").out
        assert out.isascii() and not re.search(FORBIDDEN, out)
    shown = json.loads(reviewer(*before, "show", trace, "--json").out)
    kept = TEXT.replace("\ud800", "\\ud800")  # half a pair is no character; `show --raw` has it as it was
    assert (shown["task"], shown["model"]) == (kept, kept)


@pytest.mark.parametrize(("size", "blind"), [((200, 50), False), ((80, 24), True), ((20, 5), False)])
async def test_every_screen_shows_it_inert(
    size: tuple[int, int], blind: bool, store: tuple[list[object], str]
) -> None:
    """`Driver.look` asserts it of every strip of every frame."""
    before, _ = store
    path, book = Path(str(before[1])), str(before[3])
    async with driving(path, size=size, blind=blind, taxonomy=book, name=PERSON) as driver:
        await driver.walk()
        for keys in (
            ["?"],
            ["m"],
            ["i"],
            ["ctrl+p"],
            ["/", "o", "w", "n", "enter", "n", "N"],
            ["v", "e", "x"],
        ):
            await driver.press(*keys)
            await driver.press(*["down"] * 3)
            if driver.app.screen is not driver.review:
                await driver.press("escape")
            assert driver.app.screen is driver.review, keys
        driver.review.say(TEXT, bad=True)
        await driver.settle()
        driver.look()
        await driver.click_everywhere(stride=3)
        await driver.press("r", "1")
        await driver.press("u")
        assert driver.app.is_running and not driver.app.opened
    if size[0] > 100:
        assert "[@click=app.quit]bye[/]" in driver.text and "␛]52;c;" in driver.text


def test_no_byte_of_it_reaches_a_terminal(store: tuple[list[object], str]) -> None:
    before, trace = store
    written = b""
    with Terminal(*before, "label", "--as", PERSON, "--assisted", size=(200, 50)) as terminal:
        terminal.wait_for("quit")
        for keys in ("l", "l", "?", "\x1b", "m", "\x1b", "i", "\x1b", "v", "1", "r1", "u", "\x10", "\x1b"):
            terminal.send(keys)
            terminal.read(0.2)
        terminal.read(0.5)
        terminal.send("q")
        assert terminal.ended() == 0
        written += terminal.written
    for command in (
        ["show", trace],
        ["traces"],
        ["history", trace],
        ["show", trace, "--raw"],
        ["show", TERMINAL],
    ):
        with Terminal(*before, *(str(word).replace("\0", "") for word in command)) as terminal:
            terminal.ended(20)
            written += terminal.written
    for pattern in BYTES:
        assert bytes.fromhex(pattern) not in written, bytes.fromhex(pattern)
    assert b"\xe2\x80\xae" not in written and "␛]52;c;".encode() in written
