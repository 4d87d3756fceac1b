"""What is to be asked about a trace: one request for the verdict, or one for each segment and then one more.

Pure but for the tags, which are drawn for each request. `--dry-run` counts what is planned here and
`--show-payload` prints it; the suggester sends it.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reviewer.suggest.claude import claims, findings, injection, prices, prompt, teaching
from reviewer.suggest.claude.answer import Expected
from reviewer.suggest.claude.findings import Found
from reviewer.suggest.claude.options import Options
from reviewer.suggest.claude.prices import CHARACTERS_A_TOKEN
from reviewer.suggest.cleaning import Cleaner
from reviewer.suggest.excerpt import Part
from reviewer.suggest.segments import Views, views
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace, digest

TEMPLATE = digest([prompt.TEMPLATE, findings.TEMPLATE])
ANSWER_TOKENS = 1_500  # a typical answer with the thinking before it, for estimates
_NOTES = 1_500  # characters; what the notes on a segment have, about
_WHOLE = 100_000  # characters; what people write to the model is shorter, so nothing of it is cut


def dollars(model: str, tokens: Sequence[int]) -> float:
    """About what requests of so many tokens cost, each by itself: a long one may have a price of its own."""
    each = ({"input_tokens": count, "output_tokens": ANSWER_TOKENS} for count in tokens)
    return sum(prices.cost(model, counts) or 0.0 for counts in each)


def draw_tag() -> str:
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class Call:
    """One request before it is sent. `key` names what it asks, whatever its tag."""

    key: str
    body: dict[str, Json]
    tag: str

    @property
    def tokens(self) -> int:
        """About how many tokens it has."""
        return round(len(json.dumps(self.body, ensure_ascii=False)) / CHARACTERS_A_TOKEN)


@dataclass(frozen=True, slots=True)
class Plan:
    """A trace and what can be asked about it at once: the verdict, or the findings of each segment.

    `addressed`: where its texts seem to speak to their judge. `masked`: what was masked of all that is told,
    of the trace and of what stands beside it.
    """

    trace: Trace
    outcomes: Sequence[Outcome]
    request: str
    views: Views
    calls: tuple[Call, ...]
    addressed: tuple[tuple[int, str], ...]
    masked: Mapping[str, int] = field(default_factory=dict)

    @property
    def segmented(self) -> bool:
        return self.views.overview is not None

    def tokens(self, calls: Sequence[Call]) -> list[int]:
        """About how many tokens each of these requests has, and the one over findings that follows, if so."""
        first = [call.tokens for call in calls]
        if self.views.overview is None or calls[0].key not in {call.key for call in self.calls}:
            return first
        size = sum(part.cost for part in self.views.overview.parts) + _NOTES * len(self.calls)
        system = len(json.dumps(self.calls[0].body["system"], ensure_ascii=False))
        return [*first, round((size + system) / CHARACTERS_A_TOKEN)]


class Planner:
    """Plans requests under one taxonomy; what is the same for every trace is made once."""

    def __init__(
        self, chosen: Options, taxonomy: Taxonomy, draw: Callable[[], str] = draw_tag, *, hour: bool = False
    ) -> None:
        self.chosen = chosen
        self.taxonomy = taxonomy
        self.prompt_hash = self._hash(prompt.prompt_hash(taxonomy, chosen.prompt))
        self._draw, self._hour = draw, hour
        clean = Cleaner(_WHOLE, chosen.personal)
        says = prompt.taxonomy_part(taxonomy, clean(chosen.prompt))
        self._says = teaching.guided(says, chosen.guidelines, clean)
        self._masked = clean.masked
        form = prompt.verdict_form(taxonomy)
        self._verdict = replace(form, says=claims.asked(form.says)) if chosen.claims else form
        self._findings = findings.form(taxonomy)
        self._modes = frozenset(mode.id for mode in taxonomy.modes)
        self._facets = {one.id: [choice.id for choice in one.choices] for one in taxonomy.facets}

    def expected(self, trace: Trace) -> Expected:
        """What an answer about this trace may name."""
        return Expected(self._modes, {step.n for step in trace.steps}, self._facets)

    def plan(
        self,
        trace: Trace,
        outcomes: Sequence[Outcome] = (),
        request: str = "",
        tags: Mapping[str, str] | None = None,
    ) -> Plan:
        """What to ask; `tags` are those of requests that were sent earlier, by their keys."""
        chosen = self.chosen
        seen = views(trace, budget=chosen.characters, most=chosen.segments, personal=chosen.personal)
        if seen.overview is None:
            calls = [self._over(trace, outcomes, request, seen.parts, tags or {})]
        else:
            calls = [self._segment(trace, request, seen, n, tags or {}) for n in range(len(seen.segments))]
        addressed = tuple(injection.addressed(seen.parts))
        beside = Cleaner(_WHOLE, chosen.personal)
        self._beside(trace, "", beside)
        masked = dict(Counter(seen.masked) + self._masked + beside.masked)
        return Plan(trace, outcomes, request, seen, tuple(calls), addressed, masked)

    def clad(self, plan: Plan, body: dict[str, Json]) -> dict[str, Json]:
        """The body of a request of which only the messages are there."""
        return {**self._body(self._findings if plan.segmented else self._verdict, ()), **body}

    def lacking(self, plan: Plan, kept: Mapping[str, Json]) -> list[Call]:
        """What can be asked at once, of a trace of which `kept` are the findings that are here already."""
        if not plan.segmented:
            return list(plan.calls)
        left = [call for call in plan.calls if call.key not in kept]
        return left or [self.verdict(plan, [findings.from_json(kept[call.key]) for call in plan.calls])]

    def verdict(self, plan: Plan, found: Sequence[Found], tags: Mapping[str, str] | None = None) -> Call:
        """The request for the verdict on a trace that was read in segments."""
        assert plan.views.overview is not None
        overview = plan.views.overview.parts
        parts = findings.over(overview, plan.views.segments, found, personal=self.chosen.personal)
        return self._over(plan.trace, plan.outcomes, plan.request, parts, tags or {})

    def _over(
        self,
        trace: Trace,
        outcomes: Sequence[Outcome],
        request: str,
        parts: Sequence[Part],
        tags: Mapping[str, str],
    ) -> Call:
        key = f"{request}/verdict"
        tag = tags.get(key) or self._tag(parts)
        told = outcomes if self.chosen.outcome == "used" else ()
        said = prompt.content(parts, tag, steps=len(trace.steps), ended=trace.info.ended, outcomes=told)
        beside = self._beside(trace, tag, Cleaner(_WHOLE, self.chosen.personal))
        return Call(key, self._body(self._verdict, [*beside, *said]), tag)

    def _beside(self, trace: Trace, tag: str, clean: Cleaner) -> list[str]:
        """What stands before the record: what people teach, and the verdict that is to be refuted."""
        chosen = self.chosen
        taught = teaching.told(chosen.lessons, trace, clean)
        claim = chosen.claims.get(trace.info.trace_id)
        return [*taught, *(claims.told(claim, tag, clean) if claim else ())]

    def noted(self, trace: Trace, mode: str) -> Mapping[str, Json]:
        """What is to be kept of that beside an answer with this mode: for whom it was, what it came to."""
        taught = [one.trace for one in teaching.chosen(self.chosen.lessons, trace.info)]
        claim = self.chosen.claims.get(trace.info.trace_id)
        return {**({"learned": taught} if taught else {}), **(claims.found(claim, mode) if claim else {})}

    def _hash(self, plain: str) -> str:
        """The name of the prompt with all that is the same for every trace."""
        more = teaching.settings(self.chosen.guidelines, self.chosen.lessons)
        judge = {"judge": claims.TEMPLATE} if self.chosen.claims else {}
        return digest([plain, {**more, **judge}]) if more or judge else plain

    def _segment(self, trace: Trace, request: str, seen: Views, n: int, tags: Mapping[str, str]) -> Call:
        segment, count = seen.segments[n], len(seen.segments)
        key = f"{request}/{n + 1} of {count}"
        tag = tags.get(key) or self._tag(segment.parts)
        said = findings.content(segment, tag, n=n + 1, count=count, steps=len(trace.steps))
        return Call(key, self._body(self._findings, said), tag)

    def _body(self, form: prompt.Form, content: Sequence[str]) -> dict[str, Json]:
        return prompt.request(self.chosen, self._says, form, content, hour=self._hour)

    def _tag(self, parts: Sequence[Part]) -> str:
        """A tag that stands nowhere in what is sent."""
        tag = self._draw()
        while any(tag in part.text for part in parts):
            tag = self._draw()
        return tag
