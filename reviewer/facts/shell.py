"""Splits a shell command into its simple commands, well enough to see which programs it runs.

Not a shell: no expansion, no aliases, no functions, no control flow; words such as `if` or `do` are
dropped. What a script does inside is not known. Linear in the command, of which at most `MAX` characters
are read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

MAX = 16_000

_TOKEN = re.compile(
    r"""(?P<heredoc><<-?\s*(?P<quote>['"]?)(?P<tag>\w+)(?P=quote))
      | (?P<redirect>(?:\d|&)?>{1,2}(?:&\d?|\|)?)
      | (?P<operator>&&|\|\|?|;{1,2}|&|\n|\$?\(|\)|`)
      | (?P<space>[ \t\r]+|\\\n)
      | (?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\;&|<>()`])+)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


def names(text: str) -> frozenset[str]:
    """A set of words written as one text, for tables of names."""
    return frozenset(text.split())


_KEYWORDS = names("if then else elif fi for while until do done case esac in { } ! time function")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
# Programs that only run another program: the number says how many of their own words come before it.
_WRAPPERS = {
    "sudo": 0, "env": 0, "nohup": 0, "nice": 0, "stdbuf": 0, "command": 0, "exec": 0, "xargs": 0, "npx": 0,
    "bunx": 0, "uvx": 0, "timeout": 1, "xvfb-run": 0, "winpty": 0, "unbuffer": 0,
}  # fmt: skip
_RUNNERS = {"uv": "run", "poetry": "run", "pipenv": "run", "pdm": "run", "hatch": "run", "rye": "run",
            "coverage": "run", "bundle": "exec", "pnpm": "exec"}  # fmt: skip
_FIND_RUNS, _FIND_ENDS = names("-exec -execdir -ok -okdir"), names("; \\; +")
_VALUED = {"-u", "-n", "-m", "-k", "-s", "--signal", "-I", "-P", "-L", "--extra", "--with", "--group"}


@dataclass(slots=True)
class Command:
    """One simple command: its words without quotes, the files it is redirected to, its heredoc."""

    words: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    body: str = ""

    @property
    def program(self) -> str:
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


def commands(text: str) -> list[Command]:
    """The simple commands of `text` in order, wrappers such as `sudo` or `poetry run` taken off."""
    return _parsed(text[:MAX], 0)


@lru_cache(maxsize=16)  # several questions are asked of one call, one after the other
def _parsed(text: str, depth: int) -> list[Command]:
    out: list[Command] = []
    current = Command()
    pending: list[tuple[str, Command]] = []  # heredocs whose bodies begin at the next line
    to_file = False
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            break
        at = match.end()
        kind = match.lastgroup
        if kind == "word":
            word = unquoted(match.group())
            if to_file:
                current.targets.append(word)
                to_file = False
            elif current.words or not (word in _KEYWORDS or word.startswith("#")):
                current.words.append(word)
            elif word.startswith("#"):
                at = _end_of_line(text, at)
        elif match.group("redirect"):
            to_file = _names_file(match.group("redirect"))
        elif match.group("heredoc"):
            pending.append((match.group("tag"), current))
        elif match.group("operator"):
            current = _next(out, current)
            to_file = False
            if match.group() == "\n" and pending:
                at = _bodies(text, at, pending)
    _next(out, current)
    return [inner for command in out for inner in _unwrapped(command, depth)]


def _next(out: list[Command], current: Command) -> Command:
    if current.words or current.targets:
        out.append(current)
    return Command()


def _names_file(redirect: str) -> bool:
    """Whether a file name follows that normal output goes to: not for `2>`, `2>&1`, `>&2`."""
    return not redirect.startswith(("2", "0")) and not redirect.rstrip("0123456789").endswith(">&")


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def _bodies(text: str, at: int, pending: list[tuple[str, Command]]) -> int:
    """Hands each waiting heredoc its body; gives where the text goes on after the last one."""
    for tag, command in pending:
        end = re.compile(rf"^[ \t]*{re.escape(tag)}[ \t]*$", re.MULTILINE).search(text, at)
        command.body = text[at : end.start() if end else len(text)]
        at = end.end() if end else len(text)
    pending.clear()
    return at


# The third alternative keeps the search linear: an escaped quote never starts a quoted part.
_QUOTED = re.compile(r"""'([^']*)'|"((?:\\.|[^"\\])*)"|(\\.)""", re.DOTALL)


def unquoted(word: str) -> str:
    """The word without its quotes; a backslash is kept, since paths of Windows have them."""
    if "'" not in word and '"' not in word:
        return word
    return _QUOTED.sub(lambda m: m.group(1) or m.group(2) or m.group(3) or "", word)


def _unwrapped(command: Command, depth: int) -> list[Command]:
    """The command without assignments and wrappers; for `bash -c "…"` the commands in its text."""
    words = command.words
    for _ in range(8):
        while words and _ASSIGNMENT.match(words[0]):
            words = words[1:]
        name = words[0].rsplit("/", 1)[-1] if words else ""
        if name in _RUNNERS and _RUNNERS[name] in words[1:3]:
            words = _after_options(words[words.index(_RUNNERS[name], 1) + 1 :], 0)
        elif name in _WRAPPERS and len(words) > 1:
            words = _after_options(words[1:], _WRAPPERS[name])
        elif name in ("python", "python3", "py") and words[1:2] == ["-m"] and len(words) > 2:
            words = words[2:]
        elif name in ("docker", "podman", "kubectl", "docker-compose") and "exec" in words[1:3]:
            words = _after_options(words[words.index("exec", 1) + 1 :], 1)
        else:
            break
    if name in ("bash", "sh", "zsh", "dash", "ash") and depth < 2:
        for n, word in enumerate(words[1:], 1):
            if re.fullmatch(r"-\w*c", word) and n + 1 < len(words):
                inner = _parsed(words[n + 1][:MAX], depth + 1)
                if inner and command.targets:
                    last = replace(inner[-1], targets=inner[-1].targets + command.targets)
                    return [*inner[:-1], last]
                return inner
    whole = Command(words, command.targets, command.body)
    return [whole, *_run_by_find(words, depth)] if name == "find" and depth < 2 else [whole]


def _run_by_find(words: list[str], depth: int) -> list[Command]:
    """The commands that `find` runs: `-exec rm {} ;`."""
    found: list[Command] = []
    for at, word in enumerate(words):
        if word in _FIND_RUNS:
            end = next((n for n in range(at + 1, len(words)) if words[n] in _FIND_ENDS), len(words))
            found += _unwrapped(Command(words[at + 1 : end]), depth + 1) if end > at + 1 else []
    return found


def _after_options(words: list[str], own: int) -> list[str]:
    """`words` after leading options, assignments and `own` further words."""
    at = 0
    while at < len(words) and (words[at].startswith("-") or _ASSIGNMENT.match(words[at])):
        at += 2 if words[at] in _VALUED else 1
    return words[at + own :]
