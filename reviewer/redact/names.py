"""Masks the values of names that announce a secret: `API_KEY=…`, `"password": "…"`, `--token …`.

Source code must stay readable: what is an expression, a type or a word is no value. Not known here: a secret
beside a name that is in none of the tables, such as the id of a session or `export X=…`; a text with blanks
beside a name in YAML or code (`password: "Tulips in may"`), which may be a sentence; `api_key: x` of under
twelve letters where the value stands without quotes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from reviewer.redact.looks import (
    OWN,
    PLAIN,
    ends_own,
    holds_own,
    looks_random,
    looks_secret,
    made_by_people,
    made_up,
    says,
    setting,
)
from reviewer.redact.shapes import BREAK

# Names that announce a secret. A plural such as `max_tokens` does not.
_NAME = re.compile(
    rf"{OWN}|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|app(?:lication)?[_-]?key"
    r"|\bjwt\b|\bbearer\b|\bpw\b|(?<=[\"'])pass(?=\\{0,31}[\"'])|SSHPASS\b"
    r"|ription[_-]?key|functions[_-]?key|shared[_-]?key|key-data|account[_-]?key|signing[_-]?key|encryption[_-]?key|credential|_PAT\b|_KEY\b|_PWD\b|_PASS\b",
    re.IGNORECASE,
)
# A colour code, as it is or as JSON spells it.
_INK = r"(?:(?:\x1b|\\{1,4}(?:u001b|x1b|033|e))\[[0-9;]{0,20}[mK]){0,4}"
# A quote: as it is, as JSON spells it within itself, as HTML and JSON spell it by its number or name.
_MARK = r"(?:\\{0,31}[\"']|&(?:quot|apos|#3[49]|#x2[27]);|\\{1,16}u002[27])"
# `"name": "DB_PASSWORD", "value": "…"`, as configurations of many services have it, and a variable's default.
_BESIDE = (
    rf"(?:[,\s]|{BREAK})\s{{0,12}}{_MARK}?value{_MARK}?\s{{0,2}}[:=]\s{{0,2}}"
    r"|\s{0,2}\{[^{}]{0,200}?\bdefault\s{0,12}=\s{0,2}"
)
# Between the name and its value: the rest of the name, quotes, and a sign, or a comma between two texts, or
# the line of a table, or (for flags and settings) a blank.
_GIVEN = re.compile(
    rf"(?P<rest>(?!s\b|ar[iy]|ion)[A-Za-z0-9_-]{{0,40}}){_INK}"
    rf"(?P<close>(?:{_MARK}|[\\\]`]|\*\*){{0,3}}){_INK}"
    rf"(?P<sign>\s{{0,4}}(?:=>|:=|[=:：＝]|%3[ADad]|\\{{1,16}}u003[ad])(?:\*\*)?\s{{0,4}}(?:\{{\s{{0,4}}{_MARK}value{_MARK}\s{{0,2}}:\s{{0,2}})?"
    rf"|(?P<beside>{_BESIDE})|(?P<listed>,\s{{0,12}}(?={_MARK}(?!\s{{0,12}}value\b)))"
    r"|(?P<column>[ \t]{0,40}\|[ \t]{0,12}|[ \t]{2,40}|\t)"
    rf"|\s(?P<prose>(?:is|was|ist|lautet|est|es)[:\s]\s{{0,2}})?){_INK}"
)
_QUOTED = re.compile(
    rf"(?P<open>{_MARK}|\\{{0,31}}`)(?P<value>(?:[^\"'`\\\n&]|&(?!(?:quot|apos|#3[49]|#x2[27]);)){{4,20000}})"
    rf"(?={_MARK}|\\{{0,31}}`|\Z)"
)
_TEXT = re.compile(r"\"(?P<value>(?:[^\"\\\n]|\\[^\n]){4,20000})(?=\")")  # of JSON, with what it escapes
_INNER = re.compile(  # the same in a string in a string
    r"(?P<deep>\\{1,31})\"(?P<value>(?:[^\"\\\n]|\\+[^\"\\\n]|(?!(?P=deep)\")\\+\"){4,20000})(?=(?P=deep)\")"
)
_LIST = re.compile(rf"\[\s{{0,12}}{_MARK}(?P<value>[^\[\]{{}}\n]{{4,4000}}){_MARK}\s{{0,12}}\]")
_BARE = re.compile(r"[^\s\"'`,;(){}\[\]<>&|\\\x1b]{4,20000}")
# A text over several lines, as YAML has it.
_BLOCK = re.compile(
    rf"[|>][+-]?[ \t]{{0,4}}{BREAK}"
    rf"(?P<value>(?:[ \t]{{1,40}}[^\s\"'\\]{{8,4000}}(?:{BREAK}|\Z|(?=\\?[\"']))){{1,200}})"
)
_BEFORE = re.compile(r"[A-Za-z0-9_.-]{0,60}\Z")
_SETTING = re.compile(r"\b(?:setenv|set\s{1,4}-\w{1,4}|ENV)\s{1,4}\Z")
_ENVIRONMENT = re.compile(r"(?:\$env:|environ\[\\{0,31}[\"'])\Z", re.IGNORECASE)
# The words of `_NAME`; each name holds one of them.
WORDS = (
    *("pass", "pwd", "secret", "token", "key", "credential", "_pat", "kennwort", "contrase", "senha"),
    *("jwt", "bearer", "pw"),
    *("wachtwoord", "lösenord", "пароль", "密码", "密碼", "パスワード", "비밀번호"),
)
_BACK, _ON = 12, 12  # how far a name reaches to either side of the beginning of its word


def by_name(text: str, seen: str, names: Iterable[re.Match[str]], counts: Counter[str]) -> str:
    """Masks the values of names such as `API_KEY`, `"password"`, `--token`.

    `seen` is the text as it is looked at, letter by letter: one may stand for another there. `names` are
    those in it.
    """
    out: list[str] = []
    done = 0
    for name in names:
        if name.start() < done:
            continue
        given = _GIVEN.match(seen, name.end())
        if given is None or given["rest"].lower() in ("s", "izer", "ize", "ized", "-stdin"):
            continue
        found = _Name(seen, name, given).value()
        if found is not None:
            counts["value of a secret's name"] += 1
            out += (text[done : found[0]], found[2])
            done = found[1]
    return "".join((*out, text[done:])) if out else text


def names_in(text: str, words: Collection[str] = WORDS) -> Iterator[re.Match[str]]:
    """What `_NAME` finds in a text, looked for around its words only: those of WORDS that may be in it."""
    small = text.replace("\u0130", "I").lower()  # that capital becomes two letters
    places = sorted({place for word in words if word in small for place in _places(small, word)})
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


class _Name:
    """A name in a text, with what stands between it and its value."""

    def __init__(self, text: str, name: re.Match[str], given: re.Match[str]) -> None:
        before = _BEFORE.search(text[max(0, name.start() - 60) : name.start()])
        head = before.group() if before else ""
        self._text, self._given, self._at = text, given, given.end()
        self._word, self._begin = name.group(), name.start() - len(head)
        self._flag, self._dash = head.startswith("--"), head == "-"
        self._whole = head + self._word + given["rest"]
        self._sign = given["sign"].strip()

    def value(self) -> tuple[int, int, str] | None:
        """Where the secret that this name announces stands, if it announces one, and what replaces it."""
        given = self._given
        if self._word.lower() == "pwd" and self._text[self._at : self._at + 2].lstrip("\"'")[:1] in (
            "/",
            "~",
        ):
            return None  # the working folder
        if given["listed"]:
            span = self._listed()
        elif not self._flag and (given["column"] or not self._sign):
            span = self._apart()
        else:
            span = self._given_value()
        if span is not None:
            return *span, "[masked value]"
        return self._number() if self._sign and ends_own(self._whole) else None

    @property
    def _keyed(self) -> bool:
        """Whether the name is a key of JSON or the like: in quotes, before a colon."""
        quoted = self._given["close"][-1:] in ('"', "'") and self._text[: self._begin][-1:] in ('"', "'")
        return quoted and self._sign[:1] == ":"

    @property
    def _given_as(self) -> str:
        """The sign as it is; between a variable of the environment and its value blanks do not count."""
        set_here = _ENVIRONMENT.search(self._text[max(0, self._begin - 40) : self._begin])
        return self._sign if set_here else self._given["sign"]

    def _given_value(self) -> tuple[int, int] | None:
        """The value after a sign, or after a flag."""
        text, given, sign, whole = self._text, self._given, self._sign, self._whole
        own = self._keyed and holds_own(whole)
        json = (_TEXT.match(text, self._at) or _INNER.match(text, self._at)) if self._keyed else None
        quoted = json or _QUOTED.match(text, self._at)
        if quoted is not None:
            value = quoted["value"]
            own = own or self._flag
            said = " " in value and not made_up(whole, given["sign"], value) and not (own and not says(value))
            plain = said or PLAIN.match(value) or not looks_secret(whole, self._given_as, value, self._flag)
            return None if plain else quoted.span("value")
        several = _LIST.match(text, self._at) if own else None
        if several is not None:
            return None if PLAIN.match(several["value"]) or says(several["value"]) else several.span("value")
        block = _BLOCK.match(text, self._at)
        if block is not None:
            return block.span("value") if looks_secret(whole, ":", block["value"], self._flag) else None
        bare = self._bare()
        if bare is None:
            return None
        if given["prose"]:
            told = (
                holds_own(whole)
                and any(map(str.isdigit, bare.group()))
                and any(map(str.isalpha, bare.group()))
            )
            return bare.span() if told else None
        if self._word.lower() == "pw":  # it is short for other things too
            return bare.span() if made_by_people(bare.group()) else None
        # Source code such as `token = next_token2` must stay readable.
        code = sign and not self._flag and (given["sign"] != sign or sign == "=") and whole.upper() != whole
        if code and not holds_own(whole):
            dense = len(bare.group()) >= 12 and "." not in bare.group()[:-1]
            return bare.span() if dense and sum(map(str.isdigit, bare.group())) >= 2 else None
        return bare.span() if looks_secret(whole, given["sign"], bare.group(), self._flag) else None

    def _bare(self) -> re.Match[str] | None:
        """A value without quotes, unless it is code."""
        bare = _BARE.match(self._text, self._at)
        if bare is None or PLAIN.match(bare.group()) or self._text[bare.end() : bare.end() + 1] in ("(", "["):
            return None
        return bare

    def _listed(self) -> tuple[int, int] | None:
        """The text after the name in a list: `"--token", "…"`, or `("API_KEY", "…")`."""
        quoted = _QUOTED.match(self._text, self._at)
        if quoted is None or self._given["close"][-1:] not in ('"', "'"):
            return None
        value = quoted["value"]
        if PLAIN.match(value) or value.startswith("-") or " " in value:
            return None
        if self._flag:
            return quoted.span("value")
        named = value.upper() == value and "_" in value  # the next of some names
        digits = any(map(str.isdigit, value))
        secret = setting(self._whole) and digits and looks_secret(self._whole, ",", value, False)
        return quoted.span("value") if secret and not named else None

    def _apart(self) -> tuple[int, int] | None:
        """What stands behind a name with nothing but blanks, or the line of a table, between them."""
        text = self._text
        if self._given["prose"]:
            return self._given_value()
        quoted = _QUOTED.match(text, self._at)
        bare = self._bare() if quoted is None else None
        span = quoted.span("value") if quoted else bare.span() if bare else (0, 0)
        value = text[slice(*span)]
        if not value or PLAIN.match(value) or " " in value:
            return None
        if _SETTING.search(text[max(0, self._begin - 30) : self._begin]):
            return span
        marked = self._dash or (quoted and quoted["open"][-1:] == "`")  # `-password x`, "password `x`"
        if marked and ends_own(self._whole) and made_by_people(value):
            return span
        least = 8 if self._given["column"] else 12
        told = setting(self._whole) or (not self._given["column"] and ends_own(self._whole))
        return span if told and looks_random(value, least) else None

    def _number(self) -> tuple[int, int, str] | None:
        """A password that is a number: in JSON a text stands for it, so that JSON stays JSON."""
        bare = _BARE.match(self._text, self._at)
        if bare is None or not re.fullmatch("[0-9]{4,40}" if self._keyed else "[0-9]{6,40}", bare.group()):
            return None
        mark = self._given["close"].rpartition("]")[2] if self._keyed else ""
        return *bare.span(), f"{mark}[masked value]{mark}"
