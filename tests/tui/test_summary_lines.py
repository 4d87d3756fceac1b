"""Lines of the summary page: sub-agents in sum, what leads where, folders said once, counts as words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.facts import facts
from reviewer.facts.failures import FailedCheck
from reviewer.facts.model import Error, Facts, Used
from reviewer.trace import Outcome, Step, TraceInfo
from reviewer.tui.summary import brief, counts, opinion_words
from reviewer.tui.summary_facts import claim_parts, fact_parts, failed_parts
from reviewer.tui.summary_files import net_parts, shared_folder
from reviewer.tui.summary_runs import child_parts, sub_agents_line
from reviewer.tui.summary_words import money
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.part import Part
from tests.traces import bash, call, says, trace, user


def child(n: int, errors: int) -> TraceInfo:
    name = f"t1-{n:032}"
    return TraceInfo(name, name, "plain", task=f"part {n}", n_steps=10, n_tool_calls=1, n_errors=errors)


def texts(parts: object) -> list[str]:
    return [part.text for part in parts]  # type: ignore[attr-defined]


def test_sub_agents_are_told_in_sum_and_one_by_one() -> None:
    runs = (child(1, 0), child(2, 3), *(child(n, 1) for n in range(3, 15)))
    (line,) = sub_agents_line(runs)
    assert line.text == "14 sub-agents: 140 steps, 14 calls, 15 errors (S goes into one)"
    assert line.style == "error"
    told = list(child_parts(runs))
    assert "10 steps, 1 call, 3 errors · part 2" in told[2].text and told[2].style == "error"
    assert told[-1].text == "  … and 2 more: 20 steps, 2 calls, 2 errors"
    assert not list(sub_agents_line(())) and not list(child_parts(()))


@pytest.mark.parametrize(
    ("opinion", "told"),
    [
        (Outcome(False, 0.5, origin="judge"), "by a judge: failed, score 0.5"),
        (Outcome(None, 0.5, origin="score tone (ANNOTATION)"), "by a person: score 0.5"),
        (Outcome(None, None, "a word", origin="judge"), ""),
        (Outcome(False, 0.5, origin="report.json"), ""),
    ],
)
def test_what_a_judge_or_a_person_thinks_is_said_as_theirs(opinion: Outcome, told: str) -> None:
    assert opinion_words(opinion) == told


def test_of_a_long_task_the_beginning_and_the_end_are_told() -> None:
    assert brief("count\nthe  pears") == "count the pears" and brief(" ") == "(the file names none)"
    long = "Count the pears. " + "They lie in the cellar. " * 40 + "Leave the apples as they are."
    assert brief(long).startswith("Count the pears. They lie") and "They … the cellar." in brief(long)
    assert brief(long).endswith("cellar. Leave the apples as they are. (the whole below)")
    assert brief("x" * 5_000) == f"{'x' * 120} … {'x' * 90} (the whole below)"
    assert brief("y" * 220) == "y" * 220 and brief("y" * 220 + " z").endswith(" z (the whole below)")


def test_a_task_that_all_runs_share_is_not_told_again_for_each() -> None:
    told = texts(child_parts((child(1, 0), child(2, 0)), "part 2"))
    assert told[1].endswith("1 call, 0 errors · part 1")
    assert told[2].endswith("1 call, 0 errors · ended unknown · the same task")


def test_facts_of_a_run_with_sub_agents_are_its_own() -> None:
    found = facts(trace(call("Write", {"file_path": "/a/b.md"}, "ok"), says("Done.")))
    assert "no result that is an error in this run itself" in texts(fact_parts(found, alone=False))
    assert "no result that is an error" in texts(fact_parts(found))
    assert texts(net_parts(found, alone=False))[0] == "files written to by this run itself: 1"
    failed = facts(trace(bash("make", "make: no rule", 2)))
    assert any(
        text.startswith("errors in this run itself: 1") for text in texts(fact_parts(failed, alone=False))
    )


def written(*paths: str) -> list[str]:
    found = facts(trace(*(call("Write", {"file_path": path}, "ok") for path in paths)))
    return texts(net_parts(found))


def test_a_shared_folder_is_said_once() -> None:
    told = written("/testbed/a.py", "/testbed/b/c.py")
    assert told[0] == "files written to: 2, in /testbed"
    assert [line.split()[1] for line in told[1:]] == ["a.py", "b/c.py"]
    mixed = written("/testbed/src/a.py", "/testbed/src/b.py", "notes.md")
    assert [line.split()[1] for line in mixed[1:]] == ["…/a.py", "…/b.py", "notes.md"]


@pytest.mark.parametrize("paths", [["/a/b/c.py"], ["/a/x.py", "/b/x.py"], ["a/x.py", "a/y.py"], []])
def test_nothing_shared_nothing_cut(paths: list[str]) -> None:
    assert shared_folder(paths) == ""


def test_failed_checks_lead_to_what_they_name() -> None:
    run = trace(call("move_booking", {"id": 1}, "ok"), call("move_booking", {"id": 2}, "ok"), says("Moved."))
    checks = ["step 2: wrong berth", "action not done: move_booking(id=3)", "step 9 is none", "the quay"]
    found = facts(run, [Outcome(passed=False, detail={"failed_checks": checks})])
    assert [part.target for part in failed_parts(found)] == [0, 2, 2, 0, 0]
    looked = Facts(
        tools=(Used("get_berth", 1, 0, 4),), failed_checks=(FailedCheck("file", "get_berth", "no"),)
    )
    (_, line) = failed_parts(looked)
    assert (line.target, line.text) == (4, "  ✗ get_berth: no   get_berth: step 4")


def test_an_error_is_not_ascribed_to_the_program_that_happens_to_stand_first() -> None:
    found = facts(trace(bash("rm -f x.o && make all", "make: *** [all] Error 2", 2), says("It fails.")))
    (line,) = (text for text in texts(fact_parts(found)) if text.startswith("  step 1"))
    assert line == "  step 1: make: *** [all] Error 2"
    api = facts(trace(call("find_berth", {}, "Error: nothing found", error=True), says("None.")))
    assert "  step 1, find_berth: Error: nothing found" in texts(fact_parts(api))


def test_a_write_says_its_name_once() -> None:
    found = facts(trace(call("move_booking", {}, "ok"), says("Moved.")))
    assert "last write: step 1, move_booking → ok" in texts(fact_parts(found))
    shell = facts(trace(bash("cd /x && git checkout a.py", "Updated 1 path"), says("Undone.")))
    assert any("step 1, cd /x && git checkout a.py → Updated" in text for text in texts(fact_parts(shell)))


@pytest.mark.parametrize(
    ("calls", "flagged", "told"),
    [
        (2, 3, "2 calls"),  # three steps with an error, as they stand above
        (
            0,
            1,
            "2 calls (all read from the text), the source itself flags errors in 1 step only",
        ),
        (7, 0, "2 calls (of 7 in the whole file), the source itself flags no error"),
        (2, 4, "2 calls, 4 steps that the source flags as an error"),
    ],
)
def test_what_the_file_counts_otherwise_is_told_beside_it(calls: int, flagged: int, told: str) -> None:
    info = TraceInfo("t1-0", "h", "plain", n_steps=3, n_messages=5, n_tool_calls=calls, n_errors=flagged)
    errors = tuple(Error(n, "tool", "look", "no") for n in (1, 1, 2, 3))
    found = Facts(errors=errors, tools=(Used("look", 2, 2, 1),))
    assert counts(info, found) == f"3 steps, 5 messages, {told}"


def test_before_the_facts_are_read_the_file_counts() -> None:
    info = TraceInfo("t1-0", "h", "plain", n_steps=3, n_tool_calls=7, n_errors=2)
    assert counts(info, None) == "3 steps, 0 messages, 7 calls, 2 steps that the source flags as an error"


def test_a_reply_that_was_not_taken_is_told_in_the_words_of_the_file() -> None:
    one = trace(user("x"), Step(0, "agent", '```json\n{"name": "look"}\n```', fault=True), ended="error")
    plain = texts(fact_parts(facts(one)))
    assert "  step 2: ```json" in plain
    one = replace(one, info=replace(one.info, meta={"status": "agent invalid action"}))
    told = texts(fact_parts(facts(one)))
    assert "errors: 1 (1 reply that was not taken), not put right later: 1" in told
    assert "  step 2: the file says “agent invalid action”" in told


def test_sums_are_words() -> None:
    assert [money(cost) for cost in (0, 0.00001, 0.31)] == ["$0", "less than $0.0001", "$0.3100"]


def test_wrapped_rows_hang_below_the_first() -> None:
    body = BodyDocument([Part("  ✗ one two three four five six\n  ✗ seven", hang=4)])
    body.fit(16)
    rows = ["".join(piece.text for piece in body.line(n, 16)) for n in range(len(body))]
    assert rows[0].startswith("  ✗ one") and rows[-1] == "  ✗ seven"
    assert rows[1:-1] and all(row[:4] == "    " and row[4] != " " for row in rows[1:-1])
    assert all(len(row.rstrip()) <= 16 for row in rows)
    body.set_wrap(False)
    assert len(body) == 2


def test_words_long_before_the_end_are_told_as_such_and_no_words_as_none() -> None:
    goes_on = [call("look", {"id": n}, "ok") for n in range(10)]
    told = [part.text for part in claim_parts(facts(trace(user("x"), says("I look."), *goes_on)))]
    assert told == ["final claim, step 2, verbatim (the agent goes on to step 12)", "I look."]
    told = [part.text for part in claim_parts(facts(trace(user("x"), *goes_on[:9], says("Found."))))]
    assert told == ["final claim, step 11, verbatim", "Found."]
    assert [part.text for part in claim_parts(facts(trace(user("x"))))] == ["final claim: none"]
