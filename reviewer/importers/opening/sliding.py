"""JSON text that slides by: values are taken out of a file that is too large to be held, one at a time.

UTF-8, and UTF-16 or UTF-32 where the file begins with their mark. Knows no file's layout and no trace format.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator

from reviewer.importers.base import Line, Warn
from reviewer.importers.opening.decode import MARKS, no_text
from reviewer.importers.opening.json_lines import NUL, NULS, PADDING, line_of
from reviewer.importers.opening.loading import LENIENT, Loader, too_deep
from reviewer.trace import Json

CHUNK = 1 << 20
_SPACE = " \t\r\n"
_CLOSING = {"[": "]", "{": "}"}
MOST = 500_000_000  # characters of one value; a file that is no larger can be read whole
_NEAR = 32  # an error so near to the end of what was read may be gone when more is read
_STRICT = json.JSONDecoder()
_ODD = object()  # stands for a value that needs a mend
_MISSING = "\ufffd"
STRAY = "commas with nothing between them are passed over"
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[][{}]', re.DOTALL)  # strings, brackets


class Damaged(Exception):
    """The text cannot be read on from here; says why."""


class Broken(Damaged):
    """A list or an object cannot be read; what comes after it may be."""


class Text:
    """The text of a file: `buffer` from `at` on is what was not taken yet."""

    def __init__(self, read: Callable[[int], bytes], told: Callable[[int], None] = lambda _: None) -> None:
        self._read = read
        self._told = told  # is told how many bytes were read by now
        self._encoding = ""
        self._done = False
        self._position = 0
        self.odd = 0  # bytes that are no text
        self.stray = 0  # commas with nothing between them
        self.buffer = ""
        self.at = 0
        told(0)

    def more(self, least: int = CHUNK) -> bool:
        """Read on; whether there was more."""
        if self._done:
            return False
        data = self._read(max(CHUNK, least))
        self._done = not data
        self._position += len(data)
        self._told(self._position)
        self.buffer = self.buffer[self.at :] + self._decode(data)
        self.at = 0
        return not self._done

    def _decode(self, data: bytes) -> str:
        if not self._encoding:
            while data and len(data) < 4 and (rest := self._read(4 - len(data))):
                data, self._position = data + rest, self._position + len(rest)
            mark, self._encoding = next((one for one in MARKS if data.startswith(one[0])), (b"", "utf-8"))
            data = data[len(mark) :]
            self._decoder = codecs.getincrementaldecoder(self._encoding)()
        before = self._decoder.getstate()
        try:
            return self._decoder.decode(data, final=self._done)
        except UnicodeDecodeError:
            lenient = codecs.getincrementaldecoder(self._encoding)("replace")
            lenient.setstate(before)
            part = lenient.decode(data, final=self._done)
            meant = (before[0] + data).count(_MISSING.encode(self._encoding))
            self.odd += max(1, part.count(_MISSING) - meant)
            self._decoder.setstate(lenient.getstate())
            return part

    def next(self) -> str:
        """The next character that is no white space, "" at the end of the file."""
        while True:
            while self.at < len(self.buffer):
                if self.buffer[self.at] not in _SPACE:
                    return self.buffer[self.at]
                self.at += 1
            if not self.more():
                return ""

    def ends(self, loader: Loader) -> bool:
        """Whether nothing else comes; padding after the text is passed over, as in a small file."""
        while (sign := self.next()) and sign in PADDING:
            if sign == NUL:
                loader.tell(NULS, 0)
            self.at += 1
        return not sign

    def inside(self) -> Iterator[str]:
        """Go into the list or object that begins here: the name of each element ("" in a list).

        Whoever asks stands at the element then, and takes it before the next one.
        """
        closing = _CLOSING[self.next()]
        self.at += 1
        commas, first = 0, True
        while (sign := self.next()) != closing:
            if sign == ",":
                self.at, commas = self.at + 1, commas + 1
                continue
            if not (first or commas):
                raise Damaged("damaged JSON (Expecting ',' delimiter)" if sign else "it is cut off")
            self.stray += commas - (not first)
            commas, first = 0, False
            yield self._name() if closing == "}" else ""
        self.stray += commas
        self.at += 1

    def _name(self) -> str:
        if (sign := self.next()) != '"':
            why = "damaged JSON (Expecting property name enclosed in double quotes)"
            raise Damaged(why if sign else "it is cut off")
        name, end = self.element()
        name = LENIENT.raw_decode(self.buffer, self.at)[0] if name is _ODD else name
        self.at = end
        if (sign := self.next()) != ":":
            raise Damaged("damaged JSON (Expecting ':' delimiter)" if sign else "it is cut off")
        self.at += 1
        return str(name)

    def take(self, loader: Loader, name: str = "") -> Line:
        """The element that begins here, as a line without a number."""
        try:
            value, end = self.element()
        except Broken as broken:
            self._over(broken)
            return Line(0, "", bad=str(broken), name=name)
        part = self.buffer[self.at : end]
        self.at = end
        if value is not _ODD and not too_deep(value):
            return Line(0, part, value, name=name)
        line = line_of(loader, 0, part)
        return Line(0, line.text, line.value, line.bad, name)

    def leave(self) -> int:
        """Go past the element that begins here; its size."""
        try:
            _, end = self.element()
        except Broken as broken:
            self._over(broken)
            return 0
        size, self.at = end - self.at, end
        return size

    def out(self, damage: Damaged) -> None:
        """Go past the rest of the list or object in which there is this damage."""
        self._over(damage, 1)

    def _over(self, damage: Damaged, depth: int = 0) -> None:
        """Go past a list or an object by its brackets, however deep it is."""
        while True:
            for found in _MARKS.finditer(self.buffer, self.at):
                sign = found[0]
                if sign[0] == '"' and not found[1]:  # goes on in what is not read yet
                    self.at = found.start()
                    break
                self.at = found.end()
                depth += (sign in "[{") - (sign in "]}")
                if not depth and sign[0] != '"':
                    if self.next() not in (",", "]", "}"):
                        raise damage
                    return
            else:
                self.at = len(self.buffer)
            if len(self.buffer) - self.at > MOST or not self.more(len(self.buffer) - self.at):
                raise damage

    def element(self) -> tuple[Json, int]:
        """The value that begins here, and where it ends."""
        if not self.next():
            raise Damaged("it is cut off")
        while True:
            try:
                return self._decoded()
            except json.JSONDecodeError as error:
                unfinished = error.msg.startswith("Unterminated string")
                if not unfinished and error.pos < len(self.buffer) - _NEAR:
                    raise self._broken()(f"damaged JSON ({error.msg})") from None
                if len(self.buffer) - self.at > MOST:
                    raise Damaged("a single value is too large") from None
                if not self.more(len(self.buffer) - self.at):
                    raise Damaged(f"it is cut off ({error.msg})") from None
            except RecursionError:
                raise self._broken()("its JSON is nested too deeply to be read") from None

    def _broken(self) -> type[Damaged]:
        return Broken if self.buffer[self.at] in _CLOSING else Damaged

    def _decoded(self) -> tuple[Json, int]:
        try:
            found = _STRICT.raw_decode(self.buffer, self.at)
        except json.JSONDecodeError as error:
            if not error.msg.startswith("Invalid control character"):
                raise
        except ValueError:  # a number of too many digits
            pass
        else:
            if self._done or type(found[0]) not in (int, float) or found[1] < len(self.buffer) - _NEAR:
                return found
            self.more()  # the number may go on
            return self._decoded()
        return _ODD, LENIENT.raw_decode(self.buffer, self.at)[1]

    def odd_bytes(self) -> list[Warn]:
        """What is said of bytes that are no text, and of commas with nothing between them."""
        stray = [Warn(0, STRAY, self.stray)] if self.stray else []
        return [no_text(self._encoding, self.odd), *stray] if self.odd else stray
