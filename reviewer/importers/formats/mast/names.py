"""The names under which MAST's sets mark a mode, and the mode of the shipped taxonomy that each one means.

Codes are of no use: they were given anew with each version of the taxonomy. A name that the fourteen modes
have no counterpart for is a submode of `earlier_mode`; the name itself always stands in the label's note.
"""

from __future__ import annotations

import re

from reviewer.importers.joining.label_sets import LabelSet, loaded

SET = LabelSet("mast", "mast", "2025-03-17")
EARLIER, NONE = "earlier_mode", "none_marked"
# Names of earlier lists and other spellings, in the form of `key`.
SAME = {
    "poor_task_constraint_compliance": "disobey_task_specification",
    "poor_adherence_to_specified_constraints": "disobey_task_specification",
    "blurring_role": "disobey_role_specification",
    "blurring_roles": "disobey_role_specification",
    "unaware_of_stopping_conditions": "unaware_of_termination_conditions",
    "trajectory_restart": "conversation_reset",
    "fail_to_elicit_clarification": "fail_to_ask_for_clarification",
    "derailing_from_task_objectives": "task_derailment",
    "derailment_from_task": "task_derailment",
    "derailment_from_task_objectives": "task_derailment",
    "information_witholding": "information_withholding",
    "withholding_relevant_information": "information_withholding",
    "ignored_other_agent_s_input": "ignored_other_agents_input",
    "ignoring_good_suggestions_from_other_agent": "ignored_other_agents_input",
    "ignoring_suggestions_from_agents": "ignored_other_agents_input",
    "inconsistency_between_reasoning_and_action": "reasoning_action_mismatch",
    "misalignment_between_internal_thoughts_and_response_message": "reasoning_action_mismatch",
    "ill_specified_termination_condition_leading_to_premature_termination": "premature_termination",
    "no_attempt_to_verify_outcome": "no_or_incomplete_verification",
    "lack_of_result_verification": "no_or_incomplete_verification",
    "no_or_incorrect_verification": "no_or_incomplete_verification",
    "evaluator_agent_fails_to_be_critical": "incorrect_verification",
    "lack_of_critical_verification": "incorrect_verification",
}
GONE = {
    "fail_to_detect_ambiguities_contradictions": "undetected_contradictions",
    "undetected_conversation_ambiguities_and_contradictions": "undetected_contradictions",
    "proceed_with_incorrect_assumptions": "incorrect_assumptions",
    "tendency_to_overachieve": "overachieving",
    "underperform_by_waiting_on_instructions": "waiting_on_instructions",
    "waiting_on_agents_to_discover_known_insights_for_increased_confidence": "waiting_for_known_information",
    "redundant_conversation_turns_for_iterative_tasks_rather_than_batching": "unbatched_repetition",
    "unbatched_repetitive_execution": "unbatched_repetition",
    "difficulty_in_agreeing_with_agents": "disagreement_induced_inaction",
    "claiming_that_a_task_is_done_while_it_is_not_true": "false_claim_of_completion",
    "not_exploring_every_option_proposed_by_other_agents": "unexplored_options",
}


def key(name: str) -> str:
    """A name without its code, explanation and spelling: `2.4 Information Witholding\\n…` and the like."""
    title = re.sub(r"\A\W*\d+(?:\.\d+)*\W+", "", name.strip().partition("\n")[0])
    return "_".join(re.findall(r"[a-z]+", title.lower().replace("’", "").replace("'", "")))


def mode_of(name: str) -> tuple[str, str]:
    """The mode and submode that a name means; `earlier_mode` without a submode for one never met."""
    codebook = loaded(SET.taxonomy)
    words = key(name)
    words = SAME.get(words, words)
    if codebook.has(words):
        return words, ""
    words = GONE.get(words, words)
    known = any(submode.id == words for submode in codebook.mode(EARLIER).submodes)
    return EARLIER, words if known else ""


def order(modes: set[str]) -> tuple[str, ...]:
    """The modes in the order of the taxonomy: the first of them stands for the label."""
    return tuple(mode.id for mode in loaded(SET.taxonomy).modes if mode.id in modes)
