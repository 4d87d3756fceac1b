"""Real records in which one value is of another type: every sniffer and reader takes it, or says why not.

Each place of each sample (a path of keys, elements of a list being one place) gets one wrong value; which
one is the same at every run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reviewer.errors import InputError
from reviewer.importers import FORMATS, LABELS, importer
from reviewer.importers.base import Source
from reviewer.importers.finding.companions import companion
from reviewer.importers.opening.decode import decode
from tests.importers.reading import SAMPLES

WRONG: tuple[Any, ...] = ([], {}, None, 5, "x", [[]], {"type": []})
FOLDERS = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())


class Spot(NamedTuple):
    """Where a value stands: the path of keys as text, and the container that holds it."""

    path: str
    holder: Any
    key: Any


def spots(value: Any, path: str = "") -> Iterator[Spot]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        here = f"{path}.{key}" if isinstance(value, dict) else f"{path}[]"
        yield Spot(here, value, key)
        yield from spots(inner, here)


def mutated(path: Path) -> Iterator[tuple[str, bytes]]:
    """What was done to a sample, and the sample so changed."""
    source = opened(path, path.read_bytes())
    if source is None or source.is_text:
        return
    rows = source.value if source.is_json else [line.value for line in source.lines if not line.bad]
    places = {spot.path: spot for spot in reversed(list(spots(rows)))}
    for number, (name, holder, key) in enumerate(places.values(), sum(map(ord, path.name))):
        right = holder[key]
        holder[key] = value = WRONG[number % len(WRONG)]
        texts = [json.dumps(rows)] if source.is_json else map(json.dumps, rows)
        yield f"{name} = {value!r}", "\n".join(texts).encode()
        holder[key] = right


def consume(path: Path, data: bytes, own: Any) -> None:
    """Every sniffer looks; the reader of the sample and that of the first who knows it read."""
    source = opened(path, data)
    if source is None:
        return
    companion(source)
    known = [own]
    for name in (*LABELS, *FORMATS):
        try:
            if importer(name).sniff(source):
                known.append(importer(name))
        except InputError as error:
            assert_one_line(error)
    for module in dict.fromkeys(known[:2]):
        try:
            fresh = opened(path, data)
            assert fresh is not None
            for found in module.read(fresh):
                json.dumps([dict(found.trace.info.meta), [dict(step.extra) for step in found.trace.steps]])
        except InputError as error:
            assert_one_line(error)


def opened(path: Path, data: bytes) -> Source | None:
    try:
        return decode(path, data)
    except InputError as error:
        assert_one_line(error)
        return None


def assert_one_line(error: InputError) -> None:
    assert "\n" not in str(error)


def own_of(path: Path) -> Any:
    """Who knows the sample as it is."""
    source = opened(path, path.read_bytes())
    for name in FORMATS:
        try:
            if source and importer(name).sniff(source):
                return importer(name)
        except InputError:
            continue
    return importer("plain")


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_value_of_another_type(folder: str) -> None:
    for path in sorted(path for path in (SAMPLES / folder).rglob("*.*") if path.is_file()):
        own = own_of(path)
        for done, data in mutated(path):
            try:
                consume(path, data, own)
            except Exception as error:
                raise AssertionError(f"{path.relative_to(SAMPLES)}: {done}: {error!r}") from error


@pytest.mark.parametrize(
    ("format", "value"),
    [
        ("other_cli", {"content": [{"type": []}]}),
        ("other_cli", [{"messages": [{"content": [{"type": {}, "toolCall": 1}]}]}]),
        (
            "opencode",
            {"info": {"id": "s"}, "messages": [{"info": {"role": "user"}, "parts": [{"type": []}]}]},
        ),
        ("openhands_v1", {"id": 1, "agent": {}, "stats": {"usage_to_metrics": {"a": {"token_usages": 5}}}}),
        ("openai_responses", [{"id": "resp_1", "output": []}, {"request": {"previous_response_id": [[]]}}]),
        ("openai_responses", [{"id": "resp_1", "output": [], "previous_response_id": []}] * 2),
    ],
)
def test_what_was_found_once(format: str, value: Any) -> None:
    consume(Path("x.json"), json.dumps(value).encode(), importer(format))


def test_a_set_whose_texts_hold_half_a_character() -> None:
    path = next((SAMPLES / "mast").rglob("MAD_human*.json"))
    rows = json.loads(path.read_text("utf-8"))
    consume(path, json.dumps([{**row, "round": "\ud800"} for row in rows]).encode(), importer("mast"))
