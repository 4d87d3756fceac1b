"""How secrets look that are known by their shape, and personal data. Data only, and how it is written down.

Every pattern is anchored by a literal and bounded, so that the time grows with the length of the text and not
faster. Not known here: a secret that looks like any other word, or that is encoded once more.
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


# Where a word begins: after a sign that is none of a word, and also after an escape of JSON (`\n`) or of a
# URL (`%3D`) and after a colour code, whose last letter is no part of the word that it colours.
_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[bfnrtv0])|(?<=[\[;0-9][mK])|(?<=%[0-9A-Fa-f]{2}))"


def _shape(kind: str, needs: str, pattern: str, flags: int = 0) -> Shape:
    """A `\\b` that begins the pattern means `_START`, looked at only where the next letters are right."""
    begins = re.match(r"(\(\?P<keep>)?\\b([A-Za-z]*)", pattern)
    if begins is not None:
        pattern = pattern.replace(r"\b", f"(?={begins[2]}){_START}", 1)
    return Shape(kind, tuple(needs.split()), re.compile(pattern, flags))


# Where a line ends: as it is, as JSON spells it, and from one text of a list to the next.
BREAK = r"(?:\r?\n|\\{1,4}n|\\{0,3}[\"'],\s{0,12}\\{0,3}[\"'])"
# Elements of XML whose text is a secret.
_TAGS = "secret|token|api_?key|access_?key|secret_?key|access_?token|client_?secret"

# Shapes that providers document for their keys.
SHAPES = (
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
    _shape("api key", "SK", r"\bSK[0-9a-f]{32}\b"),
    _shape("token", "dapi", r"\bdapi[0-9a-f]{32}"),
    _shape("token", "shp", r"\bshp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    _shape(
        "token",
        "lin_api_ glsa_ figd_ sntrys_ ntn_ pscale_ dckr_pat_ ATATT",
        r"\b(?:lin_api_|glsa_|figd_|sntrys_|ntn_|pscale_tkn_|dckr_pat_|ATATT)[A-Za-z0-9_=.-]{20,400}",
    ),
    _shape("token", "secret_", r"\bsecret_(?=[A-Za-z]{0,42}[0-9])[A-Za-z0-9]{40,60}\b"),
    _shape("token", "hvs. hvb.", r"\bhv[sb]\.[A-Za-z0-9_-]{24,300}"),
    _shape("token", "dp.", r"\bdp\.(?:st|pt|ct|sa|scim|audit)\.[A-Za-z0-9._-]{20,120}"),
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
        "credentials",
        "uthorization UTHORIZATION",
        r"(?P<keep>\b[Aa](?:uthorization|UTHORIZATION)[\"'\\]{0,4}\s{0,4}[:=]\s{0,4}[\"'\\]{0,4}"
        r"(?:[Bb]asic\s{1,4}(?=[A-Za-z0-9+/]{6})|(?:[A-Za-z0-9-]{3,20}\s{1,4})?(?=[^\r\n\"'\\]{0,40}[0-9])(?=\S{8})))"
        r"(?!\[masked|[A-Za-z0-9-]{3,20}\s{1,4}\[masked)[A-Za-z0-9+/._~-]{4,4000}={0,2}",
    ),
    _shape(
        "signature",
        "ignature= ecurity-Token= sig= response=",
        r"(?P<keep>(?:[Ss]ignature|Security-Token|(?<=[?&;])sig|(?<=[\s,])response)=[\"'\\]{0,4})"
        r"(?=[^\s&\"'\\]{0,40}[0-9])[A-Za-z0-9%+/_=-]{16,4000}",
    ),
    _shape(
        "password",
        "auth",
        r"(?P<keep>\\{0,3}[\"']_?auth\\{0,3}[\"']\s{0,4}:\s{0,4}\\{0,3}[\"'])(?=[A-Za-z+/]{0,60}[0-9])"
        r"[A-Za-z0-9+/]{12,4000}={0,2}(?=\\{0,3}[\"'])",
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
        r"(?P<keep>\b(?:[Ss]et-)?[Cc]ookie[\"'\\]{0,4}\s{0,2}:\s{0,2}[\"'\\]{0,4}[A-Za-z0-9_.-]{1,80}=)"
        r"(?!\[masked)[^\r\n\"'\\]{6,4000}",
    ),
    _shape(
        "cookie",
        "curl",
        r"(?P<keep>\bcurl\b[^\n|;]{0,300}?\s(?:-b|--cookie)[ =]?[\"'\\]{1,4}[^\s=\"'\\]{1,80}=)"
        r"(?!\[masked)[^\r\n\"'\\]{6,4000}",
    ),
    _shape(
        "password",
        "mysql mariadb",
        r"(?P<keep>\b(?:mysql|mariadb)[a-z]{0,10}\s[^\n|;]{0,200}?\s-p[\"'\\]{0,4})"
        r"(?!\[masked)[^\s\"'\\]{4,200}",
    ),
    _shape(
        "password",
        "sshpass login",
        r"(?P<keep>\b(?:sshpass|(?:docker|podman|helm|skopeo)\s{1,4}(?:registry )?login\b[^\n|;]{0,200}?)"
        r"\s{1,4}-p\s{0,4}[\"'\\]{0,4})(?!\[masked)[^\s\"'\\]{3,200}",
    ),
    _shape(
        "password",
        "</",
        rf"(?P<keep><(?:\w{{1,20}}:)?(?:passw(?:or)?d|passphrase|(?:{_TAGS})(?=>[^<\s]{{0,100}}[0-9]))>)"
        r"(?!\[masked)[^<\s]{4,400}(?=</)",
        re.IGNORECASE,
    ),
    _shape("token", "api/webhooks/", r"(?P<keep>api/webhooks/[0-9]{10,25}/)[A-Za-z0-9_-]{20,200}"),
    _shape("token", "?key= &key=", r"(?P<keep>[?&]key=)(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,200}"),
    _shape("token", "://", r"(?P<keep>://)(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,250}(?=@)"),
    _shape(
        "private key",
        "Private-Lines:",
        rf"(?P<keep>Private-Lines: [0-9]{{1,4}}{BREAK})(?:[A-Za-z0-9+/=]{{1,100}}(?:{BREAK}|\s|\Z)){{1,200}}",
    ),
    _shape("private key", "Private-MAC:", r"(?P<keep>Private-MAC: )[A-Za-z0-9]{16,200}"),
)

PERSONAL = (
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
