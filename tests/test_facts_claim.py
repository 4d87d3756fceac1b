"""The final claim: words that answer the task, not thanks; text for a finishing tool; a marked answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.facts import facts
from reviewer.trace import Result, Step
from tests.importers.reading import put, read
from tests.traces import call, says, trace, user

CANCELLED = "Both berths are cancelled; 40 euros go back to your card."


def claim(*steps: Step) -> tuple[int, str]:
    found = facts(trace(*steps)).claim
    assert found is not None
    return found.step, found.quote


@pytest.mark.parametrize(
    "polite",
    [
        "You're welcome, Ines! If you need anything else, feel free to ask. Have a great day!",
        "You are welcome!",
        "I'm glad I could help. Take care!",
        "TERMINATE",
        "**TERMINATE**",
        "Thank you for your kind words.",
    ],
)
def test_a_closing_pleasantry_is_no_claim(polite: str) -> None:
    ends = (says(CANCELLED), user("Thanks, that is all ###STOP###"), says(polite))
    assert claim(user("Cancel both."), *ends) == (2, CANCELLED)
    assert claim(says(polite)) == (1, polite), "the only words there are"


@pytest.mark.parametrize(
    "words",
    [
        "Thanks for waiting, both berths have been cancelled.",
        "Done.",
        "If you need the old berth, it is taken. I can't cancel it.",
        "Thank you. Your card ends in 4417.",
    ],
)
def test_thanks_that_report_something_are_one(words: str) -> None:
    assert claim(says("I look."), user("Go on"), says(words)) == (3, words)


def test_the_argument_of_a_finishing_tool_is_the_claim_however_short() -> None:
    told = Step(0, "agent", "I now hand over the final answer, which is a number.")
    (handed,) = call("final_answer", {"answer": 42}).calls
    assert claim(Step(0, "agent", told.message, calls=(handed,))) == (1, "42")
    (status,) = call("finish", {"status": "success"}).calls
    assert claim(Step(0, "agent", "The gate is repaired.", calls=(status,))) == (1, "The gate is repaired.")
    (coded,) = call("python_interpreter", {"code": "x = 1\nfinal_answer('a grey heron')"}).calls
    assert claim(Step(0, "agent", "Thought: it is clear.", calls=(coded,))) == (1, "a grey heron")


def test_respond_in_every_turn_is_talk_like_any_other() -> None:
    steps = (
        call("respond", {"content": CANCELLED}),
        user("Thanks! ###STOP###"),
        call("respond", {"content": "You're welcome!"}),
    )
    assert claim(*steps) == (1, CANCELLED)


def test_a_marked_answer_keeps_its_place_until_the_user_speaks() -> None:
    marked = says("FINAL ANSWER: eleven herons")
    assert claim(says("I count."), marked, says("The orchestrator closes this thread.")) == (
        2,
        marked.message,
    )
    later = (marked, user("Count again"), says("There are twelve."))
    assert claim(*later) == (3, "There are twelve.")
    assert claim(call("finish", {"message": "Two words."}), says("Then more.")) == (2, "Then more.")
    assert claim(marked, *[says(f"Going on, part {n}") for n in range(8)])[0] == 9


def printed(text: str, source_id: str = "#9") -> Step:
    return Step(0, "system", text, kind="notice", source_ids=(source_id,))


def test_an_answer_that_the_harness_prints_at_the_end_is_what_was_handed_in() -> None:
    log = "No agent was chosen.\nFINAL ANSWER: 40\nSCENARIO.PY COMPLETE !#!#\nRUN.SH COMPLETE !#!#"
    assert claim(says("I scrolled down."), printed(log)) == (2, "FINAL ANSWER: 40")
    assert claim(user("How many?"), printed("FINAL ANSWER: 40")) == (2, "FINAL ANSWER: 40")
    assert claim(says(f"I scrolled down.\n{log}")) == (1, "FINAL ANSWER: 40"), "below the last words"
    thought = Step(0, "agent", reasoning=f"It is stuck.\n{log}")
    assert claim(says("I scrolled down."), thought) == (2, "FINAL ANSWER: 40")
    broken = Step(0, "agent", f"Error code: 400\n{log}", fault=True)
    assert claim(says("I scrolled down."), broken) == (2, "FINAL ANSWER: 40")
    several = "FINAL ANSWER: 40\nFINAL ANSWER: a tern,\na gull\nRUN.SH COMPLETE !#!#"
    assert claim(printed(several)) == (1, "FINAL ANSWER: a tern,\na gull"), "the last one"


def test_the_words_that_a_state_machine_ends_on_are_the_claim() -> None:
    said = says("Only this span is needed.")
    assert claim(said, printed("Finished: The key is now given on.")) == (2, "The key is now given on.")
    for other in ("Finished", "Finished: SUCCESS", "Rejected: Max retries reached."):
        assert claim(said, printed(other)) == (1, said.message)
    assert claim(said, user("Finished: not yet at all")) == (1, said.message)


def test_such_a_line_elsewhere_is_not_the_harness() -> None:
    own = "Two gulls nest there.\nFINAL ANSWER: 2"
    assert claim(says(own)) == (1, own), "the agent's own words stay whole"
    empty = printed("FINAL ANSWER:\nSCENARIO.PY COMPLETE !#!#")
    assert claim(says("I scrolled down."), empty) == (1, "I scrolled down.")
    thought = Step(0, "agent", "I look.", reasoning="It should end with\nFINAL ANSWER: 3")
    assert claim(thought) == (1, "I look.")
    asked = user("Say it like this:\nFINAL ANSWER: 7\nRUN.SH COMPLETE !#!#")
    assert claim(says("I look."), asked) == (1, "I look.")


def test_what_was_submitted_is_the_claim_unless_it_is_a_patch() -> None:
    said = says("I submit the flag.")
    assert claim(said, printed("flag{low_tide}", "info.submission")) == (2, "flag{low_tide}")
    patch = "diff --git a/tide.py b/tide.py\n--- a/tide.py\n+++ b/tide.py\n@@ -1 +1 @@\n-low\n+high\n"
    assert claim(said, printed(patch, "info.submission")) == (1, said.message)
    assert claim(said, printed("The chat is saved.")) == (1, said.message)


def test_what_is_handed_over_comes_before_what_was_marked_earlier() -> None:
    marked = says("**Final Answer:**\nIt takes some 17 tides.")
    handed = call("final_answer", {"answer": "17"})
    assert claim(marked, handed) == (2, "17")


def test_a_variable_that_code_hands_over_is_read_where_the_tool_prints_it() -> None:
    (coded,) = call("python_interpreter", {"code": "tides = 4 * 7\nfinal_answer(tides)"}).calls
    told = "Thought: I have counted them."

    def step(output: str) -> Step:
        return Step(0, "agent", told, calls=(coded,), results=(Result(output, coded.id),))

    assert claim(step("Execution logs:\nLast output from code snippet:\n28")) == (1, "28")
    shown = "Last output from code snippet:\na grey\nheron\nCurrent url: data:,\n"
    assert claim(step(shown)) == (1, "a grey\nheron")
    for nothing in ("Last output from code snippet:\nNone", "NameError: name 'tides' is not defined"):
        assert claim(step(nothing)) == (1, told)


@pytest.mark.parametrize(
    "token", ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###", "###STOP### ###STOP###"]
)
def test_a_token_that_ends_the_chat_is_no_word(token: str) -> None:
    assert claim(says(CANCELLED), says(token)) == (1, CANCELLED)
    assert claim(says(f"{CANCELLED}\n\n{token}\n")) == (1, CANCELLED), "the words before it"
    assert claim(call("respond", {"content": f"{CANCELLED} {token}"})) == (1, CANCELLED)
    assert facts(trace(user("Cancel both."), says(token))).claim is None
    heading = f"{CANCELLED}\n### DETAILS ###"
    assert claim(says(heading)) == (1, heading)


@pytest.mark.parametrize(
    "stand_in",
    [
        "[a call that this text does not hold]",
        "[speech, ticks 886–965: the file keeps no words]",
        "[audio, 12 kB]",
        "[image: PNG]",
        "(empty)",
        "(no content)",
        " (Empty response)\n",
        "<redacted>",
    ],
)
def test_what_stands_for_words_that_nobody_kept_is_no_claim(stand_in: str) -> None:
    assert claim(says(CANCELLED), user("A person, please."), says(stand_in)) == (1, CANCELLED)
    assert facts(trace(user("Cancel both."), says(stand_in))).claim is None
    told = f"It prints {stand_in.strip()} twice."
    assert claim(says(told)) == (1, told), "only where it stands alone"


def test_a_call_that_a_chat_of_one_text_leaves_out_is_no_claim(tmp_path: Path) -> None:
    talk = f"user: Cancel both.\nassistant: {CANCELLED}\nuser: A person, please.\nassistant: None\ntool: done"
    (read_back,) = read(put(tmp_path, "talk.jsonl", [{"messages_display": talk}]))
    found = facts(read_back.trace).claim
    assert found is not None
    assert (found.step, found.quote) == (2, CANCELLED)


def test_what_is_said_by_a_tool_that_replies_is_a_claim() -> None:
    refused = "I cannot erase the guest: the law wants the record kept for a year."
    assert claim(call("reply", {"text": refused}, "sent")) == (1, refused)
