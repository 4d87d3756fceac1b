"""What is not read of Copilot's files, with the reason, and the events that nobody needs to see."""

from __future__ import annotations

from reviewer.importers.shapes.spans.ignored import IGNORED as OF_SPANS

_STREAM = "pieces of what a later event says whole"
_STATE = "of the program, not of the conversation"
# Events that are not shown and of which nothing is said.
QUIET = {
    "assistant.turn_start": "the messages in it are read",
    "assistant.turn_end": "the messages in it are read",
    "assistant.intent": _STATE,
    "assistant.message_start": _STREAM,
    "assistant.message_delta": _STREAM,
    "assistant.streaming_delta": _STREAM,
    "assistant.reasoning_delta": _STREAM,
    "tool.execution_partial_result": _STREAM,
    "tool.execution_progress": _STREAM,
    "session.idle": _STATE,
    "session.usage_info": _STATE,
    "session.usage_checkpoint": _STATE,
    "session.title_changed": _STATE,
    "session.context_changed": _STATE,
    "session.mode_changed": _STATE,
    "session.plan_changed": _STATE,
    "session.workspace_file_changed": _STATE,
    "session.background_tasks_changed": _STATE,
    "session.tools_updated": _STATE,
    "session.skills_loaded": _STATE,
    "session.custom_agents_updated": _STATE,
    "session.mcp_servers_loaded": _STATE,
    "session.mcp_server_status_changed": _STATE,
    "session.extensions_loaded": _STATE,
    "session.remote_steerable_changed": _STATE,
    "session.compaction_start": "the event of its end is read",
    "pending_messages.modified": _STATE,
    "permission.requested": "the tool's result says how it went",
    "permission.completed": "the tool's result says how it went",
    "hook.start": _STATE,
    "hook.end": _STATE,
    "subagent.selected": _STATE,
    "subagent.deselected": _STATE,
    "command.queued": _STATE,
    "command.completed": _STATE,
}
IGNORED = dict(OF_SPANS)
OF_EVENTS = {
    **QUIET,
    "*.id": "is the step's id, or of an event that is folded into one",
    "*.parentId": "the event before it in the file",
    "*.timestamp": "of an event that is folded into a step",
    "*.agentId": "the call that started the sub-agent says the same",
    "*.ephemeral": _STATE,
    "*.data.turnId": "the order of the events is the order of the turns",
    "*.data.interactionId": "of the service",
    "*.data.requestId": "of the service",
    "*.data.reasoningOpaque": "encrypted",
    "*.data.encryptedContent": "encrypted",
    "*.data.toolTelemetry": _STATE,
    "*.data.messageId": "events with one id are one message",
    "*.data.toolRequests[].type": "always a function",
    "session.data.version": "of the file",
    "session.data.startTime": "the first event's time",
    "session.data.modelMetrics": "the tokens in and out are read",
    "session.data.sessionStartTime": "the first event's time",
    "tool.data.arguments": "the same as in the request of the call; read where nothing asked for it",
    "tool.data.toolName": "the same as in the request of the call; read where nothing asked for it",
}
# Events that are shown as notices.
NOTICES = {
    "session.info",
    "session.warning",
    "session.handoff",
    "session.truncation",
    "session.resume",
    "subagent.failed",
    "subagent.completed",
    "subagent.started",
    "user_input.requested",
    "user_input.completed",
    "elicitation.requested",
    "elicitation.completed",
    "exit_plan_mode.requested",
    "exit_plan_mode.completed",
}
