"""In what a call differs from the one that was expected, and what the user had said to either value.

Of two lists only what the one has and the other has not; of two ids the options in which their records
differ. Not known: whether the task told the user's side enough.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from reviewer.facts.texts import step_texts, strings
from reviewer.label import telling
from reviewer.suggest.rules.seen.consent import Said, agreed, asks, messages, named
from reviewer.suggest.rules.seen.quoting import BRIEF, WIDTH, clause, shortened
from reviewer.suggest.rules.seen.records import Record, record
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.seen.wanted import Apart, Made, Want, within
from reviewer.trace import Json, Step

_SHAPED = 7  # characters of a value whose form alone tells what it is: a telephone number, an id
_ID = re.compile(r"(?:^|_)(?:ids?|number|code)$|[a-z]Ids?$")
_OF_NONE = re.compile(  # what two things of a kind may differ in without being other ones
    r"amount|price|date|time|(?:^|_)id$|transaction|available|status", re.IGNORECASE
)
_OWN = re.compile(r"phone|mail|user|customer|account|member|licen|serial|imei", re.IGNORECASE)
_BRIEF = 40
_END = 4  # characters by which people tell numbers apart
_LISTED = 200
_SMALL = 500  # characters of a record that is about one thing only
_MOST = 2  # differences that are told
_ARGUMENTS, _GAPS = 6, 4  # that differ, and single values of each, that are looked up


@dataclass(frozen=True, slots=True)
class Gap:
    """One value that was wanted and given otherwise, with the records that show what each of them is."""

    label: str
    want: Json
    given: Json
    wanted: Record | None = None
    got: Record | None = None

    @property
    def options(self) -> dict[str, tuple[str, str]]:
        """The words in which two records of small things differ: wanted and given."""
        if self.wanted is None or self.got is None or max(len(self.wanted.text), len(self.got.text)) > _SMALL:
            return {}
        found = {}
        for key, mine in self.wanted.leaves.items():
            theirs = self.got.leaves.get(key, mine)
            words = f'"{mine}"' in self.wanted.text and f'"{theirs}"' in self.got.text  # no numbers
            if (
                words
                and mine != theirs
                and not {mine, theirs} & {self.want, self.given}
                and not _OF_NONE.search(key)
            ):
                found[key] = (mine, theirs)
        return found


@dataclass(frozen=True, slots=True)
class Proof:
    """What shows that a call was given the wrong value: in words, and as quotes.

    `another`: by what the thing is somebody else's, in words: its number and the user's, or how they end.
    `own`: that of the user.
    """

    gap: Gap
    says: str
    quotes: tuple[tuple[int, str, str], ...]
    another: str = ""
    own: str = ""


def settled(scene: Scene, want: Want) -> Said | None:
    """Where the user had named, or agreed to, what an expected call was given instead."""
    if (near := want.near) is None:
        return None
    found = (gap for one in want.apart[:_ARGUMENTS] for gap in gaps(scene, one, near.step))
    return next(filter(None, (_consent(scene, gap, near.step) for gap in found)), None)


def _consent(scene: Scene, gap: Gap, before: int) -> Said | None:
    """Where the user had named or agreed to what was given: itself, or the option in which it differs."""
    words = [*_values(gap.given), *(given for _, given in gap.options.values())]
    return named(scene, words, before, at_all=True) or agreed(scene, words, before)


def gaps(scene: Scene, one: Apart, before: int) -> list[Gap]:
    """An argument that differs, as single values; of lists only those that the other has not."""
    pairs: list[tuple[str, Json, Json]] = [(one.label, one.want, one.given)]
    if isinstance(one.want, list) and isinstance(one.given, list):
        gone, new = _of_one_only(one.want, one.given)
        width = max(len(gone), len(new))
        padded = [*gone, *[None] * (width - len(gone))], [*new, *[None] * (width - len(new))]
        pairs = [inner for pair in zip(*padded, strict=True) for inner in _inner(one.label, *pair)]
    return [
        Gap(label, want, given, record(scene, want, before), record(scene, given, before))
        if _ID.search(label)
        else Gap(label, want, given)
        for label, want, given in pairs[:_GAPS]
    ]


def _of_one_only(want: list[Json], given: list[Json]) -> tuple[list[Json], list[Json]]:
    """What of two lists the other has not; what an item holds beyond the wanted is no difference."""
    want, given = want[:_LISTED], given[:_LISTED]  # each is held against each
    gone = [item for item in want if not any(within(item, one) for one in given)]
    return gone, [item for item in given if not any(within(one, item) for one in want)]


def _inner(label: str, want: Json, given: Json) -> list[tuple[str, Json, Json]]:
    if not isinstance(want, dict) or not isinstance(given, dict):
        return [(label, want, given)]
    found = [(key, want[key], given.get(key)) for key in want if not within(want[key], given.get(key))]
    return found or [(label, want, given)]


def proof(scene: Scene, want: Want) -> Proof | None:
    """The first difference of a call to which the user's words speak: what was wanted, and what was given."""
    if (near := want.near) is None:
        return None
    for gap in (gap for one in want.apart[:_ARGUMENTS] for gap in gaps(scene, one, near.step)):
        if _consent(scene, gap, near.step) is None:
            found = _by_option(scene, gap, near) or _by_itself(scene, gap, near)
            if (found := found or of_another(scene, gap, near)) is not None:
                return found
    return None


def _by_option(scene: Scene, gap: Gap, near: Made) -> Proof | None:
    """The user had named an option that the wanted thing has and the given one has not."""
    for key, (want, given) in gap.options.items():
        asked, got = named(scene, [want], near.step), gap.got
        if asked is None or got is None:
            continue
        own = [name for name, value in got.leaves.items() if value == gap.given][:1]
        is_ = (got.step, got.quote(*own, key), "the one given is")
        call = (near.step, given_words(scene.step(near.step), gap), "given")
        says = f"{key} {brief(want)} was asked for, {brief(given)} was given"
        return Proof(gap, says, ((asked.n, asked.quote, "asked"), is_, call))
    return None


def _by_itself(scene: Scene, gap: Gap, near: Made) -> Proof | None:
    """The user had named the wanted value itself, and the call was given another."""
    asked = named(scene, filter(telling, _values(gap.want)), near.step)
    given = given_words(scene.step(near.step), gap)
    if asked is None or gap.given is None or not given:
        return None
    if _ID.search(gap.label):  # another thing: instead of this one, or for its own sake?
        last = messages(scene, near.step)[-1][0]
        if asked.n != last or not asks(near.name).search(asked.quote):
            return None
    label = gap.label.replace("_", " ")
    says = f"{label} {brief(gap.want)} was asked for, {brief(gap.given)} was given"
    return Proof(gap, says, ((asked.n, asked.quote, "asked"), (near.step, given, "given")))


def of_another(scene: Scene, gap: Gap, made: Made) -> Proof | None:
    """The thing that was given belongs to another number than the one that the user gave as theirs."""
    given = gap.given
    got = record(scene, given, made.step)
    for key, value in got.leaves.items() if got is not None else ():
        shaped = (
            _OWN.search(key) and len(value) >= _SHAPED and any(map(str.isdigit, value)) and value != given
        )
        if got is None or not shaped:
            continue
        form = re.compile(rf"(?<![\w-]){re.sub('[0-9]', '[0-9]', re.escape(value))}(?![\w-])")
        said = [(n, match, text) for n, text in messages(scene, made.step) for match in form.finditer(text)]
        if len({match.group() for _, match, _ in said}) != 1 or said[0][1].group() == value:
            continue  # none, or several, or this one
        n, match, text = said[0]
        thing, owned = brief(given), key.replace("_", " ")
        says = f"the user's {owned} is {match.group()} (step {n}); {thing} has {value}"
        ids = [name for name, leaf in got.leaves.items() if leaf == given][:1]
        quotes = (
            (n, clause(text, *match.span(), BRIEF), "user gave"),
            (got.step, got.quote(*ids, key), f"{thing} is" if " " not in thing else "it is"),
        )
        return Proof(gap, says, quotes, f"{owned} {_beside(value, match.group())}", match.group())
    return None


def _beside(theirs: str, own: str) -> str:
    """Two values of one form: where they differ only at their ends, those."""
    if len(own) > 2 * _END and theirs[:-_END] == own[:-_END]:
        return f"ends in {theirs[-_END:]}; the user's ends in {own[-_END:]}"
    return f"is {theirs}; the user's is {own}"


def differ(scene: Scene, want: Want) -> str:
    """In what a call differs from the expected one, briefly: of two things the option in which they do."""
    told = []
    for one in want.apart[:_MOST]:
        if isinstance(one.want, list) and isinstance(one.given, list):
            gone, new = _of_one_only(one.want, one.given)
            if gone and not new:
                count = f"{len(gone)} of the {len(one.want)}" if one.given else "all"
                told.append(f"{count} {one.label} missing")
            if new and not gone:
                told.append(f"{len(new)} of the {len(one.given)} {one.label} not expected")
            if bool(gone) != bool(new):
                continue
        found = gaps(scene, one, want.near.step if want.near else len(scene.trace.steps) + 1)
        first = found[0] if found else Gap(one.label, one.want, one.given)
        label, pair = next(iter(first.options.items()), (first.label, (first.want, first.given)))
        told.append(f"{label} {brief(pair[0])} expected, {brief(pair[1])} given")
    more = f" and {len(want.apart) - _MOST} more" if len(want.apart) > _MOST else ""
    return "; ".join(dict.fromkeys(told)) + more


def given_words(step: Step, gap: Gap) -> str:
    """Words of the call that show a value with its name, or in its list, else the value."""
    texts = [text for place, text in step_texts(step) if place == "call"]
    told = [f'"{gap.label}":{space}{_dumped(gap.given)}' for space in (" ", "")]
    listed = re.compile(rf'"{re.escape(gap.label)}": ?\[[^\[\]]{{1,{BRIEF}}}\]')
    told += [found[0] for text in texts for found in listed.finditer(text) if _dumped(gap.given) in found[0]]
    for words in (*told, *filter(telling, _values(gap.given))):
        if len(words) <= WIDTH and any(words in text for text in texts):
            return words
    return ""


def _values(value: Json) -> list[str]:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return [str(value)] if plain else [text for text in strings(value) if text.strip()]


def _dumped(value: Json) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "…"


def brief(value: Json) -> str:
    """A value as a sentence names it."""
    return shortened(value if isinstance(value, str) else _dumped(value), _BRIEF)
