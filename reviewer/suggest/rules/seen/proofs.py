"""What in a run itself shows that what was asked is done: a look, a file, an answer, words.

English phrases only. Not known: whether a look sees all that was asked, and whether the user was right to be
content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from reviewer.facts import Write
from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.texts import pairs, strings
from reviewer.facts.tools import named_write, tool_kind
from reviewer.label import telling
from reviewer.suggest.rules.seen.graded import answer, to_be_said
from reviewer.suggest.rules.seen.phrases import OPEN, THOUSANDS, WORKS, WORKS_NOT
from reviewer.suggest.rules.seen.quoting import LEAST, WIDTH, Quote, around, head, sentence
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step

_THANKS = re.compile(
    r"\b(?:thanks?|thank you|appreciate|perfect(?:ly)?|wonderful|awesome|that['’]?s all I (?:need|want)\w*"
    r"|all set|done then)\b",
    re.IGNORECASE,
)
_CONTENT = re.compile(  # of the thing itself: says more than thanks
    r"\bexactly (?:what|the \w+) I(?: was| had)? (?:wanted|needed|hop(?:ed|ing) for)\b|\bworks? now\b"
    r"|\b(?:problem|issue)(?: is| has been|['’]s)? (?:now )?(?:resolved|solved|fixed)\b"
    r"|\b(?:is|are|it['’]s) (?:now |finally )?(?:working|excellent|restored|back|fixed|resolved)\b"
    r"|\bfinally,? done\b|\beverything['’ ]?i?s? working\b|\bworking (?:now|great|again|perfectly)\b"
    r"|\bthat['’]?s all I (?:need|want)\w*|\ball set\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:unfortunately|disappoint\w*|frustrat\w*|still|but|however|not|transfer|human)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_MARKS = re.compile(r"\s*###\w+###\s*")
_FILE = re.compile(r"(?<![\w./-])/?(?:[\w-]+/)*[\w-]+\.[A-Za-z]\w{0,7}\b")
_WORD = re.compile(r"\w{4,}|\d+")
_LISTED = re.compile(r"[\[\]|]|##|\w\(/|; ")  # a list, a heading or a link rather than a sentence
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_ITEMS = re.compile(r"['\"], ?['\"]")  # between the texts of a list
_ASKS = re.compile(r"(?<=\w)\)?\?(?=\s|\Z)")
_NUMBER = re.compile(r"\d{1,12}(?:\.\d{1,6})?")
_LONG_NUMBER = re.compile(r"\d{5,}")  # of something: says nothing alone
_FACT = 24  # characters of a fact that a sentence can hold
_FIRST = 4  # steps in which a task stands
_TAIL = 4_000  # characters of the last words in which the answer stands
_SHORT = 3  # characters: a shorter answer stands in any text
_LONG, _PLACES = 200_000, 30  # characters of a result, places of an answer in it
_BELOW = 80  # characters of a short line with the heading above it
_STEM, _TOKEN = 5, 2  # letters of a stem, words that a list costs
_NAMES = 20  # files that a task names
_QUESTION = 150  # characters of a question
_FOLLOWS = re.compile(r"\bfollowing\b[^.]{0,60}\?\Z", re.IGNORECASE)


def seen_after(scene: Scene, write: Write | None) -> Quote | None:
    """The last look after the last write, by whomever, that says that it works, where none says otherwise;
    or what the write itself says of the state.
    """
    if write is None or not write.api:
        return None
    for step in reversed(scene.trace.steps[write.step - 1 :]):
        for call, result in reversed(pairs(step)):
            if result is None or tool_kind(call.name) or (step.n > write.step and named_write(call.name)):
                continue
            works = WORKS.search(result.content)
            if result.error or WORKS_NOT.search(result.content):
                return None
            if works is not None:
                words = around(result.content, *works.span())
                words = words[: words.find(works[0])] + words[words.find(works[0]) :].partition(" | ")[0]
                first = sentence(words, 0)
                return step.n, first if works[0] in first else words, "after the last change"
    return None


def there_at_the_end(scene: Scene, write: Write | None) -> Quote | None:
    """A file that the task names and that a look first shows after the last write: the run made it."""
    if write is None or write.api:
        return None
    asked = (step.message for step in scene.trace.steps[:_FIRST] if step.source != "agent" and not step.kind)
    names = dict.fromkeys(name for text in asked for name in _FILE.findall(text[:_LONG]))
    for name in list(names)[:_NAMES]:
        found = [(step.n, text, at) for step, text in _returned(scene) if (at := text.find(name)) >= 0]
        if found and found[0][0] > write.step:
            n, text, at = found[-1]
            return n, around(text, at, at + len(name)), "there at the end"
    return None


def checked_at_the_end(scene: Scene) -> Quote | None:
    """What the last check after the last write printed, where it passed."""
    passed = [check for check in scene.facts.checks_after if check.state == "passed" and check.quote]
    return (passed[-1].step, head(passed[-1].quote), "checked") if passed else None


def _returned(scene: Scene) -> Iterator[tuple[Step, str]]:
    """What tools returned to the agent, errors aside."""
    for step in scene.trace.steps:
        for call, result in pairs(step):
            if result is None or failed(result):
                continue
            if result.content not in strings(arguments_of(call)):  # as a last call says its words again
                yield step, result.content[:_LONG]


def accepted(scene: Scene, write: Write | None) -> Quote | None:
    """The words of the user after the last write that say most: that it works, or else the last thanks.

    None where the last words hold anything against it.
    """
    after = scene.trace.steps[write.step if write else 0 :]
    said = [step for step in after if step.source == "user" and not step.kind and step.n > 1]
    parts = [(step.n, part) for step in said for part in _MARKS.split(step.message) if part.strip()]
    last = " ".join(part for n, part in parts if n == parts[-1][0])
    if not (_THANKS.search(last) or _CONTENT.search(last)) or _BUT.search(last):
        return None
    for form, some in ((_CONTENT, parts[:-3:-1]), (_THANKS, parts[-1:])):
        for n, part in some:
            for match in form.finditer(part):
                words = sentence(part, match.start())
                words = words if telling(words) else sentence(part, match.start(), least=LEAST)
                meant = not OPEN.search(part[: match.start()][-_TAIL:]) and not _BUT.search(words)
                if meant and (telling(words) or form is _THANKS) and match[0] in words:
                    return n, words, "the user accepted"
    return None


def answered(scene: Scene) -> tuple[str, list[Quote]] | None:
    """The answer that was expected, as the agent gave it, and where a tool or the task had shown it."""
    want, claim = answer(scene.outcomes).rstrip("."), scene.facts.claim
    if claim is None or not want:
        return None
    whole = re.compile(rf"(?<!\w){re.escape(want)}(?!\w)", re.IGNORECASE)
    places = [match.start() for match in whole.finditer(claim.quote[-_TAIL:])]
    if not places:
        return None
    at = max(len(claim.quote) - _TAIL, 0) + places[-1]
    says = f"the answer at {claim.step} is the expected one"
    quotes: list[Quote] = [(claim.step, around(claim.quote, at, at + len(want)), "answered")]
    if (seen := _shown(scene, whole, want, claim.step)) is not None:
        says = f"{says}; a tool returned it at {seen[0]}"
        quotes.insert(0, seen)
    elif (asked := _question(scene, whole if len(want) > _SHORT else None)) is not None:
        quotes.insert(0, asked)
    return says, quotes


def _question(scene: Scene, whole: re.Pattern[str] | None) -> Quote | None:
    """The words of the task that hold the answer, else its last question: an answer alone says nothing."""
    for step in reversed(scene.trace.steps[:_FIRST]):
        if step.source == "user" and not step.kind:
            text = step.message[:_LONG]
            given = whole.search(text) if whole is not None else None
            *_, at = (-1, *(match.start() for match in _ASKS.finditer(text)))
            at = given.start() if given is not None else at
            words = sentence(text, max(at - 1, 0), _QUESTION) if at > 0 else ""
            if _FOLLOWS.search(words):  # what follows is what it asks
                words = sentence(text, max(at - 1, 0), 2 * _QUESTION, len(words) + LEAST)
            return (step.n, " ".join(words.split()), "asked") if words else None
    return None


def unseen(scene: Scene, quotes: list[Quote]) -> str:
    """That an answer was given that neither the task nor any result holds."""
    want, shown = answer(scene.outcomes), {caption for _, _, caption in quotes}
    if "answered" not in shown or "seen" in shown or not scene.facts.tools or len(want) <= _SHORT:
        return ""
    given = any(want.lower() in quote.lower() for _, quote, caption in quotes if caption == "asked")
    return "" if given else "no text that a tool returned holds the answer"


def _shown(scene: Scene, whole: re.Pattern[str], want: str, before: int) -> Quote | None:
    """Where a tool returned the answer: amid the most words of the task; a short one as a line of its own."""
    asked = [step.message for step in scene.trace.steps[:_FIRST] if step.source == "user"]
    task = stems(" ".join(asked)) - stems(want)
    best: tuple[int, Quote] | None = None
    for step, text in _returned(scene):
        if step.n >= before:
            break
        found = whole.finditer(text) if want.lower() in text.lower() else iter(())  # faster than the pattern
        for match in islice(found, _PLACES):
            line = text[text.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]
            if len(want) <= _SHORT and line.removeprefix("Output:").strip(" :") != match[0]:
                continue
            words = _amid(text, *match.span())
            shared = len(task & stems(words)) - _TOKEN * bool(_LISTED.search(words))
            if best is None or shared > best[0]:
                best = shared, (step.n, words, "seen")
    return best[1] if best is not None else None


def _amid(text: str, start: int, end: int) -> str:
    """The answer with its sentence, a short line with the heading above it."""
    low = text.rfind("\n", 0, start) + 1
    line, above = text[low:].partition("\n")[0].strip(), text[:low].rstrip().rpartition("\n")[2].strip()
    if above and len(above) < LEAST and len(above) + len(line) < _BELOW:
        return f"{above} {line}"
    *_, begins = (low, *(match.end() for match in _SENTENCE.finditer(text, max(low, start - WIDTH), start)))
    words = around(text, begins if end - begins < WIDTH else start, end)
    words = words if len(words) >= LEAST else around(text, max(0, start - LEAST), end)
    return next((item for item in _ITEMS.split(words) if text[start:end] in item), words)


def stems(text: str) -> set[str]:
    """The words of some length, each by its beginning."""
    return {word.lower()[:_STEM] for word in _WORD.findall(text)}


def told(scene: Scene) -> tuple[str, Quote] | None:
    """The first thing that had to be said to the user, with the number of others, where the agent says it."""
    wanted = to_be_said(scene.outcomes)
    for text in wanted:
        whole = re.compile(rf"(?<![\w.])[$€£]?{_as_written(text)}(?!\w|\.\d)", re.IGNORECASE)
        for step in reversed(scene.trace.steps):
            match = whole.search(step.message) if step.source == "agent" and not step.kind else None
            if match is not None:
                words = sentence(step.message, match.start())
                words = words if match[0] in words else around(step.message, *match.span())
                more = f" and {len(wanted) - 1} more" if len(wanted) > 1 else ""
                plain = len(match[0]) <= _FACT and not _LONG_NUMBER.fullmatch(match[0])
                return f"“{match[0]}”{more}" if plain else "", (step.n, words, "told, as required")
    return None


def _as_written(text: str) -> str:
    """The form of a fact in prose: `1126.1` stands there as `1,126.10`."""
    if not _NUMBER.fullmatch(text):
        return re.escape(text)
    whole, point, part = text.partition(".")
    return THOUSANDS.sub(",?", whole) + (rf"\.{part}0?" if point else "")
