"""Open coding: notes in groups, out to a file and back, and a taxonomy that can be used."""

import random
import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer import taxonomy_file
from reviewer.errors import InputError, NotFound
from reviewer.store import Store
from reviewer.study import coding, coding_files, ledger
from reviewer.study.coding import Group, Note, chosen, groups, notes, put
from tests.history import OTHER, PEOPLE, SIX, now, say
from tests.history import put as put_trace
from tests.history import session as session_of

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
ANA, BEN = PEOPLE["ana"].id, PEOPLE["ben"].id


def noted(store: Store, *texts: str, who: str = "ana") -> list[str]:
    """A trace for each text, with a note of `who`; the ids of the traces."""
    traces = [put_trace(store, session_of(["x"], first=f"{who} {n}")) for n in range(len(texts))]
    for trace, text in zip(traces, texts, strict=True):
        say(store, trace, "note", who=who, note=text, step_n=1)
    return traces


def names(store: Store, viewer: str = "") -> dict[str, str]:
    return {note.text: note.code for note in notes(store, SIX, 1, viewer)}


def test_alike_notes_are_listed_once_and_groups_come_first(store: Store) -> None:
    noted(store, "loops", "Loops ", "guesses", "gave up")
    found = notes(store, SIX, 1)
    assert [len(group.notes) for group in groups(found)] == [2, 1, 1]
    assert put(store, chosen(found, [], "gave"), "quits", by=ANA, now=now) == 1
    made = groups(notes(store, SIX, 1))
    assert [(group.code, len(group.notes)) for group in made][:2] == [("quits", 1), ("", 2)]


def test_an_id_stands_for_all_notes_with_the_same_words(store: Store) -> None:
    noted(store, "loops", "LOOPS", "guesses")
    found = notes(store, SIX, 1)
    full = [note.id for note in found]
    assert [note.text for note in chosen(found, [full[0]])] == ["loops", "LOOPS"]


def test_groups_merge_are_renamed_and_dissolved(store: Store) -> None:
    noted(store, "a one", "a two", "b one")
    put(store, chosen(notes(store, SIX, 1), [], "a"), "first", by=ANA, now=now)
    put(store, chosen(notes(store, SIX, 1), [], "b"), "second", by=ANA, now=now)
    put(store, chosen(notes(store, SIX, 1), ["first", "second"]), "both", by=ANA, now=now)
    assert set(names(store).values()) == {"both"}
    assert put(store, chosen(notes(store, SIX, 1), ["both"]), "", by=ANA, now=now) == 3
    assert set(names(store).values()) == {""}
    with pytest.raises(NotFound, match="no note and no group 'both'"):
        chosen(notes(store, SIX, 1), ["both"])
    with pytest.raises(NotFound, match="no note holds"):
        chosen(notes(store, SIX, 1), [], "zebra")


def test_a_note_that_is_written_anew_keeps_its_group(store: Store) -> None:
    (trace,) = noted(store, "loops")
    put(store, notes(store, SIX, 1), "circles", by=ANA, now=now)
    say(store, trace, "note", note="loops without learning")
    say(store, trace, "note", note="loops without learning from the error")
    assert names(store) == {"loops without learning from the error": "circles"}


def test_notes_under_any_codebook_are_there_and_those_of_another_round_are_not(store: Store) -> None:
    (trace,) = noted(store, "before the codebook")
    say(store, trace, "note", note="later", round=2)
    assert [note.text for note in notes(store, OTHER, 1)] == ["before the codebook"]


def test_of_traces_without_ones_label_one_sees_ones_own_notes_and_groups_only(store: Store) -> None:
    (mine,) = noted(store, "my note")
    (theirs,) = noted(store, "their note", who="ben")
    say(store, mine, "note", who="ben", note="their note on mine")
    put(store, notes(store, SIX, 1), "what ben thinks", by=BEN, now=now)
    assert names(store, ANA) == {"my note": ""}
    put(store, chosen(notes(store, SIX, 1), [], "my"), "what I think", by=ANA, now=now)
    assert names(store, ANA) == {"my note": "what I think"}
    say(store, theirs, who="ana")
    assert names(store, ANA) == {"my note": "what I think", "their note": "what ben thinks"}


texts = st.text(min_size=1, max_size=40).filter(lambda text: text.strip())
codes = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=30)


@st.composite
def some_notes(draw: st.DrawFn) -> list[Note]:
    found = []
    for n in range(draw(st.integers(1, 12))):
        text = draw(st.one_of(texts, st.text(st.characters(), min_size=1, max_size=20)))
        code = draw(st.one_of(st.just(""), codes.filter(lambda text: bool(text.strip()))))
        name = " ".join(code.split())
        step = draw(st.one_of(st.none(), st.integers(1, 99)))
        found.append(
            Note(f"e{n}", text, f"t1-{n:08}", step, ANA, "a\u202ena", name if name.isprintable() else "")
        )
    return found


@CALM
@given(some_notes())
def test_the_file_for_an_editor_comes_back_as_it_was(found: list[Note]) -> None:
    text = coding_files.written(groups(found))
    text.encode()
    back = coding_files.read(text, "codes.toml", found)
    assert {note.id: code for note, code in back} == {
        note.id: coding.name_of(note.code) if note.code else "" for note in found
    }


@CALM
@given(some_notes())
def test_a_draft_can_always_be_used(found: list[Note]) -> None:
    made = groups(found)
    named = [group for group in made if group.code]
    if not named:
        with pytest.raises(InputError, match="no group"):
            coding_files.drafted(made, "draft", "")
        return
    one = taxonomy_file.parse(coding_files.drafted(made, "draft", "My modes"), "draft.toml")
    known = [group.code for group in named]
    last = [] if coding_files.slug("other") in map(coding_files.slug, known) else ["Other failure"]
    assert [mode.name for mode in one.failures] == [*known, *last] and one.has("other")
    assert {mode.id for mode in one.failures if mode.name in known} <= set(ledger.drafts(one))
    assert {mode.id for mode in one.modes if not mode.failure} == {
        "no_failure",
        "task_broken",
        "not_an_attempt",
        "cannot_tell",
    }
    assert all(mode.definition and (mode.examples or mode.id == "other") for mode in one.failures)


def test_many_groups_make_a_usable_taxonomy_too() -> None:
    several = [Note(f"e{n}", f"note {n}", "t1-0", 3, ANA, "ana", f"Group {n}!") for n in range(40)]
    random.Random(1).shuffle(several)
    one = taxonomy_file.parse(coding_files.drafted(groups(several), "draft", ""), "draft.toml")
    assert len(one.failures) == 41 and one.failures[-1].id == "other"
    assert one.failures[0].id.startswith("group_")
    assert one.failures[0].examples[0].startswith("note ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x", "not TOML"),
        ("a = 1", r"no \[\[group\]\]"),
        ('group = "x"', r"no \[\[group\]\]"),
        ("[[group]]\nname = 3\nnotes = []", "'name' must be text"),
        ('[[group]]\nname = "a"\nnotes = ["zz"]', "no note 'zz'"),
        ('[[group]]\nname = "a"\nnotes = [["e1"]]', "no note"),
        ('[[group]]\nname = "a"\nnotes = ["e1", "e1"]', "stands in two groups"),
        ('[[group]]\nname = "a\\u0007"\nnotes = ["e1"]', "printable"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_by_its_place(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        coding_files.read(text, "codes.toml", [Note("e1", "x", "t1-0", None, ANA, "ana")])


@CALM
@given(st.text())
def test_a_quoted_text_is_one_line_of_toml(text: str) -> None:
    made = coding_files.quoted(text)
    assert "\n" not in made and made.isprintable()
    back = tomllib.loads(f"x = {made}")["x"]
    assert back == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") or any(
        "\ud800" <= sign <= "\udfff" for sign in text
    )


def test_groups_are_named_in_print() -> None:
    assert coding.name_of("  runs \n in  circles ") == "runs in circles"
    for bad in ("", "  ", "x" * 200, "a\x07"):
        with pytest.raises(InputError):
            coding.name_of(bad)
    assert Group("x", ()).traces == ()
