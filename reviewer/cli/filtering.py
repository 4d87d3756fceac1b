"""Which traces a command is about: the options that `traces` and `export` share, and what they let in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

import click

from reviewer.label import GoldStatus, LabelledTrace

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--benchmark", metavar="NAME", help="Only this benchmark."),
    click.option("--model", metavar="TEXT", help="Only models whose name holds this text."),
    click.option(
        "--mode",
        metavar="MODE",
        help="Only traces whose gold is this mode; where you name somebody, whose label is.",
    ),
    click.option(
        "--status",
        type=click.Choice(get_args(GoldStatus)),
        help="Only traces whose labels agree, differ or are lacking in this way.",
    ),
    click.option("--unlabelled", is_flag=True, help="Only traces without a label (of whom you name)."),
    click.option(
        "--flagged", is_flag=True, help="Only traces that somebody (whom you name) flagged for discussion."
    ),
    click.option("--failed", is_flag=True, help="Only traces that the benchmark counts as failed."),
)


def filters(command: F) -> F:
    """Give a command the options of `Filters`, in their order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Filters:
    """Which traces are let through; empty means all."""

    benchmark: str | None = None
    model: str | None = None
    mode: str | None = None
    status: str | None = None
    unlabelled: bool = False
    flagged: bool = False
    failed: bool = False

    def match(self, row: LabelledTrace, mode: str | None, labelled: bool, people: frozenset[str]) -> bool:
        """`people` are the ids of whoever is asked about; none: of everybody."""
        return (
            (self.benchmark is None or row.info.benchmark == self.benchmark)
            and (self.model is None or self.model in row.info.model)
            and (self.mode is None or mode == self.mode)
            and (self.status is None or row.gold.status == self.status)
            and not (self.unlabelled and labelled)
            and not (
                self.flagged
                and not any(e.kind == "flag" and (not people or e.annotator in people) for e in row.labels)
            )
            and not (self.failed and row.passed is not False)
        )
