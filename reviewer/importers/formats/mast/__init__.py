"""MAST: runs of agent teams in which people marked failure modes, each by yes or no.

Three shapes: the notes in the project's repository (`note.options`), the runs that three people labelled
(`annotations`), and the large set in which a model judged (`mast_annotation`): that is no label of a person
and comes in as the detail of an outcome. A note in which every mode is "no" and nothing was written is the
blank form, and no label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.formats.mast.names import EARLIER, NONE, SET, mode_of, order
from reviewer.importers.formats.mast.texts import steps_of
from reviewer.importers.joining.label_sets import paragraphs
from reviewer.importers.opening.values import as_dict, as_id, as_list, as_str, shown
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record, mostly, records, sample
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.task_ids import instance, task_of
from reviewer.label import Annotator, Decision
from reviewer.label_file import Item
from reviewer.trace import Json, Outcome, Trace, TraceInfo

FORMAT = "mast"
ABOUT = "MAST: runs of agent teams with failure modes marked (`traces/*/*_human.json`, `MAD_*.json`)"
VERSION = 2
GRADER_FIELDS = ("note", "annotations", "mast_annotation", "round", "other_data")
IGNORED = {
    "trajectory[].role": "every agent is an assistant to itself: `name` tells who speaks",
    "trace.index": "the same as the trace's id",
}
PEOPLE = ("annotator_1", "annotator_2", "annotator_3")
YES = {"yes", "true", "1"}
NO = {"no", "false", "0", "none", ""}


def sniff(source: Source) -> bool:
    """Runs with a form of modes, with three people's marks, or with a judge's."""
    return mostly(_is_run, sample(source))


def _is_run(row: dict[str, Any]) -> bool:
    form = isinstance(as_dict(row.get("note")).get("options"), dict)
    if form and ("trajectory" in row or "problem_statement" in row):
        return True
    marks = [as_dict(mark) for mark in as_list(row.get("annotations"))]
    people = any("annotator_1" in mark and "failure mode" in mark for mark in marks)
    return "trace" in row and (people or isinstance(row.get("mast_annotation"), dict))


def read(source: Source) -> Iterator[Imported]:
    """Each run of the file."""
    found = False
    for record in records(source):
        if _is_run(record.value):
            found = True
            yield _imported(source, record)
        else:
            source.lose("a row that is no run of MAST is skipped", record.line)
    if not found:
        raise InputError(f"{source.path}: no run of MAST in it: no marks of failure modes")


def _imported(source: Source, record: Record) -> Imported:
    value, kept = record.value, as_dict(record.value.get("trace"))
    said = value.get("trajectory") if "trajectory" in value else kept.get("trajectory", value.get("trace"))
    drafts, task, messages = steps_of(said, lambda why: source.warn(why, record.line))
    problem = _text(value.get("problem_statement"))
    _asked(drafts, problem)
    steps = drafts.steps()
    named = as_id(value.get("instance_id")) or as_id(kept.get("key"))
    task_id, mark = task_of(named, source.path.name, record.index, alone="trace" not in value)
    own = {key: item for key, item in value.items() if key not in GRADER_FIELDS}
    info = TraceInfo(
        **ids(own),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=as_str(value.get("benchmark_name")) or ("SWE-bench" if instance(named) else ""),
        task_id=task_id,
        task=problem or task,
        model=as_str(value.get("llm_name")),
        agent=as_str(value.get("mas_name")),
        n_messages=messages,
        **totals(steps),
        meta=_meta(value, kept) | mark,
    )
    return Imported(Trace(info, steps, record.raw), _labels(value, info), _outcomes(value), IGNORED)


def _text(value: Json) -> str:
    """A text, or its lines."""
    return "\n".join(map(shown, value)) if isinstance(value, list) else shown(value)


def _asked(drafts: Drafts, problem: str) -> None:
    """The first message is the user's where it holds the problem; else the problem stands before it."""
    first = drafts.all[0] if drafts.all else None
    if problem and first and problem in first.message:
        first.source = "user"
    elif problem:
        drafts.all.insert(0, Draft("user", ["problem_statement"], problem))


def _meta(value: dict[str, Any], kept: dict[str, Any]) -> dict[str, Json]:
    read = {*GRADER_FIELDS, *("trajectory", "trace", "problem_statement", "instance_id")}
    read |= {"llm_name", "mas_name", "benchmark_name"}
    meta = {key: item for key, item in value.items() if key not in read}
    other = value.get("other_data")
    if other and "correct" not in as_dict(other):
        meta["other_data"] = other
    return meta | {
        f"trace.{key}": item for key, item in kept.items() if key not in ("trajectory", "key", "index")
    }


def _outcomes(value: dict[str, Any]) -> tuple[Outcome, ...]:
    """The check of the answer, where there was one; what a model said of the run, which is no verdict."""
    judged = value.get("mast_annotation")
    if isinstance(judged, dict):
        return (Outcome(detail={"llm_judge": "MAST's annotator, a model", "mast_annotation": judged}),)
    other = as_dict(value.get("other_data"))
    if "correct" not in other:
        return ()
    passed = other["correct"] if isinstance(other["correct"], bool) else None
    given = {"answer": other["given"]} if other.get("given") not in (None, "") else None
    expected = {"answer": other["answer"]} if other.get("answer") is not None else None
    rest = {key: item for key, item in other.items() if key not in ("answer", "given")}
    if passed is not None:
        del rest["correct"]
    return (Outcome(passed, None, rest or None, given, expected),)


def _labels(value: dict[str, Any], info: TraceInfo) -> tuple[Item, ...]:
    note = as_dict(value.get("note"))
    if isinstance(note.get("options"), dict):
        words = _text(note.get("text"))
        marks = {name: shown(mark).strip() for name, mark in note["options"].items()}
        if not words.strip() and all(mark.lower() in NO for mark in marks.values()):
            return ()
        return _said(info, SET.annotator("MAST annotator"), marks, words)
    rows = [as_dict(row) for row in as_list(value.get("annotations"))]
    items: list[Item] = []
    for number, person in enumerate(PEOPLE, 1):
        marks = {
            shown(row.get("failure mode")): shown(row[person]) for row in rows if row.get(person) is not None
        }
        if marks:
            annotator = SET.annotator(f"MAST annotator {number}", str(number))
            round = shown(value.get("round"))
            words = f"In the set's round: {round}" if round else ""
            items += _said(info, annotator, marks, words, part=round)
    return tuple(items)


def _said(
    info: TraceInfo, annotator: Annotator, marks: Mapping[str, str], words: str, part: str = ""
) -> tuple[Item, ...]:
    """One person's marks as a label; the names stand in its note as the set writes them."""
    yes = [name for name, mark in marks.items() if mark.lower() in YES]
    unsure = [f"{name} ({mark})" for name, mark in marks.items() if mark.lower() not in YES | NO]
    modes = order({mode_of(name)[0] for name in yes}) or (NONE,)
    finer = {mode_of(name)[1] for name in yes if mode_of(name)[0] == EARLIER}
    titles = [name.partition("\n")[0] for name in yes]
    decision = Decision(
        modes[0],
        submode=finer.pop() if modes[0] == EARLIER and len(finer) == 1 else "",
        secondary=modes[1:],
        note=paragraphs(
            words,
            f"Marked yes: {'; '.join(titles)}" if yes else "Nothing marked yes",
            f"Neither yes nor no: {'; '.join(unsure)}" if unsure else "",
        ),
    )
    return SET.items(info, annotator, decision, part)
