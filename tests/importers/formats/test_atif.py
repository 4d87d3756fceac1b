"""ATIF trajectories: steps one for one, sub-agents, copied context, and the trial of Harbor around them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import find, open_source
from reviewer.store import Store
from reviewer.trace import Trace
from tests.importers.reading import one, put, read, read_all, reasons

CALL = {"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "ls"}}


def step(n: int, source: str, message: Any = "", **more: Any) -> dict[str, Any]:
    return {"step_id": n, "source": source, "message": message, **more}


def run(*steps: Any, **more: Any) -> dict[str, Any]:
    agent = {"name": "a", "version": "1", "model_name": "m"}
    return {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": agent, "steps": list(steps), **more}


def trial(**more: Any) -> dict[str, Any]:
    return {
        "task_name": "t-1",
        "trial_name": "t-1__abc",
        "source": "bench",
        "agent_info": {"name": "a"},
        "agent_execution": {"started_at": "2026-01-01T00:00:00Z"},
        **more,
    }


@pytest.mark.parametrize("version", ["1.0", "1.3", "1.7", "1.8"])
def test_steps_are_ours_one_for_one(tmp_path: Path, version: str) -> None:
    results = [{"source_call_id": "c1", "content": "no", "extra": {"exit_code": 2}}]
    metrics = {"prompt_tokens": 10, "cached_tokens": 4, "completion_tokens": 3, "cost_usd": 0.5}
    value = run(
        step(1, "system", "rules"),
        step(2, "user", [{"type": "text", "text": "do"}, {"type": "image", "source": {"path": "a.png"}}]),
        step(
            5,
            "agent",
            "ok",
            reasoning_content="hm",
            tool_calls=[CALL],
            observation={"results": results},
            metrics=metrics,
        ),
    )
    trace = one(put(tmp_path, "x.json", {**value, "schema_version": f"ATIF-v{version}"})).trace
    assert [(s.source, s.message) for s in trace.steps] == [
        ("system", "rules"),
        ("user", "do\n[image, a.png]"),
        ("agent", "ok"),
    ]
    agent = trace.steps[2]
    assert (agent.number, agent.reasoning, agent.calls[0].name) == ("5", "hm", "bash")
    assert (agent.results[0].exit_code, agent.results[0].error) == (2, True)
    assert (trace.info.tokens_in, trace.info.tokens_out, trace.info.cost) == (10, 3, 0.5)
    assert (trace.info.task_id, trace.info.model, trace.info.agent, trace.info.ended) == (
        "s",
        "m",
        "a",
        "unknown",
    )
    assert (trace.info.n_messages, trace.info.n_tool_calls) == (3, 1)


def test_one_output_for_several_calls_belongs_to_none(tmp_path: Path) -> None:
    both = [CALL, {**CALL, "tool_call_id": "c2"}]
    value = run(step(1, "agent", tool_calls=both, observation={"results": [{"content": "all"}]}))
    (first,) = one(put(tmp_path, "x.json", value)).trace.steps
    assert (first.results[0].call_id, first.results[0].content) == ("", "all")


def test_sub_agents_in_the_file_are_children(tmp_path: Path) -> None:
    reference = {
        "content": None,
        "subagent_trajectory_ref": [{"trajectory_id": "k", "trajectory_path": "k.json"}],
    }
    child = {**run(step(1, "user", "sub"), step(2, "agent", "x")), "trajectory_id": "k", "session_id": "k"}
    value = run(
        step(1, "user", "go"),
        step(2, "agent", tool_calls=[CALL], observation={"results": [reference]}),
        subagent_trajectories=[child, {"steps": None}],
    )
    (parent, sub), notes = read_all(put(tmp_path, "x.json", value))
    assert parent.trace.steps[1].results[0].content == "[a sub-agent's run: k.json · k]"
    assert sub.trace.info.parent_id == parent.trace.info.trace_id
    assert sub.trace.info.parent_step == parent.trace.steps[1].stable_id
    assert (parent.trace.info.n_messages, sub.trace.info.n_messages) == (2, 2)
    assert "without steps" in reasons(notes)


def test_a_part_of_a_run_alone_says_so(tmp_path: Path) -> None:
    first = run(step(1, "user", "go"), continued_trajectory_ref="trajectory.cont-1.json")
    steps = one(put(tmp_path, "trajectory.json", first)).trace.steps
    assert "trajectory.cont-1.json" in steps[-1].message
    second = run(step(1, "user", "go", is_copied_context=True), step(2, "agent", "on"))
    kinds = [s.kind for s in one(put(tmp_path / "alone", "trajectory.cont-1.json", second)).trace.steps]
    assert kinds == ["injected", ""]


GO = step(1, "user", "go")
COPIED = step(1, "user", "go", is_copied_context=True)


def used(n: int, message: str, tokens: int) -> dict[str, Any]:
    return step(n, "agent", message, metrics={"prompt_tokens": tokens, "completion_tokens": 1})


def segments(folder: Path, *names: str, **more: Any) -> list[Path]:
    """A run in three files, each with its own step and what it copied; totals go on counting."""
    paths = []
    for n, name in enumerate(names):
        told = [step(2, "user", f"handed over {n}", is_copied_context=True)] if n else []
        after = {"continued_trajectory_ref": names[n + 1]} if n + 1 < len(names) else {}
        totals = {"final_metrics": {"total_prompt_tokens": 10 * (n + 1), "total_cost_usd": 0.5 * (n + 1)}}
        steps = [COPIED if n else GO, *told, used(3, f"part {n}", 10)]
        paths.append(put(folder, name, run(*steps, **after, **totals, **more)))
    return paths


@pytest.mark.parametrize(
    "names",
    [
        ("trajectory.json", "trajectory.cont-1.json", "trajectory.cont-2.json"),
        ("b.json", "c.json", "a.json"),
    ],
)
def test_a_run_in_several_files_is_one_trace(tmp_path: Path, names: tuple[str, ...]) -> None:
    alone = one(
        put(tmp_path / "alone", names[0], run(GO, used(3, "part 0", 10), continued_trajectory_ref="x"))
    )
    first, *others = segments(tmp_path, *names)
    for other in others:
        with pytest.raises(NotATrace, match=f"a later segment of the run in {names[0]}: import that"):
            read(other)
    found = one(first).trace
    assert [(s.kind, s.message) for s in found.steps] == [
        ("", "go"),
        ("", "part 0"),
        ("injected", "handed over 1"),
        ("", "part 1"),
        ("injected", "handed over 2"),
        ("", "part 2"),
    ]
    info = found.info
    assert (info.n_messages, info.tokens_in, info.cost, info.source_path) == (6, 30, 1.5, str(first))
    assert [value["session_id"] for value in json.loads(found.raw)] == ["s", "s", "s"]
    assert [s.stable_id for s in found.steps[:2]] == [s.stable_id for s in alone.trace.steps[:2]]


def test_a_run_that_goes_on_later_is_a_revision(tmp_path: Path, store: Store) -> None:
    first, second = segments(tmp_path, "t.json", "t.cont-1.json")
    text = second.read_text("utf-8")
    second.unlink()
    assert put_in(store, one(first).trace) == "new"
    second.write_text(text, encoding="utf-8")
    assert put_in(store, one(first).trace) == "updated"
    assert put_in(store, one(first).trace) == "unchanged"


def put_in(store: Store, trace: Trace) -> str:
    with store.write():
        return store.traces.put(trace, now="2026-01-01T00:00:00Z").kind


def test_totals_of_each_segment_are_added(tmp_path: Path) -> None:
    first = run(
        GO, used(2, "a", 10), final_metrics={"total_prompt_tokens": 10}, continued_trajectory_ref="b.json"
    )
    put(tmp_path, "b.json", run(COPIED, used(2, "b", 5), final_metrics={"total_prompt_tokens": 5}))
    assert one(put(tmp_path, "a.json", first)).trace.info.tokens_in == 15


def test_what_only_looks_like_a_segment_is_a_trace_of_its_own(tmp_path: Path) -> None:
    segments(tmp_path / "session", "a.json", "b.json", session_id="1")
    put(tmp_path / "session", "b.json", {**run(COPIED, step(2, "agent", "on")), "session_id": "2"})
    assert [len(one(tmp_path / "session" / name).trace.steps) for name in ("a.json", "b.json")] == [3, 2]
    put(tmp_path, "c.json", run(GO, continued_trajectory_ref="../session/../../etc/passwd"))
    put(tmp_path, "d.json", run(GO, step(2, "agent", "x"), continued_trajectory_ref="d.json"))
    assert [len(one(tmp_path / name).trace.steps) for name in ("c.json", "d.json")] == [2, 3]


def test_files_that_name_each_other_are_read_once(tmp_path: Path) -> None:
    put(tmp_path, "a.json", run(COPIED, step(2, "agent", "x"), continued_trajectory_ref="b.json"))
    put(tmp_path, "b.json", run(COPIED, step(2, "agent", "y"), continued_trajectory_ref="a.json"))
    assert [s.message for s in one(tmp_path / "a.json").trace.steps[:3]] == ["go", "x", "y"]
    with pytest.raises(NotATrace, match=r"in a\.json"):
        read(tmp_path / "b.json")


def test_what_stands_in_the_user_s_name_without_a_word_was_not_said_by_one(tmp_path: Path) -> None:
    results = {"results": [{"source_call_id": "c1", "content": "a"}]}
    value = run(
        step(1, "user", "go"), step(2, "agent", tool_calls=[CALL]), step(3, "user", observation=results)
    )
    steps = one(put(tmp_path, "x.json", value)).trace.steps
    assert [s.kind for s in steps] == ["", "", "injected"]
    assert steps[2].results[0].call_id == "c1"


def test_redacted_sources(tmp_path: Path) -> None:
    value = run(step(1, "<redacted>", "x"), step(2, "<redacted>", "y", tool_calls=[CALL]))
    (imported,), notes = read_all(put(tmp_path, "x.json", value))
    assert [s.source for s in imported.trace.steps] == ["system", "agent"]
    assert "unknown source" in reasons(notes)


@pytest.mark.parametrize(
    ("exception", "reward", "ended", "passed"),
    [
        (None, 1.0, "submitted", True),
        (None, 0.0, "submitted", False),
        ("AgentTimeoutError", 1.0, "timeout", True),
        ("VerifierTimeoutError", None, "submitted", None),
        ("ContextLengthExceeded", 0.0, "limit", False),
        ("RuntimeError", 0.5, "error", None),
    ],
)
def test_the_trial_gives_outcome_and_end(
    tmp_path: Path, exception: Any, reward: Any, ended: str, passed: Any
) -> None:
    path = put(tmp_path, "job/t-1__abc/agent/trajectory.json", run(step(1, "user", "go")))
    failed = {"exception_type": exception, "exception_message": "m"} if exception else None
    verified = None if reward is None else {"rewards": {"reward": reward}}
    put(tmp_path, "job/t-1__abc/result.json", trial(exception_info=failed, verifier_result=verified))
    imported = one(path)
    info = imported.trace.info
    assert (info.task_id, info.benchmark, info.ended) == ("t-1", "bench", ended)
    assert [(o.passed, o.score) for o in imported.outcomes] == ([] if reward is None else [(passed, reward)])


def test_the_verifier_s_files_are_joined(tmp_path: Path) -> None:
    path = put(tmp_path, "job/t-1__abc/agent/trajectory.json", run(step(1, "user", "go")))
    tests = [{"name": "a", "status": "passed"}, {"name": "b", "status": "failed", "message": "no"}]
    summary = {"tests": 2, "passed": 1, "failed": 1}
    put(tmp_path, "job/t-1__abc/verifier/ctrf.json", {"results": {"tests": tests, "summary": summary}})
    about = {"name": "a", "model_name": "p/brook"}
    config = {"trial_name": "t-1__abc", "trials_dir": "job", "task": {"path": "tasks/t-1"}, "agent": about}
    put(tmp_path, "job/t-1__abc/config.json", config)
    (outcome,) = one(path).outcomes
    assert (outcome.passed, outcome.detail["failed_tests"]) == (None, ["b – no"])
    (tmp_path / "job" / "t-1__abc" / "verifier" / "reward.txt").write_text("0\n")
    imported = one(path)
    assert [(o.passed, o.origin) for o in imported.outcomes] == [(False, "job/t-1__abc/verifier/reward.txt")]
    assert (imported.trace.info.task_id, imported.trace.info.ended) == ("t-1", "unknown")
    spent = {"n_input_tokens": 7, "n_output_tokens": 2, "cost_usd": 0.5}
    result = trial(verifier_result={"rewards": {"reward": 0.0}}, agent_result=spent, config=config)
    put(tmp_path, "job/t-1__abc/result.json", result)
    imported = one(path)
    assert [o.passed for o in imported.outcomes] == [False]
    assert imported.outcomes[0].detail["tests"] == summary
    info = imported.trace.info
    assert (info.tokens_in, info.tokens_out, info.cost, info.started) == (
        7,
        2,
        0.5,
        "2026-01-01T00:00:00.000Z",
    )
    (tmp_path / "job" / "t-1__abc" / "verifier" / "reward.txt").write_text("1")
    assert [o.passed for o in one(path).outcomes] == [False, True]


def test_a_job_folder_is_read_without_complaint(tmp_path: Path) -> None:
    put(tmp_path, "job/t-1__abc/agent/trajectory.json", run(step(1, "user", "go")))
    put(tmp_path, "job/t-1__abc/result.json", trial(verifier_result=None))
    put(tmp_path, "job/t-1__abc/config.json", {"trial_name": "t-1__abc", "trials_dir": "job", "task": {}})
    put(tmp_path, "job/t-1__abc/verifier/reward.json", {"reward": 1.0})
    put(tmp_path, "job/t-1__abc/verifier/ctrf.json", {"results": {"tool": {}, "tests": []}})
    put(tmp_path, "job/result.json", {"id": "j", "n_total_trials": 1, "stats": {}})
    chat = {"conversations": [{"role": "user", "content": "go"}], "trial_name": "t-1__abc", "episode": "0"}
    put(tmp_path, "job/job.traces.json", [chat])
    put(tmp_path, "job/config.json", {"job_name": "j", "jobs_dir": "."})
    traces = 0
    for file in find([tmp_path]).files:
        try:
            importer, source = open_source(file.path)
        except NotATrace:
            continue
        traces += len(list(importer.read(source)))
    assert traces == 1


def test_a_bad_row_costs_that_row(tmp_path: Path) -> None:
    rows = [run(step(1, "user", "a")), run() | {"steps": 5}, run(step(1, "user", "b"), 7)]
    found, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert [item.trace.info.task for item in found] == ["a", "b"]
    assert "steps are a number" in reasons(notes)
    assert len(read(put(tmp_path, "y.jsonl", [rows[0], rows[0]]))) == 1


def test_a_row_that_wraps_a_trajectory(tmp_path: Path) -> None:
    inner = {"schema_version": "ATIF-v1.6", "session_id": "w", "agent": {"name": "a"}}
    step = {"step_id": 1, "source": "user", "message": "Do it."}
    row = {"atif": {**inner, "steps": [step]}, "task": {"name": "t"}}
    for name, value in (("x.json", row), ("x.jsonl", [row])):
        info = one(put(tmp_path, name, value)).trace.info
        assert (info.format, info.task, info.task_id) == ("atif", "Do it.", "w")
        assert info.meta["task"] == {"name": "t"}
        assert info.trace_id == one(put(tmp_path, "i.json", row["atif"])).trace.info.trace_id
    with pytest.raises(NotATrace, match="steps are left out"):
        open_source(put(tmp_path, "h.json", {"atif": inner, "task": {}}))


def test_the_segments_of_a_trial_have_its_reward_once(tmp_path: Path) -> None:
    segments(tmp_path / "t-1__abc" / "agent", "trajectory.json", "trajectory.cont-1.json")
    put(tmp_path / "t-1__abc", "result.json", trial(verifier_result={"rewards": {"reward": 1.0}}))
    found = []
    for file in find([tmp_path]).files:
        try:
            found += read(file.path)
        except NotATrace:
            continue
    assert [(one.trace.info.n_messages, [o.passed for o in one.outcomes]) for one in found] == [(4, [True])]
