"""Who labels in a round is shown no case that waits for their own label, unless they ask for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reviewer import settings
from reviewer.errors import LabelRefused, NotFound
from reviewer.label import Annotator, Decision
from reviewer.session import AdjudicationSession
from reviewer.store import Store
from reviewer.study.unlabelled import waiting
from tests.conftest import SAMPLES, Ran
from tests.desks import desk, settling, sitting
from tests.history import PEOPLE, SIX, put, say, session, show

Cli = Callable[..., Ran]


@pytest.fixture
def ids(store: Store) -> list[str]:
    """Three traces: ana and cleo differ on the first two and agree on the third; ben labelled the first."""
    PEOPLE.setdefault("cleo", Annotator("a1-cleo", "cleo"))
    found = [put(store, session([name], name)) for name in "abc"]
    for trace, mode in zip(found, ("tool_misuse", "silent_success", "other"), strict=True):
        say(store, trace, mode=mode, condition="blind")
        say(store, trace, mode="other", who="cleo", condition="blind")
    say(store, found[0], mode="no_failure", who="ben", condition="blind")
    return found


def opened(at: AdjudicationSession) -> list[str]:
    return [case.info.trace_id for case in at.cases]


def peers(store: Store) -> set[str]:
    return {one.trace_id for one in store.history.exposures() if one.kind == "peers"}


def test_who_labels_in_the_round_is_opened_only_what_they_labelled(store: Store, ids: list[str]) -> None:
    ben = AdjudicationSession(desk(store, "ben"))
    assert opened(ben) == ids[:1]
    assert ben.first().ruled == 0  # that others agree on the third is not told either
    ben.look_into(ids[:1])
    assert peers(store) == {ids[0]}
    assert sitting(store, "ben").label(1, Decision("other")).condition == "blind"
    assert set(opened(AdjudicationSession(desk(store, "ben")))) == set(ids[:2])


def test_a_third_person_is_opened_everything(store: Store, ids: list[str]) -> None:
    lea = settling(store)
    assert set(opened(lea)) == set(ids[:2]) and lea.first().ruled == 1
    assert lea.agreement().shared == 3


def test_the_figures_are_those_of_what_may_be_told(store: Store, ids: list[str]) -> None:
    say(store, ids[1], "adjudicate", "other", who="cleo", reason="r")
    ben, whole = (AdjudicationSession(desk(store, "ben"), unlabelled=asked) for asked in (False, True))
    assert {pair.found.n for pair in ben.agreement().pairs} == {1}
    assert {pair.found.n for pair in whole.agreement().pairs} == {1, 3}
    assert (ben.changed(), whole.changed()) == ((0, 0), (1, 2))


def test_who_asks_is_opened_all_of_it_and_labels_it_blind_no_more(store: Store, ids: list[str]) -> None:
    ben = AdjudicationSession(desk(store, "ben"), unlabelled=True)
    assert set(opened(ben)) == set(ids[:2])
    ben.open(opened(ben).index(ids[1]))
    ben.adjudicate(ids[1], Decision("other", reason="r"))
    assert sitting(store, "ben").label(1, Decision("other")).condition == "peers"


def test_what_somebody_was_told_of_already_is_spoilt_and_opened(store: Store, ids: list[str]) -> None:
    show(store, ids[1], "peers", "ben", "e1")
    assert set(opened(AdjudicationSession(desk(store, "ben")))) == set(ids[:2])
    assert waiting(store, SIX, PEOPLE["ben"], 1) == {ids[2]}


def test_in_another_round_they_are_a_third_person(store: Store, ids: list[str]) -> None:
    assert waiting(store, SIX, PEOPLE["ben"], 2) == frozenset()


def test_where_nothing_is_left_to_open_it_says_so(store: Store, ids: list[str]) -> None:
    say(
        store,
        ids[0],
        "retract",
        who="ben",
        supersedes=tuple(e.id for e in store.labels.heads() if e.annotator == PEOPLE["ben"].id),
    )
    say(store, ids[2], mode="other", who="ben", condition="blind")
    with pytest.raises(NotFound, match="left out: what waits for a label of yours"):
        AdjudicationSession(desk(store, "ben")).first()


def test_a_case_that_waits_is_not_settled_by_command_and_the_refusal_tells_nothing(
    store: Store, ids: list[str]
) -> None:
    ben = AdjudicationSession(desk(store, "ben"))
    refusals = []
    for trace in ids[1:]:  # one on which people differ, one on which they agree
        with pytest.raises(LabelRefused) as said:
            ben.adjudicate(trace, Decision("planning_drift", reason="r"))
        with pytest.raises(LabelRefused) as again:
            ben.reaffirm(trace)
        refusals += [str(said.value), str(again.value)]
    assert len(set(refusals)) == 1 and peers(store) == set()


def test_on_the_command_line(reviewer: Cli) -> None:
    assert reviewer("import", SAMPLES / "mini_swe_agent").status == 0
    with Store.open(settings.store_path(None)) as store:
        first, second = [info.trace_id for info in store.traces.all()][:2]
    for trace, name, mode in (
        *((first, "ana", "other"), (first, "ben", "tool_misuse")),
        *((second, "ana", "other"), (second, "cleo", "tool_misuse")),
    ):
        assert reviewer("annotate", trace, mode, "--as", name).status == 0
    given = ("adjudicate", second, "other", "--reason", "r")
    refused = reviewer(*given, "--as", "ben")
    assert (refused.status, refused.out, len(refused.err.splitlines())) == (1, "", 1)
    assert "label it first, or with --unlabelled" in refused.err
    assert "(blind)" in reviewer("annotate", second, "no_failure", "--as", "ben", "--round", "1").out
    assert reviewer("annotate", second, "--clear", "--as", "ben").status == 0
    assert reviewer(*given, "--as", "ben", "--unlabelled").status == 0
    assert "(peers)" in reviewer("annotate", second, "other", "--as", "ben").out
    assert reviewer(*given, "--as", "lea").status == 0  # a third person
