"""What a call is for: does it change something, does it check something, what is it about.

Judged by names and words alone. It does not know what a script does that is run by its name, what a
function of an unknown tool changes, or whether a write changed a single byte. Unknown tools count as
neither. Verbs of API names (`cancel_order`) are a guess that holds for the benchmarks seen.
"""

from __future__ import annotations

import re

from reviewer.facts.programs import (
    CHECK_KINDS,
    SCAN,
    CheckKind,
    code_writes,
    program_check,
    program_paths,
    program_writes,
)
from reviewer.facts.shell import Command, commands, names
from reviewer.trace import Json, ToolCall

_SHELL_TOOLS = names(
    "bash shell sh execute_bash run_shell_command terminal run exec exec_command "
    "shell_command execute cmd powershell local_shell container.exec run_command "
    "run_terminal_cmd execute_command run_in_terminal action developer__shell bash_tool"
)
_CODE_TOOLS = names(
    "python ipython execute_python run_python python_interpreter execute_ipython_cell jupyter "
    "run_ipython code_interpreter code"
)
_EDIT_TOOLS = names(
    "edit write multiedit notebookedit create insert apply_patch applypatch edit_file "
    "write_file create_file write_to_file replace_in_file search_replace replace str_replace "
    "edit_anthropic delete_file move_file apply_diff insert_content insert_edit_into_file "
    "append_to_file text_editor_write"
)
_ACTION_LINES = names("edit insert create append str_replace")
_EDITORS = names("str_replace_editor str_replace_based_edit_tool file_editor editor text_editor")
_EDITOR_WRITES = names("create str_replace insert undo_edit write append delete")
_VERBS = names(
    "cancel modify update exchange return book create delete send add remove set post put "
    "refund pay order reset write edit insert replace upload rename move append save purchase "
    "buy transfer change grant revoke enable disable toggle"
)
# A name with one of these words is about the agent's own notes or its talk, not about the world.
_NOT_WORLD = names("todo todos plan thought memory message user human agent agents task tasks cursors stdin")

_COMMAND_KEYS = ("command", "cmd", "script", "commands", "code", "input", "action", "bash_command")
_TARGET_KEYS = (
    "file_path",
    "path",
    "filename",
    "file",
    "target_file",
    "notebook_path",
    "filepath",
    "url",
    "uri",
)
_PATH = re.compile(r"[\w@%+~.-]*(?:/[\w@%+~.\-\[\]]*)+|[\w@%+~-]+\.[A-Za-z]\w{0,7}")
_API = re.compile(r"\s*(?:await\s+)?([A-Za-z_][\w.\-]*)\s*\(")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def is_write(call: ToolCall) -> bool:
    """Whether the call changes files or the world, as far as its name and words tell."""
    name = call.name.strip().lower()
    if name in _EDITORS:
        return _argument(call, ("command", "action")).split(" ")[0] in _EDITOR_WRITES
    if name in _EDIT_TOOLS:
        return True
    text = command_text(call)
    if name in _CODE_TOOLS:
        return code_writes(text)
    if name in _SHELL_TOOLS or (not name and text):
        return _text_writes(text)
    return _named_write(call.name)


def is_api(call: ToolCall) -> bool:
    """Whether the call goes to a named function of the task's world, not to a shell or an editor."""
    name = call.name.strip().lower()
    if not name:
        return _API.match(command_text(call)[:200]) is not None
    return name not in _SHELL_TOOLS | _CODE_TOOLS | _EDIT_TOOLS | _EDITORS


def check_kind(call: ToolCall) -> CheckKind:
    """What the call checks: empty for nothing. A server start is one that cannot check by itself."""
    name = call.name.strip().lower()
    if name in ("run_tests", "runtests", "test", "run_test", "pytest"):
        return "test"
    if name not in _SHELL_TOOLS and not (not name and command_text(call)):
        return ""
    kinds = {program_check(command) for command in commands(command_text(call))}
    return next((kind for kind in CHECK_KINDS if kind in kinds), "")


def is_check(call: ToolCall) -> bool:
    """Whether the call runs tests, a build, a linter, a check script, or starts a server to look at."""
    return check_kind(call) != ""


def command_text(call: ToolCall) -> str:
    """The command of a call: its text, or the usual argument of a shell tool; else empty."""
    arguments = call.arguments
    if isinstance(arguments, str):
        first, _, _ = arguments[:SCAN].lstrip().partition("\n")
        # `edit 12:20` and the like: what follows is the new text of the file, and no command
        return first if first.split(" ", 1)[0] in _ACTION_LINES else arguments
    if not isinstance(arguments, dict):
        return ""
    for key in _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            return _argv(value)
    return ""


def _argv(words: list[str]) -> str:
    """A command given as a list: `["bash", "-lc", "…"]` is the text in it."""
    if len(words) >= 3 and re.fullmatch(r"-\w*c", words[1]):
        return words[2]
    return " ".join(words)


def _argument(call: ToolCall, keys: tuple[str, ...]) -> str:
    if isinstance(call.arguments, dict):
        for key in keys:
            value = call.arguments.get(key)
            if isinstance(value, str) and value:
                return value
    return ""


def _text_writes(text: str) -> bool:
    """A shell command, or the action line of an older agent (`edit 12:20`, `cancel_order(id=1)`)."""
    api = _API.match(text[:200])
    if api and _named_write(api.group(1)):
        return True
    return any(program_writes(command) for command in commands(text))


def _named_write(name: str) -> bool:
    """Whether the verb of an API name changes something: `mcp__shop__cancel_order`, `shop.cancelOrder`."""
    last = re.split(r"__|[./:]", name[-200:])[-1]
    words = [word.lower() for word in _WORD.findall(last)]
    return bool(words) and words[0] in _VERBS and not _NOT_WORLD.intersection(words[1:])


def paths_written(call: ToolCall) -> tuple[tuple[str, bool], ...]:
    """The files that the call writes by name, each with whether it removes it; empty if not told."""
    path = _argument(call, _TARGET_KEYS)
    if path:
        return ((path, "delete" in call.name.lower()),)
    text = command_text(call)
    if call.name.strip().lower() in ("apply_patch", "applypatch"):
        found = re.findall(r"^\*\*\* (Add|Update|Delete) File: (.+)$", text[:SCAN], re.MULTILINE)
        return tuple((name.strip(), kind == "Delete") for kind, name in found)
    out: list[tuple[str, bool]] = []
    if call.name.strip().lower() in _SHELL_TOOLS or not call.name.strip():
        for command in commands(text):
            out.extend(program_paths(command))
    return tuple(dict.fromkeys(out))


def target(call: ToolCall) -> str:
    """What the call is about: a path, an id, or the first path in its command; empty if not told."""
    path = _argument(call, _TARGET_KEYS)
    if path:
        return path
    if isinstance(call.arguments, dict):
        for key, value in call.arguments.items():
            if isinstance(key, str) and key.endswith(("_id", "Id", "id")) and isinstance(value, str | int):
                return str(value)[:200] if isinstance(value, str) else key
    for command in commands(command_text(call)[:SCAN]):
        if command.program != "cd":
            for word in command.words[1:]:
                if not word.startswith("-") and _PATH.fullmatch(word[:300]):
                    return word
    return ""


def tool(call: ToolCall) -> str:
    """The tool of a call; of a shell call its first program beside `cd`."""
    name = call.name.strip()
    if name.lower() in _SHELL_TOOLS or not name:
        for command in commands(command_text(call)[:SCAN]):
            if command.program not in ("cd", "echo", "export", "source", "."):
                return command.program
    return name


def said(call: ToolCall) -> str:
    """The call in one line, for reading: its command, or name and target."""
    text = command_text(call) if not isinstance(call.arguments, dict) or _is_shell(call) else ""
    line = next((line.strip() for line in text[:2000].splitlines() if line.strip()), "")
    return line[:200] or f"{call.name} {target(call)}".strip()[:200]


def _is_shell(call: ToolCall) -> bool:
    return call.name.strip().lower() in _SHELL_TOOLS


def shell_commands(call: ToolCall) -> list[Command]:
    """The simple commands of a shell call; none for other tools."""
    return commands(command_text(call)) if _is_shell(call) or not call.name.strip() else []


def written_text(call: ToolCall) -> Json:
    """The text that an edit tool puts into a file, or the heredocs of a shell call."""
    text = _argument(call, ("content", "file_text", "new_string", "new_str", "contents"))
    return text or "\n".join(command.body for command in shell_commands(call))
