"""The 17 answers of the shared judge stub, over HTTP: each ends as a suggestion or as a reason."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from reviewer import taxonomy
from reviewer.errors import SuggesterStopped
from reviewer.label import Suggestion
from reviewer.suggest.runner import run
from tests.conftest import SHARED
from tests.suggest.claude.kitchen import asking
from tests.suggest.claude.server import Loopback
from tests.traces import says, trace, user

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
