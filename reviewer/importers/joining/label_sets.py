"""The labels of published labelled sets, as label events of named annotators under the set's own taxonomy.

The ids are worked out from the set, the trace, the annotator and the taxonomy, and the time is the day the
set was published, so that a second import brings the same events again, and nothing changes. Whoever made
the labels saw no suggestion and no other label of ours: they are blind. Knows no set and no store.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reviewer import taxonomy
from reviewer.label import FROM_SET, Annotator, Decision, LabelEvent
from reviewer.label_file import Item
from reviewer.taxonomy import Taxonomy
from reviewer.trace import Step, TraceInfo

# The root of all ids made here; never changed, or labels that were imported before come a second time.
ROOT = uuid.UUID("5d0a1a66-7f0b-4b5e-9a37-0c6f3f3c9a51")
APP = "reviewer importer"


@dataclass(frozen=True, slots=True)
class LabelSet:
    """A published set: its name, the taxonomy it labels under, and the day (UTC) it was published."""

    name: str
    taxonomy: str
    published: str

    def annotator(self, name: str, number: str = "") -> Annotator:
        """A person (or a group that decided together) of the set."""
        return Annotator("-".join(filter(None, (self.name, "annotator", number))), name)

    def items(
        self, info: TraceInfo, annotator: Annotator, decision: Decision, part: str = ""
    ) -> tuple[Item, ...]:
        """The taxonomy, the annotator and the event; without a mode it is a note.

        `part` tells apart what one annotator said of one trace on two occasions.
        """
        codebook = loaded(self.taxonomy)
        key = "\n".join(filter(None, (self.name, info.trace_id, annotator.id, codebook.hash, part)))
        event = LabelEvent(
            id=str(uuid.uuid5(ROOT, key.encode(errors="backslashreplace").decode())),
            kind="label" if decision.mode else "note",
            trace_id=info.trace_id,
            annotator=annotator.id,
            at=f"{self.published}T00:00:00.000000Z",
            origin=f"{FROM_SET}{self.name}",
            app=APP,
            content_hash=info.content_hash,
            taxonomy=codebook.id,
            taxonomy_hash=codebook.hash,
            mode=decision.mode,
            submode=decision.submode,
            secondary=decision.secondary,
            facets=decision.facets,
            step_source=decision.step_source,
            step_n=decision.step_n,
            note=decision.note,
            condition="blind",
        )
        return codebook, annotator, event


@lru_cache(maxsize=8)
def loaded(name: str) -> Taxonomy:
    """A shipped taxonomy, read once."""
    return taxonomy.load(name)


def step_of(steps: Sequence[Step], source_id: str) -> tuple[str, int | None]:
    """`step_source` and `step_n` of the step that the source record went into; nothing when there is none."""
    for step in steps:
        if source_id in step.source_ids:
            return step.stable_id, step.n
    return "", None


def paragraphs(*texts: str) -> str:
    """The texts that say something, as paragraphs of one note."""
    return "\n\n".join(text.strip() for text in texts if text.strip())
