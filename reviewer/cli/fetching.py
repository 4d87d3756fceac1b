"""`suggest --resume`: fetches what has become of batches, and asks for the verdicts that were waiting for it.

Each answer is in the store before its request counts as done, so that a fetch that is cut off goes on
where it was and repeats nothing. How a server is spoken to is the suggester's business.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import cast

from reviewer.cli import out
from reviewer.cli.batching import Sending
from reviewer.cli.context import new_id, now
from reviewer.cli.suggest_run import Tally
from reviewer.counting import count
from reviewer.errors import NotFound, SuggesterStopped
from reviewer.store import Store
from reviewer.store.batches import Batch, Item
from reviewer.suggest import suggester
from reviewer.suggest.base import Piece, Proposal
from reviewer.suggest.claude import batches as api
from reviewer.suggest.claude.client import Reply
from reviewer.suggest.claude.plan import Call, Plan, Planner
from reviewer.suggest.claude.suggester import Claude
from reviewer.suggest.runner import checked, request_hash, suggestion
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json, Trace, plain

_AT_ONCE = 50  # answers in one transaction
_MAY_ARRIVE = 600.0  # seconds in which a request that broke off may still come to the server
_PATIENCE = 2 * 86_400.0  # seconds; what a server has not given by then, it is not asked for any more
_PLANS = 12  # traces whose plan is held while their results come in


def resume(store: Store, tally: Tally, agree: Callable[[Mapping[str, Json], int], str]) -> dict[str, int]:
    """Look at every batch that is not finished; how many are done, under way, and were sent anew.

    What goes wrong with one of them is said, counted as `stuck`, and holds up no other.
    """
    counts = {"done": 0, "under_way": 0, "sent": 0, "lost": 0}
    for batch in store.batches.open():
        taxonomy = store.settings.taxonomy(batch.taxonomy_hash)
        given = dict(batch.options)
        who = cast(Claude, suggester("claude", {**given, "consent": agree(given, batch.size)}))
        try:
            if taxonomy is None:
                raise SuggesterStopped("its taxonomy is not in this store")
            state = _state(store, who, batch)
            if state == "done":
                _take_in(store, who, taxonomy, batch, given, tally, counts)
            counts[state] += 1
        except SuggesterStopped as error:
            counts["stuck"] = counts.get("stuck", 0) + 1
            out.say(f"batch {batch.remote or batch.id}: {error}")
        finally:
            who.close()
    return counts


def _take_in(
    store: Store,
    who: Claude,
    taxonomy: Taxonomy,
    batch: Batch,
    given: Mapping[str, Json],
    tally: Tally,
    counts: dict[str, int],
) -> None:
    named = next(one for one in store.batches.open() if one.id == batch.id)  # with its name, if just found
    try:
        ready = Fetching(store, who, taxonomy, tally, named).fetch()
    except api.Gone:
        if _age(batch) < _PATIENCE:
            raise
        store.batches.change(batch.id, "lost")
        raise SuggesterStopped(
            "its results are gone from the server; what of them is not here can be asked again"
        ) from None
    if ready:
        sending = Sending(store, who, taxonomy, tally, given)
        try:
            sending.send(ready)
        except SuggesterStopped as error:  # the batch stays open, so that the next --resume tries again
            raise SuggesterStopped(
                f"{count(len(ready), 'long trace')} read, the verdict of each still to be asked for: "
                f"{error}; come back with --resume"
            ) from None
        counts["sent"] += sending.batches
        if sending.batches:
            out.say(f"{count(sending.traces, 'long trace')} read, the verdict of each asked for in a batch")
    store.batches.change(batch.id, "done")


def _state(store: Store, who: Claude, batch: Batch) -> str:
    """How far a batch is, said in a line; one whose sending was cut off is looked for first."""
    server = api.Batches(who)
    remote = batch.remote or _found(store, server, batch)
    if not remote:
        return "under_way" if remote is None else "lost"
    looked = server.look(remote)
    if looked.state == "gone" and _age(batch) < _PATIENCE:
        raise SuggesterStopped(
            "the server knows no such batch (404): is the API key one of the account that sent it? "
            "Nothing in it is asked again before two days are over"
        )
    if looked.state == "gone":
        store.batches.change(batch.id, "lost")
        out.say(
            f"batch {remote} is gone from the server; {count(batch.size, 'request')} of it can be made again"
        )
        return "lost"
    if looked.state == "running":
        until = f", until {looked.expires} at the latest" if looked.expires else ""
        out.say(f"batch {remote}: {count(batch.size, 'request')}, under way{until}; come back with --resume")
        return "under_way"
    return "done"


def _found(store: Store, server: api.Batches, batch: Batch) -> str | None:
    """The server's name of a batch whose sending was cut off; empty: it never arrived; None: in doubt.

    Our own names of its requests tell it, and no clock. Only where it cannot be any that the server has,
    and cannot be on its way either, did it not arrive.
    """
    known = store.batches.remotes()
    alike, whole = server.alike(batch.at, batch.size)
    doubt = not whole or _age(batch) < _MAY_ARRIVE
    for one in alike:
        if one.remote in known:
            continue
        if not one.ended:
            doubt = True
            continue
        ours = _ours(server, one.remote, batch)
        if ours:
            store.batches.change(batch.id, "sent", one.remote)
            return one.remote
        doubt |= ours is None and one.near
    if doubt:
        out.say(
            f"a batch of {count(batch.size, 'request')} whose sending was cut off may have arrived; a later "
            "--resume finds out, and until then nothing in it is asked again"
        )
        return None
    store.batches.change(batch.id, "lost")
    out.say(f"a batch of {count(batch.size, 'request')} never arrived and can be made again")
    return ""


def _ours(server: api.Batches, remote: str, batch: Batch) -> bool | None:
    """Whether that batch has the names that ours gave to its requests; None if nobody can tell."""
    try:
        names = (name for name, _ in server.results(remote))
        first = next(names, None)
    except SuggesterStopped:
        return None
    return None if first is None else first.startswith(f"{batch.id}-")


def _age(batch: Batch) -> float:
    """Seconds since a batch was handed over."""
    return abs(datetime.now(UTC).timestamp() - datetime.fromisoformat(batch.at).timestamp())


@dataclass(slots=True)
class Fetching:
    """Takes the results of one batch that has ended into the store."""

    store: Store
    who: Claude
    taxonomy: Taxonomy
    tally: Tally
    batch: Batch
    _planner: Planner = field(init=False)
    _plans: OrderedDict[str, Plan | str] = field(default_factory=OrderedDict)
    _done: set[str] = field(default_factory=set)
    _ready: list[tuple[int, Piece | Proposal | None, Item]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._planner = Planner(self.who.options, self.taxonomy, hour=True)

    def fetch(self) -> list[str]:
        """Take everything in; the traces whose segments are read, so that a verdict can be asked for.

        The batch is done only when that was asked for, too.
        """
        items = {f"{self.batch.id}-{one.n}": one for one in self.store.batches.items(self.batch.id)}
        open_items = {name: one for name, one in items.items() if not one.done}
        strange, came = 0, set[str]()
        server = api.Batches(self.who)
        promised = server.look(self.batch.remote).settled
        for name, reply in server.results(self.batch.remote) if open_items else ():
            strange += name not in items
            came |= {name} & items.keys()  # one may come twice
            item = open_items.pop(name, None)
            if item is not None:
                self._take(item, reply, list(items.values()))
        if open_items and len(came) < min(promised, len(items)) and _age(self.batch) < _PATIENCE:
            self._flush()
            raise SuggesterStopped(
                f"its results broke off after {len(came)} of {promised}; those are kept, "
                "come back with --resume"
            )
        for item in open_items.values():
            self._take(item, Reply(reason="the batch ended without an answer to this"), list(items.values()))
        self._flush()
        if strange:
            out.say(f"left out: {count(strange, 'result')} of no request of this batch")
        return self._read(items.values())

    def _read(self, items: Iterable[Item]) -> list[str]:
        """The traces of which all segments that were asked about are here, and the verdict is not."""
        asked: dict[str, set[str]] = {}
        traces = {}
        for one in items:
            asked.setdefault(one.request, set()).add(one.key)
            traces[one.request] = one.trace_id
        return [
            traces[request]
            for request, keys in asked.items()
            if keys <= self.store.batches.kept(request).keys()
            and not self.store.suggestions.answered(request)
        ]

    def _take(self, item: Item, reply: Reply, items: Sequence[Item]) -> None:
        made = self._made(item, reply, items)
        self._ready.append((item.n, made, item))
        if len(self._ready) >= _AT_ONCE:
            self._flush()

    def _made(self, item: Item, reply: Reply, items: Sequence[Item]) -> Piece | Proposal | None:
        """What this answer amounts to; None where there is nothing to keep any more."""
        if self.store.suggestions.answered(item.request):
            return None
        plan = self._plan(item, items)
        if isinstance(plan, str):
            return self._settled(item, Proposal(status="failed", reason=plan) if plan else None)
        calls = [call for call in plan.calls if call.key == item.key]
        call = calls[0] if calls else Call(item.key, {}, item.tag)  # the verdict over segments
        pieces = () if calls else tuple(self.store.batches.kept(item.request).values())
        made = api.answer(self._planner, plan, call, reply, pieces)
        if isinstance(made, Piece):
            return made
        used = {**made.usage, "batch": self.batch.remote}
        return self._settled(item, checked(replace(made, usage=used), self.taxonomy))

    def _settled(self, item: Item, made: Proposal | None) -> Proposal | None:
        """The one proposal on this request; None if there was one already, as when two segments failed."""
        if item.request in self._done:
            return None
        self._done.add(item.request)
        return made

    def _plan(self, item: Item, items: Sequence[Item]) -> Plan | str:
        """The plan of a trace as it was sent, or why there is none; empty where the trace is gone."""
        if item.request not in self._plans:
            tags = {one.key: one.tag for one in items if one.request == item.request}
            self._plans[item.request] = self._planned(item, tags)
            if len(self._plans) > _PLANS:
                self._plans.popitem(last=False)
        return self._plans[item.request]

    def _planned(self, item: Item, tags: Mapping[str, str]) -> Plan | str:
        try:
            trace = self.store.traces.trace(item.trace_id)
        except NotFound:
            return ""
        outcomes = plain(self.store.outcomes.of(item.trace_id))
        if request_hash(trace, outcomes, self.who, self.taxonomy) != item.request:
            return "the trace, or how it is asked about, has changed since the batch was sent"
        return self._planner.plan(trace, outcomes, item.request, tags)

    def _flush(self) -> None:
        """Keep what has come, then count its requests as done: in this order nothing is lost."""
        suggestions = []
        for _, made, item in self._ready:
            if isinstance(made, Piece):
                self.store.batches.keep(made.key, made.value, now=now())
            elif made is not None:
                trace = self._trace(item)
                suggestions.append(
                    suggestion(
                        made, trace, self.who, self.taxonomy, request=item.request, at=now(), id=new_id()
                    )
                )
        if suggestions:
            self.tally.save(*suggestions)
        self.store.batches.settle(self.batch.id, [n for n, _, _ in self._ready])
        self._ready = []

    def _trace(self, item: Item) -> Trace:
        plan = self._plans.get(item.request)
        return plan.trace if isinstance(plan, Plan) else self.store.traces.trace(item.trace_id)
