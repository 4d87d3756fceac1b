"""Odd arguments: one clear line, exit status 1 or 2, no traceback, no escape byte; whatever is given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.hostile.own import plain

ESC = "a\x1b]0;x\x07\u202eb\udcff"
HUGE = "9" * 30
Reviewer = Callable[..., Ran]

ODD = [
    *(["show", "nope"], ["show", ESC], ["show", "T", "--step", HUGE], ["show", "T", "--step", "0"]),
    *(["show", "T", "--step", "99"], ["show", "T", "--step", ESC], ["history", ESC], ["show"]),
    *(["annotate", "T", ESC], ["annotate", "T", "nomode"], ["annotate", "T"], ["annotate", "nope", "other"]),
    *(["annotate", "T", "other", "--as", name] for name in (ESC, "", " ", "n" * 200, "a\nb")),
    *(["annotate", "T", "other", "--step", step] for step in ("0", "-1", "99", HUGE, "x")),
    *(["annotate", "T", "other", "--round", number] for number in ("0", "-1", HUGE, ESC)),
    *(["annotate", "T", "other", option, ESC] for option in ("--facet", "--submode", "--secondary")),
    *(["annotate", "T", "other", "--facet", f"claim={ESC}"], ["annotate", "T", "--clear", "--as", "nobody"]),
    *(
        ["adjudicate", "T"],
        ["adjudicate", "T", ESC],
        ["adjudicate", "T", "--clear"],
        ["adjudicate", ESC, "x"],
    ),
    *(["agreement", "--round", number] for number in ("0", HUGE)),
    *(["import"], ["import", ESC], ["import", "/dev/null"], ["import", "T", "--format", ESC]),
    *([f"--{ESC}"], [ESC], ["traces", f"--{ESC}"], ["status", ESC]),
    *(["--store", store, "traces"] for store in ("FOLDER", ESC, "TEXT", "/dev/null", "/nowhere/x.db")),
    *(["--store", store, "import", "TEXT"] for store in ("FOLDER", "TEXT", "/nowhere/x.db")),
    *(["--taxonomy", file, "annotate", "T", "other"] for file in (ESC, "FOLDER", "TEXT", "/dev/zero")),
    *(["taxonomy", "check", file] for file in (ESC, "FOLDER", "TEXT", "/dev/zero", "BYTES")),
    *(["taxonomy", ESC], ["suggest", "--with", ESC], ["suggest", "--with", "scripted"]),
    *(["suggest", "--with", "scripted", "--answers", file] for file in (ESC, "FOLDER", "BYTES")),
    *(["export", ESC], ["export", "jsonl", "-o", "FOLDER"], ["export", "jsonl", "-o", "/nowhere/x"]),
    *(["backup", file] for file in ("FOLDER", "TEXT", "/nowhere/x")),
]


@pytest.fixture
def named(tmp_path: Path, reviewer: Reviewer) -> dict[str, str]:
    """What the words in capitals above stand for."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("[just\x1b text", "utf-8")
    (tmp_path / "bytes").write_bytes(b"\xff\x00\x1b\xfe")
    (tmp_path / "trace.json").write_bytes(plain("one"))
    assert reviewer("import", tmp_path / "trace.json").status == 0
    trace = json.loads(reviewer("traces", "--json").out)[0]["id"]
    files = {name.upper(): str(tmp_path / name) for name in ("folder", "text", "bytes")}
    return {"T": trace, **files}


def assert_one_clear_line(ran: Ran) -> None:
    assert ran.status in (1, 2), ran
    said = [line for line in ran.err.splitlines() if not line.startswith(("Usage: ", "Try "))]
    assert said and len(said) <= 3, ran.err
    assert re.match(r"(reviewer|failed|warning): .*\w", said[0]), ran.err
    for forbidden in ("\x1b", "\x07", "\u202e", "\udcff", "Traceback"):
        assert forbidden not in ran.err + ran.out


@pytest.mark.parametrize("number", range(len(ODD)), ids=lambda number: ascii(" ".join(ODD[number]))[:60])
def test_odd_arguments(number: int, named: dict[str, str], reviewer: Reviewer) -> None:
    assert_one_clear_line(reviewer(*(named.get(word, word) for word in ODD[number])))


@pytest.mark.parametrize("folder", ["/proc/x", "TEXT", f"/proc/{ESC}"])
def test_a_config_folder_that_cannot_be_used(
    folder: str, named: dict[str, str], reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REVIEWER_CONFIG_DIR", named.get(folder, folder))
    ran = reviewer("annotate", named["T"], "other")
    assert_one_clear_line(ran)
    assert "REVIEWER_CONFIG_DIR" in ran.err
