"""Slash commands of Claude Code: the words behind one are a person's, those of the program's own are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewer.importers.per_request import requests
from tests.importers.reading import one, put
from tests.importers.session import agent, user

_TAGS = (
    "<command-name>/{0}</command-name>\n<command-message>{0}</command-message>\n"
    "<command-args>{1}</command-args>"
)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (_TAGS.format("quay", "plan a berth for barges"), "plan a berth for barges"),
        (
            "<command-message>quay is running…</command-message>\n<command-name>/quay</command-name>\n"
            "<command-args>plan\ntwo berths</command-args>",
            "plan\ntwo berths",
        ),
        (_TAGS.format("quay", " \n "), ""),
        (_TAGS.format("clear", ""), ""),
        (_TAGS.format("model", "opus"), ""),
        ("<command-name>/quay</command-name>", ""),
        ("<command-args>no name</command-args>", ""),
    ],
)
def test_words_behind_a_slash_command_are_what_a_person_typed(
    tmp_path: Path, content: str, words: str
) -> None:
    rows = [user("u1", None, content), user("u2", "u1", "later"), agent("a", "u2", "ok")]
    found = one(put(tmp_path, "s.jsonl", rows)).trace
    first = found.steps[0]
    assert (first.kind, first.message) == (("", words) if words else ("injected", content))
    assert first.extra.get("command") == ("/quay" if words else None)
    assert found.info.task == (words or "later")
    assert requests(found.steps) == ([0, 1] if words else [1])
