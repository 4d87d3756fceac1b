"""The signals about what the agent says of its work: claims against checks, outcome and the user.

English phrases only; a claim that the patterns do not know is no claim here.
"""

from __future__ import annotations

from reviewer.facts.calls import shell_commands
from reviewer.facts.programs import run_script
from reviewer.facts.texts import line_of
from reviewer.facts.tools import tool_kind
from reviewer.suggest.phrases import ADMITS, OBJECTS
from reviewer.suggest.scene import (
    Fired,
    Scene,
    claim_line,
    claimed,
    failing_after,
    fired,
    spoken_success,
    success,
)

_WIDE = 80


def passed_clean(scene: Scene) -> Fired | None:
    """The outcome says passed, and no check left behind says otherwise."""
    facts = scene.facts
    if facts.passed is not True or failing_after(facts):
        return None
    good = next(
        (check for check in reversed(facts.checks_after) if check.state == "passed" and check.quote), None
    )
    quotes = [(good.step, good.quote)] if good else claim_line(facts)
    says = "the outcome is passed" + (", and a check after the last write passed too" if good else "")
    step = good.step if good else None
    return fired("passed_clean", step, says, 0.8 if good else 0.65, *quotes)


def claim_against_check(scene: Scene) -> Fired | None:
    """Success is claimed while a check after the last write fails."""
    words = claimed(scene.facts)
    failing = failing_after(scene.facts)
    if not words or not failing:
        return None
    says = f"success is claimed, but {failing[-1].call} failed and did not pass since"
    return fired("claim_against_check", words[0], says, 0.7, words, (failing[-1].step, failing[-1].quote))


def claim_unchecked(scene: Scene) -> Fired | None:
    """Work is claimed, nothing was run after the last write that could show it, and the outcome is failed.

    Without a write there is no work to check: a wrong answer alone claims none.
    """
    facts = scene.facts
    words, write = claimed(facts), facts.last_write
    if not words or write is None or facts.passed is not False or any(c.checked for c in facts.checks_after):
        return None
    if write.api or _ran_after(scene, write.step):
        return None  # the reply of the function is the evidence, and it said that it was done
    empty = [(check.step, check.quote) for check in facts.checks_after if check.state == "vacuous"][:1]
    what = "only a check that checked nothing" if empty else "no check and no run"
    says = (
        f"success is claimed at step {words[0]}; after the last write (step {write.step}: "
        f"{_brief(write.call)}) comes {what}, and {scene.failed}"
    )
    return fired("claim_unchecked", words[0], says, 0.6, words, *empty, (write.step, write.call))


def _ran_after(scene: Scene, n: int) -> bool:
    """Whether a command after step `n` ran something that the run had written, or the code of a cell."""
    names = {changed.path.rsplit("/", 1)[-1] for changed in scene.facts.changed}
    for call in (call for step in scene.trace.steps[n:] for call in step.calls):
        scripts = (run_script(command).rsplit("/", 1)[-1] for command in shell_commands(call))
        if tool_kind(call.name) == "code" or any(script in names for script in scripts if script):
            return True
    return False


def _brief(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDE else f"{line[:_WIDE]} …"


def checked_and_wrong(scene: Scene) -> Fired | None:
    """The checks after the last write passed, and the outcome is failed all the same."""
    facts = scene.facts
    good = next((check for check in reversed(facts.checks_after) if check.state == "passed"), None)
    if facts.passed is not False or good is None or failing_after(facts):
        return None
    if good.kind not in ("test", "script") or not good.quote:
        return None  # a build or a linter tests nothing of what was asked, and a bare exit code shows nothing
    says = f"the agent's own check passed ({_brief(good.call)}), {scene.failed}"
    return fired("checked_and_wrong", good.step, says, 0.45, (good.step, good.quote))


def said_it_failed(scene: Scene) -> Fired | None:
    """The last message admits that something is not done or not verified."""
    claim = scene.facts.claim
    match = ADMITS.search(claim.quote[:8000]) if claim else None
    if claim is None or match is None or scene.facts.passed is not False:
        return None
    quote = line_of(claim.quote, match.start())
    step = scene.departure(claim.step)  # to admit it is honest: the departure lies before
    says = f"the last message says what is not, or cannot be, done; {scene.failed}"
    return fired("said_it_failed", step, says, 0.35, (claim.step, quote))


def user_objected(scene: Scene) -> Fired | None:
    """The user answers a claim of success by saying that it is not so."""
    claim: tuple[int, str] | None = None
    for step in scene.trace.steps:
        if step.source == "agent" and not step.kind and step.message.strip():
            match = success(step.message)
            claim = (step.n, line_of(step.message, match.start())) if match else None
        elif step.source == "user" and not step.kind and claim:
            match = OBJECTS.search(step.message[:2000])
            if match:
                says = "the user's next words speak against the claim"
                reply = (step.n, line_of(step.message, match.start()))
                return fired("user_objected", claim[0], says, 0.45, claim, reply)
    return None


def claim_of_failed_write(scene: Scene) -> Fired | None:
    """Success is claimed, and not one of the agent's writes went through. The step: the first such words."""
    facts = scene.facts
    words = claimed(facts)
    if not words or not facts.writes or facts.last_write is not None:
        return None
    write = facts.writes[-1]
    for step in scene.trace.steps[facts.writes[0].step - 1 : words[0] - 1]:
        early = spoken_success(step.message) if step.source == "agent" and not step.kind else ""
        if early and not ADMITS.search(step.message[:8000]) and step.n > facts.writes[0].step:
            words = (step.n, early)
            break
    says = f"success is claimed, but no write of the run went through: {len(facts.writes)} failed"
    return fired("claim_of_failed_write", words[0], says, 0.55, words, (write.step, write.reply))
