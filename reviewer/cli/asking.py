"""What stands before a request to a model: the user's consent for this store, and a look at it.

Sends nothing. The consent is kept in the store, for the machine and the endpoint that it was given for and
for what was said to be sent: a copy of the store on another machine has to be agreed to again, and so has
whatever was not spoken of.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import click

from reviewer import settings
from reviewer.cli import out
from reviewer.cli.context import now
from reviewer.counting import count
from reviewer.errors import InputError
from reviewer.store import Store
from reviewer.suggest.claude import prices
from reviewer.suggest.claude.failures import NO_KEY
from reviewer.suggest.claude.options import Options, credentials_in_sight, options
from reviewer.suggest.claude.plan import ANSWER_TOKENS, Planner, dollars
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace

CONSENT = "consent:claude"
Asked: TypeAlias = tuple[Trace, Sequence[Outcome], str]  # with the hash of the request
Kept: TypeAlias = Callable[[str], Mapping[str, Json]]  # what of an answer is here already, by its request


def agreed(store: Store, given: Mapping[str, Json], traces: int, *, yes: bool) -> str:
    """The endpoint that the user agrees to send `traces` traces to; `InputError` without a yes.

    Asked once for a store, an endpoint and what is sent, on a terminal; `--yes` says it for scripts. Who
    agreed to more has agreed to less.
    """
    chosen = options(given)
    if not credentials_in_sight(chosen):
        raise InputError(NO_KEY)
    here = settings.machine()
    known = _agreed(store)
    more = _beside(chosen)
    read = [(machine, _read(what, chosen.endpoint)) for machine, what in known]
    before = [(machine, agreed) for machine, agreed in read if agreed is not None]
    if any(machine == here and agreed >= more for machine, agreed in before):
        return chosen.endpoint
    out.say(_sentence(chosen, traces))
    mine = [agreed for machine, agreed in before if machine == here]
    if mine:
        new = more - max(mine, key=lambda one: len(one & more))
        out.say(f"You agreed to this endpoint before, but not to sending: {', '.join(sorted(new))}.")
    elif before:
        out.say("It was agreed to elsewhere, before this store was copied here; that does not count here.")
    if not yes:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise InputError("nothing was sent: agree on a terminal, or with --yes")
        if not click.confirm("Do you agree, for this store?", default=False, err=True):
            raise InputError("nothing was sent; `--with rules` works offline")
    store.settings.set(CONSENT, json.dumps([*known, [here, _written(chosen.endpoint, more)]]), now=now())
    return chosen.endpoint


def _beside(chosen: Options) -> frozenset[str]:
    """What is sent that could be withheld."""
    return frozenset(
        name
        for name, sent in (
            ("notes", bool(chosen.lessons or chosen.guidelines)),
            ("outcomes", chosen.outcome == "used"),
            ("personal data", not chosen.personal),
            ("verdicts", bool(chosen.claims)),
        )
        if sent
    )


def _written(endpoint: str, more: frozenset[str]) -> str:
    return f"{endpoint} with {', '.join(sorted(more))}" if more else endpoint


def _read(what: str, endpoint: str) -> frozenset[str] | None:
    """What a consent to this endpoint is for; None for a consent to another."""
    if what == endpoint:
        return frozenset()
    begin = f"{endpoint} with "
    return frozenset(what[len(begin) :].split(", ")) if what.startswith(begin) else None


def _agreed(store: Store) -> list[list[str]]:
    """[machine, endpoint] of every consent; a value that cannot be read counts as none."""
    try:
        value = json.loads(store.settings.get(CONSENT) or "[]")
    except ValueError:
        return []
    pairs = value if isinstance(value, list) else []
    return [one for one in pairs if isinstance(one, list) and [type(part) for part in one] == [str, str]]


def _sentence(chosen: Options, traces: int) -> str:
    place = f"{chosen.endpoint} (model {chosen.model})"
    place += "" if chosen.encrypted or chosen.loopback else ", WITHOUT ENCRYPTION"
    withheld = "Labels, notes, annotators and file names"
    if chosen.lessons or chosen.guidelines:
        lessons = count(len(chosen.lessons), "label")
        withheld = (
            f"With each go {lessons} with a note, of other traces, and your guidelines. "
            "Other labels, annotators and file names"
        )
    judged = "With each goes the verdict, reason and quotes of a suggester. " if chosen.claims else ""
    told = "whether the benchmark passed it, " if chosen.outcome == "used" else ""
    each = "one trace" if traces == 1 else f"each of {count(traces, 'trace')}"
    personal = "" if chosen.personal else "; e-mail addresses and the like only with --mask-personal"
    return (
        f"This sends to {place}, for {each}: {told}the task, what user and agent said and "
        f"thought, tool calls and their results, at most about {chosen.budget:,} tokens in each of at most "
        f"{chosen.segments + 1} requests. Secrets known by shape or name are masked{personal}; pictures are "
        f"left out. {judged}{withheld}{'' if told else ' and the outcome'} are not sent. "
        "Requests may cost money (--dry-run estimates, --show-payload shows all)."
    )


def priced(given: Mapping[str, Json]) -> bool:
    """Whether the table of prices knows the model that these options choose."""
    return prices.known(options(given).model)


def estimate(
    given: Mapping[str, Json],
    traces: Iterable[Asked],
    taxonomy: Taxonomy,
    kept: Kept,
    *,
    batch: bool = False,
) -> dict[str, Json]:
    """How many traces and tokens, and about how many dollars; None for a model without a known price.

    Nothing is taken off for the cached part of the prompt, so that the bill is rather lower; the sum is
    rounded up, so that `--max-cost` may be just it.
    """
    chosen = options(given)
    planner = Planner(chosen, taxonomy, hour=batch)
    count = long = requests = tokens = 0
    cost = 0.0
    masked: Counter[str] = Counter()
    for trace, outcomes, request in traces:
        plan = planner.plan(trace, outcomes, request)
        each = plan.tokens(planner.lacking(plan, kept(request)))
        count += 1
        long += plan.segmented
        requests += len(each)
        tokens += sum(each)
        masked.update(plan.masked)
        cost += dollars(chosen.model, each) / (2 if batch else 1)
    return {
        "endpoint": chosen.endpoint,
        "model": chosen.model,
        "traces": count,
        "in_segments": long,
        "requests": requests,
        "tokens_in": tokens,
        "tokens_out": requests * ANSWER_TOKENS,
        "cost": math.ceil(cost * 1e6) / 1e6 if prices.known(chosen.model) else None,
        "prices_as_of": prices.as_of(),
        "masked": dict(masked),
    }


def estimate_line(found: Mapping[str, Json]) -> str:
    cost = (
        f"no price known for {found['model']}"
        if found["cost"] is None
        else f"about {out.dollars(found['cost'])} at prices of {found['prices_as_of']}"
    )
    masked = sum(found["masked"].values())
    long = f" ({found['in_segments']} of them in segments)" if found["in_segments"] else ""
    return (
        f"{count(found['traces'], 'trace')}{long} in {count(found['requests'], 'request')} to "
        f"{found['endpoint']}, about {found['tokens_in']:,} tokens to send and {found['tokens_out']:,} to "
        f"get back (estimates), {cost}; "
        f"{count(masked, 'secret')} masked; nothing was sent"
    )


def payloads(
    given: Mapping[str, Json],
    traces: Iterable[Asked],
    taxonomy: Taxonomy,
    kept: Kept,
    *,
    batch: bool = False,
) -> list[Json]:
    """The requests as they would be sent (each real one draws a tag of its own).

    Of a trace that is read in segments, the last request holds what the others bring, so it is not here
    before they are. `batch`: each is the `params` of one request of a batch.
    """
    chosen = options(given)
    planner = Planner(chosen, taxonomy, hour=batch)
    return [
        {
            "trace": trace.info.trace_id,
            "url": f"{chosen.endpoint}/v1/messages{'/batches' if batch else ''}",
            "omitted": plan.views.omitted,
            "masked": dict(plan.masked),
            "body": call.body,
        }
        for trace, outcomes, request in traces
        for plan in (planner.plan(trace, outcomes, request),)
        for call in planner.lacking(plan, kept(request))
    ]
