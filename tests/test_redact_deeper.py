"""A second attack on the masking: manifests, text encoded twice, sentences, commands, tokens; what stays.

Put together from pieces, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.redact import redact
from reviewer.suggest.cleaning import Cleaner

R = "Zk9xQ2w7Lp3VbN8sTd5Y"
L = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z"
HEX = "a8f5f167f44f4964e6c998dee827110c"
UUID = "12345678-1234-1234-1234-1234567890ab"


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def spelled(text: str) -> str:
    """Escaped as a part of a URL."""
    return quote(text, safe="")


def times(n: int, how: Callable[[str], str], text: str) -> str:
    for _ in range(n):
        text = how(text)
    return text


WORD = "Tulips-in-may"
CONN = b64(WORD)
MANIFEST = {"kind": "Secret", "metadata": {"name": "db"}, "data": {"conn": CONN, "empty": ""}}
BASIC = b64("bob:Tulips")

DEEPER = {
    # sentences
    "pw": ("pw: hunter2", "hunter2"),
    "pw in JSON": ('{"user": "bob", "pw": "Tulips"}', "Tulips"),
    "pass in JSON": ('{"user": "bob", "pass": "Tulips"}', "Tulips"),
    "user and pass": ("user: bob, pass: hunter22", "hunter22"),
    "log in as": ("Please log in as bob / hunter22.", "hunter22"),
    "log in as, a word": ("Log in as bob / swordfish", "swordfish"),
    "log in at": ("log in with bob@x.example / Tulip-99x, then", "Tulip-99x"),
    "log in with": ("log in with admin:hunter22", "hunter22"),
    "signed in": ("I signed in as bob with hunter22", "hunter22"),
    "credentials": ("credentials: admin / hunter22", "hunter22"),
    "password for": ("Enter password for bob: Tulips99", "Tulips99"),
    "markdown": ("**Password:** Tulips99", "Tulips99"),
    "markdown, code": ("- **Password**: `Tulips`", "Tulips"),
    "code in a sentence": ("with password `Tulips99` it works", "Tulips99"),
    "page": ("<tr><td>Password</td><td>Tulips99</td></tr>", "Tulips99"),
    "field": ('<input type="password" value="Tulips99">', "Tulips99"),
    "typed": ("page.fill('input[name=\"password\"]', 'Tulips99')", "Tulips99"),
    "typed into an element": ('find_element(By.ID, "password").send_keys("Tulips99")', "Tulips99"),
    "typed by an agent": ('{"selector": "#password", "text": "Tulips99"}', "Tulips99"),
    "form": ('form-data; name="password"\r\n\r\nTulips99\r\n', "Tulips99"),
    "backup codes": ("Your backup codes: 1234-5678 8765-4321", "8765-4321"),
    # manifests of Kubernetes
    "yaml": (f"apiVersion: v1\nkind: Secret\ntype: Opaque\ndata:\n  a: {b64('x')}\n  conn: {CONN}\n", CONN),
    "yaml, data first": (f"apiVersion: v1\ndata:\n  conn: {CONN}\nkind: Secret\nmetadata:\n  name: db", CONN),
    "yaml, plain": ("kind: Secret\nstringData:\n  host: 'Tulips in may'\n", "Tulips"),
    "yaml, lines": ("kind: Secret\nstringData:\n  c.yaml: |\n    host: x\n\n    key: Tulips\n", "Tulips"),
    "yaml, a list": (f"items:\n- apiVersion: v1\n  data:\n    conn: {CONN}\n  kind: Secret\n", CONN),
    "yaml, documents": (f"kind: ConfigMap\ndata:\n  a: b\n---\nkind: Secret\ndata:\n  conn: {CONN}", CONN),
    "yaml, numbered": (f"     1\tkind: Secret\n     2\tdata:\n     3\t  conn: {CONN}\n", CONN),
    "yaml, a patch": (f"@@ -0,0 +1,3 @@\n+kind: Secret\n+data:\n+  conn: {CONN}\n", CONN),
    "yaml in a string": (json.dumps({"content": f"kind: Secret\ndata:\n  conn: {CONN}"}), CONN),
    "yaml, lines of a list": (json.dumps(["kind: Secret", "data:", f"  conn: {CONN}"]), CONN),
    "json": (json.dumps(MANIFEST), CONN),
    "json, laid out": (json.dumps(MANIFEST, indent=2, sort_keys=True), CONN),
    "json in a string": (times(3, json.dumps, json.dumps(MANIFEST)), CONN),
    "json, a list": (json.dumps({"items": [{"kind": "ConfigMap", "data": {"a": "b"}}, MANIFEST]}), CONN),
    "kubectl": ("kubectl create secret generic db --from-literal=a=xyz1 --from-literal b='Tulips'", "Tulips"),
    # encoded more than once
    "base 64 twice": (f"echo {times(2, b64, 'DB_PASSWORD=hunter22')}", "UkVKZlVF"),
    "base 64 thrice": (times(3, b64, "DB_PASSWORD=hunter22"), times(3, b64, "DB_PASSWORD=hunter22")),
    "base 64 in JSON in base 64": (b64(json.dumps({"v": b64('{"password": "hunter22"}')})), "eyJ2Ijog"),
    "base 64 over lines": (
        "\n".join([b64("x" * 30 + " DB_PASSWORD=hunter22xyz")[:60], b64("zzz")]),
        "IERCX1BB",
    ),
    "header in base 64": (b64(f"Authorization: Bearer {R}{R}"), "QXV0aG9yaXphdGlvbj"),
    "URL in base 64": (b64("postgres://bob:hunter22@db/x"), b64("postgres://bob:hunter22@db/x")),
    "token in base 64": (b64(f"hf_{L}"), b64(f"hf_{L}")),
    "URL, once": ("q=" + spelled('{"password":"hunter22"}'), "hunter22"),
    "URL, twice": (f"u={times(2, spelled, 'password=hunter22&a=1')}", "hunter22"),
    "URL, thrice": (times(3, spelled, f"https://h/cb?access_token={R}"), R),
    "URL with a password": (spelled("postgres://bob:hunter22@db/x"), "hunter22"),
    "JSON, five times": (times(5, json.dumps, json.dumps({"password": "hunter22"})), "hunter22"),
    "JSON, a setting": (times(4, json.dumps, 'export DB_PASSWORD="hunter22"\n'), "hunter22"),
    "JSON, by number": ("{\\u0022password\\u0022: \\u0022hunter22\\u0022}", "hunter22"),
    "HTML": ("{&quot;password&quot;: &quot;hunter22&quot;}", "hunter22"),
    # files
    "netrc in JSON": (json.dumps("machine h\nlogin bob\npassword Tulips\n"), "Tulips"),
    "pgpass": ("*:*:*:bob:Tulips9", "Tulips9"),
    "npmrc": (f"//r.example/:_auth = {BASIC}", BASIC),
    "yarnrc": ('npmAuthIdent: "bob:Tulips-in-may"', WORD),
    "OpenVPN": (
        f"-----BEGIN OpenVPN Static key V1-----\n{HEX}\n{HEX}\n-----END OpenVPN Static key V1-----",
        HEX,
    ),
    "WireGuard": (f"PresharedKey = {b64(L)}", b64(L)[:30]),
    "jar": (f"#HttpOnly_.x.example\tTRUE\t/\tTRUE\t1735689600\tsession_id\t{R}", R),
    "key without its first line": (f"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{L * 3}", L),
    "jwk in a string": (json.dumps(f'{{"kty":"oct","k":"{L}"}}'), L),
    "jwk": (f'{{"kty":"RSA","d":"{L * 3}","n":"x"}}', L),
    "wordpress": ("define('AUTH_KEY',   'k:Tul~ips may# 99|x');", "may# 99"),
    "domain dump": (f"Administrator:500:aad3b435b51404eeaad3b435b51404ee:{HEX}:::", HEX),
    # commands and code
    "curl, several letters": ("curl -sSku bob:Tulips https://x", "Tulips"),
    "curl over lines": ("curl \\\n  -X POST \\\n  -u bob:Tulips \\\n  https://x", "Tulips"),
    "curl through a proxy": ("curl --proxy-user bob:Tulips https://x", "Tulips"),
    "sshpass": ("SSHPASS=Tulips sshpass -e ssh b@h", "Tulips"),
    "sqlplus": ("sqlplus scott/Tulips99@//h:1521/orcl", "Tulips99"),
    "cypher-shell": ("cypher-shell -u neo4j -p Tulips99", "Tulips99"),
    "neo4j": ("NEO4J_AUTH=neo4j/Tulips99", "Tulips99"),
    "openssl": ("openssl enc -d -aes256 -k Tulips99 -in x", "Tulips99"),
    "ssh-keygen": ("ssh-keygen -t rsa -N Tulips99 -f x", "Tulips99"),
    "PowerShell": ("$env:API_KEY = 'Tulips'", "Tulips"),
    "PowerShell, secure": ('ConvertTo-SecureString -String "Tulips in may" -AsPlainText', "Tulips"),
    "setx": ('setx API_KEY "Tulips99x"', "Tulips99x"),
    "os.environ": ("os.environ['API_KEY'] = 'Tulips'", "Tulips"),
    "vault": ("vault kv put secret/db host=xyz1 word=Tulips99", "Tulips99"),
    "gh": ("gh secret set FOO --body Tulips99", "Tulips99"),
    "ssm": ("aws ssm put-parameter --name /x --value Tulips99 --type SecureString", "Tulips99"),
    "ssm answers": ('{"Name": "/x", "Type": "SecureString", "Value": "Tulips99"}', "Tulips99"),
    "from a pipe": ("echo Tulips99 | docker login -u bob --password-stdin", "Tulips99"),
    "flag with blanks": ("gpg --passphrase 'Tulips in may' x", "Tulips"),
    "SQL": ("CREATE USER 'bob'@'%' IDENTIFIED BY 'Tulips'", "Tulips"),
    "SQL, a role": ("ALTER ROLE bob PASSWORD 'Tulips';", "Tulips"),
    "PHP": ("new mysqli('h', 'bob', 'Tulips99', 'db')", "Tulips99"),
    "mail": ("server.login('bob@x', 'Tulips99')", "Tulips99"),
    "IMAP": ("a1 LOGIN bob Tulips99", "Tulips99"),
    "FTP": ("USER bob\r\n331 please\r\nPASS Tulips99\r\n", "Tulips99"),
    "SMTP": (f"AUTH PLAIN {BASIC}", BASIC),
    "header in a tuple": (f"('Authorization', 'Basic {BASIC}')", BASIC),
    "header by name and value": (f'{{"name": "Authorization", "value": "{R}"}}', R),
    "header of a function": (f"x-functions-key: {R}==", R),
    "header, a short key": ("curl -H 'X-Api-Key: Tulips99abc' x", "Tulips99abc"),
    "code in a URL": (f"https://f.example/api/x?code={R}{R}==", R),
    "cookies in code": (f"requests.get(u, cookies={{'sessionid': '{R}'}})", R),
    "cookie of a page": (f"document.cookie = 'sid={R}'", R),
    # tokens
    **{
        token: (f"see {token}, please", token[-14:])
        for token in (
            *(f"glsoat-{L}", f"xoxc-1234567890-{L}", f"xoxd-{L}", f"GOCSPX-{L[:28]}", f"1//0g{L}{L}"),
            *(
                f"ABSK{L}{L}{L}",
                f"abc8Q~{L}abc",
                f"rubygems_{HEX}",
                f"dckr_oat_{L}",
                f"sbp_{HEX}",
                f"glc_{L}",
            ),
            *(
                f"PMAK-{HEX}-{HEX}",
                f"NRAK-{L.upper()}",
                f"pul-{HEX}",
                f"sq0atp-{L}",
                f"key-{HEX}",
                f"{HEX}-us12",
            ),
            *(
                f"pscale_pw_{L}",
                f"squ_{HEX}",
                f"lsv2_pt_{HEX}_a1b2c3d4e5",
                f"e2b_{HEX}",
                f"pcsk_{L}{L}",
                f"fc-{HEX}",
            ),
            *(
                f"pat-na1-{UUID}",
                f"access-sandbox-{UUID}",
                f"rzp_live_{L[:14]}",
                f"ops_eyJ{L}{L}{L}",
                f"ATBB{L}",
            ),
            *(f"dt0c01.{'ABCDEFGHIJKLMNOPQRSTUVWX'}.{(L * 2).upper()}", f"abcdefghijklmn.atlasv1.{L}{L}"),
            *(f"eyJhbGciOiJSU0EtT0FFUCJ9.{L}.{L}.{L}.{L}", f"sk.eyJ1IjoiYWJjIn0.{L}", f"sl.B{L * 4}"),
        )
    },
}

STAYS = [
    *("def run(pw: Playwright) -> None:", "pw = sync_playwright().start()", "with sync_playwright() as pw:"),
    *(
        "PASS: tests/test_foo1.sh",
        "3 tests pass: 0 fail",
        "user says: pass: 5 of 6",
        '{"user": "x", "pass": true}',
    ),
    *("log in as user / admin to see both", "Log in as bob / check the orders", "log in with Google / Apple"),
    *(
        "sign in with GitHub / GitLab.",
        "sign in with Google using OAuth2",
        "log in as admin with 2FA enabled",
    ),
    *("credentials: the user / the group", "login: admin/dashboard", "Enter password for bob:"),
    *("kind: Secret rotation is needed.", "kind: ConfigMap\ndata:\n  key: plain-value-1\n"),
    *("kind: SecretStore\ndata:\n  region: eu-west-1\n", '{"kind": "Secret"}, {"data": {"a": "value-1"}}'),
    *(
        "kind: Secret\ndata:\n  a: ${FROM_CI}\n  b: {{ .Values.b | b64enc }}\n  c: <base64 of it>\n",
        "kind: Secret\n",
    ),
    "kind: ConfigMap\ndata:\n  a: value-1\n---\nkind: Secret\nmetadata:\n  name: x\n",
    *(
        "/usr/lib/python3.11/site-packages/numpy/core/multiarray.py",
        "AbstractProxyFactoryBeanGeneratorHelperV2",
    ),
    *("sha512-9yHvHpWFyrRGhuYXGVmA0IN1GvWPQBfH8tKOHmBXVK1gOe3GuAlyZPJb3hDjSjxMX5K8nLrDfCwQ==", HEX, HEX * 2),
    *(b64("just some text that says nothing at all"), b64('{"user": "bob", "page": 3}'), f"id={UUID}"),
    *("https://www.example/search?q=%22how+to+reset+a+password%22+site%3Aforum.example", "a%20b%3Fc%252525"),
    *("curl -fsSL https://x.example/install.sh:443/a -o out.txt", "openssl x509 -in a.pem -text -noout"),
    *("openssl req -newkey rsa:2048 -keyout key.pem", "ssh-keygen -t ed25519 -C bob@x -f key"),
    *(
        "client.login(user, password)",
        'page.fill("#password", password)',
        '{"name": "password", "text": "Forgot?"}',
    ),
    *("<td>Password</td><td>required</td>", '<input type="password" value="">', "**Password:** required"),
    *(
        "Password → Security settings",
        "password `required`",
        "identified by 'name' column",
        "the -password flag",
    ),
    *(
        "echo hello | docker run -i x",
        "gh secret set FOO",
        "vault kv get secret/x",
        "?code=404&x=1",
        "key-value",
    ),
    *('cookies = {"theme": "dark"}', "the codes: A1, B2", "fc-cache -fv", "aio_pool_size_of_workers_in_2024"),
    *(
        "a.py:12:5:E501:msg",
        "5 passed, 2 failed",
        '{"status": "pass", "reason": "ok"}',
        "asyncio_mode = 'auto2'",
    ),
]


@pytest.mark.parametrize(("text", "secret"), DEEPER.values(), ids=DEEPER)
@pytest.mark.parametrize("around", ["{}", "before it\n{}\nbehind it"], ids=["alone", "in lines"])
def test_what_leaked_once_is_masked(text: str, secret: str, around: str) -> None:
    said = around.replace("{}", text)
    done = redact(said)
    assert secret in said and secret not in done.text and sum(done.masked.values()) >= 1
    if around != "{}":
        assert done.text.startswith("before it\n") and done.text.endswith("\nbehind it")


@pytest.mark.parametrize(("text", "secret"), DEEPER.values(), ids=DEEPER)
def test_a_first_look_at_many_texts_passes_none_of_them(text: str, secret: str) -> None:
    texts = ["An ordinary line.", f"{text}\n", "And another one, " * 9]
    clean = Cleaner(4_000, False, texts)
    assert secret not in clean(texts[1]) and [clean(texts[0]), clean(texts[2])] == [texts[0], texts[2]]


@pytest.mark.parametrize("text", STAYS, ids=lambda text: text[:30])
def test_ordinary_text_stays(text: str) -> None:
    assert redact(text).text == text
    assert redact(json.dumps(json.dumps(text))).text == json.dumps(json.dumps(text))


def test_a_manifest_stays_a_manifest() -> None:
    done = redact(json.dumps([{**MANIFEST, "kind": "ConfigMap"}, MANIFEST]))
    first, second = json.loads(done.text)
    assert first["data"]["conn"] == CONN and second["data"] == {"conn": "[masked value]", "empty": ""}
    assert second["metadata"] == {"name": "db"} and done.masked == {"value of a Kubernetes secret": 1}
    plain = "kind: Secret\nmetadata:\n  name: db\ndata:\n  a: eHl6MQ==\ntype: Opaque\nimmutable: true\n"
    assert redact(plain).text == plain.replace("eHl6MQ==", "[masked value]")


# What does not read as text is no text in base 64: pictures and keys are left alone.
READABLE = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40)


@given(READABLE, st.from_regex(r"[a-z]{3}[0-9]{2}[a-z]", fullmatch=True), st.integers(1, 3))
def test_however_often_it_is_encoded(before: str, value: str, n: int) -> None:
    run = times(
        n,
        lambda text: base64.b64encode(text.encode("utf-8", "replace")).decode(),
        f"{before}\nAPI_TOKEN={value}\n",
    )
    assert redact(f"echo {run} | base64 -d").text == "echo [masked encoded secret] | base64 -d"


HOSTILE = {
    "kinds": '"kind": "Secret", ' * 4_000,
    "data": '"data": {"a": "' * 3_000 + '"kind": "Secret"' * 3_000,
    "mappings": "\n".join(" " * (n % 40) + "kind: Secret" for n in range(6_000)),
    "open values": 'kind": "Secret", "data": {"a": "' * 3_000,
    "backslashes": "password" + "\\" * 90_000 + '": "x',
    "base 64": b64("DB_PASS" * 10) * 900,
    "percent": "%25" * 30_000,
    "parts": ("%22" + "a" * 4_000) * 20,
    "log in": "log in as " * 9_000,
    "literals": "create secret " * 30 + "--from-literal=" * 5_000,
    "user": "user: " * 15_000 + "pass:",
    "kty": '"kty"' * 15_000,
    "set": "SET PASSWORD " * 7_000,
    "input": '<input type="password" ' * 4_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_takes_long(text: str) -> None:
    begun = time.process_time()
    redact(text)
    assert time.process_time() - begun < 3
