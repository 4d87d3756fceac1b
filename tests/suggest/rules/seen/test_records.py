"""The object round a value is its record; of a long one the part that says it is quoted."""

from __future__ import annotations

import json

from reviewer.suggest.rules.seen.quoting import WIDTH
from reviewer.suggest.rules.seen.records import record
from reviewer.suggest.rules.seen.scene import Scene
from tests.traces import call, says, trace


def test_the_smallest_object_that_names_a_value_is_its_record() -> None:
    inner = {"item_id": "x77", "options": {"foot": "oak"}, "on": True, "left": None, "tags": ["a"]}
    text = json.dumps({"x77": inner, "items": ["x77"], "note": "x77 is {new"})
    run = Scene.of(trace(call("get", {}, text), call("get", {}, "x77 is not here {"), says("So.")))
    found = record(run, "x77", 3)
    assert found is not None and found.step == 1 and found.text == json.dumps(inner)
    assert found.leaves == {"item_id": "x77", "foot": "oak", "on": "true"}
    outer = json.dumps({"best": "x77", "list": [inner], "more": {"id": "x77", "n": 1}})
    least = record(Scene.of(trace(call("get", {}, outer), says("So."))), "x77", 2)
    assert least is not None and least.text == '{"id": "x77", "n": 1}'
    assert record(run, "x77", 1) is None and record(run, "x78", 3) is None and record(run, 7, 3) is None


def test_of_a_long_record_the_part_between_the_two_values_is_quoted() -> None:
    filler = {f"k{n}": "v" * 30 for n in range(9)}
    near = json.dumps(
        {**filler, "id": "x77", "a": "b", "foot": "oak", **{f"m{n}": "w" * 30 for n in range(9)}}
    )
    far = json.dumps({"id": "x88", **filler, "foot": "elm"})
    run = Scene.of(trace(call("get", {}, near), call("get", {}, far), says("So.")))
    close, apart = record(run, "x77", 3), record(run, "x88", 3)
    assert close is not None and close.quote("id", "foot") == '"id": "x77", "a": "b", "foot": "oak"'
    assert apart is not None and apart.quote("id", "foot") == '"foot": "elm"'
    assert len(close.quote("nothing")) <= WIDTH
