"""What a run handed in for an instance, as SWE-bench's prediction files beside a trajectory say it.

`preds.json` (`{instance: {"model_patch": …, "model_name_or_path": …}}` or a list), `all_preds.jsonl`, and
`<instance>.pred`, beside the file or one folder above, or in the folder of a submission. A prediction is no
verdict: whether it passed stays unknown. Told is who made it, and whether it is the patch that the trace
ends with. Knows no trace format.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from reviewer.importers.joining.leaderboard import run_of
from reviewer.importers.joining.origins import origin_of
from reviewer.importers.opening.beside import plain_name, read_beside, regular
from reviewer.importers.opening.values import as_dict, as_id, as_str, parsed
from reviewer.trace import Json, Outcome

NAMES = ("preds.json", "all_preds.jsonl", "preds.jsonl", "predictions.json", "predictions.jsonl")
LARGEST = 100_000_000
NO_PATCH = "no patch submitted"
SAME = "the patch of the trace"
OTHER = "another patch than that of the trace"
ALONE = "a patch; the trace keeps none"


@dataclass(frozen=True, slots=True)
class Prediction:
    """One row of a file of predictions."""

    model: str
    patch: str
    origin: str = ""


def predicted(
    path: Path, instance: str, submission: Json, model: str = ""
) -> tuple[str, tuple[Outcome, ...]]:
    """The model that the predictions near the file name, and what they say of its submission."""
    found: dict[tuple[str, str], Prediction] = {}
    for one in _near(path, instance, model):
        found.setdefault((one.model, one.patch.strip()), one)
    names = {one.model for one in found.values() if one.model}
    told = tuple(_outcome(one, as_str(submission)) for one in found.values())
    return next(iter(names)) if len(names) == 1 else "", told


def _near(path: Path, instance: str, model: str) -> Iterator[Prediction]:
    """One prediction a file: where it holds several for the instance, that of the trace's model."""
    if not plain_name(instance):
        return
    here = path.absolute().parent
    for folder in dict.fromkeys((here, here.parent, run_of(path) or here)):
        for name in (*NAMES, f"{instance}.pred"):
            place = folder / name
            if (stat := regular(place)) is None:
                continue
            rows = _rows(place, stat.st_mtime_ns).get(instance, ())
            rows = rows if len(rows) == 1 else tuple(row for row in rows if model and row.model == model)
            if len(rows) == 1:
                yield Prediction(rows[0].model, rows[0].patch, origin_of(folder, name, instance))


@lru_cache(maxsize=8)
def _rows(path: Path, changed: int) -> dict[str, tuple[Prediction, ...]]:
    """The predictions of a file by their instances, as it was when it last changed."""
    found: dict[str, tuple[Prediction, ...]] = {}
    text = (read_beside(path, LARGEST) or b"").decode("utf-8-sig", errors="replace")
    for key, row in _objects(text):
        instance = as_id(row.get("instance_id")) or key
        if "model_patch" in row and instance:
            one = Prediction(as_str(row.get("model_name_or_path")), as_str(row["model_patch"]))
            before = found.get(instance, ())
            found[instance] = before if one in before else (*before, one)
    return found


def _objects(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of whatever layout, each with its key in a map."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = [parsed(line) for line in text.split("\n")]
    if isinstance(value, dict) and "model_patch" not in value:
        yield from ((key, as_dict(row)) for key, row in value.items())
    else:
        yield from (("", as_dict(row)) for row in (value if isinstance(value, list) else [value]))


def _outcome(one: Prediction, submission: str) -> Outcome:
    patch, own = one.patch.strip(), submission.strip()
    said = NO_PATCH if not patch else ALONE if not own else SAME if patch == own else OTHER
    detail: dict[str, Json] = {"prediction": said}
    detail |= {"model_name_or_path": one.model} if one.model else {}
    detail |= {"model_patch": one.patch} if said in (ALONE, OTHER) else {}
    return Outcome(detail=detail, origin=one.origin)
