"""Every published or exact case of the shared collection, each against the public function for it.

The collection is not part of the project: without it these tests are skipped, and the hand-worked values of
the other files stand alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reviewer.stats import (
    adjust,
    auroc,
    categories,
    cohen,
    conger,
    fleiss,
    gwet,
    intervals,
    krippendorff,
    margins,
    outcomes,
    percent,
    sample_size,
    sets,
    shift,
    variance,
)
from reviewer.stats.counts import ItemCounts, count_items
from reviewer.stats.estimate import UNDEFINED, Estimate
from reviewer.stats.table import Table, cross_table

CASES = Path(__file__).parents[2].parent / "shared" / "agreement" / "cases.jsonl"

Case = dict[str, Any]


@cache
def cases() -> dict[str, list[Case]]:
    """The cases by statistic; nothing without the collection."""
    found: dict[str, list[Case]] = {}
    if CASES.is_file():
        with CASES.open(encoding="utf-8") as lines:
            for case in map(json.loads, lines):
                found.setdefault(case["statistic"], []).append(case)
    return found


def table(case: Case) -> Table:
    a, b = case["ratings"]
    return cross_table(a, b, categories=declared(case))


def counts(case: Case) -> ItemCounts:
    return count_items(case["ratings"], categories=declared(case))


def declared(case: Case) -> list[Any] | None:
    names = (case.get("params") or {}).get("categories")
    return names if isinstance(names, list) else None


def level(case: Case) -> float:
    return float((case["params"] or {}).get("level", 0.95))


def ends(found: Estimate) -> list[float | None]:
    return [found.low, found.high]


def run_auroc(case: Case) -> auroc.Auroc:
    given = case["inputs"]
    return auroc.auroc_within(given["task"], given["y"], given["s"])


def chi2(case: Case) -> dict[str, Any]:
    found = shift.chi2_homogeneity(case["inputs"]["table"])
    return {"stat": found.statistic, "df": found.df, "p": found.p}


def parts(case: Case) -> dict[str, float | None]:
    given = case["inputs"]
    found = variance.variance_parts(given["task"], given["model"], given["y"])
    return {name: getattr(found, name) for name in case["expected"]}


def size(case: Case) -> int:
    given = case["inputs"]
    return sample_size.size_for_test(
        given["rate1"],
        given["rate2"],
        given["k1"],
        given["k0"],
        alpha=given["alpha"],
        power=given["power"],
        two_sided_test=given["twosided"],
    )


def distance(measure: Callable[..., float]) -> Callable[[Case], float]:
    return lambda case: measure(case["ratings"][0][0], case["ratings"][1][0])


def set_alpha(measure: Callable[..., float]) -> Callable[[Case], Estimate]:
    return lambda case: krippendorff.alpha_sets(case["ratings"], measure)


STATISTICS: dict[str, Callable[[Case], Any]] = {
    "auroc_pooled": lambda c: run_auroc(c).pooled,
    "auroc_within_pair_weighted": lambda c: run_auroc(c).within,
    "auroc_within_task_weighted": lambda c: run_auroc(c).task_mean,
    "bias_index": lambda c: margins.bias_index(table(c)),
    "brennan_prediger": lambda c: gwet.brennan_prediger(counts(c)),
    "chi2_homogeneity": chi2,
    "cohen_kappa": lambda c: cohen.cohen_kappa(table(c), interval="wald"),
    "cohen_kappa_category": lambda c: categories.category_kappa(table(c), c["params"]["category"]),
    "cohen_kappa_ci": lambda c: ends(cohen.cohen_kappa(table(c), level=level(c), interval="wald")),
    "cohen_kappa_se": lambda c: cohen.kappa_se(table(c)),
    "cohen_kappa_se_null": lambda c: cohen.kappa_se_null(table(c)),
    "conger_kappa": lambda c: conger.conger_kappa(c["ratings"]),
    "fleiss_kappa": lambda c: fleiss.fleiss_kappa(counts(c), interval="t"),
    "fleiss_kappa_category": lambda c: fleiss.fleiss_category(counts(c), c["params"]["category"]),
    "fleiss_kappa_se_gwet": lambda c: fleiss.fleiss_kappa(counts(c)).se,
    "fleiss_kappa_z_null": lambda c: fleiss.fleiss_z(counts(c)),
    "gwet_ac1": lambda c: gwet.gwet_ac1(counts(c), interval="t"),
    "gwet_ac1_ci": lambda c: ends(gwet.gwet_ac1_of_table(table(c), level=level(c))),
    "gwet_ac1_se": lambda c: gwet.gwet_ac1(counts(c)).se,
    "jaccard_distance": distance(sets.jaccard_distance),
    "kappa_max": lambda c: margins.kappa_max(table(c)),
    "krippendorff_alpha_jaccard": set_alpha(sets.jaccard_distance),
    "krippendorff_alpha_masi": set_alpha(sets.masi_distance),
    "krippendorff_alpha_nominal": lambda c: krippendorff.alpha_nominal(counts(c), interval="t"),
    "krippendorff_alpha_nominal_sets": set_alpha(sets.nominal_distance),
    "krippendorff_alpha_se_gwet": lambda c: krippendorff.alpha_nominal(counts(c)).se,
    "light_kappa": lambda c: conger.light_kappa(c["ratings"]).estimate,
    "masi_distance": distance(sets.masi_distance),
    "newcombe_diff_ci": lambda c: list(
        intervals.newcombe(*(c["inputs"][k] for k in ("x1", "n1", "x2", "n2")))
    ),
    "p_adjust_bh": lambda c: list(adjust.benjamini_hochberg(c["inputs"]["p"])),
    "p_adjust_holm": lambda c: list(adjust.holm(c["inputs"]["p"])),
    "pabak": lambda c: margins.pabak(table(c)),
    "pass_at_k": lambda c: outcomes.pass_at_k(**c["inputs"]),
    "pass_at_k_mean": lambda c: outcomes.mean_pass_at_k(c["inputs"]["tasks"], c["inputs"]["k"]).estimate,
    "pass_hat_k": lambda c: outcomes.pass_hat_k(**c["inputs"]),
    "pass_hat_k_mean": lambda c: outcomes.mean_pass_hat_k(c["inputs"]["tasks"], c["inputs"]["k"]).estimate,
    "percent_agreement": lambda c: percent.percent_agreement(counts(c)),
    "prevalence_index": lambda c: margins.prevalence_index(table(c)),
    "sample_size_cohen_kappa_2x2": size,
    "scott_pi": lambda c: margins.scott_pi(table(c)),
    "specific_agreement": lambda c: categories.specific_agreement(table(c), c["params"]["category"]),
    "variance_components": parts,
    "wilson_ci": lambda c: list(intervals.wilson(c["inputs"]["x"], c["inputs"]["n"], c["inputs"]["level"])),
}

NOT_BUILT: frozenset[str] = frozenset()
"""Statistics of the collection that have no function yet: 0."""


def wrong(case: Case) -> str:
    """What is wrong with our answer to the case, or ""."""
    found = STATISTICS[case["statistic"]](case)
    if isinstance(found, Estimate):
        if (found.value is None) != (found.undefined in UNDEFINED):
            return f"{case['name']}: no reason, or a reason too many: {found}"
        if (
            case["expected"] is not None
            and case.get("ci")
            and ends(found) != pytest.approx(case["ci"], abs=case["tolerance"], rel=0)
        ):
            return f"{case['name']}: interval {ends(found)}, not {case['ci']}"
        found = found.value
    if case["expected"] is None:
        return "" if found is None else f"{case['name']}: {found}, but it is undefined"
    close = pytest.approx(case["expected"], abs=case["tolerance"], rel=0)
    return "" if found == close else f"{case['name']}: {found}, not {case['expected']}"


@pytest.mark.skipif(not CASES.is_file(), reason="the shared collection of cases is not here")
def test_every_statistic_of_the_collection_is_answered() -> None:
    assert len(NOT_BUILT) == 0
    assert set(cases()) - set(STATISTICS) == NOT_BUILT
    assert not NOT_BUILT & set(STATISTICS)


@pytest.mark.skipif(not CASES.is_file(), reason="the shared collection of cases is not here")
@pytest.mark.parametrize("statistic", sorted(STATISTICS))
def test_cases_of_the_collection(statistic: str) -> None:
    found = cases().get(statistic, [])
    assert found, "no case of this statistic"
    failures = [message for message in map(wrong, found) if message]
    assert not failures, f"{len(failures)} of {len(found)}:\n" + "\n".join(failures[:10])
