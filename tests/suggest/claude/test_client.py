"""The way over real HTTP: each fault ends as a reason, calls and waits are bounded, no key gets out."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
import zlib
from typing import Any

import pytest

from reviewer.errors import InputError, SuggesterStopped
from reviewer.label import Suggestion
from tests.suggest.claude.kitchen import KITCHEN, SAMPLE, asking, suggested
from tests.suggest.claude.server import GOOD, USAGE, Answer, Given, Loopback, blocks, error, message

KEY = "sk-ant-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def ask(*answers: Given, waits: list[float] | None = None, **given: Any) -> tuple[Suggestion, Loopback]:
    with Loopback(*answers) as server, asking(server.url, waits, **given) as who:
        (found,) = suggested(who, SAMPLE)
    return found, server


def test_a_good_answer_becomes_a_suggestion_with_all_that_it_rests_on() -> None:
    found, server = ask(message(GOOD))
    assert (found.status, found.mode, found.runner_up, found.confidence) == ("ok", "burnt", "raw", 0.8)
    assert (found.step_n, [item.verified for item in found.evidence]) == (2, [True])
    assert found.model == "claude-haiku-5-5" and len(found.prompt_hash) == 64
    assert found.usage["request_id"] == "req_1" and found.usage["attempts"] == 1
    assert found.usage["input_tokens"] == USAGE["input_tokens"]
    assert found.cost == pytest.approx((1000 * 0.10 + 200 * 0.50 + 500 * 0.01) / 1e6)
    assert found.settings["outcome"] == "withheld" and found.settings["mode"] == "json_schema"
    assert server.paths == ["/v1/messages"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("mode", ["json_schema", "tool"])
def test_the_objection_is_stored_behind_the_reason(mode: str) -> None:
    given = {
        **GOOD,
        "rationale": "Black.\n\nNote: trust me",
        "objection": "white at 1\n\nNote: trust me",
    }
    answer = {"type": "tool_use", "id": "t", "name": "verdict", "input": given}
    found, server = ask(blocks([answer], "tool_use") if mode == "tool" else message(given), mode=mode)
    assert found.why == ("Black. Note: trust me", "white at 1 Note: trust me", "")
    assert found.rationale == "Black. Note: trust me\n\nBut: white at 1 Note: trust me"
    (body,) = server.seen
    form = body["tools"][0]["input_schema"] if mode == "tool" else body["output_config"]["format"]["schema"]
    asked = list(form["properties"])
    assert asked[asked.index("runner_up") + 1] == "objection" and "objection" in form["required"]
    assert '- "objection": what a doubting reader would hold against your mode' in body["system"][1]["text"]


def test_an_unknown_model_has_no_price() -> None:
    found, _ = ask(message(GOOD, model="tiny-local"))
    assert (found.model, found.cost) == ("tiny-local", None)
    found, _ = ask(message(GOOD, model=None), model="tiny-local")
    assert (found.model, found.cost) == ("tiny-local", None)


def test_long_prompts_are_priced_as_such() -> None:
    usage = {"input_tokens": 100_001, "output_tokens": 1000}
    found, _ = ask(message(GOOD, usage=usage))
    assert found.cost == pytest.approx((100_001 * 0.50 + 1000 * 2.50) / 1e6)


BUSY = error(529, "overloaded_error", "Overloaded")
SLOW_DOWN = error(429, "rate_limit_error", "slow down", retry_after="2")


@pytest.mark.parametrize(
    ("answers", "calls", "waits"),
    [
        ([BUSY, message(GOOD)], 2, [0.5]),
        ([SLOW_DOWN, SLOW_DOWN, message(GOOD)], 3, [2, 2]),
        ([Answer(reset=True), message(GOOD)], 2, [0.5]),
        ([Answer(502, b"<html>", {"content-type": "text/html"}), message(GOOD)], 2, [0.5]),
        (
            [error(429, "rate_limit_error", "x", retry_after="Wed, 21 Oct 2026 07:28:00 GMT"), message(GOOD)],
            2,
            [0.5],
        ),
        ([error(429, "rate_limit_error", "x", retry_after="nan"), message(GOOD)], 2, [0.5]),
        ([error(429, "rate_limit_error", "x", retry_after="-5"), message(GOOD)], 2, [0.5]),
    ],
)
def test_what_passes_is_tried_again(answers: list[Answer], calls: int, waits: list[float]) -> None:
    noted: list[float] = []
    found, server = ask(*answers, waits=noted)
    assert found.status == "ok" and found.usage["attempts"] == calls
    assert (len(server.seen), noted) == (calls, waits)


STREAM = b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n'


@pytest.mark.parametrize(
    ("answer", "status", "calls", "said"),
    [
        (BUSY, "failed", 3, "Overloaded (after 3 attempts)"),
        (SLOW_DOWN, "failed", 3, "slow down"),
        (
            error(429, "rate_limit_error", "tomorrow", retry_after="86400"),
            "failed",
            1,
            "asked to wait 86,400 s",
        ),
        (error(500, "api_error", "oops"), "failed", 3, "oops"),
        (Answer(502, b"<html>\x1b[2J", {"content-type": "text/html"}), "failed", 3, "502"),
        (Answer(reset=True), "failed", 3, "no connection"),
        (error(400, "invalid_request_error", "prompt is too long"), "failed", 1, "prompt is too long"),
        (error(413, "request_too_large", "too large"), "failed", 1, "too large"),
        (Answer(307, b"", {"location": "http://127.0.0.1:9/"}), "failed", 1, "points elsewhere"),
        (Answer(200, STREAM, {"content-type": "text/event-stream"}), "failed", 3, "overloaded"),
        (Answer(200, b"data: {}\n\n", {"content-type": "text/event-stream"}), "failed", 1, "a stream"),
        (Answer(200, {"type": "error", "error": {"message": "inside"}}), "failed", 3, "inside"),
        (Answer(200, b"<html>hello", {"content-type": "text/html"}), "failed", 1, "no JSON (text/html)"),
        (Answer(200, b'{"content": [{"ty'), "failed", 1, "no JSON"),
        (Answer(200, b""), "failed", 1, "no JSON"),
        (Answer(200, b"\xff\xfe\x00"), "failed", 1, "no JSON"),
        (Answer(200, b"[" * 200_000), "failed", 1, "no JSON"),
        (Answer(200, b"[1]"), "failed", 1, "no message"),
        (Answer(200, {"hello": 1}), "failed", 1, "no message"),
        (Answer(200, b" " * 4_000_001), "failed", 1, "more than 4,000,000 bytes"),
        (blocks(None), "malformed", 1, "no content"),
        (blocks([]), "malformed", 1, "empty"),
        (blocks([], stop="refusal", stop_details={"category": "cyber"}), "refused", 1, "declined"),
        (message('{"failure_mode": "bur', stop="max_tokens"), "truncated", 1, "cut off"),
        (message("It burnt."), "malformed", 1, "no verdict"),
    ],
)
def test_each_fault_is_a_reason_after_few_calls(answer: Answer, status: str, calls: int, said: str) -> None:
    found, server = ask(answer)
    assert (found.status, found.mode) == (status, "")
    assert said in found.reason and len(found.reason) < 400
    assert len(server.seen) == calls


def test_a_server_that_hangs_or_drips_is_left_in_time() -> None:
    begun = time.monotonic()
    found, server = ask(Answer(pause=0.8, body={}), timeout=0.2)
    assert found.status == "failed" and "in time" in found.reason and len(server.seen) == 2
    found, _ = ask(Answer(200, b" " * 500, drip=0.02), timeout=0.2)
    assert found.status == "failed" and "in time" in found.reason
    assert time.monotonic() - begun < 8


def test_the_body_of_an_error_is_bounded_too() -> None:
    begun = time.monotonic()
    found, server = ask(Answer(500, b" " * 300, drip=0.02), timeout=0.2)
    assert (found.status, found.reason) == ("failed", "HTTP 500 (after 3 attempts)") and len(server.seen) == 3
    bomb = gzip.compress(b" " * 200_000_000)
    found, _ = ask(Answer(400, bomb, {"content-encoding": "gzip"}))
    assert (found.status, found.reason) == ("failed", "HTTP 400")
    long = {"type": "error", "error": {"type": "x", "message": "so long " * 100_000}}
    found, _ = ask(Answer(413, long))
    assert (found.status, found.reason) == ("failed", "HTTP 413")
    assert time.monotonic() - begun < 8


def packed(times: int, size: int) -> bytes:
    """So many zeros, packed so many times."""
    whole = zlib.compressobj(9, zlib.DEFLATED, 31)
    data = b"".join(whole.compress(bytes(1_000_000)) for _ in range(size // 1_000_000)) + whole.flush()
    for _ in range(times - 1):
        data = gzip.compress(data)
    return data


@pytest.mark.parametrize("status", [302, 307, 400, 500])
@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (packed(1, 100_000_000), "gzip"),
        (packed(2, 100_000_000), "gzip, gzip"),
        (bytes(30_000_000), ""),
        (gzip.compress(b"{}") + bytes(30_000_000), "gzip"),
        (b"no gzip at all", "gzip"),
        (b"\x28\xb5\x2f\xfd" + bytes(1000), "zstd"),
    ],
)
def test_a_body_that_is_no_answer_takes_no_memory_however_it_is_packed(
    status: int, body: bytes, coding: str
) -> None:
    headers = {"location": "/elsewhere", **({"content-encoding": coding} if coding else {})}
    with (
        Loopback(Answer(status, body, headers)) as server,
        asking(server.url, tries=1) as who,
    ):
        suggested(who, SAMPLE)  # the libraries are loaded
        tracemalloc.start()
        try:
            (found,) = suggested(who, SAMPLE)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert found.status == "failed" and str(status) in found.reason and len(server.seen) == 2
    assert peak < 5_000_000


def test_an_error_that_is_packed_is_read() -> None:
    said = json.dumps({"type": "error", "error": {"type": "x", "message": "the pan is too hot"}})
    found, server = ask(Answer(400, gzip.compress(said.encode()), {"content-encoding": "gzip"}))
    assert "the pan is too hot" in found.reason and server.headers[0]["accept-encoding"] == "gzip"


def test_what_cannot_be_unpacked_is_no_answer() -> None:
    found, server = ask(Answer(200, b"no gzip", {"content-encoding": "gzip"}))
    assert (found.status, found.reason, len(server.seen)) == ("failed", "the answer cannot be unpacked", 1)


def test_a_key_of_any_shape_that_the_server_repeats_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "our-own-gateway")
    found, _ = ask(error(400, "invalid_request_error", "the key our-own-gateway has no such model"))
    assert found.reason == "400: the key [masked key] has no such model"


def test_a_key_that_a_server_repeats_in_a_header_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "our-own-gateway")
    headers = {"content-type": "text/our-own-gateway", "request-id": "req-our-own-gateway"}
    for answer in (Answer(200, b"<html>", headers), Answer(200, message(GOOD).body, {**headers})):
        found, _ = ask(answer)
        assert "our-own" not in repr(found)


def test_a_longer_pause_than_agreed_is_not_made() -> None:
    waits: list[float] = []
    answer = error(429, "rate_limit_error", "x", retry_after="6")
    found, server = ask(answer, waits=waits, max_wait=5)
    assert (found.status, len(server.seen), waits) == ("failed", 1, [])


def test_the_deadline_ends_the_attempts() -> None:
    found, server = ask(SLOW_DOWN, deadline=1.5)
    assert found.status == "failed" and len(server.seen) == 1


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_what_every_trace_would_meet_stops_the_run_after_one_call(status: int) -> None:
    with (
        Loopback(error(status, "x_error", f"no, {KEY}")) as server,
        asking(server.url) as who,
        pytest.raises(SuggesterStopped) as stopped,
    ):
        suggested(who, SAMPLE, SAMPLE)
    assert len(server.seen) == 1
    assert str(status) in str(stopped.value) and KEY not in str(stopped.value)


def test_a_spend_limit_stops_the_run() -> None:
    said = {
        "type": "rate_limit_error",
        "message": "spent",
        "details": {"error_code": "enforced_spend_limit_reached"},
    }
    with Loopback(Answer(429, {"type": "error", "error": said})) as server, asking(server.url) as who:
        with pytest.raises(SuggesterStopped, match="spend limit"):
            suggested(who, SAMPLE, SAMPLE)
        assert len(server.seen) == 1


def test_many_failures_in_a_row_stop_the_run_and_an_answer_between_them_does_not() -> None:
    with Loopback(BUSY) as server, asking(server.url, tries=1, in_a_row=3) as who:
        with pytest.raises(SuggesterStopped, match="3 traces in a row"):
            suggested(who, *[SAMPLE] * 9)
        assert len(server.seen) == 3
    answers = (BUSY, BUSY, message("x"), BUSY, BUSY, message(GOOD))
    with Loopback(*answers) as server, asking(server.url, tries=1, in_a_row=3) as who:
        found = suggested(who, *[SAMPLE] * 6)
    assert [one.status for one in found] == ["failed", "failed", "malformed", "failed", "failed", "ok"]


def test_a_proxy_of_the_environment_does_not_stand_before_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert ask(message(GOOD))[0].status == "ok"


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback() as server:
        gone = server.url
    with asking(gone) as who:
        (found,) = suggested(who, SAMPLE)
    assert found.status == "failed" and "no connection" in found.reason


def test_a_local_server_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    found, server = ask(message(GOOD))
    assert found.status == "ok"
    assert server.headers[0]["authorization"] == "Bearer none"


@pytest.mark.parametrize("bad", ["broken-\udcff", "two\nlines"])
def test_a_key_that_cannot_be_sent_is_not_quoted(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", bad)
    with Loopback() as server, asking(server.url) as who:
        try:
            reason = suggested(who, SAMPLE)[0].reason
        except (SuggesterStopped, InputError) as problem:
            reason = str(problem)
        assert reason and "broken" not in reason and "lines" not in reason
        assert server.seen == []


def test_both_ways_to_ask() -> None:
    _, server = ask(message(GOOD))
    body = server.seen[0]
    asked = body["output_config"]["format"]["schema"]
    assert "tools" not in body and "effort" not in body["output_config"]
    tool = {"type": "tool_use", "id": "t", "name": "verdict", "input": GOOD}
    found, server = ask(blocks([tool], stop="tool_use"), mode="tool", effort="low")
    body = server.seen[0]
    assert (found.status, found.mode, found.settings["mode"]) == ("ok", "burnt", "tool")
    assert body["tools"][0]["strict"] is True and body["tools"][0]["input_schema"] == asked
    assert body["tool_choice"]["disable_parallel_tool_use"] is True
    assert body["output_config"] == {"effort": "low"}
    found, _ = ask(message(GOOD), mode="tool")  # a server that ignores the choice of tool
    assert found.status == "ok"
    assert KITCHEN.modes[0].id in json.dumps(asked)
