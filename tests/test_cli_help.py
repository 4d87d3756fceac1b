"""The help texts at 80 columns: no line too wide, nothing cut off, no limits of numbers from 1 on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click
import pytest

from reviewer.cli import COMMANDS, group
from tests.conftest import Ran

Cli = Callable[..., Ran]


def commands() -> Iterator[tuple[str, ...]]:
    context = click.Context(group)
    for name in COMMANDS:
        yield (name,)
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from ((name, inner) for inner in command.list_commands(context))


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_help_fits_and_is_whole(
    reviewer: Cli, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ran = reviewer(*command, "--help")
    assert ran.status == 0
    for line in ran.out.replace(" [ARGS]...", "").splitlines():
        assert len(line) <= 80 and not line.endswith(("...", "claude-")), line
    assert "2147483647" not in ran.out


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5", "2147483648", "9" * 500, "¹"])
def test_a_number_that_is_none_is_told(reviewer: Cli, number: str) -> None:
    ran = reviewer("agreement", f"--round={number}")
    assert ran.status == 2
    assert "is no number from 1 to 2,147,483,647" in ran.err
    assert len(ran.err.splitlines()) == 2 and len(ran.err) < 300
