"""An attack on the masking: secrets as they stand in logs, files, headers and commands; and what must stay.

Put together from pieces, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64
import time

import pytest

from reviewer.redact import redact

R = "Zk9xQ2w7Lp3VbN8sTd5Y"
HEX = "a8f5f167f44f4964e6c998dee827110c"
BASIC = base64.b64encode(b"admin:S3cretPa55word").decode()
AWS = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLE" + "KEY"
BEGIN, END = "-----BEGIN {} PRIVATE " + "KEY-----", "-----END {} PRIVATE " + "KEY-----"
LINES = f"{R}{R}{R}\n{R[::-1]}{R}{R}\n"

ATTACKS = {
    "aws in json": (f'"SecretAccessKey": "{AWS}"', AWS),
    "aws session": (f"AWS_SESSION_TOKEN=FwoGZXIvYXdz{R * 40}", R),
    "aws signed link": (f"https://b.s3.example/k?X-Amz-Signature={HEX}{HEX}", HEX),
    "aws header": (f"Authorization: AWS4-HMAC-SHA256 Credential=x, Signature={HEX}{HEX}", HEX),
    "google account": (f'{{"private_key":"{BEGIN.format("RSA")}\\n{R}\\n{END.format("RSA")}\\n"}}', R),
    "azure storage": (f"AccountName=acc;AccountKey={R}{R}==;EndpointSuffix=x", R),
    "azure shared link": (f"https://acc.blob.example/c?sv=2020&sig=abc1{R}%3D&se=2026", R),
    "key over lines": (f"{BEGIN.format('EC')}\n{LINES}{END.format('EC')}", R),
    "key with line numbers": (f"1\t{BEGIN.format('OPENSSH')}\n2\t{R}\n3\t{R}\n4\t{END.format('OPENSSH')}", R),
    "key without its begin": (f"$ tail key.pem\n{LINES}{END.format('RSA')}\ndone", R),
    "key of PuTTY": (f"Private-Lines: 2\n{LINES}Private-MAC: {HEX}", R),
    "key in yaml": (f"private_key: |\n  {R}\n  {R}{R}\nname: x", R),
    "key of a cluster": (f"    client-key-data: {R * 30}", R),
    "password in a URL": ("redis://:s3cr3tpw@cache:6379/0", "s3cr3tpw"),
    "name in a URL": (f"git clone https://{R}{R}@dev.example/org", R),
    "key in a query": (f"https://maps.example/x?key={R}{R}&q=1", R),
    "token in a query": (f"https://x.example/y?access_token={R}&a=1", R),
    ".env with blanks": ('SECRET_KEY="insecure-(x$y%z w1th blanks 99)"', "blanks 99"),
    "long value": (f"TOKEN={R * 60}", R),
    "long value in quotes": (f'api_key = "{R * 90}"', R),
    "yaml": ("password: hunter22\n", "hunter22"),
    "json in json": ('{\\"password\\": \\"hunter22\\"}', "hunter22"),
    "name and value": ('{"name": "DB_PASSWORD", "value": "hunter22"}', "hunter22"),
    "name and value in yaml": ("- name: API_TOKEN\n  value: abc123def456\n", "abc123def456"),
    "attributes": (f'<add key="ApiKey" value="{HEX}"/>', HEX),
    "element": ("<password>hunter22</password>", "hunter22"),
    "connection": ("Server=db;User Id=sa;Password=Hunter2!x;", "Hunter2!x"),
    "jdbc": ("jdbc:mysql://h/db?user=root&password=hunter22", "hunter22"),
    "basic": (f"Authorization: Basic {BASIC}", BASIC),
    "basic in small letters": (f"authorization: basic {BASIC}", BASIC),
    "basic in json": (f'"Authorization": "Basic {BASIC}"', BASIC),
    "basic of a proxy": (f"Proxy-Authorization: Basic {BASIC}", BASIC),
    "another scheme": (f"Authorization: token {R}{R}", R),
    "no scheme": (f"Authorization: {R}{R}", R),
    "digest": (f'Authorization: Digest username="bob", response="{HEX}"', HEX),
    "registry": (f'{{"auths":{{"r.example":{{"auth":"{BASIC}"}}}}}}', BASIC),
    "header of its own": (f"X-Api-Key: {R}", R),
    "cookies": (f"Cookie: theme=dark; sessionid={R}", R),
    "cookies in json": (f'"cookie": "sessionid={R}"', R),
    "cookies of curl": (f"curl -b 'sessionid={R}' https://x.example", R),
    "mysql": ("mysql -u root -pHunter2xyz db", "Hunter2xyz"),
    "sshpass": ("sshpass -p 'hunter22' ssh bob@h", "hunter22"),
    "docker": ("docker login -u bob -p hunter22xyz", "hunter22xyz"),
    "webhook": (f"https://discord.example/api/webhooks/123456789012345678/{R * 3}", R),
    "sentence": ("The password is hunter22xyz.", "hunter22xyz"),
    "vault": ("hvs." + R * 4, R),
    "databricks": ("dapi" + HEX, HEX),
    "shopify": ("shpat_" + HEX, HEX),
    "twilio": ("SK" + HEX, HEX),
    "linear": ("lin_" + "api_" + R * 2, R),
    "notion": ("secret_" + R * 2 + "abc", R),
    "doppler": ("dp.st.prd." + R * 2, R),
    "grafana": ("glsa_" + R * 2, R),
}

INNOCENT = [
    *("sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", f"commit {HEX}01234567"),
    *("123e4567-e89b-12d3-a456-426614174000", "data:image/png;base64,iVBORw0KGgo=", "Basic usage: foo"),
    *("primary_key: id", "the key idea is simple", "monkey=banana123", "public_key: ssh-rsa AAAAB3NzaC1yc2E"),
    *("password = getpass()", 'os.environ["API_KEY"]', "api_key = config.api_key", "password: SecretStr"),
    *('"auth": "optional"', "author: basic info", "authorization: required", "Cookie policy: we use"),
    *(
        "Authorization: Bearer $TOKEN",
        "Authorization: Basic <credentials>",
        "cookie: yes",
        "token type: Bearer",
    ),
    *("https://x.example/?key=value&a=1", "https://user.name@host/path", "npm i @scope/pkg@1.2.3"),
    *("https://cdn.example/npm/bootstrap@5.3.0/dist/x", f"git+https://github.example/a/b@{HEX}"),
    *("mysql -u root -p -h localhost", "docker run -p 8080:80 img", "mysql --port 3306", "-p /path/to/thing"),
    *(
        "password is stored in the vault of 2024",
        "token is abc123",
        "The secret is out",
        "<token>word</token>",
    ),
    *(
        "description: |\n  some text here\n",
        "key: |\n  hello_world_this_is\n",
        "universities[secretary] = info2",
    ),
    *('"name": "token", "value": "abc"', "name: primary_key\n  value: id", 'pwd: "/home/x1/work"'),
    *("signature = inspect.signature(f)", "response=200", "dapi = 1", "SKU12345", "dp.state", "[mask](x)"),
]


@pytest.mark.parametrize(("text", "secret"), ATTACKS.values(), ids=ATTACKS)
def test_a_secret_in_its_usual_place_is_masked_and_counted(text: str, secret: str) -> None:
    for around in ("{}", "one\n{}\ntwo", "$ cat x\n{}\n"):
        done = redact(around.replace("{}", text))
        assert secret not in done.text and "[masked" in done.text
        assert 1 <= sum(done.masked.values()) <= 2
    again = redact(done.text)
    assert (again.text, again.masked) == (done.text, {})


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_looks_like_one_stays(text: str) -> None:
    assert redact(text).text == text


@pytest.mark.parametrize(
    "text",
    [
        END.format("RSA") * 6_000,
        ("A" * 64 + "\n") * 3_000 + END.format("RSA"),
        "Authorization: Basic " * 9_000,
        'name: token, "value": ' * 9_000,
        "mysql -p" * 24_000,
        "docker login " * 15_000,
        "<token>" * 28_000,
        "Private-Lines: 1\n" * 11_000,
        "password: |\n  " + "aaaaaaaaaaa1\n  " * 14_000,
        "?key=" * 40_000,
        '"auth": "' * 22_000,
        "password is " * 16_000,
        "Cookie: a=" * 20_000,
    ],
    ids=lambda text: text[:14],
)
def test_the_time_grows_with_the_length_and_not_faster(text: str) -> None:
    begun = time.process_time()
    redact(text)
    assert time.process_time() - begun < 1.5  # 200 kB; what backtracks takes minutes
