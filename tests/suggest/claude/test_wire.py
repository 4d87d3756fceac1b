"""Secrets never reach the wire, wherever they stand: in all that a request can be made of."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reviewer.suggest.claude.findings import Found
from reviewer.suggest.claude.options import options
from reviewer.suggest.claude.plan import Planner
from reviewer.suggest.claude.teaching import lesson
from reviewer.trace import Step, Trace
from tests.suggest.claude.kitchen import KITCHEN
from tests.test_redact_attacks import ATTACKS
from tests.traces import bash, call, says, trace, user

FILLER = [bash(f"cat {n}", f"line {n} of some file\n" * 400) for n in range(60)]


def secretive(text: str, *filler: Step) -> Trace:
    """A trace with that text in every place that an agent can put it."""
    apart = "\n" if "\n" in text else " "  # a table begins in a line of its own
    steps = [
        user(text),
        says(text),
        Step(0, "agent", "", reasoning=text),
        bash(text, text),
        call("browse", {"deep": [{"note": text}], "lines": text.split("\n")}, text),
        call(text, text, text, error=True),
        *filler,
        bash("cat it again", f"{text}\n" * 3 + "x " * 30_000 + f"{apart}{text}"),
    ]
    return trace(*steps, task=f"Do it with{apart}{text}", task_id="t", id="t1-secret")


@pytest.mark.parametrize(("text", "secret"), ATTACKS.values(), ids=ATTACKS)
@pytest.mark.parametrize("how", [{}, {"budget": 8_000}, {"mode": "tool", "budget": 2_000, "segments": 1}])
def test_no_request_holds_a_secret_of_the_trace(text: str, secret: str, how: dict[str, Any]) -> None:
    one = secretive(text, *(FILLER if how else ()))
    planner = Planner(options(how), KITCHEN)
    plan = planner.plan(one)
    assert plan.segmented == (how == {"budget": 8_000})
    calls = list(plan.calls)
    if plan.segmented:
        found = Found(text, ())
        calls.append(planner.verdict(plan, [found for _ in plan.calls]))
    sent = json.dumps([one.body for one in calls], ensure_ascii=False)
    assert secret not in sent and sum(plan.views.masked.values()) >= 4


@pytest.mark.parametrize(("text", "secret"), ATTACKS.values(), ids=ATTACKS)
def test_no_request_holds_a_secret_of_what_people_and_other_machines_said(text: str, secret: str) -> None:
    other = trace(says("x"), id="t1-other", task=text, task_id="other")
    claim = ["id", "claude", "burnt", 1, text, [[1, text, True]]]
    given = {
        "prompt": f"You judge.\n{text}\n",
        "guidelines": f"Be strict.\n{text}\n",
        "lessons": [lesson(other.info, "burnt", "raw", 1, text)],
        "claims": {"t1-secret": claim},
    }
    plan = Planner(options(given), KITCHEN).plan(trace(says("It is black."), id="t1-secret"))
    sent = json.dumps(plan.calls[0].body, ensure_ascii=False)
    assert "Be strict." in sent and "Proposed: burnt" in sent and secret not in sent
    assert (
        sum(plan.masked.values()) >= 6 and not plan.views.masked
    )  # each place once, and none is the trace's
