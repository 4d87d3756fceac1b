"""The final claim: the last words that answer the task, or what the run handed in, and the step of them.

The last words that are more than a pleasantry; in a step that hands a text to a finishing tool, that text. A
message marked as the final answer keeps its place for a few more messages, until the user speaks; so does an
answer that the harness prints at the end (`FINAL ANSWER: …`, `Finished: …`), with nothing else of what it
prints, and what was submitted. Where all is pleasantries, the last one; a token that ends a chat
(`###STOP###`) is no word, and neither is what an importer or a harness puts where no words were kept (`[a
call that this text does not hold]`).
Not known: whether the words are a claim at all, or were taken back; a pleasantry in another language than
English, or one that begins with no word listed here; an answer that code hands over in a variable, where the
tool does not print it; who among several agents answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewer.facts.calls import arguments_of, command_text
from reviewer.facts.model import Said
from reviewer.facts.patches import unified
from reviewer.facts.shell import names
from reviewer.facts.texts import pairs
from reviewer.facts.tools import squeezed, tool_kind
from reviewer.trace import Result, Step, ToolCall

_FINISHERS = names(
    "finish finalanswer submit attemptcompletion completetask done answer respond reply sendreply replytouser"
)
_ANSWERS = names("finalanswer answer submit")  # a single word or number is an answer there, not a status
_REACH = 6  # messages that may follow one that is marked as the final answer
_LONG = 600  # what is longer is no pleasantry
_WORD = re.compile(r"\w")
_MARKED = re.compile(r"\bFINAL[ _]ANSWER\b|\b[Ff]inal [Aa]nswer(?: is\b|\W{0,4}:)")
_IN_CODE = re.compile(
    r"\bfinal_answer\(\s*(?:\w+\s*=\s*)?"
    r"(?:[rf]?(?P<q>\"\"\"|'''|\"|')(?P<text>.{1,20000}?)(?P=q)|(?P<number>-?\d[\d_.]{0,40}))\s*\)",
    re.DOTALL,
)
_ENTRUSTED = re.compile(r"\bfinal_answer\(")
_PRINTS = "Last output from code snippet:\n"  # what was handed over in a variable, as the tool prints it
_BELOW = re.compile(r"^(?:Current url: |\[image <)", re.MULTILINE)
# The answer as a harness prints it, and the lines that it prints after it.
_CLOSING = re.compile(r"^FINAL ANSWER:", re.MULTILINE)
_FINISHED = re.compile(r"\AFinished: (?=\S+ +\S)")  # a state machine's last state, with the words it ended on
_AFTER = re.compile(r"^[A-Z]{2,20}\.(?:PY|SH) (?:COMPLETE|EXITED)\b", re.MULTILINE)
_REACHED = 8000  # of the end of a text
_SUBMITTED = "info.submission"  # the id of a step that shows what was submitted
_TAIL = 200
_TOKENS = re.compile(r"(?:\s{0,9}###[A-Z][A-Z_-]{1,40}###)+\s*\Z")  # they tell a harness to stop the chat
# What stands, alone, where an importer found no words to keep, or a harness printed that there were none.
_NO_WORDS = re.compile(
    r"\s*(?:\[a call that this text does not hold\]|\[speech, ticks [\d–]+: the file keeps no words\]"
    r"|\[audio, [^\[\]\n]{1,40}\]|\[image(?:[ ,:][^\[\]\n]{1,200})?\]"
    r"|[(\[<](?:empty|no content|no text|no message|blank|redacted)(?: message| response)?[)\]>])\s*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_PLEASANT = re.compile(
    r"(?:you['’]?(?: a)?re (?:very |most |so )?welcome|thanks?|glad|happy to|pleased|great to hear"
    r"|my pleasure|(?:it['’]?s|it was) (?:been )?(?:a|my) pleasure"
    r"|i(?:['’]m| am) (?:so |very )?(?:glad|happy)"
    r"|have an?|enjoy|take care|good ?bye|bye|see you|safe travels|good luck|no problem|anytime"
    r"|if (?:there['’]?s|there is|you)\b.{0,60}\b(?:need|have|require|anything|questions?|assistance)"
    r"|(?:please )?(?:feel free|don['’]t hesitate|do not hesitate|let me know if|reach out)"
    r"|is there anything else|terminate)\b|###",
    re.IGNORECASE,
)
# What a sentence of thanks that also reports something holds.
_REPORTS = re.compile(
    r"\d|\b(?:has|have) been|\b(?:was|were|is now|are now|cannot|unable|not)\b|\bi(?:['’]ve| have)\b",
    re.IGNORECASE,
)


def pleasantry(text: str) -> bool:
    """Whether every sentence of a text is thanks, a farewell, an offer of help or a word that ends a chat."""
    if len(text) > _LONG:
        return False
    sentences = (line.strip(" *_\t\r") for line in _SENTENCE.split(text) if _WORD.search(line))
    return all(_PLEASANT.match(line) and not _REPORTS.search(line) for line in sentences)


@dataclass(slots=True)
class Claim:
    """What a pass over the steps has heard so far; `said` is the claim."""

    marked: Said | None = None
    spoken: Said | None = None  # more than a pleasantry
    last: Said | None = None  # any words
    since: int = 0  # messages after the marked one

    def turn(self) -> None:
        """The user speaks: what comes now counts as much as what was marked before."""
        self.spoken, self.marked = (self.said if self.marked else self.spoken), None

    def hear(self, step: Step) -> None:
        """A step of the agent that is no fault."""
        given = (handed_over(call, result) for call, result in reversed(pairs(step)))
        words = next(filter(None, given), "")
        handed = bool(words) and not _status(words, step)
        if not words or (not handed and _WORD.search(step.message)):
            words = step.message
        words = words[:-_TAIL] + _TOKENS.sub("", words[-_TAIL:])
        if not _WORD.search(words) or _NO_WORDS.fullmatch(words):
            return
        self.last = Said(step.n, words)
        self.since += 1
        if not pleasantry(words):
            self.spoken = self.last
        marked = _MARKED.search(words[:4000]) or _MARKED.search(words[-4000:])
        if marked or (handed and self.marked):  # what is handed over replaces what was marked before
            self.marked, self.since = self.last, 0

    def close(self, step: Step) -> None:
        """Any step: an answer that the harness prints, or shows as what was submitted."""
        words = _closing(step)
        if words:
            self.marked, self.since = Said(step.n, words), 0

    @property
    def said(self) -> Said | None:
        return (self.marked if self.since <= _REACH else None) or self.spoken or self.last


def finishes(call: ToolCall) -> bool:
    """Whether the call goes to a tool that ends a run or answers its task."""
    return squeezed(call.name) in _FINISHERS


def handed_over(call: ToolCall, result: Result | None = None) -> str:
    """The text that a call hands to such a tool, in code too; empty for any other call.

    Of code that hands over a variable: what its `result` prints.
    """
    if finishes(call):
        given = arguments_of(call)
        values = given.values() if isinstance(given, dict) else [given]
        kinds = str | int | float if squeezed(call.name) in _ANSWERS else str
        texts = [str(item) for item in values if isinstance(item, kinds) and not isinstance(item, bool)]
        return max(texts, key=len, default="")
    code = command_text(call) if tool_kind(call.name) == "code" else ""
    if found := _IN_CODE.search(code):
        return found["text"] or found["number"]
    if result is None or _PRINTS not in result.content or not _ENTRUSTED.search(code):
        return ""
    _, _, printed = result.content.rpartition(_PRINTS)
    return "" if printed.strip() == "None" else _BELOW.split(printed, maxsplit=1)[0].strip()


def _closing(step: Step) -> str:
    """The answer that the harness prints: in a notice, or below what an agent said or thought last.

    An agent may write such a line itself: it is the harness's where another line of it follows.
    """
    notice = step.source == "system" and step.kind == "notice"
    if not notice and step.source != "agent":
        return ""
    if notice and _SUBMITTED in step.source_ids and not unified(step.message):
        return step.message.strip()
    if notice and (found := _FINISHED.match(step.message)):
        return step.message[found.end() :].strip()
    for text in (step.message[-_REACHED:], step.reasoning[-_REACHED:]):
        for found in list(_CLOSING.finditer(text))[-1:]:
            after = _AFTER.search(text, found.end())
            if (notice or after) and text[found.end() : after.start() if after else None].strip():
                return text[found.start() : after.start() if after else None].rstrip()
    return ""


def _status(text: str, step: Step) -> bool:
    """Whether what was handed over is a status (`success`, `give_up`), so that the message says more."""
    answers = any(squeezed(call.name) in _ANSWERS or tool_kind(call.name) == "code" for call in step.calls)
    return not _WORD.search(text) or (len(text.split()) < 2 and not answers)
