"""`status` and `traces`: what the store holds, counted and listed."""

from __future__ import annotations

from collections.abc import Iterable

import click

from reviewer import settings
from reviewer.cli import out, told
from reviewer.cli.context import Context
from reviewer.cli.filtering import Filters, filters
from reviewer.cli.lists import TRACES
from reviewer.exporters import records
from reviewer.label import Annotator, LabelledTrace, Suggestion
from reviewer.store import Store
from reviewer.trace import Json
from reviewer.tui.naming import in_a_line

# What the counts are of, where the name does not say it.
_ABOUT = {
    "labels": "current ones, under the taxonomy in use",
    "notes": "beside labels, and of open coding",
    "abstentions": "of the suggestions: no mode, but why",
    "disagreements": "people differ, and nobody settled it",
    "adjudicated": "settled by a person",
    "stale": "of these: a label changed since",
    "settled_by_rule": "independent blind labels agree, and nobody says otherwise",
    "gold": "adjudicated or settled by rule",
    "conflicts": "two current decisions where one should be",
    "other_versions": "labels under another version of this taxonomy: count nowhere else",
    "other_settled": "adjudications under another version of it: likewise",
    "other_taxonomies": "labels under other taxonomies, those of published sets among them",
}
_NAME = 16  # columns for the name of a count


@click.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_status(context: Context, as_json: bool) -> int:
    """Count what the store holds."""
    from reviewer.cli.assigning_words import line, record
    from reviewer.cli.merging import conflict_line, conflict_record
    from reviewer.study.assigning_progress import progress
    from reviewer.study.conflicts import conflicts
    from reviewer.study.overview import overview

    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        counts = overview(store, taxonomy)
        mode = store.settings.get("work")
        left = conflicts(store, taxonomy.id)
        known = store.labels.annotators()
        queues = progress(store, taxonomy) if store.assignments.any() else []
    if as_json:
        torn = [conflict_record(conflict, known) for conflict in left]
        out.show_json({**counts, "conflicting": torn, "assigned": [record(one) for one in queues]})
        return 0
    for name, count in counts.items():
        out.show_beside(f"{count:>7,}  {name:<{_NAME}}  ", _ABOUT.get(name, ""))
    out.show(f"way of working: {mode or 'not chosen yet'}")
    for queue in queues:
        out.show(line(queue))
    for conflict in left:
        out.show(conflict_line(conflict, known))
    return 0


_TASK = 40  # columns for what a trace is about


@click.command("traces")
@filters
@click.option("--children", is_flag=True, help="Sub-agent runs too.")
@click.option(
    "--as", "name", metavar="NAME", help="Show this annotator's own labels instead of the gold ones."
)
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_traces(
    context: Context, /, name: str | None, round: int | None, children: bool, as_json: bool, **given: object
) -> int:
    """List the traces, in order of import."""
    from reviewer.study.again import waiting
    from reviewer.study.known_rounds import there
    from reviewer.study.rows import labelled_traces

    wanted = Filters(**given)  # type: ignore[arg-type]  # click passes what the options above declare
    if name is not None and wanted.status is not None:
        raise click.UsageError("--status tells what others said; it does not go with --as")
    listed: list[Json] = []
    with context.open_store() as store:
        told.somebody(store, name)
        taxonomy = context.load_taxonomy(store)
        if round is None and name is not None:
            round = context.own_round(store, name, None, taxonomy)
        number = there(store, round)
        people = store.labels.links.people()
        me = people.person(settings.identity(name)[0]) if name is not None else None
        mine = frozenset() if me is None else frozenset((me,))
        seen = store.labels.seen(me) if me is not None else None
        again = frozenset() if name is None else waiting(store, Annotator(*settings.identity(name)))
        if wanted.mode is not None:
            taxonomy.mode(wanted.mode)
        for row in labelled_traces(store, taxonomy, number, children=children):
            label = None if row.info.trace_id in again else _label(row, me)
            labelled = bool(row.labels) if me is None else bool(label)
            if wanted.match(row, label["mode"] if label else None, labelled, mine):
                scores = {"passed": row.passed, "score": row.score}
                said = {"label": label, "suggestion": _suggestion(row, seen), "task": _head(row.info.task)}
                said["suggestions"] = [_brief(one) for one in _shown(row, seen)]
                listed.append({**records.info(row.info), **scores, **said})
        if me is not None:
            _record_outcomes(context, store, name, round, listed)
    if as_json:
        out.show_json(listed)
    else:
        _print(listed, "gold" if me is None else "label")
    return 0


def _record_outcomes(
    context: Context, store: Store, name: str | None, round: int | None, listed: list[Json]
) -> None:
    """An annotator is about to see how these runs were graded: that is an exposure like any other."""
    graded = [row["id"] for row in listed if row["passed"] is not None or row["score"] is not None]
    told.record(context.desk(store, name, round), name, {id: [("outcome", "list")] for id in graded})


def _label(row: LabelledTrace, me: str | None) -> dict[str, Json] | None:
    """The gold label, or with `me` one's own."""
    if me is None:
        return {"mode": row.gold.decision.mode, "status": row.gold.status} if row.gold.decision else None
    mine = [event for event in row.labels if event.annotator == me and event.kind == "label"]
    if not mine:
        return None
    return {"mode": mine[0].mode, "status": "conflict" if len(mine) > 1 else str(mine[0].condition)}


def _suggestion(row: LabelledTrace, seen: frozenset[str] | None) -> Json:
    """One suggestion, as a list has room for it."""
    shown = _shown(row, seen)
    if not shown:
        return None
    best = min(shown, key=lambda suggestion: suggestion.status != "ok")
    return {"suggester": best.suggester, "mode": best.mode or None, "status": best.status}


def _shown(row: LabelledTrace, seen: frozenset[str] | None) -> list[Suggestion]:
    """The newest of each suggester; with `seen` only those that this annotator was shown before.

    A list reveals nothing.
    """
    return [one for one in row.suggestions if seen is None or one.id in seen]


def _brief(one: Suggestion) -> dict[str, Json]:
    """What a suggester says of a trace, beside the others; `finding` where it judged another's."""
    return {
        "id": one.id,
        "suggester": one.suggester,
        "model": one.model or None,
        "mode": one.mode or None,
        "status": one.status,
        "confidence": one.confidence,
        "step": one.step_n,
        "judges": one.usage.get("judges"),
        "finding": one.usage.get("finding"),
    }


def _print(listed: Iterable[dict[str, Json]], said: str) -> None:
    verdicts = {True: "passed", False: "failed", None: "-"}
    rows = [
        (
            *(
                row["id"][:11],
                _task(row),
                row["model"] or "-",
                row["ended"],
                verdicts[row["passed"]],
            ),
            *(str(row["steps"]), str(row["errors"]), (row["label"] or {}).get("mode") or "-", row["file"]),
        )
        for row in listed
    ]
    if not rows:
        out.say("no trace matches")
        return
    out.table(rows, (*TRACES, said, "file"))


def _task(row: dict[str, Json]) -> str:
    """What tells a trace from others: what the app calls it."""
    text = in_a_line(row["task_id"] or "", row["task"]) or "-"
    return text if len(text) <= _TASK else f"{text[: _TASK - 1]}…"


def _head(task: str) -> str:
    return " ".join(task[:400].split())[:160]
