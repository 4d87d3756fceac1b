"""Several requests at once, over real HTTP: bounded, saved as they come, stopped in good order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer import settings
from reviewer.store import Store
from tests.conftest import ROOT, Ran
from tests.suggest.claude.server import Answer, Loopback, error, message

Run = Callable[..., Ran]
ANSWER = {
    "rationale": "It stopped early.",
    "evidence": [{"step": 1, "quote": "Look at the place"}, {"step": 1, "quote": "nowhere"}],
    "facets": {"claim": "honest"},
    "failure_mode": "other",
    "confidence": 0.5,
}
CLAUDE = ("suggest", "--with", "claude", "--yes")


@pytest.fixture
def run(reviewer: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Forty traces and a key."""
    runs = [
        {
            "id": f"run-{n}",
            "task_id": f"t{n}",
            "task": f"Task number {n}.",
            "trajectory": [
                {"step": 1, "thought": f"Look at the place {n}.", "action": {"tool": "bash", "arguments": {}}}
            ],
        }
        for n in range(40)
    ]
    file = tmp_path / "runs.json"
    file.write_text(json.dumps(runs))
    assert reviewer("import", file).status == 0
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789abcdef")
    return reviewer


def slow(seconds: float = 0.05) -> Answer:
    answer = message(ANSWER)
    return Answer(body=answer.body, pause=seconds)


def stored() -> list[Any]:
    with Store.open(settings.store_path(None)) as store:
        return store.suggestions.all()


def test_as_many_as_were_asked_for_are_under_way_and_no_more(run: Run) -> None:
    with Loopback(slow()) as server:
        done = run(*CLAUDE, "--base-url", server.url, "--concurrency", 6, "--json")
        assert done.status == 0 and json.loads(done.out)["counts"] == {"ok": 40}
        assert len(server.seen) == 40 and server.most_open == 6
        tasks = {body["messages"][0]["content"][1]["text"] for body in server.seen}
        assert len(tasks) == 40  # also those that were planned in the other process
        assert len({json.dumps(body["system"]) for body in server.seen}) == 1
    found = stored()
    assert len(found) == 40 and all(one.facets == {"claim": "honest"} for one in found)
    assert "1 of 2 quotes found" in done.err and "40/40" in done.err and " left" in done.err


def test_the_first_goes_alone_until_one_came_back_well(run: Run) -> None:
    with Loopback(error(401, "authentication_error", "no")) as server:
        assert run(*CLAUDE, "--base-url", server.url, "--concurrency", 16).status == 1
        assert len(server.seen) == 1
    assert [one.status for one in stored()] == ["failed"]


def test_a_key_that_is_refused_later_stops_what_has_not_begun(run: Run) -> None:
    refused = error(401, "authentication_error", "no more")
    with Loopback(*[slow()] * 9, refused) as server:
        done = run(*CLAUDE, "--base-url", server.url, "--concurrency", 4)
        assert done.status == 1 and "stopped: the API key was refused" in done.err
        assert 10 <= len(server.seen) <= 13
    by_status = [one.status for one in stored()]
    assert by_status.count("ok") == 9 and len(by_status) == len(server.seen)


def test_failures_in_a_row_stop_the_run(run: Run) -> None:
    with Loopback(slow(), error(400, "invalid_request_error", "no")) as server:
        done = run(*CLAUDE, "--base-url", server.url, "--concurrency", 4)
        assert done.status == 1 and "8 traces in a row failed" in done.err
        assert 9 <= len(server.seen) <= 12
    assert len(stored()) == len(server.seen)


def test_a_page_in_place_of_answers_stops_the_run_and_everything_is_asked_later(run: Run) -> None:
    page = Answer(200, b"<html>Please agree to the terms of the hotel", {"content-type": "text/html"})
    with Loopback(page) as server:
        done = run(*CLAUDE, "--base-url", server.url)
        assert done.status == 1 and "8 traces in a row failed" in done.err and "text/html" in done.err
        assert len(server.seen) == 8
        server.answers = (slow(),)
        assert run(*CLAUDE, "--base-url", server.url).status == 0
    assert {one.status for one in stored()} == {"ok"} and len(stored()) == 40


def test_the_money_is_overshot_by_what_is_under_way_at_most(run: Run) -> None:
    cost = (1000 * 0.10 + 200 * 0.50 + 500 * 0.01) / 1e6
    with Loopback(slow()) as server:
        done = run(*CLAUDE, "--base-url", server.url, "--concurrency", 4, "--max-cost", f"{cost * 5.5:.9f}")
        assert done.status == 0 and 6 <= len(server.seen) <= 5 + 4 + 1
        assert "--max-cost reached" in done.err and "at most 4 requests under way" in done.err
        assert f"{40 - len(server.seen)} traces were not asked about" in done.err
    assert len(stored()) == len(server.seen)  # what is not asked about has no suggestion, and no failure


def test_a_run_that_is_stopped_says_in_json_what_there_is(run: Run) -> None:
    refused = error(401, "authentication_error", "no more")
    bad = error(400, "invalid_request_error", "no")
    with Loopback(*[slow()] * 3, bad, bad, refused) as server:
        done = run(*CLAUDE, "--base-url", server.url, "--concurrency", 1, "--json")
    found = json.loads(done.out)
    assert done.status == 1 and found["counts"] == {"ok": 3, "failed": 3} and found["cost"] > 0
    assert "the API key was refused" in found["stopped"] and "(3 answers before it are kept)" in done.err


def test_a_pause_that_the_server_asks_for_holds_for_all(run: Run) -> None:
    begun: list[float] = []

    def answer(body: dict[str, Any]) -> Answer:
        begun.append(time.monotonic())
        return error(429, "rate_limit_error", "slow down", retry_after="1") if len(begun) == 6 else slow(0.01)

    with Loopback(answer) as server:
        assert run(*CLAUDE, "--base-url", server.url, "--concurrency", 2, "--limit", 12).status == 0
    after = [at - begun[5] for at in begun[6:]]
    assert sum(0.2 < gap < 0.95 for gap in after) == 0 and sum(gap <= 0.2 for gap in after) <= 1


def test_ctrl_c_keeps_what_came_and_asks_nothing_twice(run: Run) -> None:
    slept = 20.0

    def answer(body: dict[str, Any]) -> Answer:
        return slow(slept if len(server.seen) == 13 else 0.5)

    with Loopback(answer) as server:
        command = [sys.executable, "-m", "reviewer", *CLAUDE, "--base-url", server.url, "--concurrency", "4"]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while len(server.seen) < 16 and process.poll() is None:
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGINT)
        begun = time.monotonic()
        _, said = process.communicate(timeout=30)
        assert process.returncode == 130 and time.monotonic() - begun < 12
        assert b"stopping" in said and b"Traceback" not in said, said
        first = len(stored())
        assert first == len(server.seen) - 1  # all but the one that hangs came home
        slept = 0.0
        asked = len(server.seen)
        assert run(*CLAUDE, "--base-url", server.url).status == 0
        assert len(server.seen) - asked == 40 - first
    assert len(stored()) == 40


def test_two_at_once_ask_nothing_twice(run: Run) -> None:
    with Loopback(slow(0.2)) as server:
        command = [sys.executable, "-m", "reviewer", *CLAUDE, "--base-url", server.url, "--concurrency", "4"]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while not server.seen and process.poll() is None:
            time.sleep(0.02)
        for more in ((), ("--batch",)):
            second = run(*CLAUDE, "--base-url", server.url, *more)
            assert second.status == 1 and "another `suggest --with claude` is at work" in second.err
        assert run(*CLAUDE[:3], "--resume").status == 1
        assert run(*CLAUDE, "--base-url", server.url, "--dry-run").status == 0  # asks nothing
        process.communicate(timeout=30)
        assert run(*CLAUDE, "--base-url", server.url).status == 0
        assert len(server.seen) == 40


def test_a_process_that_was_killed_stands_in_nobody_s_way(run: Run) -> None:
    with Loopback(slow(5)) as server:
        command = [sys.executable, "-m", "reviewer", *CLAUDE, "--base-url", server.url]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not server.seen and process.poll() is None:
            time.sleep(0.02)
        process.kill()
        process.wait()
        server.answers = (message(ANSWER),)
        assert run(*CLAUDE, "--base-url", server.url).status == 0


def test_a_planner_that_is_lost_costs_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with Loopback(message(ANSWER)) as server:
        assert run(*CLAUDE, "--base-url", server.url).status == 0
        assert len(server.seen) == 40
    assert {one.status for one in stored()} == {"ok"}


def test_the_outcome_is_told_on_request_and_that_is_kept(run: Run) -> None:
    with Loopback(message(ANSWER)) as server:
        assert run(*CLAUDE, "--base-url", server.url, "--limit", 1, "--tell-outcome").status == 0
    assert [one.settings["outcome"] for one in stored()] == ["used"]


def test_settings_may_stand_in_a_file_and_the_command_line_goes_before(run: Run, tmp_path: Path) -> None:
    folder = settings.config_dir()
    folder.mkdir(exist_ok=True)
    words = tmp_path / "judge.txt"
    words.write_text("You are strict about pans.")
    with Loopback(message(ANSWER)) as server:
        (folder / "suggest.toml").write_text(
            f'[claude]\nbase_url = "{server.url}"\nmodel = "from-file"\nprompt = "{words}"\neffort = "low"\n'
        )
        assert run(*CLAUDE, "--limit", 1, "--effort", "high").status == 0
        (body,) = server.seen
        assert body["model"] == "from-file" and body["output_config"]["effort"] == "high"
        assert body["system"][0]["text"].startswith("You are strict about pans.")
        (folder / "suggest.toml").write_text("[claude]\nspeed = 3\n")
        bad = run(*CLAUDE, "--limit", 1)
        assert bad.status == 1 and "speed" in bad.err and len(server.seen) == 1


def test_consent_stays_on_its_machine(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with Loopback(message(ANSWER)) as server:
        place = ("suggest", "--with", "claude", "--base-url", server.url, "--limit", 1)
        assert run(*place, "--yes").status == 0 and run(*place).status == 0 and len(server.seen) == 2
        monkeypatch.setenv("REVIEWER_CONFIG_DIR", str(tmp_path / "of another machine"))
        copied = run(*place)
        assert copied.status == 1 and "agreed to elsewhere" in copied.err and len(server.seen) == 2
        assert run(*place, "--yes").status == 0 and len(server.seen) == 3


def test_consent_covers_what_was_said_and_no_more(run: Run) -> None:
    with Loopback(message(ANSWER)) as server:
        place = ("suggest", "--with", "claude", "--base-url", server.url, "--limit", 1)
        masked = (*place, "--mask-personal")
        assert run(*masked, "--yes").status == 0 and run(*masked).status == 0 and len(server.seen) == 2
        wider = {
            place: "personal data",
            (*masked, "--tell-outcome"): "outcomes",
            (*masked, "--judge", "claude"): "verdicts",
        }
        for how, more in wider.items():
            asked = run(*how)
            assert asked.status == 1 and len(server.seen) == 2
            assert f"before, but not to sending: {more}." in asked.err and "elsewhere" not in asked.err
        # who agrees to more has agreed to less, and nothing is asked twice
        assert run(*place, "--tell-outcome", "--yes").status == 0
        for how in (place, (*place, "--tell-outcome"), (*masked, "--tell-outcome"), masked):
            assert run(*how).status == 0
        assert len(server.seen) == 7
        judged = run(*place, "--judge", "claude")
        assert judged.status == 1 and "verdict, reason and quotes" in judged.err


def test_a_project_that_teaches_is_not_said_to_be_a_copy(run: Run, tmp_path: Path) -> None:
    (tmp_path / "words.md").write_text("Be strict.", "utf-8")
    with Loopback(message(ANSWER)) as server:
        place = ("suggest", "--with", "claude", "--base-url", server.url, "--limit", 1)
        assert run(*place, "--yes").status == 0
        asked = run(*place, "--guidelines", str(tmp_path / "words.md"))
    assert asked.status == 1 and "elsewhere" not in asked.err and "not to sending: notes." in asked.err


def test_each_question_is_a_row_of_its_own_and_each_answer_to_it_stands_in_it(run: Run) -> None:
    renamed = message(ANSWER)
    with Loopback(renamed, renamed, renamed, error(400, "invalid_request_error", "no")) as server:
        place = ("suggest", "--with", "claude", "--base-url", server.url, "--yes", "--model", "asked-for")
        for more in ((), ("--tell-outcome",), ("--effort", "high"), ()):
            run(*place, "--limit", 1, *more)
    rows = json.loads(run("suggesters", "--json").out)
    rows = [row for row in rows if row["suggester"] == "claude"]
    assert {row["model"] for row in rows} == {"asked-for"} and len(rows) == 3
    assert [sum(row["answers"].values()) for row in rows] == [2, 1, 1]
    assert [(row["settings"]["outcome"], row["settings"]["effort"]) for row in rows] == [
        ("withheld", ""),
        ("used", ""),
        ("withheld", "high"),
    ]
    said = run("suggesters").out
    assert "effort high, outcome withheld" in said and "outcome used" in said and "budget" not in said
