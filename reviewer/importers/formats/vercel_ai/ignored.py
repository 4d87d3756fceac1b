"""What is not read of the AI SDK's files, with the reason."""

from __future__ import annotations

from reviewer.importers.shapes.spans.ignored import IGNORED as OF_SPANS

IGNORED = dict(OF_SPANS) | {
    "attributes.gen_ai": "the same as the ai.* attributes beside it",
    "attributes.operation.name": "the same as ai.operationId",
    "attributes.ai.operationId": "the same as the span's name",
    "attributes.ai.usage.totalTokens": "the sum of the tokens that are read",
    "attributes.ai.prompt.tools": "which tools there were, not what was done with them",
    "attributes.ai.prompt.toolChoice": "a setting",
    "step": "the order of the rows is the order of the steps",
    "operationId": "always ai.harness",
    "usage.inputTokens.noCache": "the total is read",
    "usage.inputTokens.cacheRead": "the total is read",
    "usage.inputTokens.cacheWrite": "the total is read",
    "usage.outputTokens.text": "the total is read",
    "output[].input": "the same as when the tool began",
    "output[].toolName": "the same as when the tool began",
    "finishReason.raw": "the unified reason is read",
}
