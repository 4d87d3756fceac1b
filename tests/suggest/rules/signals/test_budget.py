"""A budget that ran out over the same call again and again, or over work; its end is no fault around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.budget import (
    answer_after_limit,
    circles_in_doubt,
    ran_out_at_work,
    ran_out_in_circles,
)
from reviewer.trace import Ended, Json, Outcome, Result, Step, ToolCall
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


def test_circles_show_what_was_asked_the_call_its_answer_and_the_limit() -> None:
    limit = Step(0, "system", "Reached the step limit of 20 steps.", fault=True)
    fired = circles(user("Please check my line L1002."), *[LOOK] * 8, limit)
    assert fired is not None and fired.step == 3 and fired.but == ""
    assert fired.says.endswith(
        "steps 3 to 9 only repeat get_line (7 times, same answer) until the budget ran out"
    )
    assert [(item.step_n, item.shows) for item in fired.evidence] == [
        (1, "asked"), (2, "called get_line"), (3, "again"),
    ]  # fmt: skip


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


def test_what_was_expected_and_never_made_is_named_beside_what_was_made_before() -> None:
    reset = call("reset_apn", {"line_id": "L1002"}, "done")
    two = failed(("reset_apn", {"line_id": "L1002"}), ("enable_roaming", {"line_id": "L1002"}))
    fired = circles(user("Please mend my line."), reset, *[LOOK] * 8, outcomes=[two])
    assert fired is not None and fired.says.endswith("; expected and never made: enable_roaming")


def test_what_was_done_once_and_is_done_again_and_again_is_told_from_a_look() -> None:
    rule = Step(0, "system", "Call transfer_to_human_agents, and then send the message 'PLEASE HOLD ON'.")
    fired = circles(rule, user("I need to cancel it."), *[OVER] * 9)
    assert fired is not None and "handed over at 3, then 8 times more (4 to 11)" in fired.says
    assert fired.says.endswith("and never sent the message that must follow")
    assert [item.shows for item in fired.evidence] == ["policy", "again"]
    assert "then send the message 'PLEASE HOLD ON" in fired.evidence[0].quote
    assert fired.but == "step 3 may be a premature stop"
    sent = circles(rule, user("I need to cancel it."), OVER, says("Please hold on."), *[OVER] * 9)
    assert sent is not None and "must follow" not in sent.says


def test_a_loop_with_other_turns_between_says_how_many_it_has() -> None:
    fired = circles(user("Please check my line L1002."), *[LOOK] * 5, says("One moment."), *[LOOK] * 4)
    assert fired is not None and "8 of the 9 turns from 3 on repeat get_line (same answer)" in fired.says


def test_a_write_that_is_made_again_and_again_had_done_the_work() -> None:
    rows = [{"flight": "HAT1", "from": "ATL", "to": "LGA"}, {"flight": "HAT2", "from": "LGA", "to": "PHL"}]
    given: dict[str, Json] = {"reservation_id": "M05KNL", "flights": rows}
    book = call("update_booking", given, "the booking as it now stands, with all that belongs to it")
    fired = circles(user("yes"), *[book] * 9, outcomes=[failed(("update_booking", given))])
    assert fired is not None and fired.but == "the work itself was done at 2"
    assert fired.says.endswith(
        "update_booking went through at 2, then 8 times more (3 to 10); the user was never told"
    )
    assert [item.quote for item in fired.evidence] == ['"reservation_id":"M05KNL"'] * 2


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


def test_writes_of_one_turn_that_contradict_each_other_are_the_earlier_fault() -> None:
    both = [ToolCall("update_order", {"order_id": "#W1", "cabin": cabin}, cabin) for cabin in ("a", "b")]
    done = tuple(Result("ok", cabin) for cabin in ("a", "b"))
    scene = Scene.of(
        trace(user("x"), Step(0, "agent", calls=tuple(both), results=done), *[OVER] * 9, ended="limit")
    )
    doubt = circles_in_doubt(scene)
    assert ran_out_in_circles(scene) is None
    assert doubt is not None and doubt[0] == 2 and "2 times there on #W1" in doubt[1]


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


def ended_at_work(answer: str) -> Scene:
    told = Step(0, "system", "Reached max steps.", fault=True)
    work = [bash(f"look {n}", f"page {n}: 412", message=f"Let me look at page {n} for it.") for n in range(3)]
    one = trace(user("How many were there?"), *work, told, ended="limit")
    return Scene.of(one, [Outcome(passed=False, final_state={"answer": answer})])


def test_an_answer_after_the_limit_that_no_step_holds_is_a_pointer() -> None:
    fired = ran_out_at_work(ended_at_work("412"))
    assert fired is not None and (
        fired.evidence[0].shows,
        fired.evidence[0].quote,
    ) == ("asked", "How many were there?")
    assert "Let me look at page 2 for it." in [item.quote for item in fired.evidence]
    scene = ended_at_work("543")
    doubt = answer_after_limit(scene)
    assert ran_out_at_work(scene) is None
    assert doubt is not None and doubt[0] == 5 and "“543”, which no step holds" in doubt[1]


def test_a_loop_that_was_left_before_the_work_speaks_for_circles() -> None:
    told = Step(0, "system", "Reached max steps.", fault=True)
    late = [bash(f"cat {n}", f"page {n}") for n in range(9)]
    one = trace(user("Find it."), *[bash("ls", "a")] * 3, *late, told, ended="limit")
    fired = proven(one, ran_out_at_work(Scene.of(one, FAILED)))
    assert fired.but == "up to step 4 it repeated the same call of ls"
