"""From the runs of one LangSmith trace to its steps.

Model calls make the conversation, the runs of tools answer them. Chains that only hold others, parsers and
prompts repeat what is said in them and are shown only where they failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reviewer.importers.formats.langsmith.runs import TYPES, Run, within
from reviewer.importers.opening.values import as_dict, as_list, as_str, shown
from reviewer.importers.shapes.content import readable
from reviewer.importers.shapes.conversation import Conversation, metrics_of, words
from reviewer.importers.shapes.drafts import Draft
from reviewer.importers.shapes.model_messages import recognised, said
from reviewer.importers.shapes.model_parts import Said, unwrapped
from reviewer.trace import Ended, Json, Result, Step, ToolCall

_FINISH: dict[str, Ended] = {
    "length": "limit",
    "max_tokens": "limit",
    "MAX_TOKENS": "limit",
    "content_filter": "refused",
    "refusal": "refused",
    "SAFETY": "refused",
}
# What LangGraph and runnables add to every run.
_MARKS = ("seq:step:", "graph:step:", "map:key:", "langsmith:")


def model_calls(every: Sequence[Run]) -> list[Run]:
    return [run for run in every if run.kind == "llm" and not within(run, "llm")]


class Steps:
    """Goes through the runs once, in order."""

    def __init__(self, every: Sequence[Run], warn: Callable[[str], None]) -> None:
        self.warn = warn
        self.ended: Ended = "unknown"
        root = every[0] if every else None
        calls = {id(run) for run in model_calls(every)}
        self.spoke = False
        told = {id(run): said(run.row.get("inputs"), "user", warn) for run in every if id(run) in calls}
        heard = {text.strip() for items in told.values() for text in words(items, "user")}
        request = recognised(root.row.get("inputs")) if root else []
        self.talk = Conversation(words(request, "user"))
        if root and request and not self.talk.typed & heard:
            self.talk.hear(request, root.id, root.at)
        for run in every:
            if id(run) in calls:
                self._model(run, told[id(run)])
            else:
                self._other(run)
        self._answer(root)
        asked = words(request, "user")
        self.task = asked[0] if asked else self._first_user(root)

    def _first_user(self, root: Run | None) -> str:
        users = [draft for draft in self.talk.drafts.all if draft.source == "user" and draft.message]
        if users:
            return next((draft.message for draft in users if not draft.kind), users[0].message)
        given = root.row.get("inputs") if root else None
        return readable(given) if given else ""

    def _model(self, run: Run, told: list[Said]) -> None:
        self.talk.hear(told, run.id, run.at)
        draft = Draft("agent", [run.id], at=run.at, seconds=run.seconds, fault=bool(run.error))
        draft.model, draft.extra = run.model, about(run)
        draft.metrics = metrics_of(*run.usage()).get("metrics")
        gave = said(run.row.get("outputs"), "agent", self.warn)
        self.spoke = self.spoke or bool(gave)
        self.talk.reply(gave, draft)
        reason = _reason(run)
        self.ended = "error" if run.error else _FINISH.get(reason, "unknown")
        if reason in _FINISH:
            draft.extra["finish_reason"] = reason

    def _other(self, run: Run) -> None:
        if run.kind == "tool":
            self._run(run)
        elif run.kind in ("retriever", "embedding"):
            draft = Draft("system", [run.id], kind="notice", at=run.at, seconds=run.seconds, extra=about(run))
            draft.call(ToolCall(run.name or run.kind, run.row.get("inputs")))
            if (result := _result(run)) is not None:
                draft.results.append(result)
            self.talk.note(draft)
        elif (run.error and not any(item.error for item in run.inner)) or _speaks(run):
            gave = run.row.get("outputs")
            text = f"{run.name}: {readable(gave)}" if gave else run.name
            draft = Draft("system", [run.id], text, kind="notice", at=run.at, seconds=run.seconds)
            draft.fault, draft.extra = bool(run.error), about(run)
            self.talk.note(draft)

    def _run(self, run: Run) -> None:
        given = run.row.get("inputs")
        inner = as_dict(given)
        if inner.keys() == {"input"}:  # a single text, which may be the arguments as JSON or as Python
            decoded = unwrapped(inner["input"])
            given = decoded if decoded is not None else inner["input"]
        result = _result(run)
        call_id = result.call_id if result else ""
        name = run.name or as_str(as_dict(run.row.get("serialized")).get("name")) or "unknown"
        draft = Draft("agent", [run.id], at=run.at, seconds=run.seconds, extra=about(run))
        self.talk.run(ToolCall(name, given, call_id), result, draft)

    def _answer(self, root: Run | None) -> None:
        """The answer of a trace whose model calls say nothing."""
        if root is None or self.spoke or root.kind == "llm":
            return
        if found := said(root.row.get("outputs"), "agent", lambda _: None):
            self.talk.reply(found[-1:], Draft("agent", [f"{root.id} outputs"]))

    def steps(self) -> tuple[Step, ...]:
        return self.talk.drafts.steps()


def _speaks(run: Run) -> bool:
    """Whether a run that is neither of a model nor of a tool says more than what it holds."""
    if run.kind not in TYPES:
        return True
    return run.kind == "chain" and not run.inner and not run.hidden and bool(run.row.get("outputs"))


def _result(run: Run) -> Result | None:
    """What a run of a tool gave back; a tool's message says which call it answers."""
    gave = as_dict(run.row.get("outputs"))
    content: Json = gave.get("output", gave.get("documents", gave)) if gave else None
    for wrapped in ("update", "messages"):  # a LangGraph command that carries the message
        inner = as_dict(content).get(wrapped)
        content = (
            inner[-1] if wrapped == "messages" and isinstance(inner, list) and inner else inner or content
        )
    message = as_dict(as_dict(content).get("kwargs")) or as_dict(content)
    call_id = as_str(message.get("tool_call_id"))
    failed = bool(run.error) or message.get("status") == "error"
    if call_id and "content" in message:
        content = message["content"]
    text = shown(content) if not isinstance(content, dict | list) else readable(content)
    if run.error:
        text = f"{text}\n{run.error}" if text else run.error
    return Result(text, call_id, error=failed) if gave or run.error or run.row.get("end_time") else None


def about(run: Run) -> dict[str, Json]:
    """What a person may want to know of a run besides what it says."""
    tags = [tag for tag in as_list(run.row.get("tags")) if not as_str(tag).startswith(_MARKS)]
    kept: dict[str, Json] = {"tags": tags} if tags else {}
    if run.error and run.kind != "tool":
        kept["error"] = run.error
    if run.kind not in TYPES:
        kept["run_type"] = run.row.get("run_type")
    if run.kind == "llm" and run.name:
        kept["name"] = run.name
    node = run.metadata.get("langgraph_node")
    return {**kept, "langgraph_node": node} if node else kept


def _reason(run: Run) -> str:
    """Why the model stopped, as LangChain or the provider writes it."""
    outputs = as_dict(run.row.get("outputs"))
    first: Json = outputs.get("generations") or outputs.get("choices")
    while isinstance(first, list) and first:
        first = first[0]
    for holder in (
        as_dict(first).get("generation_info"),
        run.message.get("response_metadata"),
        first,
        outputs,
    ):
        for key in ("finish_reason", "stop_reason"):
            if isinstance(as_dict(holder).get(key), str):
                return str(as_dict(holder)[key])
    return ""
