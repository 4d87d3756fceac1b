"""What a sitting at the screen is given from outside: habits and keys of the annotator, pictures."""

from __future__ import annotations

import json
from functools import partial

from reviewer import habits, settings
from reviewer.cli import out
from reviewer.errors import InputError
from reviewer.tui.outside import Outside


class Talk:
    """Says what there is to say before the screen opens, which hides it, and keeps it for the screen."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: str) -> None:
        out.say_line(text)
        self.lines.append(text)


def outside(name: str | None, talk: Talk | None = None) -> Outside:
    """For the annotator `name`; what `talk` said is the first message on the screen."""
    annotator, _ = settings.identity(name)
    return Outside(
        habits=habits.load(annotator),
        keep=partial(habits.keep, annotator),
        keys=habits.key_table(),
        keys_file=str(habits.keys_file()),
        told="; ".join(talk.lines) if talk else "",
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
