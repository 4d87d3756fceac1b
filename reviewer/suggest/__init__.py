"""Who can suggest a mode: the list of suggesters, each with the module that makes it.

Adding one is a module with `build(options) -> Suggester` and one line here. Modules are imported when
asked for, so that a command that suggests nothing pays for none. A suggestion never is a label.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import cast

from reviewer.errors import InputError
from reviewer.suggest.base import Suggester
from reviewer.trace import Json

SUGGESTERS: dict[str, str] = {
    "rules": "reviewer.suggest.rules",
    "claude": "reviewer.suggest.claude",
    "scripted": "reviewer.suggest.scripted",
}


def suggester(name: str, options: Mapping[str, Json] | None = None) -> Suggester:
    """The suggester of this name, made with `options` (each module says which it takes)."""
    module = SUGGESTERS.get(name)
    if module is None:
        raise InputError(f"unknown suggester {name!r}: choose one of {', '.join(SUGGESTERS)}")
    return cast(Suggester, import_module(module).build(options or {}))
