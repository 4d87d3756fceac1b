"""Who I am: one random id for each name on this machine, whichever way the name is typed or asked for."""

import errno
import os
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer import settings
from reviewer.errors import InputError
from tests.conftest import SAMPLES, Ran

ASK = """
import pathlib, sys
from reviewer.settings import identity
ready, go = map(pathlib.Path, sys.argv[1:])
ready.touch()
while not go.exists():
    pass
print(identity("ana")[0])
"""


def kept() -> list[Path]:
    return sorted((settings.config_dir() / "annotators").iterdir())


def test_a_name_has_one_id_and_another_name_another() -> None:
    ana = settings.identity("ana")
    assert settings.identity("ana") == settings.identity(" ana ") == ana
    assert ana[1] == "ana"
    assert settings.identity("ben")[0] != ana[0]
    assert len(kept()) == 2


@pytest.mark.parametrize(
    ("known", "typed"),
    [("Ana", "ana"), ("ana", "ANA"), ("ﬁn", "fin"), ("straße", "STRASSE"), ("Ｂen", "ben")],
    ids=["capital", "capitals", "ligature", "sharp s", "full width"],
)
def test_a_spelling_that_looks_alike_is_refused_and_makes_nobody(known: str, typed: str) -> None:
    id = settings.identity(known)[0]
    with pytest.raises(InputError, match="too like") as told:
        settings.identity(typed)
    assert repr(known) in str(told.value)
    assert len(kept()) == 1
    assert settings.identity(known)[0] == id


@pytest.mark.parametrize("name", ["Zoë", "Åsa", "김하나"])
def test_the_same_letters_in_another_form_are_the_same_name(name: str) -> None:
    composed, apart = unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)
    assert composed != apart
    assert settings.identity(apart) == settings.identity(composed)
    assert settings.identity(apart)[1] == composed
    assert len(kept()) == 1


def test_the_command_line_refuses_the_other_spelling_in_one_line(reviewer: Callable[..., Ran]) -> None:
    settings.identity("Ana")
    assert reviewer("import", SAMPLES / "plain").status == 0
    assert reviewer("traces", "--as", "Ana").status == 0
    ran = reviewer("traces", "--as", "ana")
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1)
    assert "too like 'Ana'" in ran.err


def test_processes_that_ask_at_once_get_the_same_id(tmp_path: Path) -> None:
    go, number = tmp_path / "go", 4
    waiting = [tmp_path / f"ready{place}" for place in range(number)]
    asked = [
        subprocess.Popen([sys.executable, "-c", ASK, ready, go], stdout=subprocess.PIPE, text=True)
        for ready in waiting
    ]
    until = time.monotonic() + 20
    while not all(ready.exists() for ready in waiting) and time.monotonic() < until:
        time.sleep(0.01)
    go.touch()
    answers = {process.communicate(timeout=20)[0].strip() for process in asked}
    assert [process.returncode for process in asked] == [0] * number
    assert answers == {settings.identity("ana")[0]}
    assert len(kept()) == 1


def test_who_is_a_moment_late_gets_the_id_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link
    first: list[tuple[str, str]] = []

    def slow(source: Path, target: Path) -> None:
        """Another process is done between our look and our write."""
        monkeypatch.setattr(os, "link", link)
        first.append(settings.identity("ana"))
        link(source, target)

    monkeypatch.setattr(os, "link", slow)
    assert [settings.identity("ana")] == first
    assert len(kept()) == 1


def test_a_file_system_without_hard_links_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link
    first: list[tuple[str, str]] = []

    def none(source: Path, target: Path) -> None:
        if not first:  # and even there somebody else may be faster
            monkeypatch.setattr(os, "link", link)
            first.append(settings.identity("ana"))
            monkeypatch.setattr(os, "link", none)
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    assert [settings.identity("ana")] == first
    assert settings.identity("ben") == settings.identity("ben")
    assert len(kept()) == 2


@pytest.mark.parametrize("name", ["", "  ", "a" * 81, "a\nb", "a\x1b[2J", "a\u202eb"])
def test_what_is_no_name_makes_nobody(name: str) -> None:
    with pytest.raises(InputError, match="name"):
        settings.identity(name)
    assert not (settings.config_dir() / "annotators").exists()


def test_long_names_stay_apart() -> None:
    names = ["ö" * 79 + letter for letter in "ab"]
    assert len({settings.identity(name)[0] for name in names}) == 2


def test_a_damaged_file_is_told_and_not_overwritten() -> None:
    settings.identity("ana")
    (file,) = kept()
    for text in ("", "{", "[]", '{"id": "a1-x"}'):
        file.write_text(text)
        with pytest.raises(InputError, match="damaged"):
            settings.identity("ana")
        assert file.read_text() == text
