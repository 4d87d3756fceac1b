"""Our `dataclass` against the one of the standard library, of which it is the faster twin."""

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest

from reviewer.label import Decision, LabelEvent
from reviewer.trace import Step, TraceInfo
from reviewer.values import dataclass

FIELD: Any = field  # so that any arguments may be tried


@dataclass(frozen=True, slots=True)
class Ours:
    a: int
    b: str = "x"
    c: tuple[int, ...] = ()
    d: list[int] = field(default_factory=list)


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    a: int
    b: str = "x"
    c: tuple[int, ...] = ()
    d: list[int] = field(default_factory=list)


@dataclass(slots=True)
class OursOpen:
    a: int
    b: list[int] = field(default_factory=list)


@dataclasses.dataclass(slots=True)
class TheirsOpen:
    a: int
    b: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class OursChecked:
    a: int

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("negative")

    def __repr__(self) -> str:
        return f"<{self.a}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OursChecked)

    def __hash__(self) -> int:
        return 7


TWINS = pytest.mark.parametrize("cls", [Ours, Theirs])
OPEN = pytest.mark.parametrize("cls", [OursOpen, TheirsOpen])


def test_it_is_not_the_standard_one_that_is_tested() -> None:
    assert Ours.__eq__ is OursOpen.__eq__  # shared, not compiled for each class
    assert Theirs.__eq__ is not TheirsOpen.__eq__


@TWINS
def test_equality(cls: Any) -> None:
    assert cls(1) == cls(1, "x", (), [])
    assert cls(1) != cls(2)
    assert cls(1) != cls(1, d=[1])
    assert cls(1).__eq__((1, "x", (), [])) is NotImplemented
    assert Ours(1) != Theirs(1)  # type: ignore[comparison-overlap]


def test_hash_is_that_of_the_values_and_of_the_twin() -> None:
    values = (1, "y", (2,), ())
    assert hash(Ours(*values)) == hash(Theirs(*values)) == hash(values)  # type: ignore[arg-type]
    assert len({Ours(*values), Ours(*values)}) == 1  # type: ignore[arg-type]
    for cls in (Ours, Theirs):
        with pytest.raises(TypeError, match="unhashable"):
            hash(cls(1))


@OPEN
def test_what_can_change_has_no_hash(cls: Any) -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(cls(1, ()))
    made = cls(1)
    made.a = 2
    assert made == cls(2)


def test_repr() -> None:
    assert repr(Ours(1, "é")) == "Ours(a=1, b='é', c=(), d=[])"
    assert repr(Ours(1, "é")) == repr(Theirs(1, "é")).replace("Theirs", "Ours")
    assert repr(OursOpen(1)) == "OursOpen(a=1, b=[])"


@TWINS
def test_each_value_has_its_own_default(cls: Any) -> None:
    one, other = cls(1), cls(1)
    one.d.append(5)
    assert (one.d, other.d, cls(1).d) == ([5], [], [])
    given: list[int] = []
    assert cls(1, d=given).d is given
    assert cls(1, d=None).d is None


@TWINS
def test_what_is_frozen_is_frozen(cls: Any) -> None:
    made = cls(1)
    for name in ("a", "d", "other"):
        with pytest.raises((FrozenInstanceError, TypeError) if name == "other" else FrozenInstanceError):
            setattr(made, name, 2)
    with pytest.raises(FrozenInstanceError):
        del made.a
    assert made == cls(1)
    assert not hasattr(made, "__dict__")


@TWINS
def test_replace(cls: Any) -> None:
    made = cls(1, "y", (3,), [4])
    changed = dataclasses.replace(made, b="z")
    assert (type(changed), changed) == (cls, cls(1, "z", (3,), [4]))
    assert made == cls(1, "y", (3,), [4])
    with pytest.raises(TypeError):
        dataclasses.replace(made, nope=1)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("made", [Ours(1, "y", (2,), [3]), Theirs(1), OursOpen(1, [2]), TheirsOpen(1)])
def test_pickle(made: object, protocol: int) -> None:
    back = pickle.loads(pickle.dumps(made, protocol))
    assert (type(back), back) == (type(made), made)


@TWINS
def test_copy(cls: Any) -> None:
    made = cls(1, "y", (2,), [3])
    shallow, deep = copy.copy(made), copy.deepcopy(made)
    assert shallow == deep == made
    assert shallow is not made
    assert shallow.d is made.d
    assert deep.d is not made.d


@TWINS
def test_fields_and_patterns(cls: Any) -> None:
    known: bool = dataclasses.is_dataclass(cls(1))
    assert known
    assert [one.name for one in dataclasses.fields(cls)] == ["a", "b", "c", "d"]
    assert dataclasses.asdict(cls(1, d=[2])) == {"a": 1, "b": "x", "c": (), "d": [2]}
    assert cls.__match_args__ == ("a", "b", "c", "d")
    assert cls.__slots__ == ("a", "b", "c", "d")


@TWINS
def test_arguments_that_do_not_fit_are_a_type_error(cls: Any) -> None:
    for arguments, named in (((), {}), ((1, "x", (), [], 5), {}), ((1,), {"a": 1}), ((1,), {"e": 1})):
        with pytest.raises(TypeError):
            cls(*arguments, **named)


def test_what_a_class_defines_itself_stays() -> None:
    assert repr(OursChecked(3)) == "<3>"
    assert OursChecked(1) == OursChecked(2)
    assert hash(OursChecked(1)) == 7
    with pytest.raises(ValueError, match="negative"):
        OursChecked(-1)
    with pytest.raises(ValueError, match="negative"):
        dataclasses.replace(OursChecked(1), a=-1)


@pytest.mark.parametrize("more", [{"init": False}, {"repr": False}, {"compare": False}])
def test_what_is_not_supported_is_refused_when_the_class_is_made(more: dict[str, Any]) -> None:
    refused: dict[str, Any] = {"__annotations__": {"a": int}, "a": FIELD(default=1, **more)}
    with pytest.raises(TypeError, match="not supported"):
        dataclass(frozen=True, slots=True)(type("Nope", (), refused))


def test_a_default_that_all_would_share_is_refused() -> None:
    shared: dict[str, Any] = {"__annotations__": {"a": list}, "a": []}
    with pytest.raises(ValueError, match="mutable default"):
        dataclass(frozen=True, slots=True)(type("Nope", (), shared))


@pytest.mark.parametrize(
    "made",
    [
        Decision("other", facets={"claim": "honest"}, secondary=("a",)),
        LabelEvent("e", "label", "t", "a", "now", "tui", "reviewer"),
        Step(1, "agent", "hi", source_ids=("x",)),
        TraceInfo("t1-a", "h", "plain", meta={"a": [1]}),
    ],
    ids=lambda made: type(made).__name__,
)
def test_the_central_values_travel(made: Any) -> None:
    for back in (copy.deepcopy(made), pickle.loads(pickle.dumps(made)), dataclasses.replace(made)):
        assert (type(back), back, repr(back)) == (type(made), made, repr(made))
