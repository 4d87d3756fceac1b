"""Checks quotes against the trace: `verified` means that the words stand in the step they name.

White space is normalised, nothing else: a quote with an ellipsis or in other words is not verified.
What is not found is kept as it came, marked unverified. Knows no suggester.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from reviewer.facts.texts import step_texts
from reviewer.label import Evidence
from reviewer.trace import Step, Trace

MAX_WORDS = 2_000


def verify(trace: Trace, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The same evidence, each with `verified` and, where the step exists, its `step_source`."""
    steps = {step.n: step for step in trace.steps}
    return tuple(_verified(steps.get(item.step_n), trace, item) for item in evidence)


def _verified(step: Step | None, trace: Trace, item: Evidence) -> Evidence:
    if step is not None:
        return replace(item, step_source=step.stable_id, verified=stands(step, item.quote))
    task = item.step_n == 0 and _find(item.quote, trace.info.task)
    return replace(item, step_source="", verified=task)


def stands(step: Step, quote: str) -> bool:
    """Whether the quote stands in one of the texts of this step."""
    return any(_find(quote, text) for _, text in step_texts(step))


def _find(quote: str, text: str) -> bool:
    words = quote.split()
    if not words or len(words) > MAX_WORDS:
        return False
    if quote in text:
        return True
    if len(words) == 1:
        return words[0] in text
    # As a pattern, since joining the words of a text of 20 MB would copy it several times over.
    return re.search(r"\s+".join(map(re.escape, words)), text) is not None
