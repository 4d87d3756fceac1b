"""Two columns of labels: sets, lenient, steps, facets, by task; the same for oneself and for a suggester."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from reviewer import taxonomy
from reviewer.label import AGAIN, Annotator, Suggestion
from reviewer.stats.bands import band, in_words
from reviewer.stats.estimate import Estimate, undefined
from reviewer.stats.sample_size import size_to_decide
from reviewer.store import Store
from reviewer.study.agreement import agreement, unnamed
from reviewer.study.agreement_gate import judge
from reviewer.study.agreement_rounds import rounds
from reviewer.study.columns import Compared, Frame, Said, compare, step_agreement
from tests.history import NUMBERS, PEOPLE, SIX, event, now, put, say, session, suggest

PEOPLE["cleo"] = Annotator("a1-cleo", "cleo")
MODES = ("other", "tool_misuse", "no_failure")

BOOK = taxonomy.parse(
    """
id = "book"
version = "1"
[[mode]]
id = "x"
submodes = ["one", "two"]
[[mode]]
id = "y"
[[mode]]
id = "z"
[[facet]]
id = "claim"
question = "Is it true?"
choices = ["true", "false"]
""",
    "book",
)
FRAME = Frame(BOOK, {}, {f"t{n}": 10 for n in range(20)})


def columns(a: list[Said], b: list[Said], frame: Frame = FRAME) -> Compared:
    return compare([(f"t{n}", x, y) for n, (x, y) in enumerate(zip(a, b, strict=True))], frame)


def test_a_secondary_mode_matches_where_leniency_is_asked_for() -> None:
    a = [Said("x"), Said("x", secondary=("y",)), Said("x", secondary=("y",)), Said("x"), Said("z")]
    b = [Said("x"), Said("y"), Said("z", secondary=("y",)), Said("y", secondary=("x",)), Said("y")]
    found = columns(a, b)
    assert found.found.percent.value == pytest.approx(1 / 5)
    # the second and the fourth match a secondary mode; the third share one, but neither's primary
    assert found.lenient.value == pytest.approx(3 / 5)


def test_sets_of_modes_go_into_masi() -> None:
    a = [Said("x"), Said("x", secondary=("y",)), Said("y")]
    b = [Said("x"), Said("x"), Said("y")]
    found = columns(a, b).masi
    # distances: 0, 1 - 1/2 * 2/3 = 2/3, 0; over all 6 ratings {x} 3, {xy} 1, {y} 2: 3 * 2/3 + 6 * 1 + 2 * 2/3
    assert found.value == pytest.approx(1 - 5 * (2 * 2 / 3) / (2 * (2 + 6 + 4 / 3)))
    assert (
        columns([Said("x", secondary=("y",))] * 3, [Said("y", secondary=("x",))] * 3).found.percent.value == 0
    )
    same = columns([Said("x", secondary=("y",)), Said("z")], [Said("y", secondary=("x",)), Said("z")])
    assert same.masi.value == 1  # the order of the modes is nothing to a set


def test_steps_stand_beside_their_chance() -> None:
    a = [Said("x", step=3), Said("x", step=3), Said("x", step=3), Said("x"), Said("x", step=1)]
    b = [Said("x", step=3), Said("x", step=4), Said("y", step=9), Said("x", step=1), Said("x", step=1)]
    frame = Frame(BOOK, {}, {"t0": 10, "t1": 10, "t2": 5, "t3": 10})  # of the last trace nothing is known
    found = step_agreement([(f"t{n}", x, y) for n, (x, y) in enumerate(zip(a, b, strict=True))], frame)
    assert (found.n, found.exact.value, found.near.value) == (3, pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert found.exact_chance == pytest.approx((0.1 + 0.1 + 0.2) / 3)
    assert found.near_chance == pytest.approx((0.28 + 0.28 + 13 / 25) / 3)
    nothing = step_agreement([("t0", Said("x"), Said("x", step=1))], frame)
    assert (nothing.n, nothing.exact.undefined, nothing.near_chance) == (0, "no_data", None)


@pytest.mark.parametrize("steps", [1, 2, 3, 7])
def test_the_chance_of_a_step_is_that_of_all_pairs(steps: int) -> None:
    pairs = [(i, j) for i in range(steps) for j in range(steps)]
    found = step_agreement([("t", Said("x", step=1), Said("x", step=1))], Frame(BOOK, {}, {"t": steps}))
    assert found.exact_chance == pytest.approx(sum(i == j for i, j in pairs) / len(pairs))
    assert found.near_chance == pytest.approx(sum(abs(i - j) <= 1 for i, j in pairs) / len(pairs))


def test_each_facet_and_the_submode_have_a_kappa_where_both_said_one() -> None:
    def said(claim: str, submode: str) -> Said:
        return Said("x", submode, facets={"claim": claim} if claim else {})

    a = [
        said(*one) for one in (("true", "one"), ("true", "two"), ("false", "one"), ("false", ""), ("", "two"))
    ]
    b = [
        said(*one)
        for one in (("true", "one"), ("false", "two"), ("false", "two"), ("false", "one"), ("true", ""))
    ]
    found = columns(a, b)
    claim = found.facets["claim"]
    assert (claim.n, claim.q, claim.kappa.value) == (4, 2, pytest.approx((4 * 3 - 8) / (16 - 8)))
    assert (found.submode.n, found.submode.kappa.value) == (3, pytest.approx((3 * 2 - 4) / (9 - 4)))


def test_the_task_is_the_unit_of_every_interval() -> None:
    modes = ["x", "y", "z", "x", "y", "z", "x", "y"]
    other = ["x", "y", "x", "x", "z", "z", "y", "y"]
    rows = [
        (f"t{n} {copy}", Said(a, step=1), Said(b, step=1 + (a != b)))
        for n, (a, b) in enumerate(zip(modes, other, strict=True))
        for copy in range(5)
    ]
    steps = {trace: 9 for trace, _, _ in rows}
    alone = compare(rows, Frame(BOOK, {}, steps, (300, 1)))
    together = compare(rows, Frame(BOOK, {trace: trace[:2] for trace, _, _ in rows}, steps, (300, 1)))
    for pick in (
        lambda found: found.found.kappa,
        lambda found: found.found.ac1,
        lambda found: found.found.percent,
        lambda found: found.lenient,
        lambda found: found.masi,
        lambda found: found.steps.exact,
        lambda found: found.drawn,
    ):
        narrow, wide = pick(alone), pick(together)
        assert wide.value == narrow.value
        assert wide.high - wide.low > 1.5 * (narrow.high - narrow.low), wide


def test_oneself_and_a_suggester_go_the_same_way(store: Store) -> None:
    traces = [put(store, session(["a", "b"], f"item {n}")) for n in range(6)]
    for n, trace in enumerate(traces):
        say(store, trace, mode="other" if n < 3 else "no_failure", who="ana", step_n=1)
        say(store, trace, mode="other" if n < 4 else "no_failure", who="ben", step_n=2)
        if n < 4:
            say(store, trace, mode="other" if n != 2 else "no_failure", who="ana", round=AGAIN + 1, step_n=1)
        suggest(store, trace, "other" if n % 2 else "no_failure")
    found = agreement(store, SIX, 1)
    (pair,), (own,), (machine,) = found.pairs, found.own, found.suggesters
    assert (own.a, own.b) == (pair.a, pair.a)
    assert (pair.found.n, own.found.n, machine.found.n) == (6, 4, 12)
    assert (own.found.percent.value, own.compared.steps.exact.value) == (0.5, 1)
    assert [(one.a.name, one.b.name, one.found.n) for one in machine.people] == [
        ("ana", "rules", 6),
        ("ben", "rules", 6),
    ]
    assert all(type(one.compared) is Compared for one in (pair, own, machine, *machine.people))
    hidden = unnamed(found)
    assert "ana" not in repr((hidden.pairs[0].a, hidden.own[0].a, hidden.own[0].b, hidden.annotators))
    assert hidden.suggesters[0].people == ()
    assert agreement(store, SIX, 2).own == ()


def test_words_of_an_interval() -> None:
    def words(value: float, low: float, high: float, n: int = 20) -> str:
        return in_words(Estimate(value, low, high, n, "score", ""))

    assert words(0.65, 0.37, 0.87) == "n = 20: 0.37 to 0.87, cannot tell poor from excellent"
    assert words(0.5, 0.41, 0.58, 300) == "n = 300: 0.41 to 0.58, fair from end to end (Cicchetti 1994)"
    assert "no variation" not in in_words(undefined("no_variation", 7))
    assert in_words(undefined("no_variation", 7)).startswith("n = 7: undefined. Every rating")
    assert [band(value) for value in (-0.2, 0.39, 0.4, 0.6, 0.74, 0.75, 1)] == [
        *("poor", "poor", "fair", "good", "good", "excellent", "excellent")
    ]


def test_how_many_would_decide() -> None:
    found = Estimate(0.7, 0.5, 0.9, 50, "score", "")
    assert size_to_decide(found, 0.6) == pytest.approx(200, abs=1)
    assert size_to_decide(found, 0.8) == pytest.approx(200, abs=1)
    assert size_to_decide(Estimate(1.0, 0.6, 1.0, 10, "score", ""), 0.8) == pytest.approx(
        40, abs=1
    )  # the side, at a bound
    assert size_to_decide(found, 0.7) is None
    assert size_to_decide(undefined("no_data"), 0.7) is None


def test_a_trace_in_two_rounds_forbids_the_test(store: Store) -> None:
    traces = [put(store, session(["a"], f"item {n}")) for n in range(8)]
    for round in (1, 2):
        for n, trace in enumerate(traces):
            for who in ("ana", "ben"):
                mode = "other" if (n + (who == "ben") * (n == 3)) % 2 else "no_failure"
                say(store, trace, mode=mode, who=who, round=round)
    found = rounds(store, SIX)
    assert [(line.round, line.kappa.n) for line in found.lines] == [(1, 8), (2, 8)]
    assert (found.test, "two rounds" in found.why_not) == (None, True)


def test_rounds_under_two_versions_are_told_apart(store: Store) -> None:
    old = taxonomy.parse(SIX.toml.replace('version = "', 'version = "0.', 1), "old")
    assert old.id == SIX.id and old.hash != SIX.hash
    store.settings.keep_taxonomy(old, now=now())
    for round, book in ((1, old), (2, SIX)):
        for n in range(6):
            trace = put(store, session(["a"], f"item {round} {n}"))
            for who in ("ana", "ben"):
                more = {"taxonomy_hash": book.hash, "round": round}
                say(store, trace, mode=("other", "no_failure")[n % 2], who=who, **more)
    found = rounds(store, SIX)
    assert [(line.round, line.hash) for line in found.lines] == [(1, old.hash), (2, SIX.hash)]
    assert [line.kappa.value for line in found.lines] == [1, 1]
    assert "--across-codebooks" in found.why_not
    pooled = rounds(store, SIX, across=True)
    assert [line.kappa.n for line in pooled.lines] == [6, 6]
    assert pooled.test is not None


def test_a_gate_on_nobody_is_not_reached(store: Store) -> None:
    (verdict,) = judge(agreement(store, SIX, 1), [], ("kappa", -1.0))
    assert verdict.result == "undefined"
    (verdict,) = judge(agreement(store, SIX, 1), [], ("alpha", -1.0))
    assert verdict.result == "undefined"


def suggestion(trace: str, mode: str) -> Suggestion:
    return Suggestion(f"s{next(NUMBERS)}", "r", trace, "c", SIX.hash, "rules", "ok", now(), mode=mode)


def test_a_seed_draws_the_same_in_whatever_order_stores_were_merged(tmp_path: Path) -> None:
    random = Random(4)
    traces = [session(["a", "b"], f"item {n}", task_id=f"task {n % 7}", benchmark="b") for n in range(30)]
    proposed = [suggestion(trace.info.trace_id, random.choice(MODES)) for trace in traces]
    labels = [
        event(trace.info.trace_id, mode=random.choice(MODES), who=who, condition="blind")
        for trace in traces
        for who in ("ana", "ben", "cleo")
        if random.random() < 0.8
    ]
    found = []
    for n in range(3):
        with Store.open(tmp_path / f"{n}.db", create=True) as store:
            store.settings.keep_taxonomy(SIX)
            for who in random.sample(["ana", "ben", "cleo"], 3):
                store.labels.meet(PEOPLE[who], now=now())
            for trace in random.sample(traces, len(traces)):
                put(store, trace)
            for one in random.sample(proposed, len(proposed)):
                store.suggestions.save(one)
            with store.write():
                for label in random.sample(labels, len(labels)):
                    store.labels.insert(label)
            found.append(agreement(store, SIX, 1, bootstrap=(100, 1)))
    assert found[0] == found[1] == found[2]
    assert found[0].together.fleiss is not None
    assert len(found[0].pairs) == 3
