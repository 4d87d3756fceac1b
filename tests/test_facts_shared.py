"""Facts on real runs: failed checks and differences do appear; the final claim is what was handed in."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest

from reviewer.facts import Facts, facts
from reviewer.facts.texts import step_texts
from reviewer.importers.base import NotATrace
from tests.importers.reading import read
from tests.traces import SHARED

FILES = (
    "tau_bench/agentrx_tau_retail_failed.json",
    "tau_bench/grok-3_retail_run.json",
    "tau2_bench/gpt-4.1-ft_telecom.json",
    "tau2_bench/gpt-4o_telecom_20sims.json",
    "tau2_bench/gpt-oss-120b_langchain_airline.json",
)
LEAST = 0.95


def failed_runs(path: Path) -> list[Facts]:
    return [
        facts(item.trace, item.outcomes)
        for item in read(path)
        if any(outcome.passed is False for outcome in item.outcomes)
    ]


@pytest.mark.skipif(not SHARED.exists(), reason="the shared traces are not here")
@pytest.mark.parametrize("name", FILES)
def test_failed_runs_show_what_failed_and_what_differs(name: str) -> None:
    found = failed_runs(SHARED / "traces" / name)
    assert len(found) >= 3
    named = [one for one in found if any(check.name != "not passed" for check in one.failed_checks)]
    said = [one for one in found if one.failed_checks]
    differing = [one for one in found if any(not side.same for side in one.compared)]
    either = [one for one in found if one in named or one in differing]
    assert len(said) >= LEAST * len(found)
    assert len(either) >= LEAST * len(found)
    assert len(differing) >= 0.8 * len(found)


def handed_in(name: str) -> list[tuple[Facts, str]]:
    """The facts of the runs whose last steps show an answer: one that a log ends with, or the outcome's."""
    found = []
    for path in sorted((SHARED / "traces" / name).rglob("*.json*")):
        items = []
        with suppress(NotATrace):  # what lies beside traces
            items = read(path)
        for item in items:
            texts = "\n".join(text for step in item.trace.steps[-1:] for _, text in step_texts(step))
            answers = re.findall(r"^FINAL ANSWER: *(\S.*)\n[A-Z]+\.(?:PY|SH) COMPLETE", texts, re.MULTILINE)[
                -1:
            ]
            states = (one.final_state for one in item.outcomes if isinstance(one.final_state, dict))
            given = (str(state.get("answer") or "").strip() for state in states)
            answers += [text for text in given if text and text in texts]
            found += [(facts(item.trace, item.outcomes), answer) for answer in answers]
    return found


@pytest.mark.skipif(not SHARED.exists(), reason="the shared traces are not here")
@pytest.mark.parametrize(("name", "least"), [("agentrx", 33), ("who_and_when", 14), ("smolagents", 70)])
def test_the_final_claim_is_what_the_run_handed_in(name: str, least: int) -> None:
    found = handed_in(name)
    assert len(found) >= least
    others = [(one.claim, answer) for one, answer in found if not one.claim or answer not in one.claim.quote]
    assert not others
