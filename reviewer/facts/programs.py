"""The programs of a shell: which of them check, and what.

Tables and a few rules for one simple command; what writes stands in `writers`. Not known: aliases, scripts by
other names, options that reached a program through a variable, a Makefile's targets beyond their names.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from reviewer.facts.shell import Command, names

CheckKind: TypeAlias = Literal["", "test", "lint", "build", "script", "request", "server"]
# The kinds by what they tell, the most telling first: a command line that does several counts as that.
CHECK_KINDS: tuple[CheckKind, ...] = ("test", "build", "lint", "script", "request", "server")

_FORMATTERS = names("black isort autopep8 gofmt yapf rustfmt")

_TESTS = names(
    "pytest py.test tox nox unittest nose nosetests trial jest vitest mocha ava jasmine karma "
    "cypress rspec phpunit ctest stestr ward bats behave"
)
_LINTS = names(
    "mypy pyright flake8 pylint ruff eslint tslint golangci-lint shellcheck rubocop clippy "
    "stylelint hadolint bandit pyflakes pycodestyle vulture yamllint jsonlint staticcheck"
)
_BUILDS = names(
    "make gmake ninja cmake gcc g++ cc c++ clang clang++ javac rustc tsc webpack rollup "
    "esbuild mvn gradle gradlew mvnw ant xcodebuild msbuild py_compile compileall build "
    "latexmk pdflatex"
)
_SERVERS = names("uvicorn gunicorn hypercorn http.server http-server serve daphne nodemon streamlit")
_TASK_RUNNERS = names(
    "npm yarn pnpm bun deno go cargo dotnet swift bazel mise just task rake rails mix sbt "
    "lein composer flutter dart zig make invoke poe turbo nx next vite flask playwright "
    "./gradlew"
)
_TASK_WORDS: tuple[tuple[CheckKind, frozenset[str]], ...] = (
    (
        "test",
        names("test tests t pytest spec unit e2e integration check:test test:unit test:e2e nextest"),
    ),
    ("lint", names("lint check typecheck type-check tsc vet clippy analyze ci verify validate")),
    ("build", names("build compile b assemble all")),
    ("server", names("dev start serve server runserver preview")),
)
INTERPRETERS = names("python python2 python3 py node deno bun ruby php perl bash sh zsh ts-node tsx Rscript")
_CHECK_SCRIPT = re.compile(
    r"(?:^|[_\-./])(?:test|tests|spec|runtests|verify|check|validate|repro\w*)(?:[_\-.\d]|$)", re.I
)
LOCAL = re.compile(r"localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]")


def formats(name: str, words: list[str]) -> bool:
    """Whether a formatter or a linter writes what it finds."""
    if name in ("prettier", "eslint", "ruff", "golangci-lint", "clippy", "rubocop", "stylelint"):
        return any(word in ("--write", "--fix", "-w", "-a", "-A") for word in words) or (
            words[1:2] == ["format"] and not {"--check", "--diff"} & set(words)
        )
    if name in _FORMATTERS:
        if name == "gofmt":
            return "-w" in words
        return not any(word.startswith(("--check", "--diff")) for word in words) and len(words) > 1
    return False


def program_check(command: Command) -> CheckKind:
    """What one simple command checks; empty for nothing."""
    name, words = command.program, command.words
    if name in _SERVERS:
        return "server"
    if name in ("make", "gmake") and {"-n", "--dry-run", "--just-print"} & set(words[1:]):
        return ""  # only says what it would do
    if name in _TESTS:
        return "test"
    if name in _LINTS or name in _FORMATTERS or name == "prettier":
        return "" if formats(name, words) else "lint"
    if name in ("curl", "wget", "http", "httpie"):
        return "request" if any(LOCAL.search(word[:300]) for word in words[1:]) else ""
    if name in _TASK_RUNNERS and (kind := _task(words)):
        return kind
    if name in _BUILDS:
        return "build"
    if name in ("vite", "next", "flask"):
        return "server"
    script = _script(name, words)
    if script in {"manage.py", "artisan"}:
        return _task(words[1:])
    return "script" if script and _CHECK_SCRIPT.search(script) else ""


def _task(words: list[str]) -> CheckKind:
    """What the task of a runner is for: `npm run lint`, `go test ./…`, `cargo build`, `make check`."""
    for word in words[1:5]:
        if word.startswith("-"):
            continue
        first = re.split(r"[:\-_]", word.lower())[0]
        for kind, known in _TASK_WORDS:
            if word.lower() in known or (first in known and len(first) > 3):
                return kind
        if word not in ("run", "x", "exec", "manage.py") and not word.startswith("/"):
            return ""
    return ""


def _script(name: str, words: list[str]) -> str:
    """The base name of the script that is run: `python a/test_x.py`, `./runtests.py`; else empty."""
    if name in INTERPRETERS:
        path = next((word for word in words[1:] if not word.startswith("-")), "")
        if "-c" in words[1:3] or "-e" in words[1:3]:
            return ""
    else:
        path = words[0] if words and words[0].startswith(("./", "/", "../")) else ""
    return path.rsplit("/", 1)[-1][:200]


def run_script(command: Command) -> str:
    """The path of the script that one simple command runs; empty if it runs none."""
    if command.program in INTERPRETERS and not {"-c", "-e"} & set(command.words[1:3]):
        return next((word for word in command.words[1:] if not word.startswith("-")), "")
    return command.words[0] if command.words and command.words[0].startswith("./") else ""
