"""A suggester that reads its answers from a file or mapping: for tests, demos and replays.

Answers are keyed by trace id, else by task id, else `*`. An answer is a mode, or an object with
`mode`, `runner_up`, `objection`, `rationale` (alone, or with all its parts as it is stored),
`confidence`, `step`, `evidence` (a list of `{"step", "quote", "shows"}`, where the last may be left out), or
`status` and `reason` for one that proposes nothing. What is none of these is `malformed`, as it would be
from a model. The option `answers` is a path or the mapping itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from reviewer.errors import InputError, why
from reviewer.label import Evidence, Rationale, SuggestionStatus
from reviewer.suggest.base import Proposal, Suggester, abstain
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace, digest

_STATUSES: tuple[SuggestionStatus, ...] = get_args(SuggestionStatus)
_OBJECTION = "objection"
_TEXTS = ("mode", "runner_up", _OBJECTION, "rationale", "reason", "model")


class Scripted:
    """Answers from a script; the same script gives the same request hash."""

    name = "scripted"
    version = "1"

    def __init__(self, answers: Mapping[str, Json]) -> None:
        self._answers = answers
        self.settings: Mapping[str, Json] = {"outcome": "withheld", "answers": digest(dict(answers))}

    def suggest(self, trace: Trace, outcomes: Sequence[Outcome], taxonomy: Taxonomy) -> Proposal:
        """The scripted answer for this trace."""
        for key in (trace.info.trace_id, trace.info.task_id, "*"):
            if key and key in self._answers:
                return _proposal(self._answers[key])
        return abstain("the script has no answer for this trace")


def build(options: Mapping[str, Json]) -> Suggester:
    """`answers`: a mapping, or the path of a JSON file that holds one."""
    answers = options.get("answers")
    if isinstance(answers, str | Path):
        answers = _read(Path(answers))
    if not isinstance(answers, Mapping):
        raise InputError("the scripted suggester needs 'answers': a JSON file that maps traces to answers")
    return Scripted(answers)


def _read(path: Path) -> Json:
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {why(error)}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, a NUL in the path, too deep
        raise InputError(f"{path}: not a JSON file of answers: {_said(error)}") from None


def _said(error: ValueError | RecursionError) -> str:
    return why(error) if isinstance(error, ValueError) else "nested too deeply"


def _proposal(answer: Json) -> Proposal:
    if isinstance(answer, str):
        return Proposal(mode=answer)
    if not isinstance(answer, dict):
        return _malformed("an answer must be a mode or an object")
    status = answer.get("status", "ok")
    if status not in _STATUSES:
        return _malformed(f"{status!r} is no status")
    texts = {key: answer.get(key, "") for key in _TEXTS}
    wrong = [key for key, value in texts.items() if not isinstance(value, str)]
    confidence, step = answer.get("confidence"), answer.get("step")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float | None):
        wrong.append("confidence")
    if isinstance(step, bool) or not isinstance(step, int | None):
        wrong.append("step")
    evidence = _evidence(answer.get("evidence", []))
    if evidence is None:
        wrong.append("evidence")
    if wrong or evidence is None:
        return _malformed(f"of the wrong type: {', '.join(wrong)}")
    why, but = Rationale.of(texts["rationale"]), texts.pop(_OBJECTION)
    texts["rationale"] = str(why._replace(but=but or why.but))
    return Proposal(status=status, confidence=confidence, step_n=step, evidence=evidence, **texts)


def _evidence(value: Json) -> tuple[Evidence, ...] | None:
    if not isinstance(value, list):
        return None
    out: list[Evidence] = []
    for item in value:
        step, quote = (item.get("step"), item.get("quote")) if isinstance(item, dict) else (None, None)
        if isinstance(step, bool) or not isinstance(step, int) or not isinstance(quote, str):
            return None
        shows = item.get("shows")
        out.append(Evidence(step, quote, shows=shows if isinstance(shows, str) else ""))
    return tuple(out)


def _malformed(reason: str) -> Proposal:
    return Proposal(status="malformed", reason=reason)
