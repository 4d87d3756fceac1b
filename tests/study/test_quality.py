"""How a round was worked on: each number by hand on a small round, and in the words of the command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.label import Annotator
from reviewer.stats.spread import spread
from reviewer.store import Store
from reviewer.study.agreement import agreement
from reviewer.study.current import current
from reviewer.study.drift import FEW, drift
from reviewer.study.pace import FRAME, SCREENFUL, words_of
from reviewer.study.quality import Work, quality, unnamed
from reviewer.study.reveals import Flips, flips, reveals, shown_modes
from tests.conftest import Ran
from tests.desks import sitting
from tests.history import PEOPLE, SIX, event, link, put, say, session, show, suggest, take_back

PEOPLE["ana2"] = Annotator("a1-elsewhere-ana", "ana")


def work(store: Store, who: str = "ana") -> Work:
    person = store.labels.links.people().person(PEOPLE[who].id)
    (found,) = [one for one in quality(store, SIX, 1).people if one.annotator and one.annotator.id == person]
    return found


def told(store: Store, trace: str, before: str, proposed: str, after: str = "", who: str = "ana") -> None:
    """A blind label, its reveal, and what is said then."""
    one = suggest(store, trace, proposed)
    say(store, trace, mode=before, who=who)
    show(store, trace, ref=one.id, who=who)
    if after:
        say(store, trace, mode=after, who=who)


# -- before and after the reveal -------------------------------------------------------------------------


def counted(store: Store) -> Flips:
    return flips(reveals(current(store, SIX, 1), shown_modes(store, SIX.hash)))


def test_each_way_of_changing_is_counted_by_itself(store: Store) -> None:
    told(store, "t1-kept", "other", "other")
    told(store, "t1-stood", "other", "tool_misuse")
    told(store, "t1-toward", "other", "tool_misuse", "tool_misuse")
    told(store, "t1-away", "other", "other", "no_failure")
    told(store, "t1-between", "other", "tool_misuse", "no_failure")
    told(store, "t1-again", "other", "tool_misuse", "other")
    say(store, "t1-never", mode="other")
    found = counted(store)
    assert found == Flips(n=6, toward=1, away=1, between=1, withdrawn=0, peers=0)
    assert found.changed == 3


def test_an_abstention_that_names_a_step_counts_as_shown_and_names_no_mode(store: Store) -> None:
    put(store, session(["a", "b"], "t"))
    for name, after in (("t1-kept", ""), ("t1-changed", "no_failure")):
        one = suggest(store, name, "", status="abstained", reason="Start at step 2", step_n=2)
        say(store, name, mode="other")
        show(store, name, ref=one.id)
        if after:
            say(store, name, mode=after)
    bare = suggest(store, "t1-bare", "", status="abstained", reason="5 calls")
    say(store, "t1-bare", mode="other")
    show(store, "t1-bare", ref=bare.id)  # it leads nobody
    first = suggest(store, "t1-first", "", status="abstained", reason="Start at step 1", step_n=1)
    show(store, "t1-first", ref=first.id)
    say(store, "t1-first", mode="other")
    assert counted(store) == Flips(n=2, toward=0, away=0, between=1, withdrawn=0, peers=0)
    found = work(store)
    assert (found.revealed.changed.n, found.revealed.changed.value) == (2, 0.5)
    assert (found.revealed.agreed.n, found.revealed.agrees.n, found.accepted.n) == (0, 0, 0)


def test_before_and_after_are_both_kept(store: Store) -> None:
    told(store, "t1-a", "other", "tool_misuse", "tool_misuse")
    said = [(one.mode, one.condition) for one in store.labels.events()]
    assert said == [("other", "blind"), ("tool_misuse", "suggestion")]
    here = current(store, SIX, 1)
    assert [one.mode for one in here.blind] == ["other"]
    assert [one.mode for one in here.labels] == ["tool_misuse"]


def test_a_label_given_again_after_peers_is_apart_and_one_taken_back_is_no_reveal(store: Store) -> None:
    told(store, "t1-a", "other", "tool_misuse")
    show(store, "t1-a", "peers", ref="e1")
    say(store, "t1-a", mode="tool_misuse")
    told(store, "t1-b", "other", "tool_misuse")
    say(store, "t1-b", "retract")  # takes the blind label out too: there is nothing before
    assert counted(store) == Flips(n=0, toward=0, away=0, between=0, withdrawn=0, peers=1)


def test_linked_annotators_have_their_flips_together(store: Store) -> None:
    told(store, "t1-a", "other", "tool_misuse", "tool_misuse")
    told(store, "t1-b", "other", "other", "no_failure", who="ana2")
    assert len(quality(store, SIX, 1).people) == 2
    link(store, "ana", "ana2")
    (one,) = quality(store, SIX, 1).people
    assert (one.revealed.flips.toward, one.revealed.flips.away) == (1, 1)


# -- time and reading -------------------------------------------------------------------------------------


def read(store: Store, name: str, seconds: float | None, opened: int | None, steps: int = 4) -> str:
    trace = put(store, session([f"{name} {n} " + "word " * 400 for n in range(steps)], name))
    say(store, trace, seconds=seconds, steps_opened=opened)
    return trace


def test_time_and_steps_are_of_first_labels_that_have_them(store: Store) -> None:
    for n, seconds in enumerate((10.0, 20.0, 30.0, 40.0, 50.0, 60.0)):
        trace = read(store, f"a{n}", seconds, 2)
        say(
            store, trace, mode="no_failure", seconds=1000.0, steps_opened=4
        )  # thinking it over is not counted
    read(store, "script", None, None)
    found = work(store)
    assert (found.seconds.n, found.seconds.median, found.untimed) == (6, 35.0, 1)
    assert (found.seconds.low, found.seconds.high) == (10.0, 60.0)
    assert (found.seconds.first, found.seconds.third) == (22.5, 47.5)
    assert found.opened.median == 0.5


def test_a_label_that_was_undone_counts_in_no_number(store: Store) -> None:
    read(store, "a", 10.0, 1)
    slip = read(store, "b", 1.0, 0)
    take_back(store)
    assert work(store).seconds.n == 1
    say(store, slip, mode="no_failure", seconds=30.0, steps_opened=2)
    assert (work(store).seconds.n, work(store).seconds.median) == (2, 20.0)
    say(store, slip, mode="other", seconds=90.0, steps_opened=2)
    take_back(store)  # the change, not the first label
    assert (work(store).seconds.n, work(store).seconds.median) == (2, 20.0)
    show(store, slip)
    say(store, slip, mode="tool_misuse")
    say(store, slip, "retract")
    assert (work(store).seconds.n, work(store).untimed) == (1, 0)
    take_back(store)
    assert (work(store).seconds.n, work(store).seconds.median) == (2, 20.0)


@pytest.mark.parametrize(
    ("seconds", "opened", "fast", "faster"),
    [
        *((600, 4, 0, 0), (95, 4, 0, 0), (85, 4, 1, 0), (20, 4, 1, 1), (45, 1, 1, 0), (55, 1, 0, 0)),
        *((11, 0, 0, 0), (9, 0, 1, 0), (0.8, 0, 1, 1), (1, 1, 1, 1), (0, 0, 1, 1)),
    ],
)
def test_fast_is_measured_against_the_fewest_words_that_decide(
    store: Store, seconds: float, opened: int, fast: int, faster: int
) -> None:
    read(store, "a", float(seconds), opened)  # the page, and steps of a screenful: 50 and two times 200 words
    found = work(store)
    assert (found.fast.value, found.faster.value) == (fast, faster)
    assert (found.fast.n, found.fast.low) == (1, None)  # one task: no interval
    assert found.unopened.value == (not opened)


def test_who_stamps_is_told_from_who_reads(store: Store, reviewer: Callable[..., Ran]) -> None:
    """A person who opens nothing and one who goes through all steps: the one is fast, the other is not."""
    for n in range(6):
        read(store, f"a{n}", 0.8, 0, steps=30)
        trace = put(store, session([f"a{n} {m} " + "word " * 400 for m in range(30)], f"a{n}"))
        say(store, trace, who="ben", seconds=120.0, steps_opened=30)
    stamps, reads = work(store), work(store, "ben")
    assert (stamps.unopened.value, stamps.fast.value, stamps.faster.value) == (1, 1, 1)
    assert (reads.unopened.value, reads.fast.value, reads.faster.value) == (0, 0, 0)
    told = reviewer("quality").out
    assert "without opening a step" in told and "0.8" in told
    ana, ben = json.loads(reviewer("quality", "--json").out)["annotators"]
    assert [one["without_opening_a_step"]["value"] for one in (ana, ben)] == [1, 0]
    assert ana["faster_than_anybody"]["n"] == 6


def test_a_step_holds_a_screenful_at_most_and_never_less_than_nothing() -> None:
    assert words_of(0) == words_of(FRAME) == 0
    assert words_of(10**9) == SCREENFUL


def test_the_screen_s_own_time_arrives(store: Store) -> None:
    put(store, session(["a", "b"]))
    desk = sitting(store)
    from reviewer.label import Decision

    desk.open(0)
    desk.label(0, Decision("other"), seconds=12.5, steps_opened=1)
    found = work(store)
    assert (found.seconds.median, found.opened.median) == (12.5, 0.5)


@given(st.lists(st.floats(-1e9, 1e9), max_size=60))
def test_the_middle_lies_in_the_middle(values: list[float]) -> None:
    found = spread(values)
    assert found.n == len(values)
    if found.median is None:
        assert not values
        return
    assert found.first is not None
    assert found.third is not None
    assert found.first <= found.median <= found.third
    if found.low is None or found.high is None:
        assert len(values) < 6
    else:
        assert found.low <= found.median <= found.high


def test_the_interval_of_a_median_is_that_of_the_tables() -> None:
    """Ranks of the 95 % interval of a median: n = 10 is 2 and 9, n = 20 is 6 and 15, n = 50 is 18 and 33."""
    for n, low, high in ((6, 1, 6), (10, 2, 9), (20, 6, 15), (50, 18, 33)):
        found = spread([float(rank) for rank in range(1, n + 1)])
        assert (found.low, found.high) == (low, high)
    with pytest.raises(ValueError, match="finite"):
        spread([float("nan")])


# -- suggestions taken, notes, drift ----------------------------------------------------------------------


def test_suggestions_taken_where_they_were_seen_first(store: Store) -> None:
    for n in range(6):
        one = suggest(store, f"t1-{n}", "tool_misuse")
        show(store, f"t1-{n}", ref=one.id)
        say(store, f"t1-{n}", mode="tool_misuse" if n < 4 else "other", note="why" if n else "")
    told(store, "t1-blind", "other", "tool_misuse", "tool_misuse")
    say(store, "t1-0", "skip")
    say(store, "t1-0", "flag")
    found = work(store)
    assert found.accepted.n == 6
    assert found.accepted.value == pytest.approx(4 / 6)
    assert found.accepted.low is not None
    assert (found.revealed.agreed.value, found.revealed.agrees.value, found.revealed.changed.value) == (
        0,
        1,
        1,
    )
    assert found.labels == {"suggestion": 7}
    assert found.noted.n == 7
    assert found.noted.value == pytest.approx(5 / 7)
    assert (found.skipped, found.flagged) == (1, 1)


def test_what_is_in_conflict_is_in_no_number(store: Store) -> None:
    one, other = (suggest(store, trace, "other") for trace in ("t1-settled", "t1-torn"))
    show(store, "t1-settled", ref=one.id)
    say(store, "t1-settled", mode="other")
    show(store, "t1-torn", ref=other.id)
    say(store, "t1-torn", mode="other", who="ben")
    for mode in ("other", "tool_misuse"):
        made = event("t1-torn", mode=mode, condition="suggestion", shown=(other.id,))
        with store.write():
            store.labels.insert(made)
    found = work(store)
    assert found.labels == {"suggestion": 1}
    assert (found.accepted.n, found.accepted.value) == (1, 1)
    assert found.noted.n == found.untimed == 1
    together = agreement(store, SIX, 1)
    assert (together.conflicts, together.shared) == (1, 0)
    assert [(one.name, one.n_assisted) for one in together.suggesters] == [("rules", 1)]
    assert [person.name for person in together.annotators] == ["ana", "ben"]  # she is there all the same


def halves(first: list[str], second: list[str]) -> Any:
    labels = [event(f"t1-{n}", mode=mode) for n, mode in enumerate([*first, *second])]
    blind = {one.trace_id: one.mode for one in labels}
    everywhere = {one.trace_id: frozenset({"other"}) for one in labels}
    return drift(labels, blind, everywhere, {one.trace_id: ["other", "no_failure"] for one in labels})


def test_a_drift_is_told_with_its_interval() -> None:
    found = halves(["other"] * 20, ["no_failure"] * 15 + ["other"] * 5)
    assert found.moved == pytest.approx(0.75)
    assert found.p is not None
    assert found.p < 0.01
    assert found.shift is not None
    assert abs(found.shift.difference) == pytest.approx(0.75)
    assert (found.suggester.first, found.suggester.second) == ((20, 20), (5, 20))
    assert found.suggester.difference == pytest.approx(-0.75)
    low, high = found.suggester.bounds
    assert low < -0.75 < high < 0
    assert (found.others.first, found.others.second) == ((20, 40), (20, 40))
    assert found.others.difference == 0


def test_no_drift_is_told_of_few_labels() -> None:
    found = halves(["other"] * (FEW - 1), ["no_failure"] * (FEW - 1))
    assert (found.moved, found.p, found.shift) == (None, None, None)
    assert "fewer than 10" in found.undefined
    assert found.suggester.bounds is None
    assert halves([], []).n == 0


def test_one_mode_only_is_no_drift() -> None:
    found = halves(["other"] * FEW, ["other"] * FEW)
    assert (found.moved, found.p) == (0, None)


# -- the command -----------------------------------------------------------------------------------------


def test_names_can_be_hidden(store: Store) -> None:
    say(store, "t1-a")
    say(store, "t1-a", who="ben")
    hidden = unnamed(quality(store, SIX, 1))
    names = [one.annotator.name for one in hidden.people if one.annotator]
    assert names == ["annotator 1", "annotator 2"]
    assert all(one.annotator and not one.annotator.id for one in hidden.people)


def test_the_command_says_what_is_undefined_and_blames_nobody(
    store: Store, reviewer: Callable[..., Ran], tmp_path: Path
) -> None:
    assert "nobody has labelled" in reviewer("quality").out
    told(store, read(store, "a", 60.0, 4), "other", "tool_misuse", "tool_misuse")
    PEOPLE["odd"] = Annotator("a1-odd", "\x1b[2Jodd")
    say(store, "t1-b", who="odd")
    ran = reviewer("quality")
    assert ran.status == 0, ran.err
    assert "\x1b" not in ran.out
    assert "1 changed: 1 towards it, 0 away from it" in ran.out
    assert "undefined: suggestions taken (no label was given with one in sight)" in ran.out
    assert "time, steps opened and reading (no label has a time)" in ran.out
    for word in ("careless", "lazy", "bad", "worst", "best", "suspicious"):
        assert word not in ran.out
    value = json.loads(reviewer("quality", "--json").out)
    assert value["everybody"]["revealed"]["toward"] == 1
    assert "1 changed: 1 towards it" in reviewer("report").out
    assert json.loads(reviewer("report", "--json").out)["revealed"]["changed"] == 1
    assert {one["annotator"]["name"] for one in value["annotators"]} == {"ana", "\x1b[2Jodd"}
    secret = reviewer("quality", "--json", "--unnamed").out
    assert "ana" not in secret
    assert "a1-" not in secret
    assert "ana" not in reviewer("quality", "--unnamed").out
    assert reviewer("quality", "--round", "9").status == 1  # there is none
