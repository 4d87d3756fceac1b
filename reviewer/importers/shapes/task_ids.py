"""Which task a trace is at: what its record says, else the name of its file or its row, marked as such.

Such a name tells a trace from its neighbours and says nothing of the task: six folders may each hold a
`trajectory.json`. The mark (`task_id_from` in the trace's `meta`) lets others see that two equal names are
no two attempts at one task. Knows no format.
"""

from __future__ import annotations

import re

from reviewer.trace import Json

MARK = "task_id_from"
FILE, ROW, SESSION, KEY = "file name", "row number", "session", "key of a map"
# `django__django-11099`: a file of that name does name its task.
INSTANCE = re.compile(r"\A[\w.\-]+__[\w.\-]+-\d+\Z")


def task_of(own: str, name: str, index: int = 0, alone: bool = True) -> tuple[str, dict[str, Json]]:
    """The task's id and its mark: `own` where the record has one, else the file's name, or the row's number.

    The file's name stands for a record that is `alone` in it.
    """
    if own:
        return own, {}
    if not alone:
        return str(index), {MARK: ROW}
    return name, {} if instance(name) else {MARK: FILE}


def instance(name: str) -> str:
    """The SWE-bench instance that a file is named after, or ""."""
    stem = name.removesuffix(".gz").removesuffix(".zst").removesuffix(".json").removesuffix(".traj")
    return stem if INSTANCE.match(stem) else ""
