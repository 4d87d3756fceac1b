"""Who&When: failed runs of agent teams in which experts named the agent and the step that went wrong.

A run of Magentic-One that other sets (AgentRx) label too has one id in all of them: its identity is what the
agents said, not what the set says of it. The experts' answer becomes a label; `mistake_step` counts from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewer.errors import InputError
from reviewer.importers.base import Imported, Source
from reviewer.importers.joining.label_sets import LabelSet, paragraphs, step_of
from reviewer.importers.opening.values import as_dict, as_id, as_str, kind_of, shown
from reviewer.importers.shapes.drafts import Draft, Drafts
from reviewer.importers.shapes.records import Record, mostly, records, sample
from reviewer.importers.shapes.repeats import Repeats
from reviewer.importers.shapes.sums import ids, totals
from reviewer.importers.shapes.talks import Talk, agent_of_team, answer, benchmark, ended
from reviewer.importers.shapes.task_ids import task_of
from reviewer.label import Decision
from reviewer.label_file import Item
from reviewer.trace import Json, Outcome, Step, Trace, TraceInfo

FORMAT = "who_and_when"
ABOUT = "Who&When: runs of agent teams with the agent and the step at fault (`Who&When/*/*.json`)"
VERSION = 1
# What the set says of a run. Its identity is the talk itself (and the agents' own prompts).
LABEL_FIELDS = ("mistake_agent", "mistake_step", "mistake_reason", "mistake_type")
GRADER_FIELDS = (
    *LABEL_FIELDS,
    *("is_correct", "is_corrected", "ground_truth", "question", "question_ID", "level"),
)
IGNORED: dict[str, str] = {
    "history[].role": "in a group chat every agent is an assistant to itself: `name` tells who speaks"
}
SET = LabelSet("who-and-when", "who-and-when", "2025-04-30")
MODE = "decisive_error"


def sniff(source: Source) -> bool:
    """A talk under `history` with the agent or the step at fault beside it."""
    return mostly(_is_run, sample(source))


def _is_run(row: dict[str, Any]) -> bool:
    marks = {"mistake_agent", "mistake_step", "mistake_reason"} & row.keys()
    question = "question_ID" in row and bool({"is_correct", "is_corrected"} & row.keys())
    return isinstance(row.get("history"), list) and (len(marks) >= 2 or question)


def read(source: Source) -> Iterator[Imported]:
    """Each run of the file; the set has one a file."""
    repeats = Repeats(source)
    found = False
    for record in records(source):
        if isinstance(record.value.get("history"), list):
            found = True
            yield from repeats.once(_imported(source, record), record.line)
        else:
            source.lose(
                f"a run is skipped: its history is {kind_of(record.value.get('history'))}, not a list",
                record.line,
            )
    if not found:
        raise InputError(f"{source.path}: no run of Who&When in it: no object with a list `history`")


def _imported(source: Source, record: Record) -> Imported:
    value = record.value
    talk, prompts = value["history"], value.get("system_prompt")
    drafts = Drafts()
    for name, prompt in as_dict(prompts).items():
        drafts.add(Draft("system", [f"system_prompt.{name}"], shown(prompt), name=name))
    said = Talk(talk, lambda why: source.warn(why, record.line), drafts)
    steps = drafts.steps()
    named = as_id(value.get("question_ID"))
    task_id, mark = task_of(named, source.path.name, record.index, source.is_json)
    own = {key: item for key, item in value.items() if key not in GRADER_FIELDS}
    info = TraceInfo(
        **ids(talk if own.keys() == {"history"} else own),
        format=FORMAT,
        importer=VERSION,
        source_path=str(source.path),
        source_index=record.index,
        benchmark=benchmark(named),
        task_id=task_id,
        task=as_str(value.get("question")) or said.task,
        agent="CaptainAgent" if prompts else "Magentic-One",
        ended=ended(talk),
        n_messages=len(talk),
        **totals(steps),
        meta=_meta(value) | mark,
    )
    labels = _labels(source, record, info, steps)
    return Imported(Trace(info, steps, record.raw), labels, _outcomes(value), IGNORED)


def _meta(value: dict[str, Any]) -> dict[str, Json]:
    read = {*GRADER_FIELDS, "history"} | ({"system_prompt"} if as_dict(value.get("system_prompt")) else set())
    meta = {key: item for key, item in value.items() if key not in read}
    if value.get("level") is not None:
        meta["level"] = value["level"]
    return meta


def _outcomes(value: dict[str, Any]) -> tuple[Outcome, ...]:
    """Failed or not as the set says, and the answer that was expected beside the one given."""
    verdicts = [value[key] for key in ("is_correct", "is_corrected") if key in value]
    passed = next((item for item in verdicts if isinstance(item, bool)), None)
    truth = value.get("ground_truth")
    if not verdicts and truth is None:
        return ()
    given = answer(value["history"])
    final = {"answer": given} if given else None
    expected = {"answer": truth} if truth is not None else None
    odd = {"is_correct": verdicts} if (verdicts and passed is None) or len(verdicts) > 1 else None
    return (Outcome(passed, None, odd, final, expected),)


def _labels(source: Source, record: Record, info: TraceInfo, steps: tuple[Step, ...]) -> tuple[Item, ...]:
    """The experts' answer: one annotator, for they settled it among themselves."""
    value = record.value
    if not any(shown(value.get(key)).strip() for key in LABEL_FIELDS):
        return ()
    agent, place = shown(value.get("mistake_agent")).strip(), shown(value.get("mistake_step")).strip()
    step_source, step_n = (
        step_of(steps, f"#{int(place)}") if place.isdecimal() and len(place) < 10 else ("", None)
    )
    if place and step_n is None:
        source.warn("the mistake_step of a label is no step of its run; it stands in the note", record.line)
    kind = shown(value.get("mistake_type")).strip()
    note = paragraphs(
        shown(value.get("mistake_reason")),
        f"Agent at fault: {agent}" if agent else "",
        f"mistake_step: {place}" if place and step_n is None else "",
        f"mistake_type: {kind}" if kind else "",
    )
    facet = (agent_of_team(agent) or "expert") if agent else ""
    decision = Decision(
        MODE, facets={"agent": facet} if facet else {}, step_source=step_source, step_n=step_n, note=note
    )
    return SET.items(info, SET.annotator("Who&When experts"), decision)
