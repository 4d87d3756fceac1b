"""From labels to gold: what is unanimous, what only looks like it, and what an adjudication decides."""

from typing import Any

import pytest

from reviewer.label import Condition, Gold, LabelEvent
from reviewer.study.gold import gold
from tests.history import event


def label(who: str, mode: str = "other", condition: Condition = "blind", **more: Any) -> LabelEvent:
    return event("t1-a", "label", mode, who, condition=condition, **more)


def decided(who: str, mode: str = "other", **more: Any) -> LabelEvent:
    return event("t1-a", "adjudicate", mode, who, condition="peers", **more)


def of(*heads: LabelEvent, blind: tuple[LabelEvent, ...] | None = None) -> Gold:
    """The gold of these current events; blind labels are those among them unless named."""
    among = tuple(one for one in heads if one.kind == "label" and one.condition == "blind")
    return gold(heads, among if blind is None else blind)


def test_two_independent_blind_labels_that_agree_are_gold() -> None:
    heads = label("ana"), label("ben")
    found = of(*heads)
    assert found.status == "unanimous"
    assert found.decision is not None
    assert found.decision.mode == "other"
    assert found.events == tuple(one.id for one in heads)


def test_gold_keeps_only_the_details_that_all_gave_alike() -> None:
    same: dict[str, Any] = {"submode": "s", "step_source": "id7", "step_n": 7}
    one = label("ana", facets={"claim": "honest", "x": "1"}, secondary=("a",), **same)
    other = label("ben", facets={"claim": "honest", "x": "2"}, secondary=("b",), **same)
    found = of(one, other).decision
    assert found is not None
    assert (found.submode, found.facets, found.secondary) == ("s", {"claim": "honest"}, ())
    assert (found.step_source, found.step_n) == ("id7", 7)
    apart = of(one, label("ben", submode="t", step_source="id8", step_n=8)).decision
    assert apart is not None
    assert (apart.submode, apart.step_source, apart.step_n) == ("", "", None)


def test_the_one_step_that_was_marked_is_that_of_the_gold() -> None:
    found = of(label("ana"), label("ben", step_source="id7", step_n=7)).decision
    assert found is not None
    assert (found.step_source, found.step_n) == ("id7", 7)
    apart = of(label("ana", step_n=7), label("ben", step_n=8)).decision  # of a trace that is not here
    assert apart is not None
    assert apart.step_n is None


@pytest.mark.parametrize(
    "conditions", [("blind", "suggestion"), ("suggestion", "suggestion"), ("blind", "peers")]
)
def test_labels_that_agree_are_no_gold_when_one_had_seen_something(
    conditions: tuple[Condition, Condition],
) -> None:
    found = of(label("ana", condition=conditions[0]), label("ben", condition=conditions[1]))
    assert (found.status, found.decision) == ("assisted", None)


def test_labels_that_differ_are_disagreed_however_they_were_made() -> None:
    assert of(label("ana"), label("ben", "no_failure")).status == "disagreed"
    assert of(label("ana"), label("ben", "no_failure", "suggestion")).status == "disagreed"


def test_who_was_persuaded_later_did_not_agree_independently() -> None:
    first, persuaded = label("ben", "no_failure"), label("ben", "other", "suggestion")
    mine = label("ana")
    assert of(mine, persuaded, blind=(mine, first)).status == "disagreed"


def test_agreeing_blind_and_wavering_later_is_no_gold() -> None:
    mine, first, later = label("ana"), label("ben"), label("ben", "no_failure", "suggestion")
    assert of(mine, later, blind=(mine, first)).status == "disagreed"


def test_one_label_is_single_and_none_is_none() -> None:
    assert of(label("ana")).status == "single"
    assert of(event("t1-a", "note", note="hm")).status == "none"
    assert of().status == "none"


def test_two_labels_of_one_person_are_a_conflict_and_no_agreement() -> None:
    found = of(label("ana"), label("ana"))
    assert (found.status, found.decision) == ("conflict", None)
    assert of(label("ana"), label("ana"), label("ben")).status == "conflict"


@pytest.mark.parametrize(
    "labels",
    [
        (),
        (label("ana"),),
        (label("ana"), label("ben")),
        (label("ana"), label("ben", "no_failure")),
        (label("ana"), label("ana", "no_failure")),
    ],
    ids=["none", "single", "unanimous", "disagreed", "conflict"],
)
def test_an_adjudication_wins_over_every_state_of_the_labels(labels: tuple[LabelEvent, ...]) -> None:
    settled = decided("ben", "tool_misuse", reason="rule 3", confidence="low", guideline=True)
    found = of(*labels, settled)
    assert (found.status, found.events) == ("adjudicated", (settled.id,))
    assert found.decision is not None
    assert (found.decision.mode, found.decision.reason) == ("tool_misuse", "rule 3")
    assert (found.decision.confidence, found.decision.guideline) == ("low", True)


def test_two_adjudications_by_different_modes_are_a_conflict() -> None:
    found = of(label("ana"), label("ben"), decided("ana"), decided("ben", "no_failure"))
    assert (found.status, found.decision) == ("conflict", None)
    assert len(found.events) == 4


def test_two_adjudications_of_one_person_are_a_conflict_even_of_one_mode() -> None:
    assert of(decided("ana"), decided("ana")).status == "conflict"


def test_two_adjudicators_of_one_mode_are_gold_with_what_they_share() -> None:
    found = of(decided("ana", submode="s", reason="one"), decided("ben", submode="t", reason="two"))
    assert found.status == "adjudicated"
    assert found.decision is not None
    assert (found.decision.mode, found.decision.submode) == ("other", "")
