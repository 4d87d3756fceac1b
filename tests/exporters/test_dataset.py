"""`export dataset`: a folder that `datasets` loads, whose card says what the labels are worth."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reviewer import taxonomy
from reviewer.exporters import columns
from reviewer.exporters.card import Source, licence, plain
from reviewer.store import Store
from tests.conftest import SAMPLES, Ran
from tests.exporters.labelled import filled
from tests.exporters.readers import read_by
from tests.history import SIX, say

Cli = Callable[..., Ran]
_LOADER = """
import json, sys
import datasets
datasets.disable_progress_bars()
found = {}
for name in ("traces", "labels"):
    whole = datasets.load_dataset(sys.argv[1], name)
    found[name] = {split: [dict(row) for row in rows] for split, rows in whole.items()}
assert set(datasets.load_dataset(sys.argv[1])) == set(found["traces"])
print(json.dumps(found))
"""


def files(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("lines", [(), ("--jsonl",)], ids=["parquet", "jsonl"])
def test_datasets_loads_both_configurations(
    store: Store, reviewer: Cli, tmp_path: Path, lines: tuple[str, ...]
) -> None:
    ids = filled(store)
    split = ("--split", "train=0.5,test=0.5", "--seed", 1)
    assert reviewer("export", "dataset", "-o", tmp_path / "ds", *split, *lines).status == 0
    found = read_by("datasets", _LOADER, tmp_path / "ds", home=tmp_path / "home")
    rows = {row["trace_id"]: row for part in found["traces"].values() for row in part}
    assert set(rows) == set(ids.values()) - {ids["child"]}
    assert set(rows[ids["a1"]]) == set(columns.STEPS)
    assert (rows[ids["a1"]]["gold_mode"], len(rows[ids["a1"]]["steps"])) == ("tool_misuse", 6)
    labels = [row for part in found["labels"].values() for row in part]
    assert set(labels[0]) == set(columns.LABELS)
    assert sorted(row["kind"] for row in labels) == ["adjudicate", *["label"] * 5, "note"]
    assert all(
        row["split"] == split for part in found.values() for split, rows in part.items() for row in rows
    )
    assert rows[ids["a1"]]["split"] == rows[ids["a2"]]["split"]


def test_nothing_to_label_loads_too(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    assert reviewer("import", SAMPLES / "plain").status == 0
    folder = tmp_path / "ds"
    assert reviewer("export", "dataset", "-o", folder, "--split", "train=0.999,test=0.001").status == 0
    assert [name for name in files(folder) if name.endswith("parquet")] == ["data/traces/train.parquet"]
    card = (folder / "README.md").read_text()
    assert "| traces | test | 0 |" in card and "split: test" not in card
    code = "import json, datasets, sys; print(json.dumps(len(datasets.load_dataset(sys.argv[1])['train'])))"
    assert read_by("datasets", code, folder, home=tmp_path / "home") == len(store.traces.all())


def test_the_card_says_who_how_far_and_from_where(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    assert reviewer("export", "dataset", "-o", tmp_path / "ds", "--licence", "bench=MIT").status == 0
    card = (tmp_path / "ds" / "README.md").read_text("utf-8")
    for line in (
        'license: "unknown"',  # that of the labels was not said
        "| traces | 5 |",
        "| tasks | 4 |",
        "| labels | 5 |",
        "| annotator 1 × annotator 2 | Cohen's kappa | 2 |",
        "| blind | 4 |",
        "| suggestion | 1 |",
        "| unanimous | 1 |",
        "| adjudicated | 1 |",
        "| bench | traces | 5 | MIT |",
        "| labels | labels | 5 | unknown |",
        f"hash `{SIX.hash}`",
        "Nothing was assigned in this round",
        "- Nothing else was masked",
        'load_dataset("PATH", "labels")',
    ):
        assert line in card, line
    assert "ana" not in card.replace("unanimous", "")
    assert taxonomy.parse((tmp_path / "ds" / "taxonomy.toml").read_text()).hash == SIX.hash
    named = ("--names", "--licence", "bench=MIT", "--licence", "labels=mit", "--force")
    assert reviewer("export", "dataset", "-o", tmp_path / "ds", *named).status == 0
    card = (tmp_path / "ds" / "README.md").read_text("utf-8")
    assert 'license: "mit"' in card and "| ana × ben |" in card


def test_gold_alone_still_says_who_it_rests_on(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    ran = reviewer("export", "dataset", "--gold", "-o", tmp_path / "ds", "--licence", "labels=mit")
    assert ran.status == 0, ran.err
    card = (tmp_path / "ds" / "README.md").read_text("utf-8")
    for line in (
        "| traces | 2 |",
        "| labels behind the gold, not in here | 4 |",
        "| blind | 4 |",
        "| labels | labels | 4 | mit |",
    ):
        assert line in card, line
    assert "| annotator 1 | 2 | 2 | 0 | 0 |" in card and "It is that of the whole round" in card
    assert not (tmp_path / "ds" / "data" / "labels").exists()


def test_a_licence_of_no_source_is_refused_before_anything_is_written(
    store: Store, reviewer: Cli, tmp_path: Path
) -> None:
    filled(store)
    ran = reviewer("export", "dataset", "-o", tmp_path / "ds", "--licence", "benhc=mit")
    assert (ran.status, ran.err) == (1, "reviewer: --licence benhc=…: the sources here are bench, labels\n")
    assert list(tmp_path.glob("ds*")) == []
    assert reviewer("export", "dataset", "-o", tmp_path / "ds", "--licence", "bench").status == 1


def test_one_licence_for_all_or_other_or_unknown() -> None:
    def of(*licences: str) -> str:
        line = licence([Source(f"s{n}", "traces", 1, one) for n, one in enumerate(licences)])
        return line.removeprefix("license: ").strip('"')

    assert [of("MIT", "mit"), of("MIT"), of("mit", "cc0"), of("mit", ""), of()] == [
        *("mit", "mit", "other", "unknown", "unknown"),
    ]


def test_labels_of_a_published_set_carry_its_name_and_licence(reviewer: Cli, tmp_path: Path) -> None:
    assert reviewer("import", SAMPLES / "who_and_when").status == 0
    given = ("--licence", "who-and-when=cc0")
    ran = reviewer("--taxonomy", "who-and-when", "export", "dataset", "-o", tmp_path / "ds", *given)
    assert ran.status == 0, ran.err
    card = (tmp_path / "ds" / "README.md").read_text("utf-8")
    assert "| who-and-when | labels | 2 | cc0 |" in card
    assert "| GAIA | traces | 1 | unknown |" in card and "annotator 1" not in card


def test_foreign_text_in_the_card_is_text_only() -> None:
    assert plain("a | b\n# c <script> [x](y) `z` *b* \x1b[2J") == (
        r"a \| b \# c \<script\> \[x\](y) \`z\` \*b\* \[2J"
    )


def test_only_an_export_is_replaced_and_only_when_told(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    folder = tmp_path / "ds"
    assert reviewer("export", "dataset", "-o", folder).status == 0
    before = {name: (folder / name).read_bytes() for name in files(folder)}
    assert set(json.loads((folder / "reviewer-export.json").read_text())["files"]) < set(before)
    refused = reviewer("export", "dataset", "-o", folder)
    assert refused.status == 1 and "--force replaces it" in refused.err
    (folder / "mine.txt").write_text("precious")
    refused = reviewer("export", "dataset", "-o", folder, "--force")
    assert refused.status == 1 and "mine.txt" in refused.err
    assert before.items() <= {name: (folder / name).read_bytes() for name in files(folder)}.items()
    (folder / "mine.txt").unlink()
    say(store, store.traces.all()[3].trace_id, mode="other")
    assert reviewer("export", "dataset", "-o", folder, "--force").status == 0
    assert (folder / "README.md").read_bytes() != before["README.md"]
    assert sorted(path.name for path in tmp_path.glob("ds*")) == ["ds"]


def test_a_store_a_file_and_a_foreign_folder_stay(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    (tmp_path / "file").write_text("x")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "README.md").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "foreign")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for name in (".", "file", "foreign", "link", "loop", "reviews.db", "no/such/place"):
        for what in ("dataset", "atif"):
            ran = reviewer("export", what, "-o", tmp_path / name, "--force")
            assert (ran.status, ran.err.count("\n")) == (1, 1), ran
    assert (tmp_path / "foreign" / "README.md").read_text() == "mine"
    assert store.problems() == []
    (tmp_path / "empty").mkdir()
    assert reviewer("export", "atif", "-o", tmp_path / "empty").status == 0


def test_what_fails_halfway_leaves_what_was_there(
    store: Store, reviewer: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(store)
    folder = tmp_path / "ds"
    assert reviewer("export", "dataset", "-o", folder).status == 0
    before = {name: (folder / name).read_bytes() for name in files(folder)}

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = reviewer("export", "dataset", "-o", folder, "--force")
    assert (ran.status, "No space left" in ran.err) == (1, True)
    assert before == {name: (folder / name).read_bytes() for name in files(folder)}
    assert sorted(path.name for path in tmp_path.glob("ds*")) == ["ds"]


def test_a_folder_that_cannot_be_moved_into_place_is_put_back(
    store: Store, reviewer: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(store)
    folder = tmp_path / "ds"
    assert reviewer("export", "atif", "-o", folder).status == 0
    before = files(folder)
    rename = Path.rename

    def refused(path: Path, target: Path) -> Path:
        if ".part-" in path.name:
            raise OSError(13, "Permission denied")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", refused)
    assert reviewer("export", "atif", "-o", folder, "--force").status == 1
    assert files(folder) == before
    assert sorted(path.name for path in tmp_path.glob("ds*")) == ["ds"]


def test_a_dataset_of_nothing_is_refused(store: Store, reviewer: Cli, tmp_path: Path) -> None:
    filled(store)
    ran = reviewer("export", "dataset", "--benchmark", "none such", "-o", tmp_path / "ds")
    assert (ran.status, ran.err) == (1, "reviewer: no trace matches, and no loader reads an empty dataset\n")
    assert not (tmp_path / "ds").exists()
