"""Secrets are masked by shape and by name, ordinary text stays, and the time grows with the length only."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.redact import LITERALS, redact
from reviewer.redact.literals import Literals

LETTERS = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z"

# Put together here, so that no scanner takes this file for a leak.
SECRETS = [
    "sk-" + "ant-api03-" + LETTERS,
    "sk-" + "proj-" + LETTERS,
    "sk_" + "live_" + LETTERS,
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + "SyA" + LETTERS + "a",
    "gsk_" + LETTERS,
    "SG." + LETTERS + "." + LETTERS,
    "ghp_" + LETTERS,
    "github_" + "pat_" + LETTERS,
    "glpat-" + LETTERS,
    "hf_" + LETTERS,
    "xoxb-" + "123456789012-" + LETTERS,
    "npm_" + LETTERS + "abcde",
    "pypi-" + LETTERS * 3,
    "dop_" + "v1_" + "0123456789abcdef" * 4,
    "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + LETTERS,
    "1234567890:AA" + LETTERS + "abc",
]


@pytest.mark.parametrize("secret", SECRETS, ids=lambda secret: secret[:6])
@pytest.mark.parametrize(
    "around",
    [
        *("{}", 'x = "{}"', "({})", "see {}, please", '{{\\"k\\": \\"{}\\"}}'),
        # what stands before it here is a letter, and yet no part of it
        *(
            '{{"text": "one\\n{}\\n"}}',
            '"{{\\"text\\": \\"one\\\\t{}\\"}}"',
            "?q%3D{}&x",
            "\x1b[1;32m{}\x1b[0m",
        ),
        *("\x1b[01;31m\x1b[K{}", '"\\u001b[32m{}\\u001b[0m"'),
    ],
)
def test_keys_and_tokens_are_known_by_their_shape(secret: str, around: str) -> None:
    done = redact(around.format(secret))
    assert secret not in done.text and secret[-12:] not in done.text
    assert sum(done.masked.values()) == 1


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("API_KEY=abcd", "abcd"),
        ("export DB_PASSWORD='correct-horse'", "correct-horse"),
        ("PGPASSWORD=hunter2 psql", "hunter2"),
        ('{"api_key": "a1b2c3d4e5"}', "a1b2c3d4e5"),
        ('{\\"client_secret\\": \\"a1b2c3d4e5\\"}', "a1b2c3d4e5"),
        ("password: hunter2", "hunter2"),
        ("Password: theweather", "theweather"),
        ("curl --token abcdef https://x", "abcdef"),
        ("login --password=swordfish", "swordfish"),
        ("access_token = 'a1b2c3d4e5f6a7b8'", "a1b2c3d4e5f6a7b8"),
        ("postgres://me:s3cret!pw@db.example/x", "s3cret!pw"),
        ("https://user:tok-en@host/path", "tok-en"),
        ("Authorization: Bearer abcdefghijklmnop", "abcdefghijklmnop"),
        ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"),
        ("https://hooks.slack.com/services/T000/B000/abcdefghijkl", "abcdefghijkl"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
        ("\x1b[36mDB_PASSWORD\x1b[0m=\x1b[33mhunter2\x1b[0m", "hunter2"),
        ('"\\u001b[36mdb_password\\u001b[0m: \\u001b[33mhunter2\\u001b[0m"', "hunter2"),
        ("curl -s -u 'admin:hunter2' https://x", "hunter2"),
        ("machine host.example login me password hunter2", "hunter2"),
        ("< Set-Cookie: session=abcdef0123456789; HttpOnly", "abcdef0123456789"),
        ("AGE-SECRET-" + "KEY-1" + "QPZRY9X8GF2TVDW0S3JN" * 3, "QPZRY9X8GF2TVDW0S3JN"),
    ],
)
def test_a_name_or_a_place_gives_a_secret_away(text: str, secret: str) -> None:
    done = redact(text)
    assert secret not in done.text
    assert "[masked" in done.text and sum(done.masked.values()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens=1024, total tokens: 33120",
        "token = lexer.next_token()",
        "token_count: int = 0",
        "password: str",
        "def login(password: Optional[str] = None): ...",
        "the password is wrong; a secret is missing",
        'kwargs = {"token": " the"}',
        "const STORAGE_KEY = 'todos'",
        "tokenizer = AutoTokenizer.from_pretrained('gpt2')",
        "https://example.org:8080/a@b",
        "sort(key=lambda row: row[1])",
        "git@github.com:me/project.git",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "API_KEY=$OTHER and SECRET=${X}",
        "task-force sk-learn risk-averse",
        "",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    done = redact(text, personal=True)
    assert (done.text, done.masked) == (text, {})


def test_private_keys_go_whole_even_without_their_end() -> None:
    body = "\n".join(["MIIEowIBAAKCAQEA" * 4] * 20)
    begin, end = "-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----"
    done = redact(f"before\n{begin}\n{body}\n{end}\nafter")
    assert done.text == "before\n[masked private key]\nafter" and done.masked == {"private key": 1}
    assert "MIIE" not in redact(f"{begin}\n{body}").text
    escaped = redact(f"{begin}\\n{body}\\n{end}".replace("\n", "\\n")).text
    assert escaped == "[masked private key]"


def test_people_are_masked_on_request_only() -> None:
    text = "Write to jo.doe+x@mail.example.org or +49 30 1234567, or 555-123-4567; see /home/jo/x."
    assert redact(text).text == text
    done = redact(text, personal=True)
    assert done.text == (
        "Write to [masked e-mail address] or [masked telephone number], or [masked telephone number]; "
        "see /home/[masked home folder]/x."
    )
    assert sum(done.masked.values()) == 4


def test_masking_twice_changes_nothing_more() -> None:
    once = redact("\n".join([*SECRETS, "API_KEY=abcd", "postgres://a:b@c", "Bearer abcdefghijklmnop"]))
    again = redact(once.text)
    assert (again.text, again.masked) == (once.text, {})


@given(st.text(st.sampled_from("-=:\"'\\@/. sktokenpasswordghp_BEGIN\n0123")))
def test_any_text_goes_through(text: str) -> None:
    assert isinstance(redact(text, personal=True).text, str)


@pytest.mark.parametrize(
    "text",
    [
        "password=" * 20_000,
        "://a:" * 40_000,
        "eyJhbGci.eyJ" * 16_000,
        "-----BEGIN RSA PRIVATE " + "KEY-----" * 25_000,
        "a.b@" * 50_000,
        "token" + " " * 200_000,
        "x" * 200_000,
        'token: "' * 25_000,
        "+1 " * 60_000,
        "Authorization: " * 14_000,
        "curl -u " * 25_000,
        "token\x1b[1m" * 20_000,
        "ghp_\\n" * 30_000,
    ],
    ids=lambda text: text[:12],
)
def test_the_time_grows_with_the_length_and_not_faster(text: str) -> None:
    def took(part: str) -> float:
        begun = time.process_time()
        redact(part, personal=True)
        return time.process_time() - begun

    assert took(text) < 1.5  # 200 kB; what backtracks takes minutes


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "é", "→→", "\ud800", "x" * 997])
def test_a_literal_is_found_wherever_it_stands(before: str) -> None:
    looked_for = Literals(LITERALS)
    assert looked_for.among(before) == set()
    for literal in LITERALS:
        for text in (before + literal, before + literal + "\n."):
            assert looked_for.among(text) == {one for one in LITERALS if one in text}
        assert literal not in looked_for.among(before + literal[:-1])
