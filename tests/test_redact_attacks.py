"""An attack on the masking: secrets as they stand in logs, files, headers and commands; and what must stay.

Put together from pieces, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    # the words of a command as a list
    "list: flag": (f'{{"argv": ["curl", "--token", "{R}"]}}', R),
    "list: flag in a string": (f'{{\\"argv\\": [\\"curl\\", \\"--token\\", \\"{R}\\"]}}', R),
    "list: mysql": ('["mysql", "-u", "root", "-pArgvSecret99"]', "ArgvSecret99"),
    "list: curl": ('["curl","-u","bob:ArgvPw3n77xy"]', "ArgvPw3n77xy"),
    "list: sshpass": ('["sshpass", "-p", "hunter22", "ssh", "bob@h"]', "hunter22"),
    "list: docker": ('["docker", "login", "-u", "bob", "-p", "hunter22xyz"]', "hunter22xyz"),
    "list: redis": ('["redis-cli", "-h", "x", "-a", "hunter22xyz"]', "hunter22xyz"),
    # values of any type in JSON
    "json: blanks": ('{"password": "words with blanks 9"}', "blanks 9"),
    "json: a phrase": ('{"db_password": "correct horse battery staple"}', "battery"),
    "json: number": ('{"password": 87654321}', "87654321"),
    "json: number in a string": ('{\\"password\\": 87654321}', "87654321"),
    "json: list": ('{"passwords": 1, "password": ["hunter22", "hunter23"]}', "hunter23"),
    "json: inner": ('{"password": {"value": "hunter22"}}', "hunter22"),
    "json: a quote in it": ('{"password": "hunt\\"er22"}', "er22"),
    # names
    "yaml: number": ("password: 87654321", "87654321"),
    "csh": (f"setenv API_TOKEN {R}", R),
    "fish": ("set -gx API_TOKEN hunter", "hunter"),
    "docker file": ("ENV API_TOKEN hunter", "hunter"),
    "default": (f"os.environ.setdefault('API_KEY', '{R}')", R),
    "columns": (f"DB_PASSWORD     {R}", R),
    "table": (f"| DB_PASSWORD | {R} |", R),
    "one blank": (f"DB_PASSWORD {R}", R),
    "terraform": (f'variable "db_password" {{\n  type = string\n  default = "{R}"\n}}', R),
    "URL in a URL": (f"token%3D{R}%26x", R),
    "header of datadog": (f"DD-APPLICATION-KEY: {HEX}", HEX),
    "German": ("Passwort: hunter22", "hunter22"),
    "German sentence": ("Das Passwort lautet hunter22xyz.", "hunter22xyz"),
    "French": ("mot de passe : hunter22", "hunter22"),
    "Spanish": ("contraseña: hunter22", "hunter22"),
    "Russian": ("пароль: hunter22", "hunter22"),
    "Chinese": ("密码：hunter22", "hunter22"),
    "order": (f"use password {R} to log in", R),
    "wide sign": ("password＝hunter22", "hunter22"),
    # places
    "openssl": ("openssl enc -aes-256-cbc -pass pass:hunter22 -in x", "hunter22"),
    "redis": ("redis-cli -a hunter22 ping", "hunter22"),
    "chpasswd": ("echo 'bob:hunter22' | chpasswd", "hunter22"),
    "sudo": ("echo hunter22 | sudo -S ls", "hunter22"),
    "htpasswd": ("htpasswd -b .htpasswd bob hunter22", "hunter22"),
    "wandb": (f"wandb login {HEX}01234567", HEX),
    "tuple": ("requests.get(u, auth=('bob', 'hunter22'))", "hunter22"),
    "@ in a password": ("https://bob:p@ss@host/x", "ss@host"),
    "php": (f"x.php?PHPSESSID={HEX}", HEX),
    "appid": (f"http://api.example/data?appid={HEX}&q=1", HEX),
    "zip": ("zip -P hunter22 a.zip b", "hunter22"),
    "7z": ("7z x -phunter22 a.7z", "hunter22"),
    "rar": ("unrar x -phunter22 a.rar", "hunter22"),
    "smb": ("smbclient //host/share -U bob%hunter22", "hunter22"),
    "ldap": ("ldapsearch -D cn=admin -w hunter22 -b dc=x", "hunter22"),
    "mongo": ("mongosh --host h -u bob -p hunter22", "hunter22"),
    "sqlcmd": ("sqlcmd -S h -U sa -P hunter22", "hunter22"),
    "mosquitto": ("mosquitto_pub -u bob -P hunter22 -t x", "hunter22"),
    "ipmi": ("ipmitool -H h -U admin -P hunter22 power status", "hunter22"),
    "snmp": ("snmpwalk -v3 -u bob -X hunter22 h", "hunter22"),
    "useradd": ("useradd -m -p hunter22 bob", "hunter22"),
    "az": ("az login -u bob -p hunter22", "hunter22"),
    "rdp": ("xfreerdp /u:bob /p:hunter22 /v:h", "hunter22"),
    "keytool": ("keytool -list -storepass hunter22", "hunter22"),
    "net use": ("net use Z: \\\\srv\\share hunter22 /user:bob", "hunter22"),
    "wifi": ("nmcli dev wifi connect home password hunter22", "hunter22"),
    "rabbit": ("rabbitmqctl add_user bob hunter22", "hunter22"),
    "passwd": ("echo hunter22 | passwd --stdin bob", "hunter22"),
    "list: ldap": ('["ldapsearch", "-D", "cn=admin", "-w", "hunter22"]', "hunter22"),
    # in a column under its heading
    "csv": ("user,password\nbob,hunter22\n", "hunter22"),
    "csv in quotes": ('"id","api_key"\n"7, x","' + R + '"', R),
    "tabs": (f"user\taccess_token\nbob\t{R}", R),
    "wide blanks": ("USER      PASSWORD\nbob       hunter22", "hunter22"),
    "psql": (" id | password \n----+----------\n  1 | hunter22", "hunter22"),
    "markdown": ("| user | password |\n| --- | --- |\n| bob | hunter22 |", "hunter22"),
    # a code, a password in a sentence
    "code": ("Your verification code is 482913.", "482913"),
    "code in two": ("Security code: 482 913", "482 913"),
    "code before": ("G-482913 is your login code", "482913"),
    "OTP": ("OTP: 482913", "482913"),
    "PIN": ("The PIN is 4829", "4829"),
    "new password": ("I set the root password to 'hunter22'", "hunter22"),
    "password after": ("log in with hunter22 as the password", "hunter22"),
    "seed": ("mnemonic: " + "zebra apple mango river stone cloud " * 2, "river stone"),
    "private number": (f"private key: 0x{HEX}{HEX}", HEX),
    # what nobody sees
    "zero width": ("pass\u200bword: hunter22", "hunter22"),
    "zero width in a key": (f"sk-ant-\u200dapi03-{R}{R}", R),
    "soft hyphen": ("API_\u00adKEY=hunter", "=hunter"),
    "Cyrillic letter": ("p\u0430ssword: hunter22", "hunter22"),
    "wide letters": ("ｐａｓｓｗｏｒｄ：hunter22", "hunter22"),
    # encoded once more
    "base64 name": ("echo " + base64.b64encode(b"user=bob password=hunter22").decode(), "aHVudGVyMjI"[:8]),
    "base64 key": (
        base64.b64encode(f"sk-ant-api03-{R}{R}".encode()).decode(),
        base64.b64encode(R.encode())[:9].decode(),
    ),
    # files, headers, names
    "shadow": (f"bob:$6$salt1234${R}{R}:19000:0:99999:7:::", R),
    "bcrypt": (f"$2b$12${R}{R}abcdefghijklm", R),
    ".pgpass": ("localhost:5432:db:bob:hunter22", "hunter22"),
    "wifi code": ("WIFI:S:net;T:WPA;P:hunter22;;", "hunter22"),
    "wpa": ('psk="hunter22x"', "hunter22x"),
    "header of one's own": (f"X-Auth-Token: {R}", R),
    "jwt": (f'"jwt": "{R}"', R),
    "teams": (f"https://x.webhook.office.com/webhookb2/{R}{R}", R),
    # providers
    "after an underscore": ("bash_ghp_" + R * 2, R),
    "telegram": ("https://api.telegram.org/bot123456789:AA" + (R * 2)[:35], R),
    "tailscale": ("tskey-auth-" + R[:12] + "-" + R, R),
    "fly": ("FlyV1 fm2_" + R * 2, R),
    "discord": ("MTk4NjIyNDgzNDcxOTI1MjQ4" + ".Cl2FMQ." + (R * 2)[:27], R),
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
    *(
        "token, secret, key",
        '["API_KEY", "DB_SECRET_2", "name"]',
        "'API_KEY', 'ROOT_1'",
        "Passwort vergessen",
    ),
    *('{"password": "The password of the user, at least 8 characters."}', '{"password": "This is required"}'),
    *(
        "| Token | Description of 3 |",
        "API_KEY environment2",
        "DB_PASSWORD is unset",
        '"max_tokens": 87654321',
    ),
    *(
        '"password": null',
        '"password_count": 1234',
        "password = 12",
        '["--token", "--verbose"]',
        "my_fw_long_name_of_it",
    ),
    *("echo done | sudo tee x", "curl --url https://x.example:80", "redis-cli -h x ping", "pass: 3 fail: 4"),
    *("https://x.example:8080/p?mail=a", "MTk4NjIyNDgzNDcxOTI1MjQ4.txt.x", "x = BasicAuth(user, secret)"),
    *("user,password\nbob,secretive", "password\tstring\naddress1\tstring", "token,count\nthe1,5\nof2,7"),
    *(
        "| Field | Password |\n|---|---|\n| type | string |",
        "name  password\nadmin  required\n",
        "a,b\npassword,x1y2z3",
    ),
    *("id | name\npassword | varchar(128)\nlast_login1 | date", "username, password\nand email, option2"),
    *(
        "exit code 482913",
        "status code: 4829",
        "confirmation code is AB12CD",
        "code 482913",
        "GPIO PIN13",
        "PIN: 12",
    ),
    *(
        "verification code is 12",
        "access code 2024-11-30",
        "one-time code: 10.0.0.1",
        "order 482913 is your order",
    ),
    *("reset the password to log2", "moved the password to server1 and left", "x1 as the input"),
    *(
        "Mnemonic: a word that helps to remember things, such as a rhyme.",
        "private key 0x12",
        "cost is $5$ or $6$",
    ),
    *(
        "zip -r a.zip b",
        "unzip -p a.zip x1y2",
        "7z x a.7z -otmp1",
        "mongod -p",
        "az login --help",
        "net use Z: x1y2",
    ),
    *(
        "the wpa_passphrase tool generates keys",
        "nmcli asks for a password interactively",
        "rar files -plain",
        "keypass",
    ),
    *("мир и p\u0430ge: 12 слов", "naïve\u00adly", "👩\u200d💻 commits", "ｗｉｄｅ：text22", "a\u200bb c1"),
    *("cGFzc3dvcmQ=", base64.b64encode(b"the password is required").decode(), "pw = playwright.chromium"),
    *(
        "pw = page_width2",
        "pwm: 128",
        "jwt: required",
        "bearer token",
        "X-Auth-Mode: basic",
        "src.c:5432:error:x",
    ),
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
        "redis-cli -a " * 15_000,
        "echo a:b" * 25_000,
        "htpasswd -b " * 16_000,
        "wandb login " * 16_000,
        '"password": [' * 15_000,
        '"password": "a\\' * 15_000,
        "DB_PASSWORD | " * 14_000,
        "variable token { " * 12_000,
        "auth=('a', " * 18_000,
        "://a:b@c" * 25_000,
        "MTkw" * 50_000,
        "密码：" * 60_000,
        "user,password\n" * 14_000,
        "user,password\nuser\tpassword\n" * 7_000,
        "user,password,token\n" + "bob,hunter22,x\n" * 13_000,
        "password\t" * 22_000,
        "password\\n" * 20_000,
        "cGFzc3dvcmQ" * 18_000,
        "cGFzc3dvcmQ= " * 15_000,
        "pass\u200bword: " * 15_000,
        "p\u0430ssword: x " * 13_000,
        "verification code " * 11_000,
        "1234 is your " * 15_000,
        "set password to " * 12_000,
        "a1 as the password " * 10_000,
        "mnemonic: " + "apple " * 33_000,
        "zip -P" * 33_000,
        "unrar -p " * 22_000,
        "ldapsearch -w " * 14_000,
        "WIFI:;P:" * 25_000,
        "net use \\\\a b " * 12_000,
    ],
    ids=lambda text: text[:14],
)
def test_the_time_grows_with_the_length_and_not_faster(text: str) -> None:
    begun = time.process_time()
    redact(text)
    assert time.process_time() - begun < 1.5  # 200 kB; what backtracks takes minutes


SAID = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=40)
WORD = st.text(st.sampled_from("abcxyz"), min_size=1, max_size=8)
PASSWORD = st.from_regex(r"[a-z]{3,6}[0-9]{2,4}[a-z]", fullmatch=True)


@given(
    st.sampled_from(["\t", ",", ";", " | ", "    "]), st.integers(0, 3), st.lists(PASSWORD, min_size=1), WORD
)
def test_a_column_is_masked_and_nothing_beside_it(sign: str, at: int, values: list[str], word: str) -> None:
    def row(value: str) -> str:
        return sign.join([*[word] * at, value, word])

    text = "\n".join(["", row("db_password"), *map(row, values), "", f"{word} is all"])
    want = "\n".join(["", row("db_password"), *[row("[masked value]")] * len(values), "", f"{word} is all"])
    done = redact(text)
    assert (done.text, sum(done.masked.values())) == (want, len(values))
    assert redact(done.text).text == done.text


@given(PASSWORD, st.integers(1, 7), st.sampled_from("\u200b\u200d\u00ad\u2060\ufeff"))
def test_a_sign_that_nobody_sees_hides_no_name(value: str, at: int, sign: str) -> None:
    name = f"{'password'[:at]}{sign}{'password'[at:]}"
    assert value not in redact(f"the {name}: {value}").text
    assert redact(f"the {sign} sign{sign} of {value}").masked == {}


@given(SAID, PASSWORD, SAID)
def test_what_is_encoded_once_is_masked_wherever_it_stands_in_the_text(a: str, value: str, b: str) -> None:
    run = base64.b64encode(f"{a}\nDB_PASSWORD={value}\n{b}".encode("utf-8", "replace")).decode()
    assert redact(f"echo {run} | base64 -d").text == "echo [masked encoded secret] | base64 -d"


def test_json_stays_json() -> None:
    value = {
        "password": 87654321,
        "list": [{"secret": ["hunter22", "x y"]}, {"db_password": 'a"b\\c 9'}],
        "argv": ["curl", "--token", "hunter22"],
        "in a string": json.dumps({"password": 87654321, "passphrase": "one two 3"}),
    }
    done = redact(json.dumps(value))
    back = json.loads(done.text)
    assert back["password"] == "[masked value]" == back["argv"][2]
    assert json.loads(back["in a string"]) == {"password": "[masked value]", "passphrase": "[masked value]"}
    assert not any(left in done.text for left in ("hunter22", "8765", "x y", "b\\\\c", "two"))
