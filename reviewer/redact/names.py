"""Masks the values of names that announce a secret: `API_KEY=…`, `"password": "…"`, `--token …`.

Source code must stay readable: what is an expression, a type or a word is no value. Not known here: a secret
beside a name that is in none of the tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from reviewer.redact.shapes import BREAK

# Names that announce a secret. A plural such as `max_tokens` does not.
_NAME = re.compile(
    r"passw(?:or)?d|passphrase|\bpwd\b|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key"
    r"|key-data|account[_-]?key|signing[_-]?key|encryption[_-]?key|credential|_PAT\b|_KEY\b|_PWD\b|_PASS\b",
    re.IGNORECASE,
)
# A colour code, as it is or as JSON spells it.
_INK = r"(?:(?:\x1b|\\{1,4}(?:u001b|x1b|033|e))\[[0-9;]{0,20}[mK]){0,4}"
# `"name": "DB_PASSWORD", "value": "…"`, as configurations of many services have it.
_BESIDE = rf"(?:[,\s]|{BREAK})\s{{0,12}}\\{{0,3}}[\"']?value\\{{0,3}}[\"']?\s{{0,2}}[:=]\s{{0,2}}"
# Between the name and its value: the rest of the name, quotes, and a sign or (for flags) a blank.
_GIVEN = re.compile(
    rf"(?P<rest>(?!s\b|ar[iy]|ion)[A-Za-z0-9_-]{{0,40}}){_INK}[\"'\\\]]{{0,4}}{_INK}"
    rf"(?P<sign>\s{{0,4}}(?:=>|:=|[=:])\s{{0,4}}|(?P<beside>{_BESIDE})|\s(?P<prose>(?:is|was)[:\s]\s{{0,2}})?){_INK}"
)
_QUOTED = re.compile(r"(?P<open>\\{0,3}[\"'`])(?P<value>[^\"'`\\\n]{4,20000})(?=\\{0,3}[\"'`]|\Z)")
_BARE = re.compile(r"[^\s\"'`,;(){}\[\]<>&|\\\x1b]{4,20000}")
# A text over several lines, as YAML has it.
_BLOCK = re.compile(
    rf"[|>][+-]?[ \t]{{0,4}}{BREAK}"
    rf"(?P<value>(?:[ \t]{{1,40}}[^\s\"'\\]{{8,4000}}(?:{BREAK}|\Z|(?=\\?[\"']))){{1,200}})"
)
_BEFORE = re.compile(r"[A-Za-z0-9_.-]{0,60}\Z")
# Values that are code or say nothing, not secrets.
_PLAIN = re.compile(
    r"(?:str|string|none|null|nil|true|false|int|bytes|any|text|bool|required|optional|undefined|self|os|env"
    r"|password|secret(?:str)?|token|hidden|redacted|changed?|incorrect|invalid|wrong|missing|expired|is|was|not|for|and"
    r"|the|your|must|has|from|with)\b[.,:]?\Z|[$%*.]|x{4,}\Z|https?:",
    re.IGNORECASE,
)
# The words of `_NAME`; each name holds one of them.
WORDS = ("pass", "pwd", "secret", "token", "key", "credential", "_pat")
_BACK, _ON = 11, 12  # how far a name reaches to either side of the beginning of its word


def by_name(text: str, counts: Counter[str]) -> str:
    """Masks the values of names such as `API_KEY`, `"password"`, `--token`."""
    out: list[str] = []
    done = 0
    for name in _names(text):
        if name.start() < done:
            continue
        span = _value(text, name)
        if span is not None:
            counts["value of a secret's name"] += 1
            out += (text[done : span[0]], "[masked value]")
            done = span[1]
    return "".join((*out, text[done:])) if out else text


def _names(text: str) -> Iterator[re.Match[str]]:
    """What `_NAME` finds in a text, looked for around its words only."""
    small = text.replace("\u0130", "I").lower()  # that capital becomes two letters
    places = sorted({place for word in WORDS if word in small for place in _places(small, word)})
    end = 0
    for place in places:
        name = _NAME.search(text, max(end, place - _BACK), place + _ON)
        if name is not None and name.start() <= place:  # what begins later has a place of its own
            end = name.end()
            yield name


def _places(text: str, word: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)


def _value(text: str, name: re.Match[str]) -> tuple[int, int] | None:
    """Where the secret that this name announces stands, if it announces one."""
    given = _GIVEN.match(text, name.end())
    if given is None or given["rest"].lower() in ("s", "izer", "ize", "ized"):
        return None
    before = _BEFORE.search(text[max(0, name.start() - 60) : name.start()])
    head = before.group() if before else ""
    if name.group().lower() == "pwd" and text[given.end() : given.end() + 2].lstrip("\"'")[:1] in ("/", "~"):
        return None  # the working folder
    flag, sign = head.startswith("--"), given["sign"].strip()
    if not sign and not flag:
        return None
    whole = head + name.group() + given["rest"]
    quoted = _QUOTED.match(text, given.end())
    if quoted is not None:
        value = quoted["value"]
        said = " " in value and not _made_up(whole, given["sign"], value)
        plain = said or _PLAIN.match(value) or not _looks_secret(whole, given["sign"], value, flag)
        return None if plain else quoted.span("value")
    block = _BLOCK.match(text, given.end())
    if block is not None:
        return block.span("value") if _looks_secret(whole, ":", block["value"], flag) else None
    bare = _BARE.match(text, given.end())
    if bare is None or _PLAIN.match(bare.group()) or text[bare.end() : bare.end() + 1] in ("(", "["):
        return None
    if given["prose"]:
        told = _word(whole) and any(map(str.isdigit, bare.group())) and any(map(str.isalpha, bare.group()))
        return bare.span() if told else None
    # Source code such as `token = next_token2` must stay readable.
    code = sign and not flag and (given["sign"] != sign or sign == "=") and whole.upper() != whole
    if code and not _word(whole):
        dense = len(bare.group()) >= 12 and "." not in bare.group()[:-1]
        return bare.span() if dense and sum(map(str.isdigit, bare.group())) >= 2 else None
    return bare.span() if _looks_secret(whole, given["sign"], bare.group(), flag) else None


def _made_up(name: str, sign: str, value: str) -> bool:
    """Whether a text with blanks is a secret all the same: of a setting, and like no sentence."""
    signs = sum(not (letter.isalnum() or letter in " .,") for letter in value)
    return sign.strip() == "=" and name.upper() == name and signs > 1 and any(map(str.isdigit, value))


def _word(name: str) -> bool:
    """Whether the name speaks of something that people make up, which need not look random."""
    return any(word in name.lower() for word in ("pass", "pwd", "secret"))


def _looks_secret(name: str, sign: str, value: str, flag: bool) -> bool:
    """Whether a value is a secret and not a word that only stands beside such a name."""
    if flag or (sign == "=" and name.upper() == name):
        return True  # --token abcd, API_KEY=abcd
    digits = sum(map(str.isdigit, value))
    if _word(name):
        return digits < len(value) if digits else len(value) >= 6
    return len(value) >= 20 or (len(value) >= 6 and 0 < digits < len(value))
