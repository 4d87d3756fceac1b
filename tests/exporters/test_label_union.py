"""Two branches of a label file, line by line in any order, say together what a merge of their stores says."""

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reviewer import cli
from reviewer.exporters.labels import lines
from reviewer.store import Store
from tests.history import NUMBERS, now
from tests.store.test_links import PLAYS, counted, play


def exported(store: Store) -> list[str]:
    history, people = store.history, store.labels.annotators().values()
    events, links = store.labels.events(), store.labels.links.all()
    return list(lines(history.taxonomies(), people, events, history.exposures(), links))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=PLAYS, mine=PLAYS, theirs=PLAYS, random=st.randoms(), torn=st.booleans())
def test_the_union_of_two_branches_is_a_merge(
    tmp_path: Path, before: list[Any], mine: list[Any], theirs: list[Any], random: Any, torn: bool
) -> None:
    folder = tmp_path / f"{next(NUMBERS)}"
    folder.mkdir()
    with Store.open(folder / "a.db", create=True) as a:
        play(a, before)
        a.backup(folder / "b.db")
        with Store.open(folder / "b.db") as b:
            play(a, mine)
            play(b, theirs)
            ours, others = exported(a), exported(b)
            a.merge(b.path, now=now())
        whole, text = counted(a), exported(a)
    rest = [*ours[1:], *others[1:]]
    random.shuffle(rest)
    if torn:
        rest = ["<<<<<<< HEAD\n", *ours[1:], "=======\n", *others[1:], ">>>>>>> theirs\n"]
    file = folder / "labels.jsonl"
    file.write_text("".join([ours[0], *rest]))
    assert cli.run(["--store", str(folder / "c.db"), "import", str(file)]) == 0
    with Store.open(folder / "c.db") as c:
        assert counted(c) == whole
        assert exported(c) == text
