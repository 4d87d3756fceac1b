"""Masks secrets in text by their shape and by the name beside them; on request personal data as well.

For everything that leaves the machine. Pure: no file, no network, no store. Every pattern is anchored
by a literal and bounded, so that the time grows with the length of the text and not faster. What no
pattern knows is not masked: this lowers the risk, it does not remove it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without the secrets that were found in it, and how many of each kind were."""

    text: str
    masked: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Shape:
    """How one kind of secret looks. Without one of `needs` in the text the pattern is not tried at all.

    A group named `keep` stays as it is.
    """

    kind: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]


# Where a word begins: after a sign that is none of a word, and also after an escape of JSON (`\n`) or of a
# URL (`%3D`) and after a colour code, whose last letter is no part of the word that it colours.
_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[bfnrtv0])|(?<=[\[;0-9][mK])|(?<=%[0-9A-Fa-f]{2}))"


def _shape(kind: str, needs: str, pattern: str, flags: int = 0) -> _Shape:
    """A `\\b` that begins the pattern means `_START`, looked at only where the next letters are right."""
    begins = re.match(r"(\(\?P<keep>)?\\b([A-Za-z]*)", pattern)
    if begins is not None:
        pattern = pattern.replace(r"\b", f"(?={begins[2]}){_START}", 1)
    return _Shape(kind, tuple(needs.split()), re.compile(pattern, flags))


# Shapes that providers document for their keys.
_SHAPES = (
    _shape(
        "private key",
        "-----BEGIN",
        r"-----BEGIN (?P<what>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
        r"(?:(?!-----).){0,20000}(?:-----END (?P=what)-----)?",
        re.DOTALL,
    ),
    _shape("api key", "sk-", r"\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,400}"),
    _shape("api key", "sk_ rk_ pk_ whsec_", r"\b(?:sk|rk|pk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{20,250}"),
    _shape("api key", "AKIA ASIA AROA AIDA", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    _shape("api key", "AIza", r"\bAIza[A-Za-z0-9_-]{35}"),
    _shape(
        "api key",
        "gsk_ xai- r8_ pplx- nvapi- tvly- fw_ csk-",
        r"\b(?:gsk_|xai-|r8_|pplx-|nvapi-|tvly-|fw_|csk-)[A-Za-z0-9_-]{20,250}",
    ),
    _shape("api key", "SG.", r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    _shape("token", "ghp_ gho_ ghu_ ghs_ ghr_", r"\bgh[pousr]_[A-Za-z0-9]{20,255}"),
    _shape("token", "github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{20,255}"),
    _shape("token", "glp gldt- glrt- glcbt-", r"\bgl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_.-]{16,255}"),
    _shape("token", "hf_", r"\bhf_[A-Za-z0-9]{20,100}"),
    _shape("token", "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}"),
    _shape("token", "xapp-", r"\bxapp-[A-Za-z0-9-]{16,255}"),
    _shape("token", "npm_", r"\bnpm_[A-Za-z0-9]{30,60}"),
    _shape("token", "pypi-", r"\bpypi-[A-Za-z0-9_-]{40,400}"),
    _shape("token", "_v1_", r"\bdo[opr]_v1_[a-f0-9]{40,80}"),
    _shape("token", "ya29.", r"\bya29\.[A-Za-z0-9_-]{20,400}"),
    _shape(
        "token", "eyJ", r"\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{4,8000}(?:\.[A-Za-z0-9_-]{0,2000})?"
    ),
    _shape("token", ":AA", r"\b[0-9]{8,10}:AA[A-Za-z0-9_-]{32,40}"),
    _shape(
        "token",
        "hooks.slack.com",
        r"(?P<keep>hooks\.slack\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{16,200}",
    ),
    _shape(
        "password in a URL",
        "://",
        r"(?P<keep>://[^\s/:@\"'<>]{0,200}:)(?!\[masked)[^\s/@\"'<>]{1,300}(?=@)",
    ),
    _shape("token", "earer", r"(?P<keep>\b[Bb]earer\s{1,4})(?!\[masked)[A-Za-z0-9._~+/-]{12,4000}={0,2}"),
    _shape(
        "password",
        "Basic",
        r"(?P<keep>\b[Aa]uthorization[\"'\\]{0,4}\s{0,4}[:=]\s{0,4}[\"'\\]{0,4}Basic\s{1,4})"
        r"[A-Za-z0-9+/]{6,4000}={0,2}",
    ),
    _shape("private key", "AGE-SECRET-KEY-", r"\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}"),
    _shape(
        "password",
        "curl wget",
        r"(?P<keep>\b(?:curl|wget)\b[^\n|;]{0,300}?\s(?:-u|--user)[ =]?[\"'\\]{0,4}[^\s:\"'\\]{1,100}:)"
        r"(?!\[masked)[^\s\"'\\]{3,200}",
    ),
    _shape(
        "password",
        "login",
        r"(?P<keep>\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4})(?!\[masked)[^\s\"'\\]{3,200}",  # .netrc
    ),
    _shape(
        "cookie",
        "ookie",
        r"(?P<keep>\b(?:[Ss]et-)?[Cc]ookie:\s{0,2}[A-Za-z0-9_.-]{1,80}=)(?!\[masked)[^\r\n\"'\\]{6,4000}",
    ),
)

# Names that announce a secret. A plural such as `max_tokens` does not.
_NAME = re.compile(
    r"passw(?:or)?d|passphrase|\bpwd\b|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key"
    r"|account[_-]?key|signing[_-]?key|encryption[_-]?key|credential|_PAT\b|_KEY\b|_PWD\b|_PASS\b",
    re.IGNORECASE,
)
# A colour code, as it is or as JSON spells it.
_INK = r"(?:(?:\x1b|\\{1,4}(?:u001b|x1b|033|e))\[[0-9;]{0,20}[mK]){0,4}"
# Between the name and its value: the rest of the name, quotes, and a sign or (for flags) a blank.
_GIVEN = re.compile(
    rf"(?P<rest>(?!s\b)[A-Za-z0-9_-]{{0,40}}){_INK}[\"'\\\]]{{0,4}}{_INK}"
    rf"(?P<sign>\s{{0,4}}(?:=>|:=|[=:])\s{{0,4}}|\s){_INK}"
)
_QUOTED = re.compile(r"(?P<open>\\{0,3}[\"'`])(?P<value>[^\"'`\\\n]{4,1000})(?=\\{0,3}[\"'`])")
_BARE = re.compile(r"[^\s\"'`,;(){}\[\]<>&|\\\x1b]{4,300}")
_BEFORE = re.compile(r"[A-Za-z0-9_.-]{0,60}\Z")
# Values that are code or say nothing, not secrets.
_PLAIN = re.compile(
    r"(?:str|string|none|null|nil|true|false|int|bytes|any|text|bool|required|optional|undefined|self|os|env"
    r"|password|secret|token|hidden|redacted|changed?|incorrect|invalid|wrong|missing|expired|is|was|not|for|and"
    r"|the|your|must|has|from|with)\b[.,:]?\Z|[$%*.]|x{4,}\Z|https?:",
    re.IGNORECASE,
)
_PERSONAL = (
    _shape(
        "e-mail address",
        "@",
        r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}\.[A-Za-z]{2,24}\b(?!:\w)",
    ),
    _shape(
        "telephone number",
        "+",
        r"(?<![\w+])\+[1-9][0-9]{0,2}[ ./-]?(?:\(?[0-9]{1,5}\)?[ ./-]?){2,6}[0-9]{2,5}\b",
    ),
    _shape("telephone number", "- .", r"(?<![\w-])\(?[0-9]{3}\)?[ .-][0-9]{3}[.-][0-9]{4}\b(?!-)"),
    _shape(
        "home folder",
        "/home/ /Users/ \\Users\\",
        r"(?P<keep>(?:/home/|/Users/|\\Users\\))(?!\[masked)[^\s/\\:\"'<>]{1,64}",
    ),
)
# What a text holds in which anything may be masked, for a first look that costs next to nothing: one of
# these as it stands, or one of the words of `_NAME` in any case.
_NEEDED = tuple((need, n) for n, shape in enumerate(_SHAPES) for need in shape.needs)
LITERALS = tuple(dict.fromkeys(need for need, _ in _NEEDED))
WORDS = ("pass", "pwd", "secret", "token", "key", "credential", "_pat")
_BACK, _ON = 11, 12  # how far a name reaches to either side of the beginning of its word


def redact(text: str, *, personal: bool = False) -> Redacted:
    """`text` with every secret that is known replaced by `[masked KIND]`; with `personal`, people too."""
    counts: Counter[str] = Counter()
    for n in sorted({n for need, n in _NEEDED if need in text}):
        text = _without(_SHAPES[n], text, counts)
    text = _by_name(text, counts)
    if personal:
        for shape in _PERSONAL:
            if any(need in text for need in shape.needs):
                text = _without(shape, text, counts)
    return Redacted(text, dict(counts))


def _without(shape: _Shape, text: str, counts: Counter[str]) -> str:
    return shape.pattern.sub(_masking(shape.kind, counts), text)


def _masking(kind: str, counts: Counter[str]) -> Callable[[re.Match[str]], str]:
    def mask(found: re.Match[str]) -> str:
        counts[kind] += 1
        return f"{found.groupdict().get('keep') or ''}[masked {kind}]"

    return mask


def _by_name(text: str, counts: Counter[str]) -> str:
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
    flag, sign = head.startswith("--"), given["sign"].strip()
    if not sign and not flag:
        return None
    whole = head + name.group() + given["rest"]
    quoted = _QUOTED.match(text, given.end())
    if quoted is not None:
        value = quoted["value"]
        if " " in value or _PLAIN.match(value) or not _looks_secret(whole, given["sign"], value, flag):
            return None
        return quoted.span("value")
    bare = _BARE.match(text, given.end())
    if bare is None or _PLAIN.match(bare.group()) or text[bare.end() : bare.end() + 1] in ("(", "["):
        return None
    # Source code such as `token = next_token2` must stay readable.
    code = sign and not flag and (given["sign"] != sign or sign == "=") and whole.upper() != whole
    if code and not _word(whole):
        dense = len(bare.group()) >= 12 and "." not in bare.group()[:-1]
        return bare.span() if dense and sum(map(str.isdigit, bare.group())) >= 2 else None
    return bare.span() if _looks_secret(whole, given["sign"], bare.group(), flag) else None


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
