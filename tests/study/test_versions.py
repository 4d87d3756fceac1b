"""Two versions of one codebook: only what was labelled under exactly this one counts, the rest is told."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer import taxonomy
from reviewer.label import LabelEvent
from reviewer.store import Store
from reviewer.study.agreement import agreement
from reviewer.study.current import current
from reviewer.study.overview import overview
from reviewer.study.rows import labelled_traces
from reviewer.taxonomy import Taxonomy
from tests.conftest import SAMPLES, Ran
from tests.history import put, say, session

TEXT = 'id = "two"\nversion = "{}"\n[[mode]]\nid = "x"\n[[mode]]\nid = "other"\n'
OLD, NEW = taxonomy.parse(TEXT.format(1)), taxonomy.parse(TEXT.format(2))


def under(
    version: Taxonomy, store: Store, trace: str, who: str, mode: str = "x", kind: str = "label"
) -> None:
    more = {"taxonomy": version.id, "taxonomy_hash": version.hash}
    say(store, trace, kind, mode, who, **more)  # type: ignore[arg-type]


def statuses(store: Store, version: Taxonomy) -> list[str]:
    return [row.gold.status for row in labelled_traces(store, version, 1)]


def counts(store: Store, version: Taxonomy) -> tuple[int, int, int]:
    """(pairs of blind labels, labels that count, labels of another version)."""
    found = agreement(store, version, 1)
    told = overview(store, version)
    assert found.other_versions == told["other_versions"] == current(store, version, 1).other_versions
    return sum(pair.found.n for pair in found.pairs), told["labels"], told["other_versions"]


def test_the_two_versions_share_a_name_and_nothing_else() -> None:
    assert OLD.id == NEW.id
    assert OLD.hash != NEW.hash


def test_labels_of_an_old_version_are_neither_agreement_nor_gold_and_are_counted(store: Store) -> None:
    trace = put(store, session(["a"]))
    under(OLD, store, trace, "ana")
    under(OLD, store, trace, "ben")
    assert (counts(store, OLD), statuses(store, OLD)) == ((1, 2, 0), ["unanimous"])
    assert (counts(store, NEW), statuses(store, NEW)) == ((0, 0, 2), ["none"])


def test_a_label_of_each_version_is_no_pair_and_no_disagreement(store: Store) -> None:
    trace = put(store, session(["a"]))
    under(OLD, store, trace, "ana", "x")
    under(NEW, store, trace, "ben", "other")
    for version in (OLD, NEW):
        assert (counts(store, version), statuses(store, version)) == ((0, 1, 1), ["single"])
        assert overview(store, version)["disagreements"] == 0


def test_who_labels_again_under_the_new_version_counts_there(store: Store) -> None:
    trace = put(store, session(["a"]))
    for who in ("ana", "ben"):
        under(OLD, store, trace, who)
        under(NEW, store, trace, who, "other")
    assert (counts(store, NEW), statuses(store, NEW)) == ((1, 2, 0), ["unanimous"])


def test_an_adjudication_of_an_old_version_is_no_gold_of_the_new_one(store: Store) -> None:
    trace = put(store, session(["a"]))
    under(OLD, store, trace, "ana", kind="adjudicate")
    assert statuses(store, OLD) == ["adjudicated"]
    found = current(store, NEW, 1)
    assert (statuses(store, NEW), found.other_versions, found.other_settled) == (["none"], 0, 1)


def test_flags_and_notes_belong_to_the_trace_whatever_the_version(store: Store) -> None:
    trace = put(store, session(["a"]))
    under(OLD, store, trace, "ana", kind="flag")
    assert (overview(store, NEW)["flagged"], overview(store, NEW)["other_versions"]) == (1, 0)


def test_status_tells_how_many_labels_it_left_out(reviewer: Callable[..., Ran], tmp_path: Path) -> None:
    files = [tmp_path / "v1.toml", tmp_path / "v2.toml"]
    for number, file in enumerate(files, 1):
        file.write_text(TEXT.format(number))
    reviewer("import", SAMPLES / "plain")
    trace = json.loads(reviewer("traces", "--json").out)[0]["id"]
    for file, who in ((files[0], "ana"), (files[0], "ben"), (files[1], "cleo")):
        assert reviewer("--taxonomy", file, "annotate", trace, "x", "--as", who).status == 0
    found = [json.loads(reviewer("--taxonomy", file, "status", "--json").out) for file in files]
    assert [(one["labels"], one["other_versions"]) for one in found] == [(2, 1), (1, 2)]
    assert "2  other_versions" in reviewer("--taxonomy", files[1], "status").out


@pytest.mark.parametrize("version", [OLD, NEW])
def test_every_label_is_in_exactly_one_of_the_two(store: Store, version: Taxonomy) -> None:
    traces = [put(store, session(["a"], first)) for first in ("one", "two", "three")]
    for place, trace in enumerate(traces):
        under((OLD, NEW)[place % 2], store, trace, "ana")
    counted: list[LabelEvent] = current(store, version, 1).labels
    assert len(counted) + current(store, version, 1).other_versions == 3
    assert {event.taxonomy_hash for event in counted} == {version.hash}
