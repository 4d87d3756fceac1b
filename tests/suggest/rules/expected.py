"""Outcomes that expect calls, and the quotes of a signal as a reader sees them, for tests of the rules."""

from __future__ import annotations

from reviewer.suggest.evidence import verify
from reviewer.suggest.rules.seen.quoting import WIDTH
from reviewer.suggest.rules.seen.scene import Fired
from reviewer.trace import Json, Outcome, Trace


def actions(*calls: tuple[str, dict[str, Json]]) -> Json:
    return {"actions": [{"name": name, "arguments": arguments} for name, arguments in calls]}


def failed(*calls: tuple[str, dict[str, Json]], detail: Json = None, passed: bool | None = False) -> Outcome:
    return Outcome(passed=passed, expected_state=actions(*calls), final_state=actions(), detail=detail)


def quoted(run: Trace, found: Fired) -> dict[str, str]:
    """The quotes of a signal by their captions; each stands where it says, and is short enough to read."""
    proofs = verify(run, found.evidence)
    assert all(proof.verified for proof in proofs), [proof.quote for proof in proofs if not proof.verified]
    assert 1 <= len(proofs) <= 4 and len(found.says) <= 200
    assert all(proof.shows and len(proof.quote) <= WIDTH for proof in proofs)
    return {proof.shows: proof.quote for proof in proofs}
