"""Versions of a codebook: what differs, what becomes of old labels, and the way back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer import taxonomy
from reviewer.errors import TaxonomyError
from reviewer.study.codebooks import Fate, diff, inverse, passages, through, unmapped
from reviewer.taxonomy import ModesMap, Taxonomy

IDS = ("burnt", "raw", "salty", "late", "eaten")


def book(modes: dict[str, str], rules: dict[tuple[str, str], str] | None = None, more: str = "") -> Taxonomy:
    """A codebook of modes with definitions, and rules with their question."""
    text = f'id = "kitchen"\nversion = "1"\n{more}'
    for id, definition in modes.items():
        text += f"[[mode]]\nid = {json.dumps(id)}\ndefinition = {json.dumps(definition)}\n"
    for (a, b), ask in (rules or {}).items():
        text += f'[[rather]]\npair = ["{a}", "{b}"]\nask = {json.dumps(ask)}\na = "x"\nb = "y"\n'
    return taxonomy.parse(text)


BEFORE = book({"burnt": "Black.", "raw": "Cold.", "late": "Too late."}, {("burnt", "raw"): "Hot?"})
books = st.dictionaries(st.sampled_from(IDS), st.text("ab", max_size=2), min_size=1).map(book)


@settings(max_examples=60, deadline=None)
@given(books)
def test_a_codebook_does_not_differ_from_itself(one: Taxonomy) -> None:
    again = taxonomy.parse("# a comment\n" + one.toml)
    assert diff(one, again) == ()
    assert {passage.fate for passage in passages(one, again).values()} == {"unchanged"}
    assert all(passage.carried == id and not passage.touched for id, passage in passages(one, again).items())


@pytest.mark.parametrize("id", taxonomy.available())
def test_no_shipped_codebook_differs_from_itself(id: str) -> None:
    assert diff(taxonomy.load(id), taxonomy.load(id)) == ()


@settings(max_examples=60, deadline=None)
@given(books, books)
def test_what_differs_is_told(one: Taxonomy, other: Taxonomy) -> None:
    same = [(mode.id, mode.definition) for mode in one.modes] == [(m.id, m.definition) for m in other.modes]
    assert bool(diff(one, other)) is not same


@settings(max_examples=60, deadline=None)
@given(st.permutations(IDS), st.permutations(IDS))
def test_a_renaming_and_its_inverse_lead_back(old_ids: list[str], new_ids: list[str]) -> None:
    old = book({id: f"definition of {n}" for n, id in enumerate(old_ids)})
    new = book({f"new_{id}": f"definition of {n}" for n, id in enumerate(new_ids)})
    mapped: ModesMap = tuple((a, (f"new_{b}",)) for a, b in zip(old_ids, new_ids, strict=True))
    there = passages(old, new, mapped)
    assert {passage.fate for passage in there.values()} == {"renamed"}
    back = passages(new, old, inverse(mapped, old))
    whole = through(there, back)
    assert {id: passage.carried for id, passage in whole.items()} == {id: id for id in old_ids}
    assert {passage.fate for passage in whole.values()} == {"unchanged"}
    assert inverse(inverse(mapped, old), new) == mapped


RAW, LATE = {"raw": "Cold."}, {"late": "Too late."}
REST = RAW | LATE
FATES: dict[str, tuple[dict[str, str], ModesMap, str, Fate, bool, str]] = {
    "rename": (
        {"charred": "Black."} | REST,
        (("burnt", ("charred",)),),
        "burnt",
        "renamed",
        False,
        "charred",
    ),
    "merge": ({"bad": "B."} | LATE, (("burnt", ("bad",)), ("raw", ("bad",))), "raw", "merged", False, "bad"),
    "merge into one that stays": (
        REST,
        (("burnt", ("raw",)), ("raw", ("raw",))),
        "raw",
        "merged",
        False,
        "raw",
    ),
    "split": ({"a": "", "b": ""} | REST, (("burnt", ("a", "b")),), "burnt", "split", True, ""),
    "dropped": (REST, (("burnt", ()),), "burnt", "dropped", True, ""),
    "gone": (REST, (), "burnt", "gone", True, ""),
    "changed": ({"burnt": "Brown."} | REST, (), "burnt", "changed", True, ""),
    "said to be the same": (
        {"burnt": "Brown."} | REST,
        (("burnt", ("burnt",)),),
        *("burnt", "changed", True, "burnt"),
    ),
    "untouched": ({"burnt": "Brown."} | REST, (), "late", "unchanged", False, "late"),
}


@pytest.mark.parametrize(
    ("modes", "mapped", "of", "fate", "touched", "carried"), FATES.values(), ids=FATES.keys()
)
def test_what_becomes_of_a_mode(
    modes: dict[str, str], mapped: ModesMap, of: str, fate: Fate, touched: bool, carried: str
) -> None:
    first = next(iter(modes))
    rules = {(first if first not in ("raw", "late") else "burnt", "raw"): "Hot?"}
    kept = {pair: ask for pair, ask in rules.items() if set(pair) <= set(modes)}
    found = passages(BEFORE, book(modes, kept), mapped)[of]
    assert (found.fate, found.touched, found.carried) == (fate, touched, carried)


def test_a_rule_touches_both_its_modes_and_nobody_else() -> None:
    modes = {mode.id: mode.definition for mode in BEFORE.modes}
    found = passages(BEFORE, book(modes, {("burnt", "raw"): "Warm?"}))
    assert {id for id, passage in found.items() if passage.touched} == {"burnt", "raw"}
    turned = 'id = "kitchen"\nversion = "1"\n' + "".join(
        f'[[mode]]\nid = "{id}"\ndefinition = "{text}"\n' for id, text in modes.items()
    )
    turned += '[[rather]]\npair = ["raw", "burnt"]\nask = "Hot?"\na = "y"\nb = "x"\n'
    same = taxonomy.parse(turned)  # the same rule, told from the other side
    assert not any(passage.touched for passage in passages(BEFORE, same).values())
    assert diff(BEFORE, same) == ()


def test_a_split_leaves_the_neighbours_alone_whose_rule_one_part_keeps() -> None:
    new = book({"crust": "a", "black": "b", "raw": "Cold.", "late": "Too late."}, {("crust", "raw"): "Hot?"})
    found = passages(BEFORE, new, (("burnt", ("crust", "black")),))
    assert {id for id, passage in found.items() if passage.touched} == {"burnt"}


def test_two_changes_in_a_row_are_one_passage() -> None:
    middle = book({"bad": "Bad.", "late": "Too late."})
    last = book({"awful": "Bad.", "late": "Far too late."})
    first = passages(BEFORE, middle, (("burnt", ("bad",)), ("raw", ("bad",))))
    whole = through(first, passages(middle, last, (("bad", ("awful",)),)))
    assert (whole["burnt"].fate, whole["burnt"].carried, whole["burnt"].touched) == ("merged", "awful", False)
    assert (whole["late"].fate, whole["late"].carried, whole["late"].touched) == ("changed", "", True)


def test_nobody_said_what_an_old_mode_is() -> None:
    new = book({"charred": "Black.", "late": "Too late."})
    assert unmapped(BEFORE, new, ()) == ["burnt", "raw"]
    assert unmapped(BEFORE, new, (("burnt", ("charred",)), ("raw", ()))) == []


def test_a_map_may_stand_in_the_codebook_and_is_checked_there() -> None:
    modes = '[[mode]]\nid = "bad"\n[[mode]]\nid = "worse"\n'
    head = 'id = "k"\nversion = "2"\n'
    one = taxonomy.parse(f'{head}{modes}[map]\nburnt = "bad"\nraw = ["bad", "worse"]\nlate = ""\n')
    assert one.map == (("burnt", ("bad",)), ("raw", ("bad", "worse")), ("late", ()))
    assert taxonomy.restore(one.data, one.toml, one.hash).map == one.map
    for wrong, why in [
        ('burnt = "bda"', "no mode 'bda': did you mean bad"),
        ("burnt = 3", "must be text"),
        ('burnt = ["bad", "bad"]', "stands twice"),
        ('"two words" = "bad"', "is no id"),
    ]:
        with pytest.raises(TaxonomyError, match=why):
            taxonomy.parse(f"{head}{modes}[map]\n{wrong}\n")
    with pytest.raises(TaxonomyError, match="must be a table"):
        taxonomy.parse(f'{head}map = "x"\n{modes}')
