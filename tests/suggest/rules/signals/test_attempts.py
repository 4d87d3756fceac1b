"""Whether there was an attempt, and whether danger was the reason to decline."""

from __future__ import annotations

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.attempts import never_acted, refused
from reviewer.trace import Step
from tests.suggest.rules.expected import proven
from tests.traces import PASSED, says, trace, user


def test_no_attempt_says_what_the_file_holds() -> None:
    fault = Step(0, "system", "litellm.Timeout: Connection timed out after 600 seconds.", fault=True)
    one = trace(Step(0, "system", "You help."), user("Mend the parser, please."), fault, ended="timeout")
    fired = proven(one, never_acted(Scene.of(one)))
    assert "3 steps (1 system, 1 user, 1 fault)" in fired.says
    assert [(item.step_n, item.shows) for item in fired.evidence] == [(3, "the fault")]
    told = Step(0, "system", f"{'So it went on for a while. ' * 9}litellm.Timeout: no reply.", fault=True)
    one = trace(user("Mend it."), told, ended="timeout")
    assert "litellm.Timeout" in proven(one, never_acted(Scene.of(one))).evidence[-1].quote
    short = trace(user("```\nMend the parser, please."))
    assert "1 step (1 user)" in proven(short, never_acted(Scene.of(short))).says
    assert not proven(short, never_acted(Scene.of(short))).but
    passed = proven(short, never_acted(Scene.of(short, PASSED)))
    assert passed.but == "the grader passed it"


def test_the_policy_of_a_shop_is_no_ground_of_danger() -> None:
    def fires(reason: str) -> bool:
        one = trace(user("Reset it, please."), says(f"I'm unable to help with that: {reason}."))
        return refused(Scene.of(one)) is not None

    assert fires("it could be harmful") and fires("my guidelines do not let me")
    assert not fires("the policies and procedures outlined do not cover it")
