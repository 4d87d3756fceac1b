"""What in a run itself shows that what was asked is done: a look, a file, an answer, words of the user.

Each proof is a few words for the sentence and its quotes. English phrases only. Not known: whether a look
sees all that was asked, and whether the user was right to be content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from reviewer.facts import Write
from reviewer.facts.calls import arguments_of
from reviewer.facts.results import failed
from reviewer.facts.texts import colourless, ends, pairs, strings
from reviewer.facts.tools import named_write, tool_kind
from reviewer.label import telling
from reviewer.suggest.rules.seen.deeds import MOST
from reviewer.suggest.rules.seen.graded import answer
from reviewer.suggest.rules.seen.phrases import NEGATED, OPEN, WORKS, WORKS_NOT
from reviewer.suggest.rules.seen.quoting import LEAST, around, head, sentence, tail
from reviewer.suggest.rules.seen.scene import Scene
from reviewer.trace import Step

Quote = tuple[int, str, str]
Proof = tuple[str, list[Quote]]
_THANKS = re.compile(
    r"\b(?:thanks?|thank you|appreciate|perfect(?:ly)?|wonderful|awesome|that['’]?s all I (?:need|want)\w*"
    r"|all set|finally,? done|done then|working (?:now|great|again))\b",
    re.IGNORECASE,
)
_WELL = re.compile(
    r"\b(?:working (?:now|great|again|perfectly)|perfect(?:ly)?|all set|that['’]?s all I|finally,? done)\b",
    re.IGNORECASE,
)
_CONTENT = re.compile(  # of the thing itself: says more than thanks
    r"\bexactly (?:what|the \w+) I(?: was| had)? (?:wanted|needed|hop(?:ed|ing) for)\b|\bworks? now\b"
    r"|\b(?:problem|issue)(?: is| has been|['’]s)? (?:now )?(?:resolved|solved|fixed)\b"
    r"|\b(?:is|are|it['’]s) (?:now |finally )?(?:working|excellent|restored|back|fixed|resolved)\b"
    r"|\bfinally,? done\b|\beverything['’ ]?i?s? working\b",
    re.IGNORECASE,
)
_LEFT = re.compile(  # said where nothing was changed
    r"\bkeep (?:it|them|the \w+|my \w+|everything|things) (?:just )?as (?:it|they)?\s?(?:is|are)\b"
    r"|\bnever ?mind\b|\b(?:do ?n['’]t|do not) (?:cancel|change|modify|return|exchange|proceed)\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:unfortunately|disappoint\w*|frustrat\w*|still|but|however|not|transfer|human)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"\bscreen ?shots?\b|\bin the (?:image|picture|photo)\b", re.IGNORECASE)
_MARKS = re.compile(r"\s*###\w+###\s*")
_FILE = re.compile(r"(?<![\w./-])/?(?:[\w-]+/)*[\w-]+\.[A-Za-z]\w{0,7}\b")
_WORD = re.compile(r"\w{4,}|\d+")
_LISTED = re.compile(r"[\[\]|]|##|\w\(/|; ")  # a list, a heading or a link rather than a sentence
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")
_ITEM = re.compile(r"[.!?](?P<quote>['\"])(?:, ?(?P=quote)|\])")  # between the sentences of a list
_ASKS = re.compile(r"(?<=\w)\)?\?(?=\s|\Z)")
_FIRST = 4  # steps in which a task stands
_TAIL = 4_000  # characters of the last words in which the answer stands
_SHORT = 3  # characters: a shorter answer stands in any text
_LONG, _PLACES = 200_000, 30  # characters of a result, places of an answer in it
_BELOW = 80  # characters of a short line with the heading above it
_AFTER, _STEM, _TOKEN = 30, 5, 2  # characters after an answer, letters of a stem, words that a list costs
_NAMES, _RESULTS = 20, 50  # files that a task names, last results that an answer may rest on
_QUESTION = 150  # characters of a question
_FOLLOWS = re.compile(r"\bfollowing\b[^.]{0,60}\?\Z", re.IGNORECASE)
_SHARED = 0.6  # of the words of an answer that a tool had returned


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
                words = _bar(around(result.content, *works.span(), MOST), works[0])
                first = sentence(words, 0)
                return step.n, first if works[0] in first else words, "seen after"
    return None


def _bar(words: str, works: str) -> str:
    """Of a line of parts as a status bar is one those up to the telling one, and one more."""
    parts = words.split(" | ")
    at = next((n for n, part in enumerate(parts) if works in part), len(parts))
    return " | ".join(parts[: at + 2])


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
            return n, around(text, at, at + len(name), MOST), "there at the end"
    return None


def ran_at_the_end(scene: Scene) -> Quote | None:
    """What the last check after the last write printed, where it passed."""
    for check in reversed(scene.facts.checks_after):
        if check.state != "passed":
            continue
        if check.quote:
            return check.step, head(check.quote, MOST), "checked"
        printed = [result.content for result in scene.step(check.step).results]
        lines = [line for text in printed for line in colourless(ends(text)).splitlines() if telling(line)]
        if lines:
            return check.step, tail(lines[-1], MOST), "its run printed"
    return None


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
    thanks: Quote | None = None
    for step in reversed(scene.trace.steps[write.step if write else 0 :]):
        words = _MARKS.sub(" ", step.message).strip()
        if step.source != "user" or step.kind or not words or step.n == 1:
            continue
        if thanks is None and write is None and (left := _LEFT.search(words)) is not None:
            return step.n, sentence(words, left.start(), MOST), "the user left it so"
        if thanks is None:
            said = next((part for part in _MARKS.split(step.message) if _THANKS.search(part)), "")
            match = _WELL.search(said) or _THANKS.search(said)
            if match is None or _BUT.search(words):
                return None
            words = sentence(said, match.start(), MOST)
            words = words if telling(words) else sentence(said, match.start(), MOST, least=LEAST)
            thanks = step.n, words, "the user accepted"
        for match in _CONTENT.finditer(step.message):
            words = sentence(step.message, match.start(), MOST)
            meant = not OPEN.search(step.message[: match.start()][-_TAIL:])
            if meant and not _BUT.search(words) and telling(words) and match[0] in words:
                return step.n, words, "the user accepted"
    return thanks


def answered(scene: Scene) -> Proof | None:
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
    quotes: list[Quote] = [(claim.step, around(claim.quote, at, at + len(want), MOST), "answered")]
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
    """That an answer was given that neither the task nor any result holds, and where it came up."""
    want, shown = answer(scene.outcomes), {caption for _, _, caption in quotes}
    if "answered" not in shown or "seen" in shown or not scene.facts.tools or len(want) <= _SHORT:
        return ""
    if any(want.lower() in quote.lower() for _, quote, caption in quotes if caption == "asked"):
        return ""
    own = [step for step in scene.trace.steps if step.source == "agent"]
    first = next((step for step in own if want.lower() in step.message.lower()), None)
    if first is None:
        return "no text that a tool returned holds the answer"
    if _PICTURE.search(first.message):
        return f"it was read off a screenshot ({first.n}), which the trace does not hold"
    return f"no tool returned it: it first stands in the agent's words ({first.n})"


def _shown(scene: Scene, whole: re.Pattern[str], want: str, before: int) -> Quote | None:
    """Where a tool returned the answer: amid the most words of the task; a short one as a line of its own."""
    asked = [step.message for step in scene.trace.steps[:_FIRST] if step.source == "user"]
    task = stems(" ".join(asked)) - stems(want)
    best: tuple[int, Quote] | None = None
    for step, text in _returned(scene):
        if step.n >= before:
            break
        found = (
            whole.finditer(text) if want.lower() in text.lower() else iter(())
        )  # much faster than the pattern
        places = [match.span() for match in islice(found, _PLACES)]
        if len(want) <= _SHORT:
            places = [
                span for span in places if text[: span[0]].rpartition("\n")[2].strip(" :") in ("", "Output")
            ]
            places = [span for span in places if not text[span[1] :].partition("\n")[0].strip()]
        for start, end in places:
            words = _amid(text, start, end)
            shared = len(task & stems(words)) - _TOKEN * bool(_LISTED.search(words))
            if best is None or shared > best[0]:
                best = shared, (step.n, words, "seen")
    return best[1] if best is not None else None


def _amid(text: str, start: int, end: int) -> str:
    """The answer with its sentence, of a long one what stands before the answer: that says what it is of."""
    low = text.rfind("\n", 0, start) + 1
    sentences = [match.end() for match in _SENTENCE.finditer(text, max(low, start - MOST), start)]
    begins = sentences[-1] if sentences else low
    if begins + MOST < end + _AFTER:
        begins = text.find(" ", max(low, end + _AFTER - MOST), start) + 1 or start
    items = [match.end() for match in _ITEM.finditer(text, max(low, start - MOST), start)]
    if items and (ends_at := _ITEM.search(text, max(end - 1, start), items[-1] + MOST)) is not None:
        return text[items[-1] : ends_at.start() + 1]
    line, above = text[low:].partition("\n")[0].strip(), text[:low].rstrip()
    above = above[above.rfind("\n") + 1 :].strip()
    if above and len(above) < LEAST and len(above) + len(line) < _BELOW:  # as below a heading
        return f"{above} {line}"
    words = around(text, begins, end, MOST)
    return words if len(words) >= LEAST else around(text, max(0, start - LEAST), end, MOST)


def from_a_tool(scene: Scene) -> Proof | None:
    """Last words most of which a tool had returned in one result."""
    claim = scene.facts.claim
    words = set(_words(claim.quote[:_TAIL])) if claim is not None else set()
    if claim is None or len(words) < _SHORT or NEGATED.search(claim.quote[:_TAIL]):
        return None
    for step, text in list(_returned(scene))[: -_RESULTS - 1 : -1]:
        if step.n < claim.step and len(words & set(_words(text))) >= _SHARED * len(words):
            says = f"its answer at {claim.step} says what a tool returned at {step.n}"
            shared = max(words & set(_words(text)), key=lambda word: (len(word), word))
            at = max(text.lower().find(shared), 0)
            returned = around(text, at, at + len(shared), MOST)
            return says, [(step.n, returned, "returned"), (claim.step, head(claim.quote, MOST), "said")]
    return None


def stems(text: str) -> set[str]:
    """The words of some length, each by its beginning."""
    return {word[:_STEM] for word in _words(text)}


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]
