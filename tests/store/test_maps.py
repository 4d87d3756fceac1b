"""The maps between codebooks travel with the labels that are read by them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reviewer.store import Store, maps
from reviewer.taxonomy import Edge
from tests.conftest import SAMPLES, Ran

Cli = Callable[..., Ran]
BOOK = 'id = "{id}"\nversion = "1"\n[[mode]]\nid = "{mode}"\n[[mode]]\nid = "same"\n'


@pytest.fixture
def lab(reviewer: Cli, tmp_path: Path) -> Path:
    """A store whose codebook became one of another id; two people labelled under the first one."""
    lab = tmp_path / "lab.db"
    for id, mode in (("old", "a"), ("new", "b")):
        (tmp_path / f"{id}.toml").write_text(BOOK.format(id=id, mode=mode))
    (tmp_path / "map.toml").write_text('a = "b"\n')
    here = ("--store", lab)
    assert reviewer(*here, "import", SAMPLES / "mini_swe_agent").status == 0
    assert reviewer(*here, "taxonomy", "use", tmp_path / "old.toml").status == 0
    trace = json.loads(reviewer(*here, "traces", "--json").out)[0]["id"]
    for name in ("ana", "ben"):
        assert reviewer(*here, "annotate", trace, "a", "--as", name).status == 0
    given = ("taxonomy", "use", tmp_path / "new.toml", "--map", tmp_path / "map.toml")
    assert reviewer(*here, *given).status == 0
    return lab


def carried(reviewer: Cli, store: Path, tmp_path: Path) -> list[Any]:
    """The gold modes of a store under the new codebook, with earlier labels carried."""
    given = ("--taxonomy", tmp_path / "new.toml", "export", "jsonl", "--gold", "--carry")
    rows = [json.loads(line) for line in reviewer("--store", store, *given).out.splitlines()]
    return [row["gold"]["mode"] for row in rows]


def test_a_merge_brings_the_maps(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    assert carried(reviewer, lab, tmp_path) == ["b"]
    other = tmp_path / "other.db"
    ran = reviewer("--store", other, "merge", lab)
    assert (ran.status, "maps         1 new, 0 known" in ran.out) == (0, True), ran.err
    assert carried(reviewer, other, tmp_path) == ["b"]
    assert "maps         0 new, 1 known" in reviewer("--store", other, "merge", lab).out


def test_the_text_of_a_store_holds_the_maps(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.store", tmp_path / "two.store"]
    assert reviewer("--store", lab, "export", "store", "-o", files[0]).status == 0
    other = tmp_path / "other.db"
    assert reviewer("--store", other, "import", files[0]).status == 0
    assert carried(reviewer, other, tmp_path) == ["b"]
    assert reviewer("--store", other, "export", "store", "-o", files[1]).status == 0
    told = [[line for line in file.read_text().splitlines() if '"map"' in line] for file in files]
    assert told[0] == told[1] and len(told[0]) == 1


def test_a_label_file_holds_the_maps(reviewer: Cli, lab: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    assert reviewer("--store", lab, "export", "labels", "-o", files[0]).status == 0
    other = tmp_path / "other.db"
    assert reviewer("--store", other, "import", SAMPLES / "mini_swe_agent").status == 0
    ran = reviewer("--store", other, "import", files[0])
    assert (ran.status, "1 new map," in ran.out) == (0, True), ran.err
    assert carried(reviewer, other, tmp_path) == ["b"]
    assert "nothing new" in reviewer("--store", other, "import", files[0]).out
    assert reviewer("--store", other, "export", "labels", "-o", files[1]).status == 0
    assert files[0].read_bytes() == files[1].read_bytes()


def test_another_map_in_a_label_file_is_told_and_the_one_here_stays(
    reviewer: Cli, lab: Path, tmp_path: Path
) -> None:
    file = tmp_path / "labels.jsonl"
    assert reviewer("--store", lab, "export", "labels", "-o", file).status == 0
    text = file.read_text()
    assert text.count('[["a", ["b"]]]') == 1
    file.write_text(text.replace('[["a", ["b"]]]', '[["a", ["same"]]]'))
    ran = reviewer("--store", lab, "import", file)
    assert (ran.status, "have another map there; the one here stays" in ran.err) == (0, True)
    assert carried(reviewer, lab, tmp_path) == ["b"]


@pytest.mark.parametrize("value", ["{}", '[["a"]]', '[["a", "b"]]', '[["a b", []]]', '[["a", [3]]]'])
def test_a_damaged_map_in_a_label_file_costs_its_line(
    reviewer: Cli, lab: Path, tmp_path: Path, value: str
) -> None:
    file = tmp_path / "labels.jsonl"
    assert reviewer("--store", lab, "export", "labels", "-o", file).status == 0
    file.write_text(file.read_text().replace('[["a", ["b"]]]', value))
    ran = reviewer("--store", tmp_path / "other.db", "import", file)
    assert (ran.status, ran.err.count("refused: 'map' must be")) == (1, 1)
    assert "2 new events" in ran.out


def test_another_map_for_the_same_change_is_told_and_the_one_here_stays(
    reviewer: Cli, lab: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.db"
    with Store.open(lab) as store:
        (edge,) = maps.edges(store.settings)
    with Store.open(other, create=True) as store, store.write():
        maps.keep(store.settings, Edge(edge.old, edge.new, (("a", ("same",)),)), now="-")
    ran = reviewer("--store", other, "merge", lab)
    assert (ran.status, "have another map there; the one here stays" in ran.err) == (0, True)
    with Store.open(other) as store:
        assert maps.edges(store.settings)[0].map == (("a", ("same",)),)


@pytest.mark.parametrize(
    "value", ["{", "3", '[["x"]]', '[["a b", "c", []]]', '[["a", "b", [["m", "n"]]]]', '[["a", "b", 3]]']
)
def test_a_damaged_map_costs_itself(reviewer: Cli, lab: Path, tmp_path: Path, value: str) -> None:
    with Store.open(lab) as store:
        store.settings.set(maps.KEY, value, now="-")
    ran = reviewer("--store", tmp_path / "other.db", "merge", lab)
    assert ran.status == 1
    assert ran.err.count("refused") == 1 and "codebooks" in ran.err
    assert "events       2 new" in ran.out
