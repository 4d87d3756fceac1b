"""LangSmith: creates and updates merged, trees, LangChain's dumps, tools, feedback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.importers.reading import one, put, read, read_all, reasons

ASK = "Is the bridge open?"
HUMAN = {"type": "human", "content": ASK}
CALL = {"name": "bridge", "args": {"n": 4}, "id": "c1", "type": "tool_call"}


def dumped(kind: str, /, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", kind], "kwargs": kwargs}


CALLING = dumped("AIMessage", content="", tool_calls=[CALL], type="ai")
TOLD = dumped("ToolMessage", content="up", tool_call_id="c1", name="bridge", status="success")
DONE = dumped("AIMessageChunk", content="No, it is up.", type="ai")


def run(key: str, second: int, kind: str = "llm", parent: str = "", **more: Any) -> dict[str, Any]:
    path = f"20260101T0000{second:02}000000Z{key}"
    start, end = (f"2026-01-01T00:00:{at:02}" for at in (second, second + 1))
    row = {"id": key, "trace_id": "r", "run_type": kind, "name": kind, "start_time": start, "end_time": end}
    return row | {"dotted_order": f"{parent}.{path}" if parent else path, **more}


def gen(message: Any, **info: Any) -> dict[str, Any]:
    return {"generations": [[{"text": "", "generation_info": info, "message": message}]], "type": "LLMResult"}


def runs() -> list[dict[str, Any]]:
    root = run("r", 0, "chain", inputs={"messages": [HUMAN]}, outputs={"messages": []}, name="desk")
    top = root["dotted_order"]
    return [
        root,
        run("a", 1, parent=top, inputs={"messages": [[HUMAN]]}, outputs=gen(CALLING)),
        run(
            "b", 2, "tool", parent=top, name="bridge", inputs={"input": "{'n': 4}"}, outputs={"output": TOLD}
        ),
        run("c", 4, parent=top, inputs={"messages": [[HUMAN, CALLING, TOLD]]}, outputs=gen(DONE)),
    ]


def test_runs_make_one_conversation(tmp_path: Path) -> None:
    found = one(put(tmp_path, "x.jsonl", runs())).trace
    assert [(step.source, step.message) for step in found.steps] == [
        ("user", ASK),
        ("agent", ""),
        ("agent", "No, it is up."),
    ]
    assert [result.content for result in found.steps[1].results] == ["up"]
    assert (found.info.n_messages, found.info.n_tool_calls) == (4, 1)
    assert (found.info.task_id, found.info.task, found.info.agent) == ("r", ASK, "desk")


def test_updates_are_merged_with_their_creates(tmp_path: Path) -> None:
    ends = {"end_time", "outputs", "error"}
    creates = [{key: item for key, item in row.items() if key not in ends} for row in runs()]
    updates = [{"id": row["id"]} | {key: row.get(key) for key in ends} for row in runs()]
    mixed = one(put(tmp_path, "x.jsonl", [*creates, *updates])).trace
    assert mixed.steps == one(put(tmp_path, "y.jsonl", runs())).trace.steps
    assert mixed.info.n_messages == 4
    assert len(json.loads(mixed.raw)) == 8
    batch = one(put(tmp_path, "z.json", {"post": creates, "patch": updates})).trace
    assert batch.steps == mixed.steps


def test_a_tree_and_a_list_are_the_same_conversation(tmp_path: Path) -> None:
    root, *rest = ({key: item for key, item in row.items() if key != "dotted_order"} for row in runs())
    root.pop("trace_id")
    tree = one(put(tmp_path, "x.json", {**root, "child_runs": rest})).trace
    assert tree.steps == one(put(tmp_path, "y.json", runs())).trace.steps
    assert tree.info.task_id == "r"


def test_a_failed_tool_and_a_failed_run(tmp_path: Path) -> None:
    root, first, tool, last = runs()
    tool |= {"outputs": None, "error": "ValueError: no bridge 4"}
    found = one(put(tmp_path, "x.jsonl", [root | {"error": "stopped"}, first, tool, last])).trace
    assert found.steps[1].results[0].error
    assert found.steps[1].results[0].content == "ValueError: no bridge 4"
    assert found.info.ended == "error"


def test_a_tool_message_that_says_error_is_one(tmp_path: Path) -> None:
    root, first, tool, last = runs()
    bad = dumped("ToolMessage", content="no", tool_call_id="c1", status="error")
    found = one(put(tmp_path, "x.jsonl", [root, first, tool | {"outputs": {"output": bad}}, last])).trace
    assert [result.error for result in found.steps[1].results] == [True]


@pytest.mark.parametrize("shape", ["dump", "typed", "role"])
def test_messages_in_any_dress(tmp_path: Path, shape: str) -> None:
    human = {
        "dump": dumped("HumanMessage", content=[{"type": "text", "text": ASK}]),
        "typed": HUMAN,
        "role": {"role": "user", "content": ASK},
    }[shape]
    reply = {
        "dump": gen(DONE),
        "typed": {"generations": [[{"message": DONE["kwargs"]}]]},
        "role": {"choices": [{"message": {"role": "assistant", "content": "No, it is up."}}]},
    }[shape]
    row = run("r", 0, inputs={"messages": [human]}, outputs=reply)
    assert [step.message for step in one(put(tmp_path, "x.json", row)).trace.steps] == [ASK, "No, it is up."]


@pytest.mark.parametrize("given", [[["user", "Is it up?"]], ["human", "Is it up?"]])
def test_a_pair_of_role_and_words_is_a_message(tmp_path: Path, given: Any) -> None:
    asked = {"role": "user", "content": "Is it up?"}
    root = run("r", 0, "chain", inputs={"messages": given}, outputs={})
    top = root["dotted_order"]
    rows = [root, run("a", 1, parent=top, inputs={"messages": [[asked]]}, outputs=gen(DONE))]
    found = one(put(tmp_path, "x.jsonl", rows)).trace
    assert found.info.task == "Is it up?"
    assert [step.message for step in found.steps] == ["Is it up?", "No, it is up."]


def test_what_a_program_asks_in_the_users_name_is_injected(tmp_path: Path) -> None:
    judge = {"messages": [[{"type": "human", "content": "Grade this."}]]}
    found = one(put(tmp_path, "x.jsonl", [*runs(), run("d", 6, inputs=judge, outputs=gen(DONE))])).trace
    assert [step.kind for step in found.steps if step.source == "user"] == ["", "injected"]


def test_tokens_cost_and_model(tmp_path: Path) -> None:
    usage = {"input_tokens": 7, "output_tokens": 2}
    extra = {"metadata": {"ls_model_name": "lantern-mini"}}
    reply = gen(dumped("AIMessage", content="x", usage_metadata=usage), finish_reason="length")
    row = run("r", 0, inputs={"messages": [HUMAN]}, outputs=reply, extra=extra, total_cost="0.25")
    info = one(put(tmp_path, "x.json", row)).trace.info
    assert (info.tokens_in, info.tokens_out, info.cost) == (7, 2, 0.25)
    assert (info.model, info.ended) == ("lantern-mini", "limit")


def test_feedback_is_an_outcome(tmp_path: Path) -> None:
    root, *rest = runs()
    loose = {"id": "f", "run_id": "a", "key": "correctness", "score": 1, "feedback_source": {"type": "app"}}
    own = [{"key": "correctness", "score": 0, "comment": "it is open"}]
    plain = one(put(tmp_path, "x.jsonl", runs()))
    found = one(put(tmp_path, "y.jsonl", [root | {"feedback": own}, *rest, loose]))
    assert {outcome.origin: outcome.passed for outcome in found.outcomes} == {
        "feedback correctness (app)": None,  # on a part
        "feedback correctness (api)": False,
    }
    assert found.trace.info.trace_id == plain.trace.info.trace_id
    sums = one(put(tmp_path, "z.jsonl", [root | {"feedback_stats": {"speed": {"n": 2, "avg": 0.5}}}, *rest]))
    assert [(outcome.score, outcome.passed) for outcome in sums.outcomes] == [(0.5, None)]


def test_two_traces_in_one_file(tmp_path: Path) -> None:
    other = run("q", 0, inputs={"messages": [HUMAN]}, outputs=gen(DONE)) | {"trace_id": "q"}
    found = read(put(tmp_path, "x.jsonl", [runs()[0], other, *runs()[1:]]))
    assert [(item.trace.info.task_id, item.trace.info.n_messages) for item in found] == [("r", 4), ("q", 1)]


def test_what_is_no_run_is_named(tmp_path: Path) -> None:
    rows = [*runs(), 7, {"odd": 1}, {"id": "elsewhere", "end_time": None, "outputs": {}}]
    found, notes = read_all(put(tmp_path, "x.jsonl", rows))
    assert found[0].trace.info.n_messages == 4
    for words in ("a number", "neither a run", "not in the file"):
        assert words in reasons(notes)


def test_a_ring_of_parents(tmp_path: Path) -> None:
    rows = [{**row, "dotted_order": "", "parent_run_id": "a" if row["id"] == "r" else "r"} for row in runs()]
    assert one(put(tmp_path, "x.jsonl", rows)).trace.info.n_messages == 4
