"""A loopback server that answers as a Messages API might: whatever a test puts into it, in order."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

GOOD = {
    "rationale": "It ran the same listing three times and stopped.",
    "evidence": [{"step": 2, "quote": "It is black."}],
    "decisive_step": 2,
    "failure_mode": "burnt",
    "runner_up": "raw",
    "objection": "white at 1; nobody ate of it",
    "confidence": 0.8,
}
USAGE = {"input_tokens": 1000, "output_tokens": 200, "cache_read_input_tokens": 500}


@dataclass(frozen=True)
class Answer:
    """One HTTP answer; `reset` drops the connection, `pause` waits before, `drip` after each byte."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    pause: float = 0
    drip: float = 0
    reset: bool = False


def message(text: Any, **more: Any) -> Answer:
    """A message whose text is `text`, or the JSON of it."""
    text = text if isinstance(text, str) else json.dumps(text)
    return blocks([{"type": "text", "text": text}], **more)


def blocks(content: Any, stop: Any = "end_turn", model: str = "claude-haiku-5-5", **more: Any) -> Answer:
    body = {"id": "m1", "type": "message", "role": "assistant", "model": model, "content": content}
    return Answer(body={**body, "stop_reason": stop, "stop_sequence": None, "usage": USAGE, **more})


def error(status: int, kind: str, said: str, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"type": "error", "error": {"type": kind, "message": said}}, named)


Given = Answer | Callable[[dict[str, Any]], Answer]


class Loopback(ThreadingHTTPServer):
    """Gives `answers` in order, the last one again and again; `seen` are the requests that came."""

    daemon_threads = True

    def __init__(self, *answers: Given, handler: type[BaseHTTPRequestHandler] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), handler or Handler)
        self.answers: Sequence[Given] = answers or (message(GOOD),)
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.open = self.most_open = 0  # requests that are being answered; the most there were
        self._counting = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def come(self, body: dict[str, Any]) -> int:
        """A request has come; its number."""
        with self._counting:
            self.seen.append(body)
            self.open += 1
            self.most_open = max(self.most_open, self.open)
            return len(self.seen) - 1

    def gone(self) -> None:
        with self._counting:
            self.open -= 1

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that has gone is part of the tests."""

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Loopback

    def log_message(self, *_: object) -> None:
        """Tests print nothing."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        number = self.server.come(body)
        self.server.headers.append({name.lower(): value for name, value in self.headers.items()})
        self.server.paths.append(self.path)
        given = self.server.answers[min(number, len(self.server.answers) - 1)]
        try:
            answer = given(body) if callable(given) else given
            time.sleep(answer.pause)
        finally:
            self.server.gone()  # before the client knows, who may ask again at once
        self._give(replace(answer, pause=0))

    def _give(self, answer: Answer) -> None:
        time.sleep(answer.pause)
        self.close_connection = True
        if answer.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        raw = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
        self.send_response(answer.status)
        headers = {"content-type": "application/json", "request-id": "req_1", "connection": "close"}
        headers |= {"content-length": str(len(raw))}
        for name, value in {**headers, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        pieces = [raw[i : i + 1] for i in range(len(raw))] if answer.drip else [raw]
        for piece in pieces:
            self.wfile.write(piece)
            time.sleep(answer.drip)
