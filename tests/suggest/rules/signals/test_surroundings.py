"""Faults around the agent count where they were still there at the end, and were left in the open."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.surroundings import (
    blocked,
    broken_in_doubt,
    environment,
    fault_in_doubt,
    stopped_by_filter,
)
from reviewer.trace import Ended, Outcome, Step
from tests.suggest.rules.expected import propose, proven
from tests.traces import FAILED, bash, call, says, trace, user

DOWN = call("get_order", {"order_id": "#W77"}, "Error: 503 Service Unavailable", error=True)
SORRY = says("I cannot see your order, since the service is unavailable for now.")
FILTER = (
    "openai.BadRequestError: Error code: 400 - {'jailbreak': {'filtered': True, 'detected': True}}}, "
    "'code': 'content_filter', 'status': 400}"
)
BROKEN = (
    "I typed it.\nTraceback (most recent call last):\n"
    "requests.exceptions.ChunkedEncodingError: ('Connection broken: IncompleteRead(3 bytes read)')\n"
    "RUN EXITED WITH CODE: 1"
)
STUCK = says("We are stuck in a loop.")


def test_a_fault_that_stays_shows_what_was_tried_and_what_was_said() -> None:
    one = trace(user("Where is it?"), DOWN, DOWN, SORRY)
    fired = proven(one, environment(Scene.of(one, FAILED)))
    assert fired.step == 2 and "a fault met 2 times (2 to 3)" in fired.says
    assert fired.says.startswith("network or service: ")
    assert [item.shows for item in fired.evidence] == ["the fault", "said"] and not fired.but


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ((DOWN, SORRY), "one more try was open"),
        ((DOWN, DOWN, says("Your order comes on Monday.")), "it is passed over"),
        ((DOWN, DOWN, says("The service is unavailable. We can instead guess: Monday.")), "it goes on"),
        ((DOWN, DOWN, call("get_order", {"order_id": "#W77"}, "ok"), SORRY), "it was overcome"),
        ((DOWN, DOWN, says("Let me look."), says("And again."), says("So."), SORRY), "it was not the end"),
    ],
)
def test_what_speaks_against_a_fault_of_the_surroundings(steps: tuple[Step, ...], why: str) -> None:
    assert environment(Scene.of(trace(user("Where is it?"), *steps), FAILED)) is None, why


def test_a_fault_that_was_met_once_is_a_pointer() -> None:
    found = fault_in_doubt(Scene.of(trace(user("x"), DOWN, says("I give up."))))
    assert found is not None and found[0] == 2 and "met once" in found[1]


@pytest.mark.parametrize(
    "words",
    [
        "curl: (6) Could not resolve host: pypi.example",
        "OSError: [Errno 28] No space left on device",
        "ProxyError: 502 Bad Gateway",
        "Temporary failure in name resolution",
        "fork: Cannot allocate memory",
        "HTTP error: 429 Too Many Requests",
    ],
)
def test_the_words_of_shells_for_faults_around_them(words: str) -> None:
    one = trace(user("x"), bash("get it", words, 1), bash("get it", words, 1), says("The network is down."))
    fired = proven(one, environment(Scene.of(one)))
    assert words in fired.evidence[0].quote
    machine = any(word in words for word in ("space", "memory"))
    assert fired.says.startswith("container or resource: " if machine else "network or service: ")


def test_a_fault_that_ended_the_run_left_no_turn_to_name_it() -> None:
    one = trace(user("x"), says(BROKEN), ended="error")
    fired = proven(one, environment(Scene.of(one, FAILED)))
    assert [item.shows for item in fired.evidence] == ["the fault", "ended"]
    lost = trace(user("x"), STUCK, STUCK, says(BROKEN), ended="error")
    assert environment(Scene.of(lost, FAILED)) is None and broken_in_doubt(Scene.of(lost, FAILED))


def test_a_crash_that_ended_the_run_is_a_fault_unless_an_answer_is_given_all_the_same() -> None:
    fell = 'Traceback (most recent call last):\n  File "/x/run.py", line 3, in main\nAPIConnectionError: -'
    fired = proven(one := trace(user("x"), bash("ls"), says(fell)), environment(Scene.of(one, FAILED)))
    assert fired.step == 3 and fired.evidence[0].quote.endswith("APIConnectionError: -")
    one = trace(user("x"), bash("ls"), says(f"{fell}\nFINAL ANSWER: 20"))
    assert environment(Scene.of(one, FAILED)) is None and broken_in_doubt(Scene.of(one, FAILED))
    one, handed_in = trace(user("x"), says(fell)), Outcome(passed=False, final_state={"answer": "20"})
    assert environment(Scene.of(one, [handed_in])) is None


def test_a_filter_is_quoted_by_its_plain_sentence_else_by_its_deciding_words() -> None:
    one = trace(user("x"), bash("look", "text"), says(f"I type it.\n{FILTER}"))
    fired = proven(one, stopped_by_filter(Scene.of(one)))
    assert [item.shows for item in fired.evidence] == ["refused"]
    assert "'code': 'content_filter'" in fired.evidence[0].quote
    assert (
        fired.says == "provider block: a content filter refused the next call at 3; no agent had a turn after"
    )
    plain = f'{FILTER} {{"message": "Your request was flagged by our usage rules. Ask again."}}'
    told = trace(user("x"), bash("look", "text"), says(plain))
    fired = proven(told, stopped_by_filter(Scene.of(told)))
    assert fired.evidence[0].quote == "Your request was flagged by our usage rules"
    long = plain.replace("usage rules", "rules about what can be asked of it and of its friends")
    told = trace(user("x"), bash("look", "text"), says(long))
    fired = proven(told, stopped_by_filter(Scene.of(told)))
    assert fired.evidence[0].quote.startswith("flagged by our rules about what can be asked"), (
        "the deed at least"
    )


def test_where_an_answer_that_the_harness_hands_in_after_a_filter_stood_before_is_said() -> None:
    answer = Step(0, "system", "FINAL ANSWER: 1976")
    one = trace(user("x"), bash("look", "text"), says(FILTER), answer)
    fired = proven(one, stopped_by_filter(Scene.of(one, FAILED)))
    assert fired.but == "“1976” (seen nowhere before) is handed in"
    assert [item.shows for item in fired.evidence] == ["refused"], "what the objection names needs no quote"
    assert stopped_by_filter(Scene.of(one)) is None, "it may be right"
    seen = trace(user("x"), bash("look", "It was in 1976."), says(FILTER), answer)
    assert stopped_by_filter(Scene.of(seen, FAILED)) is None, "it may have been found, and wrongly chosen"
    doubt = broken_in_doubt(Scene.of(seen, FAILED))
    assert doubt is not None and "“FINAL ANSWER: 1976” (first seen at 2) follows" in doubt[1]
    record = says(
        '{"is_request_satisfied": {"reason": "It is not done, as we have not found the year of the '
        'first flood yet, of those in the list.", "answer": false}}'
    )
    begun = trace(user("x"), bash("look", "It was in 1976."), record, says(FILTER), answer)
    fired = proven(begun, stopped_by_filter(Scene.of(begun, FAILED)))
    assert fired.but == "“1976” (first seen at 2) is handed in"
    assert stopped_by_filter(Scene.of(begun)) is None, "it may be right"
    digit = trace(
        user("x"), bash("look", "7 items"), record, says(FILTER), Step(0, "system", "FINAL ANSWER: 7")
    )
    assert proven(digit, stopped_by_filter(Scene.of(digit, FAILED))).but == "“7” is handed in"
    assert stopped_by_filter(Scene.of(digit)) is None, "it may be right"
    never = trace(user("x"), bash("look", "none"), *digit.steps[2:])
    fired = proven(never, stopped_by_filter(Scene.of(never)))
    assert fired.but == "“7” (seen nowhere before) is handed in", "a guess"
    found = trace(user("x"), bash("look", "In 1976."), says('{"satisfied": true}'), says(FILTER), answer)
    assert stopped_by_filter(Scene.of(found, FAILED)) is None


def test_where_the_expected_answer_had_been_seen_and_another_was_handed_in_is_a_pointer() -> None:
    record = says('{"is_request_satisfied": {"reason": "We have not sorted them.", "answer": false}}')
    answer = Step(0, "system", "FINAL ANSWER: 7 Mill Rd")

    def run(page: str, want: str) -> Scene:
        wanted = Outcome(passed=False, expected_state={"answer": want}, final_state={"answer": "7 Mill Rd"})
        return Scene.of(trace(user("x"), bash("look", page), record, says(FILTER), answer), [wanted])

    assert stopped_by_filter(run("sold: 1,148 sqft", "1148 sqft")) is None
    doubt = broken_in_doubt(run("sold: 1,148 sqft", "1148 sqft"))
    assert doubt is not None and doubt[0] == 2
    assert doubt[1].startswith("the expected “1148 sqft” stands there; a provider's content filter ended")
    for page, want in (("sold: 2,148 sqft", "1148 sqft"), ("Rye", "Rye, Old Mill"), ("7 items", "7")):
        assert stopped_by_filter(run(page, want)) is not None, "not seen, in part only, or anywhere"
    assert stopped_by_filter(run("Rye and the Old Mill", "Rye, Old Mill")) is None


def test_a_filter_after_an_error_that_was_left_is_a_pointer() -> None:
    lost = bash("open dune.csv", "dune.csv: broken record at line 9", 1)
    one = trace(user("x"), lost, says("I go on."), says(FILTER))
    assert stopped_by_filter(Scene.of(one, FAILED)) is None
    doubt = broken_in_doubt(Scene.of(one, FAILED))
    assert doubt is not None and "it was in trouble before" in doubt[1]


def test_an_answer_that_passes_over_what_broke_the_run_off_makes_it_a_pointer() -> None:
    one = trace(user("x"), bash("look", "text"), says(f"{BROKEN}\nFINAL ANSWER: 20"))
    assert environment(Scene.of(one)) is None
    doubt = broken_in_doubt(Scene.of(one))
    assert (
        doubt is not None
        and doubt[0] == 3
        and "“FINAL ANSWER: 20” (seen nowhere before) follows without" in doubt[1]
    )
    plain = trace(user("x"), bash("look", "text"), says(BROKEN))
    handed_in = Outcome(passed=False, final_state={"answer": "20"})
    assert broken_in_doubt(Scene.of(plain, [handed_in])) and not broken_in_doubt(Scene.of(plain, FAILED))


def test_a_filter_after_trouble_or_before_more_work_proves_nothing() -> None:
    lost = trace(STUCK, STUCK, says(FILTER))
    assert stopped_by_filter(Scene.of(lost)) is None
    doubt = broken_in_doubt(Scene.of(lost))
    assert doubt is not None and doubt[0] == 3
    assert stopped_by_filter(Scene.of(trace(says(FILTER), says("It works now.")))) is None
    for about in ("I added content filtering to the forum.", "It handles the reason `content_filter` too."):
        assert stopped_by_filter(Scene.of(trace(says(about)))) is None, "a filter that is the work"
    both = says(f"{FILTER}\n{BROKEN}")
    one = trace(user("x"), both, ended="error")
    assert stopped_by_filter(Scene.of(one)) is None and environment(Scene.of(one)), "what came last"


@pytest.mark.parametrize(("ended", "fires"), [("refused", True), ("error", False)])
def test_somebody_else_said_no(ended: Ended, fires: bool) -> None:
    one = trace(user("x"), bash("ls"), Step(0, "system", "403 Forbidden: solve the captcha"), ended=ended)
    fired = blocked(Scene.of(one))
    assert (fired is not None) is fires
    own = trace(user("x"), call("finish", {"how": "give_up"}), ended="refused")
    assert blocked(Scene.of(own)) is None, "the agent gave up by itself"
    spoken = trace(user("x"), bash("ls"), says("The page needs a captcha."), ended="refused")
    assert blocked(Scene.of(spoken)) is None, "words of the agent"


@pytest.mark.parametrize(
    "words", ["RateLimitError: rate limit exceeded", "Max retries exceeded with url: /x", "litellm.Timeout"]
)
def test_a_provider_that_fails_is_one_even_where_the_budget_ended(words: str) -> None:
    last = Step(0, "system", words, fault=True)
    assert environment(Scene.of(trace(user("x"), bash("ls"), last, ended="timeout"))) is not None


def test_a_fault_before_words_of_success_or_after_work_is_not_the_end_of_it() -> None:
    net = bash("curl x", "ConnectionError: Max retries exceeded with url: /x", 1)
    gone = says("The network is unreachable, so I stop.")
    assert propose(trace(net, net, gone)).mode == "environment_fragility"
    assert propose(trace(net, gone)).status == "abstained", "it was not tried again"
    assert propose(trace(net, net, says("I stop."))).status == "abstained", "it is passed over"
    edit = bash("sed -i s/a/b/ a.py")
    assert propose(trace(edit, net, net, gone)).status == "abstained", "the work may be whole"
    assert propose(trace(net, says("It is now running."))).mode != "environment_fragility"
