"""What of a text is coloured, how JSON is laid out and folded: a row at a time, and nothing is changed."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewer.trace import Json, Result, Step, ToolCall
from reviewer.tui.widgets.body import BodyDocument
from reviewer.tui.widgets.colouring import look_of_path
from reviewer.tui.widgets.json_folds import folds_of
from reviewer.tui.widgets.part import Part
from reviewer.tui.widgets.pretty import indented, pretty
from tests.tui.test_body import laid_out, rows

GIT = """On branch main
- not a removed line
diff --git a/x.sql b/x.sql
index 12ab..34cd 100644
--- a/x.sql
+++ b/x.sql
@@ -1,3 +1,3 @@ select
 one
--- a comment that is taken out
+++ a comment that comes in
 two
- a list after the patch
"""


def looks(text: str, look: str = "", *, width: int = 200) -> list[tuple[str, str]]:
    """(text, style) of every piece that is coloured."""
    body = BodyDocument([Part(text, foldable=True, look=look)])
    laid_out(body, width)
    body.fold_all(False)
    laid_out(body, width)
    pieces = [piece for row in range(len(body)) for piece in body.line(row, width)]
    return [(piece.text, piece.style) for piece in pieces if piece.style != "text"]


def test_a_patch_inside_a_result_is_coloured_by_what_its_hunks_count() -> None:
    assert looks(GIT) == [
        ("diff --git a/x.sql b/x.sql", "file"),
        ("index 12ab..34cd 100644", "file"),
        ("--- a/x.sql", "file"),
        ("+++ b/x.sql", "file"),
        ("@@ -1,3 +1,3 @@ select", "hunk"),
        ("--- a comment that is taken out", "removed"),
        ("+++ a comment that comes in", "added"),
    ]


def test_a_patch_without_counts_is_coloured_between_its_ends() -> None:
    text = "- a\n*** Begin Patch\n*** Update File: x\n@@ def f\n-old\n+new\n same\n*** End Patch\n+ not in it"
    assert [look for _, look in looks(text)] == ["file", "file", "hunk", "removed", "added", "file"]


def test_a_line_of_a_patch_that_is_wrapped_keeps_its_look() -> None:
    assert [style for _, style in looks("@@ -0,0 +1 @@\n+" + "word " * 30, width=40)] == ["hunk"] + [
        "added"
    ] * 4


def test_words_of_code_and_json() -> None:
    assert looks("if x == 'a#b':  # why", "python") == [
        *(("if", "keyword"), ("'a#b'", "string"), ("# why", "comment"))
    ]
    assert looks("it's don't 5", "shell") == [("5", "number")]
    assert looks('"a": [true, -1.5e3, "b"]', "json") == [
        *(('"a"', "name"), ("true", "keyword"), ("-1.5e3", "number"), ('"b"', "string"))
    ]
    assert (look_of_path("/a/b.py"), look_of_path("x.tsx"), look_of_path("LICENSE")) == (
        "python",
        "curly",
        "",
    )


def test_colours_of_the_text_itself_go_first() -> None:
    assert looks("\x1b[31mif\x1b[m if", "python") == [("if", "keyword")]


@pytest.mark.parametrize("text", ['"\\' * 400_000, "'" * 800_000, "@@ -" * 200_000, "\n@@ -1 +1 @@" * 70_000])
@pytest.mark.parametrize("look", ["", "python", "json", "patch"])
def test_no_text_makes_it_slow(text: str, look: str) -> None:
    body = BodyDocument([Part(text, foldable=False, look=look)])
    body.fit(100)
    start = time.process_time()
    for row in range(min(50, len(body))):
        body.line(row, 100)
    assert time.process_time() - start < 0.5


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_json_in_one_line_is_laid_out_without_loss(value: Json) -> None:
    laid = indented(json.dumps(value))
    assert laid is None or json.loads(laid) == value


def test_numbers_and_doubles_stay_as_they_are() -> None:
    assert (
        indented('{"a":1.0e5,"a":[],"b":"\\u4e2d\\n"}') == '{\n  "a": 1.0e5,\n  "a": [],\n  "b": "中\\n"\n}'
    )
    assert indented("[1") is None and indented("[]") is None and indented("plain") is None


def big() -> str:
    return pretty(
        {
            "few": [1, 2],
            "rows": [{"n": n, "cells": list(range(20))} for n in range(3)],
            "deep": {"x": {"y": list(range(50))}},
        }
    )


def test_json_is_folded_by_depth_with_counts_and_opens_bit_by_bit() -> None:
    body = BodyDocument([Part(big(), "json", foldable=True, look="json")])
    shown = rows(body, 100)
    assert "      … 2 entries, 23 lines hidden (z opens)" in shown
    assert sum("hidden" in row for row in shown) == 4
    assert body.toggle_fold(next(row for row, text in enumerate(shown) if "52 lines" in text))
    shown = rows(body, 100)
    assert '      "y": [' in shown and any("50 entries" in row for row in shown)
    body.fold_all(False)
    assert "\n".join(rows(body, 100)) == big()


def test_a_long_flat_list_is_folded_in_the_middle_too() -> None:
    text = pretty([{"n": n} for n in range(500)])
    (gap,) = folds_of(Part(text, foldable=True, look="json"))
    assert text.count("\n", 0, gap.first) == 40 and text.count("\n", gap.last) == 19


def test_a_quote_and_a_search_find_what_was_laid_out() -> None:
    step = Step(1, "agent", results=(Result('{"order_id":"#W1","items":[1,2]}'),))
    body = BodyDocument.of(step)
    assert any('  "order_id": "#W1",' in row for row in rows(body))
    found = body.locate('"order_id":"#W1","items"')
    assert found is not None  # and it stays laid out: the signs of JSON aside it stands there as well
    assert body.parts[found.part].text[found.start : found.end] == 'order_id": "#W1",\n  "items'
    again = BodyDocument.of(step)
    assert len(again.search('1","items":[1')) == 1


def test_a_quote_from_arguments_is_found_where_they_stand_key_by_key() -> None:
    call = ToolCall("send", {"user_id": "noah_muller_9847", "amount": 150})
    body = BodyDocument.of(Step(1, "agent", "first", calls=(call,)))
    found = body.locate('"amount":150')
    assert found is not None and body.parts[found.part].text[found.start : found.end] == "amount: 150"
    assert body.locate('"amount":151') is None and body.locate('"never": "said"') is None


def test_a_quote_with_escapes_turns_the_result_to_what_stands_in_the_source() -> None:
    step = Step(1, "agent", results=(Result('{"said":"caf\\u00e9 noir","n":1}'),))
    body = BodyDocument.of(step)
    found = body.locate('"said":"caf\\u00e9 noir"')
    assert found is not None and body.parts[found.part].text == step.results[0].content


def test_arguments_are_read_as_what_they_are() -> None:
    call = ToolCall(
        "edit",
        {
            "path": "a.py",
            "old_string": "x = 1\ny",
            "new_string": "x = 2\ny",
            "command": ["bash", "-lc", "ls\npwd"],
            "options": {"deep": [1, 2]},
            "patch": "--- a\n+++ b\n",
        },
    )
    parts = {part.text: part for part in BodyDocument.of(Step(1, "agent", calls=(call,))).parts}
    assert parts["x = 1\ny"].style == "removed" and parts["x = 2\ny"].look == "python"
    assert parts["ls\npwd"].look == "shell" and "command: bash -lc" in parts
    assert 'options: {"deep": [1, 2]}' in parts
    assert parts["--- a\n+++ b\n"].look == "patch"


def test_arguments_as_the_model_wrote_them_are_read_as_what_they_mean() -> None:
    written = json.dumps({"code": "a = 1\nb = 2", "n": 5})
    texts = [part.text for part in BodyDocument.of(Step(1, "agent", calls=(ToolCall("py", written),))).parts]
    assert "a = 1\nb = 2" in texts and "n: 5" in texts
    for odd in ('{"a": 1, "a": 2}', '{"a": ', "[1]", "{}"):
        texts = [part.text for part in BodyDocument.of(Step(1, "agent", calls=(ToolCall("py", odd),))).parts]
        assert "".join(odd.split()) in "".join("".join(texts).split())
