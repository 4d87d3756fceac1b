"""The map from the modes of an earlier codebook to those of a later one, as it stands in TOML.

`old = "new"` is a rename (several old ones with the same new one: a merge), `old = ["new", "other"]` a split,
`old = ""` a mode that was dropped. Knows no terminal and no store.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reviewer.errors import NotFound, TaxonomyError, why
from reviewer.taxonomy import ModesMap, Taxonomy, near
from reviewer.taxonomy_place import MAX_BYTES, Place


def modes_map(top: Place, known: Iterable[str]) -> ModesMap:
    """`[map]`: old mode = "new", ["new", "other"] (a split) or "" (dropped); each new one has to be known."""
    modes = sorted(set(known))
    value = top.data.get("map", {})
    if not isinstance(value, dict):
        top.bad("'map' must be a table of old mode = \"new mode\"")
    place = Place(top.file, "map", value)
    found = []
    for old in value:
        place.checked_id(old)
        given = value[old]
        new = place.texts(old) if isinstance(given, list) else (place.text(old),) if given != "" else ()
        for id in new:
            if id not in modes:
                place.bad(f"{old} = {id!r}: no mode {id!r}{near(id, modes)}")
        if len(set(new)) < len(new):
            place.bad(f"{old}: a mode stands twice in it")
        found.append((old, tuple(new)))
    return tuple(found)


def load_map(path: str | Path, taxonomy: Taxonomy) -> ModesMap:
    """The map of old modes to those of `taxonomy` in a TOML file: its `[map]` table, else the whole of it."""
    import tomllib

    name = str(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise TaxonomyError(f"{name}: larger than {MAX_BYTES} bytes, so it is no map of modes")
        table = tomllib.loads(data.decode("utf-8-sig"))
    except FileNotFoundError:
        raise NotFound(f"no file {name!r} with a map of modes") from None
    except OSError as error:
        raise TaxonomyError(f"{name}: cannot be read: {why(error)}") from None
    except (ValueError, RecursionError) as error:
        reason = why(error) if isinstance(error, ValueError) else "nested too deeply"
        raise TaxonomyError(f"{name}: not TOML in UTF-8: {reason}") from None
    if not table:
        raise TaxonomyError(f"{name}: the file is empty; say what each old mode is now, or leave --map out")
    whole = table if isinstance(table.get("map"), dict) else {"map": table}
    return modes_map(Place(name, "", whole), (mode.id for mode in taxonomy.modes))
