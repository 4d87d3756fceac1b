"""What both versions of OpenHands share: the grades in a row, the reports beside it, words of the harness.

A report `output.report.json` belongs to `output.jsonl` and to no other attempt in the same folder. Knows no
events.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from reviewer.importers.joining.reports import beside
from reviewer.importers.opening.values import as_dict, as_float, as_int, as_score, as_str, shown, verdict
from reviewer.trace import Ended, Json, Outcome

# What a grader adds to a row. Of `test_result` only the patch is the agent's own.
GRADES = (
    "report",
    "fine_grained_report",
    "resolved",
    "correct",
    "hallucination",
    "success",
    "comment_success",
    "result_explanation",
)
GRADER_FIELDS = (*GRADES, "test_result (but git_patch)")
# Where a verdict or a number stands inside `test_result`, the most telling first.
_SAID = ("resolved", "result", "success", "passed", "correct", "score", "reward")
_ATTEMPT = re.compile(r"critic_attempt_(\d{1,6})")
_RUN = re.compile(r"\brun_(\d{1,6})\b|(?<=[-_])run_(\d{1,6})\Z")
_ENDS: tuple[tuple[str, Ended], ...] = (
    ("maximum iteration", "limit"),
    ("max iteration", "limit"),
    ("max_iteration", "limit"),
    ("maximumiteration", "limit"),
    ("maximum budget", "limit"),
    ("max budget", "limit"),
    ("contextwindow", "limit"),
    ("context window", "limit"),
    ("timeout", "timeout"),
    ("timed out", "timeout"),
    ("stopped by user", "user_stop"),
)


# What the evaluation says in a user's name when the agent waits for an answer.
PRODDING = re.compile(r"\s*(Please continue (working )?on |Please continue on whatever approach)")
_COMPLETED = re.compile(
    r"\s*\[(?:The )?command (?:completed|finished|executed) with exit code -?\d+\.?\]\s*", re.IGNORECASE
)


def framed(text: str, about: dict[str, Any]) -> str:
    """What a command printed with what the shell put around it: that it still runs, say."""
    suffix = as_str(about.get("suffix"))
    return as_str(about.get("prefix")) + text + ("" if _COMPLETED.fullmatch(suffix) else suffix)


def ungraded(row: dict[str, Any]) -> dict[str, Json]:
    """The row without what a grader wrote: what its identity is taken over."""
    own = {key: item for key, item in row.items() if key not in GRADES}
    if "test_result" in own:
        patch = as_dict(own.pop("test_result")).get("git_patch")
        own |= {} if patch is None else {"git_patch": patch}
    return own


def ended_by(error: str) -> Ended:
    """How a run stopped, by the words of its error; "unknown" where there are none."""
    words = error.lower()
    if not words.strip():
        return "unknown"
    return next((end for part, end in _ENDS if part in words), "error")


def attempt_of(row: dict[str, Any], path: Path) -> int | None:
    """The attempt: of the row, else of its file (`output.critic_attempt_2.jsonl`) or folder (`…run_1`)."""
    given = as_int(row.get("attempt"))
    if given is not None:
        return given
    if found := _ATTEMPT.search(path.name):
        return int(found[1])
    folder = as_str(as_dict(row.get("metadata")).get("eval_output_dir"))
    found = _RUN.search(folder.rstrip("/"))
    return int(found[1] or found[2]) if found else None


def outcomes(row: dict[str, Any], path: Path, instance: str) -> tuple[Outcome, ...]:
    """What the row says of itself, then what the reports near its file say of the instance."""
    return (*graded(row), *_reported(path, instance))


def graded(row: dict[str, Any]) -> tuple[Outcome, ...]:
    """The grade in a row, if there is one."""
    test = row.get("test_result")
    detail: dict[str, Json] = {key: row[key] for key in GRADES if row.get(key) is not None}
    if isinstance(test, dict):
        kept = {key: item for key, item in test.items() if key != "git_patch"}
        detail |= {"test_result": kept} if kept else {}
    elif test is not None:
        detail["test_result"] = test
    if not detail:
        return ()
    passed, score = _verdict(row, test)
    return (Outcome(passed, score, detail),)


def _verdict(row: dict[str, Any], test: Json) -> tuple[bool | None, float | None]:
    results = as_dict(test)
    for report in (row.get("report"), results.get("report")):
        resolved = as_dict(report).get("resolved")
        if isinstance(resolved, bool):
            return resolved, None
    if isinstance(results.get("final_score"), dict):
        return _points(results["final_score"])
    said = [results.get(key) for key in _SAID]
    said += [as_dict(results.get("result")).get(key) for key in _SAID]
    said += [test, row.get("resolved"), row.get("correct"), row.get("success")]
    for value in said:
        if isinstance(value, bool):
            return value, None
        score = as_score(value)
        if score is not None:
            return verdict(score), score
    return None, None


def _points(final: dict[str, Any]) -> tuple[bool | None, float | None]:
    """Points reached of points there are; of none there is nothing to say (the evaluator crashed)."""
    result, total = as_float(final.get("result")), as_float(final.get("total"))
    if result is None or not total:
        return None, None
    return verdict(result / total), result / total


def _reported(path: Path, instance: str) -> tuple[Outcome, ...]:
    found = beside(path, instance)
    own = f"{path.name.removesuffix('.jsonl').removesuffix('.json')}.report.json"
    mine = tuple(outcome for outcome in found if _name(outcome) == own)
    return mine or tuple(outcome for outcome in found if not _other(_name(outcome)))


def _name(outcome: Outcome) -> str:
    return outcome.origin.rpartition("/")[2]


def _other(name: str) -> bool:
    """Whether this is the report of another file of attempts."""
    return name.startswith("output.") and name.endswith(".report.json")


def words_of(error: Json) -> str:
    """The text of an `error` field, which is a text, an object or null."""
    return shown(error)
