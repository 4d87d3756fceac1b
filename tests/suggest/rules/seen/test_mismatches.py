"""A call is held against the expected one by single values, and against what the user had said of either."""

from __future__ import annotations

from reviewer.suggest.rules.seen.mismatches import (
    Gap,
    Proof,
    differ,
    of_another,
    proof,
    settled,
)
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.seen.wanted import Want
from reviewer.trace import Json, Step
from tests.suggest.rules.expected import failed
from tests.traces import call, trace, user

LINE = call("get_line", {"id": "L1001"}, '{"line_id": "L1001", "phone_number": "555-010-2001"}')
ON = call("enable_roaming", {"line_id": "L1001"}, "Roaming is on")
MINE = failed(("enable_roaming", {"line_id": "L1002"}))


def opened(name: str, wanted: dict[str, Json], *steps: Step) -> tuple[Scene, Want]:
    scene = Scene.of(trace(*steps), [failed((name, wanted))])
    assert scene.wanted is not None
    return scene, scene.wanted.open[0]


def test_of_two_lists_only_what_the_other_has_not_is_told() -> None:
    sent = call("send_back", {"item_ids": ["k1", "k2"], "to": "shop"}, "ok")
    assert (
        differ(*opened("send_back", {"item_ids": ["k1", "k2", "k3"]}, sent)) == "1 of the 3 item_ids missing"
    )
    assert differ(*opened("send_back", {"item_ids": ["k1"]}, sent)) == "1 of the 2 item_ids not expected"
    other = opened("send_back", {"item_ids": ["k1", "k4"], "to": "home"}, sent)
    assert differ(*other) == "item_ids k4 expected, k2 given; to home expected, shop given"


def test_a_value_that_the_user_had_named_or_agreed_to_is_settled() -> None:
    sent = call("send_back", {"street": "12 Ash Road"}, "ok")
    asked = user("Send it to 9 Elm Street, please.")
    scene, want = opened("send_back", {"street": "9 Elm Street"}, asked, sent)
    found = proof(scene, want)
    assert settled(scene, want) is None and found is not None
    assert found.says == "street 9 Elm Street was asked for, 12 Ash Road was given"
    assert [quote for _, quote, _ in found.quotes] == [asked.message, '"street":"12 Ash Road"']
    scene, want = opened("send_back", {"street": "9 Elm Street"}, asked, user("Or 12 Ash Road."), sent)
    named = settled(scene, want)
    assert proof(scene, want) is None and named is not None and named.n == 2


def another(said: str) -> Proof | None:
    scene = Scene.of(trace(user(said), LINE, ON), [MINE])
    assert scene.wanted is not None
    return of_another(scene, Gap("line_id", None, "L1001"), scene.wanted.made[0])


def test_a_thing_of_another_number_than_the_one_that_the_user_gave_is_somebody_elses() -> None:
    found = another("My number is 555-010-2002.")
    assert found is not None and found.another == "phone number ends in 2001; the user's ends in 2002"
    assert found.says == "the user's phone number is 555-010-2002 (step 1); L1001 has 555-010-2001"
    assert another("My number is 555-010-2001.") is None
    assert another("My number is 555-010-2002, my son's 555-010-2003.") is None, "whose it is does not follow"
