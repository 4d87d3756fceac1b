"""`adjudicate --list`: what is open, stale, settled by a person, settled by rule.

Without --as it is the lead's view. With --as, what others said of a trace that this person has neither
labelled in the round nor been shown already is not told, and that the rest is told is recorded; who settles
and does not label in the round is told all, which is recorded as on the screen. What is left
out is counted over all traces: so the number does not tell which of them others have labelled.
"""

from __future__ import annotations

from collections.abc import Sequence

from reviewer import settings
from reviewer.cli import out, told
from reviewer.cli.context import Context
from reviewer.counting import count
from reviewer.label import Annotator, Gold
from reviewer.store import Store
from reviewer.study import unlabelled
from reviewer.study.assigning_people import keys
from reviewer.study.current import Current, current
from reviewer.study.disagreements import Case, by_rule, cases
from reviewer.study.known_rounds import there
from reviewer.trace import Json

OPEN, CONFLICT, STALE, SETTLED = "open", "conflict", "stale", "settled"
BY_RULE = "settled by rule"
HOW = (
    "without --as, `reviewer adjudicate {command}` is the lead's view; `reviewer adjudicate --unlabelled "
    "--as {name}` opens the cases, and what it shows {name} does not label blind any more"
)


def print_cases(context: Context, name: str | None, round: int | None, *, as_json: bool) -> int:
    """The cases of a round, grouped by confused pair, and what needs nobody."""
    with context.open_store() as store:
        told.somebody(store, name)
        taxonomy = context.load_taxonomy(store)
        number = there(store, round)
        counted = current(store, taxonomy, number)
        hidden = unlabelled_by(store, counted, name, number)
        found = cases(store, taxonomy, number)
        ruled = by_rule(counted)
        listed = {*(case.info.trace_id for case in found), *ruled} - (hidden or set())
        if name is not None:
            told.peers(context.desk(store, name, number, taxonomy), name, sorted(listed))
        kept_back = 0 if hidden is None else sum(one.trace_id in hidden for one in store.traces.all())
    shown_cases = [case for case in found if hidden is None or case.info.trace_id not in hidden]
    shown = {trace: gold for trace, gold in ruled.items() if hidden is None or trace not in hidden}
    counts: dict[str, Json] = {word: sum(state(case) == word for case in shown_cases) for word in _STATES}
    counts |= {"settled_by_rule": len(shown), "hidden": kept_back}
    if as_json:
        records = [_case_record(case) for case in shown_cases]
        listed_by_rule = [_rule_record(trace, gold) for trace, gold in shown.items()]
        out.show_json(
            {"round": number, "counts": counts, "cases": records, "settled_by_rule": listed_by_rule}
        )
        return 0
    _print(shown_cases, shown)
    out.say(
        ", ".join(f"{count} {word.replace('_', ' ')}" for word, count in counts.items() if count) or NOTHING
    )
    if kept_back:
        out.say(f"hidden: what others may have said of traces that {name} has not labelled")
        out.say(HOW.format(command="--list", name=name))
    return 0


_STATES = (OPEN, CONFLICT, STALE, SETTLED)
NOTHING = "nothing to settle: no trace has labels of two people in this round"


def unlabelled_by(store: Store, counted: Current, name: str | None, round: int) -> frozenset[str] | None:
    """The traces of which `name` must not be told what others said; None: the lead's view, all is told.

    Who settles traces of the round and labels none of it is told all, as on the screen: it is on record.
    """
    if name is None:
        return None
    person = Annotator(*settings.identity(name))
    mine = unlabelled.labelled(store, counted, person)
    if not mine and _settles(store, counted, person, round):
        return frozenset()
    every = {info.trace_id for info in store.traces.all()} | {event.trace_id for event in counted.heads}
    return frozenset(every - mine - unlabelled.told(store, person))


def _settles(store: Store, counted: Current, person: Annotator, round: int) -> bool:
    """Whether somebody without a label is no annotator of the round: settled something, or nothing is theirs.

    The latter only where traces were assigned: else whoever comes may be about to label.
    """
    if store.assignments.of(keys(store, person), round):
        return False
    me = store.labels.links.people().person(person.id)
    settled = any(event.kind == "adjudicate" and event.annotator == me for event in counted.heads)
    return settled or bool(store.assignments.all(round))


def state(case: Case) -> str:
    """One word for how a case stands."""
    if case.gold.status == "conflict":
        return CONFLICT
    if case.gold.stale:
        return STALE
    return SETTLED if case.settled else OPEN


def _print(told: Sequence[Case], ruled: dict[str, Gold]) -> None:
    pair: tuple[str, ...] | None = None
    for case in told:
        if case.pair != pair:
            pair = case.pair
            out.show(f"{' or '.join(pair) or 'no labels left'}?")
        decision = case.gold.decision
        said = f"  {decision.mode}" if decision else ""
        own_words = "  (by somebody who labelled it)" if case.gold.own else ""
        out.show(f"    {case.info.trace_id[:11]}  {state(case)}{said}{own_words}")
    if ruled:
        out.show(f"{BY_RULE}: independent blind labels agree, and nobody says otherwise")
        for trace_id, gold in ruled.items():
            out.show(f"    {trace_id[:11]}  {_mode(gold)} ({count(len(gold.events), 'label')})")


def _mode(gold: Gold) -> str:
    return gold.decision.mode if gold.decision else ""


def _case_record(case: Case) -> dict[str, Json]:
    return {
        "trace_id": case.info.trace_id,
        "pair": list(case.pair),
        "state": state(case),
        "status": case.gold.status,
        "stale": case.gold.stale,
        "own": case.gold.own,
        "settled_by": case.gold.settled_by or None,
        "mode": _mode(case.gold) or None,
        "labels": [event.mode for event in case.labels],
        "before": [event.mode for event in case.before],
    }


def _rule_record(trace_id: str, gold: Gold) -> dict[str, Json]:
    return {
        "trace_id": trace_id,
        "mode": _mode(gold),
        "status": gold.status,
        "settled_by": gold.settled_by,
        "labels": len(gold.events),
    }
