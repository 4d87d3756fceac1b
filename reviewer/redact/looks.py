"""What a value looks like beside a name: a secret, a word that people make up, a sentence, code. Pure.

Not known here: a password that is a word like any other.
"""

from __future__ import annotations

import re

# What people make up, in some languages.
OWN = (
    r"passw(?:or)?d|passphrase|passcode|\bpwd\b|passwort|kennwort|mots? de passe|contrase[nñ]a|\bsenha"
    r"|wachtwoord|lösenord|пароль|密码|密碼|パスワード|비밀번호"
)
# Values that are code or say nothing, not secrets.
PLAIN = re.compile(
    r"(?:str|string|none|null|nil|true|false|int|bytes|any|text|bool|required|optional|undefined|self|os|env"
    r"|password|secret(?:str)?|token|!vault|hidden|redacted|changed?|incorrect|invalid|wrong|missing|expired|is|was|not|for|and"
    r"|the|your|must|has|from|with)\b[.,:]?\Z|[$%*.]|x{4,}\Z|https?:|\[masked ",
    re.IGNORECASE,
)
# What a text with blanks says that speaks of a password and is none.
_PROSE = re.compile(
    r"\b(?:the|your|you|a|an|must|should|is|are|be|was|not|required|optional|invalid|incorrect|wrong|field|enter|please|to|of|for"
    r"|password|passphrase|token|secret|user|account|characters?)\b",
    re.IGNORECASE,
)
_RANDOM = re.compile(r"[A-Za-z0-9+=_!@#%^*~-]{8,400}\Z")


def made_up(name: str, sign: str, value: str) -> bool:
    """Whether a text with blanks is a secret all the same: of a setting, and like no sentence."""
    signs = sum(not (letter.isalnum() or letter in " .,") for letter in value)
    return sign.strip() == "=" and name.upper() == name and signs > 1 and any(map(str.isdigit, value))


def says(value: str) -> bool:
    """Whether a text is a sentence about a password."""
    return bool(_PROSE.search(value)) and (value.rstrip()[-1:] in ".!?:" or not any(map(str.isdigit, value)))


def made_by_people(value: str) -> bool:
    """Whether a word has letters and something else in it, and is no path, no call, no number with a unit."""
    letters, digits = sum(map(str.isalpha, value)), sum(map(str.isdigit, value))
    others = sum(sign in "!@#$%^&*+~?" for sign in value)
    return (
        letters > 0 and digits + others > 0 and not _MEASURE.match(value) and not set(value) & set("./:_(=")
    )


def setting(name: str) -> bool:
    """Whether the name is one of an environment: `DB_PASSWORD`."""
    return name.upper() == name and "_" in name.strip("_")


def looks_random(value: str, least: int) -> bool:
    """Whether a value looks like no word, name, path or number."""
    digits = sum(map(str.isdigit, value))
    mixed = value.lower() != value != value.upper() or digits >= 3
    return len(value) >= least and 0 < digits < len(value) and mixed and bool(_RANDOM.match(value))


def ends_own(name: str) -> bool:
    """Whether the name ends with a word for what people make up."""
    return bool(_ENDS_OWN.search(name))


_MEASURE = re.compile(r"[0-9]+[A-Za-z%]{1,3}\Z|[a-z]{1,4}[0-9]{1,2}\Z")
_ENDS_OWN = re.compile(rf"(?:{OWN}|secret)\Z", re.IGNORECASE)
_HOLDS_OWN = re.compile(
    r"pass|pwd|\bpw\b|secret|kennwort|contrase|senha|wachtwoord|lösenord|[^\x00-\x7f]", re.IGNORECASE
)


def holds_own(name: str) -> bool:
    """Whether the name speaks of something that people make up, which need not look random."""
    return bool(_HOLDS_OWN.search(name))


def looks_secret(name: str, sign: str, value: str, flag: bool) -> bool:
    """Whether a value is a secret and not a word that only stands beside such a name."""
    if flag or (sign == "=" and name.upper() == name):
        return True  # --token abcd, API_KEY=abcd
    digits = sum(map(str.isdigit, value))
    if holds_own(name):
        return digits < len(value) if digits else len(value) >= 6
    return len(value) >= 20 or (len(value) >= 6 and 0 < digits < len(value))
