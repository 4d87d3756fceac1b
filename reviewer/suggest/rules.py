"""The offline suggester: rules over named signals, no model, no network. It says so in every rationale.

Signals know no taxonomy; the table here says which mode each points to. A taxonomy that has none of
these modes gets an abstention, one that has some gets those. The confidence is the weight of the signal
that fired (lowered when another of nearly that weight points elsewhere): a heuristic, no probability.
The outcome is used, and that is recorded in the settings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from reviewer.facts import facts
from reviewer.suggest.base import Proposal, Suggester, abstain
from reviewer.suggest.scene import Fired, Scene
from reviewer.suggest.signals import SIGNALS
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace

# The mode, by its id in the default taxonomy, that a signal points to, and the one that is next likely.
MODES: Mapping[str, tuple[str, str]] = {
    "never_acted": ("not_an_attempt", "environment_fragility"),
    "passed_clean": ("no_failure", "silent_success"),
    "claim_against_check": ("silent_success", "other"),
    "claim_unchecked": ("silent_success", "other"),
    "claim_of_failed_write": ("silent_success", "tool_misuse"),
    "user_objected": ("silent_success", "planning_drift"),
    "refused": ("safety_refusal", "planning_drift"),
    "environment": ("environment_fragility", "planning_drift"),
    "blocked": ("environment_fragility", "safety_refusal"),
    "failed_again_and_again": ("tool_misuse", "planning_drift"),
    "bad_arguments": ("tool_misuse", "context_hallucination"),
    "wrong_state": ("tool_misuse", "planning_drift"),
    "not_there": ("context_hallucination", "tool_misuse"),
    "ran_out_in_circles": ("planning_drift", "tool_misuse"),
    "handed_over": ("planning_drift", "safety_refusal"),
    "ran_out_at_work": ("other", "planning_drift"),
    "checked_and_wrong": ("other", "silent_success"),
    "said_it_failed": ("other", "planning_drift"),
}
# Signals of a fault say nothing against a run that passed: it was overcome, or it did not matter.
_WHEN_PASSED = frozenset({"never_acted", "passed_clean", "claim_against_check", "user_objected"})
_CLOSE = 0.1


class Rules:
    """One mode from the strongest signal, the runner-up from the next one that points elsewhere."""

    name = "rules"
    version = "1"
    settings: Mapping[str, Json] = {"outcome": "used"}

    def suggest(self, trace: Trace, outcomes: Sequence[Outcome], taxonomy: Taxonomy) -> Proposal:
        """The proposal for this trace, or an abstention with its reason."""
        if not any(taxonomy.has(mode) for mode, _ in MODES.values()):
            return abstain("rules has no mapping for this taxonomy")
        scene = Scene(trace, facts(trace, outcomes))
        fired = [found for signal in SIGNALS if (found := signal(scene)) is not None]
        if scene.facts.passed is True:
            fired = [found for found in fired if found.name in _WHEN_PASSED]
        mapped = [found for found in fired if taxonomy.has(MODES[found.name][0])]
        if not mapped:
            if fired:
                return abstain(f"{fired[0].name} fired, but this taxonomy has no mode for it")
            return abstain("no signal fired")
        mapped.sort(key=lambda found: -found.weight)  # stable: equal weights keep the order of SIGNALS
        return _proposal(mapped, taxonomy)


def _proposal(fired: Sequence[Fired], taxonomy: Taxonomy) -> Proposal:
    first = fired[0]
    mode, next_likely = MODES[first.name]
    rival = next((found for found in fired[1:] if MODES[found.name][0] != mode), None)
    runner_up = MODES[rival.name][0] if rival else next_likely
    close = rival is not None and first.weight - rival.weight < _CLOSE
    agreeing = [found for found in fired[1:] if MODES[found.name][0] == mode]
    evidence = [quote for found in (first, *agreeing) for quote in found.evidence]
    also = f" (also: {', '.join(found.name for found in agreeing)})" if agreeing else ""
    return Proposal(
        mode=mode,
        runner_up=runner_up if taxonomy.has(runner_up) else "",
        rationale=f"Rule-based ({first.name}): {first.says}.{also}",
        confidence=round(first.weight * (0.8 if close else 1.0), 2),
        step_n=first.step,
        evidence=tuple(dict.fromkeys(evidence)),
    )


def build(options: Mapping[str, Json]) -> Suggester:
    """Takes no options."""
    return Rules()
