"""Current labels as those of people: linked annotators are one, wherever labels are counted.

The history keeps every event under the id that made it; only what is read as current goes through here. An
event takes out what the same person said under another id, and a label is blind only if nothing had been
shown to that person under any id. Two clocks may differ, so what another id was shown within an hour after
a label counts as shown before it: a label too few is better than one that was not blind. Once two ids are
linked, what is shown to one stands under the other as well, and no clock is asked.

What one id was shown in another store comes in by a merge, after the label was written: where it is dated
before the label and the label does not name it, that label was not blind either. Of one id the times are
believed as they stand, since a reveal often follows its label within seconds: where that person's machines
(or one clock that was set back) disagree, such a label may be taken for blind that was not, or the reverse. A
blind label that was superseded by one of these is not brought back.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeAlias

from reviewer.label import Condition, LabelEvent
from reviewer.store.links import People

Row: TypeAlias = tuple[str, str, str, str, str, str]  # of an exposure: id, annotator, trace, kind, ref, at
Shown: TypeAlias = tuple[str, str, str, str, bool]  # under which id, kind, what, when, whether it is a twin

_DOUBT = timedelta(hours=1)  # how far two machines' clocks may differ before we believe the wrong one

# (old, who said the new, who said the old): what one annotator's event replaces of another's, in one place
_ACROSS = """SELECT s.old, n.annotator, o.annotator FROM supersedes s
  JOIN events n ON n.id = s.event JOIN events o ON o.id = s.old
  WHERE n.annotator <> o.annotator AND n.trace_id = o.trace_id AND n.taxonomy = o.taxonomy
  AND n.round = o.round AND (?1 = '' OR o.trace_id = ?1)"""
_TAKES_BLIND = (
    """ AND (n.kind = 'retract' OR n.kind = 'label' AND (n.condition = 'blind' OR n.restores <> ''))"""
)


def as_people(
    db: sqlite3.Connection, people: People, events: Iterable[LabelEvent], trace_id: str, *, blind: bool
) -> list[LabelEvent]:
    """The events under the one id of each person, without what that person replaced under another id.

    With `blind`, only labels that are still blind when all ids of the person are taken together.
    """
    gone = set()
    if people.groups:
        across = db.execute(_ACROSS + (_TAKES_BLIND if blind else ""), (trace_id,))
        gone = {old for old, new, before in across if people.person(new) == people.person(before)}
    found = [event for event in events if event.id not in gone]
    shown = _exposures(db, people, trace_id, {event.annotator for event in found})
    kept = []
    for event in found:
        person = people.person(event.annotator)
        seen = shown.get((person, event.trace_id))
        condition = _condition(event, seen) if seen else event.condition
        if not blind or condition == "blind":
            same = person == event.annotator and condition == event.condition
            kept.append(event if same else replace(event, annotator=person, condition=condition))
    return kept


def with_twins(db: sqlite3.Connection, people: People, rows: Iterable[Row]) -> list[Row]:
    """The rows of exposures, each also under the linked ids that have labelled the trace by now.

    So it stands in the store that this was shown after those labels, whatever clocks say: see `_condition`.
    """
    sql = "SELECT 1 FROM events WHERE annotator = ? AND trace_id = ? AND kind = 'label' LIMIT 1"
    found = []
    for row in rows:
        id, annotator, trace, kind, ref, at = row
        others = [other for other in people.ids(annotator) if other != annotator]
        labelled = [other for other in others if db.execute(sql, (other, trace)).fetchone()]
        found.append(row)
        found += [(f"{id}.{n}", other, trace, kind, ref, at) for n, other in enumerate(labelled, 1)]
    return found


def _exposures(
    db: sqlite3.Connection, people: People, trace_id: str, who: Iterable[str]
) -> dict[tuple[str, str], list[Shown]]:
    """(person, trace) -> what was shown of it: (under which id, kind, what, when, whether it is a twin)."""
    found: dict[tuple[str, str], list[Shown]] = defaultdict(list)
    sql = """SELECT annotator, trace_id, kind, ref, at, instr(id, '.') FROM exposures
             WHERE kind IN ('suggestion', 'peers')"""
    ids = sorted({id for one in who for id in people.ids(one)}) if trace_id else []
    if trace_id:  # by the index on who was shown what
        sql += f" AND trace_id = ? AND annotator IN ({', '.join('?' * len(ids))})"
    for id, trace, kind, ref, at, twin in db.execute(sql, (trace_id, *ids) if trace_id else ()):
        found[people.person(id), trace].append((id, kind, ref, at, twin > 0))
    return found


def _condition(event: LabelEvent, shown: Sequence[Shown]) -> Condition | None:
    """What the label counts as, with what the person was shown before it and it does not know of.

    What was shown under this id as well at the very same time was shown when the two were linked and the
    label stood already.
    """
    if event.condition is None or event.condition == "peers":
        return event.condition
    mine = {(kind, ref, at) for who, kind, ref, at, _ in shown if who == event.annotator}
    before = set()
    for who, kind, ref, at, twin in shown:
        if who == event.annotator:
            unknown = not twin and ref not in event.shown and not _later(at, event.at)
        else:
            unknown = (kind, ref, at) not in mine and not _later(at, event.at, _DOUBT)
        if unknown:
            before.add(kind)
    if "peers" in before:
        return "peers"
    return "suggestion" if before else event.condition


def _later(at: str, than: str, by: timedelta = timedelta()) -> bool:
    """Whether the first time is later, by more than `by` where clocks differ; no time decides nothing."""
    try:
        gap = datetime.fromisoformat(at) - datetime.fromisoformat(than)
    except (ValueError, TypeError, OverflowError):
        return False
    return gap > by if by else gap >= by
