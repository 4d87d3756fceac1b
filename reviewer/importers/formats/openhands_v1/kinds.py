"""The kinds of events that the OpenHands SDK writes, and by what an event is known."""

from __future__ import annotations

from reviewer.importers.opening.values import as_dict
from reviewer.trace import Json

# Kinds that tell of no step: progress, requests, logs of their own.
QUIET = {
    "CondensationRequest",
    "ConversationStateUpdateEvent",
    "LLMCompletionLogEvent",
    "TokenEvent",
    "StreamingDeltaEvent",
}
ANSWERS = {"ObservationEvent", "AgentErrorEvent", "UserRejectObservation"}
KNOWN = {
    "SystemPromptEvent",
    "MessageEvent",
    "ActionEvent",
    "Condensation",
    "CondensationSummaryEvent",
    "ConversationErrorEvent",
    "ServerErrorEvent",
    "PauseEvent",
    "InterruptEvent",
    "HookExecutionEvent",
    "ACPToolCallEvent",
    *QUIET,
    *ANSWERS,
}
# By what an event is known whose time was left out.
_HOLDS = {
    "SystemPromptEvent": "system_prompt",
    "MessageEvent": "llm_message",
    "ActionEvent": "action",
    "ObservationEvent": "observation",
}


def is_event(value: Json) -> bool:
    """An event names its kind and stands in time, or holds what its kind holds; a kind that is not known
    here is one by its name."""
    kind = as_dict(value).get("kind")
    if not isinstance(kind, str):
        return False
    if "timestamp" not in value:
        return _HOLDS.get(kind, "kind") in value.keys() - {"kind"}
    return kind in KNOWN or (kind.endswith("Event") and "source" in value)
