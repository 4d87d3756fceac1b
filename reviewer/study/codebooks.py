"""Two versions of a codebook: what differs, and what becomes of a label given under the earlier one.

`diff` says what differs in words that a team can read. `passages` says for each earlier mode what it is now:
unchanged, renamed, merged, split, dropped, gone, or changed in what it means (its definition, checks,
submodes, kind, or a rule between it and a neighbour). Pure; knows no store. Nothing here changes a label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from reviewer.taxonomy import Mode, ModesMap, Rather, Taxonomy
from reviewer.values import dataclass

Fate: TypeAlias = Literal["unchanged", "renamed", "merged", "split", "dropped", "gone", "changed"]
PARTS = ("title", "source", "version", "procedure")
# What of a mode is compared, and what of it says what the mode means.
MODE_PARTS = ("name", "kind", "definition", "submodes", "checks", "apart", "examples", "share", "key")
MEANING = ("kind", "definition", "submodes", "checks", "apart")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: `what` happened to `id` (a mode, `a / b` of a rule, a facet, or empty: the whole)."""

    what: str
    id: str = ""
    part: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """What an earlier mode is now.

    `new` are its modes now. `touched`: labels of it have to be looked at again. `carried` is the one mode as
    which such a label may be read where somebody asks for that; empty where no single one is certain.
    """

    old: str
    new: tuple[str, ...]
    fate: Fate
    touched: bool
    carried: str


def diff(old: Taxonomy, new: Taxonomy, mapped: ModesMap = ()) -> tuple[Change, ...]:
    """Everything that differs; modes that `mapped` renames are compared with what they became."""
    return (*_modes(old, new, dict(mapped)), *_rules(old, new, mapped), *_rest(old, new))


def _modes(old: Taxonomy, new: Taxonomy, mapped: Mapping[str, tuple[str, ...]]) -> Iterator[Change]:
    became = {mode.id: mapped.get(mode.id, (mode.id,)) for mode in old.modes}
    counts = Counter(id for ids in became.values() for id in ids)
    for mode in old.modes:
        now = became[mode.id]
        if mode.id in mapped and now != (mode.id,):
            merged = len(now) == 1 and counts[now[0]] > 1
            what = "dropped" if not now else "split" if len(now) > 1 else "merged" if merged else "renamed"
            yield Change(f"mode {what}", mode.id, after=", ".join(now))
        if len(now) == 1 and new.has(now[0]):
            yield from _parts(mode, new.mode(now[0]))
        elif mode.id not in mapped:
            yield Change("mode removed", mode.id, before=mode.definition)
    for mode in new.modes:
        if mode.id not in counts:
            yield Change("mode added", mode.id, after=mode.definition)


def _parts(before: Mode, after: Mode) -> Iterator[Change]:
    for part in MODE_PARTS:
        values = getattr(before, part), getattr(after, part)
        if values[0] != values[1]:
            yield Change("mode changed", after.id, part, *_apart(*values))


def _rules(old: Taxonomy, new: Taxonomy, mapped: ModesMap) -> Iterator[Change]:
    earlier = {frozenset(rule.pair): rule for rule in (_renamed(rule, mapped, new) for rule in old.rather)}
    later = {frozenset(rule.pair): rule for rule in new.rather}
    for pair, rule in earlier.items():
        if pair not in later:
            yield Change("rule removed", " / ".join(rule.pair), before=words(rule))
    for pair, rule in later.items():
        if pair not in earlier:
            yield Change("rule added", " / ".join(rule.pair), after=words(rule))
        elif (before := _sorted(earlier[pair])) != _sorted(rule):
            yield Change("rule changed", " / ".join(rule.pair), "", words(before), words(_sorted(rule)))


def _rest(old: Taxonomy, new: Taxonomy) -> Iterator[Change]:
    if old.id != new.id:
        yield Change("changed", "", "id", old.id, new.id)
    for part in PARTS:
        values = getattr(old, part), getattr(new, part)
        if values[0] != values[1]:
            yield Change("changed", "", part, *_apart(*values))
    sections = [{section.title: section.rules for section in one.sections} for one in (old, new)]
    yield from _named("section", *sections)
    yield from _named(
        "facet", *({one.id: (one.question, *one.choices) for one in t.facets} for t in (old, new))
    )
    yield from _named("map", dict(old.map), dict(new.map))
    order = [[mode.id for mode in one.modes] for one in (old, new)]
    if order[0] != order[1] and sorted(order[0]) == sorted(order[1]):
        yield Change("changed", "", "order of modes", *map(words, order))


def _named(what: str, old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[Change]:
    """Things with a name: gone, come, or with another content."""
    for name in old:
        if name not in new:
            yield Change(f"{what} removed", name, before=words(old[name]))
        elif old[name] != new[name]:
            yield Change(f"{what} changed", name, "", *_apart(old[name], new[name]))
    for name in new:
        if name not in old:
            yield Change(f"{what} added", name, after=words(new[name]))


def _apart(before: object, after: object) -> tuple[str, str]:
    """Both in words; of two lists only what the other lacks, unless they differ in order alone."""
    if isinstance(before, tuple) and isinstance(after, tuple):
        gone = [item for item in before if item not in after]
        come = [item for item in after if item not in before]
        if gone or come:
            return words(gone), words(come)
    return words(before), words(after)


def words(value: object) -> str:
    """A part of a codebook in one line."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, Rather):
        sides = f"{value.ask} {value.pair[0]}: {value.a} {value.pair[1]}: {value.b}"
        return f"{sides} neither: {value.neither}" if value.neither else sides
    if isinstance(value, Sequence):
        return " | ".join(map(words, value))
    slots = getattr(value, "__slots__", None)
    if slots:
        return ": ".join(filter(None, (words(getattr(value, name)) for name in slots)))
    return str(value)


def _renamed(rule: Rather, mapped: ModesMap, new: Taxonomy) -> Rather:
    """A rule of the earlier codebook with its modes under the names that they have now.

    Where a mode was split, under the part of it that keeps the rule word for word; else under its old name.
    """
    table = dict(mapped)
    now = [table.get(id) or (id,) for id in rule.pair]
    named = [replace(rule, pair=(a, b)) for a in now[0] for b in now[1] if a != b]
    if len(named) == 1:
        return named[0]
    kept = [
        one for one in named if (there := new.rule(*one.pair)) is not None and _sorted(there) == _sorted(one)
    ]
    return kept[0] if kept else rule


def _sorted(rule: Rather) -> Rather:
    return rule if rule.pair[0] <= rule.pair[1] else rule.turned()


def passages(old: Taxonomy, new: Taxonomy, mapped: ModesMap = ()) -> dict[str, Passage]:
    """For each mode of `old` what it is in `new`."""
    table = dict(mapped)
    became = {mode.id: table.get(mode.id, (mode.id,)) for mode in old.modes}
    counts = Counter(id for ids in became.values() for id in ids)
    return {id: _passage(old, new, mapped, id, now, counts) for id, now in became.items()}


def _passage(
    old: Taxonomy, new: Taxonomy, mapped: ModesMap, id: str, now: tuple[str, ...], counts: Mapping[str, int]
) -> Passage:
    said = any(id == one for one, _ in mapped)
    if not now:
        return Passage(id, (), "dropped", True, "")
    if len(now) > 1:
        return Passage(id, now, "split", True, "")
    if not new.has(now[0]):
        return Passage(id, (), "gone", True, "")
    if said and counts[now[0]] > 1:  # the map says that they are one now: nothing to look at again
        return Passage(id, now, "merged", False, now[0])
    if _meaning(old, id, mapped, new) != _meaning(new, now[0], (), new):
        return Passage(id, now, "changed", True, now[0] if said else "")
    return Passage(id, now, "renamed" if now[0] != id else "unchanged", False, now[0])


def _meaning(taxonomy: Taxonomy, id: str, mapped: ModesMap, new: Taxonomy) -> tuple[object, ...]:
    mode = taxonomy.mode(id)
    rules = {_sorted(_renamed(rule, mapped, new)) for rule in taxonomy.rules_of(id)}
    return (*(getattr(mode, part) for part in MEANING), rules)


def through(first: Mapping[str, Passage], then: Mapping[str, Passage]) -> dict[str, Passage]:
    """One passage after the other: from the earliest codebook to the latest."""
    return {id: _through(one, then) for id, one in first.items()}


def _through(one: Passage, then: Mapping[str, Passage]) -> Passage:
    later = [then[id] for id in one.new if id in then]
    new = tuple(dict.fromkeys(id for passage in later for id in passage.new))
    carried = then[one.carried].carried if one.carried in then else ""
    touched = one.touched or any(passage.touched for passage in later) or not new
    fates: Sequence[Fate] = [one.fate, *(passage.fate for passage in later)]
    order: Sequence[Fate] = ("gone", "dropped", "split", "changed", "merged", "renamed")
    fate: Fate = next((fate for fate in order if fate in fates), "unchanged")
    if fate == "renamed" and new == (one.old,):
        fate = "unchanged"
    return Passage(one.old, new, fate, touched, carried)


def inverse(mapped: ModesMap, old: Taxonomy) -> ModesMap:
    """The map that leads back to `old`: a rename to a rename, a split to a merge, a merge to a split."""
    table = dict(mapped)
    back: dict[str, list[str]] = {}
    for mode in old.modes:
        for id in table.get(mode.id, (mode.id,)):
            back.setdefault(id, []).append(mode.id)
    return tuple((id, tuple(ids)) for id, ids in back.items() if tuple(ids) != (id,))


def unmapped(old: Taxonomy, new: Taxonomy, mapped: ModesMap) -> list[str]:
    """The earlier modes that are in neither: of their labels nobody has said what they are now."""
    said = {id for id, _ in mapped}
    return [mode.id for mode in old.modes if mode.id not in said and not new.has(mode.id)]
