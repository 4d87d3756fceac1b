"""The offline rules against the labels of people, in Who&When and AgentRx.

    python tests/benchmarks/bench_rules.py FOLDER [--half development|held-out] [--json]

FOLDER holds `who_and_when/` and `agentrx/`. Traces are split into two halves by a hash of their question, so
that all runs of one question, in whichever set, are on one side: rules are written looking at `development`
only. The mode is compared on AgentRx, whose categories `reviewer/suggest/crosswalk.toml` maps, the step on
both. An abstention is an answer of its own, and a wrong one. Intervals are 95 %: kappa by the task, shares by
Wilson.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from reviewer import taxonomy
from reviewer.cli.intake import import_paths
from reviewer.label import LabelEvent
from reviewer.stats.agreement import pair_agreement
from reviewer.stats.estimate import Estimate
from reviewer.stats.intervals import wilson
from reviewer.store import Store
from reviewer.suggest import suggester
from reviewer.suggest.base import Proposal
from reviewer.trace import Trace

HALVES = ("development", "held-out")
NONE = "(abstained)"


@dataclass(frozen=True, slots=True)
class Case:
    """One label of people on one trace, and what the rules propose."""

    set: str
    half: str
    trace: Trace
    label: LabelEvent
    proposal: Proposal

    @property
    def question(self) -> str:
        return self.trace.info.task_id


def half(question: str) -> str:
    return HALVES[hashlib.sha256(question.encode()).digest()[-1] % 2]


def cases(folder: Path) -> list[Case]:
    """Every label of the two sets, with a proposal made without it."""
    six, rules = taxonomy.load("six-modes"), suggester("rules")
    found = []
    with tempfile.TemporaryDirectory() as place, Store.open(Path(place, "r.db"), create=True) as store:
        import_paths(store, [str(folder / "who_and_when"), str(folder / "agentrx")], None)
        for info in store.traces.all():
            trace = store.traces.trace(info.trace_id)
            said = rules.suggest(trace, store.outcomes.of(info.trace_id), six)
            found += [
                Case(label.taxonomy, half(info.task_id), trace, label, said)
                for label in store.labels.heads(trace_id=info.trace_id)
                if label.kind == "label"
            ]
    return found


# -- the step ------------------------------------------------------------------------------------


def steps(chosen: Sequence[Case], usual: int) -> dict[str, Any]:
    """Shares of decisive steps that each way of naming one meets, exactly and within one step."""
    ways: dict[str, Callable[[Case], int | None]] = {
        "rules": lambda case: case.proposal.step_n,
        f"always step {usual}, the most frequent": lambda case: usual,
        "always step 1": lambda case: 1,
        "always the first step of an agent": lambda case: _first_agent(case.trace),
        "always the last step": lambda case: len(case.trace.steps),
    }
    table: dict[str, Any] = {}
    for name, way in ways.items():
        off = [_off(way(case), case.label.step_n) for case in chosen]
        table[name] = {"exact": _share(off, 0), "within one": _share(off, 1)}
    table["a step at random"] = {
        "exact": {"n": len(chosen), "value": _mean(_chance(case, 0) for case in chosen)},
        "within one": {"n": len(chosen), "value": _mean(_chance(case, 1) for case in chosen)},
    }
    return table


def people(chosen: Iterable[Case]) -> dict[str, Any]:
    """Two independent sets of people on the same traces: the ceiling."""
    by_trace: dict[str, dict[str, int | None]] = {}
    for case in chosen:
        by_trace.setdefault(case.trace.info.trace_id, {})[case.set] = case.label.step_n
    off = [_off(*said.values()) for said in by_trace.values() if len(said) == 2]
    return {"exact": _share(off, 0), "within one": _share(off, 1)}


def _off(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else abs(a - b)


def _share(off: Sequence[int | None], within: int) -> dict[str, Any]:
    met = sum(one is not None and one <= within for one in off)
    low, high = wilson(met, len(off))
    return {"n": len(off), "value": met / len(off) if off else None, "low": low, "high": high}


def _chance(case: Case, within: int) -> float:
    wanted, count = case.label.step_n or 0, len(case.trace.steps)
    return sum(abs(n - wanted) <= within for n in range(1, count + 1)) / count


def _first_agent(trace: Trace) -> int | None:
    return next((step.n for step in trace.steps if step.source == "agent"), None)


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return sum(listed) / len(listed) if listed else None


# -- the mode ------------------------------------------------------------------------------------


def modes(chosen: Sequence[Case], usual: str) -> dict[str, Any]:
    """Kappa of the rules with people, and how often the most frequent mode would be right."""
    wanted = [crosswalk()[case.label.mode] for case in chosen]
    given = [case.proposal.mode or NONE for case in chosen]
    six = [mode.id for mode in taxonomy.load("six-modes").modes]
    tasks = [case.question for case in chosen]
    found = pair_agreement(given, wanted, categories=[*six, NONE], tasks=tasks)
    answered = [n for n, mode in enumerate(given) if mode != NONE]
    only = pair_agreement(
        [given[n] for n in answered], [wanted[n] for n in answered], tasks=[tasks[n] for n in answered]
    )
    return {
        "n": len(chosen),
        "kappa": _estimate(found.kappa),
        "kappa where the rules answered": _estimate(only.kappa),
        "the same mode": _share([0 if a == b else 9 for a, b in zip(given, wanted, strict=True)], 0),
        f"always {usual}": _share([0 if mode == usual else 9 for mode in wanted], 0),
        "people": dict(Counter(wanted)),
        "rules": dict(Counter(given)),
    }


def crosswalk() -> dict[str, str]:
    text = resources.files("reviewer.suggest").joinpath("crosswalk.toml").read_text("utf-8")
    table: dict[str, str] = tomllib.loads(text)["agentrx"]
    return table


def _estimate(found: Estimate) -> dict[str, Any]:
    named = {"value": found.value, "low": found.low, "high": found.high}
    return {"n": found.n, **named, "undefined": found.undefined or None}


# -- out -----------------------------------------------------------------------------------------


def measured(found: Sequence[Case]) -> dict[str, Any]:
    """All figures of both halves; what is most frequent is taken from `development` for both."""
    mine = [case for case in found if case.half == HALVES[0]]
    placed = [case for case in found if case.label.step_n is not None]
    if not mine or not placed:
        raise SystemExit("no labelled runs of Who&When and AgentRx in both halves there; name their folder")
    usual_step = Counter(case.label.step_n or 0 for case in mine if case in placed).most_common(1)[0][0]
    categories = Counter(crosswalk()[case.label.mode] for case in mine if case.set == "agentrx")
    usual_mode = next((name for name, _ in categories.most_common(1)), "nothing")
    table: dict[str, Any] = {}
    for side in HALVES:
        here = [case for case in placed if case.half == side]
        table[side] = {
            "mode, AgentRx": modes([c for c in found if c.half == side and c.set == "agentrx"], usual_mode),
            "step, Who&When": steps([case for case in here if case.set == "who-and-when"], usual_step),
            "step, AgentRx": steps([case for case in here if case.set == "agentrx"], usual_step),
            "step, two sets of people": people(here),
        }
    return table


def _print(name: str, value: Any, depth: int = 0) -> None:
    pad = "  " * depth
    if not isinstance(value, dict):
        print(f"{pad}{name}: {value}")
    elif "value" in value:
        bounds = f" [{value['low']:.2f}, {value['high']:.2f}]" if value.get("low") is not None else ""
        said = value.get("undefined") if value["value"] is None else f"{value['value']:.2f}"
        print(f"{pad}{name}: {said}{bounds}, n = {value['n']}")
    else:
        print(f"{pad}{name}")
        for key, inner in value.items():
            _print(key, inner, depth + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    table = measured(cases(given.folder))
    if given.half:
        table = {given.half: table[given.half]}
    if given.json:
        print(json.dumps(table, indent=1))
        return
    for side, figures in table.items():
        _print(side, figures)


if __name__ == "__main__":
    main()
