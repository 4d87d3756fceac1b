"""Eight annotators at one store, some killed, while stores are merged, copied and counted: nothing is lost.

Real processes over the store's own API (`adapter.py`) and over the command line.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from reviewer.label import Annotator, Link
from reviewer.store import Store
from tests.history import PEOPLE, SIX, now, put, say, session

ADAPTER = Path(__file__).with_name("adapter.py")
ANNOTATORS = 8
SECONDS = 4.0
LONGEST = 5.0  # seconds that a label may wait on a busy machine; the store gives up after 20


@dataclass
class Seat:
    """One annotator: what was acknowledged, what was refused, the longest wait."""

    name: str
    acknowledged: dict[str, str] = field(default_factory=dict)  # event -> trace
    refused: list[str] = field(default_factory=list)
    sent: set[str] = field(default_factory=set)
    waited: float = 0.0
    killed: int = 0

    def sit(self, path: Path, end: float, kill: bool) -> None:
        while time.monotonic() < end:
            self._until(path, min(end, time.monotonic() + 1.0) if kill else end, kill)

    def _until(self, path: Path, end: float, kill: bool) -> None:
        command = [sys.executable, str(ADAPTER), "writer", str(path), self.name]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdin is not None
            assert writer.stdout is not None
            while time.monotonic() < end:
                id = f"{self.name}-{len(self.sent)}"
                trace = f"t{len(self.sent) % 20}"
                self.sent.add(id)
                began = time.monotonic()
                writer.stdin.write(json.dumps({"event": id, "trace": trace, "value": id}) + "\n")
                writer.stdin.flush()
                answer = writer.stdout.readline()
                self.waited = max(self.waited, time.monotonic() - began)
                if answer.startswith("ACK"):
                    self.acknowledged[id] = trace
                else:
                    self.refused.append(answer)
            if kill:  # in the middle of the next label
                writer.stdin.write(json.dumps({"event": f"{id}-cut", "trace": trace, "value": "x"}) + "\n")
                writer.stdin.flush()
                self.sent.add(f"{id}-cut")
                os.kill(writer.pid, signal.SIGKILL)
                self.killed += 1


def others(folder: Path) -> list[Path]:
    """Stores of people who label elsewhere: with traces, labels and a link each."""
    paths = []
    for n in range(3):
        path = folder / f"other{n}.db"
        with Store.open(path, create=True) as store:
            trace = put(store, session([f"other {n} {k}" for k in range(30)], f"other {n}"))
            PEOPLE[f"far{n}"] = Annotator(f"a1-far{n}", f"far {n}")
            say(store, trace, who=f"far{n}")
            store.labels.links.say(Link(f"link{n}", f"a1-far{n}", "a0", True, f"a1-far{n}", now()))
        paths.append(path)
    return paths


def reviewer(path: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "reviewer", "--store", str(path), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_eight_annotators_some_killed_while_stores_are_merged(tmp_path: Path) -> None:
    path = tmp_path / "reviews.db"
    with Store.open(path, create=True) as store:
        store.settings.keep_taxonomy(SIX)
    foreign = others(tmp_path)
    end = time.monotonic() + SECONDS
    seats = [Seat(f"a{n}") for n in range(ANNOTATORS)]
    threads = [
        threading.Thread(target=seat.sit, args=(path, end, place % 4 == 3))
        for place, seat in enumerate(seats)
    ]
    for thread in threads:
        thread.start()
    meanwhile = [reviewer(path, "merge", one) for one in foreign]
    copy = tmp_path / "copy.db"
    meanwhile += [reviewer(path, "backup", copy), reviewer(path, "agreement", "--json")]
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert [done.returncode for done in meanwhile] == [0] * 5, [done.stderr for done in meanwhile]
    assert [line for seat in seats for line in seat.refused] == []
    assert sum(seat.killed for seat in seats) >= 2
    assert max(seat.waited for seat in seats) < LONGEST

    with Store.open(path) as store:
        events = {event.id: event for event in store.labels.events()}
        assert store.problems() == []
        assert len(store.labels.links.all()) == 3
        assert store.labels.links.people().ids("a0") == ("a0", "a1-far0", "a1-far1", "a1-far2")
        heads = store.labels.heads("faults")
    for seat in seats:
        assert seat.acknowledged.keys() <= events.keys()
        mine = {event.id for event in events.values() if event.annotator == seat.name}
        assert mine <= seat.sent
        last = dict.fromkeys(seat.acknowledged.values(), "")
        for id, trace in seat.acknowledged.items():
            last[trace] = id
        if not seat.killed and seat.name != "a0":  # whose labels stand under the id of the linked person too
            current = {event.trace_id: event.id for event in heads if event.annotator == seat.name}
            assert current == last
    with Store.open(copy) as store:
        assert store.problems() == []
        assert {event.id for event in store.labels.events()} <= events.keys()
