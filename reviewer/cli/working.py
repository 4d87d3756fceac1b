"""`quality`: how a round was worked on, each number with what it rests on; for its lead, without blame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from reviewer.cli import out
from reviewer.cli.context import Context
from reviewer.counting import count
from reviewer.stats.estimate import Estimate, explain
from reviewer.trace import Json

if TYPE_CHECKING:
    from reviewer.label import Annotator
    from reviewer.stats.spread import Spread
    from reviewer.study.drift import Change, Drift
    from reviewer.study.quality import Quality, Work
    from reviewer.study.reveals import Flips

_CONDITIONS = {"blind": "blind", "suggestion": "with a suggestion seen", "peers": "with others' labels seen"}
_SHORT = {"few_tasks": "fewer than 5 tasks: no interval"}
_NO_INTERVAL = "fewer than 6 values: no interval"


@click.command("quality")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option("--unnamed", is_flag=True, help="Numbers in place of names, in an order that tells nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_quality(context: Context, round: int | None, unnamed: bool, as_json: bool) -> int:
    """Tell how a round was worked on, by annotator: a reason to talk, no verdict on anybody.

    Times are what the screen counted on a trace until its first label, in that sitting, and so are the steps
    opened; labels from scripts have none. A label is fast when what decides it cannot be read in that time:
    50 words of the summary page, and of two opened steps at most the words, counted as low as they can be
    (the shortest of the trace, 200 each at most). Most adults read prose at 175 to 300 words a minute, nobody
    at more than 1,000; logs and code are scanned, and who knows a trace need not read it. Intervals are of 95
    %.
    """
    from reviewer.study import quality
    from reviewer.study.known_rounds import there

    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        found = quality.quality(store, taxonomy, there(store, round))
    if unnamed:
        found = quality.unnamed(found)
    if as_json:
        out.show_json({"taxonomy": taxonomy.id, **_as_json(found)})
    else:
        _tell(found)
    return 0


def _tell(found: Quality) -> None:
    out.show(f"round {found.round}: how it was worked on; a reason to talk, no verdict on anybody")
    if not found.people:
        out.show("nobody has labelled in this round yet")
        return
    everybody = [found.everybody] if len(found.people) > 1 else []
    for work in (*everybody, *found.people):
        labels = ", ".join(
            f"{work.labels[key]:,} {words}" for key, words in _CONDITIONS.items() if work.labels.get(key)
        )
        name = "everybody" if work.annotator is None else _name(work.annotator, found)
        out.show()
        out.show(
            f"{name}: {count(sum(work.labels.values()), 'current label')}{f' ({labels})' * bool(labels)}"
        )
        rows = list(_rows(work))
        out.table([row for row in rows if row[3] != "0"], ("", "value", "95 %", "n", "note"))
        if missing := list(_missing(work)):
            out.show(f"undefined: {'; '.join(missing)}")
        if work.revealed.flips.n or work.revealed.flips.peers:
            out.show(flips_line(work.revealed.flips))
        out.show(f"{work.skipped} skipped, {work.flagged} flagged")
        if work.untimed:
            out.show(
                f"{count(work.untimed, 'first label')} without a time (from a script, or of a trace not here)"
            )
    out.show("\nfast: sooner than what decides is read at 300 words a minute (no opened step: 10 s)")
    out.show("faster than anybody: sooner than at 1,000 (3 s); --help says more")
    out.show(
        "change: second half less first; of modes the one that moved most; the halves are different traces"
    )


def _name(who: Annotator, found: Quality) -> str:
    """The name, with the id where several people have it."""
    alike = [one for one in found.people if one.annotator and one.annotator.name == who.name]
    return f"{who.name} ({who.id})".strip() if len(alike) > 1 or not who.name else who.name


def flips_line(found: Flips) -> str:
    """What became of blind labels after the suggestion was shown, in one line."""
    apart = f"; {found.peers} after others' labels were seen, apart" if found.peers else ""
    gone = f", {found.withdrawn} withdrawn" if found.withdrawn else ""
    return (
        f"of {count(found.n, 'blind label')} whose suggestion was shown afterwards {found.changed} changed: "
        f"{found.toward} towards it, {found.away} away from it, {found.between} between modes that it did "
        f"not name{gone}{apart}"
    )


def flips_record(found: Flips) -> dict[str, Json]:
    return {**asdict(found), "changed": found.changed}


def _rows(work: Work) -> Iterator[tuple[str, str, str, str, str]]:
    yield _spread("seconds a label", work.seconds, 1)
    yield _spread("steps opened", work.opened, 2)
    yield _share("without opening a step", work.unopened, "by the summary page alone")
    yield _share("fast", work.fast)
    yield _share("faster than anybody", work.faster)
    yield _share("suggestion taken", work.accepted, "where it was seen first")
    yield _share("as suggested, before", work.revealed.agreed, "blind, shown afterwards")
    yield _share("as suggested, after", work.revealed.agrees, "the same, as they stand now")
    yield _share("with a note", work.noted)
    if work.drift is not None:
        yield from _drift(work.drift)


def _missing(work: Work) -> Iterator[str]:
    """What there is no number for, and why."""
    if not work.seconds.n:
        yield "time, steps opened and reading (no label has a time)"
    if not work.accepted.n:
        yield "suggestions taken (no label was given with one in sight)"
    if not work.revealed.flips.n:
        yield "changes after the reveal (no suggestion was shown after a blind label)"


def _spread(what: str, found: Spread, digits: int) -> tuple[str, str, str, str, str]:
    if found.median is None:
        return what, "-", "", "0", "undefined: no label has a time"
    quartiles = f"median; quartiles {out.number(found.first, digits)} to {out.number(found.third, digits)}"
    words = quartiles if found.low is not None else f"{quartiles}; {_NO_INTERVAL}"
    return what, out.number(found.median, digits), _range(found.low, found.high, digits), str(found.n), words


def _share(what: str, found: Estimate, of: str = "") -> tuple[str, str, str, str, str]:
    if found.value is None:
        return what, "-", "", str(found.n), "undefined: there is none of the kind"
    note = "; ".join([*([of] if of else []), *(_SHORT.get(word) or explain(word) for word in found.remarks)])
    return what, out.number(found.value), _range(found.low, found.high, 2), str(found.n), note


def _range(low: float | None, high: float | None, digits: int) -> str:
    return "" if low is None or high is None else f"{low:.{digits}f} to {high:.{digits}f}"


def _drift(found: Drift) -> Iterator[tuple[str, str, str, str, str]]:
    """Second half less first half."""
    if found.shift is not None:
        p = "" if found.p is None else f"; all modes: p {found.p:.3f}"
        yield (
            f"change: {found.mode}",
            f"{found.shift.difference:+.2f}",
            f"{found.shift.low:+.2f} to {found.shift.high:+.2f}",
            str(found.n),
            f"p {found.shift.p:.3f} (Holm){p}",
        )
    else:
        yield "change: modes", "-", "", str(found.n), f"undefined: {found.undefined}"
    yield _change("change: as suggested", found.suggester)
    yield _change("change: as others", found.others)


def _change(what: str, found: Change) -> tuple[str, str, str, str, str]:
    n = f"{found.first[1]} and {found.second[1]}"
    if found.difference is None or found.bounds is None:
        return what, "-", "", n, f"undefined: {found.undefined}"
    low, high = found.bounds
    shares = " to ".join(f"{hits / of:.2f}" for hits, of in (found.first, found.second))
    return what, f"{found.difference:+.2f}", f"{low:+.2f} to {high:+.2f}", n, f"from {shares}"


def _as_json(found: Quality) -> dict[str, Json]:
    from reviewer.study import pace

    return {
        "round": found.round,
        "assumptions": {
            "words_a_minute": {"fast": pace.MOST_ADULTS, "faster_than_anybody": pace.NOBODY},
            "characters_a_word": pace.LETTERS,
            "most_words_a_step": pace.SCREENFUL,
            "words_of_the_summary_page": pace.PAGE,
            "most_opened_steps": pace.DECIDING,
            "words": "of the summary page, and of the shortest steps of the trace, as many as were opened",
        },
        "everybody": _work(found.everybody),
        "annotators": [_work(one) for one in found.people],
    }


def _work(work: Work) -> dict[str, Json]:
    who = work.annotator
    return {
        "annotator": None if who is None else {"id": who.id, "name": who.name},
        "labels": {key: work.labels.get(key, 0) for key in _CONDITIONS},
        "without_time": work.untimed,
        "seconds": asdict(work.seconds),
        "steps_opened": asdict(work.opened),
        "without_opening_a_step": _estimate(work.unopened),
        "fast": _estimate(work.fast),
        "faster_than_anybody": _estimate(work.faster),
        "suggestion_taken": _estimate(work.accepted),
        "revealed": {
            **flips_record(work.revealed.flips),
            "share_changed": _estimate(work.revealed.changed),
            "same_before": _estimate(work.revealed.agreed),
            "same_after": _estimate(work.revealed.agrees),
        },
        "noted": _estimate(work.noted),
        "skipped": work.skipped,
        "flagged": work.flagged,
        "drift": None if work.drift is None else _drift_record(work.drift),
    }


def _estimate(found: Estimate) -> dict[str, Json]:
    keys = ("value", "low", "high", "n", "interval")
    remarks: list[Json] = list(found.remarks)
    return {
        **{key: getattr(found, key) for key in keys},
        "undefined": found.undefined or None,
        "remarks": remarks,
    }


def _drift_record(found: Drift) -> dict[str, Json]:
    return {
        "n": found.n,
        "undefined": found.undefined or None,
        "modes_moved": found.moved,
        "p": found.p,
        "mode": found.mode or None,
        "shift": None if found.shift is None else asdict(found.shift),
        "with_suggester": _change_record(found.suggester),
        "with_others": _change_record(found.others),
    }


def _change_record(found: Change) -> dict[str, Json]:
    bounds = found.bounds or (None, None)
    return {
        "first": {"hits": found.first[0], "n": found.first[1]},
        "second": {"hits": found.second[0], "n": found.second[1]},
        **dict(zip(("difference", "low", "high"), (found.difference, *bounds), strict=True)),
        "undefined": found.undefined or None,
    }
