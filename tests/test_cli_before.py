"""What people said before a suggestion is settled beside what they say after it: agreement counts it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer import settings, taxonomy
from reviewer.label import Decision
from reviewer.session import AdjudicationSession
from reviewer.store import Store
from reviewer.study.disagreements import cases, changed_share
from tests.conftest import SAMPLES, Ran
from tests.desks import settling
from tests.history import SIX, link, put, say, session, show

Cli = Callable[..., Ran]


@pytest.fixture
def trace(store: Store) -> str:
    """Ana said tool_misuse blind and other after the reveal; ben said other blind."""
    id = put(store, session(["t"], first="t"))
    say(store, id, mode="tool_misuse", note="the flag")
    show(store, id)
    say(store, id, mode="other")
    say(store, id, mode="other", who="ben")
    return id


def test_the_screen_has_both_labels_under_the_pair_that_people_differ_on(store: Store, trace: str) -> None:
    (case,) = cases(store, SIX, 1)
    assert case.pair == ("tool_misuse", "other")
    assert [event.mode for event in case.labels] == ["other", "other"]
    assert [(event.mode, event.condition) for event in case.before] == [("tool_misuse", "blind")]
    desk = settling(store)
    view = desk.first()
    assert view.case is not None and view.case.before == case.before
    me = desk.desk.annotator.id
    assert ("peers", case.before[0].id) in store.labels.exposures(me, trace)
    from reviewer.tui.case_panel import _labels

    said = [part.text for part in _labels(case, {"a1-ana": "I", "a1-ben": "II"}, notes=True)]
    before = said.index("I: tool_misuse (blind: what agreement counts)")
    later = said.index("I later: other, (had seen the suggestion)")
    assert before < later and "II: other" in said
    assert "   the flag" in said


@pytest.mark.parametrize("opened", [True, False])
def test_a_blind_label_is_somebodys_mode(store: Store, trace: str, opened: bool) -> None:
    desk: AdjudicationSession = settling(store)
    if opened:
        desk.first()
    desk.adjudicate(trace, Decision("tool_misuse", reason="the flag is wrong"))  # no note is asked for
    assert changed_share(store, SIX, 1) == (1, 2)
    (case,) = cases(store, SIX, 1)
    assert case.settled  # and still a case of the round


def test_changed_share_is_over_blind_labels_one_a_person(store: Store, trace: str) -> None:
    settling(store).adjudicate(trace, Decision("other", reason="r"))
    assert changed_share(store, SIX, 1) == (1, 2)
    say(store, trace, mode="tool_misuse", who="ben")  # convinced afterwards: what stood then is counted
    assert changed_share(store, SIX, 1) == (1, 2)
    assisted = put(store, session(["u"], first="u"))
    show(store, assisted)
    say(store, assisted, mode="other")
    say(store, assisted, mode="tool_misuse", who="ben")
    settling(store).adjudicate(assisted, Decision("tool_misuse", reason="r"))
    assert changed_share(store, SIX, 1) == (1, 3)


def test_linked_ids_are_one_person_in_the_share(store: Store, trace: str) -> None:
    link(store, "ana", "ben")
    settling(store).adjudicate(trace, Decision("no_failure", reason="r", note="both missed it"))
    assert changed_share(store, SIX, 1) == (0, 0)  # two labels of one person: a conflict, so none counts
    say(store, trace, mode="other")  # settled: the one blind label of the two that agreement counts now
    assert changed_share(store, SIX, 1) == (1, 1)


def test_list_and_ledger_name_what_was_given_before(store: Store, reviewer: Cli, trace: str) -> None:
    (case,) = json.loads(reviewer("adjudicate", "--list", "--json").out)["cases"]
    assert (case["pair"], case["labels"], case["before"]) == (
        ["tool_misuse", "other"],
        ["other", "other"],
        ["tool_misuse"],
    )
    ran = reviewer("adjudicate", trace, "tool_misuse", "--reason", "r", "--as", "lea")
    assert (ran.status, "nobody's labels differ" in ran.err) == (0, False)
    (entry,) = json.loads(reviewer("adjudicate", "--ledger", "--json").out)
    assert entry["said"] == ["other", "tool_misuse"]
    assert "[[rather]]" in reviewer("adjudicate", "--ledger", "--toml").out


def test_a_script_gives_secondary_modes_too(store: Store, reviewer: Cli, trace: str) -> None:
    given = ("adjudicate", trace, "other", "--reason", "r", "--as", "lea", "--secondary")
    ran = reviewer(*given, "tool_misuse", "--json")
    assert json.loads(ran.out)["secondary"] == ["tool_misuse"]
    (row,) = (json.loads(line) for line in reviewer("export", "jsonl").out.splitlines())
    assert (row["gold"]["secondary"], row["adjudications"][0]["stale"]) == (["tool_misuse"], False)
    assert reviewer(*given, "a", "--secondary", "b", "--secondary", "c").status == 2
    assert reviewer("adjudicate", trace, "--clear", "--secondary", "other").status == 2


def test_history_and_rows_say_what_is_stale_and_whose_own(store: Store, reviewer: Cli, trace: str) -> None:
    given = ("--reason", "r", "--as", "lea")
    assert reviewer("adjudicate", trace, "other", *given).status == 0
    say(store, trace, mode="tool_misuse", who="ben")
    told = json.loads(reviewer("history", trace, "--json").out)
    assert [(one["stale"], one["own"]) for one in told if one["kind"] == "adjudicate"] == [(True, False)]
    assert "STALE" in reviewer("history", trace).out
    (row,) = (json.loads(line) for line in reviewer("export", "jsonl").out.splitlines())
    assert [(one["stale"], one["own"]) for one in row["adjudications"]] == [(True, False)]


# -- who settles sees the cases ----------------------------------------------------------------------------


@pytest.fixture
def drawn(reviewer: Cli) -> list[str]:
    """Two traces, assigned to ana and ben, who differ on the first."""
    assert reviewer("import", SAMPLES / "mini_swe_agent").status == 0
    assert reviewer("assign", "--annotators", "ana,ben", "--n", "2", "--overlap", "2").status == 0
    with Store.open(settings.store_path(None)) as store:
        ids = list(dict.fromkeys(one.trace_id for one in store.assignments.all(1)))
    assert reviewer("annotate", ids[0], "other", "--as", "ana").status == 0
    assert reviewer("annotate", ids[0], "tool_misuse", "--as", "ben").status == 0
    return ids


def test_a_lead_of_an_assigned_round_is_listed_the_cases_and_that_is_on_record(
    reviewer: Cli, drawn: list[str]
) -> None:
    settings.identity("lea")
    ran = reviewer("adjudicate", "--as", "lea", "--list")
    assert (ran.status, drawn[0][:11] in ran.out, "hidden" in ran.err) == (0, True, False)
    assert "tool_misuse or other?" in ran.out
    assert "(peers)" in reviewer("annotate", drawn[0], "other", "--as", "lea").out


def test_who_is_to_label_is_listed_nothing_and_told_what_to_type(reviewer: Cli, drawn: list[str]) -> None:
    assert reviewer("annotate", drawn[0], "--clear", "--as", "ben").status == 0
    assert reviewer("annotate", drawn[0], "no_failure", "--as", "cleo").status == 0
    ran = reviewer("adjudicate", "--as", "ben", "--list")
    assert drawn[0][:11] not in ran.out
    assert "without --as, `reviewer adjudicate --list` is the lead's view" in ran.err
    assert "(blind)" in reviewer("annotate", drawn[1], "other", "--as", "ben").out


# -- a codebook that is a draft -----------------------------------------------------------------------------


def test_check_tells_of_every_draft(reviewer: Cli, tmp_path: Path) -> None:
    text = 'id = "x"\nversion = "1"\n[[mode]]\nid = "a"\ndefinition = "(draft) a: it failed"\n'
    text += '[[mode]]\nid = "b"\ndefinition = "Draft: to do"\n[[mode]]\nid = "c"\nchecks = ["DRAFT?"]\n'
    text += '[[mode]]\nid = "d"\ndefinition = "The draft of an e-mail is sent."\n'
    file = tmp_path / "x.toml"
    file.write_text(text)
    ran = reviewer("taxonomy", "check", file)
    assert (ran.status, ran.err.strip()) == (0, "still a draft, edit what says DRAFT first: a, b, c")
    assert json.loads(reviewer("taxonomy", "check", file, "--json").out)["drafts"] == ["a", "b", "c"]
    for shipped in taxonomy.available():
        assert reviewer("taxonomy", "check", shipped).err == ""


@pytest.mark.parametrize(
    "command",
    [
        ("agreement", "--round", "88"),
        ("quality", "--round", "9"),
        ("report", "--round", "7"),
        ("suggesters", "--round", "7"),
        ("adjudicate", "--list", "--round", "7"),
        ("adjudicate", "--ledger", "--round", "7"),
        ("export", "jsonl", "--round", "99"),
    ],
    ids=lambda command: command[0],
)
def test_a_round_that_does_not_exist_is_refused(
    store: Store, reviewer: Cli, trace: str, command: tuple[str, ...]
) -> None:
    say(store, trace, mode="other", round=3)
    ran = reviewer(*command)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == f"reviewer: --round {command[-1]}: there is no such round; there is 1, 3\n"
    assert reviewer(*command[:-1], "3").status == 0
