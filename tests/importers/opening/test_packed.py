"""Packed files: read as what is in them, as far as they go, and never further than is safe."""

from __future__ import annotations

import gc
import gzip
import io
import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from reviewer.errors import InputError
from reviewer.importers.finding.files import find, open_source
from reviewer.importers.opening import line_files
from reviewer.importers.opening import packed as packed_files
from reviewer.importers.opening.packed import Kept, spooled
from tests.importers.reading import SAMPLES, read, read_all, reasons

SAMPLE = SAMPLES / "openai_chat" / "greenhouse.jsonl"
PACK: dict[str, Any] = {"gz": gzip.compress, "zst": zstd.compress}


def packed(folder: Path, ending: str, data: bytes, name: str = "run.jsonl") -> Path:
    path = folder / f"{name}.{ending}"
    path.write_bytes(PACK[ending](data))
    return path


@pytest.mark.parametrize("ending", PACK)
def test_a_packed_file_is_the_same_trace(tmp_path: Path, ending: str) -> None:
    found = read(packed(tmp_path, ending, SAMPLE.read_bytes()))
    assert [one.trace.info.trace_id for one in found] == [one.trace.info.trace_id for one in read(SAMPLE)]
    assert [one.trace.raw for one in found] == [one.trace.raw for one in read(SAMPLE)]


@pytest.mark.parametrize("ending", PACK)
def test_large_ones_are_read_line_by_line(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_files, "LARGE", 10)
    path = packed(tmp_path, ending, SAMPLE.read_bytes())
    assert len(read(path)) == len(read(SAMPLE))


@pytest.mark.parametrize("ending", PACK)
def test_what_is_cut_off_gives_what_came_before(tmp_path: Path, ending: str) -> None:
    chance = random.Random(1)
    rows = [{"messages": [{"role": "user", "content": chance.randbytes(1000).hex()}]} for _ in range(400)]
    path = packed(tmp_path, ending, "".join(json.dumps(row) + "\n" for row in rows).encode())
    path.write_bytes(path.read_bytes()[:-200])
    found, notes = read_all(path)
    assert 0 < len(found) < 400
    assert "cut off after" in reasons(notes)


@pytest.mark.parametrize("ending", PACK)
def test_bombs_and_ruins_are_refused_by_name(tmp_path: Path, ending: str) -> None:
    bomb = packed(tmp_path, ending, b" " * 40_000_000)
    with pytest.raises(InputError, match=r"run\.jsonl\.\w+: refused: .* unpack to more than"):
        read(bomb)
    bomb.write_bytes(bomb.read_bytes()[:6] + b"no such data at all")
    with pytest.raises(InputError, match=r"run\.jsonl\.\w+: (damaged|the file is empty)"):
        read(bomb)


@pytest.mark.parametrize("head", [b"SQLite format 3\x00", b"PAR1"])
@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_what_has_to_be_a_file_of_its_own_is_to_be_unpacked(tmp_path: Path, head: bytes, ending: str) -> None:
    data = head + bytes(200)
    path = tmp_path / f"x.db{ending}"
    path.write_bytes(gzip.compress(data) if ending == ".gz" else zstd.compress(data))
    with pytest.raises(InputError, match="in a packed file is not read: unpack it first"):
        open_source(path)


def test_a_folder_is_searched_for_them(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.traj.zst", "c.txt.gz", ".d.json.gz", "e.gz"):
        (tmp_path / name).touch()
    assert [file.path.name for file in find([tmp_path]).files] == ["a.jsonl.gz", "b.traj.zst"]


@pytest.mark.parametrize("large", [False, True])
def test_what_comes_through_a_pipe_is_held_or_kept(large: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_files, "LARGE", 10 if large else 1 << 30)
    data = SAMPLE.read_bytes()
    kept = spooled(io.BytesIO(data), 1 << 30)
    assert (isinstance(kept, Kept), len(kept)) == (large, len(data))
    importer, source = open_source(Path("-"), data=kept)
    place = kept.path if isinstance(kept, Kept) else SAMPLE
    assert place.is_file()
    found = [one.trace.info.trace_id for one in importer.read(source)]
    assert found == [one.trace.info.trace_id for one in read(SAMPLE)]
    del kept, source, importer
    gc.collect()
    assert place.exists() is not large


def test_no_more_of_a_pipe_is_read_than_may_be_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_files, "LARGE", 10)
    monkeypatch.setattr(packed_files, "CHUNK", 7)
    kept = spooled(io.BytesIO(b"x" * 1000), 50)
    assert 50 < len(kept) < 60


def test_a_full_disk_is_an_error_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(prefix: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with pytest.raises(InputError, match=r"run\.jsonl\.gz: .*No space left on device.*TMPDIR"):
        read(packed(tmp_path, "gz", SAMPLE.read_bytes()))
