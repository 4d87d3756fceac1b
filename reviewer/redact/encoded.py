"""Secrets in base 64: text that is encoded once, in which something would be masked if it were not.

Pure. Looked for by how the words that announce secrets begin in base 64, at each of its three places. Not
known here: other ways to encode, what is packed before, what is encoded twice, and a password that stands
alone: decoded it is a word like any other.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable, Collection, Iterator

_NAMED = (*("password", "PASSWORD", "secret", "SECRET", "_TOKEN", "api_key", "API_KEY", "-----BEGIN"),)
_BEGINS = ("sk-ant-", "sk-proj-", "ghp_", "github_pat_", "glpat-", "AKIA", "xoxb-")
_RUN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-")
_LONGEST = 40_000


def _spelled(word: str) -> Iterator[str]:
    """How a word stands in base 64, by how many letters are before it; without what depends on others."""
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + word.encode()).decode().rstrip("=")
        first = (0, 2, 3)[before]
        last = (before + len(word)) * 8 // 6
        yield whole[first:last]


# What a text holds in which a secret may be encoded.
NEEDS = tuple(
    dict.fromkeys([*(s for word in _NAMED for s in _spelled(word)), *(next(_spelled(w)) for w in _BEGINS)])
)
_NEEDS = frozenset(NEEDS)


def without_encoded(
    text: str,
    counts: Counter[str],
    secret: Callable[[str], bool],
    holding: Collection[str] | None = None,
) -> str:
    """Masks each run of base 64 that says what is `secret`; `holding`: those of NEEDS that can be there."""
    needs = NEEDS if holding is None else _NEEDS.intersection(holding)
    places = sorted({place for need in needs if need in text for place in _places(text, need)})
    out: list[str] = []
    done = looked = 0
    for place in places:
        if place < looked:
            continue
        begin, end = place, place
        while begin > looked and text[begin - 1] in _RUN and place - begin < _LONGEST:
            begin -= 1
        while end < len(text) and text[end] in _RUN and end - place < _LONGEST:
            end += 1
        looked = end
        if secret(_decoded(text[begin:end])):
            padding = text[end : end + 2]
            end += len(padding) - len(padding.lstrip("="))
            counts["encoded secret"] += 1
            out += [text[done:begin], "[masked encoded secret]"]
            done = end
    return "".join((*out, text[done:])) if out else text


def _places(text: str, need: str) -> Iterator[int]:
    place = text.find(need)
    while place >= 0:
        yield place
        place = text.find(need, place + 1)


def _decoded(run: str) -> str:
    """The text that a run of base 64 stands for; empty where it is none."""
    plain = run.replace("-", "+").replace("_", "/")
    data = base64.b64decode(plain[: len(plain) // 4 * 4] + _rest(plain))
    said = data.decode("utf-8", "replace")
    odd = sum(sign == "\ufffd" or (sign < " " and sign not in "\t\r\n") for sign in said)
    return said if odd * 4 <= len(said) else ""


def _rest(plain: str) -> str:
    left = plain[len(plain) // 4 * 4 :]
    return left + "=" * (4 - len(left)) if len(left) > 1 else ""
