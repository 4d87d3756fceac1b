"""`dataclass` for the values that are defined before the first screen is painted.

The one of the standard library compiles six functions for each class, half a millisecond a class; some
forty classes of ours made a tenth of the time to the first frame. This one compiles only `__init__` and
shares the rest. Type checkers see the standard decorator, and what it makes behaves alike: fields,
`replace`, equality, hash, repr; frozen ones refuse to be changed. Only what we use is supported.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass  # noqa: PLC0414 (re-exported for type checkers)
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False):
        """The decorator; `frozen` and `slots` as in the standard library."""

        def make(cls):
            made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
            fields = dataclasses.fields(made)
            if not all(field.init and field.repr and field.compare for field in fields):
                raise TypeError(f"{cls.__name__}: init, repr and compare of a field are not supported here")
            made.__init__ = _init(made, fields, frozen)
            own = {"__repr__": _repr, "__eq__": _eq, "__hash__": _hash if frozen else None}
            if frozen:
                own |= {"__setattr__": _refuse, "__delattr__": _refuse}
                own |= {"__getstate__": _values, "__setstate__": _restore}
            for name, function in own.items():
                if name not in vars(cls):
                    setattr(made, name, function)
            return made

        return make if cls is None else make(cls)


def _init(cls: type, fields: tuple[dataclasses.Field[Any], ...], frozen: bool) -> Any:
    """The `__init__` of the class: one parameter a field, in order; `__post_init__` where there is one."""
    missing, known = dataclasses.MISSING, {"_set": object.__setattr__}
    parameters, lines = [], []
    for number, field in enumerate(fields):
        name, value = field.name, field.name
        if field.default is not missing:
            known[f"_d{number}"] = field.default
            parameters.append(f"{name}=_d{number}")
        elif field.default_factory is not missing:
            known["_missing"], known[f"_f{number}"] = missing, field.default_factory  # type: ignore[assignment]
            parameters.append(f"{name}=_missing")
            value = f"_f{number}() if {name} is _missing else {name}"
        else:
            parameters.append(name)
        lines.append(f" _set(self, {name!r}, {value})" if frozen else f" self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    made: dict[str, Any] = {}
    exec(f"def __init__(self, {', '.join(parameters)}):\n" + "\n".join(lines or [" pass"]), known, made)
    return made["__init__"]


def _values(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, name) for name in self.__dataclass_fields__)


def _restore(self: Any, values: tuple[Any, ...]) -> None:
    """What copy and pickle call on an empty value."""
    for name, value in zip(self.__dataclass_fields__, values, strict=True):
        object.__setattr__(self, name, value)


def _repr(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name in self.__dataclass_fields__)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _eq(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _refuse(self: Any, name: str, *value: Any) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot change field {name!r}")
