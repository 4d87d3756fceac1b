"""The record of a grader, told in a few words."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.graded import graded
from reviewer.trace import Json, Outcome


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ({"reward_info": {"db_check": {"db_match": True}}}, "database as expected"),
        ({"action_checks": [{"action_match": True}, {"action_match": True}]}, "2 of 2 expected calls"),
        ({"action_checks": [{"action_match": False}]}, "0 of 1 expected calls to the letter"),
        ({"parser_results": {"test_a": "passed", "test_b": "failed"}}, "1 of 2 tests"),
        ({"tests_status": {"FAIL_TO_PASS": {"success": ["a", "b"], "failure": []}}}, "2 of 2 tests"),
        ({"checkpoints": [{"total": 2, "result": 2}]}, "1 of 1 unnamed checkpoints"),
        ({"final_score": {"total": 2, "result": 2}}, "2 of 2 final score"),
        ({"resolved": True}, "resolved"),
        ({"deep": [[{"a": {}}]], "n": None}, ""),
        (
            {
                "env_assertions": [
                    {"env_assertion": 'user assert_can_send_mms({"expected_status":true})', "met": True}
                ]
            },
            "checked: can send MMS",
        ),
        (
            {
                "env_assertions": [
                    {
                        "env_assertion": 'user assert_service_status({"expected_status":"no_service"})',
                        "met": True,
                    },
                    {"env_assertion": 'x assert_data_status({"expected_status":false})', "met": True},
                    {"env_assertion": 'x assert_amount({"id":1,"expected_amount":2.0})', "met": True},
                ]
            },
            "checked: service status is “no service”, data status is off, amount is 2",
        ),
        (
            {
                "db_check": {"db_match": True},
                "reward_basis": ["ACTION"],
                "action_checks": [{"action_match": True}],
            },
            "1 of 1 expected calls",
        ),
        ({"r_outputs": 1, "outputs": {"9.50": True, "oak": True}}, "required facts told"),
        ("passed", ""),
    ],
)
def test_the_record_of_a_grader_is_told_in_a_few_words(detail: Json, words: str) -> None:
    assert graded([Outcome(passed=True, detail=detail)]) == words
    assert graded([Outcome(passed=False, score=1.0, detail=detail)]) == ""
