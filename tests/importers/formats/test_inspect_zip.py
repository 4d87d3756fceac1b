"""Archives of Inspect: damaged, encrypted, overlapping, bombs; names that are no paths; Zstandard."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path

import pytest

from reviewer.errors import InputError
from reviewer.importers.finding.files import find, open_source
from reviewer.importers.formats.inspect import archive as inspect_zip
from reviewer.importers.opening import zips
from tests.importers.inspect_logs import HEADER, log, sample
from tests.importers.reading import SAMPLES, read, read_all, reasons, zipped


def test_folders_are_searched_for_logs_and_names_decide_nothing(tmp_path: Path) -> None:
    path = log(tmp_path, sample())
    assert [found.path for found in find([tmp_path]).files] == [path]
    assert len(read(log(tmp_path, sample(), name="lies.traj"))) == 1


def test_a_damaged_sample_costs_that_sample(tmp_path: Path) -> None:
    path = log(tmp_path, sample(1), sample(2), sample(3), **{"samples/4_epoch_1.json": b"{cut"})
    data = bytearray(path.read_bytes())
    at = data.index(b"samples/2_epoch_1.json") + 40
    data[at : at + 6] = b"\0" * 6
    path.write_bytes(data)
    importer, source = open_source(path)
    found = list(importer.read(source))
    assert [item.trace.info.task_id for item in found] == ["1", "3"]
    assert source.lost == 2
    assert "samples/2_epoch_1.json" in reasons(source.notes())
    assert "samples/4_epoch_1.json" in reasons(source.notes())


def test_members_are_never_paths(tmp_path: Path) -> None:
    odd = ["samples/../../up.json", "/abs.json", "samples\\..\\win.json", "samples/inner.eval", "notes.txt"]
    folder = tmp_path / "in"
    folder.mkdir()
    path = log(folder, sample(), **{name: {} for name in odd})
    found, notes = read_all(path)
    assert len(found) == 1
    assert "inner.eval" in reasons(notes)
    assert "up.json" in reasons(notes)
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["x.eval"]


def test_a_bomb_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "UNSUSPECTED", 1 << 20)
    bomb = sample(1, store={"x": "A" * (8 << 20)})
    with pytest.raises(
        InputError, match=r"x\.eval: .*1_epoch_1\.json is lost: refused: .* limit of 250 times"
    ):
        read(log(tmp_path, bomb))
    found, notes = read_all(log(tmp_path, bomb, sample(2)))
    assert len(found) == 1
    assert "refused" in reasons(notes)
    monkeypatch.setattr(zips, "LARGEST", 100)
    with pytest.raises(InputError, match="more than the limit"):
        read(log(tmp_path, sample(1)))


def test_what_comes_out_counts_not_what_is_claimed(tmp_path: Path) -> None:
    data = bytearray(log(tmp_path, sample(1)).read_bytes())
    size = len(json.dumps(sample(1)))
    claim = struct.pack("<I", size)
    while (at := data.find(claim)) >= 0:
        data[at : at + 4] = struct.pack("<I", 3)
    (tmp_path / "x.eval").write_bytes(data)
    assert len(read(tmp_path / "x.eval")) == 1


def test_overlapping_members_are_refused(tmp_path: Path) -> None:
    path = log(tmp_path, sample(1), sample(2))
    data = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        first, second = (archive.getinfo(f"samples/{n}_epoch_1.json").header_offset for n in (1, 2))
    central = data.rindex(b"samples/2_epoch_1.json") - 4
    assert struct.unpack("<I", data[central : central + 4]) == (second,)
    path.write_bytes(data[:central] + struct.pack("<I", first + 4) + data[central + 4 :])
    with pytest.raises(InputError, match=r"x\.eval: refused: members .* overlap"):
        read(path)


@pytest.mark.parametrize("mark", [b"PK\x01\x02"])
def test_an_encrypted_log_is_refused_by_name(tmp_path: Path, mark: bytes) -> None:
    data = bytearray(log(tmp_path, sample()).read_bytes())
    at = -1
    while (at := data.find(mark, at + 1)) >= 0:
        data[at + 8] |= 1
    (tmp_path / "x.eval").write_bytes(data)
    with pytest.raises(InputError, match=r"x\.eval: .*encrypted"):
        read(tmp_path / "x.eval")


def test_a_log_that_is_cut_off_is_called_damaged(tmp_path: Path) -> None:
    path = log(tmp_path, sample())
    path.write_bytes(path.read_bytes()[:-40])
    found, notes = read_all(path)
    assert len(found) == 1
    assert "a damaged zip archive" in reasons(notes)
    path.write_bytes(path.read_bytes()[:60])
    with pytest.raises(InputError, match=r"x\.eval: a damaged zip archive"):
        read(path)
    path.write_bytes(zipped({"word/document.xml": b"<x/>"}))
    with pytest.raises(InputError, match="a zip archive, but no log of Inspect"):
        read(path)


def test_zstandard_members_of_several_frames(tmp_path: Path) -> None:
    zstd = pytest.importorskip("backports.zstd")
    (path,) = SAMPLES.rglob("*.eval")
    with zipfile.ZipFile(path) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zips.ZSTANDARD}
    data = b"one " * 1000 + b"two " * 1000
    packed = zstd.compress(data[:3000]) + zstd.compress(data[3000:])
    name = b"a"
    head = struct.pack("<5H3I2H", 63, 0, 93, 0, 0, zlib.crc32(data), len(packed), len(data), 1, 0)
    local = b"PK\x03\x04" + head + name + packed
    central = b"PK\x01\x02\x3f\x00" + head + struct.pack("<3H2I", 0, 0, 0, 0, 0) + name
    end = b"PK\x05\x06" + struct.pack("<4H2IH", 0, 0, 1, 1, len(central), len(local), 0)
    assert zips.Archive(io.BytesIO(local + central + end)).read("a") == data
    broken = bytearray(local + central + end)
    broken[45] ^= 0xFF
    with pytest.raises(zips.BadMember, match="damaged"):
        zips.Archive(io.BytesIO(bytes(broken))).read("a")


def test_one_sample_is_read_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    whole = zips.Archive.read
    monkeypatch.setattr(
        inspect_zip.Archive, "read", lambda self, name: (seen.append(name), whole(self, name))[1]
    )
    importer, source = open_source(log(tmp_path, sample(1), sample(2)))
    traces = importer.read(source)
    next(iter(traces))
    assert seen == ["header.json", "samples/1_epoch_1.json"]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize("large", [False, True])
def test_samples_before_a_cut_are_read(tmp_path: Path, method: int, large: bool) -> None:
    out = io.BytesIO()
    ends = []
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.writestr("_journal/start.json", json.dumps(HEADER))
        for n in range(4):
            with archive.open(f"samples/{n}_epoch_1.json", "w", force_zip64=large) as member:
                member.write(json.dumps(sample(n)).encode())
            ends.append(out.tell())
    data = out.getvalue()
    path = tmp_path / "x.eval"
    for cut in range(1, len(data), 7):
        path.write_bytes(data[:cut])
        whole = sum(end <= cut for end in ends)
        if not whole:
            with pytest.raises(InputError):
                read(path)
            continue
        importer, source = open_source(path)
        assert [item.trace.info.task_id for item in importer.read(source)] == [str(n) for n in range(whole)]
        assert source.lost == 1
        assert "read is what stands before the cut" in reasons(source.notes())
