"""The offline suggester: rules over named signals, no model, no network. It says so behind every rationale.

Signals know no taxonomy; `rules.toml` says which mode each points to. A taxonomy that has none of
these modes gets an abstention, one that has some gets those. The confidence is the weight of the signal
that fired (lowered when another of nearly that weight points elsewhere): how much of the sentence the trace
itself shows, no probability. The outcome is used, and that is recorded in the settings.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from reviewer.label import Evidence, Rationale
from reviewer.suggest.base import Proposal, Suggester, abstain
from reviewer.suggest.rules.pointers.abstention import nothing_found
from reviewer.suggest.rules.seen.fitting import MOST
from reviewer.suggest.rules.seen.quoting import readable
from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals import SIGNALS
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace

_DEFAULT = "six-modes"
# Signals of a fault say nothing against a run that passed: it was overcome, or it did not matter.
_WHEN_PASSED = frozenset({"never_acted", "passed_clean", "claim_against_check"})
_CLOSE = 0.1
_NOTE = 150  # characters: what stands behind the quotes is read by few


@cache
def table() -> Mapping[str, Any]:
    """`rules.toml` as it stands: the modes that signals point to, and how good the rules were found."""
    return tomllib.loads(resources.files(__package__).joinpath("rules.toml").read_text("utf-8"))


def modes_of(taxonomy: Taxonomy) -> Mapping[str, str]:
    """The mode of each signal under this taxonomy."""
    known: Mapping[str, Mapping[str, str]] = table()["modes"]
    return known.get(taxonomy.id, known[_DEFAULT])


class Rules:
    """One mode from the strongest signal, the runner-up from the next one that points elsewhere."""

    name = "rules"
    version = "7"
    settings: Mapping[str, Json] = {"outcome": "used"}

    def suggest(self, trace: Trace, outcomes: Sequence[Outcome], taxonomy: Taxonomy) -> Proposal:
        """The proposal for this trace, or an abstention with its reason."""
        modes = modes_of(taxonomy)
        if not any(map(taxonomy.has, modes.values())):
            return abstain("rules has no mapping for this taxonomy")
        scene = Scene.of(trace, outcomes)
        fired = [found for signal in SIGNALS if (found := signal(scene)) is not None]
        fired = [found for found in fired if found.name in _WHEN_PASSED or _shown(found)]
        if scene.facts.passed is True or scene.well:
            fired = [found for found in fired if found.name in _WHEN_PASSED]
        mapped = [found for found in fired if taxonomy.has(modes.get(found.name, ""))]
        if not mapped:
            if fired:
                return abstain(f"{fired[0].name} fired, but this taxonomy has no mode for it")
            reason, step = nothing_found(scene)
            return replace(abstain(reason), step_n=step)
        mapped.sort(key=lambda found: -found.weight)  # stable: equal weights keep the order of SIGNALS
        return _proposal(mapped, modes)


def _shown(found: Fired) -> bool:
    """Whether a reader can see in the quotes of a signal why it fired; else it is no suggestion."""
    return any(quote.telling for quote in found.evidence)


def _proposal(fired: Sequence[Fired], modes: Mapping[str, str]) -> Proposal:
    first = fired[0]
    mode = modes[first.name]
    rival = next((found for found in fired[1:] if modes[found.name] != mode), None)
    close = rival is not None and first.weight - rival.weight < _CLOSE
    agreeing = [found for found in fired[1:] if modes[found.name] == mode]
    return Proposal(
        mode=mode,
        runner_up=modes[rival.name] if rival else "",
        rationale=str(
            Rationale(f"{first.says}.", first.but, _how(first, agreeing, rival if close else None))
        ),
        confidence=round(first.weight * (0.8 if close else 1.0), 2),
        step_n=first.step,
        evidence=_quotes(first, agreeing),
    )


def _quotes(first: Fired, agreeing: Sequence[Fired]) -> tuple[Evidence, ...]:
    """The quotes of the signal that counts, in its order; of others only what they show at the same step."""
    own = [quote for quote in first.evidence if quote.telling or quote.shows] or list(first.evidence)
    others = [quote for found in agreeing if found.step == first.step for quote in found.evidence]
    more = [quote for quote in others if quote.shows and quote.telling and quote.step_n == first.step]
    kept: dict[tuple[int, str], Evidence] = {}
    for quote in (*own, *more):
        texts = [one.quote for one in (*kept.values(), quote)]
        if quote in own or readable(first.says, [first.but, *texts]):
            kept.setdefault((quote.step_n, quote.quote), quote)
    return tuple(kept.values())[:MOST]


def _how(first: Fired, agreeing: Sequence[Fired], rival: Fired | None) -> str:
    """Stands behind the quotes in the panel, as it is no reason: what made it, how good it was."""
    also = f", with {agreeing[0].name}" if agreeing and rival is None else ""
    less = f"; {rival.name} points elsewhere" if rival else ""
    measured = f" Measured {table()['measured']['says']}."
    said = f"Rule-based ({first.name}{also}{less}).{measured}"
    return said if len(said) <= _NOTE else f"Rule-based ({first.name}).{measured}"


def build(options: Mapping[str, Json]) -> Suggester:
    """Takes no options."""
    return Rules()
