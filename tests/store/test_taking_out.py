"""What takes an event out of what is current or counted: one's own later word in its place, or an undo."""

from typing import Any

import pytest

from reviewer.label import LabelEvent
from reviewer.store import Store
from tests.history import OTHER, SIX, event, say, show, take_back


def current(store: Store, who: str = "ana") -> list[str]:
    heads = store.labels.heads(SIX.id, 1)
    return [e.mode for e in heads if e.annotator == f"a1-{who}" and e.kind == "label"]


def blind(store: Store, who: str = "ana") -> list[str]:
    return [e.mode for e in store.labels.blind_heads(SIX.id, 1) if e.annotator == f"a1-{who}"]


def claims(store: Store, old: LabelEvent, **more: Any) -> LabelEvent:
    """An event from elsewhere that says it supersedes `old`."""
    fields: dict[str, Any] = {"kind": "label", "mode": "no_failure", "who": "ana", "condition": "blind"}
    fields |= {"trace": "t1-a", **more, "supersedes": (old.id,)}
    made = event(**fields)
    with store.write():
        store.labels.insert(made)
    assert made in store.labels.events()
    return made


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"who": "ben"},
        {"trace": "t1-b"},
        {"round": 2},
        {"taxonomy": OTHER.id, "taxonomy_hash": OTHER.hash},
        {"who": "ben", "kind": "retract", "mode": "", "condition": None},
        {"round": 2, "kind": "retract", "mode": "", "condition": None},
    ],
    ids=[
        "another person",
        "another trace",
        "another round",
        "another codebook",
        "retracts",
        "retracts later",
    ],
)
def test_an_event_of_another_place_takes_nothing_out(store: Store, elsewhere: dict[str, Any]) -> None:
    mine = say(store, "t1-a")
    claims(store, mine, **elsewhere)
    here = [e for e in store.labels.heads(SIX.id, 1, "t1-a") if e.annotator == "a1-ana"]
    assert here == [mine]
    assert mine in store.labels.blind_heads(SIX.id, 1)


def test_ones_own_event_of_the_same_place_takes_it_out(store: Store) -> None:
    mine = say(store, "t1-a")
    claims(store, mine)
    assert (current(store), blind(store)) == (["no_failure"], ["no_failure"])


def test_an_assisted_one_takes_it_out_of_what_is_current_and_not_of_what_counts(store: Store) -> None:
    mine = say(store, "t1-a")
    claims(store, mine, condition="suggestion")
    assert (current(store), blind(store)) == (["no_failure"], ["other"])


def test_a_second_label_of_ones_own_does_not_replace_what_another_said(store: Store) -> None:
    theirs = say(store, "t1-a", who="ben")
    mine = say(store, "t1-a", mode="no_failure")
    assert mine.supersedes == ()
    assert current(store, "ben") == [theirs.mode]


# -- undo --------------------------------------------------------------------------------------------


def test_undo_of_a_blind_label_takes_it_out_of_what_counts(store: Store) -> None:
    say(store, "t1-a")
    assert blind(store) == ["other"]
    take_back(store)
    assert (current(store), blind(store)) == ([], [])


def test_undo_of_a_blind_revision_puts_the_label_before_back_as_blind(store: Store) -> None:
    say(store, "t1-a")
    say(store, "t1-a", mode="no_failure")
    take_back(store)
    assert (current(store), blind(store)) == (["other"], ["other"])


def test_undo_of_a_blind_revision_after_a_reveal_takes_the_revision_out(store: Store) -> None:
    say(store, "t1-a")
    say(store, "t1-a", mode="no_failure")
    show(store, "t1-a")
    take_back(store)
    assert current(store) == ["other"]
    assert "no_failure" not in blind(store)


def test_undo_of_an_assisted_revision_puts_the_blind_one_back_and_it_still_counts(store: Store) -> None:
    say(store, "t1-a")
    show(store, "t1-a")
    say(store, "t1-a", mode="no_failure")
    assert (current(store), blind(store)) == (["no_failure"], ["other"])
    restored = take_back(store)
    assert restored is not None
    assert restored.restores
    assert (current(store), blind(store)) == (["other"], ["other"])


def test_a_second_undo_goes_one_further_and_takes_the_blind_one_out_too(store: Store) -> None:
    say(store, "t1-a")
    show(store, "t1-a")
    say(store, "t1-a", mode="no_failure")
    take_back(store)
    take_back(store)
    assert (current(store), blind(store)) == ([], [])
    assert take_back(store) is None


def test_a_second_undo_of_a_relabelled_blind_label_takes_the_relabel_out(store: Store) -> None:
    say(store, "t1-a", mode="tool_misuse")
    say(store, "t1-a", mode="other")
    show(store, "t1-a")
    say(store, "t1-a", mode="no_failure")
    take_back(store)
    assert (current(store), blind(store)) == (["other"], ["other"])
    take_back(store)
    assert current(store) == ["tool_misuse"]
    assert "other" not in blind(store)  # taken back: nobody says it any more
    take_back(store)
    assert (current(store), blind(store)) == ([], [])


def test_every_undo_is_an_event_and_names_what_it_puts_back(store: Store) -> None:
    first = say(store, "t1-a")
    second = say(store, "t1-a", mode="no_failure")
    restored, retracted = take_back(store), take_back(store)
    assert restored is not None
    assert retracted is not None
    assert (restored.kind, restored.restores) == ("label", first.id)
    assert second.id in restored.supersedes
    assert (retracted.kind, retracted.mode) == ("retract", "")
    assert len(store.labels.events()) == 4
