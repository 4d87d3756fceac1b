"""The ledger as text for a codebook: whatever people wrote, it loads; what has a rule keeps it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer import taxonomy
from reviewer.study.codebooks import diff
from reviewer.study.ledger import DRAFT, Entry, amended, as_toml, entries
from tests.history import OTHER, SIX, event

MODES = [mode.id for mode in SIX.modes]
reasons = st.text(st.characters(), min_size=1, max_size=30)
ledgers = st.lists(
    st.builds(
        Entry,
        trace_id=st.text(st.characters(), max_size=12),
        mode=st.sampled_from([*MODES, "unknown"]),
        said=st.lists(st.sampled_from([*MODES, "unknown"]), max_size=3).map(tuple),
        reason=reasons,
        note=st.just("") | reasons,
        guideline=st.booleans(),
    ),
    max_size=6,
)


@settings(max_examples=120, deadline=None)
@given(ledgers)
def test_whatever_people_wrote_the_text_is_a_taxonomy(ledger: list[Entry]) -> None:
    grown = taxonomy.parse(amended(SIX.toml, SIX, ledger))
    assert grown.modes == SIX.modes
    assert grown.rather[: len(SIX.rather)] == SIX.rather
    assert (grown.version == SIX.version) is not ledger
    told = " ".join(
        [*(f"{rule.a} {rule.b}" for rule in grown.rather), *(r for s in grown.sections for r in s.rules)]
    )
    for entry in ledger:
        words = " ".join(entry.reason.encode("utf-8", "replace").decode().split())
        assert words in " ".join(told.split())


def test_a_pair_without_a_rule_gets_one_and_a_pair_with_one_a_section() -> None:
    ledger = [
        Entry("t1-a", "other", ("other", "task_broken"), "had a rule"),
        Entry("t1-b", "no_failure", ("no_failure", "other"), "it was fine", guideline=True),
        Entry("t1-c", "other", ("no_failure", "other"), "it was not"),
    ]
    grown = taxonomy.parse(amended(SIX.toml, SIX, ledger))
    (rule,) = grown.rather[len(SIX.rather) :]
    assert (rule.pair, rule.a, rule.b) == (("other", "no_failure"), "it was not", "it was fine")
    assert DRAFT in rule.ask
    (section,) = grown.sections[len(SIX.sections) :]
    assert section.rules == ("other: had a rule",)
    whats = sorted(change.what for change in diff(SIX, grown))
    assert whats == ["changed", "rule added", "section added"]
    assert "GUIDELINE MUST CHANGE" in as_toml(ledger, SIX)


def test_a_mode_against_everybody_is_paired_with_what_most_said() -> None:
    assert Entry("t", "a", ("b", "b", "c"), "r").pair == ("a", "b")
    assert Entry("t", "a", ("a",), "r").pair == ("a",)


def test_without_adjudications_the_text_stays_as_it_is() -> None:
    assert amended(SIX.toml, SIX, []) == SIX.toml
    assert as_toml([], SIX) == ""


def test_the_version_grows_in_the_text_whatever_its_form() -> None:
    entry = Entry("t", "x", ("other",), "r")
    assert taxonomy.parse(amended(OTHER.toml, OTHER, [entry])).version == "2"
    named = taxonomy.parse(OTHER.toml.replace('"1"', "'beta'"))
    assert taxonomy.parse(amended(named.toml, named, [entry])).version == "beta.1"


def test_entries_put_a_change_of_the_guideline_first() -> None:
    labels = [event("t1-a", mode="other"), event("t1-a", mode="no_failure", who="ben")]
    made = [
        event("t1-a", "adjudicate", "other", reason="r", note="n"),
        event("t1-b", "adjudicate", "other", reason="s", guideline=True),
    ]
    first, second = entries(made, {"t1-a": labels})
    assert (first.trace_id, first.said, first.guideline) == ("t1-b", (), True)
    assert (second.said, second.reason, second.note) == (("no_failure", "other"), "r", "n")
