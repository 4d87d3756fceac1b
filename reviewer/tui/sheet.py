"""The sheet on the desk: the trace that is open, where the reader is in it, what is not decided yet.

Plain state and the words that describe it; no widget, no thread, no store. Screens paint what it says.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import TYPE_CHECKING

from reviewer.label import Suggestion
from reviewer.session import View
from reviewer.taxonomy import Rather, Taxonomy
from reviewer.tui.widgets.sought import Sought
from reviewer.values import dataclass

if TYPE_CHECKING:
    from reviewer.facts import Facts

STARTS = "↳"
DECISIVE, EVIDENCE, FLAG, HIT, BOOKMARK = "◆", "★", "⚑", "/", "▼"
VERDICTS = {True: "passed", False: "failed", None: "outcome unknown"}
_QUOTED = re.compile("“([^”]+?)(?: ?…)?”")  # what was cut short stands as far as it goes


@dataclass(slots=True)
class Sheet:
    """One open trace. `decisive` is the step chosen with `x`, saved with the next label.

    `opened` were on the screen in this sitting, `known` in earlier ones (None: not read yet). `kind` is
    the letter of the kind of step that the list is narrowed to, `rows` how many of them there are.
    """

    view: View
    taxonomy: Taxonomy
    since: float
    n: int = 0
    decisive: int | None = None
    draft: str = ""
    kept_draft: str = ""
    opened: set[int] = field(default_factory=set)
    facts: Facts | None = None
    error_steps: frozenset[int] | None = None  # as the facts tell errors; None: not read yet
    lead: int | None = None  # the part of the summary page that was chosen to lead to its step
    no_facts: bool = False  # they cannot be had
    starts: dict[int, list[str]] = field(default_factory=dict)  # sub-agents by the step that started them
    known: frozenset[int] | None = None
    bookmarks: frozenset[int] = frozenset()
    kind: str = ""
    rows: int = 0
    shared_tool: str = ""  # that most steps call
    sought: Sought | None = None
    hits: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.draft = self.kept_draft = self.view.draft
        if self.view.label is not None:
            self.decisive = self.view.label.step_n

    def draft_not_kept(self) -> None:
        """The store did not take the draft; it is tried again at the next occasion."""
        self.kept_draft = ""

    def take_facts(self, facts: Facts) -> None:
        """The facts were read: from now on errors are what they call so, not what the source flags."""
        self.facts = facts
        self.error_steps = frozenset(error.step for error in facts.errors)

    def take_over(self, old: Sheet) -> None:
        """Go on where `old`, a sheet of the same trace, was."""
        self.opened, self.facts, self.since = old.opened, old.facts, old.since
        self.shared_tool = old.shared_tool
        self.error_steps = old.error_steps
        self.sought, self.hits = old.sought, old.hits
        self.known, self.bookmarks = old.known, old.bookmarks
        self.kind, self.rows = old.kind, old.rows
        self.decisive = old.decisive if self.decisive is None else self.decisive

    @property
    def suggestion(self) -> Suggestion | None:
        """The suggestion that `y` confirms: the first with a mode among those that may be shown."""
        return next((one for one in self.view.suggestions if one.status == "ok"), None)

    def relabels(self, mode: str) -> Rather | None:
        """The rule between `mode` and the one suggested, where they differ."""
        one = self.suggestion
        return None if one is None else self.taxonomy.rule(mode, one.mode)

    @property
    def evidence_steps(self) -> list[int]:
        """The steps with verified evidence, and those that somebody who may be shown calls decisive."""
        steps: set[int] = set()
        for one in self.view.suggestions:
            steps.update(proof.step_n for proof in one.evidence if proof.verified)
            if one.step_n is not None:
                steps.add(one.step_n)
        if self.view.case is not None:
            steps.update(event.step_n for event in self.view.case.said if event.step_n is not None)
        return sorted(steps)

    def quotes(self, n: int) -> list[str]:
        """The verified quotes from step `n`."""
        found = (proof for one in self.view.suggestions for proof in one.evidence)
        return [proof.quote for proof in found if proof.step_n == n and proof.verified]

    def pointed(self, n: int) -> list[str]:
        """The verified quotes from step `n`, and the first words that an abstention quotes where it says to
        start there: the others may be told against them."""
        begun = (one.reason for one in self.view.suggestions if one.status != "ok" and one.step_n == n)
        found = (match[1] for reason in begun if (match := _QUOTED.search(reason)))
        return [*self.quotes(n), *found]

    def marks(self, n: int) -> str:
        """The signs at the right edge of a row of the list."""
        signs = DECISIVE if n and n == self.decisive else ""
        signs += EVIDENCE if n in self.evidence_steps else ""
        signs += BOOKMARK if n in self.bookmarks else ""
        signs += HIT if n in self.hits else ""
        signs += STARTS if n in self.starts else ""
        return signs + (FLAG if n == 0 and self.view.item.flagged else "")

    def unopened(self, n: int) -> bool:
        """Whether step `n` was never on the screen, in this sitting or before; no, while that is unknown."""
        return self.known is not None and n not in self.known and n not in self.opened

    def next_of(self, steps: list[int], direction: int) -> int | None:
        """The nearest of `steps` after (1) or before (-1) the current one."""
        if direction > 0:
            return next((n for n in steps if n > self.n), None)
        return next((n for n in reversed(steps) if n < self.n), None)

    @property
    def where(self) -> str:
        """`step 4/41`, or the summary page."""
        return f"step {self.n}/{self.view.info.n_steps}" if self.n else "summary"

    @property
    def untouched(self) -> bool:
        """Whether nothing of this trace has been decided or begun."""
        begun = self.view.label or self.view.note or self.view.item.done or self.draft
        return not begun and self.decisive is None

    @property
    def state(self) -> str:
        """What has been decided about this trace so far."""
        view = self.view
        if len(view.labels) > 1:
            return "conflict: two current labels of yours; label again to settle it"
        if view.label is not None:
            return f"labelled {view.label.mode} ({view.label.condition})"
        return {"skipped": "skipped", "": "not labelled yet"}.get(view.item.done, view.item.done)
