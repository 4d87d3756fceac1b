"""How secrets look that are known by their shape, and personal data. Data only, and how it is written down.

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
_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[bfnrtv0])|(?<=[\[;0-9][mK])|(?<=%[0-9A-Fa-f]{2}))"


def shape(kind: str, needs: str | tuple[str, ...], pattern: str, flags: int = 0) -> Shape:
    """`needs`: words, or texts that may have blanks in them.

    A `\\b` that begins the pattern means `_START`, looked at only where the next letters are right.
    """
    begins = re.match(r"(\(\?P<keep>)?\\b([A-Za-z]*)", pattern)
    if begins is not None:
        pattern = pattern.replace(r"\b", f"(?={begins[2]}){_START}", 1)
    return Shape(kind, tuple(needs.split()) if isinstance(needs, str) else needs, re.compile(pattern, flags))


# Where a line ends: as it is, as JSON spells it, and from one text of a list to the next.
BREAK = r"(?:\r?\n|\\{1,4}n|\\{0,3}[\"'],\s{0,12}\\{0,3}[\"'])"
# Elements of XML whose text is a secret.
_TAGS = "secret|token|api_?key|access_?key|secret_?key|access_?token|client_?secret"

# Shapes that providers document for their keys.
SHAPES = (
    shape(
        "private key",
        "-----BEGIN",
        r"-----BEGIN (?P<what>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
        r"(?:(?!-----).){0,20000}(?:-----END (?P=what)-----)?",
        re.DOTALL,
    ),
    shape("api key", "sk-", r"\bsk-(?:ant-|proj-|or-|svcacct-)?[A-Za-z0-9_-]{16,400}"),
    shape("api key", "sk_ rk_ pk_ whsec_", r"\b(?:sk|rk|pk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{20,250}"),
    shape("api key", "AKIA ASIA AROA AIDA", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    shape("api key", "AIza", r"\bAIza[A-Za-z0-9_-]{35}"),
    shape(
        "api key",
        "gsk_ xai- r8_ pplx- nvapi- tvly- fw_ csk- tskey-",
        r"\b(?:gsk_|xai-|r8_|pplx-|nvapi-|tvly-|fw_|csk-|tskey-[a-z]{3,10}-)"
        r"(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,250}",
    ),
    shape("api key", "SG.", r"\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}"),
    shape("token", "ghp_ gho_ ghu_ ghs_ ghr_", r"\bgh[pousr]_[A-Za-z0-9]{20,255}"),
    shape("token", "github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{20,255}"),
    shape("token", "glp gldt- glrt- glcbt-", r"\bgl(?:pat|ptt|dt|rt|cbt)-[A-Za-z0-9_.-]{16,255}"),
    shape("token", "fm1_ fm2_", r"\bfm[12]_(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9+/=,_-]{20,2000}"),
    shape("token", "hf_", r"\bhf_[A-Za-z0-9]{20,100}"),
    shape("token", "xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,255}"),
    shape("token", "xapp-", r"\bxapp-[A-Za-z0-9-]{16,255}"),
    shape("api key", "SK", r"\bSK[0-9a-f]{32}\b"),
    shape("token", "dapi", r"\bdapi[0-9a-f]{32}"),
    shape("token", "shp", r"\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    shape(
        "token",
        "lin_api_ glsa_ figd_ sntrys_ ntn_ pscale_ dckr_pat_ ATATT",
        r"\b(?:lin_api_|glsa_|figd_|sntrys_|ntn_|pscale_tkn_|dckr_pat_|ATATT)[A-Za-z0-9_=.-]{20,400}",
    ),
    shape("token", "secret_", r"\bsecret_(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{40,60}\b"),
    shape("token", "hvs. hvb.", r"\bhv[sb]\.[A-Za-z0-9_-]{24,300}"),
    shape("token", "dp.", r"\bdp\.(?:st|pt|ct|sa|scim|audit)\.[A-Za-z0-9._-]{20,120}"),
    shape("token", "npm_", r"\bnpm_[A-Za-z0-9]{30,60}"),
    shape("token", "pypi-", r"\bpypi-[A-Za-z0-9_-]{40,400}"),
    shape("token", "_v1_", r"\bdo[opr]_v1_[a-f0-9]{40,80}"),
    shape("token", "ya29.", r"\bya29\.[A-Za-z0-9_-]{20,400}"),
    shape(
        "token", "eyJ", r"\beyJ[A-Za-z0-9_-]{8,4000}\.eyJ[A-Za-z0-9_-]{4,8000}(?:\.[A-Za-z0-9_-]{0,2000})?"
    ),
    shape("token", ":AA", rf"(?:{_START}|(?<=[Bb]ot))[0-9]{{8,10}}:AA[A-Za-z0-9_-]{{32,40}}"),
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
        r"(?P<keep>\b[Aa](?:uthorization|UTHORIZATION)[\"'\\]{0,4}\s{0,4}[:=]\s{0,4}[\"'\\]{0,4}"
        r"(?:[Bb]asic\s{1,4}(?=[A-Za-z0-9+/]{6})|(?:[A-Za-z0-9-]{3,20}\s{1,4})?(?=[^\r\n\"'\\]{0,40}[0-9])(?=\S{8})))"
        r"(?!\[masked|[A-Za-z0-9-]{3,20}\s{1,4}\[masked)[A-Za-z0-9+/._~-]{4,4000}={0,2}",
    ),
    shape(
        "signature",
        "ignature= ecurity-Token= sig= response=",
        r"(?P<keep>(?:[Ss]ignature|Security-Token|(?<=[?&;])sig|(?<=[\s,])response)=[\"'\\]{0,4})"
        r"(?=[^\s&\"'\\]{0,40}[0-9])[A-Za-z0-9%+/_=-]{16,4000}",
    ),
    shape(
        "password",
        "auth",
        r"(?P<keep>\\{0,3}[\"']_?auth\\{0,3}[\"']\s{0,4}:\s{0,4}\\{0,3}[\"'])(?=[A-Za-z+/]{0,60}[0-9])"
        r"[A-Za-z0-9+/]{12,4000}={0,2}(?=\\{0,3}[\"'])",
    ),
    shape(
        "cookie",
        "SESSID= SESSIONID=",
        r"(?P<keep>\b(?:PHPSESSID|JSESSIONID|ASPSESSIONID[A-Z]{0,8})=)(?!\[masked)[A-Za-z0-9%._-]{8,400}",
    ),
    shape(
        "password",
        "auth=( BasicAuth( DigestAuth(",
        r"(?P<keep>(?:auth=|(?:Basic|Digest)Auth)\(\s?\\{0,3}[\"'][^\"'\\\n]{1,100}\\{0,3}[\"'],\s?"
        r"\\{0,3}[\"'])(?!\[masked)[^\s\"'\\]{4,400}(?=\\{0,3}[\"'])",
    ),
    shape("private key", "AGE-SECRET-KEY-", r"\bAGE-SECRET-KEY-1[A-Z0-9]{40,80}"),
    shape(
        "password",
        "login",
        r"(?P<keep>\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4})(?!\[masked)[^\s\"'\\]{3,200}",  # .netrc
    ),
    shape(
        "cookie",
        "ookie",
        r"(?P<keep>\b(?:[Ss]et-)?[Cc]ookie[\"'\\]{0,4}\s{0,2}:\s{0,2}[\"'\\]{0,4}[A-Za-z0-9_.-]{1,80}=)"
        r"(?!\[masked)[^\r\n\"'\\]{6,4000}",
    ),
    shape(
        "password",
        "</",
        rf"(?P<keep><(?:\w{{1,20}}:)?(?:passw(?:or)?d|passphrase|(?:{_TAGS})(?=>[^<\s]{{0,100}}[0-9]))>)"
        r"(?!\[masked)[^<\s]{4,400}(?=</)",
        re.IGNORECASE,
    ),
    shape("token", "api/webhooks/", r"(?P<keep>api/webhooks/[0-9]{10,25}/)[A-Za-z0-9_-]{20,200}"),
    shape(
        "token",
        "?key= &key= ?appid= &appid=",
        r"(?P<keep>[?&](?:key|appid)=)(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,200}",
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
        r"(?<![\w+])\+[1-9][0-9]{0,2}[ ./-]?(?:\(?[0-9]{1,5}\)?[ ./-]?){2,6}[0-9]{2,5}\b",
    ),
    shape("telephone number", "- .", r"(?<![\w-])\(?[0-9]{3}\)?[ .-][0-9]{3}[.-][0-9]{4}\b(?!-)"),
    shape(
        "home folder",
        "/home/ /Users/ \\Users\\",
        r"(?P<keep>(?:/home/|/Users/|\\Users\\))(?!\[masked)[^\s/\\:\"'<>]{1,64}",
    ),
)
