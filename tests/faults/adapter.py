"""The four verbs that the fault recipes speak (`init`, `writer`, `dump`, `check`), over the store's own API.

    python tests/faults/adapter.py VERB STORE [WHO]

`writer` reads `{"event", "trace", "value"}` lines and answers `ACK event` only after the label is
committed, `ERR event reason` when it is not, `FATAL reason` when the store cannot be opened.
"""

import json
import sys
from pathlib import Path

from reviewer.errors import ReviewerError
from reviewer.label import LabelEvent
from reviewer.store import Store


def init(path: Path) -> int:
    Store.open(path, create=True).close()
    return 0


def writer(path: Path, who: str) -> int:
    try:
        store = Store.open(path)
    except ReviewerError as error:
        print("FATAL", error, flush=True)
        return 3
    with store:
        for line in sys.stdin:
            wanted = json.loads(line)
            event = LabelEvent(
                id=wanted["event"],
                kind="label",
                trace_id=wanted["trace"],
                annotator=who,
                at="2026-01-01T00:00:00Z",
                origin="fault",
                app="fault adapter",
                taxonomy="faults",
                taxonomy_hash="0",
                mode=wanted["value"],
            )
            try:
                store.labels.record(event)
            except ReviewerError as error:
                print("ERR", event.id, error, flush=True)
            else:
                print("ACK", event.id, flush=True)
    return 0


def dump(path: Path) -> int:
    with Store.open(path) as store:
        for event in store.labels.events():
            row = {
                "event": event.id,
                "trace": event.trace_id,
                "annotator": event.annotator,
                "value": event.mode,
            }
            print(json.dumps(row))
    return 0


def check(path: Path) -> int:
    with Store.open(path) as store:
        problems = store.problems()
    print("\n".join(problems) or "ok")
    return 4 if problems else 0


def main() -> int:
    verb, store, *rest = sys.argv[1:]
    try:
        return {"init": init, "writer": writer, "dump": dump, "check": check}[verb](Path(store), *rest)
    except ReviewerError as error:
        print("BROKEN", error)
        return 4


if __name__ == "__main__":
    sys.exit(main())
