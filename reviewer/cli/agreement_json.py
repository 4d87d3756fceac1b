"""Agreement as JSON: every figure with its interval and what it rests on. The keys are a promise."""

from __future__ import annotations

from collections.abc import Sequence

from reviewer.label import Annotator
from reviewer.stats.agreement import GroupAgreement, GroupCategory, PairAgreement
from reviewer.stats.bands import in_words
from reviewer.stats.categories import CategoryAgreement
from reviewer.stats.estimate import Estimate
from reviewer.stats.margins import prevalence_index
from reviewer.study.agreement import POSITIVES, Agreement, Pair, SuggesterAgreement
from reviewer.study.agreement_gate import Verdict
from reviewer.study.agreement_rounds import RoundLine, Rounds
from reviewer.study.columns import Compared, StepAgreement
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json

TOO_FEW = f"fewer than {POSITIVES} ratings of this mode"


def whole(found: Agreement, taxonomy: Taxonomy) -> dict[str, Json]:
    """Everything of one round."""
    return {
        "taxonomy": {"id": taxonomy.id, "version": taxonomy.version, "hash": taxonomy.hash},
        "round": found.round,
        "annotators": [_person(person) for person in found.annotators],
        "shared": found.shared,
        "n_passed": found.n_passed,
        "conflicts": found.conflicts,
        "other_versions": found.other_versions,
        "across_codebooks": found.across,
        "warning": found.warning or None,
        "pairs": [pair(one) for one in found.pairs],
        "all": _group(found),
        "modes": [_mode(mode) for mode in found.all.categories],
        "failed_or_not": [pair(one) for one in found.failed_or_not],
        "mode_if_failed": [pair(one) for one in found.mode_if_failed],
        "assisted": [pair(one) for one in found.assisted],
        "met_before": [pair(one) for one in found.met],
        "fresh": [pair(one) for one in found.fresh],
        "self": [pair(one) for one in found.own],
        "suggesters": [_suggester(one) for one in found.suggesters],
    }


def verdicts(found: Sequence[Verdict]) -> Json:
    """What a gate said, a line each."""
    return [
        {
            "statistic": one.name,
            "who": one.who,
            "at_least": one.least,
            "result": one.result,
            **estimate(one.found),
            "more_double_labels": one.more,
            "sentence": one.sentence,
        }
        for one in found
    ]


def rounds(found: Rounds) -> Json:
    """A line a round, and the test of homogeneity."""
    test = found.test
    return {
        "rounds": [_round(line) for line in found.lines],
        "homogeneity": None
        if test is None
        else {
            "chi_square": test.statistic,
            "df": test.df,
            "p": test.p,
            "pooled_kappa": test.pooled,
            "undefined": test.undefined or None,
        },
        "no_test": found.why_not or None,
    }


def _round(line: RoundLine) -> Json:
    found = line.found
    return {
        "round": line.round,
        "taxonomy": {"version": line.version, "hash": line.hash},
        "annotators": [_person(person) for person in found.annotators],
        "shared": found.shared,
        "statistic": line.what,
        **estimate(line.kappa),
        "words": in_words(line.kappa),
        "percent_agreement": found.all.percent.value,
        "krippendorff_alpha": estimate(found.all.alpha),
        "gwet_ac1": estimate(found.all.ac1),
        "pairs": [pair(one) for one in found.pairs],
    }


def _person(person: Annotator) -> Json:
    return {"id": person.id, "name": person.name}


def pair(one: Pair) -> dict[str, Json]:
    """Two columns of labels."""
    said = one.compared
    return {
        "a": _person(one.a),
        "b": _person(one.b),
        **_of_two(said.found),
        "words": one.words,
        "warning": "; ".join(one.warnings) or None,
        **_compared(said),
    }


def _compared(said: Compared) -> dict[str, Json]:
    return {
        "strict": estimate(said.found.percent),
        "lenient": estimate(said.lenient),
        "alpha_masi": estimate(said.masi),
        "decisive_step": _steps(said.steps),
        "submode": _of_two(said.submode),
        "facets": {facet: _of_two(found) for facet, found in said.facets.items()},
        "bootstrap": None if said.drawn is None else estimate(said.drawn),
    }


def _of_two(found: PairAgreement) -> dict[str, Json]:
    odd = found.warning
    return {
        "n": found.n,
        "q": found.q,
        "percent_agreement": found.percent.value,
        "kappa": found.kappa.value,
        "low": found.kappa.low,
        "high": found.kappa.high,
        "se": found.kappa.se,
        "interval": found.kappa.interval or None,
        "undefined": found.kappa.undefined or None,
        "remarks": list(found.kappa.remarks),
        "gwet_ac1": found.ac1.value,
        "gwet_ac1_interval": estimate(found.ac1),
        "pabak": estimate(found.pabak),
        "scott_pi": found.scott_pi,
        "kappa_max": found.kappa_max,
        "prevalence_index": prevalence_index(found.table),
        "largest_share": found.largest_share,
        "bias_index": found.bias,
        "paradox": None if odd is None else {"causes": list(odd.causes), "sentence": odd.sentence},
        "categories": [_category(category) for category in found.categories if category.n],
        "confusion": {
            "modes": [str(category) for category in found.table.categories],
            "counts": [list(row) for row in found.table.cells],
        },
    }


def _category(found: CategoryAgreement) -> Json:
    return {
        "category": str(found.category),
        "n": found.n,
        "share": found.share,
        "specific_agreement": found.specific,
        "kappa": estimate(found.kappa),
    }


def _steps(found: StepAgreement) -> Json:
    return {
        "n": found.n,
        "exact": estimate(found.exact),
        "exact_by_chance": found.exact_chance,
        "within_one": estimate(found.near),
        "within_one_by_chance": found.near_chance,
    }


def estimate(value: Estimate) -> dict[str, Json]:
    """A figure with its interval, or why there is none."""
    return {
        "value": value.value,
        "low": value.low,
        "high": value.high,
        "se": value.se,
        "n": value.n,
        "interval": value.interval or None,
        "undefined": value.undefined or None,
        "remarks": list(value.remarks),
    }


def _group(found: Agreement) -> Json:
    all, more = found.all, found.together
    drawn = {"fleiss_kappa": more.fleiss, "krippendorff_alpha": more.alpha, "gwet_ac1": more.ac1}
    return {
        "fleiss_kappa": estimate(all.fleiss),
        "krippendorff_alpha": estimate(all.alpha),
        "gwet_ac1": estimate(all.ac1),
        "percent_agreement": estimate(all.percent),
        "brennan_prediger": estimate(all.brennan_prediger),
        "conger_kappa": estimate(all.conger),
        "alpha_masi": estimate(more.masi),
        "alpha_jaccard": estimate(more.jaccard),
        "single_ratings_too": _single(more.gwet),
        "bootstrap": {name: None if one is None else estimate(one) for name, one in drawn.items()},
        "n": all.n,
        "q": all.q,
        "raters": all.raters,
    }


def _single(found: GroupAgreement) -> Json:
    """The same where traces with one label bear on the chance agreement, as Gwet has it."""
    return {"fleiss_kappa": estimate(found.fleiss), "gwet_ac1": estimate(found.ac1), "n": found.rated}


def _mode(mode: GroupCategory) -> Json:
    few = mode.n < POSITIVES
    return {
        "mode": mode.category,
        "n": mode.n,
        "prevalence": mode.share,
        "kappa": None if few else mode.kappa.value,
        "low": None if few else mode.kappa.low,
        "high": None if few else mode.kappa.high,
        "specific_agreement": mode.specific,
        "undefined": TOO_FEW if few else mode.kappa.undefined or None,
    }


def _suggester(one: SuggesterAgreement) -> Json:
    return {
        "name": one.name,
        "n_blind": one.n_blind,
        "traces": len({trace for trace, _, _ in one.compared.rows}),
        "n_assisted": one.n_assisted,
        **_of_two(one.found),
        "words": in_words(one.found.kappa),
        **_compared(one.compared),
        "by_annotator": [pair(person) for person in one.people],
    }
