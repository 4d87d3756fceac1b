"""`suggest --show-payload`: requests to a model as a person can read them, before any of them is sent.

The address and the settings, then each text of the system prompt and of the messages with its own line
breaks, then the form of the answer as JSON. What is that of the first request is said to be. `--json` gives
the bodies exactly as they would be sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reviewer.cli import out
from reviewer.exporters import strict
from reviewer.trace import Json

_BETWEEN = "═" * 78


def show_readably(payloads: Sequence[Mapping[str, Json]]) -> None:
    """Print all requests, a line between two of them."""
    if not payloads:
        out.say("nothing would be sent")
    for number, payload in enumerate(payloads, 1):
        first = {} if number == 1 else payloads[0]["body"]
        if first:
            out.verbatim(f"\n{_BETWEEN}")
        out.verbatim(f"request {number} of {len(payloads)}, about trace {payload['trace']}")
        for line in (*_settings(payload), *_texts(payload["body"], first), *_forms(payload["body"], first)):
            out.verbatim(line)


def _settings(payload: Mapping[str, Json]) -> Iterator[str]:
    yield f"POST {payload['url']}"
    for key, value in payload["body"].items():
        if not isinstance(value, list | dict):
            yield f"{key}: {value}"
    if payload["omitted"]:
        yield f"left out of the trace: {payload['omitted']}"
    if payload["masked"]:
        yield f"masked: {', '.join(f'{count} {what}' for what, count in payload['masked'].items())}"


def _texts(body: Mapping[str, Json], first: Mapping[str, Json]) -> Iterator[str]:
    if body["system"] == first.get("system"):
        yield "\n── system: as in request 1 ──"
    else:
        for part in body["system"]:
            yield _text("system", part)
    for message in body["messages"]:
        for part in message["content"]:
            yield _text(message["role"], part)


def _text(role: str, part: Mapping[str, Json]) -> str:
    """A text as it is, under a heading that says how long it is: nothing in it passes for a heading."""
    beside = {key: value for key, value in part.items() if key not in ("type", "text")}
    more = f", {strict.dumps(beside)}" if beside else ""
    return f"\n── {role}, {len(part['text']):,} characters{more} ──\n{part['text']}"


def _forms(body: Mapping[str, Json], first: Mapping[str, Json]) -> Iterator[str]:
    """The rest of the body: tools, and how the answer is to look."""
    for key, value in body.items():
        if key in ("system", "messages") or not isinstance(value, list | dict):
            continue
        if value == first.get(key):
            yield f"\n── {key}: as in request 1 ──"
        else:
            yield f"\n── {key} ──\n{strict.dumps(value, indent=2)}"
