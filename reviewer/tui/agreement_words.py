"""The numbers of a round in words: each with its n and interval, or why it is undefined."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewer.counting import count
from reviewer.stats.agreement import GroupCategory
from reviewer.stats.bands import no_interval
from reviewer.stats.estimate import Estimate, explain
from reviewer.study.agreement import POSITIVES, Agreement, Pair
from reviewer.tui.widgets.parts import Part


def round_parts(found: Agreement, changed: tuple[int, int], *, details: bool = False) -> list[Part]:
    """What people need of a round; with `details` the rest (all of it is in `agreement --json`)."""
    people = ", ".join(person.name for person in found.annotators) or "nobody yet"
    parts = [
        Part(f"round {found.round}: {people}", "title"),
        Part(f"{count(found.shared, 'trace')} with labels of two or more"),
        Part(f"{found.n_passed} of those that two labelled blind passed their benchmark"),
        *_left_out(found),
        *_pairs("blind labels, all modes", found.pairs, ac1=True),
        *_pairs("of these, met in an earlier round: labelled, noted or settled there", found.met),
        *_pairs("of these, fresh", found.fresh),
        *_pairs("failed or not", found.failed_or_not),
        *_pairs("the mode, where both say failed", found.mode_if_failed),
        *_changed(changed),
    ]
    if not details:
        return parts
    return [
        *parts,
        *_rest(found.pairs),
        *_group(found),
        *_pairs("with oneself, a second time", found.own),
        *_pairs("with an assisted label: no measure of agreement between people", found.assisted),
        *_modes(found.all.categories),
        *_suggesters(found),
    ]


def number(value: Estimate) -> str:
    """`0.61 (0.45 to 0.73)`, or why there is none."""
    if value.value is None:
        return f"undefined: {explain(value.undefined)}"
    if value.low is None or value.high is None:
        return f"{value.value:.2f} ({no_interval(value)})"
    return f"{value.value:.2f} ({value.low:.2f} to {value.high:.2f})"


def _left_out(found: Agreement) -> Iterator[Part]:
    if found.other_versions:
        yield Part(
            f"{count(found.other_versions, 'label')} under another version of the codebook, left out", "quiet"
        )
    if found.conflicts:
        yield Part(f"{count(found.conflicts, 'label')} in conflict, left out until settled", "quiet")
    if found.warning:
        yield Part(found.warning, "error")


def _pairs(title: str, pairs: Sequence[Pair], *, ac1: bool = False) -> Iterator[Part]:
    if pairs:
        yield Part(title, "title", head=True)
    for pair in pairs:
        found = pair.found
        agree = "-" if found.percent.value is None else f"{100 * found.percent.value:.0f} %"
        value = found.kappa.value
        kappa = f"undefined: {explain(found.kappa.undefined)}" if value is None else f"{value:.2f}"
        also = f", AC1 {found.ac1.value:.2f}" if ac1 and found.ac1.value is not None else ""
        yield Part(f"{_names(pair)}: n = {found.n}, agree {agree}, kappa {kappa}{also}")
        if value is not None:
            yield Part(f"   {pair.words.partition(': ')[2]}", "quiet")
        yield from (Part(f"   {warning}", "error") for warning in pair.warnings)


def _names(pair: Pair) -> str:
    return f"{pair.a.name} × {'again' if pair.a == pair.b else pair.b.name}"


def _rest(pairs: Sequence[Pair]) -> Iterator[Part]:
    """What else is said of two people: sets of modes, the decisive step, facets."""
    for pair in pairs:
        said, two = pair.compared, pair.found
        yield Part(f"more of {_names(pair)}", "title", head=True)
        yield Part(f"AC1 {number(two.ac1)}")
        yield Part(f"PABAK {number(two.pabak)} of {two.q} modes")
        yield Part(f"a secondary mode may match: {number(said.lenient)}")
        yield Part(f"alpha of the sets of modes (MASI) {number(said.masi)}")
        if two.kappa_max is not None and two.bias is not None:
            yield Part(f"the greatest kappa that these habits allow {two.kappa_max:.2f}, bias {two.bias:.2f}")
        steps = said.steps
        if steps.exact_chance is not None and steps.near_chance is not None:
            chances = f"{steps.exact_chance:.2f} and {steps.near_chance:.2f}"
            yield Part(f"decisive step, n = {steps.n}: the same {number(steps.exact)}")
            yield Part(f"   at most one apart {number(steps.near)}")
            yield Part(f"   by chance {chances}", "quiet")
        for facet, of in said.facets.items():
            if of.n:
                yield Part(f"{facet}, n = {of.n}: kappa {number(of.kappa)}")
        if said.submode.n:
            yield Part(f"submode of the same mode, n = {said.submode.n}: kappa {number(said.submode.kappa)}")


def _group(found: Agreement) -> Iterator[Part]:
    yield Part("everybody together", "title", head=True)
    for name, value in (("Fleiss' kappa", found.all.fleiss), ("Krippendorff's alpha", found.all.alpha)):
        yield Part(f"{name} {number(value)}")


def _modes(categories: Sequence[GroupCategory]) -> Iterator[Part]:
    used = [one for one in categories if one.n]
    if used:
        yield Part("each mode", "title", head=True)
    if any(one.n < POSITIVES for one in used):
        yield Part(f"the kappa of a mode is hidden below {POSITIVES} ratings", "quiet")
    for one in used:
        specific = "-" if one.specific is None else f"{one.specific:.2f}"
        ratings = count(one.n, "rating")
        yield Part(f"{one.category}: {ratings}, {100 * one.share:.0f} %, specific agreement {specific}")
        if one.n >= POSITIVES:
            yield Part(f"   kappa {number(one.kappa)}", "quiet")


def _suggesters(found: Agreement) -> Iterator[Part]:
    if found.suggesters:
        yield Part("suggesters against blind labels", "title", head=True)
    for one in found.suggesters:
        yield Part(f"{one.name}: n = {one.n_blind}, kappa {number(one.found.kappa)}")


def _changed(changed: tuple[int, int]) -> Iterator[Part]:
    overruled, settled = changed
    if settled:
        share = 100 * overruled / settled
        yield Part("adjudication", "title", head=True)
        yield Part(f"overruled {overruled} of {count(settled, 'label')} ({share:.0f} %)")
        yield Part("agreement after discussion is not reliability: no kappa is computed from it", "quiet")
