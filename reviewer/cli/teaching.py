"""What `suggest` gets from the store and the project beside the traces: corrections, guidelines, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from reviewer.cli import out
from reviewer.cli.suggest_run import Tally, read
from reviewer.errors import InputError
from reviewer.store import Store
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace

GUIDELINES = "guidelines.md"


def taught(store: Store, taxonomy: Taxonomy, options: Mapping[str, Json]) -> dict[str, Json]:
    """`guidelines` and `lessons` for the suggester, and a line that says how much there is."""
    found: dict[str, Json] = {}
    beside = store.path.with_name(GUIDELINES)
    file = Path(options["guidelines"]).expanduser() if options["guidelines"] else beside
    if options["guidelines"] or (options["learn"] and beside.is_file()):
        try:
            found["guidelines"] = file.read_text("utf-8-sig")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"--guidelines {file}: cannot be read as text: {reason}") from None
    if options["learn"]:
        from reviewer.study.corrections import corrections
        from reviewer.suggest.claude.teaching import lesson

        known = corrections(store, taxonomy, store.labels.newest_round())
        found["lessons"] = [lesson(one.info, one.suggested, one.mode, one.step, one.note) for one in known]
        told = f"guidelines from {file}" if "guidelines" in found else f"no {GUIDELINES} beside the store"
        out.say(f"taught by {len(known)} traces that people relabelled with a note; {told}")
    return found


def unasked(store: Store, taxonomy: Taxonomy, how: Mapping[str, Json]) -> list[str]:
    """The traces that `claude` has not judged as they are, with this model, prompt, teaching and settings.

    Those never judged come first, then those where it failed, then those judged otherwise: how good another
    model or prompt is shows only where it is asked too.
    """
    from reviewer.suggest.claude.options import options
    from reviewer.suggest.claude.suggester import Claude

    def asked(settings: Mapping[str, Json]) -> dict[str, Json]:
        return {**settings, "endpoint": ""}  # the same model elsewhere is the same question

    now_set = asked({"version": Claude.version, **Claude(options(how)).settings})
    answers: dict[tuple[str, str], list[str]] = {}
    for one in store.suggestions.every(taxonomy.hash):
        if one.suggester == Claude.name:
            same = "same" if asked(one.settings) == now_set and one.status != "failed" else one.status
            answers.setdefault((one.trace_id, one.content_hash), []).append(same)
    infos = store.traces.all()
    known = {info.trace_id: answers.get((info.trace_id, info.content_hash), []) for info in infos}
    lacking = [id for id, said in known.items() if "same" not in said]
    again = sum(bool(set(known[id]) - {"failed"}) for id in lacking)
    if again:
        out.say(
            f"{again} traces were judged with another model, prompt or setting, and are asked about again"
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
        out.say(f"{tally.waiting} traces wait in a batch and are passed over (--resume fetches them)")
    return chosen


def claimed(store: Store, taxonomy: Taxonomy, suggester: str, limit: int | None) -> dict[str, Json]:
    """`claims`: the newest verdicts of that suggester that no judge has looked at yet, by trace."""
    from reviewer.suggest.claude.judging import NAME, claim

    if suggester == NAME:
        raise InputError(f"--judge {NAME}: a judge is not judged; name the suggester whose modes it tries")
    hashes = {info.trace_id: info.content_hash for info in store.traces.all(children=True)}
    every = store.suggestions.all(taxonomy.hash)
    judged = {one.usage.get("judges") for one in every if one.suggester == NAME and one.status != "failed"}
    lacking = [
        one
        for one in every
        if one.suggester == suggester
        and one.status == "ok"
        and one.id not in judged
        and hashes.get(one.trace_id) == one.content_hash
    ]
    if not lacking and not any(one.suggester == suggester for one in every):
        raise InputError(f"--judge {suggester}: it has suggested nothing yet; reviewer suggest --with …")
    return {"claims": {one.trace_id: claim(one) for one in lacking[:limit]}}
