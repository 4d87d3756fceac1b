"""Suggesters of other packages: found by their entry point, run like ours, refused with a reason."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from reviewer import suggest
from reviewer.errors import InputError
from reviewer.store import Store
from tests.conftest import Ran
from tests.history import put, session

WHOLE = """
from reviewer.suggest.base import Proposal

class Coin:
    name, version, settings = "coin", "1", {"outcome": "withheld"}
    def suggest(self, trace, outcomes, taxonomy):
        return Proposal(mode=taxonomy.modes[0].id, rationale="Heads.")

def build(options):
    return Coin()
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Makes a module that other people wrote known as the suggester `coin`."""

    def add(text: str) -> None:
        (tmp_path / "coins_of_others.py").write_text(text, "utf-8")
        point = EntryPoint("coin", "coins_of_others", suggest.GROUP)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(suggest, "_installed", lambda: {"coin": point})

    yield add
    sys.modules.pop("coins_of_others", None)


def test_a_suggester_of_another_package_is_run_like_ours(
    install: Callable[[str], None], store: Store, reviewer: Callable[..., Ran]
) -> None:
    install(WHOLE)
    trace = put(store, session(["a"], "a"))
    assert reviewer("suggest", "--with", "coin").status == 0
    (made,) = store.suggestions.of(trace)
    assert (made.suggester, made.status, made.rationale) == ("coin", "ok", "Heads.")
    assert "nothing to do" in reviewer("suggest", "--with", "coin").out


@pytest.mark.parametrize(
    "does",
    ['raise ValueError("no\\nheads")', "return None", "return 1 / 0",
     'return Proposal(mode=taxonomy.modes[0].id, evidence=["?"])'],
)  # fmt: skip
def test_a_suggester_that_breaks_down_costs_only_that_trace(
    install: Callable[[str], None], store: Store, reviewer: Callable[..., Ran], does: str
) -> None:
    install(
        WHOLE.replace(
            "        return", f"        if 'bad' in trace.info.task:\n            {does}\n        return", 1
        )
    )
    bad, fine = put(store, session(["bad"], "bad")), put(store, session(["a"], "a"))
    done = reviewer("suggest", "--with", "coin")
    assert done.status == 0 and "1 failed, 1 suggested" in done.out, done
    assert "1 failed, the first of them: the suggester broke down: " in done.err
    assert [one.status for one in store.suggestions.of(fine)] == ["ok"]
    assert len(store.suggestions.of(bad)[0].reason.splitlines()) == 1
    assert "1 failed" in reviewer("suggest", "--with", "coin").out  # it may do better the next time


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import nowhere_at_all", "cannot be loaded"),
        ("x = 1", "cannot be loaded"),
        (
            WHOLE.replace('"1", {"outcome": "withheld"}', '"1", {}').replace("def suggest", "def other"),
            "has no suggest",
        ),
        (WHOLE.replace('"coin"', '"rules"'), "calls itself 'rules'"),
    ],
    ids=["an import that fails", "no build", "no suggest", "another's name"],
)
def test_what_cannot_be_used_is_said_in_a_line(install: Callable[[str], None], text: str, why: str) -> None:
    install(text)
    with pytest.raises(InputError, match=why):
        suggest.suggester("coin")


def test_an_unknown_name_is_told_with_those_there_are(install: Callable[[str], None]) -> None:
    install(WHOLE)
    with pytest.raises(InputError, match="rules, claude, scripted, coin"):
        suggest.suggester("dice")
