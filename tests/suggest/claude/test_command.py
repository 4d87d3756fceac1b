"""`suggest --with claude` from the command line: consent first, nothing twice, one line when it stops."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer.cli import out
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran
from tests.suggest.claude.server import Loopback, blocks, error, message

Run = Callable[..., Ran]
ANSWER = {"failure_mode": "other", "rationale": "It stopped early.", "evidence": [], "confidence": 0.5}


@pytest.fixture
def run(reviewer: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A store with the traces of one sample, and a key."""
    assert reviewer("import", SAMPLES / "plain" / "front-desk.json").status == 0
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789abcdef")
    return reviewer


def count(run: Run) -> int:
    return int(json.loads(run("status", "--json").out)["traces"])


def test_nothing_is_sent_before_a_yes_and_the_yes_holds_for_this_store_and_place(run: Run) -> None:
    with Loopback(message(ANSWER)) as server, Loopback(message(ANSWER)) as other:
        refused = run("suggest", "--with", "claude", "--base-url", server.url)
        assert refused.status == 1 and server.seen == []
        assert server.url in refused.err and "--yes" in refused.err
        assert "Traceback" not in refused.err
        agreed = run("suggest", "--with", "claude", "--base-url", server.url, "--limit", 1, "--yes", "--json")
        assert agreed.status == 0 and len(server.seen) == 1
        assert json.loads(agreed.out)["counts"] == {"ok": 1}
        again = run("suggest", "--with", "claude", "--base-url", server.url, "--limit", 1)
        assert again.status == 0 and len(server.seen) == 2  # another trace, and no question
        elsewhere = run("suggest", "--with", "claude", "--base-url", other.url)
        assert elsewhere.status == 1 and other.seen == []


def test_nothing_is_asked_twice(run: Run) -> None:
    with Loopback(message(ANSWER)) as server:
        arguments = ("suggest", "--with", "claude", "--base-url", server.url, "--yes")
        assert run(*arguments).status == 0
        assert len(server.seen) == count(run)
        again = run(*arguments)
        assert again.status == 0 and "nothing to do" in again.out
        assert len(server.seen) == count(run)


def test_what_has_no_price_is_not_said_to_cost_nothing(run: Run) -> None:
    arguments = ("suggest", "--with", "claude", "--yes", "--concurrency", 1)
    with Loopback(message(ANSWER, model="tiny-local")) as server:
        ran = run(*arguments, "--base-url", server.url, "--limit", 2)
        assert ran.status == 0 and "no price known" in ran.out and "no price known" in ran.err
        assert "$" not in ran.out + ran.err
        found = json.loads(run(*arguments, "--base-url", server.url, "--json", "--limit", 1).out)
        assert found["cost"] is None
        server.answers = (message(ANSWER), message(ANSWER, model="tiny-local"))
        server.seen.clear()
        mixed = run(*arguments, "--base-url", server.url, "--limit", 2, "--effort", "low")
        assert "$0.0002 spent and more without a known price" in mixed.out


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        *(
            (0, "$0"),
            (1e-9, "under $0.0001"),
            (4e-5, "under $0.0001"),
            (5e-5, "$0.0001"),
            (0.0031, "$0.0031"),
        ),
        *((0.0049, "$0.0049"), (0.5, "$0.5000"), (1, "$1.00"), (12.4, "$12.40"), (1234.5, "$1,234.50")),
    ],
)
def test_a_sum_has_digits_enough_to_be_read(amount: float, said: str) -> None:
    assert out.dollars(amount) == said


def test_no_money_asks_nothing_and_says_so(run: Run) -> None:
    with Loopback(message(ANSWER)) as server:
        arguments = ("suggest", "--with", "claude", "--yes", "--base-url", server.url, "--max-cost", 0)
        ran = run(*arguments)
        assert ran.status == 0 and "--max-cost reached" in ran.err and "went beyond" not in ran.err
        batch = run(*arguments, "--batch")
        assert batch.status == 0 and "nothing was sent" in batch.out and "--resume" not in batch.out
        assert server.seen == []


def test_a_server_cannot_forge_a_line_of_ours(run: Run) -> None:
    category = "bio)\n9/9 t1-forged other, 2 of 2 quotes found\r\u2028 ghp_" + "a1B2c3D4" * 5
    refusal = blocks([], "refusal", stop_details={"category": category})
    with Loopback(refusal) as server:
        ran = run("suggest", "--with", "claude", "--yes", "--base-url", server.url, "--limit", 1)
        assert ran.status == 0 and len(ran.err.splitlines()) == 2, ran.err  # the consent, and one more
        assert "declined to judge this trace (bio) 9/9" in ran.err and "a1B2c3D4" not in ran.err


def test_another_model_or_setting_is_another_question(run: Run, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("You judge, and briefly.")
    with Loopback(message(ANSWER)) as server:
        arguments = ("suggest", "--with", "claude", "--base-url", server.url, "--yes")
        assert run(*arguments).status == 0
        n = count(run)
        for change in (("--model", "claude-other"), ("--prompt", words), ("--budget", 9000)):
            more = run(*arguments, *change, "--limit", 2)
            assert more.status == 0 and f"{n} traces were judged with another model" in more.err
        assert len(server.seen) == n + 6
        assert run(*arguments, "--model", "claude-other").status == 0  # the rest, and nothing twice
        for same in ((), ("--model", "claude-other")):
            assert "nothing to do" in run(*arguments, *same).out
        assert len(server.seen) == 2 * n + 4


def test_without_a_key_one_line_says_what_to_do(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(tmp_path / "none"))
    done = run("suggest", "--with", "claude", "--yes")
    assert done.status == 1 and done.out == ""
    assert "ANTHROPIC_API_KEY" in done.err and "--with rules" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_refused_key_stops_after_one_call_and_the_reason_is_kept(run: Run) -> None:
    with Loopback(error(401, "authentication_error", "invalid x-api-key"), message(ANSWER)) as server:
        arguments = ("suggest", "--with", "claude", "--base-url", server.url, "--yes")
        done = run(*arguments)
        assert (done.status, len(server.seen)) == (1, 1)
        assert done.err.splitlines()[-1].startswith("reviewer: stopped: the API key was refused (401)")
        assert run(*arguments).status == 0  # the key is good now: everything is asked
    with Store.open(tmp_store()) as store:
        newest = store.suggestions.all()
        assert {one.status for one in newest} == {"ok"} and len(newest) == count(run)
        assert all("0123456789" not in repr(one) for one in newest)


def tmp_store() -> Path:
    import os

    return Path(os.environ["REVIEWER_STORE"])


def test_what_failed_before_comes_last(run: Run) -> None:
    with Loopback(error(400, "invalid_request_error", "too long")) as server:
        run("suggest", "--with", "claude", "--base-url", server.url, "--yes", "--limit", 1)
        first = server.seen[0]["messages"]
    with Loopback(message(ANSWER)) as server:
        run("suggest", "--with", "claude", "--base-url", server.url, "--yes", "--concurrency", 1)
        asked = [body["messages"][0]["content"][1]["text"] for body in server.seen]
    assert len(asked) == count(run)
    tail = first[0]["content"][1]["text"].splitlines()[1]
    assert tail in asked[-1]


def test_a_dry_run_counts_and_a_payload_shows_and_neither_sends(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with Loopback() as server:
        place = ("--with", "claude", "--base-url", server.url)
        found = json.loads(run("suggest", *place, "--dry-run", "--json").out)
        assert found["traces"] == count(run) and found["tokens_in"] > 1000 and found["cost"] > 0
        told = run("suggest", *place, "--dry-run").out
        assert found["prices_as_of"] in told and f"about ${found['cost']:.4f} at prices" in told
        little = run("suggest", *place, "--dry-run", "--limit", 1).out  # a little is not nothing
        assert re.search(r"about \$0\.00\d*[1-9]\d* at prices", little), little
        unknown = json.loads(run("suggest", *place, "--model", "mine", "--dry-run", "--json").out)
        assert unknown["cost"] is None
        (shown,) = json.loads(run("suggest", *place, "--limit", 1, "--show-payload", "--json").out)
        assert shown["url"] == f"{server.url}/v1/messages" and shown["body"]["model"] == "claude-haiku-5-5"
        assert server.seen == []


def test_the_money_is_held_to(run: Run) -> None:
    with Loopback(message(ANSWER)) as server:
        arguments = ("suggest", "--with", "claude", "--base-url", server.url, "--yes")
        done = run(*arguments, "--max-cost", "0.0000001")
        assert done.status == 0 and len(server.seen) == 1
        assert "--max-cost reached" in done.err
        assert run(*arguments, "--max-cost", "1", "--model", "mine").status == 1
        assert len(server.seen) == 1


@pytest.mark.parametrize("option", [["--yes"], ["--model", "x"], ["--dry-run"], ["--max-cost", "1"]], ids=str)
def test_options_of_claude_go_with_claude_only(run: Run, option: list[str]) -> None:
    assert run("suggest", *option).status == 2


def test_the_library_is_loaded_when_it_is_used_and_not_before(run: Run) -> None:
    code = (
        "import sys; from reviewer import cli; "
        "cli.run(['suggest', '--with', 'claude', '--dry-run']); "
        "print([name for name in ('anthropic', 'httpx2', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
