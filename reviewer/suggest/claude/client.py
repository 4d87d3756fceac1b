"""One request to the Messages API: few attempts, bounded waits, a bounded answer. The room of `anthropic`.

The SDK's own retries are off, because it obeys any `retry-after`. The answer is read as bytes and parsed
here, so that a wrong content type, a broken body or a server that drips for hours is a reason and no
exception. Knows no trace and no taxonomy.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from reviewer.suggest.claude.failures import NO_KEY, Fault, of_status, pause, told
from reviewer.suggest.claude.options import Options
from reviewer.trace import Json

if TYPE_CHECKING:
    import anthropic

MAX_BYTES = 4_000_000
_SHORTEST_KEY = 6  # what is shorter may be any word


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back: a message, or none and the reason. `stop`: asking on makes no sense.

    `unsure`: nobody knows whether the request arrived and was taken.
    """

    message: Mapping[str, Json] | None = None
    reason: str = ""
    malformed: bool = False
    stop: bool = False
    request_id: str = ""
    attempts: int = 1
    unsure: bool = False


Opened: TypeAlias = AbstractAsyncContextManager[Any]  # of the SDK's response, whose body is not read yet
Open: TypeAlias = Callable[[Any, float], Opened]
Parse: TypeAlias = Callable[[bytes, Mapping[str, str]], "Reply | Fault"]


@dataclass(slots=True)
class Client:
    """A connection to one endpoint, for the thread of one event loop. Tests pass `sleep` and `clock` in."""

    options: Options
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    clock: Callable[[], float] = time.monotonic
    going: Callable[[], bool] = lambda: True  # whether another attempt may be made
    _sdk: Any = field(default=None, repr=False)
    _client: anthropic.AsyncAnthropic | None = field(default=None, repr=False)
    _quiet_until: float = field(default=0.0, repr=False)  # a server that asks one to wait means all

    async def ask(self, body: dict[str, Json]) -> Reply:
        """The answer to one request, after as many attempts as are worth it."""
        return await self.through(
            lambda sdk, limit: sdk.messages.with_streaming_response.create(**body, timeout=limit), parsed
        )

    async def through(self, call: Open, parse: Parse, *, again: bool = True) -> Reply:
        """Whatever `call` opens and `parse` makes of its bytes; without `again` in one attempt."""
        quiet = self._quiet_until - self.clock()
        if quiet > 0:
            await self.sleep(quiet)
        end = self.clock() + self.options.deadline
        attempt = 0
        while True:
            attempt += 1
            got = await self._attempt(call, parse, end)
            if isinstance(got, Reply):
                reason, request_id = self.keyless(got.reason), self.keyless(got.request_id)
                return Reply(got.message, reason, got.malformed, got.stop, request_id, attempt)
            wait = pause(got, attempt, self.options.max_wait) if again and self.going() else None
            late = wait is not None and self.clock() + wait >= end
            if wait is None or late or attempt >= self.options.tries:
                return self._given_up(got, attempt)
            if got.wait is not None:
                self._quiet_until = max(self._quiet_until, self.clock() + wait)
            await self.sleep(wait)

    async def lines(self, call: Open, limit: float) -> AsyncIterator[bytes]:
        """The lines of a long answer, as they come. `Broken` where it does not come whole."""
        import httpx2

        client = self.opened()
        rest = b""
        try:
            async with asyncio.timeout(limit), call(client, self.options.timeout) as response:
                async for piece in response.iter_bytes():
                    *whole, rest = (rest + piece).split(b"\n")
                    if len(rest) > MAX_BYTES:
                        raise Broken(f"a line of more than {MAX_BYTES:,} bytes")
                    for line in whole:
                        yield line
        except (httpx2.HTTPError, httpx2.StreamError, TimeoutError, self._sdk.AnthropicError) as error:
            fault = of_status(self._sdk, error)
            reason = self.keyless(fault.reason) if fault else f"no connection ({type(error).__name__})"
            raise Broken(reason) from None
        if rest.strip():
            yield rest

    async def close(self) -> None:
        """Let go of the connection."""
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _given_up(self, fault: Fault, attempts: int) -> Reply:
        reason = fault.reason
        if fault.wait is not None and fault.wait > self.options.max_wait:
            reason += f" (asked to wait {fault.wait:,.0f} s, more than {self.options.max_wait:g})"
        if attempts > 1:
            reason += f" (after {attempts} attempts)"
        return Reply(
            reason=self.keyless(reason),
            stop=fault.stop,
            request_id=self.keyless(fault.request_id),
            attempts=attempts,
            unsure=fault.unsure,
        )

    def keyless(self, reason: str) -> str:
        """What the other side said, without our key: a reason is stored, and the store is handed on."""
        client = self._client
        for key in (client.api_key, client.auth_token) if client is not None else ():
            if key and len(key) >= _SHORTEST_KEY:
                reason = reason.replace(key, "[masked key]")
        return reason

    async def _attempt(self, call: Open, parse: Parse, end: float) -> Reply | Fault:
        import httpx2  # the HTTP library of the SDK: while a body streams in, its errors come unwrapped

        try:
            client = self.opened()
        except Broken as error:
            return Fault(str(error), stop=True)
        limit = max(0.1, min(self.options.timeout, end - self.clock()))
        try:
            # The body of an error may come as long again after its status, which still counts.
            async with asyncio.timeout(2 * limit + 1), call(client, limit) as response:
                stop_at = self.clock() + limit
                data = bytearray()
                async for piece in response.iter_bytes():
                    data += piece
                    if len(data) > MAX_BYTES:
                        return Reply(reason=f"an answer of more than {MAX_BYTES:,} bytes", malformed=True)
                    if self.clock() > stop_at:
                        return Fault("the answer did not end in time", again=True, slow=True, unsure=True)
                return parse(bytes(data), response.headers)
        except self._sdk.AnthropicError as error:
            return of_status(self._sdk, error) or Fault(type(error).__name__)
        except httpx2.DecodingError:
            return Reply(reason="the answer cannot be unpacked", malformed=True)
        except (httpx2.TimeoutException, TimeoutError):
            return Fault("no answer in time", again=True, slow=True, unsure=True)
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL) as error:
            return Fault(f"no connection ({type(error).__name__})", again=True, unsure=True)
        except UnicodeEncodeError:
            return Fault("the API key (or a header) holds signs that cannot be sent", stop=True)
        except TypeError as error:  # the SDK's way to say that it found no credentials
            if "authentication" not in str(error):
                raise
            return Fault(NO_KEY, stop=True)

    def opened(self) -> anthropic.AsyncAnthropic:
        """The SDK's client, made at the first use; `Broken` if its credentials cannot be read."""
        if self._client is not None:
            return self._client
        import anthropic

        from reviewer.suggest.claude.bounds import CODING, bounding

        self._sdk = anthropic
        # No redirects: the trace goes where the user agreed to send it, and nowhere else. A proxy of the
        # environment is not asked for this machine itself.
        http = anthropic.DefaultAsyncHttpxClient(
            trust_env=not self.options.loopback,
            follow_redirects=False,
            headers={"accept-encoding": CODING},
            event_hooks={"response": [bounding(self.clock, self.options.timeout)]},
        )
        try:
            client = anthropic.AsyncAnthropic(
                base_url=self.options.endpoint, max_retries=0, http_client=http, open_telemetry=False
            )
            if self.options.loopback and not (client.api_key or client.auth_token or client.credentials):
                client = client.with_options(api_key="none")  # local servers want no key, the SDK wants one
        except (anthropic.AnthropicError, ValueError) as error:
            raise Broken(f"the credentials cannot be used: {told(error)}") from None
        self._client = client
        return client


class Broken(Exception):
    """What cannot be had from the other side, and why; never leaves this package."""


def parsed(data: bytes, headers: Mapping[str, str]) -> Reply | Fault:
    """The message in the bytes of an answer with status 200, or what is wrong with it."""
    request_id = told(headers.get("request-id"))
    kind = told(headers.get("content-type")) or "no content type"
    if kind.startswith("text/event-stream"):
        overloaded = b"overloaded_error" in data or b"rate_limit_error" in data
        reason = (
            "the server is overloaded, it says inside a stream" if overloaded else "a stream, not a message"
        )
        return Fault(reason, again=True) if overloaded else Reply(reason=reason, malformed=True)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return Reply(reason=f"the answer is no JSON ({kind})", malformed=True, request_id=request_id)
    return message_in(value, request_id)


def message_in(value: Json, request_id: str = "") -> Reply | Fault:
    """The message that a value is, or what is wrong with it."""
    if not isinstance(value, dict) or (value.get("type") != "error" and "content" not in value):
        return Reply(reason="the answer is no message", malformed=True, request_id=request_id)
    if value.get("type") == "error":
        error = value.get("error")
        said = told(error.get("message") if isinstance(error, dict) else "")
        return Fault(f"an error inside a 200: {said}", again=True, request_id=request_id)
    return Reply(value, request_id=request_id)
