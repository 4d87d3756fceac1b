"""`show` and `history`: one trace from the inside, and everything that was ever said about it."""

from __future__ import annotations

import json
from heapq import merge
from pathlib import Path

import click

from reviewer.cli import out, told
from reviewer.cli.context import Context
from reviewer.counting import count, count_calls
from reviewer.errors import InputError
from reviewer.exporters import records, strict
from reviewer.label import Annotator, ExposureKind, LabelEvent, Suggestion
from reviewer.store import Store
from reviewer.study.rows import verdict
from reviewer.trace import Json, Step, plain

_DIR = click.Path(path_type=Path, file_okay=False)


@click.command("show")
@click.argument("trace")
@click.option("--step", "n", type=out.NUMBER, help="Only this step.")
@click.option(
    "--raw",
    is_flag=True,
    help="The source record as it stood in the file (JSON); with --step the step's.",
)
@click.option("--images", "folder", metavar="DIR", type=_DIR, help="Write its pictures and files there.")
@click.option("--suggestions", is_flag=True, help="What every suggester says of it, side by side.")
@click.option("--as", "name", metavar="NAME", help="Who looks: what NAME may see, recorded.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_show(
    context: Context,
    trace: str,
    n: int | None,
    raw: bool,
    folder: Path | None,
    suggestions: bool,
    name: str | None,
    as_json: bool,
) -> int:
    """Print a trace, one step of it, or its source record; or get out the pictures that stand in it.

    TRACE is the id of a trace, or a unique beginning of it. That you were shown suggestions is recorded: a
    label that you give this trace afterwards is not blind.
    """
    if suggestions:
        from reviewer.cli.suggested import show_suggestions

        with context.open_store() as store:
            told.somebody(store, name)
            return show_suggestions(context, store, store.traces.resolve(trace), name, as_json=as_json)
    with context.open_store() as store:
        told.somebody(store, name)
        full_id = store.traces.resolve(trace)
        if raw and n is not None:
            from reviewer.cli.raw import show_step_record

            sealed = name is not None and _sealed(context, store, full_id, name, whole=False)
            show_step_record(context, store, full_id, n, name, sealed=sealed, as_json=as_json)
            return 0
        whole = raw or (as_json and n is None)
        sealed = name is not None and _sealed(context, store, full_id, name, whole=whole)
        if raw and sealed:
            raise InputError(
                f"the source record may hold a verdict: {name} may see it after a label of {name}'s own; "
                "--step N shows a step"
            )
        if raw:
            out.verbatim(store.traces.raw(full_id))
        elif folder is not None:
            _save_pictures(store.traces.raw(full_id), folder)
        elif as_json:
            out.show_json(_as_json(store, full_id, n, sealed=sealed))
        else:
            _show(store, full_id, n)
    return 0


def _sealed(context: Context, store: Store, trace_id: str, name: str, *, whole: bool) -> bool:
    """Whether `name` has not labelled the trace yet, and must not see what its record says beyond the grade.

    What is shown of it is recorded: the grade, and once the label is in, for the `whole` record, the rest.
    """
    from reviewer.session.desk import graded
    from reviewer.session.held import in_record

    taxonomy = context.load_taxonomy(store)
    desk = context.desk(store, name, context.own_round(store, name, None, taxonomy), taxonomy)
    heads = store.labels.heads(taxonomy.id, desk.round, trace_id)
    mine = [event for event in heads if event.kind == "label" and event.annotator == desk.person]
    sealed = not any(event.taxonomy_hash == taxonomy.hash for event in mine)
    outcomes = store.outcomes.of(trace_id)
    shown = graded(plain(outcomes))
    if whole and not sealed:
        shown += in_record(store, trace_id, outcomes)
    told.record(desk, name, {trace_id: shown})
    return sealed


def _save_pictures(raw: str, folder: Path) -> None:
    """Each picture as a file with the name of its placeholder."""
    from reviewer.importers.shapes.pictures import pictures

    saved = 0
    try:
        for picture in pictures(json.loads(raw, strict=False)):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / picture.file_name).write_bytes(picture.data)
            out.show_as_it_is(str(folder / picture.file_name))
            saved += 1
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None
    if not saved:
        out.say("no picture or file stands in this trace")


def _as_json(store: Store, full_id: str, n: int | None, *, sealed: bool) -> Json:
    """The trace; while it is `sealed`, without what judges and people say in its record."""
    if n is not None:
        return records.step(store.traces.step(full_id, n))
    info = store.traces.info(full_id)
    every = store.outcomes.of(full_id)
    outcomes = plain(every) if sealed else every
    passed, score = verdict(outcomes)
    withheld = {"withheld": "meta and opinions: shown after your label"} if sealed else {}
    return {
        **records.info(info),
        **{"passed": passed, "score": score, "task": info.task, "content_hash": info.content_hash},
        **{"tokens_in": info.tokens_in, "tokens_out": info.tokens_out, "cost": info.cost},
        **{"started": info.started or None, "seconds": info.seconds, "parent": info.parent_id or None},
        **{"revision": info.revision, "meta": {} if sealed else dict(info.meta)},
        **withheld,
        "outcomes": [records.outcome(outcome) for outcome in outcomes],
        "steps_list": [records.step(step) for step in store.traces.steps(full_id)],
    }


def _show(store: Store, full_id: str, n: int | None) -> None:
    if n is not None:
        _show_step(store.traces.step(full_id, n))
        return
    info = store.traces.info(full_id)
    passed, score = verdict(store.outcomes.of(full_id))
    verdicts = {True: "passed", False: "failed", None: "outcome unknown"}
    out.show(f"{full_id}  {info.format}  {info.source_path}")
    out.show(f"task {info.task_id or '-'}  model {info.model or '-'}  ended {info.ended}  {verdicts[passed]}")
    calls = sum(row.n_calls for row in store.traces.outline(full_id))
    counts = [
        count(info.n_steps, "step"),
        count_calls(calls, info.n_tool_calls),
        count(info.n_errors, "error"),
    ]
    out.show(f"score {out.number(score)}  {', '.join(counts)}")
    out.show_as_it_is(info.task)
    for step in store.traces.steps(full_id):
        _show_step(step)


def _show_step(step: Step) -> None:
    words = " · ".join(filter(None, (f"step {step.n}", step.source, step.name, step.kind)))
    out.show(f"\n── {words} {step.at}".rstrip())
    for text in (step.reasoning, step.message):
        if text:
            out.show_as_it_is(text)
    for call in step.calls:
        arguments = call.arguments if isinstance(call.arguments, str) else strict.dumps(call.arguments)
        out.show_as_it_is(f"→ {call.name} {arguments}")
    for result in step.results:
        mark = "denied" if result.denied else "error" if result.error else "result"
        out.show_as_it_is(
            f"← {mark}{'' if result.exit_code is None else f' (exit {result.exit_code})'}: {result.content}"
        )
    if step.extra:
        out.show_as_it_is(f"further fields of the source: {strict.dumps(dict(step.extra))}")


@click.command("history")
@click.argument("trace")
@click.option("--as", "name", metavar="NAME", help="Who looks (default: the login name).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_history(context: Context, trace: str, name: str | None, as_json: bool) -> int:
    """Print every event about a trace in the order it happened, suggestions among them.

    That you were shown them is recorded: a label that you give this trace afterwards is not blind.
    """
    with context.open_store() as store:
        told.somebody(store, name)
        full_id = store.traces.resolve(trace)
        _record_look(context, store, name, full_id)
        known = store.labels.annotators()
        stands = _standing(store, full_id)
        events = [_event(event, known) | stands.get(event.id, {}) for event in store.labels.events(full_id)]
        suggested = [_suggested(suggestion) for suggestion in store.suggestions.history(full_id)]
    # events stand in the order they were written, whatever a clock said; suggestions where they fit in
    said = list(merge(suggested, events, key=lambda entry: str(entry["at"])))
    if as_json:
        out.show_json(said)
        return 0
    rows = [
        (
            *(entry["at"][:19], entry["kind"], entry["annotator"]["name"], entry["mode"] or "-"),
            entry["submode"] or "-",
            str(entry["decisive_step"]["n"]) if entry["decisive_step"] else "-",
            *(entry["condition"] or "-", _words(entry)),
        )
        for entry in said
    ]
    out.table(rows, ("at", "kind", "by", "mode", "submode", "step", "condition", "note"))
    return 0


def _record_look(context: Context, store: Store, name: str | None, trace_id: str) -> None:
    """Commit that this person is about to see what machines and others said of the trace."""
    from reviewer.study.again import waiting

    desk = context.desk(store, name, None)
    suggested = [one.id for one in store.suggestions.history(trace_id) if one.leads]
    mine = store.labels.links.people().ids(desk.annotator.id)
    others = [event.id for event in store.labels.events(trace_id) if event.annotator not in mine]
    shown: list[tuple[ExposureKind, str]] = [("suggestion", id) for id in suggested]
    shown += [("peers", id) for id in others]
    if trace_id in waiting(store, desk.annotator):  # what they said themselves: then this is no second label
        own = (event for event in store.labels.events(trace_id) if event.annotator in mine)
        shown += [("peers", event.id) for event in own]
    told.record(desk, name, {trace_id: shown})


def _standing(store: Store, trace_id: str) -> dict[str, dict[str, Json]]:
    """Of each current adjudication whether it is stale, and whether by one who had labelled the trace."""
    from reviewer.study.basis import own, stale

    heads = store.labels.heads("", None, trace_id)
    found: dict[str, dict[str, Json]] = {}
    for event in heads:
        if event.kind == "adjudicate":
            place = (event.taxonomy_hash, event.round)
            labels = [e for e in heads if e.kind == "label" and (e.taxonomy_hash, e.round) == place]
            found[event.id] = {"stale": stale(event, labels), "own": own(event)}
    return found


def _words(entry: dict[str, Json]) -> str:
    """What somebody wrote, behind what about it a reader must know and what else they decided."""
    marks = [word for key, word in _MARKS.items() if entry.get(key)]
    marks += [f"also {mode}" for mode in entry.get("secondary", ())]
    marks += [f"{facet} {choice}" for facet, choice in entry["facets"].items()]
    marks += [f"{sure} confidence"] if isinstance(sure := entry["confidence"], str) else []
    return ": ".join(filter(None, (", ".join(marks), entry["note"] or entry["reason"])))


_MARKS = {"stale": "STALE, the labels changed since", "own": "by somebody who labelled it"}


def _event(event: LabelEvent, known: dict[str, Annotator]) -> dict[str, Json]:
    entry = records.label(event, known)
    return {**entry, "mode": event.mode or None}


def _suggested(suggestion: Suggestion) -> dict[str, Json]:
    by = {"id": suggestion.suggester, "name": suggestion.suggester}
    blank: dict[str, Json] = {"submode": None, "condition": None, "supersedes": [], "note": None}
    return {**records.suggestion(suggestion), **blank, "kind": "suggestion", "annotator": by}
