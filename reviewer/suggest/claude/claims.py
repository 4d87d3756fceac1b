"""The verdict that a judge is asked to refute: how it is told, and what the judge's answer makes of it.

Pure. A verdict is foreign text like a trace: it stands between tagged markers, masked, as data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reviewer.errors import InputError
from reviewer.label import Rationale
from reviewer.suggest.cleaning import Cleaner
from reviewer.trace import Json, digest

_ASKED = """\
# What you are asked

Before the record stands a verdict that another reader gave on this run. Try to refute it, from the record \
alone: look for what speaks against its mode and its step, for what its quotes leave out, and for an earlier \
departure that was never put right. It is no authority, and a quote with a ✗ does not stand in its step. \
What stands before a quote in brackets is what that reader takes it to show, and may be more than it says; \
what follows "But:" is why that reader held another mode or step for wrong, and may be wrong itself. If you \
fail to refute it, your answer has its mode; if you succeed, the mode that the record shows. The evidence in \
your answer is what decides between the two.

"""
_CLAIM = """\
[[{tag} the verdict to refute]]
Mode: {mode}. Runner-up: {runner_up}. Decisive step: {step}.
{reason}
{quotes}
[[{tag} end of the verdict]]"""
TEMPLATE = digest([_ASKED, _CLAIM, 2])  # raise the number when the layout changes


@dataclass(frozen=True, slots=True)
class Claim:
    """A verdict on a trace; `quotes` are (step, quote, whether it stands there, what it is to show).

    In batches that were sent before it was told there is no `runner_up`.
    """

    id: str
    suggester: str
    mode: str
    step: int | None
    rationale: str
    quotes: tuple[tuple[int, str, bool, str], ...]
    runner_up: str = ""


def claims(value: Json) -> dict[str, Claim]:
    """The verdicts among the options, by trace; `InputError` if they are none."""
    try:
        return {str(trace): _claim(*given) for trace, given in dict(value or {}).items()}
    except (TypeError, ValueError):
        raise InputError("claims: a verdict for each trace is needed, as `--judge` makes it") from None


def _claim(
    id: Json, who: Json, mode: Json, step: int | None, why: Json, proof: Json, runner_up: Json = ""
) -> Claim:
    quotes = tuple(_quoted(*quote) for quote in proof)
    return Claim(str(id), str(who), str(mode), step, str(why), quotes, str(runner_up))


def _quoted(n: int, quote: str, stands: bool, shows: str = "") -> tuple[int, str, bool, str]:
    """One quote; in batches that were sent before there were captions it has none."""
    return n, quote, stands, shows


def asked(says: str) -> str:
    """How the answer is asked for, with the judge's own task before it."""
    return _ASKED + says


def told(one: Claim, tag: str, clean: Cleaner) -> list[str]:
    """The verdict as a block of the message."""
    quotes = [
        f"{'✓' if ok else '✗'} step {n}: {f'[{clean(shows)}] ' if shows else ''}“{clean(quote)}”"
        for n, quote, ok, shows in one.quotes
    ]
    step = "none named" if one.step is None else str(one.step)
    why = Rationale.of(one.rationale)  # its note is not about the run, but about who gave the verdict
    reason = clean(f"{why.reason}\nBut: {why.but}" if why.but else why.reason)
    said = "\n".join(quotes) or "It quotes nothing."
    next_mode = one.runner_up or "none named"
    return [_CLAIM.format(tag=tag, mode=one.mode, runner_up=next_mode, step=step, reason=reason, quotes=said)]


def found(one: Claim, mode: str) -> Mapping[str, Json]:
    """What the judge's mode says of the verdict, for the `usage` of its suggestion; no mode says nothing."""
    finding = {"finding": "agrees" if mode == one.mode else "refutes"} if mode else {}
    return {"judges": one.id, **finding}
