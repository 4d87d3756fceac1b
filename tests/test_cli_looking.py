"""Looking makes nobody and invents no round: who or what there is not is refused, what there is is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from reviewer import settings
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]

LOOKS = (
    ("traces",),
    ("show", "TRACE"),
    ("show", "TRACE", "--suggestions"),
    ("history", "TRACE"),
    ("agreement",),
    ("agreement", "--rounds"),
    ("adjudicate", "--list"),
    ("adjudicate", "--ledger"),
    ("adjudicate", "--ledger", "--toml"),
    ("codes",),
    ("taxonomy", "worklist"),
    ("taxonomy", "amend", "--from-ledger"),
    ("assign", "--list"),
)
ROUNDS = (
    ("traces",),
    ("traces", "--as", "ana"),
    ("codes",),
    ("codes", "--as", "ana"),
    ("codes", "draft", "FILE"),
    ("agreement",),
    ("agreement", "--as", "ana"),
    ("adjudicate", "--list"),
    ("adjudicate", "--ledger"),
    ("adjudicate",),
    ("adjudicate", "TRACE", "other", "--reason", "r", "--as", "lea"),
    ("taxonomy", "amend", "--from-ledger"),
    ("report",),
    ("quality",),
    ("suggesters",),
    ("export", "jsonl"),
    ("plan", "--shares", "store"),
)


@pytest.fixture
def cli(reviewer: Cli) -> Cli:
    assert reviewer("import", SAMPLES / "mini_swe_agent").status == 0
    assert reviewer("annotate", traces()[0], "other", "--as", "ana").status == 0
    return reviewer


def test_history_tells_what_the_details_took(cli: Cli) -> None:
    details = ("--secondary", "tool_misuse", "--facet", "claim=honest", "--note", "the note")
    assert cli("annotate", traces()[0], "other", "--as", "ana", *details).status == 0
    with Store.open(settings.store_path(None)) as store:
        said = store.labels.events()[-1]
        with store.write():
            store.labels.insert(replace(said, id="surely", confidence="low", supersedes=(said.id,)))
    *_, plain, sure = cli("history", traces()[0]).out.splitlines()
    assert "also tool_misuse, claim honest: the note" in plain
    assert "also tool_misuse, claim honest, low confidence: the note" in sure


def test_a_trace_is_called_in_the_list_as_in_the_app(reviewer: Cli, tmp_path: Path) -> None:
    for n, (id, task) in enumerate((("1", "Book a flight"), ("default", "Run it"), ("greet", "Say hi"))):
        run = {"id": id, "task": task, "trajectory": [{"action": "do", "observation": f"{n}"}]}
        (tmp_path / f"{n}.json").write_text(json.dumps(run))
        assert reviewer("import", tmp_path / f"{n}.json", "--set", "benchmark=b").status == 0
    told = reviewer("traces").out
    for name in ("  1 · Book a flight  ", "  default · Run it  ", "  greet  "):
        assert name in told


def traces() -> list[str]:
    with Store.open(settings.store_path(None)) as store:
        return [info.trace_id for info in store.traces.all()]


def people() -> dict[str, str]:
    with Store.open(settings.store_path(None)) as store:
        return {one.name: one.id for one in store.labels.annotators().values()}


def filled(command: tuple[str, ...]) -> list[str]:
    places = {"TRACE": traces()[0], "FILE": str(settings.config_dir().parent / "new.toml")}
    return [places.get(word, word) for word in command]


@pytest.mark.parametrize("command", LOOKS, ids=" ".join)
def test_looking_under_a_name_that_is_a_slip_makes_nobody(cli: Cli, command: tuple[str, ...]) -> None:
    ran = cli(*filled(command), "--as", "anna")
    assert (ran.status, ran.out) == (1, "")
    (line,) = ran.err.splitlines()
    assert "--as 'anna': nobody of that name works on this machine; known are " in line and "ana" in line
    assert "anna" not in {*settings.identities().values(), *people()}
    assert cli(*filled(command), "--as", "ana").status == 0


def test_the_login_name_may_look_before_anything_was_labelled(cli: Cli) -> None:
    assert cli("traces", "--as", settings.login_name()).status == 0


def test_whom_traces_are_assigned_to_by_name_may_look_first(cli: Cli) -> None:
    assert cli("assign", "--annotators", "cleo", "--round", "2").status == 0
    assert cli("assign", "--list", "--as", "Cleo").status == 0
    assert cli("traces", "--as", "kleo").status == 1


def test_somebody_of_another_machine_is_no_one_here_and_that_is_said(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = people()["ana"]
    monkeypatch.setenv("REVIEWER_CONFIG_DIR", str(settings.config_dir().parent / "desktop"))
    ran = cli("traces", "--as", "ana")
    assert ran.status == 1 and f"this store has ana of another machine ({ana[:11]})" in ran.err
    assert list(people()) == ["ana"] and not settings.identities()


def test_a_config_folder_that_cannot_be_read_is_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REVIEWER_CONFIG_DIR", f"/{'x' * 5000}")
    for name in ("ana", "", "\x1b[2J"):
        ran = cli("traces", "--as", name)
        assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1)
        assert "\x1b" not in ran.err


@pytest.mark.parametrize("command", ROUNDS, ids=" ".join)
def test_a_round_that_is_not_there_is_refused_alike_everywhere(cli: Cli, command: tuple[str, ...]) -> None:
    assert cli("annotate", traces()[1], "other", "--as", "ana", "--round", "2").status == 0
    for round in ("99", "3"):  # the next one is begun by a label or a draw, and by nothing else
        ran = cli(*filled(command), "--round", round)
        assert (ran.status, ran.out) == (1, "")
        assert ran.err.splitlines() == [f"reviewer: --round {round}: there is no such round; there is 1, 2"]


def test_show_counts_the_calls_that_it_shows(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "agentbench").status == 0
    (trace,) = [one for one in json.loads(reviewer("traces", "--json").out) if "clinic" in str(one["file"])][
        :1
    ]
    told = reviewer("show", trace["id"]).out
    assert trace["tool_calls"] == 0 and "4 calls (all read from the text), " in told
    assert told.count("\n→ ") == 4
