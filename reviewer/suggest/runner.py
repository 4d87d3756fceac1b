"""Runs a suggester over traces, one at a time, and turns each answer into a suggestion with its proof.

Knows no store: traces come in, `save` takes each suggestion as soon as it is there, clock and ids are
passed in. An error of ours from a suggester costs that trace only and is stored as the reason;
`SuggesterStopped` is stored for its trace too, and then ends the run. Anything else is a bug: in a suggester
of somebody else it costs that trace as well, in one of ours it stays a traceback.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from reviewer.errors import ReviewerError, SuggesterStopped
from reviewer.label import Suggestion
from reviewer.suggest.base import Proposal, Suggester
from reviewer.suggest.evidence import verify
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace, digest

_REASON = 400  # characters of what an error says


@runtime_checkable
class Aimed(Protocol):
    """A suggester whose question on a trace is more than the trace, such as what another one said of it."""

    def about(self, trace: Trace) -> Json: ...


def run(
    traces: Iterable[tuple[Trace, Sequence[Outcome]]],
    suggester: Suggester,
    taxonomy: Taxonomy,
    save: Callable[[Suggestion], None],
    *,
    now: Callable[[], str],
    new_id: Callable[[], str],
    known: Callable[[str], bool] = lambda request: False,
) -> Counter[str]:
    """Suggests for each trace; the counts by status, with `known` for those already asked.

    `known` tells whether a request was answered before, so that nothing is asked twice.
    """
    counts: Counter[str] = Counter()
    for trace, outcomes in traces:
        request = request_hash(trace, outcomes, suggester, taxonomy)
        if known(request):
            counts["known"] += 1
            continue
        stopped: SuggesterStopped | None = None
        whole = partial(
            suggestion, trace=trace, suggester=suggester, taxonomy=taxonomy, request=request, at=now()
        )
        try:
            made = whole(checked(suggester.suggest(trace, outcomes, taxonomy), taxonomy), id=new_id())
        except ReviewerError as error:
            made = whole(Proposal(status="failed", reason=str(error)), id=new_id())
            stopped = error if isinstance(error, SuggesterStopped) else None
        except Exception as error:
            if _ours(suggester):
                raise
            reason = " ".join(f"the suggester broke down: {type(error).__name__}: {error}".split())
            made = whole(Proposal(status="failed", reason=reason[:_REASON]), id=new_id())
        save(made)
        counts[made.status] += 1
        if stopped is not None:
            raise stopped
    return counts


def _ours(suggester: Suggester) -> bool:
    return type(suggester).__module__.partition(".")[0] == __name__.partition(".")[0]


def request_hash(trace: Trace, outcomes: Sequence[Outcome], suggester: Suggester, taxonomy: Taxonomy) -> str:
    """Hash of all that the answer depends on; what the outcome says belongs to it if it is used."""
    said: Json = None
    if suggester.settings.get("outcome") == "used":
        said = [[outcome.passed, outcome.score, outcome.origin] for outcome in outcomes]
    asked = [suggester.name, suggester.version, dict(suggester.settings)]
    about = [suggester.about(trace)] if isinstance(suggester, Aimed) else []
    return digest([trace.info.content_hash, taxonomy.hash, asked, said, *about])


def checked(proposal: Proposal, taxonomy: Taxonomy) -> Proposal:
    """The proposal, or `malformed` if it names a mode that the taxonomy does not have, or none."""
    if proposal.status != "ok":
        return proposal
    if not taxonomy.has(proposal.mode):
        return Proposal(status="malformed", reason=f"proposed {proposal.mode!r}, which is no mode here")
    if proposal.runner_up and not taxonomy.has(proposal.runner_up):
        return Proposal(status="malformed", reason=f"runner-up {proposal.runner_up!r} is no mode here")
    if proposal.confidence is not None and not 0 <= proposal.confidence <= 1:
        return Proposal(status="malformed", reason="the confidence is not between 0 and 1")
    return proposal


def suggestion(
    proposal: Proposal,
    trace: Trace,
    suggester: Suggester,
    taxonomy: Taxonomy,
    *,
    request: str,
    at: str,
    id: str,
) -> Suggestion:
    """The proposal with everything that a stored suggestion needs, its quotes verified."""
    step = next((step for step in trace.steps if step.n == proposal.step_n), None)
    return Suggestion(
        id=id,
        request=request,
        trace_id=trace.info.trace_id,
        content_hash=trace.info.content_hash,
        taxonomy_hash=taxonomy.hash,
        suggester=suggester.name,
        status=proposal.status,
        at=at,
        model=proposal.model,
        prompt_hash=proposal.prompt_hash,
        settings={"version": suggester.version, **suggester.settings},
        reason=proposal.reason,
        mode=proposal.mode,
        runner_up=proposal.runner_up,
        facets=proposal.facets,
        rationale=proposal.rationale,
        confidence=proposal.confidence,
        step_source=step.stable_id if step else "",
        step_n=step.n if step else None,
        evidence=verify(trace, proposal.evidence),
        omitted=proposal.omitted,
        usage=proposal.usage,
        cost=proposal.cost,
    )
