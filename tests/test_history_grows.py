"""Whatever is done with a store, what was said in it stays as it was, byte for byte: history only grows.

Random sequences over the whole command line, and over what only the screens can do (undo, flags, reveals).
After each step every row of the append-only tables that was there before is there still, unchanged.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer import cli, taxonomy
from reviewer.cli import COMMANDS
from reviewer.cli.context import new_id, now
from reviewer.errors import ReviewerError
from reviewer.label import Annotator
from reviewer.session import AdjudicationSession, Desk, ReviewSession
from reviewer.settings import identity
from reviewer.store import Store
from tests.conftest import SAMPLES
from tests.history import NUMBERS

TABLES = ("events", "supersedes", "exposures", "links")
Rows = dict[str, set[tuple[bytes | None, ...]]]


def rows(path: Path) -> Rows:
    """Every row as SQL text, so that 1 and 1.0, text and bytes differ."""
    found: Rows = {}
    with closing(sqlite3.connect(path)) as db:
        for table in TABLES:
            names = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            sql = f"SELECT {', '.join(f'quote({name})' for name in names)} FROM {table}"
            found[table] = set(db.execute(sql).fetchall())
    return found


class Play:
    """A store and a second one, with what can be done to the first."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.path = folder, folder / "a.db"
        self.other, self.file = folder / "b.db", folder / "labels.jsonl"
        self.run("import", SAMPLES / "plain", SAMPLES / "swe_agent")
        for who in ("ana", "ben"):
            self.run("annotate", self.first(), "--note", "hello", "--as", who)
        self.run("backup", self.other)
        with Store.open(self.path) as store:
            self.traces = [info.trace_id for info in store.traces.all()]
        self.run("annotate", self.traces[0], "tool_misuse", "--as", "ben", store=self.other)
        self.run("annotate", self.traces[1], "other", "--as", "ana", store=self.other)
        self.run("annotators", "link", "ana", "ben", store=self.other)
        self.run("export", "labels", "-o", self.file, store=self.other)

    def first(self) -> str:
        with Store.open(self.path) as store:
            return store.traces.all()[0].trace_id

    def run(self, *arguments: Any, store: Path | None = None) -> int:
        return cli.run(["--store", str(store or self.path), *map(str, arguments)])

    def step(self, name: str, who: str, mode: str, place: int) -> None:
        trace = self.traces[place % len(self.traces)]
        if name in SCREEN:
            self.screen(name, who, place % len(self.traces))
            return
        filled: dict[str, Any] = {"who": who, "other": "ben" if who == "ana" else "ana"}
        filled |= {"mode": mode, "trace": trace}
        filled |= {"file": self.file, "store": self.other, "new": self.folder / f"{next(NUMBERS)}"}
        filled |= {"samples": SAMPLES / "plain", "place": place}
        self.run(*(str(word).format(**filled) for word in STEPS[name]))

    def screen(self, name: str, who: str, place: int) -> None:
        with Store.open(self.path) as store:
            desk = Desk(store, Annotator(*identity(who)), taxonomy.load("six-modes"), 1, now, new_id, "test")
            session = ReviewSession(desk, blind=True)
            try:
                if name == "open":
                    session.open(place)
                elif name == "undo":
                    session.undo()
                elif name == "flag":
                    session.flag(place)
                elif name == "skip":
                    session.skip(place)
                elif name == "settle":
                    settling = AdjudicationSession(desk)
                    settling.undo()
                    if settling.cases:
                        settling.open(place % len(settling.cases))
            except ReviewerError:
                pass  # refused is fine; what was said stays


SCREEN = ("open", "undo", "flag", "skip", "settle")
STEPS: dict[str, tuple[str, ...]] = {
    "label it": ("annotate", "{trace}", "{mode}", "--as", "{who}", "--note", "n"),
    "note it": ("annotate", "{trace}", "--note", "note {place}", "--as", "{who}"),
    "clear it": ("annotate", "{trace}", "--clear", "--as", "{who}"),
    "a next round": ("annotate", "{trace}", "{mode}", "--as", "{who}", "--round", "2"),
    "adjudicate": ("adjudicate", "{trace}", "{mode}", "--reason", "r", "--as", "lea"),
    "adjudicate own": ("adjudicate", "{trace}", "{mode}", "--reason", "r", "--allow-own", "--as", "{who}"),
    "clear adjudication": ("adjudicate", "{trace}", "--clear", "--as", "lea"),
    "reaffirm": ("adjudicate", "{trace}", "--reaffirm", "--as", "lea"),
    "ledger": ("adjudicate", "--ledger"),
    "link": ("annotators", "link", "{who}", "{other}", "--as", "{who}"),
    "unlink": ("annotators", "unlink", "{who}", "{other}", "--as", "{who}"),
    "list": ("annotators", "list", "--json"),
    "merge": ("merge", "{store}"),
    "import labels": ("import", "{file}"),
    "import again": ("import", "{samples}"),
    "suggest": ("suggest", "--with", "rules"),
    "look": ("history", "{trace}", "--as", "{who}"),
    "show": ("show", "{trace}", "--as", "{who}"),
    "traces": ("traces", "--as", "{who}"),
    "status": ("status",),
    "search": ("search", "the"),
    "suggesters": ("suggesters",),
    "agreement": ("agreement", "--json"),
    "report": ("report",),
    "export": ("export", "jsonl", "-o", "{new}"),
    "backup": ("backup", "{new}"),
    "check": ("check",),
    "use": ("taxonomy", "use", "mast"),
    "use again": ("taxonomy", "use", "six-modes"),
    "quality": ("quality", "--json"),
    "assign": ("assign", "--annotators", "ana,ben", "--overlap", "50%"),
    "assign again": ("assign", "--again", "2", "--annotators", "ana"),
    "plan": ("plan",),
    "codes": ("codes",),
    "codes of one": ("codes", "list"),
}
ELSEWHERE = {"sniff", "demo", "label"}  # no store, a store of its own, and the screen that SCREEN plays

ORDER = st.lists(
    st.tuples(
        st.sampled_from(
            [name for name in [*STEPS, *SCREEN] if name in SCREEN or STEPS[name][0] in COMMANDS]
            + ["label it", "undo", "clear it", "merge", "adjudicate"] * 3
        ),
        st.sampled_from(["ana", "ben"]),
        st.sampled_from(["tool_misuse", "other", "no_failure"]),
        st.integers(0, 3),
    ),
    min_size=4,
    max_size=14,
)


def test_every_command_is_played() -> None:
    """A new command joins STEPS, or says here why it does not."""
    assert set(COMMANDS) <= {words[0] for words in STEPS.values()} | ELSEWHERE


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=ORDER)
def test_history_only_grows(
    order: list[tuple[str, str, str, int]], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    play = Play(tmp_path / f"{next(NUMBERS)}")
    before, foreign = rows(play.path), rows(play.other)
    for name, who, mode, place in order:
        play.step(name, who, mode, place)
        after = rows(play.path)
        for table in TABLES:
            assert before[table] <= after[table], (name, table)
        before = after
    assert rows(play.other) == foreign
    capfd.readouterr()


def test_the_plays_are_not_all_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Else nothing was tested: after these steps there is more of everything."""
    play = Play(tmp_path / "one")
    counts = {table: len(found) for table, found in rows(play.path).items()}
    for name in ("label it", "open", "link", "undo", "label it", "merge", "link", "adjudicate", "look"):
        play.step(name, "ana", "tool_misuse", 0)
    assert all(len(found) > counts[table] for table, found in rows(play.path).items())
    assert "Traceback" not in capfd.readouterr().err
