"""A loopback server with message batches: what is handed over is kept, and ends when the test says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs

from tests.suggest.claude.server import Answer, Given, Handler, Loopback, error, message

Result = dict[str, Any]


def succeeded(answer: Answer) -> Result:
    return {"type": "succeeded", "message": answer.body}


def errored(said: str) -> Result:
    return {
        "type": "errored",
        "error": {"type": "error", "error": {"type": "invalid_request_error", "message": said}},
    }


class BatchLoopback(Loopback):
    """`result` makes the result of each request from its body; `ended` lets the batches end."""

    def __init__(self, result: Callable[[dict[str, Any]], Result | None], *answers: Given) -> None:
        super().__init__(*answers, handler=_BatchHandler)
        self.result = result
        self.batches: dict[str, list[dict[str, Any]]] = {}
        self.ended = True
        self.deaf = False  # takes a batch in and drops the line
        self.says = 0  # takes a batch in and answers with this status, as a gateway that waited too long
        self.refuses = 0  # answers so, and takes no batch
        self.skew = timedelta(days=365 * 70)  # of its clock from ours
        self.created: dict[str, str] = {}
        self.page = 100  # batches in one page of their list
        self.fetched: list[str] = []
        self.counting = False  # says how many requests of a batch that has ended have a result
        self.short = 1.0  # the share of the results that comes before the line is closed, as if at the end
        self.hidden: set[str] = set()  # batches whose results are not to be had
        self.extra = b""  # further lines of results
        self.torn = False  # results end in the middle of a line without end

    def add(self, id: str, requests: list[dict[str, Any]]) -> None:
        self.batches[id] = requests
        self.created[id] = (datetime.now(UTC) + self.skew).isoformat()

    def described(self, id: str) -> dict[str, Any]:
        return {
            "id": id,
            "type": "message_batch",
            "processing_status": "ended" if self.ended else "in_progress",
            "request_counts": self.counts(len(self.batches[id])),
            "created_at": self.created[id],
            "expires_at": "2099-01-02T00:00:00Z",
            "results_url": "http://127.0.0.1:9/elsewhere",  # nobody must go there with our key
        }

    def counts(self, size: int) -> dict[str, int]:
        done = self.counting and self.ended
        return {"processing": 0 if done else size, "succeeded": size if done else 0, "errored": 0}

    def lines(self, id: str) -> bytes:
        made = [(one["custom_id"], self.result(one["params"])) for one in reversed(self.batches[id])]
        rows = [
            json.dumps({"custom_id": name, "result": result}) for name, result in made if result is not None
        ]
        if self.torn:
            return "\n".join(rows[:2]).encode() + b"\n" + b"x" * 5_000_000
        return "\n".join(rows).encode() + b"\n" + self.extra


class _BatchHandler(Handler):
    server: BatchLoopback

    def do_POST(self) -> None:
        if self.path != "/v1/messages/batches":
            super().do_POST()
            return
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.server.refuses:
            self._give(error(self.server.refuses, "some_error", "not now"))
            return
        id = f"msgbatch_{len(self.server.batches)}"
        self.server.add(id, body["requests"])
        if self.server.says:
            self._give(error(self.server.says, "api_error", "gone too long"))
            return
        self._give(Answer(reset=True) if self.server.deaf else Answer(body=self.server.described(id)))

    def do_GET(self) -> None:
        path = self.path.partition("?")[0].removeprefix("/v1/messages/batches").strip("/")
        id, _, rest = path.partition("/")
        if not id:
            asked = parse_qs(self.path.partition("?")[2])
            ids = [*reversed(self.server.batches)]  # the newest first
            ids = ids[ids.index(asked["after_id"][0]) + 1 :] if "after_id" in asked else ids
            rows = [self.server.described(one) for one in ids[: self.server.page]]
            more = len(ids) > self.server.page
            last = rows[-1]["id"] if rows else None
            self._give(Answer(body={"data": rows, "has_more": more, "first_id": None, "last_id": last}))
        elif id not in self.server.batches:
            said = {"type": "error", "error": {"type": "not_found_error", "message": "no such batch"}}
            self._give(Answer(404, said))
        elif rest == "results":
            self.server.fetched.append(id)
            if id in self.server.hidden:
                self._give(error(404, "not_found_error", "no results"))
                return
            raw = self.server.lines(id)
            raw = raw[: int(len(raw) * self.server.short)]
            self._give(Answer(200, raw, {"content-type": "application/x-jsonl"}))
        else:
            self._give(Answer(body=self.server.described(id)))


def good(verdict: Any) -> Callable[[dict[str, Any]], Result]:
    return lambda body: succeeded(message(verdict))
