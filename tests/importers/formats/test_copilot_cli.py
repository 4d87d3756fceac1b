"""Copilot: requests and runs of tools, denials, sub-agents, rewinds, how a session ended; its spans."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.importers.otel import otlp, span
from tests.importers.reading import one, put, read, read_all, reasons


def event(number: int, kind: str, data: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "data": data,
        "id": f"e{number}",
        "timestamp": f"2026-01-01T00:00:{number:02d}.000Z",
        "parentId": f"e{number - 1}",
        **more,
    }


def asks(number: int, *calls: str, **more: Any) -> dict[str, Any]:
    requests = [{"toolCallId": call, "name": "bash", "arguments": {"command": call}} for call in calls]
    return event(
        number,
        "assistant.message",
        {"messageId": f"m{number}", "content": "", "toolRequests": requests, **more},
    )


START = event(0, "session.start", {"sessionId": "s-1", "copilotVersion": "1", "selectedModel": "brook-large"})
USER = event(1, "user.message", {"content": "Fix it", "transformedContent": "<reminder>x</reminder>Fix it"})


def done(number: int, call: str, **data: Any) -> dict[str, Any]:
    return event(number, "tool.execution_complete", {"toolCallId": call, **data})


def test_results_errors_denials_and_exit_codes(tmp_path: Path) -> None:
    rows = [
        START,
        USER,
        asks(2, "a", "b", "c", "d"),
        done(3, "b", success=True, result={"content": "bad\n<exited with exit code 2>"}),
        done(4, "a", success=True, result="fine"),
        done(5, "c", success=False, error={"message": "no file", "code": "failure"}),
        done(6, "d", success=False, error={"message": "The user said no", "code": "rejected"}),
    ]
    trace = one(put(tmp_path, "events.jsonl", rows)).trace
    found = {r.call_id: (r.error, r.denied, r.exit_code) for r in trace.steps[1].results}
    assert found == {
        "a": (False, False, None),
        "b": (True, False, 2),
        "c": (True, False, None),
        "d": (False, True, None),
    }
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.task_id) == (2, 4, "s-1")
    assert (trace.info.task, trace.info.model) == ("Fix it", "brook-large")


def test_a_run_that_nobody_asked_for_is_shown(tmp_path: Path) -> None:
    extra = event(
        3, "tool.execution_start", {"toolCallId": "x", "toolName": "view", "arguments": {"path": "a"}}
    )
    trace = one(
        put(tmp_path, "t.jsonl", [START, USER, asks(2, "a"), extra, done(4, "x", success=True)])
    ).trace
    assert [call.name for call in trace.steps[1].calls] == ["bash", "view"]
    assert trace.info.n_tool_calls == 1
    bare = one(put(tmp_path, "u.jsonl", [START, USER, extra])).trace
    assert bare.info.n_tool_calls == 1


def test_a_sub_agent_is_a_child(tmp_path: Path) -> None:
    own = {"agentId": "g"}
    rows = [
        START,
        USER,
        asks(2, "t"),
        event(3, "subagent.started", {"toolCallId": "t", "agentName": "explore"}, **own),
        {**asks(4, "s"), **own},
        {**done(5, "s", success=True, result={"content": "here"}), **own},
        event(6, "subagent.failed", {"toolCallId": "t", "error": "quota"}, **own),
        done(7, "t", success=True, result={"content": "done"}),
    ]
    parent, child = (item.trace for item in read(put(tmp_path, "t.jsonl", rows)))
    assert child.info.parent_id == parent.info.trace_id
    assert child.info.parent_step == "e2"
    assert child.info.agent == "explore"
    assert child.steps[0].results[0].content == "here"
    assert (parent.info.n_messages, parent.info.n_tool_calls) == (3, 2)
    assert [step.message for step in parent.steps if step.fault] == ["subagent.failed: quota"]
    assert all(call.id != "s" for step in parent.steps for call in step.calls)


def test_what_nobody_typed_is_injected(tmp_path: Path) -> None:
    rows = [
        START,
        event(1, "user.message", {"content": "<system-reminder>be brief</system-reminder>"}),
        event(2, "user.message", {"content": "skill text", "source": "skill-pdf"}),
        event(3, "user.message", {"content": "Fix it"}),
        event(4, "session.compaction_complete", {"success": True, "summaryContent": "so far"}),
    ]
    trace = one(put(tmp_path, "t.jsonl", rows)).trace
    assert [step.kind for step in trace.steps] == ["injected", "injected", "", "compaction"]
    assert trace.info.task == "Fix it"


def test_how_a_session_ends(tmp_path: Path) -> None:
    def ended(*rows: dict[str, Any]) -> str:
        return one(put(tmp_path, "t.jsonl", [START, USER, *rows])).trace.info.ended

    assert ended() == "unknown"
    assert ended(event(2, "abort", {"reason": "user_initiated"})) == "user_stop"
    assert ended(event(2, "session.error", {"errorType": "quota", "message": "none left"})) == "error"
    assert ended(event(2, "session.task_complete", {"summary": "ok", "success": True})) == "submitted"
    assert ended(event(2, "session.shutdown", {"shutdownType": "error"})) == "error"
    assert ended(event(2, "abort", {}), asks(3, "a")) == "unknown"


def test_tokens_of_all_shutdowns(tmp_path: Path) -> None:
    end = {"modelMetrics": {"lantern-mini": {"usage": {"inputTokens": 10, "outputTokens": 3}}}}
    rows = [
        event(1, "user.message", {"content": "hi"}),
        event(2, "session.shutdown", end),
        event(3, "session.shutdown", end),
    ]
    info = one(put(tmp_path, "t.jsonl", rows)).trace.info
    assert (info.tokens_in, info.tokens_out, info.model) == (20, 6, "lantern-mini")


def test_a_rewind_takes_steps_back_and_doubles_are_dropped(tmp_path: Path) -> None:
    back = event(4, "session.snapshot_rewind", {"upToEventId": "e2", "eventsRemoved": 1})
    (imported,), notes = read_all(put(tmp_path, "t.jsonl", [START, USER, USER, asks(2, "a"), back, ["x"]]))
    assert [step.message for step in imported.trace.steps] == ["Fix it", "session.snapshot_rewind"]
    said = reasons(notes)
    assert "1 step before a rewind" in said
    assert "duplicate event" in said
    assert "a list, not an object" in said


def test_a_session_that_grows_keeps_its_id(tmp_path: Path) -> None:
    rows = [START, USER, asks(2, "a"), done(3, "a", success=True, result="x")]
    old = one(put(tmp_path, "t.jsonl", rows[:2])).trace
    new = one(put(tmp_path, "t.jsonl", rows)).trace
    assert new.info.trace_id == old.info.trace_id
    assert new.records.startswith(old.records)
    assert new.steps[0].stable_id == old.steps[0].stable_id


def test_thoughts_of_their_own_event_and_unknown_events(tmp_path: Path) -> None:
    think = event(2, "assistant.reasoning", {"reasoningId": "r", "content": "hm"})
    (imported,), notes = read_all(
        put(tmp_path, "t.jsonl", [START, USER, think, asks(3, "a"), event(4, "odd.thing", {})])
    )
    assert imported.trace.steps[1].reasoning == "hm"
    assert "unknown event 'odd.thing'" in reasons(notes)


def test_spans_of_copilot_are_its_own(tmp_path: Path) -> None:
    agent = {
        "gen_ai.operation.name": "invoke_agent",
        "copilot_chat.mode": "Agent",
        "gen_ai.request.model": "m",
    }
    tool = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "view",
        "gen_ai.tool.call.result": "x",
    }
    rows = [otlp(span(1, agent), service="vs-copilot"), otlp(span(2, tool, parent=1), service="vs-copilot")]
    trace = one(put(tmp_path, "t.jsonl", rows)).trace
    assert (trace.info.format, trace.info.model) == ("copilot_cli", "m")
    assert (trace.info.n_messages, trace.info.n_tool_calls, len(trace.steps)) == (2, 1, 1)


def test_an_old_session_is_one_object(tmp_path: Path) -> None:
    def call(id: str) -> dict[str, Any]:
        return {"id": id, "type": "function", "function": {"name": "edit", "arguments": "{}"}}

    def done(id: str, went: str) -> dict[str, Any]:
        shown = {"type": "tool_call_completed", "callId": id, "timestamp": "2025-10-11T11:40:31Z"}
        return {**shown, "result": {"type": went, "log": "x"}}

    value = {
        "sessionId": "old",
        "startTime": "2025-10-11T11:40:20Z",
        "chatMessages": [
            {"role": "user", "content": "save room\n\n<current_datetime>now</current_datetime>"},
            {"role": "assistant", "content": "I look.", "tool_calls": [call("a"), call("b"), call("c")]},
            *({"role": "tool", "tool_call_id": id, "content": "x"} for id in "abc"),
        ],
        "timeline": [
            {"type": "user", "id": "1", "timestamp": "2025-10-11T11:40:24Z", "text": "save room"},
            *(done(id, went) for id, went in (("a", "success"), ("b", "failure"), ("c", "rejected"))),
            {"type": "error", "id": "e", "timestamp": "2025-10-11T11:41:20Z", "text": "no network"},
        ],
    }
    trace = one(put(tmp_path, "s.json", value)).trace
    assert (trace.info.format, trace.info.task, trace.info.task_id) == ("copilot_cli", "save room", "old")
    assert (trace.info.n_messages, trace.info.n_tool_calls, trace.info.seconds) == (5, 3, 60.0)
    assert [(r.error, r.denied) for r in trace.steps[1].results] == [
        (False, False),
        (True, False),
        (False, True),
    ]
    assert (trace.steps[1].at, trace.steps[2].message) == ("2025-10-11T11:40:31.000Z", "no network")
    grown = {**value, "chatMessages": [*value["chatMessages"], {"role": "assistant", "content": "Done."}]}
    assert one(put(tmp_path, "s.json", grown)).trace.info.trace_id == trace.info.trace_id
