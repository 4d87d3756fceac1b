"""The cross table: which items count, which categories there are, in which order."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from reviewer.stats.cohen import kappa_value
from reviewer.stats.counts import count_items
from reviewer.stats.table import cross_table, from_counts


def test_pairwise_complete() -> None:
    table = cross_table(["a", "b", None, "a"], ["a", None, "b", "b"])
    assert (table.categories, table.cells, table.n) == (("a", "b"), ((1, 1), (0, 0)), 2)


def test_declared_categories_come_first_and_strangers_are_kept() -> None:
    table = cross_table(["z", "a"], ["a", "a"], categories=["a", "unused", "a"])
    assert table.categories == ("a", "unused", "z")
    assert table.cells == ((1, 0, 0), (0, 0, 0), (1, 0, 0))


@pytest.mark.parametrize("odd", ["", " ", "nan", "NaN", "a ", "A", "None", "\x00"])
def test_labels_are_opaque(odd: str) -> None:
    table = cross_table(["a", odd, odd], ["a", odd, "a"])
    assert table.categories == ("a", odd)
    assert table.cells == ((1, 0), (1, 1))
    assert count_items([["a", odd, odd], ["a", odd, "a"]]).categories == ("a", odd)


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ([], [], "no_data"),
        ([None], [None], "no_data"),
        (["x"], [None], "single_rater"),
        ([None, None], [None, "x"], "single_rater"),
        (["x", None], [None, "x"], "no_overlap"),
        (["x"], ["y"], ""),
    ],
)
def test_why_there_is_nothing(a: list[str | None], b: list[str | None], reason: str) -> None:
    assert cross_table(a, b).empty == reason
    assert count_items([a, b]).empty == reason


def test_lengths_must_match() -> None:
    for broken in (lambda: cross_table("ab", "a"), lambda: cross_table("ab", "ab", tasks="t")):
        with pytest.raises(ValueError, match="one value per item"):
            broken()
    with pytest.raises(ValueError, match="one value per item"):
        count_items([["a"], ["a", "b"]])


def test_from_counts_refuses_what_is_no_table() -> None:
    with pytest.raises(ValueError, match="as many rows"):
        from_counts([[1, 2]])
    with pytest.raises(ValueError, match="as many rows"):
        from_counts([[1, 2], [3, 4]], ["a", "a"])
    with pytest.raises(ValueError, match="negative"):
        from_counts([[1, -2], [3, 4]])


def test_tasks_are_kept_only_where_one_has_two_items() -> None:
    assert cross_table("aab", "abb", tasks=[1, 2, 3]).tasks == ()
    assert cross_table("aab", "abb", tasks=[1, 1, 3]).tasks == ({(0, 0): 1, (0, 1): 1}, {(1, 1): 1})


def test_unknown_tasks_are_no_common_task() -> None:
    assert cross_table("aab", "abb", tasks=[None, None, None]).tasks == ()
    grouped = cross_table("aaabb", "aaabb", tasks=[None, None, None, "t", "t"]).tasks
    assert sorted(sum(task.values()) for task in grouped) == [1, 1, 1, 2]
    counts = count_items(["aaabb", "aaabb"], tasks=[None, None, None, "t", "t"])
    assert sorted(sum(task.values()) for task in counts.tasks) == [1, 1, 1, 2]


def test_collapse_keeps_n_and_tasks() -> None:
    table = cross_table("abcabc", "abccba", tasks=[1, 1, 1, 2, 2, 2])
    two = table.collapse("c")
    assert two.cells == ((1, 1), (1, 3))
    assert two.tasks == ({(1, 1): 2, (0, 0): 1}, {(1, 0): 1, (1, 1): 1, (0, 1): 1})
    with pytest.raises(ValueError, match="not in tuple"):
        table.collapse("nobody")


def test_category_order_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "from reviewer.stats.agreement import pair_agreement as p, group_agreement as g\n"
        "a = list('the quick brown fox'); b = list('jumps over a lazy d')\n"
        "print(p(a, b, tasks=a)); print(g([a, b, a[::-1]], tasks=b))"
    )
    seen = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        seen.add(done.stdout)
    assert len(seen) == 1


def test_a_million_is_counted_exactly() -> None:
    assert kappa_value(from_counts([[10**6, 1], [1, 10**6]])) == pytest.approx(1 - 2 / (10**6 + 1), abs=1e-12)
