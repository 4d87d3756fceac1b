"""What `suggest` gets from the store and the project beside the traces: corrections, guidelines, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from reviewer.cli import out
from reviewer.cli.lists import text_of
from reviewer.cli.suggest_run import Tally, read
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.label import Suggestion
from reviewer.store import Store
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace

if TYPE_CHECKING:
    from reviewer.suggest.claude.suggester import Claude

GUIDELINES = "guidelines.md"


def taught(store: Store, taxonomy: Taxonomy, options: Mapping[str, Json]) -> dict[str, Json]:
    """`guidelines` and `lessons` for the suggester, and a line that says how much there is."""
    found: dict[str, Json] = {}
    beside = store.path.with_name(GUIDELINES)
    file = Path(options["guidelines"]) if options["guidelines"] else beside
    if options["guidelines"] or (options["learn"] and beside.is_file()):
        found["guidelines"] = text_of(file, "--guidelines")
    if options["learn"]:
        from reviewer.study.corrections import corrections
        from reviewer.suggest.claude.teaching import lesson

        known = corrections(store, taxonomy, store.labels.newest_round())
        found["lessons"] = [lesson(one.info, one.suggested, one.mode, one.step, one.note) for one in known]
        told = f"guidelines from {file}" if "guidelines" in found else f"no {GUIDELINES} beside the store"
        out.say(f"taught by {count(len(known), 'trace')} that people relabelled with a note; {told}")
    return found


def unasked(store: Store, taxonomy: Taxonomy, how: Mapping[str, Json]) -> list[str]:
    """The traces that `claude` has not judged as they are, with this model, prompt, teaching and settings.

    Those never judged come first, then those where it failed, then those judged otherwise: how good another
    model or prompt is shows only where it is asked too.
    """
    from reviewer.suggest.claude.options import options
    from reviewer.suggest.claude.suggester import Claude

    every = store.suggestions.every(taxonomy.hash)
    answers = _answers(Claude(options(how)), every, lambda one: (one.trace_id, one.content_hash))
    infos = store.traces.all()
    return _lacking(
        {info.trace_id: answers.get((info.trace_id, info.content_hash), []) for info in infos}, "trace"
    )


def _answers(
    who: Claude, every: Iterable[Suggestion], about: Callable[[Suggestion], Hashable]
) -> dict[Hashable, list[str]]:
    """How each question to `who` ended: `same` where it was put as it would be now, and answered."""

    def asked(settings: Mapping[str, Json]) -> dict[str, Json]:
        return {**settings, "endpoint": ""}  # the same model elsewhere is the same question

    now_set = asked({"version": who.version, **who.settings})
    answers: dict[Hashable, list[str]] = {}
    for one in every:
        if one.suggester == who.name:
            same = "same" if asked(one.settings) == now_set and one.status != "failed" else one.status
            answers.setdefault(about(one), []).append(same)
    return answers


def _lacking(known: Mapping[str, list[str]], what: str) -> list[str]:
    """Those not answered as they would be asked now: new ones, those that failed, those asked otherwise."""
    lacking = [id for id, said in known.items() if "same" not in said]
    again = sum(bool(set(known[id]) - {"failed"}) for id in lacking)
    if again:
        were, are = ("s were", "are") if again > 1 else (" was", "is")
        out.say(
            f"{again} {what}{were} judged with another model, prompt or setting, and {are} asked about again"
        )
    return sorted(lacking, key=lambda id: (bool(set(known[id]) - {"failed"}), bool(known[id])))


def unknown(
    taxonomy: Taxonomy,
    how: Mapping[str, Json],
    traces: Iterable[tuple[Trace, Sequence[Outcome]]],
    known: Callable[[str], bool],
) -> Iterator[tuple[Trace, Sequence[Outcome], str]]:
    """The traces with the hashes of their requests, without those that are `known` by it."""
    from reviewer.suggest.claude.judging import Judge
    from reviewer.suggest.claude.options import options
    from reviewer.suggest.claude.suggester import Claude
    from reviewer.suggest.runner import request_hash

    chosen = options(how)
    who = (Judge if chosen.claims else Claude)(chosen)
    for trace, outcomes in traces:
        request = request_hash(trace, outcomes, who, taxonomy)
        if not known(request):
            yield trace, outcomes, request


def limited(
    store: Store, taxonomy: Taxonomy, how: Mapping[str, Json], lacking: list[str], limit: int | None
) -> list[str]:
    """At most so many of the traces; those that wait in a batch are passed over, or no other would come."""
    if limit is None or not store.batches.open():
        return lacking[:limit]
    tally = Tally(store)
    found = islice(unknown(taxonomy, how, read(store, lacking), tally.known), limit)
    chosen = [trace.info.trace_id for trace, _, _ in found]
    if tally.waiting:
        words = count(tally.waiting, "trace", "waits in a batch and is", "wait in a batch and are")
        out.say(f"{words} passed over (--resume fetches them)")
    return chosen


def claimed(
    store: Store, taxonomy: Taxonomy, how: Mapping[str, Json], suggester: str, limit: int | None
) -> dict[str, Json]:
    """`claims`: the newest verdicts of that suggester that this judge has not looked at yet, by trace.

    Another model, prompt or setting is another judge, as it is another suggester; the order is as there.
    """
    from reviewer.suggest.claude.judging import NAME, Judge, claim
    from reviewer.suggest.claude.options import options

    if suggester == NAME:
        raise InputError(f"--judge {NAME}: a judge is not judged; name the suggester whose modes it tries")
    hashes = {info.trace_id: info.content_hash for info in store.traces.all(children=True)}
    made = [one for one in store.suggestions.all(taxonomy.hash) if one.suggester == suggester]
    if not made:
        raise InputError(f"--judge {suggester}: it has suggested nothing yet; reviewer suggest --with …")
    every = store.suggestions.every(taxonomy.hash)
    answers = _answers(Judge(options(how)), every, lambda one: str(one.usage.get("judges")))
    fit = {one.id: one for one in made if one.status == "ok" and hashes.get(one.trace_id) == one.content_hash}
    lacking = _lacking({id: answers.get(id, []) for id in fit}, "suggestion")
    return {"claims": {fit[id].trace_id: claim(fit[id]) for id in lacking[:limit]}}
