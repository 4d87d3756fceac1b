"""The list of trace formats, most specific first, each with the module that reads it.

Adding a format is one file in `formats` and one line here, or an entry point of another package. Modules are
imported when they are first asked for, so that a command that reads no trace pays for none. Knows no format
from the inside.

    base        what every importer gives and gets
    opening     from the bytes of a file to its values
    shapes      from values to steps, where several formats write alike
    joining     what is said of a trace in other files
    formats     a module for each format
    finding     which files are read, and who reads each: `find` and `open_source`

Each knows those above it. Beside them: importers of other packages (`guests`), label files, maps of one's own
(`maps`, `mapped`, `sketch`), and sessions cut by request (`per_request`).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from reviewer.errors import InputError
from reviewer.importers.base import Importer

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "reviewer.importers"
_HOME = "reviewer.importers.formats"
FORMATS: dict[str, str] = {
    "inspect": f"{_HOME}.inspect",
    "atif": f"{_HOME}.atif",
    "langfuse": f"{_HOME}.langfuse",
    "langsmith": f"{_HOME}.langsmith",
    "openhands_v1": f"{_HOME}.openhands_v1",
    "openhands_v0": f"{_HOME}.openhands_v0",
    "moatless": f"{_HOME}.moatless",
    "browser_use": f"{_HOME}.browser_use",
    "agentbench": f"{_HOME}.agentbench",
    "toolbench": f"{_HOME}.toolbench",
    "swe_agent": f"{_HOME}.swe_agent",
    "mini_swe_agent": f"{_HOME}.mini_swe_agent",
    "who_and_when": f"{_HOME}.who_and_when",
    "agentrx": f"{_HOME}.agentrx",
    "mast": f"{_HOME}.mast",
    "aider": f"{_HOME}.aider",
    "tau_bench": f"{_HOME}.tau_bench",
    "tau2_bench": f"{_HOME}.tau2_bench",
    "smolagents": f"{_HOME}.smolagents",
    "terminal_bench": f"{_HOME}.terminal_bench",
    "other_eval": f"{_HOME}.other_eval",
    "other_cli": f"{_HOME}.other_cli",
    "gemini_cli": f"{_HOME}.gemini_cli",
    "codex": f"{_HOME}.codex",
    "cline_roo": f"{_HOME}.cline_roo",
    "opencode": f"{_HOME}.opencode",
    "openclaw": f"{_HOME}.openclaw",
    "pi": f"{_HOME}.pi",
    "claude_code_stream": f"{_HOME}.claude_code_stream",
    "claude_code": f"{_HOME}.claude_code",
    "kimi_cli": f"{_HOME}.kimi_cli",
    "openai_responses": f"{_HOME}.openai_responses",
    "copilot_cli": f"{_HOME}.copilot_cli",
    "openinference": f"{_HOME}.openinference",
    "vercel_ai": f"{_HOME}.vercel_ai",
    "otel_genai": f"{_HOME}.otel_genai",
    "google_adk": f"{_HOME}.google_adk",
    "autogen": f"{_HOME}.autogen",
    "anthropic_messages": f"{_HOME}.anthropic_messages",
    "openai_chat": f"{_HOME}.openai_chat",
    "plain": f"{_HOME}.plain",
}

# What is imported and is no trace: the label files of `export labels`.
LABELS = {"labels": "reviewer.importers.label_files"}


def names() -> tuple[str, ...]:
    """All formats in the order in which they are tried; those of installed packages come first."""
    return (*_installed(), *(name for name in FORMATS if name not in _installed()))


def importer(name: str) -> Importer:
    """The importer of the format `name`; `-` may stand for `_`, as people type it after `--format`."""
    wanted = name.strip().lower().replace("-", "_")
    if wanted in _installed():
        from reviewer.importers.guests import guest

        return guest(_installed()[wanted])
    module = (FORMATS | LABELS).get(wanted)
    if module is None:
        raise InputError(f"unknown format {name!r}: choose one of {', '.join(names())}")
    return _loaded(module)


@cache  # asked for each format at each file
def _loaded(module: str) -> Importer:
    return cast(Importer, import_module(module))


@cache
def _installed() -> dict[str, EntryPoint]:
    """Importers of other packages: entry points of the group `reviewer.importers`, a name and a module."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}
