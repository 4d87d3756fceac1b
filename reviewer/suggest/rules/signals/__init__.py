"""Named signs of failure that can be found without reading for meaning, and the list of them all.

A module holds one family. A signal takes a scene and gives back what it saw, with its step and quotes, or
nothing; beside it may stand a pointer, for what it sees without proof. Each `weight` (0 to 1) orders the
signals by how seldom they misled in the traces they were written on; none is a probability. Not known here:
which mode a signal means (`rules.toml`), what an abstention says (`pointers`), whether the agent did right.
"""

from __future__ import annotations

from collections.abc import Callable

from reviewer.suggest.rules.seen.scene import Fired, Scene
from reviewer.suggest.rules.signals.admissions import held_up
from reviewer.suggest.rules.signals.attempts import never_acted, refused
from reviewer.suggest.rules.signals.budget import ran_out_at_work, ran_out_in_circles
from reviewer.suggest.rules.signals.claims import (
    claim_against_check,
    claim_of_failed_write,
    claim_unchecked,
    user_objected,
)
from reviewer.suggest.rules.signals.expected_calls import out_of_order, wrong_value
from reviewer.suggest.rules.signals.fabricated import made_up
from reviewer.suggest.rules.signals.failing_calls import bad_arguments, failed_again_and_again
from reviewer.suggest.rules.signals.invented import file_not_there, not_there
from reviewer.suggest.rules.signals.loops import says_it_is_stuck
from reviewer.suggest.rules.signals.passed import passed_clean
from reviewer.suggest.rules.signals.surroundings import blocked, environment, stopped_by_filter
from reviewer.suggest.rules.signals.unread import answer_not_taken

SIGNALS: tuple[Callable[[Scene], Fired | None], ...] = (
    never_acted,
    passed_clean,
    claim_against_check,
    refused,
    claim_unchecked,
    environment,
    held_up,
    claim_of_failed_write,
    failed_again_and_again,
    not_there,
    ran_out_in_circles,
    blocked,
    stopped_by_filter,
    file_not_there,
    bad_arguments,
    answer_not_taken,
    out_of_order,
    user_objected,
    ran_out_at_work,
    wrong_value,
    made_up,
    says_it_is_stuck,
)
