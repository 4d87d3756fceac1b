"""Facts of a trace: last write, checks after it, errors and what came of them, repeats, claims."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reviewer.facts import (
    facts,
)
from reviewer.trace import Result, Step, ToolCall
from tests.traces import bash, call, says, trace, user


def test_last_write_and_checks_after_it() -> None:
    found = facts(
        trace(
            bash("pytest", "1 failed", 1),
            bash("sed -i s/a/b/ src/a.py"),
            bash("sed -i s/c/d/ gone.py", "sed: can't read gone.py: No such file or directory", 2),
            bash("pytest -k a", "no tests ran"),
            bash("pytest", "4 passed"),
        )
    )
    assert found.last_write is not None
    assert (found.last_write.step, found.last_write.target) == (2, "src/a.py")
    assert [write.failed for write in found.writes] == [False, True]
    assert [(check.step, check.state) for check in found.checks_after] == [(4, "vacuous"), (5, "passed")]
    assert found.failing == ()


def test_failing_checks_that_are_left() -> None:
    found = facts(
        trace(bash("pytest a", "1 failed", 1), bash("pytest b", "1 failed", 1), bash("mypy .", "0 issues", 0))
    )
    assert [check.call for check in found.failing] == ["pytest a", "pytest b"]
    mended = facts(trace(bash("pytest a", "1 failed", 1), bash("pytest", "9 passed", 0)))
    assert mended.failing == ()


def test_a_script_of_the_agent_that_writes_is_a_write_when_it_runs() -> None:
    body = "cat > mend.py <<'EOF'\nopen('src/a.py', 'w').write('x')\nEOF"
    found = facts(trace(bash("python mend.py"), bash(body), bash("python mend.py"), bash("python other.py")))
    assert [write.step for write in found.writes] == [2, 3]


def test_errors_recovered_and_not() -> None:
    found = facts(
        trace(
            bash("cat nope.py", "cat: nope.py: No such file or directory", 1),
            bash("cat yes.py", "text"),
            call("Edit", {"file_path": "/r/a.py"}, "File has not been read yet", error=True),
            bash("cat > r/a.py <<E\nx\nE"),
            bash("pip install x", "ConnectionError: Max retries exceeded with url", 1),
            bash("npm run build", "Build failed", 1),
            *[bash("ls") for _ in range(12)],
            bash("npm run lint", "0 issues"),
        )
    )
    assert [(e.step, e.kind, e.recovered, e.same_target) for e in found.errors] == [
        (1, "tool", None, False),  # another file is no help where this one is not there
        (3, "tool", 4, True),
        (5, "environment", None, False),
        (6, "tool", None, False),
    ]
    assert found.errors[2].quote == "ConnectionError: Max retries exceeded with url"


def test_a_person_who_denies_is_no_error_of_the_tool() -> None:
    denied = call(
        "Write", {"file_path": "a"}, "The user doesn't want to proceed with this tool use.", denied=True
    )
    found = facts(trace(denied, call("Write", {"file_path": "b"}, "ok")))
    (error,) = found.errors
    assert (error.kind, error.recovered) == ("human", None)
    assert found.writes[0].failed


def test_faults_of_a_step_and_results_without_a_call_are_errors() -> None:
    found = facts(
        trace(
            Step(0, "agent", "429 Too Many Requests", fault=True),
            Step(0, "user", results=(Result("Error: no such order", error=True),)),
        )
    )
    assert [(e.step, e.kind) for e in found.errors] == [(1, "environment"), (2, "tool")]


def test_faults_and_errors_without_a_call_are_over_when_the_run_goes_on() -> None:
    fault = Step(0, "system", "503 Service Unavailable", fault=True)
    loose = Step(0, "user", results=(Result("Error in code parsing: no code", error=True),))
    found = facts(trace(fault, says("Let me go on."), loose, bash("ls", "a"), fault))
    assert [(e.step, e.recovered) for e in found.errors] == [(1, 2), (3, 4), (5, None)]
    exits = [Step(0, "agent", "code", results=(Result(text, error=bad),)) for text, bad in
             (("exitcode: 1 (failed)", True), ("exitcode: 0 (it ran)", False))]  # fmt: skip
    assert [e.recovered for e in facts(trace(*exits)).errors] == [2]


def test_one_listing_does_not_put_four_missing_paths_right() -> None:
    paths = ("/w/a.py", "/w/b.py", "/a.py")
    gone = [call("view", {"path": path}, f"The path {path} does not exist.", error=True) for path in paths]
    found = facts(
        trace(*gone, call("view", {"path": "/w"}, "a listing"), call("view", {"path": "/src/b.py"}, "text"))
    )
    assert [(e.target, e.recovered) for e in found.errors] == [
        ("/w/a.py", None),
        ("/w/b.py", 5),
        ("/a.py", None),
    ]


def test_repeats_are_equal_calls_with_equal_results_and_no_write_between() -> None:
    look, run = bash("cat a.py", "text"), bash("pytest", "1 failed", 1)
    found = facts(trace(look, run, look, bash("cat a.py", "other"), look, run))
    assert [(r.steps, r.failed) for r in found.repeats] == [((1, 3, 5), False), ((2, 6), True)]
    assert facts(trace(run, bash("sed -i s/a/b/ x"), run)).repeats == ()


def test_claim_user_turns_and_compactions() -> None:
    found = facts(
        trace(
            user("Do it"),
            says("Working on it."),
            Step(0, "user", "reminder", kind="injected"),
            Step(0, "system", "summary", kind="compaction"),
            says("All done.\nReally."),
            Step(0, "agent", "\n  \n"),
            user("No, still broken"),
        )
    )
    assert found.claim is not None
    assert (found.claim.step, found.claim.quote) == (5, "All done.\nReally.")
    assert found.compactions == (4,)
    assert [turn.step for turn in found.user_turns] == [7]
    said = found.said_after(5)
    assert said is not None and said.quote == "No, still broken"
    assert found.said_after(7) is None
    assert (found.first_action, found.last_agent) == (2, 6)


def test_the_text_given_to_a_finishing_tool_is_the_claim() -> None:
    found = facts(
        trace(says("Let me finish."), call("finish", {"message": "I fixed the parser and ran the tests."}))
    )
    assert found.claim is not None and found.claim.quote == "I fixed the parser and ran the tests."


def test_changed_paths_are_net() -> None:
    found = facts(
        trace(
            bash("cat > try.py <<E\nx\nE"),
            call("Edit", {"file_path": "src/a.py"}, "ok"),
            bash("sed -i s/a/b/ src/a.py && rm try.py old.py"),
            call("Write", {"file_path": "no.py"}, "failed", error=True),
        )
    )
    assert [(c.path, c.steps, c.removed) for c in found.changed] == [
        ("src/a.py", (2, 3), False),
        ("old.py", (3,), True),
    ]


@pytest.mark.parametrize(
    ("command", "output", "written"),
    [
        ("cd src && sed -i s/a/b/ a.py && pytest", "1 failed", True),
        ("cat > a.py <<E\nx\nE\npython a.py", "Traceback (most recent call last):\n  …", True),
        ("sed -i s/a/b/ a.py && pytest", "sed: can't read a.py: No such file or directory", False),
        ("cd /no && sed -i s/a/b/ a.py; ls", "bash: line 1: cd: /no: No such file or directory", False),
        ("make && sed -i s/a/b/ a.py && pytest", "make: *** [all] Error 2", False),  # before the write
        ("pytest; sed -i s/a/b/ a.py", "1 failed", False),
        ("python -c \"open('a.py', 'w')\" && pytest", "1 failed", False),  # which of the two is not told
    ],
)
def test_a_write_stands_where_what_follows_it_fails(command: str, output: str, written: bool) -> None:
    found = facts(trace(bash("git checkout b.py"), bash(command, output, 1)))
    assert found.last_write is not None and (found.last_write.step == 2) == written
    assert bool(found.changed) == written
    assert [error.step for error in found.errors] == [2]


def test_what_git_brings_back_is_no_change() -> None:
    edit, back = bash("sed -i s/a/b/ src/a.py"), bash("git checkout -- src/a.py", "Updated 1 path")
    assert facts(trace(edit, back)).changed == ()
    assert facts(trace(edit, bash("git restore --staged src/a.py"))).changed != ()
    assert facts(trace(edit, bash("git checkout main"))).changed != ()
    assert [one.steps for one in facts(trace(edit, back, edit)).changed] == [(3,)]
    assert [one.change for one in facts(trace(edit, back, bash("rm src/a.py"))).changed] == ["removed"]


def test_a_step_is_judged_by_the_result_of_its_own_call() -> None:
    step = replace(
        bash("pytest"),
        calls=(ToolCall("bash", {"command": "pytest"}, "1"), ToolCall("bash", {"command": "rm x"}, "2")),
        results=(Result("", "2"), Result("1 failed", "1", error=True)),
    )
    found = facts(trace(step))
    assert [check.state for check in found.checks] == ["failed"]
    assert [write.failed for write in found.writes] == [False]
