"""Passwords among the words of a command, as a shell has them and as the list that a tool call passes.

Data only. Not known here: what a command of no name below does with its words, and what is typed into one
that asks for it (`send "…"`).
"""

from __future__ import annotations

from reviewer.redact.shapes import shape

# From one word of a command to the next: a blank, or the marks between two texts of a list.
_GAP = r"(?:\s{1,4}|\\{0,3}[\"'],\s{0,12}\\{0,3}[\"'])"
_MARKS = r"[\"'\\]{0,4}"
_SECRET = r"(?!\[masked|[$<{%])[^\s\"'\\]"
_REST = rf"[^\n|;]{{0,200}}?{_GAP}"  # the words between

COMMANDS = (
    shape(
        "password",
        "curl wget",
        rf"(?P<keep>\b(?:curl|wget)\b[^\n|;]{{0,300}}?{_GAP}(?:-u|--user)(?:{_GAP}|=)?{_MARKS}[^\s:\"'\\]{{1,100}}:)"
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
        "sshpass login",
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
        "passwd vncpasswd kinit cryptsetup",
        rf"(?P<keep>\becho\s{{1,4}}(?:-\w\s{{1,4}})?{_MARKS}){_SECRET}{{3,200}}"
        rf"(?={_MARKS}\s{{0,4}}\|\s{{0,4}}(?:sudo\s{{1,4}})?(?:passwd\s{{1,4}}--stdin|vncpasswd\b|kinit\b|cryptsetup\b))",
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
)
