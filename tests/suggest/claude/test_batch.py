"""`--batch` and `--resume` over real HTTP: handed over and fetched once, each request a mode or a reason."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from reviewer import settings
from reviewer.cli import fetching
from reviewer.store import Store
from tests.conftest import SAMPLES, SHARED, Ran
from tests.suggest.claude.batch_server import BatchLoopback, errored, good
from tests.suggest.claude.server import Loopback, error, message

Run = Callable[..., Ran]
ANSWER = {"failure_mode": "other", "rationale": "It stopped early.", "evidence": [], "confidence": 0.5}
STUB = SHARED / "hostile" / "cases" / "64-judge-stub-responses" / "stub"
CLAUDE = ("suggest", "--with", "claude")


@pytest.fixture
def run(reviewer: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    assert reviewer("import", SAMPLES / "plain", SAMPLES / "tau_bench").status == 0
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789abcdef")
    return reviewer


def suggestions() -> list[Any]:
    with Store.open(settings.store_path(None)) as store:
        return store.suggestions.all()


def send(run: Run, server: Loopback, *more: object) -> Ran:
    return run(*CLAUDE, "--base-url", server.url, "--yes", "--batch", *more)


def resume(run: Run, status: int = 0) -> Any:
    ran = run(*CLAUDE, "--resume", "--json")
    assert ran.status == status, ran
    return json.loads(ran.out)


def traces(run: Run) -> int:
    return int(json.loads(run("status", "--json").out)["traces"])


def test_a_batch_is_sent_left_fetched_and_repeats_nothing(run: Run) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        server.ended = False
        sent = send(run, server)
        assert sent.status == 0 and f"{traces(run)} requests" in sent.out and "--resume" in sent.out
        (requests,) = server.batches.values()
        assert len({one["custom_id"] for one in requests}) == len(requests) == traces(run)
        cached = requests[0]["params"]["system"][0]["cache_control"]
        assert cached == {"type": "ephemeral", "ttl": "1h"}
        again = run(*CLAUDE, "--base-url", server.url)
        assert again.status == 0 and "wait in a batch" in again.out and server.seen == []
        assert send(run, server).status == 0 and len(server.batches) == 1
        early = run(*CLAUDE, "--resume")
        assert early.status == 0 and "under way" in early.err and suggestions() == []
        server.ended = True
        assert resume(run)["counts"] == {"ok": traces(run)}
        found = suggestions()
        assert {one.status for one in found} == {"ok"} and len(found) == traces(run)
        assert {one.usage["batch"] for one in found} == {"msgbatch_0"}
        assert found[0].cost == pytest.approx((1000 * 0.10 + 200 * 0.50 + 500 * 0.01) / 2e6)  # half the price
        assert resume(run)["batches"]["done"] == 0 and server.fetched == ["msgbatch_0"]
        assert "nothing to do" in run(*CLAUDE, "--base-url", server.url).out
        assert len(server.batches) == 1 and server.seen == []


def test_errors_expiry_silence_and_nonsense_are_reasons(run: Run) -> None:
    assert traces(run) >= 5
    kinds = iter([errored("too long"), {"type": "expired"}, {"type": "canceled"}, None, {"type": "odd"}])
    with BatchLoopback(lambda body: next(kinds, good("nonsense")(body))) as server:
        server.extra = b'not json\n{"custom_id": "of-another", "result": {"type": "expired"}}\n'
        assert send(run, server).status == 0
        resume(run)
    found = suggestions()
    reasons = sorted(one.reason for one in found)
    assert len(found) == traces(run) and all(one.status != "ok" and one.reason for one in found)
    for said in ("within the batch: too long", "expired before", "cancelled before", "without an answer"):
        assert any(said in reason for reason in reasons), said
    assert Counter(one.status for one in found)["failed"] == 5
    with BatchLoopback(good(ANSWER)) as server:  # what failed may be asked again, and only that
        assert send(run, server).status == 0
        assert sum(map(len, server.batches.values())) == 5


def test_our_key_in_a_result_is_not_stored(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "our-own-gateway")
    with BatchLoopback(lambda body: errored("the key our-own-gateway has no such model")) as server:
        send(run, server)
        resume(run, status=1)
    assert {one.reason for one in suggestions()} == {
        "refused within the batch: the key [masked key] has no such model"
    }


def test_a_fetch_that_breaks_off_goes_on_where_it_was(run: Run) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        send(run, server)
        server.torn = True
        broken = run(*CLAUDE, "--resume")
        server.torn = False
        assert broken.status == 1 and "broke off" in broken.err
        resume(run)
    found = suggestions()
    assert len(found) == traces(run) and {one.status for one in found} == {"ok"}
    with Store.open(settings.store_path(None)) as store:
        kept = [one for id in {one.trace_id for one in found} for one in store.suggestions.history(id)]
    assert len(kept) == traces(run)


def test_results_that_end_too_early_are_no_answers(run: Run) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        send(run, server)
        server.counting, server.short = True, 0.6
        broken = run(*CLAUDE, "--resume")
        some = len(suggestions())
        assert broken.status == 1 and f"broke off after {some} of {traces(run)}" in broken.err
        assert 0 < some < traces(run) and {one.status for one in suggestions()} == {"ok"}
        assert "wait in a batch" in run(*CLAUDE, "--base-url", server.url).out and server.seen == []
        server.short = 1.0
        assert resume(run)["counts"] == {"ok": traces(run) - some}
        assert len(server.batches) == 1


def test_a_server_that_never_gives_all_results_is_believed_after_a_while(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        send(run, server)
        server.counting, server.short = True, 0.6
        monkeypatch.setattr(fetching, "_PATIENCE", 0.0)
        assert resume(run)["batches"]["done"] == 1
    assert {one.reason for one in suggestions()} == {"", "the batch ended without an answer to this"}


def test_a_batch_whose_results_are_not_there_holds_up_no_other(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        send(run, server, "--limit", 2)
        send(run, server)
        server.hidden = {"msgbatch_0"}
        first = run(*CLAUDE, "--resume")
        assert first.status == 1 and "msgbatch_0: its results are not there (404)" in first.err
        assert "--base-url" not in first.err and "1 done, 1 stuck" in first.err
        assert len(suggestions()) == traces(run) - 2
        assert "2 wait in a batch" in run(*CLAUDE, "--base-url", server.url).out and server.seen == []
        monkeypatch.setattr(fetching, "_PATIENCE", 0.0)
        assert "can be asked again" in run(*CLAUDE, "--resume").err
        assert "no batch is under way" in run(*CLAUDE, "--resume").out
        server.answers = (message(ANSWER),)
        assert run(*CLAUDE, "--base-url", server.url).status == 0 and len(server.seen) == 2


def test_a_batch_that_another_account_does_not_see_is_not_given_up(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        send(run, server)
        batches, server.batches = server.batches, {}
        early = run(*CLAUDE, "--resume")
        assert early.status == 1 and "knows no such batch (404)" in early.err and "1 stuck" in early.err
        assert "wait in a batch" in run(*CLAUDE, "--base-url", server.url).out and server.seen == []
        server.batches = batches
        assert resume(run)["counts"] == {"ok": traces(run)}
        send(run, server, "--model", "claude-other")
        server.batches = {}
        monkeypatch.setattr(fetching, "_PATIENCE", 0.0)
        late = run(*CLAUDE, "--resume")
        assert late.status == 0 and "can be made again" in late.err


def test_a_limit_goes_on_behind_what_waits(run: Run) -> None:
    with BatchLoopback(good(ANSWER), message(ANSWER)) as server:
        send(run, server, "--limit", 2)
        again = send(run, server, "--limit", 2)
        assert again.status == 0 and "2 traces wait in a batch and are passed over" in again.err
        sent = [untagged(one["params"]["messages"]) for rows in server.batches.values() for one in rows]
        assert len(server.batches) == 2 and len(set(sent)) == 4
        assert run(*CLAUDE, "--base-url", server.url, "--limit", 1).status == 0
        assert untagged(server.seen[0]["messages"]) not in sent and len(server.seen) == 1


def untagged(body: Any) -> str:
    return re.sub(r"\b[0-9a-f]{16}\b", "", json.dumps(body, sort_keys=True))


@pytest.mark.parametrize("how", [(), ("--batch",)], ids=str)
def test_what_is_shown_before_is_what_is_sent_then_and_no_more(run: Run, how: tuple[str, ...]) -> None:
    with BatchLoopback(good(ANSWER), message(ANSWER)) as server:
        send(run, server, "--limit", 2)  # these wait
        place = (*CLAUDE, "--base-url", server.url, *how)
        shown = run(*place, "--show-payload", "--json")
        dry = run(*place, "--dry-run", "--json")
        assert "2 more wait in a batch" in shown.err and "2 more wait in a batch" in dry.err
        assert run(*place, "--yes").status == 0
        sent = [one["params"] for one in server.batches.get("msgbatch_1", ())] if how else server.seen
        rows = json.loads(shown.out)
        assert len(rows) == traces(run) - 2 == json.loads(dry.out)["requests"]
        assert sorted(untagged(one["body"]) for one in rows) == sorted(map(untagged, sent))
        assert {one["url"] for one in rows} == {f"{server.url}/v1/messages{'/batches' if how else ''}"}


def test_what_was_fetched_before_a_break_is_marked_as_done_and_not_taken_again(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_AT_ONCE", 1)
    with BatchLoopback(good(ANSWER)) as server:
        send(run, server)
        server.torn = True
        assert run(*CLAUDE, "--resume").status == 1
        with Store.open(settings.store_path(None)) as store:
            (batch,) = store.batches.open()
            items = store.batches.items(batch.id)
            assert [one.n for one in items if one.done] == [len(items) - 2, len(items) - 1]  # two came
            done = {one.request for one in items if one.done}
            assert all(store.suggestions.answered(request) for request in done)
            assert not any(store.batches.waiting(request) for request in done)
        server.torn = False
        assert resume(run)["counts"] == {"ok": traces(run) - 2}
    with Store.open(settings.store_path(None)) as store:
        assert store.batches.open() == [] and all(one.done for one in store.batches.items(batch.id))


def test_a_batch_whose_sending_was_cut_off_is_found_again(run: Run) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        server.deaf = True
        cut = send(run, server)
        assert cut.status == 1 and "may have arrived" in cut.err and len(server.batches) == 1
        server.deaf = False
        assert "wait in a batch" in run(*CLAUDE, "--base-url", server.url).out and server.seen == []
        server.ended = False
        assert resume(run)["batches"]["under_way"] == 1
        server.ended = True
        assert resume(run)["counts"] == {"ok": traces(run)}


@pytest.mark.parametrize("status", [408, 500, 502, 504, 529])
def test_a_batch_that_was_taken_though_a_gateway_says_otherwise_is_not_sent_twice(
    run: Run, status: int
) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        server.says = status
        cut = send(run, server)
        assert cut.status == 1 and "may have arrived" in cut.err and str(status) in cut.err
        server.says = 0
        assert "wait in a batch" in send(run, server).out + run(*CLAUDE, "--base-url", server.url).out
        assert len(server.batches) == 1 and server.seen == []
        assert resume(run)["counts"] == {"ok": traces(run)}


@pytest.mark.parametrize("hours", [-30, -0.2, 0.2, 30])
def test_a_batch_is_found_again_whatever_the_clocks_and_however_many_there_are(
    run: Run, hours: float
) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        server.skew, server.page = timedelta(hours=hours), 2
        server.deaf = True
        send(run, server)
        server.deaf = False
        for n in range(5):  # of others, among them some of the same size
            server.add(
                f"msgbatch_other{n}", [{"custom_id": f"x-{m}", "params": {}} for m in range(traces(run))]
            )
        assert resume(run)["counts"] == {"ok": traces(run)} and len(server.batches) == 6


def test_a_batch_that_may_still_be_on_its_way_is_not_given_up(run: Run) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        server.deaf = True
        send(run, server)
        late = server.batches.pop("msgbatch_0")
        server.deaf = False
        early = run(*CLAUDE, "--resume")
        assert early.status == 0 and "may have arrived" in early.err and "1 under way" in early.err
        assert "wait in a batch" in run(*CLAUDE, "--base-url", server.url).out and server.seen == []
        assert send(run, server).status == 0 and server.batches == {}
        server.batches["msgbatch_0"] = late
        assert resume(run)["counts"] == {"ok": traces(run)}


def test_a_batch_that_never_arrived_can_be_sent_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "_MAY_ARRIVE", 0.0)
    with BatchLoopback(good(ANSWER)) as server:
        server.deaf = True
        send(run, server)
        server.batches.clear()
        server.deaf = False
        assert resume(run)["batches"]["lost"] == 1
        assert send(run, server).status == 0 and len(server.batches) == 1


@pytest.mark.parametrize("status", [401, 403, 404, 413, 429])
def test_a_batch_that_is_not_taken_is_a_line(run: Run, status: int) -> None:
    with Loopback(error(status, "some_error", "no")) as server:
        ran = send(run, server)
    assert (
        ran.status == 1 and "not taken" in ran.err and str(status) in ran.err and "Traceback" not in ran.err
    )
    with BatchLoopback(good(ANSWER)) as server:
        assert send(run, server).status == 0 and len(server.batches) == 1


def test_a_trace_that_changed_meanwhile_is_not_judged_by_the_old_answer(run: Run, tmp_path: Path) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        send(run, server)
        with Store.open(settings.store_path(None)) as store, store.write():
            store._connection.db.execute("UPDATE traces SET content_hash = 'another'")
        resume(run, status=1)
    found = suggestions()
    assert found and all(one.status == "failed" and "changed" in one.reason for one in found)


def test_the_estimate_keeps_a_batch_within_the_money(run: Run) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        ran = send(run, server, "--max-cost", "0.000001")
        assert ran.status == 0 and "were not sent" in ran.err and server.batches == {}


def long(tmp_path: Path, steps: int, lines: int) -> Path:
    """A trace of so many steps, each with a result of so many lines."""
    rows = [
        {"step": n, "thought": f"Turn {n}.", "action": {"tool": "bash", "arguments": {"command": f"cat {n}"}},
         "observation": "a line of the file that is long enough\n" * lines}
        for n in range(1, steps)
    ]  # fmt: skip
    file = tmp_path / "long.json"
    file.write_text(json.dumps([{"id": "long", "task_id": "t", "task": "Read.", "trajectory": rows}]))
    return file


def test_segments_are_not_priced_as_one_long_prompt(reviewer: Run, tmp_path: Path) -> None:
    assert reviewer("import", long(tmp_path, 300, 60)).status == 0
    dry = json.loads(reviewer(*CLAUDE, "--dry-run", "--batch", "--json").out)
    assert dry["in_segments"] == 1 and dry["tokens_in"] > 200_000  # together beyond what has the low price
    with BatchLoopback(good(ANSWER)) as server:
        sent = send(reviewer, server, "--max-cost", dry["cost"], "--json")
        assert sent.status == 0 and len(server.batches) == 1, sent
        assert 0 < json.loads(sent.out)["estimate"] <= dry["cost"]


def test_the_verdict_that_follows_the_segments_is_within_the_money_too(reviewer: Run, tmp_path: Path) -> None:
    assert reviewer("import", long(tmp_path, 300, 60)).status == 0
    dry = json.loads(reviewer(*CLAUDE, "--dry-run", "--batch", "--json").out)
    with BatchLoopback(good(ANSWER)) as server:
        sent = send(reviewer, server, "--max-cost", f"{dry['cost'] * 0.97:.6f}")
        assert sent.status == 0 and "1 trace would go beyond it" in sent.err and server.batches == {}


def noted(body: dict[str, Any]) -> Any:
    """Findings or a verdict, as is asked for."""
    if "findings" not in body["output_config"]["format"]["schema"]["properties"]:
        return good(ANSWER)(body)
    finding = {"step": 1, "quote": "Turn 1.", "what": "It began.", "mode": "other"}
    return good({"summary": "It reads files.", "findings": [finding]})(body)


def test_verdicts_that_cannot_be_asked_for_yet_are_not_forgotten(reviewer: Run, tmp_path: Path) -> None:
    assert reviewer("import", long(tmp_path, 60, 60)).status == 0
    with BatchLoopback(noted) as server:
        send(reviewer, server, "--budget", 4000, "--segments", 3)
        server.refuses = 429
        for _ in range(2):
            refused = reviewer(*CLAUDE, "--resume")
            assert refused.status == 1 and "1 stuck" in refused.err, refused
            assert "1 long trace read, the verdict of each still to be asked for" in refused.err
        assert server.fetched == ["msgbatch_0"] and suggestions() == []  # what is here is not fetched again
        server.refuses = 0
        assert resume(reviewer)["batches"]["sent"] == 1 and len(server.batches["msgbatch_1"]) == 1
        assert resume(reviewer)["counts"] == {"ok": 1}


def test_a_batch_that_is_not_taken_is_said_in_json_too(run: Run) -> None:
    with BatchLoopback(good(ANSWER)) as server:
        server.refuses = 429
        ran = send(run, server, "--json")
    assert ran.status == 1
    found = json.loads(ran.out)
    assert found["batches"] == 0 and "not taken" in found["stopped"]


def test_long_traces_are_read_in_one_batch_and_judged_in_the_next(reviewer: Run, tmp_path: Path) -> None:
    assert reviewer("import", long(tmp_path, 60, 60)).status == 0

    with BatchLoopback(noted) as server:
        sent = reviewer(
            *CLAUDE, "--base-url", server.url, "--yes", "--batch", "--budget", 4000, "--segments", 3
        )
        assert sent.status == 0 and len(server.batches["msgbatch_0"]) == 3, sent
        first = resume(reviewer)
        assert first["batches"] == {"done": 1, "under_way": 0, "sent": 1, "lost": 0} and suggestions() == []
        assert len(server.batches["msgbatch_1"]) == 1
        assert resume(reviewer)["counts"] == {"ok": 1}
        (found,) = suggestions()
        assert found.usage["requests"] == 4 and "read in 3 segments" in found.omitted
        assert found.usage["input_tokens"] == 4000 and found.cost == pytest.approx(
            4 * (1000 * 0.10 + 200 * 0.50 + 500 * 0.01) / 2e6
        )
        assert message(ANSWER).body["usage"]["input_tokens"] == 1000


@pytest.mark.skipif(not STUB.is_dir(), reason="the judge stub is not beside this checkout")
def test_each_answer_of_the_judge_stub_is_a_suggestion_or_a_reason_in_a_batch_too(
    reviewer: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789abcdef")
    answers = {int(file.name[:2]): json.loads(file.read_text()) for file in STUB.glob("*.json")}
    step = {"step": 1, "thought": "ls", "action": {"tool": "bash", "arguments": {}}, "observation": "ls"}
    runs = [{"id": f"{n}", "task_id": f"{n}", "task": f"task {n}", "trajectory": [step]} for n in answers]
    (tmp_path / "runs.json").write_text(json.dumps(runs))
    assert reviewer("import", tmp_path / "runs.json").status == 0

    def result(body: dict[str, Any]) -> dict[str, Any] | None:
        (n,) = set(map(int, re.findall(r"task (\d+)", json.dumps(body["messages"]))))
        given = answers[n]
        if "body" not in given:
            return None if n % 2 else {"type": "succeeded", "message": given.get("raw", "no message at all")}
        return {"type": "succeeded" if given["status"] == 200 else "errored", **_held(given)}

    with BatchLoopback(result) as server:
        assert send(reviewer, server).status == 0
        resume(reviewer)
        assert len(server.batches) == 1 and server.seen == []
    found = suggestions()
    assert len(found) == len(answers) == 17
    assert all(one.mode if one.status == "ok" else one.reason and not one.mode for one in found)


def _held(given: dict[str, Any]) -> dict[str, Any]:
    return {"message": given["body"]} if given["status"] == 200 else {"error": given["body"]}
