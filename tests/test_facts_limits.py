"""Facts on odd, nasty, large and real traces: nothing raises, every quote stands, cost stays linear."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.facts import (
    diff_states,
    facts,
    results,
)
from reviewer.facts.shell import commands
from reviewer.facts.texts import step_texts
from reviewer.importers.finding.files import open_source
from reviewer.trace import Outcome, Trace
from tests.traces import SHARED, bash, call, says, trace

ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    ["bash", "Edit", "", "str_replace_editor", "cancel_x", "apply_patch", "finish", "python"]
)
COMMANDS = st.text(alphabet="ab '\"\\<>|&;()\n$`-#sedirm=EOF", max_size=60)
ARGUMENTS = (
    ODD | COMMANDS | st.fixed_dictionaries({"command": COMMANDS | ODD}) | st.just({"path": 1, "order_id": 2})
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(NAMES, ARGUMENTS, st.text(max_size=30), st.booleans()), max_size=5), ODD, ODD)
def test_odd_values_never_raise(parts: list[tuple[str, Any, str, bool]], want: Any, have: Any) -> None:
    steps = [call(name, arguments, output, error) for name, arguments, output, error in parts]
    outcome = Outcome(detail=want, expected_state=want, final_state=have)
    found = facts(trace(*steps), (outcome,))
    assert len(found.writes) <= len(steps)
    assert diff_states(want, want).same


@settings(max_examples=200, deadline=None)
@given(COMMANDS)
def test_every_quote_of_a_fact_stands_in_its_step(text: str) -> None:
    sample = trace(bash(text, text, 1), bash("pytest", f"{text}\n1 failed", 1))
    found = facts(sample)
    for fact in (*found.errors, *found.checks):
        assert (
            any(fact.quote in words for _, words in step_texts(sample.steps[fact.step - 1])) or not fact.quote
        )


def test_values_that_are_no_json_do_not_raise() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert facts(trace(call("bash", {1, 2}), call("bash", loop), call("x", {"a": b"x", 1: 2}))).writes == ()


@pytest.mark.parametrize(
    "text", ['"' * 30_000, "'" * 29_999, '\\"' * 15_000, '"\\' * 15_000, "<<A\n" * 8_000, "((" * 15_000]
)
def test_nasty_commands_are_split_in_linear_time(text: str) -> None:
    start = time.process_time()
    commands(text)
    assert time.process_time() - start < 0.5


def test_cost_grows_with_the_steps_and_not_with_their_square() -> None:
    def cost(n: int) -> float:
        steps = [bash(f"cat src/{i % 90}.py; ls {i}", "text " * 90, i % 3) for i in range(n)]
        start = time.process_time()
        facts(trace(*steps))
        return time.process_time() - start

    cost(200)
    assert cost(4_000) < 12 * max(cost(1_000), 0.01)


def test_a_result_of_20_mb_costs_its_ends() -> None:
    big = "some line of output, neither good nor bad\n" * 500_000
    sample = trace(
        bash("pytest", big, 1), call("Write", {"file_path": "a", "content": big}, big), says("\n" * 10**7)
    )
    start = time.process_time()
    facts(sample)
    assert time.process_time() - start < 2


@pytest.mark.parametrize("folder", ["mini_swe_agent", "claude_code"])
def test_facts_of_real_traces(folder: str) -> None:
    for sample, outcomes in real(folder):
        found = facts(sample, outcomes)
        for fact in (*found.errors, *found.checks):
            texts = [words for _, words in step_texts(sample.steps[fact.step - 1])]
            assert any(fact.quote in words for words in texts) or not fact.quote
        assert found.claim is None or found.claim.quote


def real(folder: str) -> list[tuple[Trace, tuple[Outcome, ...]]]:
    if not (SHARED / "traces" / folder).is_dir():
        pytest.skip("the shared real traces are not on this machine")
    out = []
    for path in sorted((SHARED / "traces" / folder).iterdir()):
        if path.is_file():
            try:
                importer, source = open_source(path)
                out += [(item.trace, item.outcomes) for item in importer.read(source)]
            except InputError:
                continue
    assert out
    return out


def named(folder: str, steps: int) -> Trace:
    """The real trace with this many steps."""
    return next(sample for sample, _ in real(folder) if len(sample.steps) == steps)


def test_facts_checked_by_hand_on_a_long_run() -> None:
    """192 steps at marshmallow: the last edit is at 181, three scripts are run after it, all go through."""
    found = facts(named("mini_swe_agent", 192))
    assert found.last_write is not None and found.last_write.step == 181
    assert [check.step for check in found.checks_after] == [184, 185, 186]
    assert {check.state for check in found.checks_after} == {"passed"}
    assert found.unrecovered == ()
    assert max(len(repeat.steps) for repeat in found.repeats) == 9


def test_facts_checked_by_hand_on_a_compacted_session() -> None:
    """19 steps in Go: compacted at 13, last edit at 15, then one test run, the suite and the linter."""
    found = facts(named("claude_code", 19))
    assert found.compactions == (13,)
    assert found.last_write is not None and found.last_write.step == 15
    assert [(c.step, c.kind, c.state) for c in found.checks_after] == [
        (16, "test", "passed"),
        (17, "test", "passed"),
        (18, "lint", "passed"),
    ]
    assert found.errors == () and [turn.step for turn in found.user_turns] == [11]


SAYINGS = [
    "2 failed", "3 errors in 1s", "FAILED (failures=1)", "FAIL x", "--- FAIL: TestX",
    "npm ERR! code 1", "error TS1005", "Traceback (most recent call last):", "BUILD FAILED",
    "Failed to compile", "not ok 3", "a.c:1: fatal error: x", "sh: x: command not found",
    "make: *** [all]", "E       assert 1", "KeyError: 1", "panic: nil", "ls: can't open file",
    "Segmentation fault", "No such file or directory", "Failures: 2", "connection timed out",
    "timed out after 9s", "ETIMEDOUT", "ECONNRESET", "EAI_AGAIN", "ENOSPC", "connection refused",
    "network is unreachable", "name resolution", "Could not resolve host", "Could not connect to x",
    "No space left on device", "Out of memory", "OOM", "rate limit", "Too Many Requests",
    "503 Service", "Bad Gateway", "overloaded_error", "is overloaded", "Internal Server Error",
    "quota", "Max retries exceeded", "SSL: x", "certificate verify failed", "read-only file system",
    "docker daemon", "container x has died", "ContainerDiedError", "exit status 137", "captcha",
    "access denied by x", "blocked by x", "Failed to fetch", "permission denied", "invalid value",
    "unable to", "missing x", "cannot", "couldn't", "can't",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from([*SAYINGS, "fine", "\n", " ", "\n\n", "İ", "can", "time", "errors"]), max_size=12
    )
)
def test_the_quick_search_finds_what_the_slow_one_finds(parts: list[str]) -> None:
    text = "".join(parts)
    for pattern in results._HINTS:
        quick, slow = results._first(pattern, text), pattern.search(text)
        assert (quick and quick.span()) == (slow and slow.span())


@pytest.mark.parametrize("saying", SAYINGS)
def test_every_saying_is_known_to_a_pattern(saying: str) -> None:
    assert any(results._first(pattern, saying) for pattern in results._HINTS)
