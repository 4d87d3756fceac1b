"""What lies beside the runs of browser agents and holds no trace: summaries, answers, gradings, recordings.

AgentLab and BrowserGym keep their steps as pickles, which are never opened; WebArena-Verified keeps only
what was asked of the network; browser-use dumps what one model call was told as a text.
"""

from __future__ import annotations

import re

from reviewer.importers.opening.values import as_dict
from reviewer.trace import Json

_TALK = re.compile(r"\A\s*(?:system|SystemMessage|HumanMessage|user)\s*:?\s*\n", re.ASCII)
_ANSWER = re.compile(r"^(?:Model output:|\s*RESPONSE)\s*$", re.MULTILINE)


def beside_a_browser(value: Json) -> str:
    """What an object is, "" for any other."""
    value = as_dict(value)
    if {"n_steps", "cum_reward"} <= value.keys():
        return "the summary of a BrowserGym run, whose steps are pickles (never opened)"
    if {"task_type", "status", "retrieved_data"} <= value.keys():
        return "the answer of an agent to a WebArena task"
    if "evaluators_results" in value and "task_id" in value:
        return "the grading of a WebArena run"
    log = as_dict(value.get("log"))
    if isinstance(log.get("entries"), list) and "creator" in log and "version" in log:
        return "a recording of network requests (HAR)"
    if {"site", "question", "start_url", "num_steps"} <= value.keys() and "history" not in value:
        return "the description of a browser-use run"
    return ""


def dumped_call(text: str) -> str:
    """What a text is when browser-use dumped one model call into it, else ""."""
    if _TALK.match(text[:200]) and _ANSWER.search(text):
        return "what one model call of browser-use was told (a text dump)"
    return ""
