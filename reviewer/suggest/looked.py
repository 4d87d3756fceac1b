"""What an abstention of the rules rests on: what was looked at, and that it was not there.

Facts only, each with its count; whether anything is wrong with the run does not follow from any of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from reviewer.suggest.scene import Scene, claimed

_SAID = 120


def nothing_found(scene: Scene) -> str:
    """One sentence for people."""
    return f"no signal fired: {', '.join(_looked(scene))}"


def _looked(scene: Scene) -> Iterator[str]:
    facts = scene.facts
    calls = sum(used.calls for used in facts.tools)
    yield f"{_count(calls, 'call')} in {_count(len(scene.trace.steps), 'step')}"
    left, errors = len(facts.unrecovered), len(facts.errors)
    if left:
        yield f"{_count(left, 'error')} left, but none that points to a mode"
    else:
        yield "all errors put right" if errors else "no error"
    went = sum(write.counts for write in facts.writes)
    yield f"{_count(went, 'write')} went through" if facts.writes else "nothing written"
    checks = [check.state for check in facts.checks]
    failing = checks.count("failed")
    if checks:
        yield f"{_count(len(checks), 'check')}{f', {failing} of them failed' if failing else ', none failed'}"
    else:
        yield "nothing checked"
    if facts.claim is None:
        yield "no last words"
    else:
        yield "success claimed" if claimed(facts) else "no words of success or refusal at the end"
    yield _outcome(scene)


def _outcome(scene: Scene) -> str:
    facts = scene.facts
    if facts.passed is None:
        return "outcome unknown"
    failed = next((str(check) for check in facts.failed_checks), "")
    more = f" ({failed[:_SAID]}{'…' if len(failed) > _SAID else ''})" if failed and not facts.passed else ""
    return f"outcome {'passed' if facts.passed else 'failed'}{more}"


def _count(count: int, what: str) -> str:
    return f"{count or 'no'} {what}{'' if count == 1 else 's'}"
