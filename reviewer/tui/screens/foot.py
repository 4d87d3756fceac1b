"""The two lines at the bottom of a screen: what is said about the last key, and which keys there are."""

from __future__ import annotations

from textual.content import Content
from textual.events import Key
from textual.widgets import Static

from reviewer.text import safe_line
from reviewer.tui import keys
from reviewer.tui.screens.base import DeskScreen


class Foot(DeskScreen):
    """Draws `#status` and `#keys`. `LABELS`: whether the keys of the modes mean something here."""

    LABELS = True
    _over = ""  # the end of what is said, where one line is too short for it: in the line of keys

    def idle(self) -> set[str]:
        """The names of the bindings that do nothing now; the footer leaves them out."""
        return set()

    def on_key(self, event: Key) -> None:
        """A key that labels elsewhere: said, for who presses it believes to have labelled."""
        if not self.LABELS and (event.key == "y" or self.taxonomy.mode_for_key(event.character or "")):
            self.say("only for reading; labels are given outside (Esc goes back)")

    def draw_keys(self) -> None:
        pieces: list[str | tuple[str, str]] = [" "]
        if self._over:
            pieces.append(self._over)
            self._draw(pieces)
            return
        used = 1
        for key, name in keys.footer(self.KEYS, self.taxonomy if self.LABELS else None, self.idle()):
            used += len(key) + len(name) + 3
            if used > self.app.size.width:
                pieces[-1] = f"{str(pieces[-1])[:-1]}…"
                break
            pieces += [(key, "bold"), f" {name}  "]
        self._draw(pieces)

    def _draw(self, pieces: list[str | tuple[str, str]]) -> None:
        if pieces != self.keys_drawn:
            self.keys_drawn = pieces
            keys_line = self.query_one("#keys", Static)
            keys_line.update(Content.assemble(*pieces), layout=False)
            keys_line.set_class(bool(self._over), "-said")

    def say(self, text: str, *, bad: bool = False) -> None:
        """A line of ours at the bottom; foreign words in it are made inert.

        What is too long for it goes on in the line of keys, which come back with the next key.
        """
        if not self.stands:
            return
        self._said = bool(text)
        text, self._over = folded(text, self.app.size.width - 2)
        self.status_line.update(Content.styled(f" {text}", "bold" if bad else ""), layout=False)
        self.status_line.set_class(bad, "-bad")
        self.draw_keys()

    def hush(self) -> None:
        """A key was pressed: what was said about the one before is over."""
        if self._said and not self.busy:
            self.say("")

    def action_help(self) -> None:
        from reviewer.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.KEYS, self.taxonomy, labels=self.LABELS))


def folded(text: str, width: int) -> tuple[str, str]:
    """`text` in at most two lines of so many cells, made inert; the second may be empty."""
    text = safe_line(text, 2 * width)
    if safe_line(text, width) == text:
        return text, ""
    first = safe_line(text, width + 1)[:-1]
    end = first.rfind(" ", width // 2) + 1 or len(first)
    return text[:end].rstrip(), safe_line(text[end:], width)
