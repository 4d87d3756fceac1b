"""What an output says: did a check pass, fail or check nothing; whose fault does an error look like.

Works on the head and tail of an output. It does not know what a tool printed in the middle of a very
long output, in a language of no pattern here, or what it left unsaid; then the state is `unknown`
or rests on the exit code.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from reviewer.facts.programs import CheckKind
from reviewer.facts.texts import as_printed, colourless, ends, first_line, line_of
from reviewer.trace import Result

CheckState: TypeAlias = Literal["passed", "failed", "vacuous", "unknown"]
ErrorKind: TypeAlias = Literal["tool", "environment", "human"]

_EXIT = re.compile(
    r"<returncode>(-?\d{1,10})</returncode>|[Ee]xit(?:ed with)? (?:code|status):? ?(-?\d{1,10})"
    r"|finished with exit code (-?\d{1,10})"
)
_WENT_WELL = re.compile(r"\s*(?:<system>)?Command executed successfully\b")
# Said by a runner that found nothing to run.
_NOTHING = re.compile(
    r"no tests ran|collected 0 items(?! / \d)|\bRan 0 tests|no tests? to run"
    r"|No tests? (?:were )?found|no test files"
    r"|\b0 passing\b|\b0 passed\b|\brunning 0 tests|no test specified|Nothing to be done for"
    r"|No test suite found|Tests:\s+0 total|0 tests? executed|Test suite empty"
)
_SOMETHING = re.compile(
    r"\b[1-9]\d{0,6} (?:passed|passing)\b|\brunning [1-9]\d{0,6} tests?|\bRan [1-9]\d{0,6} tests?"
    r"|^ok\s+\S+\s+(?:[\d.]+s|\(cached\))(?! \[no tests)|\bTests run: [1-9]|^--- PASS|^ok \d+",
    re.MULTILINE,
)
_FAILED = re.compile(
    r"\b[1-9]\d{0,6} (?:failed|failing|failures?|errors?)\b(?! (?:fixed|ignored))|\bFAILED \("
    r"|^FAILED\b|^FAIL\b|^--- FAIL"
    r"|Traceback \(most recent call last\)|\berror TS\d+|npm ERR!|\bBUILD FAILED\b|Build failed"
    r"|Failed to compile"
    r"|^not ok \d|^error(?:\[E\d+\])?:|: (?:fatal )?error:|command not found|^make: \*\*\*"
    r"|test result: FAILED"
    r"|^E {3,}\S|^\w*(?:Error|Exception): |can't open file|No such file or directory|^AssertionError\b"
    r"|Failures: [1-9]|Errors: [1-9]|panic: |Segmentation fault",
    re.MULTILINE,
)
_RAISED = re.compile(r"^[A-Za-z_][\w.]{0,100}(?:Error|Exception|Interrupt|Exit|Warning)\b", re.MULTILINE)
# With the frame below it: a program's own, not one typed in, as pages and manuals show it.
_TRACEBACK = re.compile(r'^Traceback \(most recent call last\):\r?\n\s+File "(?!<stdin>)', re.MULTILINE)
_LAST_WORDS = 1_000  # characters that what runs the agent may still print after it fell over
_PASSED = re.compile(
    r"\b[1-9]\d{0,6} (?:passed|passing)\b|^OK\b|^ok\s+\S+|\b0 issues\b|All checks passed|no issues found"
    r"|test result: ok|Compiled successfully|BUILD SUCCESS|Build succeeded|\b0 errors?\b|^PASS\b"
    r"|[Aa]ll tests? (?:have )?pass|would be left unchanged|Found 0 errors"
    r"|No fixes applied",
    re.MULTILINE,
)
_ENVIRONMENT = re.compile(
    r"(?:connection|read|connect|request|gateway|operation|command)(?: has)? timed? ?-?out"
    r"|timed out after|\btimeout error"
    r"|\b(?:ETIMEDOUT|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ENOTFOUND|ENOSPC)\b|connection (?:refused|reset"
    r"|aborted)|network is unreachable"
    r"|(?:temporary failure in )?name resolution|could not resolve host|could not connect to"
    r"|failed to fetch|no space left on device"
    r"|out of memory|\boom\b"
    r"|cannot allocate memory|exit (?:status|code):? 137|container\w*error|rate.?limit"
    r"|too many requests|\b(?:429|502|503|504"
    r"|529)\b[ :-]*(?:error|bad|service|gateway|too|over)"
    r"|service unavailable|bad gateway|overloaded_error|(?:is|server|currently) overloaded"
    r"|internal server ?error|\bquota\b|max retries exceeded|apiconnectionerror"
    r"|ssl(?:error|: )|certificate verify failed|read-only file system|docker daemon"
    r"|container .{0,80}(?:not running|died|exited)"
    r"|captcha|access denied by|blocked by",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b(?:errors?|failed|failure|cannot|can't|could not|couldn't|denied|invalid|unable|missing|not found)\b",
    re.IGNORECASE,
)
# Every match of the three patterns below has one of its hints in its line, in lower case: lines without
# one are passed over. On 12,000 characters without a match that is 8 to 45 times faster than the pattern.
_HINTS: dict[re.Pattern[str], tuple[str, ...]] = {
    _FAILED: ("fail", "error", "err!", "traceback", "not found", "no such file", "can't open", "***",
              "panic: ", "segmentation", "not ok", "exception", "e   "),
    _TELLING: ("error", "fail", "can", "could", "denied", "invalid", "unable", "missing", "not found"),
    _ENVIRONMENT: ("time", "econn", "eai_again", "enotfound", "enospc", "connect", "network", "resol",
                   "space",
                   "memory", "oom", "137", "container", "limit", "requests",
                   "429", "502", "503", "504", "529",
                   "service", "gateway", "overloaded", "server", "quota", "retries", "ssl", "certificate",
                   "read-only", "docker", "captcha", "denied", "blocked", "fetch"),
}  # fmt: skip
_SAYS_ERROR = re.compile(
    r"\s*(?:\{\s*)?[\"'<(\[]{0,2}(?:error|traceback|fatal|exception|failed)\b"
    r"|Your proposed edit has introduced"
    r"|\s*(?:Element|Selector|Locator|Node|Tab)\b[^\n]{0,99}\bnot (?:found|visible|clickable|interactable)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\W*(?:error|fatal|failed|exception|warning)\W*", re.IGNORECASE)
_DENIED = re.compile(
    r"user doesn't want to (?:proceed|take)|tool use was rejected|rejected by (?:the )?user"
    r"|interrupted by user",
    re.I,
)


def exit_code(result: Result) -> int | None:
    """The exit code of a result: the flagged one, else the one that it prints at its head or tail."""
    if result.exit_code is not None:
        return result.exit_code
    text = result.content
    if _WENT_WELL.match(text[:80]):
        return 0
    match = _EXIT.search(text[:300]) or _EXIT.search(text[-300:])
    return int(next(group for group in match.groups() if group)) if match else None


def check_state(kind: CheckKind, result: Result | None) -> tuple[CheckState, str]:
    """How a check came out, and the verbatim line that says so (empty: the exit code alone does)."""
    if result is None or result.denied:
        return "unknown", ""
    coloured = ends(result.content)
    text = colourless(coloured)
    state, quote = _state(kind, text, result.error, exit_code(result))
    return state, quote if text is coloured else as_printed(coloured, quote)


def _state(kind: CheckKind, text: str, error: bool, code: int | None) -> tuple[CheckState, str]:
    if kind == "server":
        return "vacuous", first_line(text)
    bad = _first(_FAILED, text)
    nothing = _NOTHING.search(text) if kind == "test" else None
    if nothing and not _SOMETHING.search(text):
        line = line_of(text, nothing.start())
        # "collected 0 items / 1 error" comes with an error elsewhere: that is a failure, not an emptiness
        if not bad or "error" not in bad.group().lower() or bad.group() in line:
            return "vacuous", line
    # A script may print the error that it was written to show, so there the exit code speaks first
    # only when it is a failure; elsewhere a pipe (`| tail`) can hide the code, and the words decide.
    if bad:
        return "failed", telling_line(text)
    if error or code not in (None, 0):
        return "failed", telling_line(text)
    good = _PASSED.search(text)
    if good:
        telling = _SOMETHING.search(text) or good  # "ok pkg 1.8s" tells more than the "PASS" above it
        return "passed", line_of(text, telling.start())
    return ("passed" if code == 0 else "unknown"), ""


def failed(result: Result | None) -> bool:
    """Whether a result is an error: flagged, a non-zero exit code, or one that begins by saying so."""
    if result is None or result.denied:
        return False
    if result.error or exit_code(result) not in (None, 0):
        return True
    return bool(_SAYS_ERROR.match(colourless(result.content[:200])))


def error_kind(text: str, denied: bool = False) -> tuple[ErrorKind, str]:
    """Whose doing an error looks like, with the verbatim line for it."""
    if denied or _DENIED.search(text[:2000]):
        return "human", first_line(text)
    coloured = ends(text)
    short = colourless(coloured)
    match = _first(_ENVIRONMENT, short)
    quote = line_of(short, match.start()) if match else telling_line(short)
    return "environment" if match else "tool", as_printed(coloured, quote)


def crash(text: str) -> str:
    """The line that names the error, verbatim, where a text ends in a Python traceback; else empty."""
    text = ends(text)
    begun = list(_TRACEBACK.finditer(text))
    raised = _RAISED.search(text, begun[-1].end()) if begun else None
    if raised is None or text.count("```", 0, begun[-1].start()) % 2:  # in a fence it is told, not met
        return ""
    end = text.find("\n", raised.end())
    return line_of(text, raised.start()) if end < 0 or len(text) - end <= _LAST_WORDS else ""


def _first(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first match of a pattern that has hints, looked for in lines with a hint only."""
    low = text.lower()
    if len(low) != len(text):  # a few letters change their length, then places do not agree
        return pattern.search(text)
    places = {hint: at for hint in _HINTS[pattern] if (at := low.find(hint)) >= 0}
    while places:
        nearest = min(places.values())
        start = low.rfind("\n", 0, nearest) + 1
        end = low.find("\n", nearest)
        end = end if end >= 0 else len(low)
        match = pattern.search(text, start, end)
        if match:
            return match
        places = {h: at if at > end else low.find(h, end) for h, at in places.items()}
        places = {h: at for h, at in places.items() if at >= 0}
    return None


def telling_line(text: str) -> str:
    """The line that best tells what went wrong: a known form, else a word for it, else the first line.

    Of a Python traceback that is its last line, which names the error.
    """
    match = _first(_FAILED, text)
    if match and match.group().startswith("Traceback"):
        match = _RAISED.search(text, match.end()) or match
    match = match or _first(_TELLING, text)
    if match is None:
        return first_line(text)
    line = line_of(text, match.start())
    if _LABEL.fullmatch(line):  # "ERROR:" with what it is in the line below
        below = text.find("\n", match.start())
        return first_line(text[below:] if below >= 0 else "") or line
    return line
