"""`export labels`: the whole history of labels as a label file, which git and `reviewer import` take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewer import label_file
from reviewer.label import Annotator, Exposure, LabelEvent, Link
from reviewer.taxonomy import Edge, Taxonomy


def lines(
    taxonomies: Iterable[Taxonomy],
    annotators: Iterable[Annotator],
    events: Iterable[LabelEvent],
    exposures: Iterable[Exposure],
    links: Iterable[Link] = (),
    maps: Iterable[Edge] = (),
) -> Iterator[str]:
    """The lines of the file; the same history is the same text, whatever store it comes from."""
    found = label_file.lines(taxonomies, annotators, events, exposures, links, maps)
    return (f"{line}\n" for line in found)
