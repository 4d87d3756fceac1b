"""What was judged before: once by each judge, and another model or prompt is another judge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reviewer.store import Store
from reviewer.suggest.claude.judging import NAME
from tests.conftest import Ran
from tests.history import put, session
from tests.suggest.claude.server import Loopback, message
from tests.suggest.claude.test_judging import answer, judge, propose, trace

Run = Callable[..., Ran]
__all__ = ["trace"]  # a fixture


def test_each_judge_looks_once_at_a_suggestion(
    store: Store, reviewer: Run, trace: str, tmp_path: Path
) -> None:
    propose(store, trace)
    words = tmp_path / "judge.md"
    words.write_text("Be fair to the agent.")
    with Loopback(message(answer("other"))) as server:
        for times, options in enumerate([(), ("--model", "m-2"), ("--prompt", words)], 1):
            assert "1 suggested" in judge(reviewer, server, "claude", *options).out
            assert len(server.seen) == times
        for options in [(), ("--model", "m-2"), ("--prompt", words)]:
            assert "nothing to do" in judge(reviewer, server, "claude", *options).out, options
        assert len(server.seen) == 3
    judged = [one for one in store.suggestions.history(trace) if one.suggester == NAME]
    assert len({one.request for one in judged}) == 3
    assert [one.settings["model"] for one in judged][1] == "m-2"


def test_what_no_judge_has_seen_comes_before_what_another_one_judged(
    store: Store, reviewer: Run, trace: str
) -> None:
    propose(store, trace)
    other = put(store, session(["so it is", "again"], "another"))
    with Loopback(message(answer("other"))) as server:
        assert judge(reviewer, server, "claude").status == 0
        new = propose(store, other)  # newer, and before the other all the same
        again = judge(reviewer, server, "claude", "--model", "m-2", "--limit", 1)
        assert again.status == 0 and "1 suggestion was judged with another model" in again.err
    (made,) = [one for one in store.suggestions.of(other) if one.suggester == NAME]
    assert made.usage["judges"] == new
