"""What each thing that goes wrong on the way means: try again, give up on the trace, or stop the run.

Decides from the SDK's exceptions; makes no request and waits for nothing, so that any client (one that
blocks or one that does not) can use it. The module `anthropic` is passed in: it costs seconds to import.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

from reviewer.redact import redact

_AGAIN = frozenset({408, 409, 429, 500, 502, 503, 504, 529})
# Something between us and the server may say this (a gateway that has waited too long), of a request that
# has arrived, as any 5xx may.
_UNSURE = frozenset({408, 409})
# Every other trace would meet the same: no key, no money, not allowed, no such model or address.
_STOP = {
    401: "the API key was refused (401): check ANTHROPIC_API_KEY; `--with rules` works without one",
    402: "the account cannot pay (402)",
    403: "the API key may not do this (403)",
    404: "there is no such model or address (404): check --model and --base-url",
}
NO_KEY = (
    "no API key: set ANTHROPIC_API_KEY (or name a local server with --base-url); "
    "`--with rules` works offline, without a key"
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One attempt that brought no message. `wait` is what the server asks for, in seconds."""

    reason: str
    again: bool = False
    stop: bool = False
    slow: bool = False  # it ran into the time limit: one more attempt is enough
    unsure: bool = False  # nobody knows whether the request arrived and was taken
    wait: float | None = None
    request_id: str = ""


def of_status(sdk: ModuleType, error: Exception) -> Fault | None:
    """The fault behind an exception of the SDK; None if it is none of its own."""
    if isinstance(error, sdk.APIStatusError):
        return _status(sdk, error)
    if isinstance(error, sdk.APITimeoutError):
        return Fault("no answer in time", again=True, slow=True, unsure=True)
    if isinstance(error, sdk.APIConnectionError):
        cause = error.__cause__ or error
        # The name only: the words of such an error may quote a header, and so the key.
        name = type(cause).__name__
        return Fault(f"no connection ({name})", again=True, unsure=not name.startswith("Connect"))
    if isinstance(error, sdk.CredentialsError):
        return Fault(f"the credentials cannot be used: {told(str(error))}", stop=True)
    if isinstance(error, sdk.AnthropicError):
        return Fault(told(f"{type(error).__name__}: {error}"))
    return None


def _status(sdk: ModuleType, error: Exception) -> Fault:
    status = int(getattr(error, "status_code", 0))
    response = getattr(error, "response", None)
    headers: Mapping[str, str] = response.headers if response is not None else {}
    said = told(getattr(error, "api_message", None)) or f"HTTP {status}"
    request_id = told(headers.get("request-id"))
    if isinstance(error, sdk.EnforcedSpendLimitReachedError):
        return Fault(f"the spend limit of the account is reached: {said}", stop=True, request_id=request_id)
    if status in _STOP:
        return Fault(f"{_STOP[status]}: {said}", stop=True, request_id=request_id)
    if 300 <= status < 400:
        return Fault(f"the server points elsewhere ({status}); nothing is sent there", request_id=request_id)
    again = status in _AGAIN or status >= 500
    wait = retry_after(headers) if again else None
    reason = f"{status}: {said}" if str(status) not in said else said
    unsure = status in _UNSURE or status >= 500
    return Fault(reason, again, unsure=unsure, wait=wait, request_id=request_id)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that the server asks to wait; None where it does not say, or says it as a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return None


def pause(fault: Fault, attempt: int, max_wait: float) -> float | None:
    """Seconds before attempt number `attempt` + 1; None if there should be none. Never above `max_wait`."""
    if not fault.again or (fault.slow and attempt > 1):
        return None
    if fault.wait is not None:
        return fault.wait if fault.wait <= max_wait else None
    return min(0.5 * 2.0 ** (attempt - 1), max_wait)


def told(text: object) -> str:
    """A few words of the other side, on one line, without secrets: they are stored and shown."""
    return redact(" ".join(str(text or "")[:1000].split())).text[:240]
