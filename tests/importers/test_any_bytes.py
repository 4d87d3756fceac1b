"""Whatever the bytes: traces come out, or an `InputError` of one line; nothing else."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.importers import FORMATS
from reviewer.importers.finding.files import open_source
from tests.importers.reading import zipped

WORDS = """
    task trajectory messages steps step thought action observation result role content tool_calls
    function name arguments id type text thinking tool_use tool_result tool_use_id input is_error
    image source data info extra actions command response usage prompt_tokens exit_status submission
    config model model_name mini_version trajectory_format instance_id uuid parentUuid sessionId
    isSidechain isMeta message timestamp agentId toolUseResult prompt subtype returncode passed
    score final_state attempt ended error exit_code cost
    history agent is_demo message_type state replay_config problem_statement tool_call_ids
    traj reward trial task_id reward_info actions outputs function_call response choices refusal
    messages_display system stop_reason request eval version status samples scores value epoch
    attachments events events_data event input_refs limit uuid schema_version source observation
    results source_call_id subagent_trajectory_ref subagent_trajectories step_id metrics
    is_copied_context continued_trajectory_ref agent_info
    step_index message_id synthetic_reason model_id parts functionCall systemPayload toolRequest toolCall
    mistake_agent mistake_step question_ID is_correct annotator_1 annotator_2 mast_annotation
    args cause extras tool_call_metadata model_response llm_metrics accumulated_cost final_thought
    node_type description children
    action_steps scratch_pad request retry_message trigger properties node_id parent_id
    test_result git_patch instruction issue accumulated_token_usage image_urls
    toolCalls args functionResponse functionCall resultDisplay fileDiff displayContent thoughts subject
    description tokens parts inlineData $set $rewindTo projectHash kind
    parentId toolCallId toolName isError customType summary details exitCode stopReason usage session
    part sessionID messageID callID modelID properties time start end metadata delta field mime url
    ts say ask partial modelInfo images
    payload call_id output replacement_history last_token_usage total_token_usage info num_turns
    summary item thread_id aggregated_output parent_thread_id generated_items raw_item subagent
    parent_tool_use_id total_cost_usd permission_denials origin finishReason agentId
"""
WORDS += """
    simulations tasks reward_info termination_reason ticks agent_chunk user_chunk contains_speech
    agent_tool_calls agent_tool_results user_transcript turn_taking_action requestor turn_idx
    evaluation_criteria action_checks action_match db_check reward_basis nl_assertions user_scenario
    tool_messages raw_data
    finalText toolId callId created_at chatMessages timeline callId app conversation partial_json
    sample ground_truth grade message_type tool_call tool_return step_id step_data answer success
    is_resolved failure_mode parser_results trial_name instruction width sessions
    intermediate_steps question answer true_answer agent_name model_id token_counts system_prompt plan
    step_number timing model_output observations action_output token_usage error
    toolUse toolResult toolUseId reasoningContent reasoningText json body custom_id operation items payload
    chat_messages sender uuid parent_message_uuid current_leaf_message_uuid summaries summary attachments
    nodes session message_id is_user_input active_model model_config_json
"""
NAMES = """
    user assistant system tool exit text thinking tool_use tool_result image Task mini-swe-agent-1.1
    ATIF-v1.7 server_tool_use bash_code_execution_tool_result compaction reasoning data agent.message
    user.message span.model_request_end attachment://00000000000000000000000000000000
    u1 u2 u3 Submitted 2026-01-01T00:00:00Z progress summary attachment queued_command base64
    gemini info error model message toolResult bashExecution custom toolCall thinking session event
    message.part.updated message.updated step-start step-finish tool_use say ask api_req_started
    function_call function_call_output response_item event_msg session_meta token_count reasoning
    thread_rolled_back turn_aborted item.completed command_execution response.completed mcp_call
    agent_progress step.begin content.part tool.call tool.result step.end turn.prompt success
"""
KEYS = st.sampled_from(WORDS.split())
TEXTS = st.sampled_from(NAMES.split()) | st.text(max_size=6)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXTS
    | st.just("```bash\nls\n```")
    | st.just(2**80)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)
SMALL = LEAVES | st.lists(LEAVES, max_size=2) | st.dictionaries(KEYS, LEAVES, max_size=2)
MINI = st.fixed_dictionaries(
    {
        "trajectory_format": st.just("mini-swe-agent-1.1"),
        "info": VALUES,
        "messages": st.lists(VALUES, max_size=6),
    }
)
ROW = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["user", "assistant", "system", "attachment", "summary", "odd"]),
        "message": SMALL,
    },
    optional={
        "uuid": st.sampled_from(["u1", "u2", "u3", "u4"]) | SMALL,
        "parentUuid": st.sampled_from(["u1", "u2", "u3", "u4", None]) | SMALL,
        "isSidechain": st.booleans() | SMALL,
        "sessionId": TEXTS | SMALL,
        "agentId": SMALL,
        "timestamp": SMALL,
        "attachment": SMALL,
        "content": SMALL,
        "toolUseResult": SMALL,
    },
)
OPENHANDS = st.fixed_dictionaries(
    {"id": SMALL, "source": TEXTS | SMALL, "timestamp": SMALL},
    optional={
        "action": st.sampled_from(["run", "message", "delegate", "condensation", "finish"]) | SMALL,
        "observation": st.sampled_from(["run", "recall", "delegate", "agent_state_changed", "mcp"]) | SMALL,
        "args": VALUES,
        "extras": VALUES,
        "content": SMALL,
        "cause": SMALL,
        "tool_call_metadata": VALUES,
        "llm_metrics": SMALL,
    },
)
SDK_EVENTS = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(
            ["ActionEvent", "ObservationEvent", "MessageEvent", "ACPToolCallEvent", "OddEvent"]
        ),
        "timestamp": SMALL,
    },
    optional={
        "source": TEXTS | SMALL,
        "id": SMALL,
        "llm_message": VALUES,
        "thought": VALUES,
        "tool_call": VALUES,
        "tool_call_id": SMALL,
        "action_id": SMALL,
        "llm_response_id": SMALL,
        "observation": VALUES,
        "extended_content": SMALL,
    },
)
NODES = st.fixed_dictionaries(
    {"node_id": SMALL, "completions": VALUES},
    optional={
        "parent_id": SMALL,
        "action": VALUES,
        "action_steps": st.lists(
            st.fixed_dictionaries({"action": VALUES, "observation": VALUES}) | SMALL, max_size=2
        ),
        "reward": SMALL,
        "user_message": SMALL,
        "feedback_data": SMALL,
        "children": VALUES,
    },
)
# For each format what it takes to be recognised, with anything in its main places.
SHAPES: dict[str, dict[str, Any]] = {
    "swe_agent": {"trajectory": [], "history": [], "info": VALUES, "replay_config": VALUES},
    "tau_bench": {"traj": [], "task_id": VALUES, "reward": SMALL, "trial": SMALL, "info": VALUES},
    "tau2_bench": {"simulations": [], "tasks": VALUES, "info": VALUES},
    "openai_chat": {"messages": [], "response": VALUES, "kwargs": SMALL},
    "anthropic_messages": {"messages": [], "system": VALUES, "response": VALUES},
    "inspect": {"version": SMALL, "status": SMALL, "eval": st.just({"task": "t"}), "samples": []},
    "pi": {"type": st.just("message"), "id": SMALL, "parentId": SMALL, "message": VALUES},
    "opencode": {"info": SMALL, "messages": []},
    "cline_roo": {"sessionId": SMALL, "agent": SMALL, "messages": []},
    "gemini_cli": {"sessionId": st.just("s"), "projectHash": SMALL, "messages": [], "kind": SMALL},
    "codex": {"type": TEXTS, "payload": VALUES, "timestamp": SMALL, "item": VALUES},
    "openai_responses": {"object": st.just("response"), "output": [], "usage": SMALL, "id": SMALL},
    "run_state": {"$schemaVersion": SMALL, "generated_items": [], "original_input": VALUES},
    "kimi_cli": {"type": TEXTS, "event": VALUES, "message": VALUES, "time": SMALL, "role": TEXTS},
    "langsmith": {
        "id": SMALL,
        "run_type": st.sampled_from(["llm", "tool", "chain"]),
        "inputs": VALUES,
        "outputs": VALUES,
        "trace_id": SMALL,
        "child_runs": [],
        "parent_run_id": SMALL,
    },
    "autogen": {
        "messages": [],
        "mode": SMALL,
        "response": VALUES,
        "chat_history": [],
        "cost": VALUES,
        "stop_reason": SMALL,
    },
    "google_adk": {"events": [], "id": SMALL, "event_logs": [], "state": SMALL},
    "browser_use": {
        "history": st.lists(
            st.fixed_dictionaries(
                {"model_output": VALUES, "result": st.lists(SMALL)},
                optional={"state": SMALL, "metadata": SMALL, "state_message": SMALL},
            ),
            max_size=4,
        ),
        "usage": SMALL,
    },
    "langfuse": {"trace": VALUES, "observations": [], "id": SMALL, "timestamp": SMALL, "scores": []},
    "agentbench": {
        "index": SMALL,
        "info": SMALL,
        "time": SMALL,
        "output": st.fixed_dictionaries({"status": SMALL, "history": VALUES, "result": SMALL}) | SMALL,
    },
    "toolbench": {
        "answer_generation": st.fixed_dictionaries(
            {"train_messages": st.lists(VALUES, max_size=3), "query": SMALL, "finish_type": SMALL}
        ),
        "trys": st.lists(st.fixed_dictionaries({"chain": st.lists(VALUES, max_size=4)}) | SMALL, max_size=2),
        "forward_args": SMALL,
    },
    "moatless": {"nodes": st.lists(NODES | SMALL, max_size=5), "info": VALUES, "agent": VALUES},
    "moatless_states": {"transitions": [], "info": VALUES, "initial_message": SMALL},
    "openhands_v1": {
        "history": st.lists(SDK_EVENTS | SMALL, max_size=5),
        "instance_id": SMALL,
        "test_result": VALUES,
        "metadata": VALUES,
        "metrics": VALUES,
        "error": SMALL,
    },
    "openhands_v0": {
        "history": st.lists(OPENHANDS | st.lists(OPENHANDS, max_size=2) | SMALL, max_size=5),
        "instance_id": SMALL,
        "test_result": VALUES,
        "metadata": VALUES,
        "metrics": SMALL,
        "issue": SMALL,
    },
    "atif": {"schema_version": st.just("ATIF-v1.6"), "steps": [], "agent": VALUES, "final_metrics": SMALL},
}
SHAPES["tau2_bench_single"] = {"task_id": SMALL, "ticks": [], "messages": [], "reward_info": VALUES}
SHAPES |= {
    "who_and_when": {"history": [], "mistake_agent": SMALL, "mistake_step": SMALL, "system_prompt": VALUES},
    "mast": {"trajectory": [], "note": st.fixed_dictionaries({"text": SMALL, "options": VALUES})},
    "hermes": {"messages": [], "platform": SMALL, "session_start": SMALL, "system_prompt": SMALL},
    "goose": {"conversation": [], "working_dir": SMALL},
    "mad": {"trace": VALUES, "annotations": [], "mast_annotation": st.dictionaries(KEYS, SMALL)},
}
SHAPES["terminal_bench"] = {
    "is_resolved": SMALL,
    "task_id": SMALL,
    "trial_name": st.just("t.1-of-2.r") | SMALL,
    "failure_mode": SMALL,
    "parser_results": VALUES,
    "instruction": SMALL,
}
SHAPES["other_eval"] = {
    "type": st.just("result"),
    "result": st.dictionaries(KEYS, VALUES).map(
        lambda rest: {"sample": rest, "trajectory": [list(rest.values())], "grade": rest}
    ),
}
SHAPES["other_eval_path"] = {
    "agent": TEXTS,
    "action": SMALL.map(lambda value: {"action": value, "parameter": value}),
    "result": VALUES.map(lambda value: {"step_data": value, "answer": value}),
    "success": SMALL,
}
SHAPES["copilot_old"] = {"sessionId": SMALL, "startTime": SMALL, "chatMessages": [], "timeline": VALUES}
SHAPES["antigravity"] = {
    "app": st.just("Antigravity"),
    "conversation": SMALL.map(lambda value: {"messages": [value, {"role": "user", "content": value}]}),
}
SHAPES["wrapped"] = {"atif": st.fixed_dictionaries({"schema_version": st.just("ATIF-v1.7"), "steps": VALUES})}
SHAPES["piece"] = {
    "type": st.sampled_from(["message_start", "content_block_start", "content_block_delta", "error"]),
    "message": SMALL | st.just({"content": []}),
    "index": SMALL,
    "content_block": SMALL,
    "delta": SMALL,
}
SHAPES["call_a_row"] = {
    "type": st.sampled_from(
        [
            "message",
            "reasoning",
            "tool_call",
            "tool_result",
            "completion",
            "function_call",
            "function_call_result",
        ]
    ),
    "sessionId": SMALL,
    **dict.fromkeys(("id", "role", "text", "content", "toolName", "parameters", "value", "output"), SMALL),
}
PART = st.fixed_dictionaries(
    {}, optional={"messages": VALUES, "choices": VALUES, "body": VALUES, "input": SMALL}
)
SHAPES["exchange"] = {"request": PART, "response": PART}
SHAPES["claude_ai"] = {
    "uuid": SMALL,
    "current_leaf_message_uuid": SMALL,
    "chat_messages": st.lists(
        st.fixed_dictionaries(
            {"sender": st.sampled_from(["human", "assistant"]) | SMALL, "content": VALUES},
            optional={"uuid": SMALL, "parent_message_uuid": SMALL, "attachments": VALUES, "text": SMALL},
        ),
        min_size=1,
        max_size=3,
    ),
}
SHAPES["devin"] = {
    "session": st.dictionaries(KEYS, SMALL, max_size=4),
    "nodes": st.lists(
        st.fixed_dictionaries(
            {"role": TEXTS, "message_id": SMALL}, optional={"content": VALUES, "metadata": VALUES}
        ),
        min_size=1,
        max_size=3,
    ),
}
SHAPES["added_items"] = {
    "type": st.just("history_mutation"),
    "payload": st.fixed_dictionaries({"items": VALUES}, optional={"operation": SMALL}),
}
STEPS = st.sampled_from(["ActionStep(error=E('x'), tool_calls=[T(", "TaskStep(task='t')", "3"]) | VALUES
SHAPES["smolagents"] = {
    "question": SMALL,
    "model_id": TEXTS,
    "intermediate_steps": st.lists(STEPS),
    "answer": SMALL,
}
EVENT = st.fixed_dictionaries(
    {"author": TEXTS, "invocation_id": SMALL, "content": st.fixed_dictionaries({"parts": st.lists(SMALL)})},
    optional={"id": SMALL, "actions": SMALL, "partial": SMALL, "usageMetadata": SMALL, "timestamp": SMALL},
)
ENTRIES = st.lists(EVENT, min_size=1, max_size=3) | st.lists(
    st.dictionaries(KEYS, VALUES, max_size=6) | VALUES, max_size=5
)
SHAPED = st.sampled_from(sorted(SHAPES)).flatmap(
    lambda name: st.fixed_dictionaries(
        {key: ENTRIES if value == [] else value for key, value in SHAPES[name].items()}
    )
)
SAMPLE = st.dictionaries(KEYS, VALUES, max_size=8).flatmap(
    lambda rest: ENTRIES.map(lambda messages: {"id": 1, "epoch": 1, **rest, "messages": messages})
)
BLOCKS = st.lists(st.dictionaries(KEYS, SMALL, max_size=6), max_size=4)
TALK = st.fixed_dictionaries(
    {"role": TEXTS, "content": BLOCKS | SMALL}, optional={"id": TEXTS, "usage": SMALL}
)
PLAIN = st.dictionaries(KEYS, VALUES, max_size=5).flatmap(
    lambda rest: st.lists(VALUES, max_size=5).map(lambda entries: {**rest, "trajectory": entries})
)


def _consume(data: bytes) -> int:
    """Read `data` as each format and as none; count the traces."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "any.json")
        path.write_bytes(data)
        for name in (None, *FORMATS):
            try:
                importer, source = open_source(path, name)
                for imported in importer.read(source):
                    count += 1
                    json.loads(imported.trace.raw, strict=False, parse_int=str)
                    json.dumps(
                        [imported.trace.info.meta, [dict(step.extra) for step in imported.trace.steps]]
                    )
                    assert all(step.source_ids for step in imported.trace.steps)
            except InputError as error:
                assert "any.json" in str(error)
                assert "\n" not in str(error)
    return count


def _fuzz(examples: int) -> Any:
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


@_fuzz(150)
@given(st.binary(max_size=200))
@example(b"\xff\xfe\x00\x00")
@example(b"\xef\xbb\xbf")
@example(b"[1, 2")
@example(b"-" * 5000)
@example(b'{"a":' * 5000)
@example(b"\x00" * 100)
@example(b'[{"messages": [{"role": "user", "content": 1e999}]}]')
def test_bytes(data: bytes) -> None:
    _consume(data)


@_fuzz(150)
@given(MINI | PLAIN | st.lists(PLAIN, max_size=3) | VALUES)
def test_objects(value: Any) -> None:
    _consume(json.dumps(value).encode())


@_fuzz(200)
@given(SHAPED | st.lists(SHAPED, max_size=2) | ENTRIES)
def test_shapes_of_formats(value: Any) -> None:
    _consume(json.dumps(value).encode())


@_fuzz(100)
@given(
    st.fixed_dictionaries(
        {
            "header.json": st.just({"eval": {"run_id": "r"}}) | VALUES,
            "samples/1_epoch_1.json": SAMPLE | VALUES,
        },
        optional={"_journal/start.json": VALUES, "samples/b.json": SAMPLE, "odd/../x": VALUES},
    ),
    st.binary(max_size=4),
    st.integers(min_value=0, max_value=10_000),
)
def test_archives(members: dict[str, Any], noise: bytes, at: int) -> None:
    whole = zipped(members)
    _consume(whole)
    at %= len(whole)
    _consume(whole[:at] + noise + whole[at + len(noise) :])
    _consume(whole[:at])


@_fuzz(200)
@given(
    st.lists(
        st.one_of(ROW, ROW.flatmap(lambda row: TALK.map(lambda talk: {**row, "message": talk}))), max_size=8
    )
)
def test_session_rows(rows: list[Any]) -> None:
    _consume("\n".join(json.dumps(row) for row in rows).encode())


def test_the_fuzzer_reaches_the_importers() -> None:
    assert _consume(b'{"task": "t", "trajectory": ["a"]}') >= 2
