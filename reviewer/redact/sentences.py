"""Secrets in a sentence or a page: codes for one use, what one logs in with, new passwords, the words of a
seed; lines of password files.

Data only. Not known here: a code that no word beside it tells from the number of a flight or an order; a
password of letters alone (but for `log in as bob / swordfish`); `pass: x` with no user before it, as tests
say that; what is typed into a field that is named elsewhere.
"""

from __future__ import annotations

from reviewer.redact.shapes import BREAK, shape

_CODE = r"(?:[A-Z]{1,3}-)?[0-9]{3,4}(?:[ -][0-9]{3,4}|[0-9]{0,5})(?![0-9]|[.:/-][0-9])"
_OF = r"(?:erification|ecurity|uthentication|uthorization|og-?in|ign-?in|ccess|ne-?[ -]?time|2FA|MFA|SMS)"
_MIXED = r"(?=[^\s\"'`]{0,60}[0-9])(?=[^\s\"'`]{0,60}[A-Za-z])"
_MARK = r"\\{0,31}[\"'`]?"

_CODES = (
    *("ation code", "urity code", "ogin code", "-in code", "cess code", "time code", "time passcode"),
    *("FA code", "SMS code"),
)

_VALUE = r"(?!\[masked|[$<{%/])[^\s\"'`<>\\]"
_USER = rf"{_MARK}[\w.@+-]{{1,60}}{_MARK}"
_ROLES = (
    "admin|administrator|root|guest|user|member|manager|owner|editor|viewer|customer|employee|operator|staff"
)
_RECOVERY = r"(?=[A-Za-z]{0,7}[0-9])[A-Za-z0-9]{4,8}(?:-[A-Za-z0-9]{4,8})?\b"
_OTHER = r"OAuth|OpenID|SAML|TOTP|U2F|FIDO|[Hh]ttp|TLS|[1-9]FA\b|v[0-9]"
# Made up: letters with a digit or a sign among them; or letters alone, where nothing follows in the sentence.
_LETTER, _ELSE = r"(?=[^\s\"'`\\]{0,60}[A-Za-z])", r"(?=[^\s\"'`\\]{0,60}[0-9!@#$%^&*])"
_MADE_UP = rf"{_LETTER}{_ELSE}(?!{_OTHER}){_VALUE}{{4,60}}(?<![.,;:)])"
_WORD = rf"(?<= / )(?!(?:{_ROLES})\b)[a-z]{{6,60}}(?={_MARK}\s{{0,2}}(?:[.,;)]?(?:{BREAK}|\Z)|[.,;)]\s))"
_IN = ("in as ", "in with ", "ogin:")
_LOGGED = (
    (_IN, r"og(?:ged|ging)?[ -]?in\b"),
    (_IN, r"ign(?:ed|ing)?[ -]?in\b"),
    (("redentials", "reds"), r"red(?:ential)?s\b"),
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
    shape("password", "psk=", r"(?P<keep>\bpsk=\\{0,31}[\"'])(?!\[masked)[^\s\"'\\]{8,63}"),
    shape(
        "token",
        "X-Auth X-Api-Key X-API-Key X-API-KEY x-api-key",
        r"(?P<keep>\b[Xx]-(?:Auth(?:-[A-Za-z]{1,20})?|[Aa](?:pi|PI)-[Kk][Ee][Yy])[\"'\\]{0,34}:[ \"'\\]{0,4})"
        r"(?!\[masked)"
        r"(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9._~+/-]{8,400}={0,2}",
    ),
    *(
        shape(
            "password",
            needs,
            rf"(?P<keep>{how}:?(?: (?:to|at|on) \S{{1,60}})?"
            rf"(?: (?:as|with|using|are|is|the|user(?:name)?|account|credentials):?){{0,4}}:? {_USER}"
            rf"(?: / ?|/|:)(?!//) ?{_MARK})(?:{_MADE_UP}|{_WORD})",
        )
        for needs, how in _LOGGED
    ),
    *(
        shape(
            "password",
            needs,
            rf"(?P<keep>{how}(?: (?:to|at|on) \S{{1,60}})? (?:as|with|using) "
            rf"(?:the |user(?:name)? |account ){{0,2}}{_USER},? (?:with|using|and|by)(?: the)?"
            rf"(?: (?:password|pass|pw|pin):?)? {_MARK}){_MADE_UP}",
        )
        for needs, how in _LOGGED[:2]
    ),
    shape(
        "password",
        ("pass:", "pass=", "Pass:", "pass'", 'pass"'),
        r"(?P<keep>\b(?:user(?:name)?|login|account|e-?mail|uid)\b[\"' ]{0,2}[:=/ ][^\n]{1,60}?"
        r"\bpass[\"']?\s{0,2}[:=]\s{0,2}"
        rf"{_MARK})(?!true|false|null)(?:{_MADE_UP}|[A-Za-z-]{{6,60}}(?={_MARK}\s{{0,2}}(?:[,;)}}]|{BREAK}|\Z)))",
    ),
    shape(
        "password",
        "assword",
        rf"(?P<keep>assword (?:for|of) (?:the |user |account ){{0,2}}{_USER}"
        rf"(?: is| to|:| =){{1,3}} {{0,2}}{_MARK}){_MADE_UP}",
    ),
    shape("password", ("assword →", "assword ->"), rf"(?P<keep>assword (?:→|->) {_MARK}){_MADE_UP}"),
    shape(
        "password",
        "assword</ assword:</ asscode</",
        r"(?P<keep>ass(?:word|code):?</\w{1,10}>\s{0,20}<\w{1,10}[^<>]{0,100}>\s{0,8})(?=[^<]{0,60}[0-9])[^\s<]{4,100}(?=\s{0,8}</)",
    ),
    shape(
        "password",
        ('type="password', "type='password", 'type=\\"password'),
        rf"(?P<keep><input\b[^<>]{{0,300}}?type={_MARK}password{_MARK}[^<>]{{0,300}}?\bvalue={_MARK})(?![$<{{%])[^\"'<>\\]{{3,200}}",
    ),
    shape(
        "password",
        "form-data",
        r"(?P<keep>name=\\{0,31}\"[\w.-]{0,40}(?:password|passwd|secret|token)[\w.-]{0,20}\\{0,31}\"(?:\r?\n|(?:\\{1,16}r)?\\{1,16}n){2})"
        r"[^\r\n\\]{3,400}",
    ),
    shape(
        "password",  # typed into a field of a page
        (
            *(
                "fill('",
                'fill("',
                "fill(\\",
                "type('",
                'type("',
                "type(\\",
                "press_sequentially(",
                "type_text(",
            ),
            *("input_text(", "set_value(", "setValue(", "send_keys("),
        ),
        rf"(?P<keep>(?:fill|type|press_sequentially|type_text|input_text|set_value|setValue|send_keys)\(\s?{_MARK}"
        rf"[^\n,]{{0,100}}?passw(?:or)?d[^\n,]{{0,24}}?{_MARK}\)?(?:,\s?|\.(?:fill|type|send_keys)\()(?:text=)?"
        r"\\{0,31}[\"'])"
        r"[^\s\"'\\]{4,200}",
    ),
    shape(
        "password",
        ("assword", "asswd"),
        rf"(?P<keep>passw(?:or)?d[\w\]'\"\\]{{0,8}}(?:\)\.(?:fill|type|send_keys)\(|,\s{{0,12}}\\{{0,31}}\"(?:text|input)\\{{0,31}}\":\s?)"
        rf"\\{{0,31}}[\"']){_MADE_UP}(?=\\{{0,31}}[\"'])",
    ),
    shape(
        "password",
        "*:* :5433: :6432: :6543:",
        r"(?P<keep>(?:(?<=[\s\"'n])|\A)(?:[\w.*-]{1,100}:(?:5433|6432|6543|\*)):[\w*-]{1,64}:[\w*-]{1,64}:)(?!\[masked)"
        r"[^\s:\"'\\]{3,200}",
    ),
    shape(
        "password",
        "_auth= _auth npmAuthIdent",
        r"(?P<keep>(?<![A-Za-z0-9])_auth\s?=\s?(?=[A-Za-z]{0,60}[0-9=])|npmAuthIdent\W{1,6}[^\s:\"']{1,60}:)[^\s\"'\\]{8,400}",
    ),
    shape("password", "NEO4J_AUTH", rf"(?P<keep>\bNEO4J_AUTH[=:]\s?{_MARK}\w{{1,30}}/)[^\s\"'\\]{{3,100}}"),
    shape(
        "password",
        "SecureString",
        r"(?P<keep>\\{0,31}\"SecureString\\{0,31}\",\s{0,16}\\{0,31}\"Value\\{0,31}\":\s?\\{0,31}\")[^\"\\\n]{3,4000}",
    ),
    shape(
        "password",
        "define(",
        r"(?P<keep>\bdefine\(\s?'(?:\w{1,20}_(?:KEY|SALT)|DB_PASSWORD)',\s{0,20}')(?!\[masked)[^'\n]{4,200}(?=')",
    ),
    shape(
        "code",
        "codes:",
        r"(?P<keep>codes(?<=(?:ackup|overy|ratch) codes)(?: are| is)?:?\s)"
        rf"{_RECOVERY}(?:(?:,? |,?\n){_RECOVERY}){{0,20}}",
    ),
    shape("code", '"pin"', r"(?P<keep>\"pin\":\s?\")[0-9]{4,8}(?=\")"),
    shape("password hash", ":::", r"(?P<keep>:[0-9]{3,6}:[0-9a-fA-F]{32}:)[0-9a-fA-F]{32}(?=:::)"),
    shape(
        "private key",
        ('kty"', "kty\\"),
        r"(?P<keep>kty\\{0,31}\"[^{}]{0,1000}?\\{0,31}\"[dk]\\{0,31}\":\s?\\{0,31}\")[A-Za-z0-9_-]{16,4000}",
    ),
)
