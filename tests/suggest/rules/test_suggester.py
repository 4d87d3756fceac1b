"""Every signal of the offline rules fires where it should, is quiet on a near miss, and proves itself."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer import taxonomy
from reviewer.label import Rationale
from reviewer.suggest import suggester
from reviewer.suggest.base import Proposal
from reviewer.suggest.evidence import verify
from reviewer.suggest.rules import modes_of, table
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals import SIGNALS
from reviewer.trace import ENDED, Ended, Json, Outcome, Result, Step, ToolCall, Trace
from tests.traces import FAILED, PASSED, bash, call, says, trace, user

SIX = taxonomy.load("six-modes")
BY_NAME = {signal.__name__: signal for signal in SIGNALS}
EDIT = bash("sed -i s/a/b/ src/a.py")
DONE = says("I fixed the bug. All tests pass.")
BAD_PATH = bash("cat src/made_up.py", "cat: src/made_up.py: No such file or directory", 1)
NET = bash("pip install x", "ConnectionError: Max retries exceeded with url: /simple/x", 1)
STUCK = call("book", {"seat": "9Z"}, "no seat 9Z", error=True)
PRESSED = Step(0, "agent", "I clicked 'More' on [the list](https://a.example/list).", name="B")
LOOP = says('"is_in_loop": {"reason": "We are repeating the click", "answer": true}')
GONE = bash("cat a.csv", "cat: a.csv: No such file or directory", 1)
SEARCHES = (bash("find / -name a.csv"), bash("ls /data/a.csv*"))
UNCLOSED = bash("python3 -c 'print(1' > out.txt", "SyntaxError: '(' was never closed", 1)
LOOK = call("get_seat", {"seat": "9Z"}, "no seat 9Z", error=True)
SCHEMA = call("book", {"seats": 1}, "book() got an unexpected keyword argument 'seats'", error=True)
DENIED = call("Write", {"file_path": "a.md"}, "you haven't granted it yet", denied=True)
RULE = Step(0, "system", "Before a change list its details and obtain an explicit yes.")
CANCELLED = call("cancel_order", {"order_id": "#W1234"}, '{"status": "cancelled"}')
STATE = (Outcome(passed=False, expected_state={"a": 1}, final_state={"a": 2}),)
LIMITED = "RuntimeError: Agent reached maximum iteration of 50"
ASKED = user("Please cancel my order #W1234.")


def expects(*calls: tuple[str, dict[str, Json]]) -> tuple[Outcome, ...]:
    """A failed outcome that expected these calls."""
    made: Json = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return (Outcome(passed=False, expected_state={"actions": made}, final_state={"actions": []}),)


def agent(name: str, message: str) -> Step:
    return Step(0, "agent", message, name=name)


@dataclass(frozen=True)
class Case:
    """A trace on which a signal fires at `step`, and one, nearly the same, on which it does not."""

    fires: Trace
    step: int | None
    quiet: Trace
    outcomes: Sequence[Outcome] = ()
    quiet_outcomes: Sequence[Outcome] | None = None


CASES = {
    "never_acted": Case(
        trace(user("Do it"), Step(0, "system", "litellm.Timeout: timed out", fault=True), ended="error"),
        2,
        trace(user("Do it"), says("On it.")),
    ),
    "passed_clean": Case(
        trace(EDIT, bash("pytest", "3 passed"), DONE),
        2,
        trace(EDIT, bash("pytest", "1 failed", 1), DONE),
        PASSED,
    ),
    "claim_against_check": Case(
        trace(EDIT, bash("pytest", "1 failed", 1), DONE),
        3,
        trace(
            EDIT, bash("pytest", "1 failed", 1), says("I fixed the parser, but was unable to fix the rest.")
        ),
    ),
    "claim_unchecked": Case(
        trace(EDIT, bash("pytest -k x", "no tests ran"), DONE),
        3,
        trace(EDIT, bash("pytest", "3 passed"), DONE),
        FAILED,
    ),
    "claim_of_failed_write": Case(
        trace(DENIED, says("I've created a.md.")), 2, trace(EDIT, says("I've created a.md."))
    ),
    "user_objected": Case(
        trace(user("Fix it"), EDIT, DONE, user("It still doesn't work")),
        3,
        trace(user("Fix it"), EDIT, DONE, user("Great, thanks")),
    ),
    "refused": Case(
        trace(user("Reset it"), says("I'm sorry, but I can't help with that: it could be harmful.")),
        2,
        trace(user("Reset it"), EDIT, says("I can't help with the rest: it could be harmful.")),
    ),
    "environment": Case(
        trace(NET, NET, says("The network does not answer, so I stop here.")),
        1,
        trace(NET, bash("pip install x", "ok"), says("The network answers, so I go on.")),
    ),
    "blocked": Case(
        trace(EDIT, Step(0, "system", "content filter", fault=True), ended="refused"),
        2,
        trace(EDIT, Step(0, "system", "content filter", fault=True)),
    ),
    "failed_again_and_again": Case(
        trace(STUCK, STUCK, STUCK), 2, trace(STUCK, STUCK, STUCK, call("book", {"seat": "9Z"}, "ok"))
    ),
    "bad_arguments": Case(
        trace(SCHEMA, says("I stop.")), 1, trace(SCHEMA, call("book", {"seat": 1}, "ok"), says("I stop."))
    ),
    "wrong_value": Case(
        trace(ASKED, call("cancel_order", {"order_id": "#W9999"}, "ok"), says("Well.")),
        2,
        trace(ASKED, call("cancel_order", {"order_id": "#W1234"}, "ok"), says("Well.")),
        expects(("cancel_order", {"order_id": "#W1234"})),
    ),
    "out_of_order": Case(
        trace(
            Step(0, "system", "An order can only be cancelled if its status is 'pending'."),
            ASKED,
            call("modify_order_items", {"order_id": "#W1234"}, '{"status": "pending (modified)"}'),
            call(
                "cancel_order",
                {"order_id": "#W1234"},
                "Error: non-pending order cannot be cancelled",
                error=True,
            ),
        ),
        3,
        trace(
            ASKED,
            call("modify_order_items", {"order_id": "#W7777"}, '{"status": "pending (modified)"}'),
            call(
                "cancel_order",
                {"order_id": "#W1234"},
                "Error: non-pending order cannot be cancelled",
                error=True,
            ),
        ),
        expects(("cancel_order", {"order_id": "#W1234"}), ("modify_order_items", {"order_id": "#W1234"})),
    ),
    "not_there": Case(
        trace(user("Fix it"), BAD_PATH, bash("sed -n 5p src/made_up.py", "", 1)),
        2,
        trace(user("Fix it"), BAD_PATH, bash("ls src", "a.py")),
    ),
    "ran_out_in_circles": Case(
        trace(EDIT, *[bash("ls", "a")] * 6, ended="limit"),
        3,
        trace(EDIT, *[bash(f"ls {n}", "a") for n in range(6)], ended="limit"),
    ),
    "ran_out_at_work": Case(
        trace(EDIT, bash("cat a"), bash("cat b"), Step(0, "system", LIMITED, fault=True), ended="limit"),
        3,
        trace(
            EDIT, bash("cat a"), *[bash("cat b")] * 6, Step(0, "system", LIMITED, fault=True), ended="limit"
        ),
    ),
    "held_up": Case(
        trace(user("Sort a.csv"), GONE, *SEARCHES, says("I could not sort it: a.csv does not exist.")),
        2,
        trace(user("Sort a.csv"), GONE, says("I could not sort it: a.csv does not exist.")),
        FAILED,
    ),
    "stopped_by_filter": Case(
        trace(user("Look it up"), says("I type it.\n'code': 'content_filter', 'message': 'filtered'")),
        2,
        trace(user("Look it up"), says("{'code': 'content_filter'}"), says("Once more, it works.")),
    ),
    "file_not_there": Case(
        trace(
            agent("A (-> B)", "Open the downloaded PDF file."),
            agent("B", "File not found: /w/wyrm.pdf"),
            agent("A (-> B)", "Open the PDF file."),
            agent("B", "File not found: /w/wyrm.pdf"),
        ),
        2,
        trace(
            user("Which word stands in wyrm.pdf?"),
            agent("B", "File not found: /w/wyrm.pdf"),
            agent("B", "File not found: /w/wyrm.pdf"),
        ),
    ),
    "made_up": Case(
        trace(
            bash("# simulated values for now\nx = [3, 4, 8.5]\nprint(sum(x))", "15.5"),
            says("FINAL ANSWER: 15.5 miles"),
        ),
        1,
        trace(
            bash("# simulated values for now\nx = [3, 4, 8.5]\nprint(sum(x))", "15.5"),
            says("FINAL ANSWER: 15.5 miles, from simulated values"),
        ),
        FAILED,
    ),
    "says_it_is_stuck": Case(
        trace(*[PRESSED, LOOP] * 6),
        2,
        trace(*[PRESSED, LOOP] * 6, says('"is_in_loop": {"reason": "it moves", "answer": false}')),
    ),
    "answer_not_taken": Case(
        trace(
            user("Your answer must be in the format of\nFINISH([answer])"),
            Step(0, "agent", "The answer is 9.", fault=True),
        ),
        2,
        trace(user("What is it?"), Step(0, "agent", "The answer is 9.", fault=True)),
    ),
}


def fired(name: str, sample: Trace, outcomes: Sequence[Outcome]) -> object:
    return BY_NAME[name](Scene.of(sample, outcomes))


def propose(sample: Trace, outcomes: Sequence[Outcome] = ()) -> Proposal:
    return suggester("rules").suggest(sample, outcomes, SIX)


def test_every_signal_has_a_case_and_a_mode() -> None:
    modes = modes_of(SIX)
    assert set(CASES) == set(BY_NAME) == set(modes)
    assert all(map(SIX.has, modes.values()))


@pytest.mark.parametrize("name", list(table()["modes"]))
def test_every_table_of_modes_knows_signals_and_modes_only(name: str) -> None:
    known = taxonomy.load(name)
    for signal, mode in modes_of(known).items():
        assert signal in BY_NAME and known.has(mode)


def test_every_category_of_the_crosswalk_is_a_mode_on_both_sides() -> None:
    text = resources.files("reviewer.suggest").joinpath("crosswalk.toml").read_text("utf-8")
    table = tomllib.loads(text)["agentrx"]
    assert set(table) == {mode.id for mode in taxonomy.load("agentrx").modes}
    assert all(SIX.has(mode) for mode in table.values())


def test_the_figures_that_are_shown_are_those_of_these_rules() -> None:
    assert table()["measured"]["version"] == suggester("rules").version
    found = propose(CASES["claim_against_check"].fires)
    why, _, note = Rationale.of(found.rationale)
    assert note.startswith("Rule-based (claim_against_check). Measured ") and "kappa" not in why
    assert note.endswith(f" Measured {table()['measured']['says']}.")


def test_a_filter_proves_nothing_where_the_run_was_lost_before() -> None:
    words = says("content_filter: the prompt was filtered")
    lost = propose(trace(says("We are stuck in a loop."), says("We are stuck in a loop."), words))
    assert (lost.status, lost.step_n) == ("abstained", 1)
    assert propose(trace(words)).step_n == 1


@pytest.mark.parametrize("name", CASES)
def test_signal_fires_with_its_step_and_proof(name: str) -> None:
    case = CASES[name]
    found = BY_NAME[name](Scene.of(case.fires, case.outcomes))
    assert found is not None
    assert (found.name, found.step) == (name, case.step)
    assert found.evidence and all(item.verified for item in verify(case.fires, found.evidence))
    assert 0 < found.weight <= 1


@pytest.mark.parametrize("name", CASES)
def test_signal_is_quiet_on_the_near_miss(name: str) -> None:
    case = CASES[name]
    assert fired(name, case.quiet, case.quiet_outcomes or case.outcomes) is None


def test_a_proposal_says_that_it_is_rule_based_and_proves_itself() -> None:
    sample = CASES["claim_against_check"].fires
    found = propose(sample)
    assert (found.status, found.mode, found.step_n) == ("ok", "silent_success", 3)
    assert found.rationale.startswith("false verification: ")
    assert Rationale.of(found.rationale).note.startswith("Rule-based (claim_against_check). ")
    assert found.runner_up == "", "nothing else fired that points elsewhere"
    assert found.confidence == 0.7
    assert all(item.verified for item in verify(sample, found.evidence))


def test_nothing_to_say_is_an_abstention() -> None:
    found = propose(trace(user("Hello"), says("What would you like?")))
    assert (found.status, found.mode) == ("abstained", "")
    assert found.reason.startswith("nothing that points to a mode. Seen: no calls, no error, ")


@pytest.mark.parametrize("ended", ENDED)
def test_a_trace_without_steps_is_no_attempt(ended: Ended) -> None:
    found = propose(trace(ended=ended))
    assert (found.mode, found.step_n, found.evidence) == ("not_an_attempt", None, ())


def test_what_the_harness_says_of_itself_is_no_fault_of_the_agent() -> None:
    gone = Step(0, "system", "ContainerLost: it is gone", kind="notice", fault=True)
    found = propose(trace(user("x"), BAD_PATH, gone, ended="error"))
    assert (found.mode, found.step_n) == ("environment_fragility", 3)


def test_faults_that_a_passed_run_overcame_say_nothing_against_it() -> None:
    scored = (Outcome(passed=True, score=1.0, detail={"info": {"r_actions": 1.0}}),)
    assert propose(trace(NET, STUCK, STUCK, STUCK, says("I stop.")), scored).mode == ""
    unclear = trace(EDIT, bash("pytest", "1 failed", 1), NET, NET, says("The network is down, so I stop."))
    assert propose(unclear, PASSED).status == "abstained"
    assert propose(unclear, FAILED).mode == "environment_fragility"


def test_an_order_that_went_through_needs_no_test_run() -> None:
    order = call("cancel_order", {"order_id": "W1"}, "cancelled")
    assert propose(trace(order, says("Your order has been cancelled.")), FAILED).status == "abstained"


def test_a_correction_of_wishes_is_no_objection() -> None:
    changed = user("No, I do not want the refund on my card. If that's not possible, cancel.")
    assert fired("user_objected", trace(user("Return it"), EDIT, DONE, changed), ()) is None


def test_two_signals_of_nearly_one_weight_lower_the_confidence() -> None:
    both = trace(user("x"), BAD_PATH, bash("sed -n 5p src/made_up.py", "", 1), STUCK, STUCK, STUCK)
    found = propose(both)
    assert (found.mode, found.runner_up) == ("context_hallucination", "tool_misuse")
    assert found.confidence == pytest.approx(0.45)


FOREIGN = 'id = "f"\nversion = "1"\n[[mode]]\nid = "burnt"\n'


def test_a_foreign_taxonomy_gets_an_abstention() -> None:
    sample = CASES["claim_against_check"].fires
    found = suggester("rules").suggest(sample, (), taxonomy.parse(FOREIGN))
    assert (found.status, found.reason) == ("abstained", "rules has no mapping for this taxonomy")


def test_a_taxonomy_with_some_of_the_modes_gets_those_only() -> None:
    some = taxonomy.parse(FOREIGN + '[[mode]]\nid = "tool_misuse"\n')
    rules = suggester("rules")
    missing = rules.suggest(CASES["claim_of_failed_write"].fires, (), some)
    assert (missing.status, missing.mode) == ("abstained", "")
    assert "claim_of_failed_write" in missing.reason
    there = rules.suggest(CASES["failed_again_and_again"].fires, (), some)
    assert (there.mode, there.runner_up) == ("tool_misuse", "")


PALETTE = [
    user("Fix src/a.py"),
    user("It still doesn't work"),
    says("I'm sorry, I can't help with that, it is unsafe."),
    says("I was unable to verify it."),
    says(" "),
    Step(0, "agent", fault=True),
    Step(0, "system", "gone", kind="notice", fault=True),
    bash("pytest", "1 failed", 1),
    bash("pytest", "3 passed"),
    bash("", "", None),
    call("", None, "", error=True),
    *(EDIT, DONE, BAD_PATH, NET, STUCK, SCHEMA, DENIED),
]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(PALETTE), max_size=9),
    st.sampled_from(ENDED),
    st.sampled_from([(), PASSED, FAILED, STATE, (*PASSED, *FAILED)]),
)
def test_whatever_happened_the_answer_is_sound(
    steps: list[Step], ended: Ended, outcomes: tuple[Outcome, ...]
) -> None:
    sample = trace(*steps, ended=ended)
    found = propose(sample, outcomes)
    assert found.status in ("ok", "abstained")
    assert all(item.verified for item in verify(sample, found.evidence))
    if found.status == "ok":
        assert SIX.has(found.mode) and found.runner_up != found.mode
        assert not found.runner_up or SIX.has(found.runner_up)
        assert found.step_n is None or 1 <= found.step_n <= len(steps)
        assert found.confidence is not None and 0 < found.confidence < 1
    else:
        assert found.reason and not found.mode


@pytest.mark.parametrize("arguments", [None, [], [1], "x", 3, {"a": None}], ids=str)
@pytest.mark.parametrize("tool", ["", "get_x", "transfer_to_human_agents", "update_x"])
def test_calls_of_any_form_are_repeated_without_harm(tool: str, arguments: Json) -> None:
    step = Step(0, "agent", "", calls=(ToolCall(tool, arguments, "c"),), results=(Result("same", "c"),))
    found = propose(trace(user("x"), *[step] * 12, ended="limit"))
    assert found.status in ("ok", "abstained")
