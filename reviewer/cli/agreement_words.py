"""Agreement as tables on a terminal: the few figures that people need, and with `details` the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from reviewer.cli import out
from reviewer.counting import count
from reviewer.stats.bands import in_words, no_interval
from reviewer.stats.estimate import Estimate, explain
from reviewer.study.agreement import Agreement, Pair, SuggesterAgreement
from reviewer.study.agreement_rounds import RoundLine, Rounds

HEADER = ("pair", "n", "agree", "kappa", "95 %", "AC1", "what it can tell")
ACROSS = (
    "labels of several versions of the codebook are pooled by the id of the mode: what a mode meant may "
    "differ, so this is no agreement under one codebook"
)
MET = "of these the traces that one of both labelled or noted, or somebody settled, in an earlier round"


def tell(found: Agreement, *, details: bool = False) -> None:
    """The agreement of a round as tables."""
    for line in _head(found):
        out.show(line)
    sections = [
        ("blind labels, all modes", found.pairs),
        (MET, found.met),
        ("of these the fresh ones, which neither had met", found.fresh),
        ("failed or not (labels that leave it open are left out)", found.failed_or_not),
        ("the mode, where both say failed", found.mode_if_failed),
        ("with an assisted label (no measure of agreement between people)", found.assisted),
        ("with oneself, a second time", found.own),
    ]
    for title, pairs in sections:
        if pairs:
            out.show(f"\n{title}")
            out.table([_row(pair) for pair in pairs], HEADER)
            for pair in pairs:
                for warning in pair.warnings:
                    out.show(f"{_names(pair)}: {warning}")
    if not found.pairs:
        out.show("\nno trace was labelled blind by two people yet")
    if len(found.annotators) > 2 and found.pairs:
        out.show("\neverybody together")
        named = [("Krippendorff's alpha", found.all.alpha), ("Fleiss' kappa", found.all.fleiss)]
        out.table([_figure(*one) for one in named], ("", "value", "what it can tell"))
    if found.suggesters:
        out.show("\nsuggesters against blind labels: a label of each person counts by itself")
        rows = [
            (
                one.name,
                str(one.n_blind),
                str(_traces(one)),
                out.number(one.found.kappa.value),
                in_words(one.found.kappa),
            )
            for one in found.suggesters
        ]
        out.table(rows, ("suggester", "labels", "traces", "kappa", "what it can tell"))
    if details:
        _details(found)


def _traces(one: SuggesterAgreement) -> int:
    return len({trace for trace, _, _ in one.compared.rows})


def _head(found: Agreement) -> Iterator[str]:
    names = ", ".join(person.name for person in found.annotators) or "nobody yet"
    yield f"round {found.round}: {names}; {count(found.shared, 'trace')} with labels of two or more"
    if found.pairs:
        yield f"{found.n_passed} of the traces that two or more people labelled blind passed their benchmark"
    names_of = Counter(person.name for person in found.annotators)
    for name in (name for name, times in names_of.items() if times > 1):
        yield f"{names_of[name]} annotators are called {name}: if that is one person, this is no agreement"
    if found.across:
        yield f"{ACROSS} ({found.other_versions} of another version)"
    elif found.other_versions:
        yield (
            f"{count(found.other_versions, 'label')} made under another version of the codebook, left out: "
            "kappa across versions is refused unless asked for (--across-codebooks)"
        )
    if found.warning:
        yield found.warning
    if found.conflicts:
        yield f"{count(found.conflicts, 'label')} in conflict, left out until settled (`status`)"


def _names(pair: Pair) -> str:
    return f"{pair.a.name} × {'again' if pair.a == pair.b else pair.b.name}"


def _row(pair: Pair) -> Sequence[str]:
    found = pair.found
    kappa = found.kappa
    told = _why(kappa) or pair.words.partition(": ")[2].partition(", ")[2]
    return (
        *(_names(pair), str(found.n), out.number(found.percent.value)),
        *(out.number(kappa.value), _range(kappa), out.number(found.ac1.value), told),
    )


def _figure(name: str, value: Estimate) -> Sequence[str]:
    return name, out.number(value.value), in_words(value)


def _range(value: Estimate) -> str:
    return out.between(value.low, value.high)


def _why(value: Estimate) -> str:
    return f"undefined: {explain(value.undefined)}" if value.undefined else ""


def _note(value: Estimate) -> str:
    """What is to be known of an interval, or why there is none."""
    cut = {"cut_below": "it reaches lower", "cut_above": "cut at 1"}
    return _why(value) or no_interval(value) or "; ".join(cut[one] for one in value.remarks if one in cut)


def _details(found: Agreement) -> None:
    """What `--json` has for each pair, in lines."""
    for pair in found.pairs:
        said, two = pair.compared, pair.found
        out.show(f"\n{_names(pair)}, n = {two.n}, {two.q} modes in the codebook")
        rows = [
            ("strict: the same primary mode", two.percent),
            ("lenient: a secondary mode may match", said.lenient),
            ("alpha of the sets of modes (MASI)", said.masi),
            ("AC1", two.ac1),
            ("PABAK", two.pabak),
            *([("kappa, by resampling", said.drawn)] if said.drawn is not None else []),
        ]
        steps = said.steps
        if steps.n:
            chance, near = f"{steps.exact_chance:.2f}", f"{steps.near_chance:.2f}"
            rows += [
                (f"decisive step, the same (by chance {chance})", steps.exact),
                (f"decisive step, at most one apart (by chance {near})", steps.near),
            ]
        rows += [(f"kappa of the facet {name}", of.kappa) for name, of in said.facets.items() if of.n]
        rows += [("kappa of the submode, where the mode is the same", said.submode.kappa)] * bool(
            said.submode.n
        )
        out.table(
            [(name, str(of.n), out.number(of.value), _range(of), _note(of)) for name, of in rows], _PARTS
        )
        out.show(
            f"the greatest kappa that these habits allow {out.number(two.kappa_max)}; largest mode "
            f"{out.number(two.largest_share)} of the labels; habits apart (bias) {out.number(two.bias)}"
        )
        modes = [one for one in two.categories if one.n]
        out.table(
            [(str(one.category), str(one.n), out.number(one.specific), _range(one.kappa)) for one in modes],
            ("mode", "labels", "specific agreement", "95 % of its kappa"),
        )


_PARTS = ("", "n", "value", "95 %", "")


def _book(line: RoundLine) -> str:
    return f"{line.version} ({line.hash[:8]})" if line.hash else f"{line.version} (pooled)"


def tell_rounds(found: Rounds) -> None:
    """A line a round."""
    rows = [
        (
            *(str(line.round), _book(line), str(line.kappa.n)),
            *(out.number(line.found.all.percent.value), out.number(line.kappa.value), _range(line.kappa)),
            *(out.number(line.found.all.alpha.value), line.what, _why(line.kappa)),
        )
        for line in found.lines
    ]
    head = ("round", "codebook", "n", "agree", "kappa", "95 %", "alpha", "kappa is", "note")
    out.table(rows, head)
    test = found.test
    if test is None:
        out.show(f"\nno test whether the rounds differ: {found.why_not}")
    elif test.statistic is None or test.p is None:
        out.show(f"\nno test whether the rounds differ: {explain(test.undefined)}")
    else:
        told = "they differ" if test.p < 0.05 else "no difference shown, which proves none absent"
        figures = f"chi square {test.statistic:.2f} on {test.df}, p = {test.p:.3f}"
        out.show(f"\ncould the rounds be one? {figures}: {told}")
