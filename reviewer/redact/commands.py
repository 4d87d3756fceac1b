"""Passwords among the words of a command, as a shell has them and as the list that a tool call passes; among
those of a call in some language, of SQL, and in what is said to servers of mail and files.

Data only. Not known here: what a command of no name below does with its words (HTTPie's `-a` among them),
what is typed into one that asks for it (`send "…"`), more than four values in one command that sets several,
`AUTH x` as Redis takes it.
"""

from __future__ import annotations

from reviewer.redact.shapes import BREAK, shape

# From one word of a command to the next: a blank, or the marks between two texts of a list.
_GAP = r"(?:\s{1,4}|\\{0,31}[\"'],\s{0,12}\\{0,31}[\"'])"
_MARKS = r"[\"'\\]{0,34}"
_SECRET = r"(?!\[masked|[$<{%])[^\s\"'\\]"
_REST = rf"[^\n|;]{{0,200}}?{_GAP}"  # the words between

_NAMED = r"[A-Za-z0-9_]{0,60}(?:KEY|TOKEN|SECRET|PASS|PASSWORD|PASSWD|PWD|PAT)"
# Each value of one command that sets several is masked by a pass of its own.
_SEVERAL = 4

COMMANDS = (
    shape(
        "password",
        "curl wget",
        rf"(?P<keep>\b(?:curl|wget)\b(?:\\\r?\n|[^\n|;]){{0,300}}?{_GAP}(?:-[a-zA-Z]{{0,6}}u|-U|--user|--proxy-user)"
        rf"(?:{_GAP}|=)?{_MARKS}[^\s:\"'\\]{{1,100}}:)"
        r"(?!\[masked)[^\s\"'\\]{3,200}",
    ),
    shape(
        "cookie",
        "curl",
        rf"(?P<keep>\bcurl\b[^\n|;]{{0,300}}?{_GAP}(?:-b|--cookie)(?:{_GAP}|=)?{_MARKS}(?<=[\"'])[^\s=\"'\\]{{1,80}}=)"
        r"(?!\[masked)[^\r\n\"'\\]{6,4000}",
    ),
    shape(
        "password",
        "mysql mariadb",
        rf"(?P<keep>\b(?:mysql|mariadb)[a-z]{{0,10}}(?=[\s\"'\\]){_REST}-p{_MARKS})(?!\[masked)[^\s\"'\\]{{4,200}}",
    ),
    shape(
        "password",
        "sshpass docker podman helm skopeo",
        rf"(?P<keep>\b(?:sshpass|(?:docker|podman|helm|skopeo){_GAP}(?:registry{_GAP})?login\b[^\n|;]{{0,200}}?)"
        rf"{_GAP}-p(?:{_GAP})?{_MARKS})(?!\[masked)[^\s\"'\\]{{3,200}}",
    ),
    shape(
        "password",
        "redis-cli",
        rf"(?P<keep>\bredis-cli\b{_REST}(?:-a|--pass){_GAP}{_MARKS}){_SECRET}{{4,200}}",
    ),
    shape(
        "password",
        "pass:",
        rf"(?P<keep>-pass(?:in|out)?{_GAP}{_MARKS}pass:){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "chpasswd",
        rf"(?P<keep>\becho\s{{1,4}}(?:-\w\s{{1,4}})?{_MARKS}[^\s:\"'\\|]{{1,60}}:){_SECRET}{{3,200}}"
        rf"(?={_MARKS}\s{{0,4}}\|\s{{0,4}}(?:sudo\s{{1,4}})?chpasswd)",
    ),
    shape(
        "password",
        "sudo",
        rf"(?P<keep>\becho\s{{1,4}}(?:-\w\s{{1,4}})?{_MARKS}){_SECRET}{{3,200}}"
        rf"(?={_MARKS}\s{{0,4}}\|\s{{0,4}}sudo\s{{1,4}}(?:-\w\s{{1,4}}){{0,3}}-\w{{0,4}}S)",
    ),
    shape(
        "password",
        "htpasswd",
        rf"(?P<keep>\bhtpasswd{_GAP}-[a-zA-Z]{{0,6}}b[a-zA-Z]{{0,6}}{_GAP}(?:[^\s|;]{{1,200}}{_GAP})?"
        rf"[^\s|;]{{1,100}}{_GAP}){_SECRET}{{3,200}}(?=[\s\"'\\]|\Z)(?![ \t]{{1,4}}[^\s|;&>])",
    ),
    shape(
        "password",
        "passwd vncpasswd kinit cryptsetup password-stdin with-token docker gcloud",
        rf"(?P<keep>\becho\s{{1,4}}(?:-\w\s{{1,4}})?{_MARKS}){_SECRET}{{3,200}}"
        rf"(?={_MARKS}\s{{0,4}}\|\s{{0,4}}(?:sudo\s{{1,4}})?(?:passwd\s{{1,4}}--stdin|vncpasswd\b|kinit\b|cryptsetup\b"
        rf"|docker secret create|gcloud secrets|[^\n|;]{{0,120}}--(?:password-stdin|with-token)))",
    ),
    shape(
        "password",
        "-P",
        rf"(?P<keep>zip(?:cloak)?(?=[\s\"'\\]){_REST}-P{_GAP}?{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "7z",
        rf"(?P<keep>\b7za?{_GAP}[adeltux]{_GAP}(?:[^\n|;]{{0,200}}?{_GAP})??-p){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        ("unrar", "rar a "),
        rf"(?P<keep>rar{_GAP}[adeltux]{_GAP}(?:[^\n|;]{{0,200}}?{_GAP})??-p){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "smb rpcclient",
        rf"(?P<keep>\b(?:smbclient|smbmap|rpcclient)\b{_REST}(?:-U|--user)(?:{_GAP}|=)?{_MARKS}[^\s%\"']{{1,60}}%)"
        rf"{_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "ldap",
        rf"(?P<keep>\bldap(?:search|modify|add|delete|passwd|whoami|compare|modrdn)\b{_REST}-w{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "mongo",
        rf"(?P<keep>\bmongo(?:sh|dump|restore|export|import)?{_REST}-p{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "-P",
        rf"(?P<keep>\b(?:sqlcmd|mosquitto_[a-z]{{2,4}}|ipmitool)\b{_REST}-P{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "snmp",
        rf"(?P<keep>\bsnmp[a-z]{{2,9}}\b{_REST}-A{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "snmp",
        rf"(?P<keep>\bsnmp[a-z]{{2,9}}\b{_REST}-X{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "useradd usermod",
        rf"(?P<keep>\b(?:useradd|usermod)\b{_REST}-p{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "login",
        rf"(?P<keep>\b(?:az|oc|cf|nerdctl|buildah){_GAP}login\b{_REST}-p{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password", "freerdp", rf"(?P<keep>\b(?:xfreerdp3?|wlfreerdp)\b{_REST}/p:{_MARKS}){_SECRET}{{3,200}}"
    ),
    shape(
        "password",
        "storepass keypass",
        rf"(?P<keep>-(?:store|key|deststore|srcstore|destkey|srckey)pass{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        ("net use", 'net", "use'),
        rf"(?P<keep>\bnet{_GAP}use\b[^\n|;]{{0,120}}?\\\\[^\s\"']{{1,100}}{_GAP}){_SECRET}{{3,200}}(?={_GAP}/user:)",
    ),
    shape(
        "password",
        "nmcli",
        rf"(?P<keep>\bnmcli{_GAP}(?:d|dev|device|c|con|connection)\b{_REST}password{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "wpa_passphrase rabbitmqctl",
        rf"(?P<keep>\b(?:wpa_passphrase|rabbitmqctl{_GAP}(?:add_user|change_password)){_GAP}[^\s|;]{{1,100}}{_GAP}{_MARKS})"
        rf"(?=[^\s\"'\\]{{0,60}}[0-9]){_SECRET}{{3,200}}",
    ),
    shape(
        "api key",
        "wandb",
        rf"(?P<keep>\bwandb{_GAP}login{_GAP})(?=[A-Za-z]{{0,60}}[0-9])[A-Za-z0-9]{{30,100}}",
    ),
    *(
        shape(
            "password",
            "from-literal",
            rf"(?P<keep>\bcreate{_GAP}secret\b(?:\\\r?\n|[^\n|;]){{0,400}}?--from-literal(?:=|{_GAP}){_MARKS}"
            rf"[\w.-]{{1,80}}={_MARKS}){_SECRET}{{3,400}}",
        ),
        *(
            shape(
                "password",
                need,
                rf"(?P<keep>\b{need}{_GAP}{more}[^\n|;]{{0,400}}?{_MARKS}[\w.-]{{1,80}}={_MARKS}){_SECRET}{{3,400}}",
            )
            for need, more in (("secrets", f"set{_GAP}"), ("vault", f"kv{_GAP}put{_GAP}"), ("config:set", ""))
        ),
    )
    * _SEVERAL,
    *(
        shape(
            "password",
            need,
            rf"(?P<keep>\b{need}{more}{_REST}(?:--body|-b|--value)(?:{_GAP}|=){_MARKS}){_SECRET}{{3,400}}",
        )
        for need, more in (("secret", f"{_GAP}set"), ("put-parameter", r"(?=[^\n]{0,300}SecureString)"))
    ),
    shape(
        "password",
        "sqlplus sqlldr expdp impdp jdbc:oracle",
        rf"(?P<keep>\b(?:(?:sqlplus|sqlldr|expdp|impdp){_GAP}(?:-\w{{1,2}}{_GAP}){{0,3}}{_MARKS}|jdbc:oracle:\w{{2,4}}:)"
        r"[\w$#]{1,30}/)(?!\[masked)[^\s@/\"'\\]{3,60}(?=@|\s|[\"'\\]|\Z)",
    ),
    shape(
        "password",
        "cqlsh cypher-shell ncftp",
        rf"(?P<keep>\b(?:cqlsh|cypher-shell|ncftp[a-z]{{0,5}})\b{_REST}-p{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "password", "lftp", rf"(?P<keep>\blftp{_REST}-u{_GAP}{_MARKS}[^\s,\"']{{1,60}},){_SECRET}{{3,200}}"
    ),
    shape(
        "password",
        "openssl",
        rf"(?P<keep>\bopenssl{_GAP}(?:enc|aes|des|[a-z0-9]{{2,8}}-)[^\n|;]{{0,200}}?{_GAP}-[kK]{_GAP}{_MARKS})"
        rf"{_SECRET}{{3,200}}",
    ),
    shape("password", "ssh-keygen", rf"(?P<keep>\bssh-keygen{_REST}-[NP]{_GAP}{_MARKS}){_SECRET}{{3,200}}"),
    shape(
        "password", "mysqladmin", rf"(?P<keep>\bmysqladmin{_REST}password{_GAP}{_MARKS}){_SECRET}{{3,200}}"
    ),
    shape(
        "password",
        "setx aws_secret_access_key aws_session_token",
        rf"(?P<keep>\b(?:setx{_GAP}(?:/\w{_GAP})?{_NAMED}|configure{_GAP}set{_GAP}aws_(?:secret_access_key|session_token))"
        rf"{_GAP}{_MARKS}){_SECRET}{{3,4000}}",
    ),
    shape(
        "password",
        "ConvertTo-SecureString",
        r"(?P<keep>\bConvertTo-SecureString\s{1,4}(?:-\w{1,12}\s{1,4}){0,4}\\{0,31}[\"'])(?![$<])[^\"'\\\r\n]{3,200}",
    ),
    shape(
        "password",
        "NetworkCredential( mysqli( mysqli_connect( PDO( MySQLdb.connect( pymysql.connect(",
        r"(?P<keep>\b(?:(?:NetworkCredential|PDO)\(|mysqli(?:_connect)?\(\s?[^,\n()]{1,200},|(?:MySQLdb|pymysql)\.connect\("
        r"\s?[^,\n()=]{1,200},)\s?(?:\$\w{1,40},\s?)?\\{0,31}[\"'][^\"'\\\n]{1,80}\\{0,31}[\"'],\s?\\{0,31}[\"'])"
        r"(?!\[masked)[^\s\"'\\]{3,200}(?=\\{0,31}[\"'])",
    ),
    shape(
        "password",
        ".login(",
        r"(?P<keep>\.login\(\s?\\{0,31}[\"'][^\"'\\\n]{1,80}\\{0,31}[\"'],\s?\\{0,31}[\"'])(?!\[masked)"
        r"[^\s\"'\\]{3,200}(?=\\{0,31}[\"'])",
    ),
    shape(
        "password",
        "etPassword(",
        r"(?P<keep>etPassword\(\s?\\{0,31}[\"'])(?!\[masked)[^\s\"'\\]{3,200}(?=\\{0,31}[\"'])",
    ),
    shape(
        "password",
        "minio :9000",
        rf"(?P<keep>\bmc alias set(?:{_GAP}[^\s|;]{{1,200}}){{3}}{_GAP}{_MARKS}){_SECRET}{{3,200}}",
    ),
    shape(
        "token",
        "vault",
        rf"(?P<keep>\bvault{_GAP}login{_GAP})(?=[a-z.]{{0,8}}[A-Za-z0-9]{{12}}){_SECRET}{{12,200}}",
    ),
    shape(
        "password",
        "requirepass masterauth",
        rf"(?P<keep>\b(?:requirepass|masterauth)\s{{1,4}}{_MARKS}){_SECRET}{{3,200}}",
    ),
    # what is said to servers of mail and files
    shape(
        "password",
        "USER",
        rf"(?P<keep>\bUSER [^\s\\]{{1,80}}{BREAK}(?:[^\n]{{0,100}}{BREAK}){{0,2}}PASS ){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "LOGIN",
        rf"(?P<keep>\b[A-Za-z]{{0,2}}[0-9]{{1,4}} LOGIN [^\s\\]{{1,80}} ){_SECRET}{{3,200}}",
    ),
    shape(
        "password",
        "PLAIN UGFzc3dvcmQ6",
        rf"(?P<keep>\bAUTH PLAIN |\b334 UGFzc3dvcmQ6{BREAK})[A-Za-z0-9+/]{{4,400}}={{0,2}}",
    ),
    # SQL
    shape(
        "password",
        "IDENTIFIED",
        r"(?P<keep>\bIDENTIFIED(?: WITH \\{0,31}'?\w{1,40}\\{0,31}'?)? (?:BY|AS)(?: PASSWORD)? \\{0,31}[\"'])"
        r"(?!\[masked)[^\"'\\\n]{3,200}",
    ),
    shape(
        "password",
        "PASSWORD password",
        r"(?P<keep>\b(?:CREATE|ALTER|SET|WITH|create|alter|set|with)\b[^\n;]{0,120}?"
        r"(?:PASSWORD|password)[ (]')"
        r"(?!\[masked)[^'\\\n]{3,200}(?=')",
    ),
)
