"""What `assign` tells: of a draw, and of how far everybody is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reviewer import settings
from reviewer.cli import out, told
from reviewer.cli.assigned import round_name
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.study import planning
from reviewer.study.assigning_people import Roster, assigned
from reviewer.study.assigning_progress import Progress, by_person, by_trace, progress, shared, spoilt
from reviewer.study.earlier import earlier
from reviewer.study.rounds import book_id
from reviewer.trace import Json

if TYPE_CHECKING:
    from reviewer.cli.context import Context
    from reviewer.label import Annotator
    from reviewer.store import Store
    from reviewer.study.assigning_round import Drawn
    from reviewer.taxonomy import Taxonomy
NO_PAIR = (
    "no two people can be measured: on every trace that several get, at most one can still label blind. Take "
    "traces that nobody has met (--fresh; if none is left, import more)"
)
ALL_GONE = "no trace passes --only, --failed or --fresh; `reviewer import` brings in fresh ones"


def tell_draw(store: Store, taxonomy: Taxonomy, drawn: Drawn, *, kept: bool, as_json: bool) -> None:
    """What was (or would be) assigned, and what the round then looks like."""
    round = drawn.draw.round
    standing = store.assignments.all(round)
    everything = standing if kept else [*standing, *drawn.made]
    asked = drawn.draw.settings["annotators"]
    from reviewer.label import Annotator

    roster = Roster(store, [Annotator(one["id"], one["name"]) for one in asked])
    try:
        shares = planning.published(taxonomy)
    except InputError:
        shares = None
    lost = spoilt(store, taxonomy, roster, everything)
    pairs, several, width = shared(store, shares, roster, everything, lost)
    before = earlier(store, round)
    met = {one.trace_id for one in drawn.made if before.met((roster.person(one.annotator),), one.trace_id)}
    new, all_of = by_person(roster, drawn.made), by_person(roster, everything)
    all_of = {roster.person(one["id"]): set() for one in asked} | all_of
    holders = by_trace(all_of)
    people = [
        {
            "annotator": _person(person, roster.name(person)),
            "new": len(new.get(person, ())),
            "assigned": len(traces),
            "overlap": sum(len(holders[trace]) > 1 for trace in traces),
        }
        for person, traces in sorted(all_of.items(), key=lambda item: (roster.name(item[0]), item[0]))
    ]
    found: dict[str, Json] = {
        "draw": drawn.draw.id if kept else None,
        "round": round,
        "settings": dict(drawn.draw.settings),
        "left_out": drawn.left_out,
        "more_sighted": drawn.sighted,
        "never_blind": len(lost),
        "drawn_met_before": len(met),
        "drawn_settled_before": len(met & before.settled),
        "overlap": several,
        "half_width": width,
        "annotators": people,
        "pairs": [
            {"a": one.a.name, "b": one.b.name, "traces": one.traces, "half_width": one.half_width}
            for one in pairs
        ],
        "assignments": [
            {
                "id": one.id if kept else None,
                "trace": one.trace_id,
                "annotator": roster.name(one.annotator),
                "place": one.place,
                "blind": one.blind,
                "stratum": one.stratum,
                "probability": one.probability,
            }
            for one in drawn.made
        ],
    }
    if as_json:
        out.show_json(found)
    else:
        _tell(found, kept=kept)


def _tell(found: dict[str, Json], *, kept: bool) -> None:
    said, round = found["settings"], found["round"]
    dry = "" if kept else " (dry run, nothing kept)"
    overlap = any(one["overlap"] for one in found["annotators"])
    if overlap and found["pairs"] and not any(one["traces"] for one in found["pairs"]):
        out.show(f"round {round}: {NO_PAIR}")
    if not found["assignments"]:
        idle = [one["annotator"]["name"] for one in found["annotators"] if not one["assigned"]]
        told = ALL_GONE if said["only"] == 0 else "what is asked for stands already"
        if idle and said["only"] != 0:
            every = "no trace is left that may be drawn" if not said["of"] else "none was asked for"
            nobody = f"{', '.join(idle)} has none"
            told = f"{every}, and {nobody} (--overlap N gives traces of one person to others)"
        out.show(f"round {round}: nothing to add; {told}")
    elif said["drawn"]:
        rest = "blind" if said["rest"] == "blind" else "as each one works"
        overlapping, alone = said["overlapping"], said["drawn"] - said["overlapping"]
        many = "two people" if said["raters"] == "2" else "all"
        out.show(
            f"round {round}{dry}: {said['drawn']} of {count(said['of'], 'trace')} drawn, seed {said['seed']}"
        )
        out.show(f"{overlapping} for {many} (blind), {alone} for one each ({rest})")
    if said["more"]:
        out.show(
            f"round {round}{dry}: {said['more']} of {count(said['more_of'], 'trace')} that one person has go "
            f"to others as well, seed {said['seed']}"
        )
    lacking, sighted = said["more_wanted"] - said["more"], found["more_sighted"]
    if sighted := min(lacking, sighted):
        out.show(
            f"{count(sighted, 'more trace', 'was', 'were')} to overlap, but their people may see the "
            "suggestion first (--rest chosen): they can count in no pair"
        )
    if lacking > sighted:
        out.show(
            f"{count(lacking - sighted, 'more trace', 'was', 'were')} to overlap, but nobody named here is "
            "new to them, or they are not among those that may be drawn"
        )
    if found["never_blind"]:
        out.show(
            f"{found['never_blind']} of the assignments can get no blind label and count in no pair: their "
            "people have seen the suggestion, or others' labels, before (--fresh: what no other round had)"
        )
    if met := found["drawn_met_before"]:
        settled = found["drawn_settled_before"]
        out.show(
            f"{met} of the traces were met in an earlier round: their people labelled or noted them there"
            f"{f', or they were settled ({settled})' * bool(settled)}. Agreement on those is told apart from "
            "that on fresh ones (--fresh: what no other round had)"
        )
    if found["left_out"]:
        out.show(
            f"{count(found['left_out'], 'trace')} left out: labelled in this round without being assigned"
        )
    if found["annotators"]:
        _tell_people(found)


def _tell_people(found: dict[str, Json]) -> None:
    """What each has, and what every two have together."""
    out.show()
    rows = [
        (one["annotator"]["name"], str(one["new"]), str(one["assigned"]), str(one["overlap"]))
        for one in found["annotators"]
    ]
    out.table(rows, ("annotator", "new", "in the round", "of these overlap"))
    out.show()
    pairs = [
        (f"{one['a']} and {one['b']}", str(one["traces"]), _width(one["half_width"]))
        for one in found["pairs"]
    ]
    pairs += [("all pairs", str(found["overlap"]), _width(found["half_width"]))] if len(pairs) > 1 else []
    if pairs:
        out.table(pairs, ("both get", "traces", f"if kappa is {planning.KAPPA:g}, it will be known to about"))
        out.show("roughly, with the shares published; `reviewer plan` tells how many traces a width takes")


def _width(width: float | None) -> str:
    return "-" if width is None else f"±{width:.2f}"


def _person(key: str, name: str) -> Json:
    return {"id": None if key.startswith("name:") else key, "name": name}


def tell_progress(context: Context, name: str | None, as_json: bool) -> int:
    """Everybody in every assigned round; with `name` one's own traces, and nothing of how they were drawn."""
    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        if name is not None:
            from reviewer.label import Annotator

            told.somebody(store, name)
            return _tell_own(store, taxonomy, Annotator(*settings.identity(name)), as_json)
        found = progress(store, taxonomy)
    if as_json:
        out.show_json([record(one) for one in found])
    elif not found:
        out.say("nothing is assigned yet: reviewer assign --annotators ana,ben --overlap 30%")
    else:
        rows = [
            (
                *(round_name(one.round), one.annotator.name, f"{one.labelled} of {one.assigned}"),
                *(str(one.blind), str(one.overlap), str(one.noted), _remark(one)),
            )
            for one in found
        ]
        out.table(rows, ("round", "annotator", "labelled", "blind", "overlap", "noted only", ""))
    return 0


def record(one: Progress) -> dict[str, Json]:
    return {
        "round": one.round,
        "annotator": _person(one.annotator.id, one.annotator.name),
        "assigned": one.assigned,
        "overlap": one.overlap,
        "labelled": one.labelled,
        "blind": one.blind,
        "noted": one.noted,
        "waiting": one.waiting,
        "other_versions": one.elsewhere,
    }


def line(one: Progress) -> str:
    """`round 2: ana labelled 12 of 40 assigned traces`, for `status`."""
    done, number, verb = _remark(one), one.labelled, "labelled"
    if one.notes_only:
        number, verb = one.noted, "wrote notes on"
    said = f"{one.annotator.name} {verb} {number} of {count(one.assigned, 'assigned trace')}"
    return f"{round_name(one.round)}: {said}{f' ({done})' * bool(done)}"


def _remark(one: Progress) -> str:
    """What the counts do not say."""
    coded = ["open coding: a note is all that is asked for"] if one.notes_only else []
    under = "under another version of the codebook than the round was assigned under"
    return "; ".join([*coded, *([f"{one.elsewhere} labelled {under}"] if one.elsewhere else [])])


def _did(one: dict[str, Json]) -> str:
    done = "labelled" if one["labelled"] else "noted" if one["noted"] else "-"
    return done if one["here"] or done != "-" else "not in this store"


def _tell_own(store: Store, taxonomy: Taxonomy, annotator: Annotator, as_json: bool) -> int:
    person = store.labels.links.people().person(annotator.id)
    here = {info.trace_id: info for info in store.traces.all()}
    found: list[Json] = []
    for round in sorted({one.round for one in store.assignments.all()}, reverse=True):
        heads = store.labels.heads(book_id(store, round, taxonomy.id), round)
        own = [one for one in heads if one.annotator == person]
        done, noted = ({one.trace_id for one in own if one.kind == kind} for kind in ("label", "note"))
        for place, one in enumerate(assigned(store, annotator, round), 1):
            info = here.get(one.trace_id)
            task = (info.task_id or " ".join(info.task[:60].split())) if info is not None else ""
            fixed = {"round": round, "place": place, "trace": one.trace_id, "task": task}
            did = {"labelled": one.trace_id in done, "noted": one.trace_id in noted}
            found.append({**fixed, "here": info is not None, **did})
    if as_json:
        out.show_json(found)
        return 0
    if not found:
        out.say_line(f"nothing is assigned to {annotator.name} ({annotator.id[:11]})")
        return 0
    rows = [
        (
            *(round_name(one["round"]), str(one["place"]), one["trace"][:11]),
            *(_did(one), one["task"] or "-"),
        )
        for one in found
    ]
    out.table(rows, ("round", "place", "trace", "", "task"))
    return 0
