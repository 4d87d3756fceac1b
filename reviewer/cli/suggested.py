"""`show --suggestions`: what every suggester says of a trace, side by side, and that it was looked at."""

from __future__ import annotations

from reviewer.ansi import without_codes
from reviewer.cli import out, told
from reviewer.cli.context import Context
from reviewer.exporters import records
from reviewer.label import Suggestion
from reviewer.store import Store


def show_suggestions(context: Context, store: Store, full_id: str, name: str | None, *, as_json: bool) -> int:
    """Print the newest suggestion of each suggester under the taxonomy in use."""
    found = store.suggestions.of(full_id, context.load_taxonomy(store).hash)
    desk = context.desk(store, name, None)
    told.record(desk, name, {full_id: [("suggestion", one.id) for one in found if one.leads]})
    if as_json:
        out.show_json([{**records.suggestion(one), **_judged(one)} for one in found])
        return 0
    if not found:
        out.say("nothing has suggested anything for this trace: reviewer suggest")
    for one in found:
        _print(one, {other.id: other.suggester for other in found})
    return 0


def _judged(one: Suggestion) -> dict[str, str | None]:
    return {"judges": one.usage.get("judges"), "finding": one.usage.get("finding")}


def _print(one: Suggestion, names: dict[str, str]) -> None:
    by = f"{one.suggester} {one.model}".strip()
    if one.status != "ok":
        out.show(f"{by}: no suggestion: {one.reason or one.status}")
        return
    sure = "" if one.confidence is None else f", confidence {one.confidence:.2f}"
    second = f", runner-up {one.runner_up}" if one.runner_up else ""
    step = "" if one.step_n is None else f", step {one.step_n}"
    judged = _judged(one)
    of = names.get(judged["judges"] or "", "an earlier suggestion")
    finding = f" ({judged['finding']}: {of})" if judged["finding"] else ""
    out.show(f"{by}: {one.mode}{finding}{step}{sure}{second}")
    why = one.why
    for text in (why.reason, one.omitted):
        if text:
            out.show(f"  {text}")
    for proof in one.evidence:
        shows = f", {proof.shows}" if proof.shows else ""
        sign = "★" if proof.verified else "✗ not found:"
        out.show(f"  {sign} step {proof.step_n}{shows}: “{without_codes(proof.quote)}”")
    if why.but:
        out.show(f"  but: {why.but}")
    if why.note:
        out.show(f"  note: {why.note}")
