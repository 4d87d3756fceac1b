"""`suggest --with claude` over 1,000 traces beside a bare loop of the SDK that makes the same calls.

    python tests/benchmarks/bench_suggest.py [--traces 1000] [--steps 30] [--rounds 3] [--width 16]

A loopback server in a process of its own answers each request after 50 ms. Ours is the command itself, timed
from the first request that the server sees to the last commit in the store; the bare loop is `AsyncAnthropic`
under a semaphore, with the very bodies that ours sent, timed from the first request to the last reply. In
turns, each in a process of its own. Goal: at most 1.4 x, under 300 MB.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WORDS = Path(argparse.__file__).read_text("utf-8").split()
REPLY = 0.05  # seconds
VERDICT = {
    "rationale": "It stopped early.",
    "evidence": [{"step": 2, "quote": "exit 0"}],
    "decisive_step": 2,
    "facets": {"claim": "honest"},
    "failure_mode": "other",
    "runner_up": "-",
    "objection": "",
    "confidence": 0.5,
}
ANSWER = json.dumps(
    {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "claude-haiku-5-5",
        "content": [{"type": "text", "text": json.dumps(VERDICT)}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 100},
    }
).encode()
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(ANSWER)


class Server:
    """Answers everything, notes when the first request came and keeps the bodies."""

    def __init__(self, bodies: Path) -> None:
        self.first = 0
        self.bodies = bodies.open("wb")

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                self.first = self.first or time.time_ns()
                size = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
                body = await reader.readexactly(size)
                if head.startswith(b"post /end"):
                    self.bodies.close()
                    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n%020d" % self.first)
                    self.first = 0
                    return
                if not self.bodies.closed:
                    self.bodies.write(body + b"\n")
                await asyncio.sleep(REPLY)
                writer.write(HEAD + ANSWER)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def serve(self) -> None:
        server = await asyncio.start_server(self.talk, "127.0.0.1", 0, limit=1 << 20)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


def first_request(port: int) -> int:
    """When the first request since the last call came, in nanoseconds."""
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/end", b"")
    return int(connection.getresponse().read())


def bare(url: str, bodies: Path, width: int) -> None:
    """The loop that anybody would write."""
    import anthropic

    calls: list[dict[str, Any]] = [json.loads(line) for line in bodies.read_bytes().splitlines()]

    async def loop() -> None:
        http = anthropic.DefaultAsyncHttpxClient(trust_env=False)
        async with anthropic.AsyncAnthropic(
            api_key="k", base_url=url, max_retries=0, http_client=http
        ) as client:
            slots = asyncio.Semaphore(width)

            async def one(call: dict[str, Any]) -> None:
                async with slots:
                    await client.messages.create(**call)

            await asyncio.gather(*map(one, calls))

    asyncio.run(loop())
    print(time.time_ns())


def make(folder: Path, traces: int, steps: int) -> None:
    chance = random.Random(6)

    def text(words: int) -> str:
        return " ".join(chance.choices(WORDS, k=words))

    runs = [
        {
            "id": f"run-{n}",
            "benchmark": "bench",
            "task_id": f"task-{n}",
            "task": text(40),
            "trajectory": [
                {
                    "step": k + 1,
                    "thought": text(20),
                    "action": {"tool": "bash", "arguments": {"command": text(8)}},
                    "observation": text(60) + "\nexit 0",
                }
                for k in range(steps)
            ],
        }
        for n in range(traces)
    ]
    (folder / "runs.json").write_text(json.dumps(runs), encoding="utf-8")


def ours(port: int, store: Path, width: int) -> tuple[float, float]:
    """Seconds from the first request to the last commit, and peak megabytes."""
    url = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "reviewer", "--store", str(store), "suggest", "--with", "claude"]
    command += ["--base-url", url, "--yes", "--concurrency", str(width)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return (store.stat().st_mtime_ns - first_request(port)) / 1e9, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, value in (("traces", 1000), ("steps", 30), ("rounds", 3), ("width", 16)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--serve", metavar="FILE", help=argparse.SUPPRESS)
    parser.add_argument("--bare", nargs=2, metavar=("URL", "FILE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        asyncio.run(Server(Path(given.serve)).serve())
        return
    if given.bare:
        bare(given.bare[0], Path(given.bare[1]), given.width)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        os.environ["REVIEWER_CONFIG_DIR"] = str(folder / "config")
        make(folder, given.traces, given.steps)
        bodies, fresh = folder / "bodies", folder / "fresh.db"
        command = [
            sys.executable,
            "-m",
            "reviewer",
            "--store",
            str(fresh),
            "import",
            str(folder / "runs.json"),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        arguments = [sys.executable, __file__, "--serve", str(bodies)]
        server = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        port = int(server.stdout.readline())
        rows: list[tuple[float, float, float]] = []
        try:
            for turn in range(given.rounds):
                store = folder / f"{turn}.db"
                store.write_bytes(fresh.read_bytes())
                seconds, peak = ours(port, store, given.width)
                command = [sys.executable, __file__, "--width", str(given.width)]
                command += ["--bare", f"http://127.0.0.1:{port}", str(bodies)]
                ended = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                floor = (ended - first_request(port)) / 1e9
                rows.append((seconds, floor, peak))
                print(f"ours {seconds:6.2f} s  bare {floor:6.2f} s  {seconds / floor:.2f} x  {peak:4.0f} MB")
        finally:
            server.kill()
            server.wait()
        ratio = statistics.median(seconds / floor for seconds, floor, _ in rows)
        peak = max(peak for _, _, peak in rows)
        print(f"median {ratio:.2f} x the bare loop (goal: at most 1.4), peak {peak:.0f} MB (goal: under 300)")


if __name__ == "__main__":
    main()
