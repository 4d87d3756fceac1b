"""`suggesters`: how far each suggester, by the version of its prompt, agrees with blind labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reviewer.cli import out
from reviewer.cli.context import Context, now
from reviewer.cli.suggest_run import in_words
from reviewer.counting import count
from reviewer.errors import StoreReadOnly
from reviewer.trace import Json

if TYPE_CHECKING:
    from reviewer.store import Store
    from reviewer.study.suggesters import Share, VersionFigures


@click.command("suggesters")
@click.option("--round", type=out.NUMBER, help="The round (default: the newest).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON value.")
@click.pass_obj
def command_suggesters(context: Context, round: int | None, as_json: bool) -> int:
    """How good each suggester is, by version: against blind labels, on tasks it was not taught with.

    Each call counts as a look and is counted in the store: who looks after every change of a prompt, and
    keeps the best, has fitted the prompt to these labels.
    """
    from reviewer.study.known_rounds import there
    from reviewer.study.suggesters import differing, suggesters

    with context.open_store() as store:
        taxonomy = context.load_taxonomy(store)
        number = there(store, round)
        found = suggesters(store, taxonomy, number)
        elsewhere = 0 if found else len(store.suggestions.all())
        looks = [_look(store, f"looks:{taxonomy.hash}:{number}:{one.key}") for one in found]
    if as_json:
        out.show_json([_record(one, count) for one, count in zip(found, looks, strict=True)])
        return 0
    if not found:
        others = f" ({count(elsewhere, 'suggestion')} under other codebooks)" * bool(elsewhere)
        under = f"{taxonomy.id} {taxonomy.version}"
        out.say(f"nothing has suggested anything under {under} yet{others}: reviewer suggest")
    for one, times in zip(found, looks, strict=True):
        _print(one, times, differing(one, found))
    return 0


def _look(store: Store, key: str) -> int | None:
    try:
        return store.settings.count(key, now=now())
    except StoreReadOnly:  # nobody can count there
        return None


_SAID = ("prompt", "guidelines", "learned", "judge", "version")  # the prompt, or its version, says as much


def _print(one: VersionFigures, looks: int | None, settings: dict[str, Json]) -> None:
    name = " ".join(filter(None, (one.suggester, one.model)))
    prompt = one.prompt if one.prompt.startswith("version") else f"prompt {one.prompt[:12]}"
    answers = in_words(one.answers.items())
    told = [f"{name} {value or 'not set'}" for name, value in settings.items() if name not in _SAID]
    prompt = ", ".join((prompt, *told))
    out.show(f"{name}, {prompt}: {answers}; {'looks not counted' if looks is None else f'look {looks}'}")
    kappa = one.found.kappa
    held = f"; {count(one.held_back, 'label')} left out, of tasks it was taught with" if one.held_back else ""
    if kappa.value is None:
        from reviewer.stats.estimate import explain

        out.show(f"  kappa undefined: {explain(kappa.undefined)} ({count(one.found.n, 'blind label')}{held})")
    else:
        bounds = "" if kappa.low is None else f" ({out.number(kappa.low)} to {out.number(kappa.high)})"
        rests = f"{count(one.found.n, 'blind label')} on {count(one.traces, 'trace')}"
        out.show(f"  kappa {out.number(kappa.value)}{bounds}, {rests}{held}")
    rows = [(f"  {row.mode}", _share(row.precision), _share(row.recall)) for row in one.modes]
    if rows:
        out.table(rows, ("  mode", "precision", "recall"))


def _share(share: Share) -> str:
    if share.value is None:
        return "-"
    low, high = share.bounds
    return f"{share.value:.2f} ({low:.2f} to {high:.2f}), {share.hits} of {share.n}"


def _record(one: VersionFigures, looks: int | None) -> dict[str, Json]:
    kappa = one.found.kappa
    return {
        "suggester": one.suggester,
        "model": one.model or None,
        "prompt": one.prompt,
        "settings": one.settings,
        "answers": dict(one.answers),
        "n": one.found.n,
        "traces": one.traces,
        "held_back": one.held_back,
        "kappa": kappa.value,
        "low": kappa.low,
        "high": kappa.high,
        "interval": kappa.interval or None,
        "undefined": kappa.undefined or None,
        "modes": [
            {"mode": row.mode, "precision": _figure(row.precision), "recall": _figure(row.recall)}
            for row in one.modes
        ],
        "looks": looks,
    }


def _figure(share: Share) -> dict[str, Json]:
    low, high = share.bounds
    return {"value": share.value, "low": low, "high": high, "hits": share.hits, "n": share.n}
