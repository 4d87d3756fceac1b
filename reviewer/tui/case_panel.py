"""The words of the adjudication panel: what people said, without names; the rule between the two modes.

Turns a sheet with a case into parts; knows no widget. Labels stand in an order that tells nothing, and
no suggestion is here at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reviewer.label import LabelEvent
from reviewer.study.disagreements import Case
from reviewer.tui.panel import flow, mode_key, ruling
from reviewer.tui.sheet import Sheet
from reviewer.tui.widgets.parts import Part

# No key of the screen looks like one of these.
_NUMERALS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def case_parts(sheet: Sheet, *, wide: bool) -> list[Part]:
    """What the panel shows of the case on the desk."""
    case = sheet.view.case
    if case is None:
        return [Part("no case", "quiet")]
    everybody = dict.fromkeys(event.annotator for event in (*case.labels, *case.before))
    people = dict(zip(everybody, _NUMERALS, strict=False))
    if not wide:  # a few rows: what is decided between comes first, then what can be pressed
        briefly = [*_state(sheet, case), *_labels(case, people, notes=False), *flow(sheet.taxonomy)]
        return [*briefly, *_rule(sheet, case), *_told(case, people), *_notes(case, people)]
    parts = [*_state(sheet, case), *_labels(case, people, notes=True)]
    column = [Part(f"{mode_key(mode)}  {mode.name}", "mode") for mode in sheet.taxonomy.modes]
    return [*parts, *_notes(case, people), *_rule(sheet, case), Part("modes", "title", head=True), *column]


def _state(sheet: Sheet, case: Case) -> Iterator[Part]:
    yield Part(" or ".join(case.pair) + "?" if case.pair else "no labels are left", "suggested")
    if case.barred:
        yield Part("you labelled this one: a third person settles it (or --allow-own)", "error")
    elif case.own:
        yield Part("you labelled this one; what you decide says so", "quiet")
    if case.gold.status == "conflict":
        yield Part("in conflict: adjudicated in two ways, or labelled in two ways by one person", "error")
    if case.gold.decision is not None:
        decision = case.gold.decision
        sure = decision.confidence or "no confidence given"
        step = f", decisive step {decision.step_n}" if decision.step_n is not None else ""
        yield Part(f"settled: {decision.mode} ({sure}){step}", "chosen")
        if case.gold.stale:
            key = next((mode.key for mode in sheet.taxonomy.modes if mode.id == decision.mode), "") or "m"
            yield Part(f"stale: labels changed since. {key} and Enter reaffirm it", "error")
        if case.gold.own:
            yield Part("settled by somebody who labelled it", "quiet")
        yield Part(decision.reason, "text")
    if sheet.decisive is not None:
        yield Part(f"decisive step {sheet.decisive} (saved with the adjudication)", "quiet")


def _labels(case: Case, people: dict[str, str], *, notes: bool) -> Iterator[Part]:
    first = {event.annotator: event for event in case.before}
    for event in case.labels:
        who, before = people.get(event.annotator, "?"), first.get(event.annotator)
        older = event.content_hash not in ("", case.info.content_hash)
        said = _said(event) + " (given before the trace grew)" * older
        if before is not None:
            yield Part(
                f"{who}: {_said(before)} (blind: what agreement counts)", "text", head=event is case.labels[0]
            )
            who = f"{who} later"
        yield Part(f"{who}: {said}", "text", head=event is case.labels[0] and before is None)
        for word in dict.fromkeys(one.note for one in (before, event) if one is not None):
            if word and notes:
                yield Part(f"   {word}", "quiet", foldable=True)


def _told(case: Case, people: dict[str, str]) -> Iterator[Part]:
    for who, note in dict.fromkeys((event.annotator, event.note) for event in _by_person(case.said, people)):
        if note:
            yield Part(f"{people.get(who, '?')}: {note}", "quiet", foldable=True)


def _said(event: LabelEvent) -> str:
    words = [event.mode + (f"/{event.submode}" if event.submode else "")]
    words += [f"also {mode}" for mode in event.secondary]
    words += [f"{facet} {choice}" for facet, choice in event.facets.items()]
    words += [f"decisive step {event.step_n}"] if event.step_n is not None else []
    words += [f"{event.confidence} confidence"] if event.confidence else []
    words += ["(had seen the suggestion)"] if event.condition == "suggestion" else []
    return ", ".join(words)


def _notes(case: Case, people: dict[str, str]) -> Iterator[Part]:
    told = {event.note for event in case.said}
    for event in _by_person(case.notes, people):
        if event.note not in told:
            yield Part(f"{people.get(event.annotator, '?')} noted: {event.note}", "quiet", foldable=True)


def _by_person(events: Sequence[LabelEvent], people: dict[str, str]) -> list[LabelEvent]:
    """I before II; who only noted something comes last."""
    order = list(people)
    return sorted(events, key=lambda event: order.index(event.annotator) if event.annotator in order else 99)


def _rule(sheet: Sheet, case: Case) -> Iterator[Part]:
    rule = sheet.taxonomy.rule(*case.pair) if len(case.pair) == 2 else None
    if rule is not None:
        yield from ruling(rule)
