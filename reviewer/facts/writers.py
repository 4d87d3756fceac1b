"""Which programs of a shell write, and which files, as far as one simple command tells.

Tables and a few rules. Not known: aliases, scripts by other names, options that reached a program through a
variable, what comes out of an archive or an installer, which files `find -delete` or, of a whole folder,
`git checkout` touch.
"""

from __future__ import annotations

import re

from reviewer.facts.patches import patched_paths
from reviewer.facts.programs import INTERPRETERS, LOCAL, formats, program_check
from reviewer.facts.shell import Command, names
from reviewer.facts.written_code import code_paths, code_writes

_WRITERS = names(
    "patch rm mv cp ln install touch truncate rmdir unlink shred rsync sponge edit create insert append "
    "str_replace apply_patch mail sendmail mutt Set-Content Add-Content Out-File Remove-Item Move-Item "
    "Copy-Item Rename-Item"
)
_GIT_WRITES = names(
    "apply am checkout restore reset stash revert merge rebase cherry-pick rm mv clean pull push switch"
)
# Options with which a program only says what it would do, or does something else than to write a file.
_ONLY_SAYS = {
    "rsync": re.compile(r"-[a-zA-Z]*n[a-zA-Z]*|--dry-run|--list-only"),
    "patch": re.compile(r"--dry-run|--check|-C"),
    "install": re.compile(r"-[a-zA-Z]*d|--directory"),
    "git apply": re.compile(r"--check|--stat|--numstat|--summary"),
    "git clean": re.compile(r"-[a-zA-Z]*n[a-zA-Z]*|--dry-run"),
    "git rm": re.compile(r"-n|--dry-run"),
    "git mv": re.compile(r"-n|--dry-run"),
    "git push": re.compile(r"-n|--dry-run"),
}
_TO_FOLDER = re.compile(r"-[tmogS]|--target-directory|--mode|--owner|--group|--suffix")
# Options after which a word stands that is no file that is written.
_VALUED = {
    "sed": re.compile(r"-[nErsz]*[efl]|--expression|--file"),
    "perl": re.compile(r"-\w*[eE]"),
    "awk": re.compile(r"-[iFvf]|--include|--file"),
    "gawk": re.compile(r"-[iFvf]|--include|--file"),
    "truncate": re.compile(r"-[sr]|--size|--reference"),
    "touch": re.compile(r"-[dtr]|--date|--reference"),
    "rsync": re.compile(r"-[a-zA-Z]*e|-[fMT]|--(?:rsh|(?:ex|in)clude(?:-from)?|filter|files-from)"),
    "patch": re.compile(r"-[idoBDFprVz]|--(?:input|directory|output|strip)"),
    **dict.fromkeys(("cp", "mv", "ln", "install"), _TO_FOLDER),
}
# Where the script is not the first word.
_SCRIPT = {
    "sed": re.compile(r"-[nErsz]*[ef]|--expression|--file"),
    "perl": re.compile(r"-\w*[eE]"),
    **dict.fromkeys(("awk", "gawk"), re.compile(r"-f|--file")),
}
_BSD_ENDING = re.compile(r"(?:\.\w+)?")  # of the copy that `sed -i '' …` keeps: there a word of its own
_FIND_WRITES = names("-delete -fprint -fprint0 -fprintf -fls")
_LINE_EDITORS = names("ed ex vi vim nvim")
_SAVES = re.compile(r"^(?:.{0,200}[|+: ])?wq?!?$|\|x!?$", re.MULTILINE)
_INTO = {
    "curl": re.compile(r"-[a-zA-Z]*o|--output"),
    "wget": re.compile(r"-[a-zA-Z]*O|--output-document"),
}


def program_writes(command: Command) -> bool:
    """Whether one simple command writes: in place, to a file it is redirected to, or by its program."""
    name, words = command.program, command.words
    if name == "sort":
        return any(word.startswith(("-o", "--output")) for word in words[1:])
    if name in ("curl", "wget"):
        return bool(_fetched(command)) or _sends(words)
    if name == "git":  # `git diff > x.patch` copies a change, it does not make one
        return _git_writes(_git(words))
    if any(_is_file(target) for target in command.targets) and not program_check(command):
        return True  # the log of a check is not a change of the work
    if name in _WRITERS:
        return not _only_says(name, words[1:])
    if name in ("tee", "dd"):
        return any(_is_file(path) for path in _named(command))
    if name == "find":
        return bool(_FIND_WRITES & set(words))
    if name in _LINE_EDITORS:
        return bool(_SAVES.search("\n".join([command.body, *words[1:]])))
    if _in_place(words) or formats(name, words):
        return True
    if name in INTERPRETERS:
        return code_writes(command.body) or any(code_writes(word) for word in _inline(words))
    return False


def program_paths(command: Command) -> list[tuple[str, bool]]:
    """The files that one simple command writes by name, each with whether it removes it."""
    if not program_writes(command):
        return []
    name = command.program
    out = [(target, False) for target in command.targets if _is_file(target)]
    if name in INTERPRETERS and not _in_place(command.words):
        codes = [command.body, *_inline(command.words)]
        return out + [(path, False) for code in codes for path in code_paths(code)]
    if name in ("curl", "wget"):
        return out + [(path, False) for path in _fetched(command)]
    if name == "git":
        return out + _git_paths(command)
    return out + [(path, gone) for path, gone in _written(command) if path != "{}"]


def _written(command: Command) -> list[tuple[str, bool]]:
    """The files that a program of the tables writes or removes."""
    name, named = command.program, _named(command)
    if name in ("apply_patch", "applypatch", "patch"):
        patched = patched_paths(command.body or "\n".join(command.words[1:]))
        own = named[:1] if name == "patch" and not command.body else []
        return list(patched) or [(path, False) for path in own if not path.endswith((".patch", ".diff"))]
    if name in ("rm", "unlink", "rmdir", "shred"):
        return [(path, True) for path in named]
    if name in ("mv", "cp", "ln", "install", "rsync"):
        return _moved(command.words, named, name == "mv")
    if name in ("tee", "dd", "touch", "truncate", "create"):
        return [(path, False) for path in named if _is_file(path)]
    if given := _SCRIPT.get(name):
        if name == "sed" and named and _BSD_ENDING.fullmatch(named[0]):
            named = named[1:]
        first = 0 if any(given.fullmatch(word) for word in command.words) else 1
        return [(path, False) for path in named[first:] if "/" in path or "." in path]
    return []


def _moved(words: list[str], named: list[str], gone: bool) -> list[tuple[str, bool]]:
    """Where files are put, and whence they are gone; `-t` names the folder before them."""
    folder = next((words[at + 1 : at + 2] for at, word in enumerate(words) if word == "-t"), [])
    sources, target = (named, folder) if folder else (named[:-1], named[-1:])
    if not sources or any(":" in path for path in target):  # on another machine
        return []
    return [(path, True) for path in sources if gone] + [(path, False) for path in target]


def _named(command: Command) -> list[str]:
    """The words of a command that are no options and no values of options; of `dd` the file it writes."""
    if command.program == "dd":
        return [word.removeprefix("of=") for word in command.words[1:] if word.startswith("of=")]
    valued = _VALUED.get(command.program)
    found: list[str] = []
    words = iter(command.words[1:])
    for word in words:
        if word == "--":
            found += words
        elif valued and valued.fullmatch(word):
            next(words, "")
        elif not word.startswith("-"):
            found.append(word)
    return found


def _only_says(name: str, words: list[str]) -> bool:
    known = _ONLY_SAYS.get(name)
    return known is not None and any(known.fullmatch(word) for word in words)


def _git(words: list[str]) -> list[str]:
    """The words of a `git` command from its verb on."""
    rest = words[1:]
    while len(rest) > 1 and rest[0].startswith("-"):
        rest = rest[2:] if rest[0] in ("-C", "-c") else rest[1:]
    return rest


def _git_writes(rest: list[str]) -> bool:
    verb = rest[0] if rest else ""
    if verb == "stash" and rest[1:2] in (["list"], ["show"]):
        return False
    return verb in _GIT_WRITES and not _only_says(f"git {verb}", rest[1:])


def _git_paths(command: Command) -> list[tuple[str, bool]]:
    """What `git` removes, moves or patches by name; what it brings back is no change of the run."""
    rest = _git(command.words)
    if rest[0] == "apply":
        return list(patched_paths(command.body or "\n".join(rest[1:])))
    if rest[0] in ("rm", "mv") and "--cached" not in rest:
        return _written(Command(rest))
    return []


def program_restores(command: Command) -> list[str]:
    """The files that `git checkout` or `git restore` names: they are again as they were."""
    rest = _git(command.words) if command.program == "git" else []
    if rest[:1] not in (["checkout"], ["restore"]) or {"--staged", "-S", "-b", "-B"} & set(rest):
        return []
    return [word for word in rest[1:] if not word.startswith("-")]


def _fetched(command: Command) -> list[str]:
    """The file that `curl -o`, `curl -O` or `wget` puts a download into, as far as it is named."""
    words = command.words
    for at, word in enumerate(words[1:], 1):
        if _INTO[command.program].fullmatch(word):
            return [path for path in words[at + 1 : at + 2] if path != "-" and _is_file(path)]
    by_its_name = command.program == "wget" and not re.search(
        r" (?:--spider|-\w*O-?)(?: |$)", " ".join(words)
    )
    if by_its_name or any(re.fullmatch(r"-[a-zA-Z]*O|--remote-name", word) for word in words[1:]):
        urls = [word.split("?")[0].rstrip("/") for word in words[1:] if "://" in word]
        return [url.rsplit("/", 1)[-1] for url in urls[:1]]
    return []


def _sends(words: list[str]) -> bool:
    """A request that changes something elsewhere; one to this machine only tries out what runs here."""
    if any(LOCAL.search(word[:300]) for word in words):
        return False
    return any(
        word in ("POST", "PUT", "PATCH", "DELETE") or word.startswith(("-XP", "-XD", "--data", "--post-data"))
        for word in words[1:]
    )


def _is_file(target: str) -> bool:
    return bool(target) and not target.startswith("/dev/")


def _in_place(words: list[str]) -> bool:
    """`sed -i`, `perl -pi -e`, `gawk -i inplace`, also behind a program that is not known to run others."""
    for at, word in enumerate(words):
        name = word.rsplit("/", 1)[-1]
        options = words[at + 1 : at + 6]
        if name == "sed" and any(re.match(r"-[nErsz]*i|--in-place", option) for option in options):
            return True
        if name in ("perl", "ruby") and any(re.match(r"-[pnlaws0-7]*i", option) for option in options):
            return True
        if name in ("awk", "gawk") and "inplace" in options:
            return True
    return False


def _inline(words: list[str]) -> list[str]:
    """The code of `python -c "…"` or `node -e "…"`."""
    return [words[n + 1] for n, word in enumerate(words[:-1]) if word in ("-c", "-e", "--eval")]
