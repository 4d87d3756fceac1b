"""Reads a taxonomy from TOML: any bytes in, a `Taxonomy` or a one-line `TaxonomyError` out.

The error names the file and the place (`mode 3 ("drift"): …`). Unknown keys are refused rather than
dropped: a misspelt `cheks` would otherwise silently not be shown. Knows no terminal and no store.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from reviewer.errors import NotFound, TaxonomyError
from reviewer.taxonomy import (
    DIGITS,
    RESERVED_KEYS,
    Choice,
    Facet,
    Kind,
    Mode,
    Rather,
    Section,
    Submode,
    Taxonomy,
    near,
)
from reviewer.taxonomy_map import modes_map
from reviewer.taxonomy_place import MAX_BYTES, Place
from reviewer.trace import Json, digest

SUFFIX = ".toml"
SHIPPED = Path(__file__).parent / "taxonomies"


def available() -> tuple[str, ...]:
    """The ids of the shipped taxonomies: the names of the files in `taxonomies/`."""
    return tuple(sorted(file.stem for file in SHIPPED.glob(f"*{SUFFIX}")))


def load(path_or_id: str | Path) -> Taxonomy:
    name = str(path_or_id)
    if name in available():
        return parse((SHIPPED / (name + SUFFIX)).read_text(encoding="utf-8"), name + SUFFIX)
    try:
        with Path(path_or_id).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        shipped = list(available())
        raise NotFound(
            f"no taxonomy file {name!r}, and no shipped one of that id{near(name, shipped)}"
        ) from None
    except IsADirectoryError:
        raise TaxonomyError(f"{name}: cannot be read: it is a folder; name a taxonomy (TOML) in it") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise TaxonomyError(f"{name}: cannot be read: {reason}") from None
    if len(data) > MAX_BYTES:
        raise TaxonomyError(f"{name}: larger than {MAX_BYTES} bytes, so it is no taxonomy")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TaxonomyError(f"{name}: not UTF-8 at byte {error.start}") from None
    return parse(text, name)


def parse(text: str, name: str) -> Taxonomy:
    import tomllib  # not on the way to a first screen: a store keeps the data as JSON as well

    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a TOMLDecodeError is a ValueError; so is a giant integer
        reason = str(error) if isinstance(error, ValueError) else "nested too deeply"
        raise TaxonomyError(f"{name}: not TOML: {' '.join(reason.split())}") from None
    return _built(data, text, name)


def restore(data: str, toml: str, hash: str) -> Taxonomy:
    """The taxonomy that a store kept: its data as JSON, the text it was read from, its hash."""
    try:
        value = json.loads(data)
    except ValueError:
        return parse(toml, "the store's taxonomy")
    return _built(value, toml, "the store's taxonomy", data, hash)


def _built(data: dict[str, Json], text: str, name: str, kept: str = "", hash: str = "") -> Taxonomy:
    """`kept` and `hash` are the data as JSON and their hash where they are known already."""
    top = Place(name, "", data)
    top.only("id", "version", "title", "source", "procedure", "section", "mode", "rather", "facet", "map")
    id = top.id("id")
    modes = _modes(top)
    known = {mode.id for mode in modes}
    return Taxonomy(
        id=id,
        version=top.text("version", needed=True),
        title=top.text("title") or id,
        source=top.text("source"),
        modes=modes,
        rather=_rathers(top, known),
        facets=_facets(top),
        procedure=top.texts("procedure"),
        sections=tuple(_section(place) for place in top.tables("section")),
        hash=hash or digest(data),  # every value was checked above to be text, number, truth, list or table
        toml=text,
        map=modes_map(top, known),
        data=kept or json.dumps(data, separators=(",", ":")),  # in the order of the file
    )


def _modes(top: Place) -> tuple[Mode, ...]:
    modes: list[Mode] = []
    keys: dict[str, str] = {}
    for n, place in enumerate(top.tables("mode")):
        mode = _mode(place, DIGITS[n] if n < len(DIGITS) else "")
        if any(mode.id == other.id for other in modes):
            place.bad("this id stands twice")
        if mode.key in keys:
            place.bad(f"the key {mode.key!r} is taken by {keys[mode.key]!r}")
        if mode.key:
            keys[mode.key] = mode.id
        modes.append(mode)
    if not modes:
        top.bad("there are no [[mode]] tables")
    return tuple(modes)


def _mode(place: Place, digit: str) -> Mode:
    place.only("id", "name", "kind", "definition", "submodes", "checks", "share", "key", "apart", "examples")
    kind = place.text("kind") or "failure"
    if kind not in ("failure", "non_failure"):
        place.bad(f"'kind' must be failure or non_failure, not {kind!r}")
    checked: Kind = "non_failure" if kind == "non_failure" else "failure"
    id = place.id("id")
    apart = place.truth("apart")
    if apart and checked == "failure":
        place.bad("'apart' is for a non_failure: a failure is counted as one")
    return Mode(
        id=id,
        name=place.text("name") or id.replace("_", " "),
        kind=checked,
        definition=place.text("definition"),
        submodes=tuple(Submode(sub, text) for sub, text in place.named("submodes")),
        checks=place.texts("checks"),
        share=place.share(),
        key=_key(place, digit),
        apart=apart,
        examples=place.texts("examples"),
    )


def _key(place: Place, digit: str) -> str:
    key = place.text("key")
    if not key:
        return digit
    if digit:
        place.bad(f"has the key {digit} by its place (the first nine have digits), so it takes no 'key'")
    if len(key) != 1 or not key.isprintable() or key.isspace():
        place.bad(f"'key' must be one printable character, not {key!r}")
    if key in RESERVED_KEYS or key.isdigit():
        place.bad(f"the key {key!r} is taken by the app")
    return key


def _rathers(top: Place, known: Iterable[str]) -> tuple[Rather, ...]:
    modes = set(known)
    seen: set[frozenset[str]] = set()
    rathers: list[Rather] = []
    for place in top.tables("rather"):
        place.only("pair", "ask", "a", "b", "neither")
        pair = place.texts("pair")
        if len(pair) != 2 or pair[0] == pair[1]:
            place.bad("'pair' must name two different modes")
        for id in pair:
            if id not in modes:
                place.bad(f"no mode {id!r}{near(id, sorted(modes))}")
        if frozenset(pair) in seen:
            place.bad("this pair has a rule already")
        seen.add(frozenset(pair))
        ask, a, b = (place.text(key, needed=True) for key in ("ask", "a", "b"))
        rathers.append(Rather((pair[0], pair[1]), ask, a, b, place.text("neither")))
    return tuple(rathers)


def _facets(top: Place) -> tuple[Facet, ...]:
    facets: list[Facet] = []
    for place in top.tables("facet"):
        place.only("id", "question", "choices")
        id = place.id("id")
        if any(id == other.id for other in facets):
            place.bad("this id stands twice")
        choices = tuple(Choice(choice, text) for choice, text in place.named("choices"))
        if len(choices) < 2:
            place.bad("'choices' must name at least two")
        facets.append(Facet(id, place.text("question", needed=True), choices))
    return tuple(facets)


def _section(place: Place) -> Section:
    place.only("title", "rules")
    return Section(place.text("title", needed=True), place.texts("rules"))
