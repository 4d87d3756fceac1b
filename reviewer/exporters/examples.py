"""`export examples`: examples for a judge, one a settled trace: the task, an excerpt, the mode, and why.

The excerpt holds the steps that the evidence quotes, the decisive step with one before and after it, the last
one; long texts keep head and tail and say how much is left out. Evidence is what suggestions of this mode
quoted and what was found in the trace. The rationale is that of the adjudication, else the notes of those who
gave this mode. Traces without gold are left out. Knows no store and no file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewer.exporters import WithTrace, strict
from reviewer.label import Evidence, LabelledTrace
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Step

_END = 700  # characters of each end of a long text


def lines(rows: Iterable[LabelledTrace], taxonomy: Taxonomy, with_trace: WithTrace | None) -> Iterator[str]:
    """The examples, one a line; without `with_trace` they have no excerpt."""
    for row in rows:
        if row.gold.decision is not None:
            yield strict.dumps(_example(row, taxonomy, with_trace)) + "\n"


def _example(row: LabelledTrace, taxonomy: Taxonomy, with_trace: WithTrace | None) -> dict[str, Json]:
    gold = row.gold.decision
    assert gold is not None  # only such rows come here
    evidence = _evidence(row, gold.mode)
    steps: tuple[Step, ...] = ()
    task = row.info.task
    if with_trace is not None:
        trace = with_trace(row.info.trace_id)
        steps, task = _chosen(trace.steps, gold.step_n, evidence), trace.info.task
    return {
        "trace_id": row.info.trace_id,
        "split": row.split or None,
        "task": _short(task),
        "ended": row.info.ended,
        "excerpt": [{"step": step.n, "source": step.source, "text": _short(_text(step))} for step in steps],
        "steps": row.info.n_steps,
        "evidence": [{"step": one.step_n, "quote": one.quote} for one in evidence],
        "mode": gold.mode,
        "submode": gold.submode or None,
        "facets": dict(gold.facets),
        "decisive_step": gold.step_n,
        "rationale": _why(row, gold.mode) or None,
        "status": row.gold.status,
        "taxonomy": {"id": taxonomy.id, "version": taxonomy.version, "hash": taxonomy.hash},
    }


def _evidence(row: LabelledTrace, mode: str) -> list[Evidence]:
    found: dict[tuple[int, str], Evidence] = {}
    for suggestion in row.suggestions:
        if suggestion.mode == mode and suggestion.status == "ok":
            for one in suggestion.evidence:
                if one.verified:
                    found.setdefault((one.step_n, one.quote), one)
    return sorted(found.values(), key=lambda one: one.step_n)


def _why(row: LabelledTrace, mode: str) -> str:
    gold = row.gold.decision
    words = [gold.reason, gold.note] if gold is not None else []
    if not any(words):
        words = [event.note for event in row.labels if event.kind == "label" and event.mode == mode]
    return " / ".join(dict.fromkeys(word.strip() for word in words if word.strip()))


def _chosen(steps: tuple[Step, ...], decisive: int | None, evidence: list[Evidence]) -> tuple[Step, ...]:
    wanted = {one.step_n for one in evidence} | ({steps[-1].n} if steps else set())
    if decisive is not None:
        wanted |= {decisive - 1, decisive, decisive + 1}
    return tuple(step for step in steps if step.n in wanted)


def _text(step: Step) -> str:
    """What happens in a step, in the order it happens."""
    called = (f"[calls {call.name}] {_spelled(call.arguments)}" for call in step.calls)
    got = (f"[{'error' if result.error else 'result'}] {result.content}" for result in step.results)
    return "\n".join(filter(None, (step.reasoning, step.message, *called, *got)))


def _spelled(arguments: Json) -> str:
    return arguments if isinstance(arguments, str) else strict.dumps(arguments)


def _short(text: str) -> str:
    left = len(text) - 2 * _END
    return text if left <= 80 else f"{text[:_END]}\n[… {left:,} characters left out …]\n{text[-_END:]}"
