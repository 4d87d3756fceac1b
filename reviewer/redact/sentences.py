"""Secrets in a sentence: codes for one use, new passwords, the words of a seed; lines of password files.

Data only. Not known here: a code that no word beside it tells from the number of a flight or an order.
"""

from __future__ import annotations

from reviewer.redact.shapes import shape

_CODE = r"(?:[A-Z]{1,3}-)?[0-9]{3,4}(?:[ -][0-9]{3,4}|[0-9]{0,5})(?![0-9]|[.:/-][0-9])"
_OF = r"(?:erification|ecurity|uthentication|uthorization|og-?in|ign-?in|ccess|ne-?[ -]?time|2FA|MFA|SMS)"
_MIXED = r"(?=[^\s\"'`]{0,60}[0-9])(?=[^\s\"'`]{0,60}[A-Za-z])"
_MARK = r"\\{0,3}[\"'`]?"

_CODES = (
    *("ation code", "urity code", "ogin code", "-in code", "cess code", "time code", "time passcode"),
    *("FA code", "SMS code"),
)

SENTENCES = (
    shape(
        "code",
        _CODES,
        rf"(?P<keep>{_OF} (?:pass)?code(?: is|:| =)?:? {{0,2}}{_MARK}){_CODE}",
    ),
    shape(
        "code", "OTP PIN", rf"(?P<keep>\b(?:OTP|PIN)(?: code| number)?(?: is|:| =)?:? {{1,2}}{_MARK}){_CODE}"
    ),
    shape(
        "code",
        (" is your ", " as your "),
        r"(?<![\w.-])(?:[A-Z]-)?[0-9]{4,8}(?= (?:is|as) your (?:[A-Za-z-]{1,20} ){0,4}"
        r"(?:code|OTP|PIN|passcode)\b)",
    ),
    shape(
        "password",
        ("password to ", "passphrase to "),
        r"(?P<keep>(?:\b[Ss]et|[Cc]hang(?:e|ed|ing)|[Rr]eset|[Uu]pdat(?:e|ed|ing))(?: [a-z']{1,12}){0,4}"
        rf" pass(?:word|phrase) to {_MARK}){_MIXED}[^\s\"'`]{{6,60}}(?<![.,;:)])",
    ),
    shape(
        "password",
        "assword assphrase",
        rf"(?<![^\s\"'`]){_MIXED}[^\s\"'`\[\]]{{6,60}}(?={_MARK} as (?:the|your|my|its|a|their)"
        r" (?:[a-z-]{1,20} ){0,2}[Pp]ass(?:word|phrase)\b)",
    ),
    shape(
        "seed",
        ("nemonic", "phrase"),
        r"(?P<keep>(?:[Mm]nemonic|(?:[Ss]eed|[Rr]ecovery) phrase)(?: is)?[\"':=\s\\]{1,8})"
        r"(?:[a-z]{3,8} ){11,23}[a-z]{3,8}\b",
    ),
    shape(
        "private key",
        ("rivate key", "rivate_key", "rivate-key", "rivateKey"),
        r"(?P<keep>[Pp]rivate[ _-]?[Kk]ey(?: is)?[\"':=\s\\]{1,8})(?:0x)?[0-9a-fA-F]{64}\b",
    ),
    shape(
        "password hash",
        "$1$ $2a$ $2b$ $2y$ $6$ $y$ $apr1$ $argon2",
        r"\$(?:1|2[aby]|6|y|apr1|argon2i?d?)\$[A-Za-z0-9./=,$+-]{20,200}",
    ),
    shape(
        "password",
        ":5432:",
        r"(?P<keep>:5432:[\w*-]{1,64}:[\w*-]{1,64}:)(?!\[masked)[^\s:\"'\\]{3,200}",  # .pgpass
    ),
    shape("password", "WIFI:", r"(?P<keep>\bWIFI:[^\n]{0,100}?;P:)(?!\[masked)[^;\n]{4,64}(?=;)"),
    shape("password", "psk=", r"(?P<keep>\bpsk=\\{0,3}[\"'])(?!\[masked)[^\s\"'\\]{8,63}"),
    shape(
        "token",
        "X-Auth",
        r"(?P<keep>\bX-Auth(?:-[A-Za-z]{1,20})?[\"'\\]{0,4}:[ \"'\\]{0,4})(?!\[masked)"
        r"(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9._~+/-]{8,400}={0,2}",
    ),
)
