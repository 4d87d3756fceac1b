"""`Estimate`: a number together with what it rests on, and the words that say why there is none.

Knows no statistic. The words are for machines (JSON, tests); `explain` turns one into a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

UNDEFINED: Mapping[str, str] = MappingProxyType(
    {
        "no_data": "There are no ratings at all.",
        "single_rater": "Only one rater rated, so there is nobody to agree with.",
        "no_overlap": "No item was rated by two raters.",
        "one_item": "Only one item was rated twice, and from one item no chance agreement can be read.",
        "no_variation": "Every rating is the same category, so agreement beyond chance is 0/0.",
        "silent_rater": "At least one of the raters rated nothing, so this rater's own habits are unknown.",
        "pair_undefined": "At least one pair of raters has no kappa, so their mean has no value.",
        "unequal_ratings": "This formula needs the same number of ratings for every item.",
        "category_unused": "Nobody used this category.",
        "no_comparable_pairs": "No task has both a success and a failure, so there are 0 comparable pairs.",
        "too_few_trials": "There are fewer trials than k.",
        "no_repeats": "No task was run twice with the same model, so chance between runs cannot be seen.",
        "not_crossed": "No two models ran the same task, so task and model cannot be told apart.",
        "one_group": "There is only one group, so differences between groups cannot be seen.",
        "too_few_estimates": "Fewer than two estimates with a standard error above 0 were given.",
    }
)

REMARKS: Mapping[str, str] = MappingProxyType(
    {
        "too_few_items": "Fewer than two items: no interval can be computed from their spread.",
        "few_items": "Fewer than five items: too few to judge the spread between them, so no interval.",
        "cut_below": "The interval reaches below -1, where nothing more is told, and is cut there.",
        "cut_above": "The interval reaches above 1, where nothing can lie, and is cut there.",
        "one_task": "All items belong to one task, so the spread between tasks is unknown.",
        "constant_rater": "A rater used one category only, so kappa is 0 whatever the agreement.",
        "few_disagreements": "So few disagreements that the usual standard error is not to be trusted.",
        "clustering_ignored": "The interval takes items of one task as independent; it may be too narrow.",
        "few_tasks": "Fewer than five tasks: too few to judge the spread between them, so no interval.",
        "undefined_replicates": "Some resamples had no value and were left out.",
    }
)

INTERVALS: Mapping[str, str] = MappingProxyType(
    {
        "score": "Every true value that the observed one does not contradict (score interval of kappa).",
        "score_tasks": "The same with the task as the unit and a t quantile.",
        "fisher_z": "Fisher's z of the Fleiss-Cohen-Everitt standard error.",
        "fisher_z_tasks": "Fisher's z of a standard error that takes the task as the unit, t quantile.",
        "wald": "Value plus or minus z standard errors (Fleiss-Cohen-Everitt).",
        "wald_tasks": "Value plus or minus t standard errors, the task as the unit.",
        "wilson": "Wilson's score interval.",
        "wilson_tasks": "Wilson's score interval on the effective number of items, the task as the unit.",
        "wilson_mapped": "Wilson's interval of the observed agreement, mapped through the chance correction.",
        "wilson_mapped_tasks": "The same on the effective number of items, the task as the unit.",
        "t": "Value plus or minus t standard errors over items.",
        "t_tasks": "Value plus or minus t standard errors, the task as the unit.",
        "bootstrap_percentile": "Percentiles of resamples.",
        "bootstrap_bca": "Bias-corrected and accelerated percentiles of resamples.",
    }
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value, its interval, and what both rest on.

    `value` is None exactly when `undefined` names the reason (a key of UNDEFINED). `low` and `high`
    are both there or both None; `interval` is a key of INTERVALS, or "" without an interval. `n` counts
    the units the value rests on (items with at least two ratings, or tasks: the function says which).
    `se` is the standard error, None where it is unknown. `remarks` are keys of REMARKS.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    interval: str
    undefined: str
    se: float | None = None
    remarks: tuple[str, ...] = ()

    @property
    def of_one_task(self) -> bool:
        """Whether the items of a task were taken as independent: no interval to decide by."""
        return not {"one_task", "clustering_ignored"}.isdisjoint(self.remarks)


def undefined(reason: str, n: int = 0, remarks: tuple[str, ...] = ()) -> Estimate:
    """An estimate without a value. `reason` is a key of UNDEFINED, else KeyError."""
    UNDEFINED[reason]
    return Estimate(None, None, None, n, "", reason, None, remarks)


def point(value: float, n: int, se: float | None = None, remarks: tuple[str, ...] = ()) -> Estimate:
    """An estimate with a value and no interval."""
    return Estimate(value, None, None, n, "", "", se, remarks)


def explain(word: str) -> str:
    """One plain sentence for a word of `undefined`, `remarks` or `interval`; KeyError for any other."""
    for words in (UNDEFINED, REMARKS, INTERVALS):
        if word in words:
            return words[word]
    raise KeyError(word)
