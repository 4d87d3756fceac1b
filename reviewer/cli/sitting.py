"""What a sitting at the screen is given from outside: habits and keys of the annotator, pictures."""

from __future__ import annotations

import json
from functools import partial

from reviewer import habits, settings
from reviewer.errors import InputError
from reviewer.tui.outside import Outside


def outside(name: str | None) -> Outside:
    """For the annotator `name`."""
    annotator, _ = settings.identity(name)
    return Outside(
        habits=habits.load(annotator),
        keep=partial(habits.keep, annotator),
        keys=habits.key_table(),
        keys_file=str(habits.keys_file()),
        picture=picture_of,
    )


def picture_of(raw: str, name: str) -> tuple[str, bytes] | None:
    """(file name, data) of what a placeholder with this name stands for; None if the record lacks it."""
    from reviewer.importers.shapes.pictures import pictures

    try:
        record = json.loads(raw, strict=False)
    except (ValueError, RecursionError) as error:
        raise InputError("the source record cannot be read as JSON") from error
    return next(((one.file_name, one.data) for one in pictures(record) if one.name == name), None)
