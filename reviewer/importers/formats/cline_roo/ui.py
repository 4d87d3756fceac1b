"""From what Cline or Roo showed (`ui_messages.json`) to steps: a step for each request to the model.

What is said after a request belongs to it: thoughts, words, tools that were asked for. The next request holds
the results. Knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from reviewer.importers.formats.cline_roo.history import ENVIRONMENT, MODEL, judged
from reviewer.importers.formats.cline_roo.xml import result_of
from reviewer.importers.opening.values import (
    as_dict,
    as_float,
    as_int,
    as_str,
    iso,
    kind_of,
    parsed,
    shown,
    total,
)
from reviewer.importers.shapes.content import placeholder
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.trace import Ended, Json, Metrics, Result, ToolCall

# What is asked or said when a tool is used, and the tool where the text does not name it.
CALLS = {
    "tool": "",
    "command": "execute_command",
    "use_mcp_server": "use_mcp_tool",
    "browser_action_launch": "browser_action",
    "browser_action": "browser_action",
    "followup": "ask_followup_question",
    "plan_mode_respond": "plan_mode_respond",
    "new_task": "new_task",
    "condense": "condense",
    "report_bug": "report_bug",
}
RESULTS = {
    "command_output",
    "mcp_server_response",
    "browser_action_result",
    "codebase_search_result",
    "subtask_result",
}
ERRORS = {
    "error",
    "diff_error",
    "clineignore_error",
    "rooignore_error",
    "api_req_failed",
    "condense_context_error",
}
NOTICES = {
    "api_req_retried",
    "api_req_retry_delayed",
    "shell_integration_warning",
    "mistake_limit_reached",
    "info",
}
NOTICES |= {"mcp_notification", "auto_approval_max_req_reached", "too_many_tools_warning", "hook_status"}
SUMMARIES = {"condense_context", "sliding_window_truncation", "summarize_task"}
PEOPLE = {"user_feedback", "user_feedback_diff", "task"}
QUIET = {
    "api_req_finished": "the request itself holds what it took",
    "checkpoint_created": "bookkeeping of the program",
    "checkpoint_saved": "bookkeeping of the program",
    "deleted_api_reqs": "bookkeeping of the program",
    "task_progress": "the to-do list as the program shows it",
    "mcp_server_request_started": "bookkeeping of the program",
    "load_mcp_documentation": "bookkeeping of the program",
    "resume_task": "a button of the program",
    "resume_completed_task": "a button of the program",
}
ENDS: dict[str, Ended] = {
    "user_cancelled": "user_stop",
    "streaming_failed": "error",
    "retries_exhausted": "error",
}
READ = {"ts", "type", "say", "ask", "text", "images", "partial", "reasoning", "modelInfo"}
# Fields of any entry that are known and not shown.
KEEPING = {
    "isProtected": "a setting of the program",
    "isAnswered": "bookkeeping of the program",
    "conversationHistoryIndex": "where the entry stands in what went to the model",
    "conversationHistoryDeletedRange": "what the model no longer sees",
    "lastCheckpointHash": "the state of the folder, for undoing",
    "checkpoint": "the state of the folder, for undoing",
    "isCheckpointCheckedOut": "the state of the folder, for undoing",
    "isOperationOutsideWorkspace": "a setting of the program",
    "commandCompleted": "bookkeeping of the program",
    "progressStatus": "bookkeeping of the program",
}


class Shown:
    """Reads the entries once, in order; `drafts` are the steps so far."""

    def __init__(self, warn: Callable[[str, int], None]) -> None:
        self.warn = warn
        self.drafts = Drafts()
        self.task = ""
        self.model = ""
        self.ended: Ended = "unknown"
        self.times: list[Json] = []
        self.n_asked = 0
        self._open: Draft | None = None  # the step of the last request

    def take(self, entries: Sequence[Json]) -> None:
        for index, entry in enumerate(entries):
            if not isinstance(entry, dict):
                self.warn(f"an entry that is {kind_of(entry)}, not an object, is shown as it stands", 0)
                self.drafts.add(Draft("system", [f"#{index}"], shown(entry) or "null", kind="notice"))
                continue
            self.times.append(entry.get("ts"))
            self.n_asked += entry.get("type") == "ask" and entry.get("ask") == "tool"
            self._entry(entry, f"#{index}")

    def _entry(self, entry: dict[str, Any], key: str) -> None:
        kind = shown(entry.get("ask") if entry.get("type") == "ask" else entry.get("say"))
        images = entry.get("images") or []
        pictures = map(_image, images if isinstance(images, list) else [images])
        words = "\n".join(filter(None, (shown(entry.get("text")), *pictures)))
        if kind in QUIET:
            return
        if kind == "api_req_started":
            self._request(entry, key)
        elif kind in PEOPLE or (kind == "text" and not self.drafts.all):
            self._person(entry, words, key)
        elif kind in CALLS:
            self._call(entry, kind, key)
        elif kind in RESULTS:
            self._result(entry, words, key)
        elif kind in ("text", "reasoning", "completion_result"):
            self._agent(entry, kind, words, key)
        else:
            self._notice(entry, kind, words, key)

    def _new(self, source: Any, entry: dict[str, Any], key: str, **more: Any) -> Draft:
        draft = Draft(source, [key], at=iso(entry.get("ts")), **more)
        return self.drafts.add(draft)

    def _step(self, entry: dict[str, Any], key: str) -> Draft:
        """The agent's step that goes on; a new one where no request was shown."""
        if self._open is None:
            self._open = self._new("agent", entry, key)
        elif key not in self._open.ids:
            self._open.ids.append(key)
        draft = self._open
        rest = {name: item for name, item in entry.items() if name not in READ | KEEPING.keys()}
        if rest:
            draft.extra[f"more {key}"] = rest
        info = as_dict(entry.get("modelInfo"))
        draft.model = as_str(info.get("modelId")) or draft.model
        self.model = draft.model or self.model
        return draft

    def _request(self, entry: dict[str, Any], key: str) -> None:
        about = as_dict(parsed(entry.get("text")))
        asked = shown(about.get("request"))
        if not self.model and (noted := MODEL.search(asked)):
            self.model = noted[1]
        found = result_of(asked)
        if found is not None and self._open is not None and self._open.waiting:
            text = found[1].partition(ENVIRONMENT)[0].strip()
            self._open.results.append(judged(text, self._open.calls[self._open.waiting.pop(0)].id, False))
        self._open = None
        draft = self._step(entry, key)
        if not about and entry.get("text"):
            draft.extra["request"] = entry["text"]
        went = total(as_int(about.get(name)) for name in ("tokensIn", "cacheReads", "cacheWrites"))
        came, cost = as_int(about.get("tokensOut")), as_float(about.get("cost"))
        if went is not None or came is not None or cost is not None:
            draft.metrics = Metrics(went, came, cost)
        why = as_str(about.get("cancelReason"))
        self.ended = ENDS.get(why, "unknown")
        if why:
            draft.extra["cancelReason"] = why
            draft.fault = self.ended == "error"
        if about.get("streamingFailedMessage"):
            draft.extra["streamingFailedMessage"] = about["streamingFailedMessage"]

    def _person(self, entry: dict[str, Any], words: str, key: str) -> None:
        self.task = self.task or words
        self.ended = "unknown"
        self._new("user", entry, key, message=words).extra |= {
            name: item for name, item in entry.items() if name not in READ | KEEPING.keys()
        }

    def _agent(self, entry: dict[str, Any], kind: str, words: str, key: str) -> None:
        if kind == "completion_result":
            self.ended = "submitted"
            if not words:  # the question whether it is done, after the result itself
                return
        draft = self._step(entry, key)
        if kind == "reasoning":
            draft.think(words)
        else:
            draft.say(words)
            draft.think(shown(entry.get("reasoning")))

    def _call(self, entry: dict[str, Any], kind: str, key: str) -> None:
        draft = self._step(entry, key)
        text = entry.get("text")
        value = parsed(text)
        name = CALLS[kind]
        if isinstance(value, dict):
            name = name or as_str(value.get("tool"))
            given: Json = (
                {item: held for item, held in value.items() if item != "tool"} if kind == "tool" else value
            )
        else:
            given = {"command": text} if kind == "command" else text
        draft.call(ToolCall(name or "unknown", given))
        self.drafts.note(draft)

    def _result(self, entry: dict[str, Any], words: str, key: str) -> None:
        draft = self._open
        if draft is None or not draft.calls:
            self._notice(entry, shown(entry.get("say")), words, key)
            return
        draft.ids.append(key)
        if draft.waiting:
            draft.waiting.pop(0)
            draft.results.append(judged(words, "", False))
        elif draft.results:  # output comes in pieces
            last: Result = draft.results[-1]
            draft.results[-1] = replace(last, content="\n".join(filter(None, (last.content, words))))

    def _notice(self, entry: dict[str, Any], kind: str, words: str, key: str) -> None:
        known = ERRORS | NOTICES | SUMMARIES | RESULTS
        if kind not in known:
            self.warn(f"unknown entry type {kind[:80]!r} is shown as a notice", 0)
        about = as_dict(entry.get("contextCondense"))
        draft = self._new("system", entry, key, message=words or shown(about.get("summary")))
        draft.kind = "compaction" if kind in SUMMARIES else "notice"
        draft.fault = kind in ERRORS
        draft.extra |= {name: item for name, item in entry.items() if name not in READ | KEEPING.keys()} | {
            "type": kind
        }
        self.ended = "error" if kind == "api_req_failed" else self.ended


def _image(image: Json) -> str:
    return placeholder({"type": "image", "source": {"url": shown(image)}})
