"""What of Anthropic's messages, recorded calls and events is known and not shown, with the reason.

Data only.
"""

_USAGE = "the tokens in and out are read; the rest is of the bill"
_TURN = {
    "type": "always the same",
    "role": "always the assistant",
    "stop_sequence": "ended is read from stop_reason",
    "stop_details": "ended is read from stop_reason",
    "usage": _USAGE,
    "container": "of the provider's machine",
    "context_management": "of the provider",
    "content[].signature": "proves a thinking block to the provider",
    "content[].data": "thinking that the provider hides",
    "content[].citations": "where a text comes from; its sources stand in the search results",
    "content[].caller": "who made the call: the model, or the code it runs",
    "content[].cache_control": "of the bill",
    "content[].encrypted_content": "not to be read by anyone",
    "content[].content[].encrypted_content": "not to be read by anyone",
}
IGNORED = {
    **{
        f"{prefix}{key}": why
        for prefix in ("", "messages[].", "[].", "response.", "[].response.")
        for key, why in _TURN.items()
    },
    "messages[].role": "said by the shape of the step",
    "tools": "which tools there were, not what was done with them",
    "system[].type": "always text",
    "system[].cache_control": "of the bill",
}
# Of a managed agent's events, by their kind.
IGNORED_EVENTS = {
    "*.id": "shown as the id of the step where the event makes one",
    "session.environment_id": "of the provider's machine",
    "session.processed_at": "the first and the last time are read",
    "session.stop_reason": "ended is read from it",
    "session.type": "says what the row is",
    "session.thread": "bookkeeping of the session",
    "session.status_running": "bookkeeping of the session",
    "span": "bookkeeping of requests; of their ends the usage is read",
}
# Of recorded HTTP: the requests before the last are repeated by it.
IGNORED_HTTP = {
    **IGNORED,
    "request": "each request repeats the talk so far; the last one is read",
    "response": "the replies before the last stand in the last request",
}
# Of an export of claude.ai.
IGNORED_EXPORT = {
    "chat_messages[].uuid": "which branch was shown last is read",
    "chat_messages[].parent_message_uuid": "which branch was shown last is read",
    "chat_messages[].index": "the messages stand in their order",
    "chat_messages[].created_at": "the time of the conversation is read",
    "chat_messages[].updated_at": "the time of the conversation is read",
    "chat_messages[].text": "repeats the blocks; read where there are none",
    "chat_messages[].content[].start_timestamp": "the time of the conversation is read",
    "chat_messages[].content[].stop_timestamp": "the time of the conversation is read",
    "chat_messages[].content[].name": "the tool is named in the call",
}
