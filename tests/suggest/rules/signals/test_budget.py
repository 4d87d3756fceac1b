"""A budget that ran out over the same call again and again, or over work; its end is no fault around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reviewer.suggest.rules.seen.quoting import readable
from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.budget import (
    circles_in_doubt,
    ran_out_at_work,
    ran_out_in_circles,
)
from reviewer.trace import Ended, Json, Outcome, Step
from tests.suggest.rules.expected import failed, propose, proven
from tests.traces import FAILED, bash, call, says, trace, user

EDIT = bash("sed -i s/a/b/ src/a.py")


@pytest.mark.parametrize("ended", ["limit", "timeout"])
def test_a_budget_that_ends_is_no_fault_of_the_surroundings(ended: Ended) -> None:
    words = Step(0, "system", "Agent reached maximum iteration of 50", fault=True)
    found = propose(trace(user("x"), EDIT, bash("ls", message="Next I look at b."), words, ended=ended))
    assert (found.mode, found.step_n) == ("other", 3)
    assert "Rule-based (ran_out_at_work). " in found.rationale
    assert found.evidence[-1].quote == "Agent reached maximum iteration of 50"
    bare = propose(trace(user("x"), EDIT, bash("ls", message="Next I look at b."), ended=ended))
    assert bare.status == "abstained", "no words in the run say so"


@pytest.mark.parametrize(
    "words",
    [
        "RuntimeError: Agent reached maximum iteration. Current iteration: 30",
        "Max time (1500s) reached, the run stops here",
        "The step limit of 40 was exceeded",
    ],
)
@pytest.mark.parametrize("ended", ["limit", "error", "unknown"])
def test_the_words_of_a_harness_about_a_budget_are_no_fault_either(words: str, ended: Ended) -> None:
    last = Step(0, "system", words, fault=True)
    found = propose(trace(user("x"), EDIT, bash("ls", message="Next I look at b."), last, ended=ended))
    assert (found.mode, found.step_n) == ("other", 3)


LOOK = call("get_line", {"id": "L1002"}, '{"status": "Active", "plan": "P7"}')
OVER = call("transfer_to_human_agents", {"summary": "The policy does not allow to cancel it."}, "Transferred")


def circles(*steps: Step, outcomes: Sequence[Outcome] = ()) -> Fired | None:
    one = trace(*steps, ended="limit")
    fired = ran_out_in_circles(Scene.of(one, outcomes))
    return None if fired is None else proven(one, fired)


def test_circles_show_what_was_asked_and_the_call_as_it_is_still_made() -> None:
    limit = Step(0, "system", "Reached the step limit of 20 steps.", fault=True)
    fired = circles(user("Please check my line L1002."), *[LOOK] * 8, limit)
    assert fired is not None and fired.step == 3 and fired.but == ""
    assert fired.says == (
        "loop: steps 3 to 9 only repeat the look-up of L1002 at 2 (7 times, same answer) "
        "until the run hit its limit"
    )
    assert [(item.step_n, item.shows) for item in fired.evidence] == [(1, "asked"), (9, "still called")]


def test_a_call_after_the_user_spoke_is_no_repetition_without_a_chance() -> None:
    fired = circles(user("Hello."), LOOK, user("I did it. What should I do now?"), *[LOOK] * 8)
    assert fired is not None and fired.step == 5, "the call at 4 looks anew"
    assert ("user waits", "What should I do now?") in [(item.shows, item.quote) for item in fired.evidence]
    assert "while the user waits" in fired.says


def test_a_user_who_is_seen_to_have_only_looked_changed_nothing() -> None:
    def after(tool: str) -> Fired | None:
        theirs = replace(call(tool, {}, "no signal"), source="user")
        return circles(user("Hello."), LOOK, theirs, user("What should I do now?"), *[LOOK] * 8)

    looked, did = after("check_network"), after("reboot_device")
    assert looked is not None and looked.step == 5
    assert did is not None and did.step == 6, "the call at 5 looks anew"


def test_a_long_question_is_cut_before_its_end_so_that_it_can_be_read() -> None:
    long = "I did all of it and it is as slow as it was so is it my phone or is it you, and what do I do now?"
    run = circles(user("Hello."), LOOK, user(long), *[call("get_usage", {"id": "a b c d e f"}, "x y")] * 8)
    assert run is not None and readable(run.says, [item.quote for item in run.evidence])
    assert run.evidence[0].quote.endswith("what do I do now?") and run.evidence[0].shows == "user waits"


def test_a_look_at_several_things_is_named_by_its_tool() -> None:
    usage = call("crm__get_usage", {"customer_id": "C1", "line_id": "L1002"}, "15.1 of 15 GB")
    fired = circles(user("Please mend my line."), *[usage] * 8)
    assert fired is not None and "only repeat the get_usage call at 2 (7 times" in fired.says


def test_a_deed_that_is_done_again_and_again_shows_what_it_first_answered() -> None:
    fired = circles(user("I need to cancel it."), *[OVER] * 9)
    assert fired is not None and fired.step == 3 and fired.but == ""
    assert [(item.step_n, item.shows) for item in fired.evidence] == [(2, "its answer"), (10, "still called")]
    assert fired.evidence[0].quote == "Transferred"


def test_a_loop_with_other_turns_between_says_how_many_it_has() -> None:
    fired = circles(user("Please check my line L1002."), *[LOOK] * 5, says("One moment."), *[LOOK] * 4)
    assert fired is not None and "8 of the 9 turns from 3 on repeat the look-up of L1002 at 2" in fired.says


@pytest.mark.parametrize(
    ("before", "expects", "n", "why"),
    [
        ([call("cancel_order", {"order_id": "#W1"}, "cancelled")], [], 2, "not expected"),
        (
            [call("cancel_order", {"order_id": "#W1"}, "ok")],
            [("cancel_order", {"order_id": "#W2"})],
            2,
            "order_id",
        ),
        ([OVER], [("cancel_order", {"order_id": "#W1"})], 2, "it hands over there, while cancel_order"),
    ],
)
def test_what_went_wrong_before_the_loop_makes_it_a_pointer(
    before: list[Step], expects: list[tuple[str, dict[str, Json]]], n: int, why: str
) -> None:
    steps = [user("Please cancel it."), *before, *[LOOK] * 9]
    assert circles(*steps, outcomes=[failed(*expects)]) is None
    doubt = circles_in_doubt(Scene.of(trace(*steps, ended="limit"), [failed(*expects)]))
    assert doubt is not None and doubt[0] == n and why in doubt[1] and "follows at 4" in doubt[1]


def test_a_run_that_waits_for_something_had_a_chance_of_a_new_answer() -> None:
    wait = call("get_job", {"id": "J7"}, '{"state": "pending"}')
    assert circles(user("Run it."), *[wait] * 9) is None
    doubt = circles_in_doubt(Scene.of(trace(user("Run it."), *[wait] * 9, ended="limit")))
    assert doubt is not None and doubt[0] == 3 and "was it waiting" in doubt[1]


def test_circles_are_told_from_different_calls_and_from_a_loop_that_was_left() -> None:
    assert circles(user("x"), *[call("hand_over", {"why": "it is late"}, "Done")] * 8) is not None
    assert circles(*[bash("ls", "a"), bash("ls b", "b"), bash("ls c", "c")] * 2) is None
    distinct = [bash(f"cat {n}", str(n)) for n in range(44)]
    assert circles(*[bash("ls", "a")] * 9, *distinct[:3]) is None, "it was left"
    few = [step for n in range(32, 44, 3) for step in (*distinct[n : n + 3], bash("ls", "a"))]
    assert circles(*distinct[:32], *few) is None, "a few of many"


def test_an_answer_after_the_limit_speaks_against_a_budget_that_ran_out_at_work() -> None:
    told = Step(0, "system", "Reached max steps.", fault=True)
    work = [bash(f"look {n}", f"page {n}: 412") for n in range(3)]
    one = trace(user("How many were there?"), *work, told, ended="limit")
    fired = proven(one, ran_out_at_work(Scene.of(one, FAILED)))
    assert fired.but == "" and [item.shows for item in fired.evidence] == ["asked", "at work", "ended"]
    answered = [Outcome(passed=False, final_state={"answer": "543"})]
    assert proven(one, ran_out_at_work(Scene.of(one, answered))).but == "an answer is handed in all the same"


def test_a_failed_run_that_ends_in_circles_without_a_word_is_one_like_a_budget_that_ran_out() -> None:
    press = call("click", {"index": 7}, "Clicked element 7")
    one = trace(user("Find it."), *[press] * 8)
    fired = proven(one, ran_out_in_circles(Scene.of(one, FAILED)))
    assert fired.says.endswith("(7 times, same answer) until it ended without a word")
    assert [item.shows for item in fired.evidence] == ["its answer", "still called"]
    assert ran_out_in_circles(Scene.of(one)) is None, "nothing says that it failed"
    spoke = trace(*one.steps, says("It is not there."))
    assert ran_out_in_circles(Scene.of(spoke, FAILED)) is None
