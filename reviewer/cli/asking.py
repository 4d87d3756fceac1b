"""What stands before a request to a model: the user's consent for this store, and a look at it.

Sends nothing. The consent is kept in the store, for the endpoint that it was given for.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import click

from reviewer.cli import out
from reviewer.cli.context import now
from reviewer.errors import InputError
from reviewer.store import Store
from reviewer.suggest.claude import prices
from reviewer.suggest.claude.failures import NO_KEY
from reviewer.suggest.claude.options import Options, credentials_in_sight, options
from reviewer.suggest.claude.suggester import plan
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Outcome, Trace

CONSENT = "consent:claude"
_ANSWER_TOKENS = 1_500  # a typical answer with the thinking before it, for estimates


def agreed(store: Store, given: Mapping[str, Json], traces: int, *, yes: bool) -> str:
    """The endpoint that the user agrees to send `traces` traces to; `InputError` without a yes.

    Asked once for a store and an endpoint, on a terminal; `--yes` says it for scripts.
    """
    chosen = options(given)
    if not credentials_in_sight(chosen):
        raise InputError(NO_KEY)
    known = _endpoints(store)
    if chosen.endpoint in known:
        return chosen.endpoint
    out.say(_sentence(chosen, traces))
    if not yes:
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            raise InputError("nothing was sent: agree on a terminal, or with --yes")
        if not click.confirm("Do you agree, for this store?", default=False, err=True):
            raise InputError("nothing was sent; `--with rules` works offline")
    store.settings.set(CONSENT, json.dumps([*known, chosen.endpoint]), now=now())
    return chosen.endpoint


def _endpoints(store: Store) -> list[str]:
    """Where traces of this store may go; a value that cannot be read counts as no consent."""
    try:
        value = json.loads(store.settings.get(CONSENT) or "[]")
    except ValueError:
        return []
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _sentence(chosen: Options, traces: int) -> str:
    place = f"{chosen.endpoint} (model {chosen.model})"
    place += "" if chosen.encrypted or chosen.loopback else ", WITHOUT ENCRYPTION"
    outcome = "the outcome" if chosen.outcome == "withheld" else "file names"
    return (
        f"This sends to {place}, for each of {traces} trace(s): the task, what user and agent said and "
        f"thought, tool calls and their results, at most about {chosen.budget:,} characters a trace. "
        "Secrets known by shape or name are masked, pictures left out. Labels, notes, annotators and "
        f"{outcome} are not sent. Requests may cost money (--dry-run estimates, --show-payload shows all)."
    )


def priced(given: Mapping[str, Json]) -> bool:
    """Whether the table of prices knows the model that these options choose."""
    return prices.known(options(given).model)


def estimate(
    given: Mapping[str, Json], traces: Iterable[tuple[Trace, Sequence[Outcome]]], taxonomy: Taxonomy
) -> dict[str, Json]:
    """How many traces and tokens, and about how many dollars; None for a model without a known price."""
    chosen = options(given)
    count = tokens = 0
    dollars = 0.0
    masked: Counter[str] = Counter()
    for trace, outcomes in traces:
        planned = plan(chosen, trace, outcomes, taxonomy)
        count += 1
        tokens += planned.tokens
        masked.update(planned.shown.masked)
        counts = {"input_tokens": planned.tokens, "output_tokens": _ANSWER_TOKENS}
        dollars += prices.cost(chosen.model, counts) or 0.0
    return {
        "endpoint": chosen.endpoint,
        "model": chosen.model,
        "traces": count,
        "tokens_in": tokens,
        "tokens_out": count * _ANSWER_TOKENS,
        "cost": round(dollars, 4) if prices.known(chosen.model) else None,
        "prices_as_of": prices.as_of(),
        "masked": dict(masked),
    }


def estimate_line(found: Mapping[str, Json]) -> str:
    cost = (
        f"no price known for {found['model']}"
        if found["cost"] is None
        else f"about ${found['cost']:.2f} at prices of {found['prices_as_of']}"
    )
    masked = sum(found["masked"].values())
    return (
        f"{found['traces']} traces to {found['endpoint']}, about {found['tokens_in']:,} tokens to send and "
        f"{found['tokens_out']:,} to get back (estimates), {cost}; {masked} secrets masked; nothing was sent"
    )


def payloads(
    given: Mapping[str, Json], traces: Iterable[tuple[Trace, Sequence[Outcome]]], taxonomy: Taxonomy
) -> list[Json]:
    """The requests as they would be sent (each real one draws a tag of its own)."""
    chosen = options(given)
    return [
        {
            "trace": trace.info.trace_id,
            "url": f"{chosen.endpoint}/v1/messages",
            "omitted": (planned := plan(chosen, trace, outcomes, taxonomy)).shown.omitted,
            "masked": dict(planned.shown.masked),
            "body": planned.body,
        }
        for trace, outcomes in traces
    ]
