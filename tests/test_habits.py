"""Habits of an annotator and the keys they changed: kept, read, and refused with the file named."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.binding import Binding

from reviewer import habits, taxonomy
from reviewer.errors import InputError
from reviewer.habits import Habits
from reviewer.tui import keys
from reviewer.tui.keymap import check, remapped


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REVIEWER_CONFIG_DIR", str(tmp_path))
    return tmp_path


def test_habits_are_kept_for_each_annotator(folder: Path) -> None:
    habits.keep("a1-x", Habits("textual-light", False, 30))
    assert habits.load("a1-x") == Habits("textual-light", False, 30)
    assert habits.load("a1-y") == Habits()
    assert [file.name for file in (folder / "habits").iterdir()] == ["a1-x.json"]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"wrap": "no", "theme": 3, "list_width": true}', "\x00"])
def test_damaged_habits_are_the_defaults(folder: Path, text: str) -> None:
    (folder / "habits").mkdir()
    (folder / "habits" / "a.json").write_text(text)
    assert habits.load("a") == Habits()


def test_where_nothing_can_be_written_one_works_on(folder: Path) -> None:
    (folder / "habits").write_text("a file where a folder should be")
    habits.keep("a", Habits(wrap=False))
    assert habits.load("a") == Habits()


def table(folder: Path, text: str) -> list[Binding]:
    """The keys of the review screen under this `keys.toml`."""
    (folder / "keys.toml").write_text(text, "utf-8")
    codebook = taxonomy.load("six-modes")
    known = habits.key_table()
    check(known, keys.ids(), habits.keys_file())
    return remapped(keys.REVIEW, known, codebook, habits.keys_file())


def test_keys_are_changed_by_the_name_of_the_binding(folder: Path) -> None:
    text = '"step.next" = ["]", "f5"]\n[jump]\nahead = "ctrl+n"\n'
    found = {one.id: one.key for one in table(folder, text)}
    assert found["step.next"] == "right_square_bracket,f5"
    assert found["jump.ahead"] == "ctrl+n"
    assert found["step.back"] == "h,left"
    assert habits.key_table() == habits.key_table()


def test_two_keys_may_change_places(folder: Path) -> None:
    found = {one.id: one.key for one in table(folder, '[keys]\n"step.next" = "h"\n"step.back" = "l"\n')}
    assert (found["step.next"], found["step.back"]) == ("h", "l")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"step.nxt" = "n"', "'step.nxt' is no binding: did you mean step.next"),
        ('"find.next" = "f5"\n"jump.error" = "f5"', "would share the key f5"),
        ('"step.next" = "n"', "step.next and find.next would share the key n"),
        ('"jump.error" = ["e", "n"]', "find.next would share the key n"),
        ('"step.next" = "3"', "the key 3 labels"),
        ('"label.confirm" = "enter"', "enter must not decide"),
        ('"label.undo" = "space"', "space must not decide"),
        ('"step.next" = "ctrl+c"', "ctrl+c belongs to the app"),
        ('"step.next" = "hyper+x"', "is no key"),
        ('"step.next" = "nokey"', "is no key"),
        ('"step.next" = ""', "give a key"),
        ('"step.next" = [1]', "give a key"),
        ('"step.next" = 5', "give a key"),
        ('"step.next" = ', "keys.toml"),
        ("\x00", "keys.toml"),
    ],
)
def test_a_wrong_table_is_one_line_that_names_the_file(folder: Path, text: str, said: str) -> None:
    with pytest.raises(InputError) as raised:
        table(folder, text)
    words = str(raised.value)
    assert said in words and str(folder / "keys.toml") in words and "\n" not in words
