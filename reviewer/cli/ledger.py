"""The ledger of a round: every adjudication with its reason, what is settled by rule, what the guideline
should say; and the same as text for the codebook.

With a name, what others said of traces that this person has not labelled in the round is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from reviewer.cli import out, told
from reviewer.cli.context import Context
from reviewer.cli.settled import BY_RULE, HOW, unlabelled_by
from reviewer.counting import count
from reviewer.exporters import records
from reviewer.label import Gold, LabelEvent
from reviewer.store import Store
from reviewer.study.basis import own, stale
from reviewer.study.current import Current, current
from reviewer.study.disagreements import by_rule, everything_said
from reviewer.study.gold import by_trace
from reviewer.study.known_rounds import there
from reviewer.study.ledger import Entry, as_toml, entries
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json


def print_ledger(context: Context, name: str | None, round: int | None, *, as_json: bool) -> int:
    """Those that ask for a change of the guideline first, then by the modes they decide between.

    That `name` was shown what people said of these traces is recorded.
    """
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        counted, hidden = _shown(context, store, taxonomy, name, round)
        known = store.labels.annotators()
    said: dict[str, list[LabelEvent]] = defaultdict(list)
    for event in counted.labels:
        said[event.trace_id].append(event)
    made = [e for e in counted.heads if e.kind == "adjudicate" and e.trace_id not in hidden]
    every = everything_said(counted)
    modes = {trace_id: sorted({event.mode for event in labels}) for trace_id, labels in every.items()}
    made.sort(key=lambda event: (not event.guideline, modes.get(event.trace_id, []), event.at))
    ruled = {trace: gold for trace, gold in by_rule(counted).items() if trace not in hidden}
    if as_json:
        listed = [
            {
                **records.label(event, known),
                "trace_id": event.trace_id,
                "said": modes.get(event.trace_id, []),
                "guideline": event.guideline,
                "settled_by": "person",
                "stale": stale(event, said[event.trace_id]),
                "own": own(event),
            }
            for event in made
        ]
        out.show_json([*listed, *(_rule_record(trace, gold) for trace, gold in ruled.items())])
        return 0
    for event in made:
        marks = "  THE GUIDELINE MUST CHANGE" * event.guideline
        marks += "  STALE: the labels changed since" * stale(event, said[event.trace_id])
        marks += "  by somebody who labelled it" * own(event)
        between = " or ".join(modes.get(event.trace_id, [])) or "no labels"
        out.show(f"{between}: {event.mode} ({event.confidence or '-'}){marks}")
        out.show(f"    {event.trace_id[:11]}  {known[event.annotator].name}: {event.reason}")
        if event.note:
            out.show(f"    note: {event.note}")
    if ruled:
        out.show(f"{BY_RULE}: {count(len(ruled), 'trace')} on which independent blind labels agree")
    if hidden:
        out.say(f"left out: what may be settled of traces that {name} has not labelled in this round")
        out.say(HOW.format(command="--ledger", name=name))
    if not made:
        out.say("nothing was settled by a person in this round yet")
    return 0


def print_ledger_toml(context: Context, name: str | None, round: int | None) -> int:
    """The tables to add to the codebook in use, to stdout."""
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        text = as_toml(ledger_of(context, store, taxonomy, name, round), taxonomy)
    if text:
        out.show_as_it_is(text.rstrip())
    else:
        out.say("nothing that a person settled in this round stands, so there is no text")
    return 0


def ledger_of(
    context: Context, store: Store, taxonomy: Taxonomy, name: str | None, round: int | None
) -> Sequence[Entry]:
    """The entries of the ledger that stand; that they were shown is recorded.

    A stale one is left out, with a word: the labels of today are not the ones that it decided between.
    """
    counted, hidden = _shown(context, store, taxonomy, name, round)
    made = [e for e in counted.heads if e.kind == "adjudicate" and e.trace_id not in hidden]
    said = by_trace(counted.labels)
    standing = [event for event in made if not stale(event, said.get(event.trace_id, ()))]
    if gone := len(made) - len(standing):
        out.say(
            f"left out: {count(gone, 'adjudication')} made before the labels changed (STALE in "
            "`adjudicate --ledger`); settle again, or --reaffirm"
        )
    return entries(standing, everything_said(counted))


def _shown(
    context: Context, store: Store, taxonomy: Taxonomy, name: str | None, round: int | None
) -> tuple[Current, frozenset[str]]:
    """What counts in the round, and what of it is not for `name`; that the rest is shown is on record."""
    told.somebody(store, name)
    number = there(store, round)
    counted = current(store, taxonomy, number)
    hidden = unlabelled_by(store, counted, name, number) or frozenset()
    settled = [e.trace_id for e in counted.heads if e.kind == "adjudicate"]
    settled += by_rule(counted) if name is not None else []
    shown = [trace for trace in dict.fromkeys(settled) if trace not in hidden]
    told.peers(context.desk(store, name, number, taxonomy), name, shown)
    return counted, hidden


def _rule_record(trace_id: str, gold: Gold) -> Json:
    """A trace that no person settled: it has no event, no annotator and no time."""
    mode = gold.decision.mode if gold.decision else ""
    return {
        "trace_id": trace_id,
        "mode": mode,
        "said": [mode],
        "settled_by": "rule",
        "reason": f"{len(gold.events)} independent blind labels agree",
        "annotator": None,
        "guideline": False,
        "stale": False,
        "own": False,
    }
