"""Kimi: contexts with marks, wires of events, denials, compactions, turns taken back, sub-agents, growth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reviewer.importers.base import NotATrace
from reviewer.importers.finding.files import open_source
from tests.importers.reading import one, put, read_all, reasons

META = {"type": "metadata", "protocol_version": "1.4", "created_at": 1772700000000}


def call(id: str, arguments: str = "{}") -> dict[str, Any]:
    return {"type": "function", "id": id, "function": {"name": "Bash", "arguments": arguments}}


def back(id: str, *texts: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": [{"type": "text", "text": text} for text in texts]}


def context(folder: Path, *rows: Any, name: str = "context.jsonl") -> Any:
    start = [{"role": "_system_prompt", "content": "be good"}, {"role": "_checkpoint", "id": 0}]
    return one(put(folder, name, [*start, *rows])).trace


def test_a_context(tmp_path: Path) -> None:
    found = context(
        tmp_path,
        {"role": "user", "content": [{"type": "text", "text": "<system>CHECKPOINT 0</system>"}]},
        {"role": "user", "content": "do it"},
        {"role": "_usage", "token_count": 50},
        {
            "role": "assistant",
            "content": [{"type": "think", "think": "hm"}, {"type": "text", "text": "I look."}],
            "tool_calls": [call("a", '{"command": "ls"}'), call("b", "{broken")],
        },
        back("a", "<system>Command executed successfully.</system>", "a.txt"),
        back("b", "<system>Command failed with exit code: 4.</system>", "boom"),
        {"role": "assistant", "content": "done"},
    )
    assert [(s.source, s.kind) for s in found.steps[:3]] == [
        ("system", ""),
        ("user", "injected"),
        ("user", ""),
    ]
    step = found.steps[3]
    assert (step.reasoning, step.message) == ("hm", "I look.")
    assert [c.arguments for c in step.calls] == [{"command": "ls"}, "{broken"]
    assert [(r.error, r.exit_code) for r in step.results] == [(False, None), (True, 4)]
    info = found.info
    assert (info.task, info.n_messages, info.n_tool_calls, info.n_errors) == ("do it", 6, 2, 1)
    assert (info.task_id, info.format) == ("context.jsonl", "kimi_cli")


@pytest.mark.parametrize(
    ("text", "error", "denied"),
    [
        ("<system>ERROR: no such tool</system>", True, False),
        ("<system>ERROR: The tool call is rejected by the user.</system>", False, True),
        ("exit code: 3 is what the manual says", True, False),
        ("the manual says:\nexit code: 3", False, False),
    ],
)
def test_results_say_whether_they_failed(tmp_path: Path, text: str, error: bool, denied: bool) -> None:
    rows = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "", "tool_calls": [call("a")]}]
    (result,) = context(tmp_path, *rows, back("a", text)).steps[2].results
    assert (result.error, result.denied) == (error, denied)


def test_a_compacted_context(tmp_path: Path) -> None:
    text = "<system>Previous context has been compacted. Here is what was done.</system>"
    found = context(tmp_path, {"role": "user", "content": text}, {"role": "user", "content": "go on"})
    assert (found.steps[1].kind, found.info.task) == ("compaction", "go on")


def test_a_sub_agents_context_is_tied_to_its_session(tmp_path: Path) -> None:
    asked = {"role": "assistant", "content": "", "tool_calls": [call("a")]}
    rows = [{"role": "user", "content": "look"}, {"role": "assistant", "content": "there"}]
    alone = context(tmp_path, *rows, name="s1_read_1.jsonl").info
    said = back("a", "saved to /root/s1_read_1.jsonl")
    parent = context(tmp_path, {"role": "user", "content": "x"}, asked, said, name="s1.jsonl")
    child = one(tmp_path / "s1_read_1.jsonl").trace.info
    assert (alone.parent_id, alone.trace_id) == ("", child.trace_id)
    assert (child.parent_id, child.parent_step) == (parent.info.trace_id, parent.steps[2].stable_id)


def user(text: str, **origin: Any) -> dict[str, Any]:
    message = {
        "role": "user",
        "content": [{"type": "text", "text": text}],
        "origin": {"kind": "user", **origin},
    }
    return {"type": "context.append_message", "message": message, "time": 1772700001000}


def event(kind: str, step: str = "s1", **more: Any) -> dict[str, Any]:
    key = "uuid" if kind.startswith("step.") else "stepUuid"
    event = {"type": kind, key: step, **more}
    return {"type": "context.append_loop_event", "event": event, "time": 1772700002000}


def part(text: str, step: str = "s1", kind: str = "text") -> dict[str, Any]:
    return event("content.part", step, part={"type": kind, kind: text})


def use(id: str, step: str = "s1", **args: Any) -> dict[str, Any]:
    return event("tool.call", step, uuid=id, toolCallId=id, name="Bash", args=args)


def gave(id: str, output: Any = "ok", **more: Any) -> dict[str, Any]:
    return event("tool.result", "", toolCallId=id, result={"output": output, **more})


def wire(folder: Path, *rows: Any) -> Any:
    return one(put(folder, "wire.jsonl", [META, *rows])).trace


def test_a_wire(tmp_path: Path) -> None:
    usage = {"inputOther": 10, "output": 3, "inputCacheRead": 5, "inputCacheCreation": 0}
    found = wire(
        tmp_path,
        {"type": "config.update", "modelAlias": "local/model-1", "cwd": "/w"},
        {"type": "turn.prompt", "input": [{"type": "text", "text": "do it"}]},
        user("do it"),
        event("step.begin"),
        {"type": "llm.request", "model": "model-1"},
        part("hm", kind="think"),
        part("I look."),
        use("a", command="ls"),
        use("b", command="pwd"),
        gave("b", "two"),
        gave("a", "one", isError=True),
        event("step.end", usage=usage, finishReason="tool_use"),
        part("done", "s2"),
        {"type": "turn.ended", "reason": "completed"},
    )
    step = found.steps[1]
    assert [s.message for s in found.steps] == ["do it", "I look.", "done"]
    assert (step.reasoning, step.model, step.metrics.tokens_in, step.metrics.tokens_out) == (
        "hm",
        "model-1",
        15,
        3,
    )
    assert [(r.call_id, r.content, r.error) for r in step.results] == [
        ("b", "two", False),
        ("a", "one", True),
    ]
    info = found.info
    assert (info.n_messages, info.n_tool_calls, info.model, info.ended) == (1, 2, "model-1", "submitted")
    assert (info.task, info.started, info.seconds) == ("do it", "2026-03-05T08:40:00.000Z", 2.0)


def test_a_persons_no_is_denied(tmp_path: Path) -> None:
    no = {"type": "permission.record_approval_result", "toolCallId": "a", "result": {"decision": "rejected"}}
    found = wire(tmp_path, user("x"), use("a"), no, gave("a", "not run", isError=True))
    (result,) = found.steps[1].results
    assert (result.denied, result.error, found.info.n_errors) == (True, False, 0)


def test_what_no_user_typed_is_injected(tmp_path: Path) -> None:
    found = wire(tmp_path, user("today", kind="injection"), user("sum", kind="compaction_summary"), user("x"))
    assert [s.kind for s in found.steps] == ["injected", "compaction", ""]
    assert (found.info.task, found.info.n_messages) == ("x", 3)


@pytest.mark.parametrize(
    ("row", "ended"),
    [
        ({"type": "turn.cancel"}, "user_stop"),
        ({"type": "turn.ended", "reason": "failed", "error": {"message": "no quota"}}, "error"),
        (event("step.end", finishReason="max_tokens"), "limit"),
    ],
)
def test_how_it_ended(tmp_path: Path, row: Any, ended: str) -> None:
    found = wire(tmp_path, user("x"), part("y"), row)
    assert (found.info.ended, found.info.n_errors) == (ended, ended == "error")
    assert wire(tmp_path, user("x"), row, user("again")).info.ended == "unknown"


def test_a_compaction_and_what_is_taken_back(tmp_path: Path) -> None:
    rows = [user("x"), part("y"), {"type": "context.apply_compaction", "summary": "so far"}, user("z")]
    found = wire(tmp_path, *rows, part("wrong", "s2"), {"type": "context.undo", "count": 1}, user("new"))
    assert [s.message for s in found.steps[:3]] == ["x", "y", "so far"]
    assert (found.steps[2].kind, found.steps[3].kind, found.steps[4].message) == (
        "compaction",
        "notice",
        "new",
    )
    assert "2 steps" in found.steps[3].message
    assert found.info.n_messages == 3
    assert len(wire(tmp_path, *rows, {"type": "context.clear"}).steps) == 1


def test_a_session_that_grew_is_the_same_trace(tmp_path: Path) -> None:
    rows = [user("x"), part("y")]
    old, new = wire(tmp_path, *rows), wire(tmp_path, *rows, user("z"))
    assert old.info.trace_id == new.info.trace_id
    assert new.records.startswith(old.records)
    assert [s.stable_id for s in new.steps][:2] == [s.stable_id for s in old.steps]
    talk = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
    apart = tmp_path / "contexts"
    first, more = context(apart, *talk), context(apart, *talk, talk[0])
    other = context(apart, talk[0], {"role": "assistant", "content": "z"})
    assert first.info.trace_id == more.info.trace_id != other.info.trace_id


def test_a_sub_agents_wire_is_tied_to_the_agent_that_started_it(tmp_path: Path) -> None:
    rows = [META, user("look", kind="system_trigger", name="subagent"), part("there")]
    child = put(tmp_path, "agents/agent-0/wire.jsonl", rows)
    assert one(child).trace.info.parent_id == ""
    above = [{**META, "created_at": 1}, user("x"), use("a"), gave("a", "agent_id: agent-0\ndone")]
    parent = one(put(tmp_path, "agents/main/wire.jsonl", above)).trace
    info = one(child).trace.info
    assert (info.parent_id, info.parent_step) == (parent.info.trace_id, parent.steps[1].stable_id)
    assert info.task == "look"


def test_what_lies_beside_is_no_trace(tmp_path: Path) -> None:
    state = {"title": "t", "agents": {"main": {"homedir": "agents/main", "type": "main"}}}
    with pytest.raises(NotATrace, match="state of a Kimi session"):
        open_source(put(tmp_path, "state.json", state))
    screen = [{**META, "protocol_version": "1.1"}, {"timestamp": 1.5, "message": {"type": "TurnBegin"}}]
    with pytest.raises(NotATrace, match="without a message"):
        one(put(tmp_path, "wire.jsonl", screen))


def test_unknown_kinds_are_named(tmp_path: Path) -> None:
    rows = [META, user("x"), {"type": "dream"}, event("aura"), {"type": "dream"}]
    _, notes = read_all(put(tmp_path, "wire.jsonl", rows))
    assert {note.count for note in notes if "dream" in note.reason} == {2}
    assert "aura" in reasons(notes)


def test_a_row_that_stands_twice_in_a_wire_counts_once(tmp_path: Path) -> None:
    rows = [user("do it"), part("I look."), use("a"), gave("a"), {**user("do it"), "time": 1772700009000}]
    found = wire(tmp_path, *(row for row in rows for _ in range(2)))
    assert (found.info.n_messages, found.info.n_tool_calls, len(found.steps)) == (2, 1, 3)


ASKED = {"role": "user", "content": "do it"}
LATER = {"role": "user", "content": "and this"}


def twins(folder: Path, *more: Any, wired: tuple[Any, ...] = ()) -> dict[str, str]:
    """A context and a wire of one session, each with what it holds alone: what is read, and what is said."""
    calls = {"role": "assistant", "content": "I look.", "tool_calls": [call("a")]}
    start = [{"role": "_checkpoint", "id": 0}, ASKED, calls, back("a", "ok")]
    put(folder, "context.jsonl", [*start, *more])
    put(folder, "wire.jsonl", [META, user("do it"), part("I look."), use("a"), gave("a"), *wired])
    found = {}
    for name in ("context.jsonl", "wire.jsonl"):
        try:
            traces, notes = read_all(folder / name)
        except NotATrace as error:
            found[name] = str(error)
        else:
            assert len(traces) == 1
            found[name] = reasons(notes)
    return found


def test_of_a_context_and_a_wire_of_one_session_the_wire_is_read(tmp_path: Path) -> None:
    found = twins(tmp_path)
    assert "stands in wire.jsonl beside it too: import that" in found["context.jsonl"]
    assert found["wire.jsonl"] == "context.jsonl beside it tells the same session and is not read"


def test_or_the_one_that_tells_more(tmp_path: Path) -> None:
    found = twins(tmp_path, LATER)
    assert found["context.jsonl"] == "wire.jsonl beside it tells the same session and is not read"
    assert "stands in context.jsonl beside it too" in found["wire.jsonl"]


def test_both_where_each_tells_something_of_its_own(tmp_path: Path) -> None:
    found = twins(tmp_path, LATER, wired=(user("something else"),))
    for name, other in (("context.jsonl", "wire.jsonl"), ("wire.jsonl", "context.jsonl")):
        assert (
            found[name]
            == f"{other} beside it is a trace of its own and shares 2 messages and calls with this one"
        )


def test_two_sessions_in_one_folder_are_two_traces(tmp_path: Path) -> None:
    put(tmp_path, "wire.jsonl", [META, user("another thing")])
    assert context(tmp_path, ASKED).info.task == "do it"
    assert one(tmp_path / "wire.jsonl").trace.info.task == "another thing"


@pytest.mark.parametrize("begins", [[], [{"type": "metadata", "protocol_version": "1.1"}]])
def test_events_of_the_screen_lie_beside_a_context(tmp_path: Path, begins: list[Any]) -> None:
    begun = {"timestamp": 1.5, "message": {"type": "TurnBegin", "payload": {"user_input": "do it"}}}
    asked = {"timestamp": 1.6, "message": {"type": "ToolCall", "payload": {"type": "function", "id": "a"}}}
    path = put(tmp_path, "wire.jsonl", [*begins, begun, asked])
    with pytest.raises(NotATrace, match="a Kimi file without a message"):
        read_all(path)
    assert "wire.jsonl" not in reasons(
        read_all(put(tmp_path, "context.jsonl", [ASKED, {"role": "_usage"}]))[1]
    )
