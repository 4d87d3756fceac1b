"""What a call is for: does it change something, does it check something, what is it about.

Judged by names and words alone. It does not know what a script does that is run by its name, what a
function of an unknown tool changes, or whether a write changed a single byte. Unknown tools count as
neither.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache

from reviewer.facts.patches import patched_paths, unified
from reviewer.facts.programs import CHECK_KINDS, CheckKind, program_check
from reviewer.facts.shell import Command, commands, names
from reviewer.facts.texts import colourless, ends, spelled
from reviewer.facts.tools import named_write, squeezed, tool_check, tool_kind
from reviewer.facts.writers import program_paths, program_writes
from reviewer.facts.written_code import SCAN, code_paths, code_writes
from reviewer.trace import Json, ToolCall

_ACTION_LINES = re.compile(r"(?:edit|insert|create|append|str_replace)(?: |$)")
_RANGE_LINES = re.compile(r"edit(?: \d+:\d+)?\s*(?:\n|$)|insert \d+\s*(?:\n|$)")
_OPEN_FILE = re.compile(r"\[File: (.{1,400}) \(\d+ lines total\)\]")
_EDITOR_WRITES = names("create str_replace insert undo_edit write append delete")
_SEARCH = names("grep egrep fgrep zgrep rg ag ack pgrep which test [")
_DIFFER = names("diff cmp colordiff")
_MAX_ARGUMENTS = 200_000
# Programs that begin what they complain about with their name.
_NAME_THEMSELVES = names("cd echo printf cat tee sed cp mv rm mkdir touch ln export")
_COMPLAINT = re.compile(
    rf"^(?:/bin/|/usr/bin/)?(?:{'|'.join(sorted(_NAME_THEMSELVES))}|(?:ba|z|da)?sh)(?:\[\d+\])?: ",
    re.MULTILINE,
)

_COMMAND_KEYS = ("command", "cmd", "script", "commands", "code", "input", "action", "bash_command")
_TARGET_KEYS = (
    "file_path",
    "path",
    "filename",
    "file",
    "target_file",
    "notebook_path",
    "filepath",
    "filePath",
    "fileName",
    "TargetFile",
    "absolute_path",
    "relative_workspace_path",
    "url",
    "uri",
)
_PATH = re.compile(r"[\w@%+~.-]*(?:/[\w@%+~.\-\[\]]*)+|[\w@%+~-]+\.[A-Za-z]\w{0,7}")
_ID_KEY = re.compile(r"(?:id|Id|ID)$|(?:^|_)ids$|[a-z]I[dD]s$|^(?:index|ref|selector)$")
_CREATED = re.compile(
    r"\bcreated (?:new )?file|\bfile (?:was )?created|new file created|<operation>created"
    r"|created successfully|wrote new file|^created\b",
    re.IGNORECASE,
)
_API = re.compile(r"\s*(?:await\s+)?([A-Za-z_][\w.\-]*)\s*\(")


def is_write(call: ToolCall) -> bool:
    """Whether the call changes files or the world, as far as its name and words tell."""
    kind = tool_kind(call.name)
    if kind == "editor":
        return _argument(call, ("command", "action")).split(" ")[0] in _EDITOR_WRITES
    if kind == "edit":
        return True
    text = command_text(call)
    if kind == "code":
        return code_writes(text) or any(program_writes(command) for command in _shell_lines(text))
    if kind == "shell" or (not call.name.strip() and text):
        return _text_writes(text)
    return named_write(call.name)


def is_api(call: ToolCall) -> bool:
    """Whether the call goes to a named function of the task's world, not to a shell or an editor."""
    if not call.name.strip():
        return _API.match(command_text(call)[:200]) is not None
    return not tool_kind(call.name)


def check_kind(call: ToolCall) -> CheckKind:
    """What the call checks: empty for nothing. A server start is one that cannot check by itself."""
    if kind := tool_check(call.name):
        return kind
    kinds = {program_check(command) for command in shell_commands(call)}
    return next((kind for kind in CHECK_KINDS if kind in kinds), "")


def is_check(call: ToolCall) -> bool:
    """Whether the call runs tests, a build, a linter, a check script, or starts a server to look at."""
    return check_kind(call) != ""


def command_text(call: ToolCall) -> str:
    """The command of a call: its text, or the usual argument of a shell tool; else empty."""
    arguments = arguments_of(call)
    if isinstance(arguments, str):
        return _action(arguments, _ACTION_LINES)
    if not isinstance(arguments, Mapping):
        return ""
    for key in _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            return _action(value, _RANGE_LINES)
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            return _argv(value)
    return ""


def _action(text: str, known: re.Pattern[str]) -> str:
    """The action line of an older agent without the new text of the file that follows it: `edit 12:20`."""
    first, _, _ = text[:SCAN].lstrip().partition("\n")
    return first if known.match(first) else text


def _argv(words: list[str]) -> str:
    """A command given as a list: `["bash", "-lc", "…"]` is the text in it."""
    if len(words) >= 3 and re.fullmatch(r"-\w*c", words[1]):
        return words[2]
    return " ".join(words)


def arguments_of(call: ToolCall) -> Json:
    """The arguments; where a source left the text of a JSON object, that object."""
    raw = call.arguments
    if isinstance(raw, str) and raw[:1] == "{" and len(raw) <= _MAX_ARGUMENTS:
        return _parsed(raw)
    return raw


@lru_cache(maxsize=16)
def _parsed(text: str) -> Json:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict) else text


def _argument(call: ToolCall, keys: tuple[str, ...]) -> str:
    arguments = arguments_of(call)
    if isinstance(arguments, dict):
        for key in keys:
            value = arguments.get(key)
            if isinstance(value, str) and value:
                return value
    return ""


def _text_writes(text: str) -> bool:
    """A shell command, or the action line of an older agent (`edit 12:20`, `cancel_order(id=1)`)."""
    api = _API.match(text[:200])
    if api and named_write(api.group(1)):
        return True
    return any(program_writes(command) for command in commands(text))


def _shell_lines(code: str) -> list[Command]:
    """The shell commands that stand in a notebook's cell: `!pytest -q`."""
    lines = (line.lstrip()[1:] for line in code[:SCAN].splitlines() if line.lstrip().startswith("!"))
    return [command for line in lines for command in commands(line)]


def paths_written(call: ToolCall, reply: str = "") -> tuple[tuple[str, bool], ...]:
    """The files that the call writes, each with whether it removes it, as it or its reply tells them."""
    found = _paths_named(call)
    if found or is_api(call):
        return found
    opened = _OPEN_FILE.search(reply[:400])
    if opened and _RANGE_LINES.match(command_text(call)):
        return ((opened.group(1), False),)
    return patched_paths(diff) if (diff := unified(reply[:SCAN])) else ()


def _paths_named(call: ToolCall) -> tuple[tuple[str, bool], ...]:
    kind = tool_kind(call.name)
    if kind in ("edit", "editor") and (path := _argument(call, _TARGET_KEYS)):
        return ((path, squeezed(call.name).startswith(("delete", "remove"))),)
    if kind == "edit":
        return patched_paths(_argument(call, ("patch", "input", "patchText", "diff")) or command_text(call))
    out: list[tuple[str, bool]] = []
    for command in shell_commands(call):
        out.extend(program_paths(command))
    if kind == "code":
        out.extend((path, False) for path in code_paths(command_text(call)))
    return tuple(dict.fromkeys(out))


def creates(call: ToolCall, reply: str) -> bool:
    """Whether the call made a file that was not there, as far as its name or its reply say so."""
    if tool_kind(call.name) == "editor":
        return _argument(call, ("command", "action")) == "create"
    return bool(_CREATED.search(reply[:400])) or squeezed(call.name) in ("newfilecreated", "createfile")


def target(call: ToolCall) -> str:
    """What the call is about: a path, an id, or the first path in its command; empty if not told."""
    path = _argument(call, _TARGET_KEYS)
    if path:
        return path
    if given := identifiers(call):
        return given[0]
    for command in commands(command_text(call)[:SCAN]):
        if command.program != "cd":
            for word in command.words[1:]:
                if not word.startswith("-") and _PATH.fullmatch(word[:300]):
                    return word
    return ""


def identifiers(call: ToolCall) -> tuple[str, ...]:
    """The identifiers that a call is given, the first of them the thing it is about; none for commands."""
    arguments = arguments_of(call)
    if tool_kind(call.name) or not isinstance(arguments, dict):
        return ()
    given = (value for key, value in arguments.items() if isinstance(key, str) and _ID_KEY.search(key))
    listed = (one for value in given for one in (value if isinstance(value, list) else [value]))
    words = (spelled(one)[:200] for one in listed if isinstance(one, str | int) and not isinstance(one, bool))
    return tuple(filter(None, words))


def tool(call: ToolCall) -> str:
    """The tool of a call; of a shell call its first program beside `cd`."""
    name = call.name.strip()
    if tool_kind(name) == "shell" or not name:
        for command in commands(command_text(call)[:SCAN]):
            if command.program not in ("cd", "echo", "export", "source", "."):
                return command.program
    return name


def said(call: ToolCall) -> str:
    """The call in one line, for reading: its command, or name and target."""
    text = command_text(call) if isinstance(arguments_of(call), str) or _is_shell(call) else ""
    line = next((line.strip() for line in text[:2000].splitlines() if line.strip()), "")
    return line[:200] or f"{call.name} {target(call)}".strip()[:200]


def _is_shell(call: ToolCall) -> bool:
    return tool_kind(call.name) == "shell"


def shell_commands(call: ToolCall) -> list[Command]:
    """The simple commands of a shell call, and of the `!` lines of a notebook; none for other tools."""
    if _is_shell(call) or not call.name.strip():
        return commands(command_text(call))
    return _shell_lines(command_text(call)) if tool_kind(call.name) == "code" else []


def finds_nothing(call: ToolCall, code: int | None, output: str) -> bool:
    """Whether an exit code of 1 only says that `grep` found nothing, or `diff` a difference."""
    if code != 1:
        return False
    found = shell_commands(call)
    name = found[-1].program if found else ""
    return name in _DIFFER or (
        name in _SEARCH and not re.sub(r"<[^<>]{0,40}>", "", colourless(output[:200])).strip("1 \n")
    )


def wrote_all_the_same(call: ToolCall, output: str) -> bool:
    """Whether files were written though the call failed: `sed -i … a.py && pytest`, of which pytest failed.

    Only where nothing runs before the write that could fail, and the programs that write name themselves in
    what they complain about, which is not there.
    """
    found = shell_commands(call)
    last = max((n for n, command in enumerate(found) if program_writes(command)), default=len(found))
    if last + 1 >= len(found) or any(
        command.program not in _NAME_THEMSELVES for command in found[: last + 1]
    ):
        return False
    return not _COMPLAINT.search(colourless(ends(output)))


def written_text(call: ToolCall) -> Json:
    """The text that an edit tool puts into a file, or the heredocs of a shell call."""
    text = _argument(call, ("content", "file_text", "new_string", "new_str", "contents"))
    return text or "\n".join(command.body for command in shell_commands(call))
