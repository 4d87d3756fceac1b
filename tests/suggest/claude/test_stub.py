"""The 17 answers of the shared judge stub, over HTTP: each ends as a suggestion or as a reason."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reviewer import taxonomy
from reviewer.errors import SuggesterStopped
from reviewer.label import Suggestion
from reviewer.suggest.claude.client import Client
from reviewer.suggest.claude.judging import Judge
from reviewer.suggest.claude.options import options
from reviewer.suggest.claude.suggester import Claude
from reviewer.suggest.runner import run
from tests.conftest import SHARED
from tests.suggest.claude.kitchen import asking
from tests.suggest.claude.server import Loopback
from tests.traces import bash, says, trace, user

STUB = SHARED / "faults" / "llm_stub.py"
ANSWERS = SHARED / "hostile" / "cases" / "64-judge-stub-responses" / "stub"
LOOPS = taxonomy.parse('id = "loops"\nversion = "1"\n[[mode]]\nid = "loop"\n[[mode]]\nid = "other"\n')

pytestmark = pytest.mark.skipif(
    not (STUB.is_file() and ANSWERS.is_dir()), reason="the judge stub is not beside this checkout"
)


@pytest.fixture
def stub(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    with Loopback() as free:
        port = free.server_address[1]
    log = tmp_path / "log"
    log.touch()
    arguments = [sys.executable, str(STUB), str(port), str(ANSWERS), str(log)]
    process = subprocess.Popen(arguments, stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        yield f"http://127.0.0.1:{port}", log
    finally:
        process.kill()
        process.wait()


def test_each_answer_is_a_suggestion_or_a_reason(
    stub: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    url, log = stub
    traces = {n: trace(user(f"task {n}"), says("ls\nls\nls"), id=f"t1-{n}") for n in range(1, 18)}
    saved: dict[str, Suggestion] = {}
    stopped = []
    with asking(url, timeout=1.0, max_wait=5, in_a_row=99) as who:
        for n, one in traces.items():
            try:
                run(
                    [(one, ())], who, LOOPS, lambda made: saved.update({made.trace_id: made}),
                    now=lambda: "now", new_id=lambda: "s",
                )  # fmt: skip
            except SuggesterStopped:
                stopped.append(n)
    assert stopped == [13]  # the refused key
    assert len(saved) == 17
    found = {int(one.trace_id[3:]): one for one in saved.values()}
    assert {n for n, one in found.items() if one.status == "ok"} == {1, 3, 8}
    assert all(one.mode == "loop" for one in found.values() if one.status == "ok")
    assert all(one.reason and not one.mode for one in found.values() if one.status != "ok")
    assert found[8].confidence is None and "refused" in found[8].omitted
    assert {n: one.status for n, one in found.items() if n in (2, 4, 5, 6, 7)} == {
        2: "malformed", 4: "malformed", 5: "truncated", 6: "refused", 7: "malformed",
    }  # fmt: skip
    calls = Counter(json.loads(line)["task"] for line in log.read_text().splitlines())
    assert max(calls.values()) <= 3
    assert calls[13] == calls[14] == calls[10] == 1


Way = dict[str, Any]
CLAIM = ["s0", "claude", "other", 1, "It went in circles.", [[1, "ls", True]]]
OTHER = ["t1-other", ["set", "another"], "List all files.", "other", "loop", 2, "Three times is a loop."]
WAYS: dict[str, Way] = {
    "judge": {"claims": {f"t1-{n}": CLAIM for n in range(1, 18)}},
    "taught": {"lessons": [OTHER], "guidelines": "Three times is a loop."},
    "in segments": {"budget": 1_000, "segments": 3},
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_so_it_is_for_a_judge_with_lessons_and_in_segments(
    stub: tuple[str, Path], way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "x")
    url, log = stub
    long = [bash(f"cat {n}", "a line of text\n" * 60) for n in range(30)] if "segments" in way else []
    traces = [trace(user(f"task {n}"), says("ls\nls\nls"), *long, id=f"t1-{n}") for n in range(1, 18)]
    given = {**way, "base_url": url, "timeout": 1.0, "max_wait": 5.0, "in_a_row": 99, "width": 1}
    chosen = options(given)
    saved: list[Suggestion] = []

    async def sleep(seconds: float) -> None:
        assert seconds <= 5

    begun = time.monotonic()
    for one in traces:
        who = (Judge if chosen.claims else Claude)(chosen, Client(chosen, sleep=sleep))
        try:
            run([(one, ())], who, LOOPS, saved.append, now=lambda: "now", new_id=lambda: "s")
        except SuggesterStopped:
            assert one.info.trace_id == "t1-13"  # the refused key
        finally:
            who.close()
    assert time.monotonic() - begun < 60
    assert [one.trace_id for one in saved] == [one.info.trace_id for one in traces]
    assert all(one.mode == "loop" if one.status == "ok" else one.reason and not one.mode for one in saved)
    good = {int(one.trace_id[3:]) for one in saved if one.status == "ok"}
    assert good == (set() if long else {1, 3, 8})  # a verdict holds no findings, and says so
    calls = Counter(json.loads(line)["task"] for line in log.read_text().splitlines())
    assert max(calls.values()) <= (9 if long else 3) and calls[13] == 1
