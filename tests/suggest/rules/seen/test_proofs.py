"""Which place of an answer and which words of a deal are quoted."""

from __future__ import annotations

from reviewer.trace import Outcome, Step
from tests.suggest.rules.expected import propose
from tests.traces import call, says, trace, user

RULE = Step(0, "system", "Before any change you must obtain explicit user confirmation (yes) to proceed.")
SCORED = Outcome(passed=True, score=1.0, detail={"info": {"r_actions": 1.0}})


def test_of_places_with_the_answer_the_sentence_with_the_words_of_the_question_is_shown() -> None:
    outcome = Outcome(passed=True, expected_state={"answer": "Ida Holm"})
    ask = user("Who carved the figurehead of the schooner?")
    pages = (
        call("search", {}, "Pages: [Ida Holm](/wiki/Ida_Holm)\n\nOther things stand here, too."),
        call("search", {}, "The schooner is of 1890. Its figurehead was carved by Ida Holm, a baker."),
        call("search", {}, "Many a person of the town bought bread, as is known, of Ida Holm."),
    )
    found = propose(trace(ask, *pages, says("FINAL ANSWER: Ida Holm")), outcome)
    assert found.evidence[0].step_n == 3 and "carved by Ida Holm" in found.evidence[0].quote
    listed = call("search", {}, "Figurehead, schooner | [Ida Holm](/wiki/Ida_Holm) | carved, 1890, in oak")
    found = propose(trace(ask, listed, *pages, says("FINAL ANSWER: Ida Holm")), outcome)
    assert found.evidence[0].step_n == 4, "a row of a table says less than a sentence"
    below = call("search", {}, "Whistle\n\n### Figurehead\n\nIda Holm\n\nVideo")
    found = propose(trace(ask, below, says("FINAL ANSWER: Ida Holm")), outcome)
    assert found.evidence[0].quote == "### Figurehead Ida Holm"


def test_the_money_of_a_change_and_what_a_bare_yes_was_to_are_quoted() -> None:
    entry = '"transaction_type": "payment", "amount": 9.5, "payment_method_id": "paypal_77"'
    paid = call(
        "modify_order_payment",
        {"id": "#W1", "payment_method_id": "paypal_77"},
        f'{{"history": [{{{entry}}}]}}',
    )
    asks = says("Changing the payment to PayPal:\n- **Total**: $9.50\nPlease confirm (yes) to proceed.")
    found = propose(trace(RULE, asks, user("Yes."), paid, says("Done.")), SCORED)
    assert [one.quote for one in found.evidence] == ["**Total**: $9.50", entry]
