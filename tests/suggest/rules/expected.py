"""Outcomes that expect calls, and the quotes of a signal as a reader sees them, for tests of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from reviewer import taxonomy
from reviewer.label import Rationale
from reviewer.suggest import suggester
from reviewer.suggest.base import Proposal
from reviewer.suggest.evidence import verify
from reviewer.suggest.rules.pointers.open_calls import open_call
from reviewer.suggest.rules.seen.quoting import WIDTH
from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.trace import Json, Outcome, Step, Trace
from tests.traces import trace


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


def proven(run: Trace, found: Fired | None) -> Fired:
    """A signal that fired, and each of its quotes stands where it says."""
    assert found is not None and all(proof.verified for proof in verify(run, found.evidence))
    return found


def look(signal: object, *steps: Step, outcomes: Sequence[Outcome] = ()) -> Fired | None:
    """What a signal finds in a run of these steps; whatever it quotes can be read and is there."""
    run = trace(*steps)
    found: Fired | None = signal(Scene.of(run, outcomes))  # type: ignore[operator]
    if found is not None:
        assert quoted(run, found)
    return found


def pointer(run: Trace, *outcomes: Outcome) -> str:
    """Where a run points to begin reading for an expected call."""
    found = open_call(Scene.of(run, outcomes))
    return f"{found[0]}: {found[1]}" if found else ""


def propose(run: Trace, *outcomes: Outcome) -> Proposal:
    """What the rules propose for a run; its quotes stand where they say, and it can be read in a moment."""
    found = suggester("rules").suggest(run, outcomes, taxonomy.load("six-modes"))
    assert all(proof.verified for proof in verify(run, found.evidence)) and len(found.evidence) <= 4
    assert len(Rationale.of(found.rationale).reason) <= 260 and len(found.reason) <= 242
    return found


def shows(found: Proposal) -> list[tuple[int, str]]:
    """The steps of the quotes with their captions."""
    return [(proof.step_n, proof.shows) for proof in found.evidence]
