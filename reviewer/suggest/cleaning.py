"""Makes the texts of a trace fit to be sent: secrets masked, encoded data replaced by its size, no controls.

Remembers what was taken out, so that it can be counted and shown. Knows no budget but how much of a huge
text is worth looking at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from reviewer.redact import BASE64, BEGINNING, HIDDEN, LITERALS, WORDS, encoded_in, names_in, redact
from reviewer.suggest.sifting import Sieve, Telltale
from reviewer.trace import Trace

FLOOR = 120  # characters; below this a head and a tail say less than one line
_MARGIN = 21_000  # characters; longer than any secret that `redact` knows, a private key of any size

# Encoded data: one long run without a blank, or several full lines of it.
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{240,}={0,2}")
_WRAPPED = re.compile(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{60,100}\r?\n){3,}[A-Za-z0-9+/]{0,100}={0,2}")
_UNBROKEN = 90  # half of what either of them has at least
_CONTROLS = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A, 0x0D)}
_CONTROLS |= dict.fromkeys((*range(0x80, 0xA0), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "\ufffd")
_CONTROLS[0x7F] = "␡"
_PICTURES = {ord(sign): chr(code) for code, sign in _CONTROLS.items() if sign != "\ufffd"}
_KNOWN, _MANY = frozenset(LITERALS), 100
_SECRETS, _NAMES = Telltale(LITERALS, finds=encoded_in), Telltale(WORDS, any_case=True)
_UNCLEAN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def restored(quote: str) -> str:
    """A quote with the control characters back that `Cleaner` shows as pictures."""
    return quote.translate(_PICTURES)


class Cleaner:
    """Makes a text fit to be sent, and remembers what was taken out of it.

    Only the two ends of a huge text are looked at, and a margin beyond each, which is cut off once secrets
    are masked: so that no half of a secret, and no secret without the name before it, stands at the cut.
    """

    def __init__(self, window: int, personal: bool, texts: Sequence[str] = ()) -> None:
        """`texts`: many of those to come, looked through once for those that are fit as they are."""
        self.masked: Counter[str] = Counter()
        self.blobs = self.cut = 0
        self._window, self._personal = window, personal
        self._fit, self._rest, self._holding = _sorted(() if personal else texts)

    def __call__(self, text: str) -> str:
        if len(text) <= 2 * (self._window + _MARGIN):
            return text if text in self._fit else self._cleaned(text)
        reach = self._window + _MARGIN
        head, tail = self._cleaned(text[:reach]), self._cleaned(text[-reach:])
        # What was masked or replaced has made the ends shorter, and some margin must go all the same.
        keep = [min(self._window, max(0, len(end) - _MARGIN // 10)) for end in (head, tail)]
        begun, ended = head[: keep[0]].rsplit(None, 1), tail[len(tail) - keep[1] :].split(None, 1)
        head, tail = begun[0] if begun else "", ended[-1] if ended else ""
        left = len(text) - len(head) - len(tail)
        self.cut += left
        return f"{head}\n[… {left:,} characters left out …]\n{tail}"

    def _cleaned(self, text: str) -> str:
        if not text:
            return text
        done = redact(text, personal=self._personal, holding=self._holding if text in self._rest else None)
        self.masked.update(done.masked)
        text = _BLOB.sub(self._blob, done.text)
        if text.count("\n") >= 3:
            text = _WRAPPED.sub(self._blob, text)
        text = text.replace("\r\n", "\n")
        return _UNCLEAN.sub(lambda found: _CONTROLS[ord(found.group())], text)

    def _blob(self, found: re.Match[str]) -> str:
        self.blobs += 1
        return f"[{len(found.group()):,} characters of unbroken data]"


def _sorted(texts: Sequence[str]) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Those of the texts in which nothing can be masked or replaced; the others; the LITERALS they hold."""
    if not texts:
        return frozenset(), frozenset(), frozenset()
    sieve = Sieve(texts)
    holding = _SECRETS.among(sieve)
    encoded, holding = holding - _KNOWN, holding & _KNOWN
    held = sieve.holding((*holding, "\r\n")) | sieve.without_blank(_UNBROKEN)
    if encoded:
        holding |= {BASE64}
        held |= set(range(len(texts))) if len(encoded) > _MANY else sieve.holding(encoded)
    for name in names_in(sieve.whole, _NAMES.among(sieve)):
        held |= {sieve.at(name.start()), sieve.at(name.end())}
    for pattern in (_UNCLEAN, BEGINNING) if sieve.whole.isascii() else (_UNCLEAN, BEGINNING, HIDDEN):
        held |= {sieve.at(found.start()) for found in pattern.finditer(sieve.whole)}
    fit = frozenset(text for n, text in enumerate(texts) if n not in held)
    return fit, frozenset(texts) - fit, holding


def window(trace: Trace, budget: int) -> int:
    """How much of each end of a text to look at: well above what can be shown of it at this budget."""
    sizes = [len(text) for step in trace.steps for text in (step.message, step.reasoning)]
    sizes += [len(result.content) for step in trace.steps for result in step.results]
    low, high = FLOOR, budget
    if sum(sizes) <= budget:  # as most are
        low = budget
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if sum(min(size, middle) for size in sizes) <= budget else (low, middle - 1)
        )
    return max(4_000, min(budget // 2, 6 * low))
