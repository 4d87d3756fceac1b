"""The words that signals look for are found by their form, and not in what is quoted."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.phrases import ADMITS, FAULT, LIMIT, kind_of_fault, missing, own_words


@pytest.mark.parametrize(
    ("error", "name"),
    [
        ("cat: tides.csv: No such file or directory", "tides.csv"),
        ("ls: cannot access '/w/tides': No such file or directory", "/w/tides"),
        ("ModuleNotFoundError: No module named 'tides'", "tides"),
        ("Unknown tool: get_tides", "get_tides"),
        ("The path /w/tides.csv does not exist.", "/w/tides.csv"),
        ("the tide was too low", ""),
    ],
)
def test_an_error_names_what_is_missing(error: str, name: str) -> None:
    assert missing(error) == name


def test_what_is_quoted_is_blank_and_all_else_keeps_its_place() -> None:
    text = 'It prints "unable to moor", and `could not`; I could not find out why.'
    own = own_words(text)
    assert len(own) == len(text) and "unable" not in own
    found = ADMITS.search(own)
    assert found is not None and text[found.start() :].startswith("I could not find")


def test_faults_of_the_machine_are_told_from_those_of_the_network_and_from_a_limit() -> None:
    assert kind_of_fault("No space left on device") == "container or resource"
    assert kind_of_fault("503 Service Unavailable") == "network or service"
    assert FAULT.search("Error: 503 Service Unavailable") and not FAULT.search("503 boats lie there")
    assert LIMIT.search("Max rounds (30) reached.") and not LIMIT.search("the tide reached the pier")
