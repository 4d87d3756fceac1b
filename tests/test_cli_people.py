"""`annotators` on the command line; two machines play with a config folder each."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer import settings
from reviewer.label import Exposure
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran
from tests.history import SIX

Cli = Callable[..., Ran]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Sit down at a machine."""
    return lambda name: monkeypatch.setenv("REVIEWER_CONFIG_DIR", str(tmp_path / name))


@pytest.fixture
def merged(reviewer: Cli, at: Callable[[str], None], tmp_path: Path) -> tuple[Path, list[str], list[str]]:
    """Ana on two machines and ben, in one store: (store, traces, the two ids of ana)."""
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    at("laptop")
    assert reviewer("--store", here, "import", SAMPLES / "plain", SAMPLES / "tau2_bench").status == 0
    assert reviewer("--store", here, "backup", there).status == 0
    traces = [one["id"] for one in loaded(reviewer("--store", here, "traces", "--json"))]
    for place in (0, 1):
        assert reviewer("--store", here, "annotate", traces[place], "other", "--as", "ana").status == 0
    at("desktop")
    for who, place in (("ana", 1), ("ana", 2), ("ben", 0), ("ben", 2)):
        assert reviewer("--store", there, "annotate", traces[place], "no_failure", "--as", who).status == 0
    assert reviewer("--store", here, "merge", there).status == 0
    people = loaded(reviewer("--store", here, "annotators", "list", "--json"))["annotators"]
    return here, traces, [one["id"] for one in people if one["name"] == "ana"]


def loaded(ran: Ran) -> Any:
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def test_the_list_names_everybody_and_the_names_that_are_alike(
    reviewer: Cli, merged: tuple[Path, list[str], list[str]]
) -> None:
    here, _, (one, two) = merged
    told = reviewer("--store", here, "annotators", "list").out
    assert f"2 annotators are called ana ({one[:11]}, {two[:11]})" in told
    assert f"annotators link {one[:11]} {two[:11]}" in told
    found = loaded(reviewer("--store", here, "annotators", "list", "--json"))
    assert [(a["name"], a["this_machine"]) for a in found["annotators"]] == [
        ("ana", False), ("ana", True), ("ben", True),
    ]  # fmt: skip
    assert [label["n"] for a in found["annotators"] for label in a["labels"]] == [2, 2, 2]
    assert found["same_name"] == [{"name": "ana", "ids": [one, two]}]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (("ana", "ben"), "2 annotators are called ana: a1-"),
        (("zed", "ben"), "nobody here is called zed"),
        (("ben", "ben"), "themselves"),
        (("a1-", "ben"), "3 annotators have an id that begins with a1-"),
        (("\x1b[2J", "ben"), "nobody here is called"),
        (("", "ben"), "say who is meant"),
    ],
)
def test_who_is_meant_is_never_guessed(
    reviewer: Cli, merged: tuple[Path, list[str], list[str]], asked: tuple[str, str], words: str
) -> None:
    ran = reviewer("--store", merged[0], "annotators", "link", *asked)
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1)
    assert words in ran.err
    assert "\x1b" not in ran.err
    assert loaded(reviewer("--store", merged[0], "annotators", "list", "--json"))["links"] == []


def test_linked_annotators_are_one_person_in_every_command(
    reviewer: Cli, merged: tuple[Path, list[str], list[str]]
) -> None:
    here, traces, (one, two) = merged
    linked = reviewer("--store", here, "annotators", "link", one[:9], two[3:12], "--as", "lea")
    assert linked.status == 0, linked.err
    assert "are one person" in linked.out
    assert "1 conflict of this person" in linked.out
    person = min(one, two)
    status = loaded(reviewer("--store", here, "status", "--json"))
    assert (status["annotators"], status["conflicts"]) == (2, 1)
    found = loaded(reviewer("--store", here, "agreement", "--json"))
    (pair,) = found["pairs"]
    assert ({pair["a"]["name"], pair["b"]["name"]}, pair["n"]) == ({"ana", "ben"}, 2)
    assert "are called ana" not in reviewer("--store", here, "agreement").out
    rows = [json.loads(line) for line in reviewer("--store", here, "export", "jsonl").out.splitlines()]
    said = {row["trace_id"]: row for row in rows}
    assert said[traces[1]]["status"] == "conflict"
    assert {label["annotator"]["id"] for label in said[traces[1]]["labels"]} == {person}
    assert {*said[traces[1]]["labels"][0]["annotator"]["also"], person} == {one, two}
    assert said[traces[2]]["status"] == "unanimous"
    listed = loaded(reviewer("--store", here, "traces", "--as", "ana", "--json"))
    assert [bool(row["label"]) for row in listed[:3]] == [True, True, True]
    again = reviewer("--store", here, "annotate", traces[1], "other", "--as", "ana")
    assert again.status == 0
    assert loaded(reviewer("--store", here, "status", "--json"))["conflicts"] == 0
    assert "already" in reviewer("--store", here, "annotators", "link", one, two).out
    assert "two people" in reviewer("--store", here, "annotators", "unlink", two, one).out
    assert "two people already" in reviewer("--store", here, "annotators", "unlink", two, one).out
    assert loaded(reviewer("--store", here, "status", "--json"))["annotators"] == 3


def test_a_contradiction_after_a_merge_is_listed_and_links_nobody(
    reviewer: Cli, merged: tuple[Path, list[str], list[str]], tmp_path: Path
) -> None:
    here, _, (one, two) = merged
    other = tmp_path / "other.db"
    assert reviewer("--store", here, "annotators", "link", one, two).status == 0
    assert reviewer("--store", here, "backup", other).status == 0
    for store, words in ((here, ("unlink", "link", "unlink")), (other, ("unlink", "link"))):
        for word in words:
            assert reviewer("--store", store, "annotators", word, one, two).status == 0
    merge = reviewer("--store", here, "merge", other)
    assert "are one person" in merge.err
    told = reviewer("--store", here, "annotators", "list").out
    assert "2 statements contradict each other, so they count as two people" in told
    assert len(loaded(reviewer("--store", here, "annotators", "list", "--json"))["contradictions"]) == 1
    assert reviewer("--store", here, "annotators", "link", one, two).status == 0
    assert "contradict" not in reviewer("--store", here, "annotators", "list").out


def test_what_comes_in_my_name_is_told(
    reviewer: Cli, merged: tuple[Path, list[str], list[str]], at: Callable[[str], None], tmp_path: Path
) -> None:
    here, traces, _ = merged
    copy = tmp_path / "copy.db"
    assert reviewer("--store", here, "backup", copy).status == 0
    assert reviewer("--store", copy, "annotate", traces[0], "other", "--as", "ana").status == 0
    told = reviewer("--store", here, "merge", copy)
    assert "1 event under the id of ana on this machine came in" in told.err
    at("elsewhere")
    assert "on this machine" not in reviewer("--store", tmp_path / "new.db", "merge", copy).err


def test_a_label_file_with_links_goes_through_git(
    reviewer: Cli, merged: tuple[Path, list[str], list[str]], tmp_path: Path
) -> None:
    """Two branches added labels; git could not merge them: both sides are read, with one word about it."""
    here, traces, (one, two) = merged
    file, other = tmp_path / "labels.jsonl", tmp_path / "other.db"
    base = reviewer("--store", here, "export", "labels").out.splitlines()
    assert reviewer("--store", here, "backup", other).status == 0
    assert reviewer("--store", here, "annotators", "link", one, two).status == 0
    assert reviewer("--store", other, "annotate", traces[2], "other", "--as", "cleo").status == 0
    left, right = (
        [line for line in reviewer("--store", s, "export", "labels").out.splitlines() if line not in base]
        for s in (here, other)
    )
    assert any('"link"' in line for line in left)
    with_links = tmp_path / "with-links.jsonl"
    with_links.write_text("\n".join([*base, *left]))
    told = loaded(reviewer("--store", tmp_path / "fourth.db", "import", with_links, "--json"))
    assert [(link["a"], link["b"], link["same"]) for link in told["new_links"]] == [(one, two, True)]
    assert {person["annotator"]["name"] for person in told["in_my_name"]} == {"ana", "ben"}
    torn = [*base, "<<<<<<< HEAD", *left, "||||||| 0123abc", "=======", *right, ">>>>>>> theirs"]
    file.write_text("\n".join(torn) + "\n")
    new = tmp_path / "new.db"
    ran = reviewer("--store", new, "import", file)
    assert ran.status == 0, ran.err
    assert len([line for line in ran.err.splitlines() if "conflict markers" in line]) == 1
    assert "refused" not in ran.err
    assert reviewer("--store", here, "merge", other).status == 0
    whole = [reviewer("--store", store, "export", "labels").out for store in (new, here)]
    assert whole[0] == whole[1]
    assert whole[0].splitlines()[1:] != base[1:]
    file.write_text(whole[0])
    assert reviewer("--store", tmp_path / "empty.db", "import", file).status == 0
    assert reviewer("--store", tmp_path / "empty.db", "export", "labels").out == whole[0]


def test_nobody_settles_alone_what_they_labelled_under_another_id(
    reviewer: Cli, merged: tuple[Path, list[str], list[str]], at: Callable[[str], None]
) -> None:
    here, traces, (one, two) = merged
    at("laptop")  # where ana never labelled the third trace
    settle = (
        "--store",
        here,
        "adjudicate",
        traces[2],
        "other",
        "--reason",
        "r",
        "--note",
        "n",
        "--as",
        "ana",
    )
    assert reviewer("--store", here, "annotators", "link", one, two).status == 0
    ran = reviewer(*settle)
    assert ran.status == 1
    assert "--allow-own" in ran.err
    assert reviewer("--store", here, "annotators", "unlink", one, two).status == 0
    assert "--unlabelled" in reviewer(*settle).err  # two people again: this one labels here, not this trace
    assert reviewer(*settle, "--unlabelled").status == 0


def test_whoever_only_looked_at_another_machine_can_be_linked(
    reviewer: Cli, at: Callable[[str], None], tmp_path: Path
) -> None:
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    at("laptop")
    assert reviewer("--store", here, "import", SAMPLES / "plain", SAMPLES / "tau2_bench").status == 0
    assert reviewer("--store", here, "suggest", "--with", "rules").status == 0
    with Store.open(here) as store:
        trace = next(one.trace_id for one in store.suggestions.all(SIX.hash) if one.status == "ok")
    assert reviewer("--store", here, "annotate", trace, "other", "--as", "ben").status == 0
    assert reviewer("--store", here, "backup", there).status == 0
    at("desktop")
    settings.identity("ana")
    assert reviewer("--store", there, "show", trace, "--suggestions", "--as", "ana").status == 0
    at("laptop")
    assert reviewer("--store", here, "annotate", trace, "other", "--as", "ana").status == 0
    assert reviewer("--store", here, "merge", there).status == 0
    people = loaded(reviewer("--store", here, "annotators", "list", "--json"))["annotators"]
    ids = [one["id"] for one in people if one["name"] == "ana"]
    assert len(ids) == 2
    assert len(loaded(reviewer("--store", here, "agreement", "--json"))["pairs"]) == 1
    assert reviewer("--store", here, "annotators", "link", *ids).status == 0
    found = loaded(reviewer("--store", here, "agreement", "--json"))
    assert (found["pairs"], len(found["assisted"])) == ([], 1)


def test_an_id_that_came_without_a_name_and_a_name_of_this_machine_can_be_linked(
    reviewer: Cli, at: Callable[[str], None], tmp_path: Path
) -> None:
    here = tmp_path / "here.db"
    at("laptop")
    assert reviewer("--store", here, "import", SAMPLES / "plain").status == 0
    trace = loaded(reviewer("--store", here, "traces", "--json"))[0]["id"]
    assert reviewer("--store", here, "annotate", trace, "other", "--as", "ben").status == 0
    lost = f"a1-{'5' * 32}"
    with Store.open(here) as store:
        store.labels.expose([Exposure("x1", lost, trace, "suggestion", "s1", "2020-01-01T00:00:00Z")])
    assert reviewer("--store", tmp_path / "else.db", "import", SAMPLES / "plain").status == 0
    ran = reviewer("--store", tmp_path / "else.db", "annotate", trace, "other", "--as", "benjamin")
    assert ran.status == 0
    assert "(no name came along)" in reviewer("--store", here, "annotators", "list").out
    ran = reviewer("--store", here, "annotators", "link", "ben", lost[:11])
    assert ran.out.startswith("ben (")
    assert reviewer("--store", here, "annotators", "link", "ben", "benjamin").status == 0
    people = loaded(reviewer("--store", here, "annotators", "list", "--json"))["annotators"]
    assert {one["person"] for one in people if one["name"] in ("ben", "benjamin", "")} == {
        next(one["person"] for one in people if one["id"] == lost)
    }


def test_a_slip_in_a_name_is_told_once(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "who_and_when").status == 0
    trace = loaded(reviewer("traces", "--json"))[0]["id"]

    def told(name: str) -> str:
        ran = reviewer("annotate", trace, "other", "--as", name)
        assert ran.status == 0
        return ran.err

    assert told("ana") == ""  # the labels that came with a set are of nobody who works here
    assert told("ben") == "new annotator: ben (here: ana)\n"
    assert told("ben") == told("ana") == ""
    assert reviewer("assign", "--annotators", "ana,zoe", "--overlap", "100%").status == 0
    assert "new annotator" not in told("zoe")
    assert "new annotator: zed (here: ana, ben, zoe)\n" in told("zed")
