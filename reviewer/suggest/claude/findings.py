"""Reading a long trace in segments: what is asked of each, what came back, how it goes into the verdict.

Pure. A finding is foreign like the trace that it is about: its quote is looked up in the trace, and it
stands between tagged markers, as data, in the request for the one verdict over all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reviewer.label import Evidence
from reviewer.suggest.claude import prompt
from reviewer.suggest.claude.answer import Expected, Unusable, caption, clip, step_number, verdict_in
from reviewer.suggest.cleaning import Cleaner, restored
from reviewer.suggest.evidence import stands
from reviewer.suggest.excerpt import Part
from reviewer.suggest.segments import Segment
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Trace, digest

_MOST, _WHAT, _QUOTE, _SUMMARY = 8, 300, 300, 1_200
_WHOLE = 100_000  # characters; the notes on a segment are shorter, so nothing of them is cut
FOUND = "findings"

_ANSWER = f"""\
# Your answer

The record that you get is one segment of a longer run. Do not judge the run: another reader will, from \
what you and the readers of the other segments note. One JSON object and nothing else, with these keys:

- "summary": at most four sentences: what the agent does here, and how things stand at the end of it.
- "{FOUND}": at most {_MOST} objects {{"step": number, "quote": text, "what": text, "mode": id}}, what \
matters most first: departures, failed or missing checks, claims about the work, and what shows that \
something was put right. A quote is copied letter by letter from the record of that step, one line, at \
most 200 characters, no ellipsis. "what" is one sentence. "mode" is the mode that it speaks for. An empty \
list is a good answer where nothing departs."""

_END = """\
[[{tag} end of the record]]
This was segment {n} of {count}: steps {first} to {last} of a run of {steps} steps. Your findings, please."""

_OVER = (
    "What readers of its segments noted stands in the record too, in parts whose markers say so. A quote "
    "with a ✓ was found in its step letter by letter; one with a ✗ was not, and proves nothing."
)
TEMPLATE = digest([_ANSWER, _END, _OVER, 1])  # raise the number when the layout changes


@dataclass(frozen=True, slots=True)
class Finding:
    step: int
    quote: str
    what: str
    mode: str
    verified: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What a reader of one segment noted."""

    summary: str
    findings: tuple[Finding, ...]


def form(taxonomy: Taxonomy) -> prompt.Form:
    """How the findings of a segment are asked for."""
    modes: Json = {"type": "string", "enum": [mode.id for mode in taxonomy.modes]}
    one = {"step": {"type": "integer"}, "quote": {"type": "string"}, "what": {"type": "string"}}
    many: Json = {"type": "array", "items": prompt.obj({**one, "mode": modes})}
    schema = prompt.obj({"summary": {"type": "string"}, FOUND: many})
    return prompt.Form(_ANSWER, schema, "Note what you found in the segment.")


def content(segment: Segment, tag: str, *, n: int, count: int, steps: int) -> list[str]:
    """What a request for the findings of a segment says of it."""
    end = _END.format(tag=tag, n=n, count=count, first=segment.first, last=segment.last, steps=steps)
    return [prompt.data(tag), prompt.record(segment.parts, tag), end]


def over(
    parts: Sequence[Part], segments: Sequence[Segment], found: Sequence[Found], *, personal: bool
) -> list[Part]:
    """The overview of a run with what was found in each segment: the record for the verdict.

    The notes are made fit to be sent like the trace itself: a quote stands in them as it stood there.
    """
    clean = Cleaner(_WHOLE, personal)
    noted = [
        Part(0, f"noted on steps {segment.first} to {segment.last}", clean(_spelled(one)))
        for segment, one in zip(segments, found, strict=True)
    ]
    return [*parts, Part(0, "how to read the notes", _OVER), *noted]


def _spelled(found: Found) -> str:
    lines = [found.summary]
    for one in found.findings:
        sign = "✓" if one.verified else "✗"
        lines.append(f"- step {one.step}, {one.mode}: {one.what} {sign} “{one.quote}”")
    return "\n".join(lines)


def read(message: Mapping[str, Json], expected: Expected, trace: Trace) -> Found:
    """The findings in a message; `Unusable` says why there are none. Each quote is looked up."""
    given = verdict_in(message, (FOUND,))
    summary, items = given.get("summary"), given.get(FOUND)
    if not isinstance(summary, str) or not isinstance(items, list):
        raise Unusable("no summary or no list of findings")
    steps = {step.n: step for step in trace.steps}
    findings = []
    for item in items[:_MOST]:
        values = item if isinstance(item, dict) else {}
        quote, what, mode = (values.get(key) for key in ("quote", "what", "mode"))
        if not (isinstance(quote, str) and isinstance(what, str) and isinstance(mode, str)) or (
            mode not in expected.modes
        ):
            raise Unusable("a finding without quote, reason or a mode of this taxonomy")
        n = step_number(values.get("step"), expected)
        quote = restored(quote.strip())[:_QUOTE]
        there = stands(steps[n], quote) if n in steps else quote in trace.info.task
        findings.append(Finding(n, quote, clip(what, _WHAT), mode, bool(quote) and there))
    return Found(clip(summary, _SUMMARY), tuple(findings))


def captioned(evidence: Sequence[Evidence], found: Sequence[Found]) -> tuple[Evidence, ...]:
    """The evidence of the verdict; a quote that it took from a finding shows what that was noted for."""
    noted = {(one.step, one.quote): one.what for each in found for one in each.findings}
    return tuple(
        item if item.shows else replace(item, shows=caption(noted.get((item.step_n, restored(item.quote)))))
        for item in evidence
    )


def to_json(found: Found) -> Json:
    rows = [[one.step, one.quote, one.what, one.mode, one.verified] for one in found.findings]
    return {"summary": found.summary, FOUND: rows}


def from_json(value: Mapping[str, Json]) -> Found:
    return Found(value["summary"], tuple(Finding(*row) for row in value[FOUND]))
