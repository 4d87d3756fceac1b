"""What a call is for and how it came out: writes, checks, and the words that tell."""

from __future__ import annotations

from typing import Any

import pytest

from reviewer.facts import (
    check_kind,
    facts,
    is_check,
    is_write,
)
from reviewer.trace import ToolCall
from tests.traces import bash, call, trace

WRITES = [
    "sed -i 's/a/b/' x.py",
    "sed -n -i.bak '/x/d' x.py",
    "echo hi > out.txt",
    "echo hi >> out.txt",
    "cat > a.py << 'EOF'\nprint(1)\nEOF",
    "cat <<EOF | tee a.py\nhello\nEOF",
    "patch -p1 < fix.patch",
    "git apply fix.patch",
    "git -C repo checkout -- a.py",
    "cd /src && rm -rf build",
    "python -c \"open('a', 'w').write('x')\"",
    "python3 - <<'PY'\nfrom pathlib import Path\nPath('a').write_text('x')\nPY",
    'bash -lc "sed -i s/a/b/ x.py"',
    "sudo timeout 30 mv a b",
    "find . -name '*.py' -exec sed -i s/a/b/ {} +",
    "for f in *.py; do sed -i s/a/b/ $f; done",
    "black src",
    "ruff check --fix .",
    "perl -pi -e s/a/b/ x",
    "if true; then echo x > y; fi",
    "edit 12:20\nreturn 1\nend_of_edit",
    "create src/new.py",
]
READS = [
    "ls -la",
    "cat a.py",
    "sed -n '1,20p' x.py",
    "grep -rn 'a > b' src",
    "echo 'x > y'",
    "ls 2>/dev/null",
    "ls 2>&1 | head",
    "ls > /dev/null",
    "ls 2> errors.log",
    "echo x >&2 y",
    "pytest -q > log.txt 2>&1",
    "git diff > fix.patch",
    "git status",
    "git stash list",
    "git apply --check fix.patch",
    "black --check src",
    "python -c \"print(open('a').read())\"",
    "cat << 'EOF'\nrm -rf x > y\nEOF",
    "# rm x",
    "open src/a.py 120",
    "",
]

TRACEBACK = "Traceback (most recent call last)"


def shell(command: str) -> ToolCall:
    return ToolCall("bash", {"command": command})


@pytest.mark.parametrize("command", WRITES)
def test_commands_that_write(command: str) -> None:
    assert is_write(shell(command))
    assert is_write(ToolCall("", command)), "a plain action line without a tool's name"


@pytest.mark.parametrize("command", READS)
def test_commands_that_only_look(command: str) -> None:
    assert not is_write(shell(command))


@pytest.mark.parametrize(
    ("name", "arguments", "writes"),
    [
        ("Edit", {"file_path": "a"}, True),
        ("MultiEdit", {}, True),
        ("Write", None, True),
        ("Read", {"file_path": "a"}, False),
        ("Grep", {"pattern": "set_x"}, False),
        ("TodoWrite", {"todos": []}, False),
        ("Task", {"prompt": "write it"}, False),
        ("str_replace_editor", {"command": "create", "path": "a"}, True),
        ("str_replace_editor", {"command": "view", "path": "a"}, False),
        ("cancel_reservation", {"reservation_id": "X"}, True),
        ("modify_pending_order_items", {}, True),
        ("mcp__shop__cancelOrder", {}, True),
        ("get_order_details", {}, False),
        ("transfer_to_human_agents", {}, False),
        ("update_plan", {}, False),
        ("send_message_to_user", {}, False),
        ("", "book_flight(user='x')", True),
        ("", "search_flight(user='x')", False),
        ("shell", {"command": ["bash", "-lc", "echo a > b"]}, True),
    ],
)
def test_tools_that_write(name: str, arguments: Any, writes: bool) -> None:
    assert is_write(ToolCall(name, arguments)) is writes


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("pytest -q", "test"),
        ("cd x && python -m pytest tests/a.py 2>&1 | tail -5", "test"),
        ("uv run --with x pytest", "test"),
        ("FOO=1 poetry run tox -e py", "test"),
        ("python manage.py test app", "test"),
        ("./tests/runtests.py admin", "script"),
        ("npm test", "test"),
        ("npm run test:unit", "test"),
        ("npm run lint", "lint"),
        ("npx tsc --noEmit", "build"),
        ("go vet ./...", "lint"),
        ("cargo build --release", "build"),
        ("make", "build"),
        ("make check", "lint"),
        ("mise run test && mise run lint", "test"),
        ("gcc -c a.c", "build"),
        ("mypy src", "lint"),
        ("ruff check .", "lint"),
        ("python reproduce_issue.py", "script"),
        ("python test_edge.py", "script"),
        ("npm run dev", "server"),
        ("uvicorn app:app", "server"),
        ("curl -s http://localhost:3000/", "request"),
        ("curl https://example.com", ""),
        ("python setup.py install", ""),
        ("npm install", ""),
        ("ruff check --fix .", ""),
        ("grep -n pytest setup.cfg", ""),
        ("cat test_a.py", ""),
    ],
)
def test_what_a_command_checks(command: str, kind: str) -> None:
    assert check_kind(shell(command)) == kind
    assert is_check(shell(command)) is bool(kind)


@pytest.mark.parametrize(
    ("command", "output", "code", "state", "quote"),
    [
        ("pytest", "== 3 passed in 0.1s ==", 0, "passed", "== 3 passed in 0.1s =="),
        ("pytest | tail", "= 1 failed, 3 passed in 1s =", 0, "failed", "= 1 failed, 3 passed in 1s ="),
        ("pytest", "collected 0 items\n\n== no tests ran in 0.01s ==", 5, "vacuous", "collected 0 items"),
        ("python -m unittest", "Ran 0 tests in 0.000s\n\nOK", 0, "vacuous", "Ran 0 tests in 0.000s"),
        ("go test ./...", "?   \ta\t[no test files]", 0, "vacuous", "?   \ta\t[no test files]"),
        ("go test ./...", "?   \ta\t[no test files]\nok  \tb\t0.1s", 0, "passed", "ok  \tb\t0.1s"),
        ("go test -run X", "ok \tb\t0.1s [no tests to run]", 0, "vacuous", None),
        ("cargo test", "running 2 tests\ntest result: ok. 2 passed\nrunning 0 tests", 0, "passed", None),
        ("pytest", "collected 0 items / 1 error\n\nImportError: x\n= 1 error in 1s =", 2, "failed", None),
        ("npm test", "Error: no test specified", 1, "vacuous", "Error: no test specified"),
        ("npm run dev", "ready on 3000", 0, "vacuous", "ready on 3000"),
        ("npx tsc", "a.ts(1,2): error TS2304: Cannot find name", None, "failed", None),
        ("mypy .", "Found 2 errors in 1 file", 1, "failed", "Found 2 errors in 1 file"),
        ("mypy .", "Success: no issues found in 2 source files", 0, "passed", None),
        ("python test_a.py", f"{TRACEBACK}:\n  File x\nKeyError: 1", 1, "failed", "KeyError: 1"),
        ("make", "", 0, "passed", ""),
        ("make", "", None, "unknown", ""),
        ("pytest", "3 passed, 1 xfailed in 0.2s", 0, "passed", None),
        ("pytest", "<returncode>1</returncode>\n<output>\n</output>", None, "failed", None),
    ],
)  # fmt: skip
def test_how_a_check_came_out(
    command: str, output: str, code: int | None, state: str, quote: str | None
) -> None:
    (check,) = facts(trace(bash(command, output, code))).checks
    assert check.state == state
    assert check.checked is (state in ("passed", "failed"))
    assert quote is None or check.quote == quote


def test_the_verdict_of_a_long_output_is_at_its_end() -> None:
    (check,) = facts(trace(bash("pytest", "noise\n" * 200_000 + "== 2 failed in 9s ==", None))).checks
    assert (check.state, check.quote) == ("failed", "== 2 failed in 9s ==")


def test_the_text_of_an_edit_action_is_no_command() -> None:
    (write,) = facts(trace(call("", "edit 1:2\ndef f(x) -> float:\n    return 1 > x\nend_of_edit"))).writes
    assert (write.call, write.api) == ("edit 1:2", False)
    assert facts(trace(call("", "edit 1:2\nx > y\nend_of_edit"))).changed == ()


def test_writes_to_the_world_are_told_from_writes_to_files() -> None:
    found = facts(
        trace(call("cancel_order", {"order_id": "W1"}, "ok"), bash("sed -i s/a/b/ x.py"), call("Edit"))
    )
    assert [(write.api, write.target) for write in found.writes] == [
        (True, "W1"),
        (False, "x.py"),
        (False, ""),
    ]
