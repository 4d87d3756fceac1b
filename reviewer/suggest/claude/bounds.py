"""Bounds for the body of an answer that is an error: the SDK reads such a body whole, however long it takes.

What lies beyond a bound is not read; the status has come before it and still counts. The body is unpacked
here, since a few packed bytes may be gigabytes: gzip alone, which is all that the client asks for; what is
packed otherwise is not read. Imports the HTTP library of the SDK, so it is imported where the client is made.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import cast

import httpx2

MAX_ERROR_BYTES = 64_000  # over the wire, and unpacked; an honest error has a few hundred
CODING = "gzip"
_GZIP = 16 + zlib.MAX_WBITS


class Bounded(httpx2.AsyncByteStream):
    """A stream that ends after so many bytes, or at the first piece that comes too late; unpacked."""

    def __init__(self, stream: httpx2.AsyncByteStream, coding: str, late: Callable[[], bool]) -> None:
        self._stream = stream
        self._coding = coding
        self._late = late

    async def __aiter__(self) -> AsyncIterator[bytes]:
        if self._coding not in ("", CODING):
            return
        packed = zlib.decompressobj(_GZIP) if self._coding else None
        room = more = MAX_ERROR_BYTES
        async for piece in self._stream:
            try:
                plain = packed.decompress(piece, room) if packed else piece[:room]
            except zlib.error:
                return
            yield plain
            room, more = room - len(plain), more - len(piece)
            if min(room, more) <= 0 or self._late():
                return

    async def aclose(self) -> None:
        await self._stream.aclose()


def bounding(clock: Callable[[], float], limit: float) -> Callable[[httpx2.Response], Awaitable[None]]:
    """A hook for the client: puts the bounds on whatever is no answer, a redirect too.

    It has `limit` seconds from when it began to come.
    """

    async def hook(response: httpx2.Response) -> None:
        if not response.is_success:
            end = clock() + limit
            stream = cast(httpx2.AsyncByteStream, response.stream)
            coding = response.headers.pop("content-encoding", "").strip().lower()
            response.stream = Bounded(stream, coding, lambda: clock() > end)

    return hook
