"""The options of `suggest --with claude`: on the command line, else in `suggest.toml` of the config folder.

The table `[claude]` of that file has the same names (`base_url`, `ask_as`, `mask_personal` …); what stands
on the command line goes before it. Knows what belongs together, not what a value means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from reviewer import settings
from reviewer.cli.lists import text_of
from reviewer.errors import InputError, why
from reviewer.trace import Json

# The options that say how is asked, by their names on the command line, and by those in the suggester.
SETTINGS = {
    **{name: name for name in ("model", "base_url", "effort", "timeout", "max_wait", "budget", "segments")},
    "ask_as": "mode",
    "concurrency": "width",
    "mask_personal": "personal",
    "tell_outcome": "outcome",
    "prompt": "prompt",
}
# Those that say what is done at all.
DEEDS = ("max_cost", "dry_run", "show_payload", "batch", "resume", "yes", "learn", "guidelines", "judge")
_EFFORTS = ["low", "medium", "high", "xhigh", "max"]

_OPTIONS = (
    click.option("--model", metavar="NAME", help="claude: the model (claude-haiku-5-5)."),
    click.option("--base-url", metavar="URL", help="claude: another server that speaks the Messages API."),
    click.option(
        "--ask-as",
        type=click.Choice(["json_schema", "tool"]),
        help="claude: how the answer is asked for; `tool` for local servers that drop the schema.",
    ),
    click.option(
        "--effort", type=click.Choice(_EFFORTS), help="claude: how long to think (default: the model's own)."
    ),
    click.option(
        "--prompt", metavar="FILE", help="claude: your words for who judges and how, in place of ours."
    ),
    click.option(
        "--budget", type=int, metavar="TOKENS", help="claude: how much of a trace one request holds (60000)."
    ),
    click.option(
        "--segments", type=int, metavar="N", help="claude: at most so many requests for a long trace (8)."
    ),
    click.option(
        "--tell-outcome",
        is_flag=True,
        default=None,
        help="claude: tell the model whether the benchmark passed the run.",
    ),
    click.option(
        "--mask-personal",
        is_flag=True,
        default=None,
        help="claude: mask e-mail addresses, telephone numbers and home folders as well.",
    ),
    click.option("--concurrency", type=int, metavar="N", help="claude: so many requests at once (4)."),
    click.option("--timeout", type=float, metavar="SECONDS", help="claude: for one attempt (60)."),
    click.option(
        "--max-wait",
        type=float,
        metavar="SECONDS",
        help="claude: the longest pause that the server may ask for (20).",
    ),
    click.option(
        "--max-cost",
        type=float,
        metavar="DOLLARS",
        help="claude: ask nothing more once this is spent; what is under way then still counts.",
    ),
    click.option("--dry-run", is_flag=True, help="claude: count traces, tokens, dollars; send nothing."),
    click.option(
        "--show-payload",
        is_flag=True,
        help="claude: print what would be sent (--json: exactly); send nothing.",
    ),
    click.option(
        "--batch", is_flag=True, help="claude: hand all over at once, at half the price, and do not wait."
    ),
    click.option("--resume", is_flag=True, help="claude: fetch what batches have brought."),
    click.option(
        "--learn",
        is_flag=True,
        help="claude: teach it by traces that people relabelled with a note, and by guidelines.md.",
    ),
    click.option(
        "--guidelines",
        metavar="FILE",
        help="claude: what your project agreed on (with --learn: guidelines.md beside the store).",
    ),
    click.option(
        "--judge",
        metavar="[NAME]",
        is_flag=False,
        flag_value="claude",
        help="claude: let a fresh instance try to refute what NAME (claude) suggested.",
    ),
    click.option("--yes", is_flag=True, help="claude: agree that traces of this store are sent."),
)


def claude_options(command: Callable[..., int]) -> Callable[..., int]:
    """The options, in the order in which `--help` shows them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def given(options: Mapping[str, Json]) -> dict[str, Json]:
    """How is asked, in the suggester's own names: the command line, else the file of settings."""
    said = {name: options[name] for name in SETTINGS if options.get(name) is not None}
    found = {SETTINGS[name]: value for name, value in {**_kept(), **said}.items()}
    if "outcome" in found:
        found["outcome"] = "used" if found["outcome"] is True else "withheld"
    if "prompt" in found:
        found["prompt"] = _text(found["prompt"])
    if options.get("max_cost") is not None:
        found["max_cost"] = options["max_cost"]
    return found


def named(options: Mapping[str, Json]) -> list[str]:
    """Those of these options that were given, as they are typed."""
    given = (name for name in (*SETTINGS, *DEEDS) if options.get(name) not in (None, False))
    return [f"--{name.replace('_', '-')}" for name in given]


def _kept() -> dict[str, Json]:
    import tomllib

    file = settings.config_dir() / "suggest.toml"
    try:
        table = tomllib.loads(file.read_text("utf-8")).get("claude", {}) if file.exists() else {}
    except (OSError, ValueError) as error:
        raise InputError(f"{file}: cannot be used: {why(error)}") from None
    unknown = sorted(set(table) - set(SETTINGS)) if isinstance(table, dict) else [str(table)]
    if unknown:
        raise InputError(f"{file}: [claude] is a table of {', '.join(SETTINGS)}; what is {unknown[0]!r:.60}?")
    return table


def _text(path: Json) -> str:
    return text_of(Path(str(path)), "--prompt")
