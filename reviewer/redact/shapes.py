"""How secrets look that are known by what stands around them, and personal data; how that is written down.

Every pattern is anchored by a literal and bounded, so that the time grows with the length of the text and not
faster. Not known here: a secret that looks like any other word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """How one kind of secret looks. Without one of `needs` in the text the pattern is not tried at all.

    A group named `keep` stays as it is.
    """

    kind: str
    needs: tuple[str, ...]
    pattern: re.Pattern[str]


# Where a word begins: after a sign that is none of a word, an underscore (`tool_ghp_…`), an escape of JSON
# (`\n`) or of a URL (`%3D`), and a colour code, whose last letter is no part of the word that it colours.
_BEFORE = (
    *(r"(?<![A-Za-z0-9]{})", r"(?<=\\[bfnrtv0]{})"),
    *(r"(?<=[\[;0-9][mK]{})", r"(?<=%[0-9A-Fa-f][0-9A-Fa-f]{})"),
)


def begins(word: str = "") -> str:
    """The word, where it begins as one. It comes first, and is looked at from behind: so it is found fast."""
    return f"{word}(?:{'|'.join(before.format(word) for before in _BEFORE)})"


START = begins()


def shape(kind: str, needs: str | tuple[str, ...], pattern: str, flags: int = 0) -> Shape:
    """`needs`: words, or texts that may have blanks in them.

    A `\\b` that begins the pattern means `START`, looked at only where the letters after it are right.
    """
    first = re.match(r"(\(\?P<keep>)?\\b([A-Za-z]*)(?![?*{])", pattern)
    if first is not None:
        pattern = f"{first[1] or ''}{begins(first[2])}{pattern[first.end() :]}"
    return Shape(kind, tuple(needs.split()) if isinstance(needs, str) else needs, re.compile(pattern, flags))


# Where a line ends: as it is, as JSON spells it, and from one text of a list to the next.
BREAK = r"(?:\r?\n|\\{1,32}n|\\{0,31}[\"'],\s{0,12}\\{0,31}[\"'])"
_NEXT = r"(?:\s|\\{1,4}[nt]){1,4}"
# Elements of XML whose text is a secret.
_TAGS = "secret|token|private_?key|api_?key|access_?key|secret_?key|access_?token|client_?secret"

PEM = shape(
    "private key",
    "-----BEGIN",
    r"-----BEGIN (?P<what>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)-----"
    r"(?:(?!-----).){0,20000}(?:-----END (?P=what)-----)?",
    re.DOTALL,
)

SHAPES = (
    shape(
        "token",
        "hooks.slack.com",
        r"(?P<keep>hooks\.slack\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{16,200}",
    ),
    shape("token", "office.com/webhook", r"(?P<keep>office\.com/webhook(?:b2)?/)[A-Za-z0-9@/_-]{16,400}"),
    shape(
        "password in a URL",
        "://",
        r"(?P<keep>://[^\s/:@\"'<>]{0,200}:)(?!\[masked)[^\s/@\"'<>]{1,300}(?:@[^\s/@\"'<>,;]{1,100}){0,3}(?=@)",
    ),
    shape("token", "earer", r"(?P<keep>\b[Bb]earer\s{1,4})(?!\[masked)[A-Za-z0-9._~+/-]{12,4000}={0,2}"),
    shape(
        "credentials",
        "uthorization UTHORIZATION",
        r"(?P<keep>\b[Aa](?:uthorization|UTHORIZATION)[\"'\\]{0,34}"
        r"\s{0,4}(?:[:=]|,(?=\s{0,4}b?\\{0,31}[\"'])|,\s{0,12}\\{0,31}[\"']value\\{0,31}[\"']\s{0,2}:)"
        r"\s{0,4}b?[\"'\\]{0,34}"
        r"(?:[Bb]asic\s{1,4}(?=[A-Za-z0-9+/]{6})|(?:[A-Za-z0-9-]{3,20}\s{1,4})?(?=[^\r\n\"'\\]{0,40}[0-9])(?=\S{8})))"
        r"(?!\[masked|[A-Za-z0-9-]{3,20}\s{1,4}\[masked)[A-Za-z0-9+/._~-]{4,4000}={0,2}",
    ),
    shape(
        "signature",
        "ignature= ecurity-Token= sig= response=",
        r"(?P<keep>(?:[Ss]ignature|Security-Token|(?<=[?&;])sig|(?<=[\s,])response)=[\"'\\]{0,34})"
        r"(?=[^\s&\"'\\]{0,40}[0-9])[A-Za-z0-9%+/_=-]{16,4000}",
    ),
    shape(
        "password",
        ('auth"', "auth'", "auth\\"),
        r"(?P<keep>\\{0,31}[\"']_?auth\\{0,31}[\"']\s{0,4}:\s{0,4}\\{0,31}[\"'])(?=[A-Za-z+/]{0,60}[0-9])"
        r"[A-Za-z0-9+/]{12,4000}={0,2}(?=\\{0,31}[\"'])",
    ),
    shape(
        "cookie",
        "SESSID= SESSIONID= connect.sid= _session=",
        r"(?P<keep>\b(?:PHPSESSID=|JSESSIONID=|ASPSESSIONID[A-Z]{0,8}=|connect\.sid=|[a-z]{1,20}_session=(?=\S{24})))"
        r"(?!\[masked)(?=[A-Za-z%._-]{0,60}[0-9])[A-Za-z0-9%._+/=-]{8,4000}",
    ),
    shape(
        "cookie",
        "document.cookie cookies={",
        r"(?P<keep>(?:\bdocument\.cookie\s?=\s?\\{0,31}[\"'][\w.-]{1,60}=|\bcookies\s?=\s?\{\\{0,31}[\"'][\w.-]{1,60}"
        r"\\{0,31}[\"']:\s?\\{0,31}[\"']))(?!\[masked)(?=[A-Za-z_-]{0,60}[0-9])[^\s;\"'\\]{8,4000}",
    ),
    shape(
        "cookie",
        "Netscape HttpOnly_",  # a jar as Netscape kept it
        r"(?P<keep>\t(?:TRUE|FALSE)\t/[^\t\n]{0,100}\t(?:TRUE|FALSE)\t[0-9]{1,12}\t[^\t\n]{1,100}\t)[^\s]{6,4000}",
    ),
    shape(
        "password",
        "auth=( BasicAuth( DigestAuth(",
        r"(?P<keep>(?:auth=|(?:Basic|Digest)Auth)\(\s?\\{0,31}[\"'][^\"'\\\n]{1,100}\\{0,31}[\"'],\s?"
        r"\\{0,31}[\"'])(?!\[masked)[^\s\"'\\]{4,400}(?=\\{0,31}[\"'])",
    ),
    shape("private key", "AGE-SECRET-KEY-", r"\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}"),
    shape(
        "password",
        "login",
        rf"(?P<keep>\blogin{_NEXT}[^\s\\]{{1,100}}{_NEXT}(?:account{_NEXT}[^\s\\]{{1,100}}{_NEXT})?password{_NEXT})"
        r"(?!\[masked)[^\s\"'\\]{3,200}",  # .netrc
    ),
    shape(
        "cookie",
        "ookie",
        r"(?P<keep>ookie(?<=[Cc]ookie)[\"'\\]{0,34}\s{0,2}:\s{0,2}[\"'\\]{0,34}[A-Za-z0-9_.-]{1,80}=)"
        r"(?!\[masked)[^\r\n\"'\\]{6,4000}",
    ),
    shape(
        "password",
        "</",
        rf"(?P<keep><(?:\w{{1,20}}:)?(?:passw(?:or)?d|passphrase|(?:{_TAGS})(?=[^<>]{{0,200}}>[^<\s]{{0,100}}[0-9]))"
        r"(?:\s[^<>]{0,200})?>)"
        r"(?!\[masked)[^<\s]{4,400}(?=</)",
        re.IGNORECASE,
    ),
    shape("token", "api/webhooks/", r"(?P<keep>api/webhooks/[0-9]{10,25}/)[A-Za-z0-9_-]{20,200}"),
    shape(
        "token",
        "?key= &key= ?appid= &appid= ?code= &code= ?auth= &auth=",
        r"(?P<keep>[?&](?:key|appid|code|auth(?=\S{12}))=)(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{16,200}={0,2}",
    ),
    shape("token", "://", r"(?P<keep>://)(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,250}(?=@)"),
    shape(
        "private key",
        "Private-Lines:",
        rf"(?P<keep>Private-Lines: [0-9]{{1,4}}{BREAK})(?:[A-Za-z0-9+/=]{{1,100}}(?:{BREAK}|\s|\Z)){{1,200}}",
    ),
    shape("private key", "Private-MAC:", r"(?P<keep>Private-MAC: )[A-Za-z0-9]{16,200}"),
)

# The one shape without a literal: the number of a bot in base 64, which begins like no word.
BOT = shape(
    "token",
    "",
    r"[MNO](?<![A-Za-z0-9_-][MNO])[DTjz][AEIMQUYcgk][wxyz0-5][A-Za-z0-9_-]{19,26}"
    r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])",
)

PERSONAL = (
    shape(
        "e-mail address",
        "@",
        r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}\.[A-Za-z]{2,24}\b(?!:\w)",
    ),
    shape(
        "telephone number",
        "+",
        r"\+(?<![\w+]\+)[1-9][0-9]{0,2}[ ./-]?(?:\(?[0-9]{1,5}\)?[ ./-]?){2,6}[0-9]{2,5}\b",
    ),
    shape(
        "telephone number",
        "- .",  # with the first sign first, so that the search goes over what cannot begin one
        r"[(0-9](?<![\w-][(0-9])(?:(?<=\()[0-9]{3}|(?<!\()[0-9]{2})\)?[ .-][0-9]{3}[.-][0-9]{4}\b(?!-)",
    ),
    shape(
        "home folder",
        "/home/ /Users/ \\Users\\",
        r"(?P<keep>(?:/home/|/Users/|\\Users\\))(?!\[masked)[^\s/\\:\"'<>]{1,64}",
    ),
)
