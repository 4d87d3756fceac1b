"""Files that lie beside traces and hold none: reports, patches, indexes. Recognised by content.

Says what a file is, in words; reads no outcome out of it. Knows no trace format.
"""

from __future__ import annotations

from reviewer.importers.base import Source
from reviewer.importers.finding.browser_companions import beside_a_browser, dumped_call
from reviewer.importers.finding.run_companions import beside_a_run, empty, row_beside
from reviewer.importers.finding.session_companions import beside_a_session
from reviewer.importers.finding.set_companions import beside_a_set
from reviewer.importers.joining.event_files import stands_alone
from reviewer.importers.opening.beside import regular
from reviewer.importers.opening.values import as_dict, as_list, as_str
from reviewer.importers.shapes.spans.beside import beside_spans
from reviewer.trace import Json

# Rows that Claude Code writes into session files of their own when nothing was said yet.
_SESSION_NOISE = {
    "summary",
    "file-history-snapshot",
    "queue-operation",
    "custom-title",
    "last-prompt",
    "ai-title",
    "agent-name",
    "pr-link",
    "permission-mode",
    "worktree-state",
    "bridge-session",
    "frame-link",
    "file-history-delta",
    "relocated",
    "started",
}
_TALK = {"user", "assistant", "message", "session", "result"}
_SESSION = "a Claude Code session file without a message"
_PATCHES = "a file of patches (predictions)"
_EVENTS = {"Condensation", "CondensationRequest", "UserRejectObservation"}  # whose name does not end so
_EVENT = "one event of an OpenHands conversation"
_ENOUGH = 200  # lines, of which none looks like what lies beside traces


def companion(source: Source) -> str:
    """What the file is when it is known to hold no trace, else ""."""
    if source.is_text or source.is_database:
        text = source.text if source.is_text else ""
        return dumped_call(text) or _trials(text)
    folder = source.path.absolute().parent
    if folder.name == "tool-results" and regular(folder.parent.parent / f"{folder.parent.name}.jsonl"):
        return "a result that Claude Code kept beside its session"
    if source.is_json and not source.value:
        return empty(source.path)
    if source.is_json:
        if what := beside_a_set(source.value) or beside_spans(source.value) or beside_a_session(source.value):
            return what
        if what := beside_a_browser(source.value) or beside_a_run(source.value):
            return what
        what = _object(source.value) if isinstance(source.value, dict) else _list(source.value)
        return "" if what == _EVENT and stands_alone(source.path) else what
    return _lines(source)


def _trials(text: str) -> str:
    """A log in which Reflexion wrote down all trials at all questions, as plain text."""
    head = text[:2000]
    return "a log of trials as plain text" if "BEGIN TRIAL" in head and "Trial summary:" in head else ""


def _lines(source: Source) -> str:
    """Looks no further than it must: a file may be large."""
    noise, patches, rows = False, not source.is_zip, set[str]()
    for seen, line in enumerate(source.lines):
        if seen >= _ENOUGH and not noise and not patches and (len(rows) != 1 or "" in rows):
            break
        if line.bad:
            continue
        kind = as_dict(line.value).get("type")
        if isinstance(kind, str) and kind in _TALK and (kind != "result" or "agentId" not in line.value):
            return ""
        noise = noise or (isinstance(kind, str) and kind in _SESSION_NOISE) or _is_row(line.value)
        patches = patches and _is_patch(line.value)
        if len(rows) < 2:
            rows.add(row_beside(line.value))
    alike = rows.pop() if len(rows) == 1 else ""
    return alike or (_SESSION if noise else _PATCHES if patches else "")


def _is_row(row: Json) -> bool:
    """A row of a Claude Code session; in the dialects of others no row says `parentUuid` without a talk."""
    return (
        isinstance(row, dict)
        and {"parentUuid", "sessionId", "userType"} <= row.keys()
        and "systemPayload" not in row
    )


def _session(value: dict[str, Json]) -> str:
    """What Claude Code and Kimi write beside sessions."""
    if "agentType" in value and "messages" not in value and "message" not in value:
        return "a description of a sub-agent"
    if (as_str(value.get("type")) in _SESSION_NOISE or _is_row(value)) and "message" not in value:
        return _SESSION
    if (entries := value.get("entries")) is not None and value.get("version") == 1:
        return "an index of sessions" if entries == [] or _all(as_list(entries), "sessionId") else ""
    if _all(list(as_dict(value.get("agents")).values()), "homedir"):
        return "the state of a Kimi session"
    return ""


def _object(value: dict[str, Json]) -> str:
    if "resolved_ids" in value or ("resolved" in value and "no_generation" in value):
        return "a report of resolved instances"
    if {"total", "validation"} <= value.keys() and isinstance(value["validation"], dict):
        return "the totals of a benchmark"
    if isinstance(value.get("node_results"), dict):
        return "the grades of a search tree"
    if what := _session(value):
        return what
    if {"version", "status", "eval"} <= value.keys() and value.get("samples") in (None, []):
        return "an Inspect log without samples"
    if what := _harbor(value) or _openhands(value):
        return what
    if what := _terminal_bench(value):
        return what
    if what := _tau2(value):
        return what
    if _all(list(value.values()), "model_patch") or _is_patch(value):
        return _PATCHES
    if _all(list(value.values()), "resolved"):
        return "a report of resolved instances"
    return ""


def _harbor(value: dict[str, Json]) -> str:
    """What Harbor writes around a trajectory."""
    if "trial_name" in value and ("verifier_result" in value or "agent_info" in value):
        return "the result of a trial"
    if {"trial_name", "trials_dir"} <= value.keys() or {"job_name", "jobs_dir"} <= value.keys():
        return "the settings of a trial"
    if "n_total_trials" in value and "stats" in value:
        return "the result of a job"
    if value.get("reportFormat") == "CTRF" or "tests" in as_dict(value.get("results")):
        return "a report of tests"
    wrapped = as_dict(value.get("atif"))
    if as_str(wrapped.get("schema_version")).startswith("ATIF") and "steps" not in wrapped:
        return "the head of an ATIF trajectory whose steps are left out"
    if "reward" in value and all(isinstance(item, int | float) for item in value.values()):
        return "a reward"
    return ""


def _terminal_bench(value: dict[str, Json]) -> str:
    """What Terminal-Bench writes around its trials."""
    if _all(as_list(value.get("results")), "is_resolved") or (
        value.get("results") == [] and "pass_at_k" in value
    ):
        return "the results of a Terminal-Bench run"
    if {"run_id", "agent_name", "n_attempts"} <= value.keys() and "trial_name" not in value:
        return "the settings of a Terminal-Bench run"
    return ""


def _tau2(value: dict[str, Json]) -> str:
    """What tau2-bench writes beside simulations, and what models say of them."""
    if {"agent_info", "environment_info"} & as_dict(value.get("info")).keys() and not value.get(
        "simulations"
    ):
        return "the settings and tasks of a tau2-bench run"
    if _all(as_list(value.get("entries")), "judge_verdict"):
        return "the verdicts of a judge"
    if {"fault_assignment_analysis", "fault_type_analysis"} & value.keys():
        return "an analysis of faults by a model"
    return ""


def _openhands(value: dict[str, Json]) -> str:
    """What stands around `base_state.json` in the folder of an OpenHands conversation."""
    kind = as_str(value.get("kind"))
    if {"id", "timestamp", "source"} <= value.keys() and (kind.endswith("Event") or kind in _EVENTS):
        return _EVENT
    if isinstance(value.get("agent"), dict) and {"workspace", "created_at", "updated_at"} <= value.keys():
        return "the settings of an OpenHands conversation"
    return ""


def _list(value: Json) -> str:
    rows = as_list(value)
    if _all(rows, "conversations") and _all(rows, "trial_name"):
        return "trajectories of Harbor as chats for training"
    return _PATCHES if rows and all(map(_is_patch, rows)) else ""


def _is_patch(row: Json) -> bool:
    talk = {"messages", "trajectory", "history"}
    return isinstance(row, dict) and "model_patch" in row and not talk & row.keys()


def _all(rows: list[Json], key: str) -> bool:
    return bool(rows) and all(isinstance(row, dict) and key in row for row in rows)
