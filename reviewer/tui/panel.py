"""The words of the verdict panel: own label, suggestion with its evidence, the modes with their keys.

Turns a sheet into parts; knows no widget. What is hidden in blind work is not in the sheet at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reviewer.ansi import without_codes
from reviewer.counting import count
from reviewer.label import Evidence, Suggestion
from reviewer.taxonomy import Mode, Rather, Taxonomy
from reviewer.tui.sheet import Sheet
from reviewer.tui.widgets.parts import Part

_QUOTE = 400
_NOTE = 120


def panel_parts(sheet: Sheet, *, wide: bool) -> list[Part]:
    """What the panel shows: in a high column of its own (`wide`), or in a few rows."""
    told = [*_suggestions(sheet), *_relabel(sheet), *_proofs(sheet)]
    if wide:
        found = [*_found(sheet)]
        title = [Part("about the suggestion", "title", head=True)] if found else []
        return [*_own(sheet), *told, *_column(sheet), *title, *found]
    modes = [*flow(sheet.taxonomy)]
    if sheet.view.labels:  # what was revealed comes before the modes, or few rows would not show it
        return [*_own(sheet), *told, *modes, *_found(sheet)]
    if sheet.view.suggestions:  # likewise what is to be confirmed or not, and where to start reading
        own = [] if sheet.untouched and sheet.suggestion is not None else [*_own(sheet)]
        return [*own, *told, *modes, *_found(sheet)]
    return [*_own(sheet), *modes, *told, *_found(sheet)]


def _own(sheet: Sheet) -> Iterator[Part]:
    view = sheet.view
    style = "error" if len(view.labels) > 1 else "chosen" if view.label else "quiet"
    yield Part(f"your label: {sheet.state}", style)
    if view.label is not None and view.label.submode:
        yield Part(f"submode {view.label.submode}", "quiet")
    if view.label is not None and view.label.content_hash not in ("", view.info.content_hash):
        yield Part("given on an earlier version of this trace, which has grown since", "error")
    if view.label is not None and (view.label.secondary or view.label.facets):
        also = [f"also {mode}" for mode in view.label.secondary]
        yield Part(
            ", ".join([*also, *(f"{key} {value}" for key, value in view.label.facets.items())]), "quiet"
        )
    if sheet.decisive is not None:
        saved = view.label is not None and view.label.step_n == sheet.decisive
        yield Part(f"decisive step {sheet.decisive}{'' if saved else ' (saved with the label)'}", "quiet")
    if sheet.draft:
        yield Part("a note was begun and not saved (i goes on with it)", "quiet")
    if view.note:
        lines = (" ".join(line.split()) for line in view.note.splitlines())
        brief = "\n".join(line for line in lines if line)
        more = "" if len(brief) <= _NOTE else " … (i shows all)"
        yield Part(f"note: {brief[:_NOTE]}{more}", "quiet")


def _suggestions(sheet: Sheet) -> Iterator[Part]:
    view = sheet.view
    if view.blind and not view.labels and view.condition == "suggestion":
        yield Part("you have seen the suggestion before: a label now counts as assisted", "error")
    if view.withheld:
        until = "until your label is in" if view.reveal else "in this sitting"
        yield Part(f"suggestion: hidden {until}", "quiet")
    elif not view.suggestions:
        why = "none is shown before your label is in" if view.blind and not view.labels else "there is none"
        yield Part(f"suggestion: {why}", "quiet")
    for one in view.suggestions:
        yield from _suggestion(one, view.suggestions)


def _suggestion(one: Suggestion, all: Sequence[Suggestion]) -> Iterator[Part]:
    by = f"{one.suggester} {one.model}".strip()
    if one.status != "ok":
        yield Part(f"no suggestion by {by}: {one.reason or one.status}", "quiet")
        return
    sure = "" if one.confidence is None else f", confidence {one.confidence:.2f}"
    second = f", runner-up {one.runner_up}" if one.runner_up else ""
    step = "" if one.step_n is None else f", step {one.step_n}"
    yield Part(f"{by} {_does(one, all)} {one.mode}{step}{sure}{second}{_unproved(one)}", "suggested")
    if one.why.reason:
        yield Part(one.why.reason, "text")
    if one.facets:
        yield Part(", ".join(f"{key} {value}" for key, value in one.facets.items()), "text")
    if one.omitted:  # what the suggester did not see, and whether the trace speaks to its judge
        yield Part(one.omitted, "error" if one.omitted.startswith("WARNING") else "quiet")


def _does(one: Suggestion, all: Sequence[Suggestion]) -> str:
    """What a suggester does: it suggests, or it agrees with another one's suggestion or refutes it."""
    finding, judged = one.usage.get("finding"), one.usage.get("judges")
    if finding not in ("agrees", "refutes"):
        return "suggests"
    whose = next((other.suggester for other in all if other.id == judged), "an earlier suggestion")
    return f"agrees with {whose}:" if finding == "agrees" else f"refutes {whose}:"


def _unproved(one: Suggestion) -> str:
    """Said where a judge's verdict rests on words that do not stand in the trace."""
    judge = one.usage.get("finding") in ("agrees", "refutes")
    missing = bool(one.evidence) and not any(proof.verified for proof in one.evidence)
    return " (none of its quotes found)" if judge and missing else ""


def _relabel(sheet: Sheet) -> Iterator[Part]:
    label = sheet.view.label
    rule = sheet.relabels(label.mode) if label is not None else None
    if rule is not None:
        yield from ruling(rule)


def ruling(rule: Rather) -> Iterator[Part]:
    """What separates two modes: the question, and the answer that speaks for each."""
    yield Part(rule.ask, "title", head=True)
    yield Part(f"{rule.pair[0]}: {rule.a}")
    yield Part(f"{rule.pair[1]}: {rule.b}")
    if rule.neither:
        yield Part(f"neither: {rule.neither}")


def _proofs(sheet: Sheet) -> Iterator[Part]:
    proving = [one for one in sheet.view.suggestions if one.evidence or one.why.but]
    for one in proving:
        if len(proving) > 1:
            yield Part(f"quotes of {one.suggester}", "title", head=True)
        yield from _quotes(sorted(one.evidence, key=lambda proof: proof.step_n))  # as v walks
        if but := one.why.but:
            yield Part(f"but: {but}", "text", hang=2)


def _found(sheet: Sheet) -> Iterator[Part]:
    """What is no reason for a suggestion: what its mode means, how many quotes were found, how good it is."""
    suggested = {one.mode for one in sheet.view.suggestions if one.status == "ok"}
    for mode in sheet.taxonomy.modes:
        if mode.id in suggested:
            yield Part(f"{mode.id}: {mode.definition}", "quiet")
    proving = [one for one in sheet.view.suggestions if one.evidence]
    for one in proving:
        verified = sum(proof.verified for proof in one.evidence)
        whose = f"{one.suggester}: " if len(proving) > 1 else ""
        yield Part(
            f"{whose}{verified} of {count(len(one.evidence), 'quote')} found in the trace (v goes there)",
            "quiet",
        )
    for one in sheet.view.suggestions:
        if note := one.why.note:
            yield Part(note, "quiet")


def _quotes(proofs: Sequence[Evidence]) -> Iterator[Part]:
    for proof in proofs:
        sign = "★" if proof.verified else "✗ not found:"
        quote = without_codes(proof.quote)  # colours, indents and columns: there, not here
        quote = re.sub(r"[ \t]{2,}", " ", quote)
        quote = quote if len(quote) <= _QUOTE else quote[:_QUOTE] + " … (v shows all)"
        shows = f", {proof.shows}" if proof.shows else ""
        style = "evidence" if proof.verified else "error"
        yield Part(f"{sign} step {proof.step_n}{shows}: “{quote}”", style, hang=2, target=proof.step_n)


def _style(sheet: Sheet, mode: Mode) -> str:
    if any(label.mode == mode.id for label in sheet.view.labels):
        return "chosen"
    return "suggested" if any(one.mode == mode.id for one in sheet.view.suggestions) else "mode"


def _column(sheet: Sheet) -> Iterator[Part]:
    yield Part("modes", "title", head=True)
    for mode in sheet.taxonomy.modes:
        yield Part(f"{mode_key(mode)}  {mode.name}", _style(sheet, mode))


def flow(taxonomy: Taxonomy) -> Iterator[Part]:
    """The modes with their keys in a few rows."""
    # words of one mode stay together: a no-break space is no place to wrap at
    modes = (f"{mode_key(mode)} {mode.name}".replace(" ", "\u00a0") for mode in taxonomy.modes)
    yield Part("   ".join(modes), "mode")


def mode_key(mode: Mode) -> str:
    """The key of a mode; `m` opens the menu for those without one."""
    return mode.key or "m"
