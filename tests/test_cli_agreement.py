"""`agreement` from the command line: published cases through `annotate`, the gate, rounds, versions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from reviewer import taxonomy
from reviewer.label import Annotator
from reviewer.store import Store
from reviewer.taxonomy import Taxonomy
from tests.conftest import SHARED, Ran
from tests.history import event, now, put, session

CASES = SHARED / "agreement" / "cases.jsonl"
Cli = Callable[..., Ran]
NOTHING = "nothing_wrong"  # the mode of an empty set
SAMPLE = (
    *("sas_table10", "gwet_ben_gerry", "krippendorff_B", "deg_one_disagreement_20", "deg_label_case"),
    *("gwet_raw5", "kripp_issue11", "wikipedia_alpha", "deg_both_constant_different", "deg_one_overlap_item"),
    *("ml_three_missing", "ml_empty_sets", "nltk_multilabel", "deg_two_items", "deg_ragged_3r"),
)


def book(modes: Sequence[str]) -> str:
    """A codebook of these modes, whatever they are called."""
    entries = "".join(f"[[mode]]\nid = {json.dumps(mode)}\n" for mode in modes)
    return f'id = "case"\nversion = "1"\n{entries}[[mode]]\nid = "{NOTHING}"\nkind = "non_failure"\n'


def labelled(reviewer: Cli, tmp_path: Path, ratings: Sequence[Sequence[Any]], modes: Sequence[str]) -> Cli:
    """A study in which the raters say what they said; None: no label."""
    file = tmp_path / "case.toml"
    text = book(modes)
    if not any(cell == [] for rater in ratings for cell in rater):  # q of the case counts
        text = text[: text.rindex("[[mode]]")]
    file.write_text(text, "utf-8")
    with Store.open(tmp_path / "reviews.db", create=True) as store:
        traces = [put(store, session(["a", "b", "c"], f"item {n}")) for n in range(len(ratings[0]))]

    def run(*arguments: object) -> Ran:
        return reviewer("--taxonomy", file, *arguments)

    for who, rater in enumerate(ratings):
        for trace, cell in zip(traces, rater, strict=True):
            if cell is not None:
                cells = cell if isinstance(cell, list) else [cell]
                mode, *others = map(str, cells or [NOTHING])
                more = [word for other in others for word in ("--secondary", other)]
                ran = run("annotate", trace, mode, *more, "--as", f"rater {who}")
                assert ran.status == 0, ran.err
    return run


def answer(found: dict[str, Any], case: dict[str, Any]) -> Any:
    """Our figure for the statistic of a case; KeyError for one that is not shown."""
    pair = found["pairs"][0] if found["pairs"] else None
    of_two = {
        "cohen_kappa": lambda: pair["kappa"],
        "cohen_kappa_se": lambda: pair["se"],
        "scott_pi": lambda: pair["scott_pi"],
        "kappa_max": lambda: pair["kappa_max"],
        "bias_index": lambda: pair["bias_index"],
        "prevalence_index": lambda: pair["prevalence_index"],
        "pabak": lambda: pair["pabak"]["value"],
    }
    everybody = found["all"]
    of_all = {
        "percent_agreement": everybody["percent_agreement"]["value"],
        "krippendorff_alpha_nominal": everybody["krippendorff_alpha"]["value"],
        "krippendorff_alpha_se_gwet": everybody["krippendorff_alpha"]["se"],
        "krippendorff_alpha_masi": everybody["alpha_masi"]["value"],
        "krippendorff_alpha_jaccard": everybody["alpha_jaccard"]["value"],
        "fleiss_kappa": everybody["single_ratings_too"]["fleiss_kappa"]["value"],
        "fleiss_kappa_se_gwet": everybody["single_ratings_too"]["fleiss_kappa"]["se"],
        "gwet_ac1": everybody["single_ratings_too"]["gwet_ac1"]["value"],
        "gwet_ac1_se": everybody["single_ratings_too"]["gwet_ac1"]["se"],
        "brennan_prediger": everybody["brennan_prediger"]["value"],
        "conger_kappa": everybody["conger_kappa"]["value"],
    }
    statistic = case["statistic"]
    return of_two[statistic]() if statistic in of_two else of_all[statistic]


@pytest.mark.skipif(not CASES.is_file(), reason="the shared collection of cases is not here")
@pytest.mark.parametrize("name", SAMPLE)
def test_published_cases_come_out_of_the_commands(reviewer: Cli, tmp_path: Path, name: str) -> None:
    with CASES.open(encoding="utf-8") as lines:
        cases = [case for case in map(json.loads, lines) if case["name"].split("__")[0] == name]
    ratings = cases[0]["ratings"]
    said = [cell for rater in ratings for cell in rater if cell is not None]
    flat = [str(one) for cell in said for one in (cell if isinstance(cell, list) else [cell])]
    run = labelled(reviewer, tmp_path, ratings, list(dict.fromkeys(flat)))
    found = json.loads(run("agreement", "--json").out)
    checked = 0
    for case in cases:
        assert case["ratings"] == ratings
        try:
            got = answer(found, case)
        except KeyError:
            continue
        checked += 1
        expected = case["expected"]
        close = expected if expected is None else pytest.approx(expected, abs=max(case["tolerance"], 1e-12))
        assert got == close, case["name"]
    assert checked >= (1 if isinstance(said[0], list) else 6)


def test_odd_names_of_modes_are_kept_apart(reviewer: Cli, tmp_path: Path) -> None:
    a = ["nan", "NaN", "None", "0", "Ä/b", "nan", "null", "[x]"]
    b = ["nan", "nan", "None", "0", "Ä/b", "NaN", "null", "[x]"]
    run = labelled(reviewer, tmp_path, [a, b], ["nan", "NaN", "None", "0", "Ä/b", "null", "[x]"])
    (pair,) = json.loads(run("agreement", "--json").out)["pairs"]
    # six of eight agree; margins: nan 2 2, NaN 1 1, five others 1 1: chance (4 + 6)/64
    assert pair["kappa"] == pytest.approx((6 * 8 - 10) / (64 - 10))
    assert pair["confusion"]["modes"][0] == "nan"
    assert run("agreement").status == run("agreement", "--details").status == 0


GRANTS = ["y"] * 25 + ["n"] * 25, ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15  # kappa 0.4


def record(store: Store, book: Taxonomy, columns: Sequence[Sequence[str]], round: int = 1, **of: str) -> None:
    """The same labels without the command line, which takes its time."""
    store.settings.keep_taxonomy(book, now=now())
    traces = [put(store, session(["a", "b"], f"item {round} {n}", **of)) for n in range(len(columns[0]))]
    for who, modes in enumerate(columns):
        rater = Annotator(f"a1-{who}", f"rater {who}")
        store.labels.meet(rater, now=now())
        for trace, mode in zip(traces, modes, strict=True):
            about = {"annotator": rater.id, "taxonomy": book.id, "taxonomy_hash": book.hash}
            store.labels.record(event(trace, mode=mode, round=round, **about))


@pytest.fixture
def study(reviewer: Cli, tmp_path: Path) -> Cli:
    file = tmp_path / "case.toml"
    file.write_text(book(["y", "n"]), "utf-8")
    with Store.open(tmp_path / "reviews.db", create=True) as store:
        record(store, taxonomy.load(str(file)), GRANTS)

    def run(*arguments: object) -> Ran:
        return reviewer(*(() if "--taxonomy" in arguments else ("--taxonomy", file)), *arguments)

    return run


def test_the_interval_in_words(study: Cli) -> None:
    (pair,) = json.loads(study("agreement", "--json").out)["pairs"]
    assert pair["words"] == f"n = 50: {pair['low']:.2f} to {pair['high']:.2f}, cannot tell poor from good"
    assert "cannot tell poor from good" in study("agreement").out
    assert "Landis" not in study("agreement", "--details").out


@pytest.mark.parametrize(
    ("wanted", "status", "said"),
    [
        ("kappa=0.1", 0, "reaches 0.1"),
        ("kappa=0.9", 1, "does not reach 0.9"),
        ("kappa=0.3", 1, "cannot tell whether kappa of rater 0 × rater 1 reaches 0.3"),
        ("kappa=0.6", 1, "more likely show that it does not"),
        ("percent=0.5", 0, "reaches 0.5"),
        ("alpha=0.1", 0, "alpha of everybody reaches"),
        ("ac1=0.95", 1, "does not reach"),
        ("step=0.5", 1, "cannot tell whether step"),
    ],
)
def test_the_gate(study: Cli, wanted: str, status: int, said: str) -> None:
    ran = study("agreement", "--require", wanted)
    assert (ran.status, said in ran.out) == (status, True), ran.out
    told = json.loads(study("agreement", "--require", wanted, "--json").out)["required"]
    assert (told[0]["result"] == "reached") == (status == 0)


def test_the_gate_says_how_many_labels_would_decide(study: Cli) -> None:
    ran = study("agreement", "--require", "kappa=0.3")
    (told,) = json.loads(study("agreement", "--require", "kappa=0.3", "--json").out)["required"]
    more = f"about {told['more_double_labels']:,} more double labels"
    assert f"{more} would decide in about every other case" in ran.out
    # an interval of +-0.1 at kappa 0.4, 50/50: 1.96^2 * 0.84 / 0.01
    assert told["more_double_labels"] == pytest.approx(3.84 * 0.84 / 0.01 - 50, rel=0.12)


def test_the_gate_passes_only_when_everything_does(study: Cli) -> None:
    assert study("agreement", "--require", "kappa=0.1", "--require", "alpha=0.1").status == 0
    assert study("agreement", "--require", "kappa=0.1", "--require", "alpha=0.9").status == 1
    assert study("agreement", "--require", "kappa=0.1", "--pair", "rater 1, rater 0").status == 0


GATES = ("kappa", "ac1", "pabak", "percent", "lenient", "masi", "alpha", "fleiss")


def test_the_gate_says_how_many_labels_an_interval_takes(reviewer: Cli, tmp_path: Path) -> None:
    file = tmp_path / "case.toml"
    file.write_text(book(["y", "n"]), "utf-8")
    with Store.open(tmp_path / "reviews.db", create=True) as store:
        record(store, taxonomy.load(str(file)), [["y", "n", "y"], ["y", "n", "n"]])
    told = reviewer("--taxonomy", file, "agreement", "--require", "kappa=0.6").out
    assert "(n = 3), no interval: it takes 5 double labels at least, 2 more than there are" in told


@pytest.mark.parametrize(("modes", "n"), [("yn", 40), ("y", 40), ("yn", 3)])
def test_attempts_at_one_task_pass_no_gate(reviewer: Cli, tmp_path: Path, modes: str, n: int) -> None:
    file = tmp_path / "case.toml"
    file.write_text(book(["y", "n"]), "utf-8")
    said = [modes[k % len(modes)] for k in range(n)]
    other = ["y" if k == n - 1 else mode for k, mode in enumerate(said)]
    with Store.open(tmp_path / "reviews.db", create=True) as store:
        record(store, taxonomy.load(str(file)), [said, other], task_id="t", benchmark="b")
    for name in GATES:
        ran = reviewer("--taxonomy", file, "agreement", "--require", f"{name}=-1")
        assert (ran.status, "cannot tell" in ran.out) == (1, True), ran.out
    if n == 40 and modes == "yn":
        assert "one task" in reviewer("--taxonomy", file, "agreement", "--require", "kappa=0.6").out
        table = reviewer("--taxonomy", file, "agreement").out
        assert "all of one task: cannot tell" in table
        (pair,) = json.loads(reviewer("--taxonomy", file, "agreement", "--json").out)["pairs"]
        assert pair["strict"] == pair["lenient"]


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--require", "kapa=1"), 1, "kappa, ac1"),
        (("--require", "kappa"), 1, "NAME=VALUE"),
        (("--require", "kappa=nan"), 1, "NAME=VALUE"),
        (("--require", "kappa=2"), 1, "NAME=VALUE"),
        (("--require", "kappa=0", "--pair", "rater 0"), 1, "comma"),
        (("--require", "kappa=0", "--pair", "rater 0,zoe"), 1, "'zoe'"),
        (("--require", "kappa=0", "--pair", "rater 0,rater 0"), 1, "no trace"),
        (("--pair", "rater 0,rater 1"), 2, "--require"),
        (("--rounds", "--require", "kappa=0"), 2, "--rounds"),
        (("--bootstrap", "3"), 2, "100"),
    ],
)
def test_wrong_uses_say_what_is_right(study: Cli, arguments: tuple[str, ...], status: int, said: str) -> None:
    ran = study("agreement", *arguments)
    assert (ran.status, said in ran.err) == (status, True), ran.err
    assert "Traceback" not in ran.err


def test_an_empty_round_reaches_nothing(reviewer: Cli, tmp_path: Path) -> None:
    run = labelled(reviewer, tmp_path, [["y", None], [None, "y"]], ["y", "n"])
    ran = run("agreement", "--require", "kappa=-1")
    assert (ran.status, "No item was rated by two" in ran.out) == (1, True)


def test_resampling_is_seeded_and_stands_beside_the_formula(study: Cli) -> None:
    def drawn(*more: str) -> dict[str, Any]:
        found = json.loads(study("agreement", "--json", "--bootstrap", "400", *more).out)
        assert found["all"]["bootstrap"]["krippendorff_alpha"]["interval"] == "bootstrap_percentile"
        (pair,) = found["pairs"]
        assert pair["interval"] == "score"
        return dict(pair["bootstrap"])

    assert drawn() == drawn("--seed", "1") != drawn("--seed", "2")
    assert drawn()["value"] == pytest.approx(0.4)
    assert drawn()["se"] == pytest.approx(0.13, abs=0.02)
    assert json.loads(study("agreement", "--json").out)["pairs"][0]["bootstrap"] is None


def test_rounds_have_a_line_each_and_a_test(study: Cli, tmp_path: Path) -> None:
    with Store.open(tmp_path / "reviews.db", create=False) as store:
        record(store, taxonomy.load(str(tmp_path / "case.toml")), ("yn" * 15, "yn" * 14 + "ny"), round=2)
    found = json.loads(study("agreement", "--rounds", "--json").out)
    assert [(line["round"], line["n"]) for line in found["rounds"]] == [(1, 50), (2, 30)]
    assert found["rounds"][0]["value"] == pytest.approx(0.4)
    assert found["homogeneity"]["df"] == 1
    assert found["homogeneity"]["p"] < 0.01
    assert "they differ" in study("agreement", "--rounds").out


def test_labels_of_another_version_are_pooled_only_when_asked(study: Cli, tmp_path: Path) -> None:
    file = tmp_path / "next.toml"
    file.write_text(book(["y", "n", "new"]).replace('version = "1"', 'version = "2"'), "utf-8")

    def run(*arguments: object) -> Ran:
        return study("--taxonomy", file, *arguments)

    apart = run("agreement")
    assert "100 labels made under another version" in apart.out
    assert "--across-codebooks" in apart.out
    assert json.loads(run("agreement", "--json").out)["pairs"] == []
    assert run("agreement", "--require", "kappa=0.1").status == 1
    pooled = json.loads(run("agreement", "--json", "--across-codebooks").out)
    assert (pooled["across_codebooks"], pooled["other_versions"]) == (True, 100)
    assert (pooled["pairs"][0]["n"], pooled["pairs"][0]["kappa"]) == (50, pytest.approx(0.4))
    assert "no agreement under one codebook" in run("agreement", "--across-codebooks").out


def test_details_say_why_a_value_has_no_interval(reviewer: Cli, tmp_path: Path) -> None:
    ratings = [["a", ["b", "c"], "a"], ["a", "a", "a"]]
    told = labelled(reviewer, tmp_path, ratings, ["a", "b", "c"])("agreement", "--details").out
    for name in ("strict", "lenient", "MASI", "AC1", "PABAK"):
        (line,) = [line for line in told.splitlines() if name in line and "no interval" in line]
        assert line.endswith(" -     no interval: fewer than five tasks"), line
    (line,) = [line for line in told.splitlines() if line.startswith("rater 0 × rater 1")][:1]
    assert line.endswith("cannot tell (no interval: fewer than five tasks)"), line


def test_an_alpha_of_one_item_has_no_value(reviewer: Cli, tmp_path: Path) -> None:
    told = labelled(reviewer, tmp_path, [["a"], [["b", "c"]]], ["a", "b", "c"])("agreement", "--details").out
    (line,) = [line for line in told.splitlines() if "MASI" in line]
    assert "from one item no chance agreement can be read" in line and "0.00" not in line


def test_an_interval_that_is_cut_at_1_says_so(reviewer: Cli, tmp_path: Path) -> None:
    ratings = [[*"abcabcabcabc"], [*"abcabcabcbca"]]
    told = labelled(reviewer, tmp_path, ratings, ["a", "b", "c"])("agreement", "--details").out
    (line,) = [line for line in told.splitlines() if "MASI" in line]
    assert "to 1.00" in line and line.endswith("cut at 1")
