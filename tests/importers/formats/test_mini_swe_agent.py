"""mini-swe-agent: versions, pairing, exit codes, how it ended, outcomes of reports, odd messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.errors import InputError
from reviewer.importers.finding.files import open_source
from reviewer.importers.formats.mini_swe_agent import ended
from tests.importers.reading import one, put, read_all, reasons

SYSTEM = {"role": "system", "content": "You drive a shell."}


def act(text: str, *commands: str, ids: tuple[str, ...] = ()) -> dict[str, Any]:
    actions = [
        {"command": command, **({"tool_call_id": ids[n]} if ids else {})}
        for n, command in enumerate(commands)
    ]
    return {"role": "assistant", "content": text, "extra": {"actions": actions, "timestamp": 1772528400.5}}


def tool(call: str, text: str, code: int = 0) -> dict[str, Any]:
    content = f"<returncode>{code}</returncode>\n<output>\n{text}\n</output>"
    return {
        "role": "tool",
        "tool_call_id": call,
        "content": content,
        "extra": {"returncode": code, "raw_output": text},
    }


def run(*messages: Any, version: str = "mini-swe-agent-1.1", **info: Any) -> dict[str, Any]:
    talk = [
        SYSTEM,
        {"role": "user", "content": "intro <pr_description>\nFix it.\n</pr_description>"},
        *messages,
    ]
    return {"trajectory_format": version, "instance_id": "a__b-1", "info": info, "messages": talk}


def test_actions_and_observations_are_one_step(tmp_path: Path) -> None:
    value = run(act("go", "ls", "false", ids=("c1", "c2")), tool("c2", "no", 1), tool("c1", "a.txt"))
    trace = one(put(tmp_path, "x.json", value)).trace
    step = trace.steps[2]
    assert [call.arguments for call in step.calls] == [{"command": "ls"}, {"command": "false"}]
    assert {result.call_id: (result.content, result.error, result.exit_code) for result in step.results} == {
        "c1": ("a.txt\n", False, 0),
        "c2": ("no\n", True, 1),
    }
    assert step.source_ids == ("#2", "#3", "#4")
    assert step.error
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.n_errors) == (5, 2, 1)
    assert trace.info.task == "Fix it."
    assert trace.info.task_id == "a__b-1"
    assert trace.info.started == "2026-03-03T09:00:00.500Z"


def test_version_1_reads_the_fenced_command(tmp_path: Path) -> None:
    value = run(
        {"role": "assistant", "content": "THOUGHT: look\n\n```bash\nls -l\n```"},
        {"role": "user", "content": "<returncode>2</returncode>\n<output>\nls: no\n</output>"},
        {"role": "assistant", "content": "no command here"},
        {"role": "user", "content": "Please give EXACTLY ONE action."},
        version="mini-swe-agent-1",
        exit_status="Submitted",
        submission="diff --git a/x b/x",
    )
    trace = one(put(tmp_path, "x.json", value)).trace
    first, second, told, last = trace.steps[2:]
    assert first.calls[0].arguments == {"command": "ls -l"}
    assert first.results[0].exit_code == 2
    assert second.fault
    assert told.kind == "notice"
    assert last.message == "diff --git a/x b/x"
    assert trace.info.n_tool_calls == 1
    assert trace.info.ended == "submitted"


def test_a_person_who_interrupts_is_no_fault_of_the_agent(tmp_path: Path) -> None:
    words = {"role": "user", "content": "stop that", "extra": {"interrupt_type": "UserInterruption"}}
    wrong = {"role": "user", "content": "no action found", "extra": {"interrupt_type": "FormatError"}}
    trace = one(put(tmp_path, "x.json", run(act("go", "ls"), words, act("only words"), wrong))).trace
    assert [(step.kind, step.fault, step.message) for step in trace.steps[2:]] == [
        ("", False, "go"),
        ("", False, "stop that"),
        ("", True, "only words"),
        ("notice", False, "no action found"),
    ]


def test_a_command_that_was_killed_is_an_error(tmp_path: Path) -> None:
    text = "The last command <command>sleep 99</command> timed out and has been killed."
    (result,) = (
        one(put(tmp_path, "x.json", run(act("go", "sleep 99"), {"role": "user", "content": text})))
        .trace.steps[2]
        .results
    )
    assert (result.content, result.error, result.exit_code) == (text, True, None)


def test_messages_of_the_responses_api(tmp_path: Path) -> None:
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "c1", "name": "bash", "arguments": "{}"},
        {"type": "novelty", "of": "a cat"},
    ]
    extra = {"actions": [{"command": "ls", "tool_call_id": "c1"}]}
    response = {
        "object": "response",
        "output": output,
        "usage": {"input_tokens": 7, "output_tokens": 2},
        "extra": extra,
    }
    back = {"type": "function_call_output", "call_id": "c1", "output": "a.txt", "extra": {"returncode": 0}}
    (imported,), notes = read_all(put(tmp_path, "x.json", run(response, back)))
    step = imported.trace.steps[2]
    assert (step.source, step.reasoning) == ("agent", "hm")
    assert step.message.startswith("I look.")
    assert "a cat" in step.message
    assert [(call.name, call.id) for call in step.calls] == [("bash", "c1")]
    assert [(result.content, result.exit_code) for result in step.results] == [("a.txt", 0)]
    assert (imported.trace.info.tokens_in, imported.trace.info.n_messages) == (7, 4)
    assert "novelty" in reasons(notes)


def test_a_bare_list_is_version_0(tmp_path: Path) -> None:
    talk = [
        SYSTEM,
        {"role": "user", "content": "Please solve it."},
        {"role": "assistant", "content": "I look.\n\n```mswea_bash_command\nls\n```"},
        {"role": "user", "content": "<returncode>0</returncode>\n<output>\nx\n</output>"},
    ]
    info = one(put(tmp_path, "x.traj.json", talk)).trace.info
    assert (info.task_id, info.task, info.n_messages, info.n_tool_calls) == (
        "x.traj.json",
        "Please solve it.",
        4,
        1,
    )
    talk[2]["content"] = "I only talk."
    other, _ = open_source(put(tmp_path, "x.traj.json", talk))
    assert other.FORMAT == "openai_chat"


def test_an_observation_with_more_than_output_stays_whole(tmp_path: Path) -> None:
    text = "<returncode>1</returncode>\n<warning>too long</warning>\n<output_head>\na\n</output_head>"
    value = run(act("go", "cat big"), {"role": "user", "content": text})
    (result,) = one(put(tmp_path, "x.json", value)).trace.steps[2].results
    assert (result.content, result.exit_code, result.error) == (text, 1, True)


def test_the_exit_message_is_a_fault_unless_submitted(tmp_path: Path) -> None:
    gone = {
        "role": "exit",
        "content": "Timeout: 600 s",
        "extra": {"exit_status": "Timeout", "traceback": "Traceback"},
    }
    trace = one(put(tmp_path, "x.json", run(gone))).trace
    assert trace.info.ended == "timeout"
    assert trace.steps[-1].fault
    assert trace.steps[-1].extra["traceback"] == "Traceback"
    done = {"role": "exit", "content": "diff", "extra": {"exit_status": "Submitted", "submission": "diff"}}
    trace = one(put(tmp_path, "x.json", run(done, exit_status="Submitted", submission="diff"))).trace
    assert not trace.steps[-1].error
    assert [step.message for step in trace.steps].count("diff") == 1


@pytest.mark.parametrize(
    ("status", "word"),
    [
        ("Submitted", "submitted"),
        ("LimitsExceeded", "limit"),
        ("ContextWindowExceededError", "limit"),
        ("Timeout", "timeout"),
        ("RateLimitError", "error"),
        ("InternalServerError", "error"),
        ("UserInterruption", "user_stop"),
        ("", "unknown"),
    ],
)
def test_how_it_ended(status: str, word: str) -> None:
    assert ended(status) == word


@pytest.mark.parametrize(
    ("place", "origin"),
    [
        ("all/run/report.json", "run/report.json"),
        ("all/report.json", "all/report.json"),
        ("all/run/sb-cli-reports/r.json", "run/sb-cli-reports/r.json"),
        ("all/sb-cli-reports/r.json", "all/sb-cli-reports/r.json"),
    ],
)
def test_a_report_nearby_gives_the_outcome(tmp_path: Path, place: str, origin: str) -> None:
    path = put(tmp_path, "all/run/x.traj.json", run(exit_status="Submitted"))
    before = one(path)
    assert before.outcomes == ()
    put(tmp_path, place, {"resolved_ids": ["c__d-1"], "unresolved_ids": ["a__b-1"]})
    put(tmp_path, "all/run/other.json", {"resolved_ids": ["c__d-2"]})
    after = one(path)
    (outcome,) = after.outcomes
    assert (outcome.passed, outcome.origin) == (False, origin)
    assert before.trace == after.trace


def test_a_run_without_an_id_is_judged_by_the_name_of_its_file(tmp_path: Path) -> None:
    value = {key: item for key, item in run(exit_status="Submitted").items() if key != "instance_id"}
    put(tmp_path, "report.json", {"resolved_ids": ["quay__quay-7"], "unresolved_ids": []})
    assert [o.passed for o in one(put(tmp_path, "quay__quay-7.traj.json", value)).outcomes] == [True]
    assert [o.passed for o in one(put(tmp_path, "quay__quay-7/x.traj.json", value)).outcomes] == [True]
    assert one(put(tmp_path, "x.traj.json", value)).outcomes == ()


def test_two_runs_of_one_instance_are_two_traces(tmp_path: Path) -> None:
    a = one(put(tmp_path, "a/x.json", run(act("A", "ls")))).trace.info
    b = one(put(tmp_path, "b/x.json", run(act("B", "ls")))).trace.info
    c = one(put(tmp_path, "c/x.json", run(act("A", "ls")))).trace.info
    assert a.task_id == b.task_id
    assert a.trace_id != b.trace_id
    assert a.trace_id == c.trace_id


def test_odd_messages_are_all_shown_and_named(tmp_path: Path) -> None:
    odd = [
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "seen"}, {"type": "smell", "of": "rose"}, None],
        },
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"function": None}, None, {"id": 7, "function": {"name": "f"}}],
        },
        "bare words",
        None,
        {"content": "nobody"},
        {"role": "herald", "content": "hear"},
        {"role": ["x"], "content": 12.5},
        {"role": "tool", "content": {"deep": ["x"]}},
    ]
    (imported,), notes = read_all(put(tmp_path, "x.json", run(*odd)))
    trace = imported.trace
    text = "\n".join(
        [*(s.message for s in trace.steps), *(r.content for s in trace.steps for r in s.results)]
    )
    for words in ("seen", "rose", "bare words", "null", "nobody", "hear", "12.5", "deep"):
        assert words in text
    assert trace.info.n_messages == 10
    for name in ("smell", "herald", "null", "without a role", "names no function"):
        assert name in reasons(notes)


def test_no_messages_is_still_a_run(tmp_path: Path) -> None:
    value = {
        "trajectory_format": "mini-swe-agent-1",
        "messages": [],
        "info": {"exit_status": "LimitsExceeded"},
    }
    info = one(put(tmp_path, "x.json", value)).trace.info
    assert (info.n_messages, info.n_steps, info.ended, info.task_id) == (0, 0, "limit", "x.json")


def test_one_bad_row_of_several_runs_costs_that_row(tmp_path: Path) -> None:
    rows = [
        run(act("A", "ls")),
        {"trajectory_format": "mini-swe-agent-1.1", "messages": 5},
        run(act("B", "ls")),
    ]
    imported, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert [item.trace.info.source_index for item in imported] == [0, 2]
    assert notes[0].line == 2
    with pytest.raises(InputError, match="no list of messages"):
        read_all(put(tmp_path, "y.json", rows[1]))


def test_counts_that_no_column_can_hold_are_left_out(tmp_path: Path) -> None:
    message = act("A", "ls")
    message["extra"]["response"] = {"usage": {"prompt_tokens": 2**70, "completion_tokens": 5}}
    info = one(
        put(tmp_path, "x.json", run(message, model_stats={"instance_cost": float("inf"), "n": 2**70}))
    ).trace.info
    assert (info.tokens_in, info.tokens_out, info.cost) == (None, 5, None)
    assert info.meta["model_stats"]["n"] == 2**70
