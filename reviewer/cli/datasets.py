"""`export dataset`: the rows, the card and the codebook into a folder, moved into place when whole."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reviewer.cli import out
from reviewer.cli.carding import Told, Wanted, card, sources
from reviewer.cli.selection import Chosen
from reviewer.cli.writing import to_folder
from reviewer.errors import InputError
from reviewer.exporters import WithTrace, dataset, parquet
from reviewer.exporters.card import text
from reviewer.store import Store
from reviewer.taxonomy import Taxonomy


def write_dataset(
    store: Store,
    taxonomy: Taxonomy,
    chosen: Chosen,
    output: Path,
    with_trace: WithTrace | None,
    given: Mapping[str, Any],
) -> None:
    """Write the folder `output`; as JSON Lines, with a word, where Parquet cannot be written."""
    lines = given["as_lines"] or not parquet.installed()
    rows, asked = list(chosen.rows), chosen.asked
    if not rows:
        raise InputError("no trace matches, and no loader reads an empty dataset")
    licences = _licences(given["licences"])
    told = Told.of(rows, chosen.behind_gold())
    sources(rows, told.labels, licences)  # refuses before anything is written
    names = chosen.splits.names if chosen.splits else ()

    def write(folder: Path) -> None:
        parts = dataset.write(
            folder,
            rows,
            taxonomy,
            with_trace,
            splits=names,
            lines=lines,
            labels=asked.rows != "gold",
        )
        wanted = Wanted(
            title=given["title"] or output.name,
            round=chosen.round,
            chosen=asked.words(chosen.round),
            carry=asked.carry,
            whole=asked.whole,
            split=_split(chosen),
            licences=licences,
            names=chosen.names,
            masked=chosen.masker.masked if chosen.masker else None,
            typed=not lines,
            alone=chosen.people,
        )
        tasks = len({chosen.task(row.info.trace_id) for row in rows})
        words = text(card(store, taxonomy, rows, told, tasks, parts, wanted))
        (folder / "README.md").write_text(words, "utf-8", "backslashreplace", newline="\n")
        (folder / "taxonomy.toml").write_text(taxonomy.toml, "utf-8", newline="")

    to_folder(output, write)
    if lines and not given["as_lines"]:
        out.say(f"pyarrow is not installed, so this is JSON Lines ({parquet.INSTALL}, then --force)")


def _split(chosen: Chosen) -> str:
    if chosen.splits is None:
        return "Not split: everything stands under the name that loaders take for the only split."
    shares = ", ".join(f"{name} {share:g}" for name, share in chosen.splits.shares)
    return (
        f"Drawn by task, never by trace, by a hash with the seed {chosen.asked.seed} ({shares}): "
        f"{chosen.split_words()}. All attempts at a task, and the runs of their sub-agents, are in one split."
    )


def _licences(given: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for pair in given:
        name, sign, licence = pair.partition("=")
        if not sign or not name.strip() or not licence.strip():
            raise InputError(f"--licence {pair}: write SOURCE=LICENCE (swebench=mit)")
        found[name.strip()] = licence.strip()
    return found
