"""`suggest --batch`: hand requests over all at once, and leave; `fetching` gets what has become of them.

A batch is in the store before it is sent, so that one whose sending is cut off is known to be in doubt.
How a server is spoken to is the suggester's business.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reviewer.cli.context import new_id, now
from reviewer.cli.suggest_run import Tally, read
from reviewer.errors import SuggesterStopped
from reviewer.store import Store
from reviewer.store.batches import Batch, Item
from reviewer.suggest.claude import batches as api
from reviewer.suggest.claude.plan import Call, Planner, dollars
from reviewer.suggest.claude.suggester import Claude
from reviewer.suggest.runner import request_hash
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Json


@dataclass(slots=True)
class Sending:
    """Plans requests for traces and hands them over in batches."""

    store: Store
    who: Claude
    taxonomy: Taxonomy
    tally: Tally
    given: Mapping[str, Json]
    requests: int = 0
    traces: int = 0
    batches: int = 0
    estimate: float = 0.0
    left: int = 0
    _items: list[tuple[Item, Call]] = field(default_factory=list)
    _size: int = 0

    def send(self, wanted: Sequence[str]) -> None:
        """Hand over all that is still to be asked about these traces."""
        self.store.settings.keep_taxonomy(self.taxonomy, now=now())
        planner = Planner(self.who.options, self.taxonomy, hour=True)
        for trace, outcomes in read(self.store, wanted):
            request = request_hash(trace, outcomes, self.who, self.taxonomy)
            if self.tally.known(request):
                continue
            plan = planner.plan(trace, outcomes, request)
            calls = planner.lacking(plan, self.store.batches.kept(request))
            if not self._affordable(plan.tokens(calls)):
                self.left += 1
                continue
            self.traces += 1
            for call in calls:
                item = Item(len(self._items), call.key, request, trace.info.trace_id, call.tag)
                self._items.append((item, call))
                self._size += len(json.dumps(call.body))
            if self._size >= api.MOST_BYTES or len(self._items) >= api.MOST_REQUESTS:
                self._hand_over()
        self._hand_over()

    def _affordable(self, tokens: Sequence[int]) -> bool:
        """Whether the estimate for these requests, at half the price, is within the limit; counts it if so.

        Those that come later, for the verdicts on what segments bring, are among them: no limit holds then.
        """
        options = self.who.options
        more = dollars(options.model, tokens) / 2
        if options.max_cost is not None and self.estimate + more > options.max_cost:
            return False
        self.estimate += more
        return True

    def _hand_over(self) -> None:
        if not self._items:
            return
        id = f"b{new_id().replace('-', '')[:20]}"
        options = {name: value for name, value in self.given.items() if name != "max_cost"}
        options["endpoint"] = self.who.options.endpoint
        options.pop("base_url", None)
        batch = Batch(id, "", "sending", self.taxonomy.hash, options, len(self._items), now())
        self.store.batches.begin(batch, [item for item, _ in self._items])
        reply = api.Batches(self.who).submit([(f"{id}-{item.n}", call.body) for item, call in self._items])
        if reply.message is None and (reply.unsure or reply.malformed):
            raise SuggesterStopped(
                f"{reply.reason}; the batch may have arrived all the same: `reviewer suggest --with claude "
                "--resume` finds out, and nothing in it is asked again before"
            )
        if reply.message is None:
            self.store.batches.change(id, "lost")
            raise SuggesterStopped(f"the batch was not taken: {reply.reason}")
        self.store.batches.change(id, "sent", str(reply.message["id"]))
        self.requests, self.batches = self.requests + len(self._items), self.batches + 1
        self._items, self._size = [], 0
