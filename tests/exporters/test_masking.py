"""`--redact`: no secret, no address and no name in anything that goes out, and a count of what was masked."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reviewer.exporters.masking import Masker, Pseudonyms, pseudonym
from reviewer.label import Annotator
from reviewer.store import Store
from reviewer.trace import Json, Outcome, Step, ToolCall, Trace, renumbered
from tests.conftest import Ran
from tests.exporters.labelled import SECRET, filled, trace
from tests.history import put, say, session

Cli = Callable[..., Ran]
ADDRESS = "ana.lind@example.org"


def planted(store: Store) -> None:
    """Secrets and people wherever a text may stand."""
    filled(store)
    made = trace(
        "secrets", source_path=f"/home/anneke/{SECRET}/x.json", meta={"env": {"API_KEY": "hunter22x"}}
    )
    steps = list(made.steps)
    call = replace(steps[2].calls[0], arguments={"password": "correct-horse-battery", "to": [ADDRESS]})
    result = replace(steps[2].results[0], content=f"token {SECRET}\n/home/anneke/.ssh")
    steps[2] = replace(steps[2], message=ADDRESS, reasoning=SECRET, calls=(call,), results=(result,))
    steps[5] = replace(steps[5], extra={"deep": [{"secret": "zq81kd02mm31"}]})
    graded = Outcome(
        passed=False, detail={"log": SECRET}, final_state=[ADDRESS], expected_state={"password": "zq81kd"}
    )
    id = put(store, replace(made, steps=tuple(steps)), graded)
    for who in ("ana", "ben"):
        say(store, id, mode="other", who=who, note=f"{ADDRESS} {SECRET}")
    say(store, id, "adjudicate", "other", reason=f"write to {ADDRESS}")


HIDDEN = (SECRET, ADDRESS, "anneke", "hunter22x", "correct-horse-battery", "zq81kd02mm31", "a1-ana", '"ana"')


@pytest.mark.parametrize("rows", ["--gold", "--labels", "--history"])
def test_nothing_that_was_planted_gets_out(store: Store, reviewer: Cli, rows: str, tmp_path: Path) -> None:
    planted(store)
    assert all(text in reviewer("export", "jsonl", "--with-trace", "--history").out for text in HIDDEN)
    for what in ("jsonl", "csv"):
        ran = reviewer("export", what, "--with-trace", "--redact", rows)
        assert ran.status == 0
        assert not [text for text in HIDDEN if text in ran.out]
        assert "masked: " in ran.err and "api key" in ran.err
    for what in ("atif", "dataset"):
        ran = reviewer("export", what, "--redact", rows, "-o", tmp_path / what, *_lines(what))
        assert ran.status == 0
        for file in (tmp_path / what).rglob("*"):
            text = file.read_text("utf-8") if file.is_file() else ""
            assert not [word for word in HIDDEN if word in text], file


def _lines(what: str) -> tuple[str, ...]:
    return ("--jsonl",) if what == "dataset" else ()


def test_what_stands_in_two_places_counts_once() -> None:
    masker = Masker()
    for _ in range(3):
        assert SECRET not in masker.text(f"key {SECRET}")
    masker.text(f"another {SECRET}")
    assert sum(masker.masked.values()) == 2


def test_people_have_one_pseudonym_for_ever_and_sets_keep_their_name(store: Store, reviewer: Cli) -> None:
    known = {id: Annotator(id, id.upper()) for id in ("x", "y", "z")}
    names = Pseudonyms(known, public=frozenset({"z"}))
    assert {names.person(id).name for id in "xy"} == {"annotator 1", "annotator 2"}
    assert names.person("z") == known["z"]
    assert names.person("x").id == pseudonym("x") == Pseudonyms({"x": known["x"]}).person("x").id
    assert names.person("stranger").name == ""
    filled(store)
    rows = [json.loads(line) for line in reviewer("export", "jsonl", "--redact").out.splitlines()]
    people = {(one["annotator"]["id"], one["annotator"]["name"]) for row in rows for one in row["labels"]}
    assert len(people) == 2 and all(name.startswith("annotator ") for _, name in people)


JSONS = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.text()
    | st.just(SECRET)
    | st.just(f"a {ADDRESS}"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.just("password"), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSONS)
@example({"password": ["", ""]})
@example({"password": [12345678, {"a": "b c"}]})
def test_a_masked_value_keeps_its_shape(value: Json) -> None:
    masked = Masker().value(value)
    assert SECRET not in json.dumps(masked) and ADDRESS not in json.dumps(masked)
    assert _shape(masked) == _shape(value)


def _shape(value: Json) -> Json:
    if isinstance(value, dict):
        return [_shape(inner) for inner in value.values()]
    if isinstance(value, list):
        return [_shape(inner) for inner in value]
    # a number under the name of a secret becomes a text
    return "text" if type(value) in (str, int, float) else type(value).__name__


@pytest.mark.parametrize("what", ["jsonl", "csv", "atif", "dataset", "examples"])
def test_the_tool_of_a_call_is_masked_too(store: Store, reviewer: Cli, tmp_path: Path, what: str) -> None:
    secret = f"ghp_{'aB3dE6gH9j' * 4}"[:40]
    called = ToolCall(f"mail ann@quuxmail.com {secret} /home/annuser/x", {}, "c1")
    steps = renumbered([Step(0, "agent", "x", calls=(called,), model="of ann@quuxmail.com")])
    base = session(["x"], first="x", n_steps=1)
    id = put(store, Trace(base.info, steps, base.raw, base.records))
    for who in ("ana", "ben"):
        say(store, id, mode="other", who=who, step_n=1)
    out = tmp_path / "out"
    more = ("--jsonl",) if what == "dataset" else ()
    ran = reviewer("export", what, "--with-trace", "--redact", "-o", out, *more)
    assert ran.status == 0, ran.err
    files = [out] if out.is_file() else [file for file in out.rglob("*") if file.is_file()]
    whole = "".join(file.read_text("utf-8") for file in files)
    assert "mail [masked" in whole
    for planted in ("quuxmail", secret, "annuser"):
        assert planted not in whole
