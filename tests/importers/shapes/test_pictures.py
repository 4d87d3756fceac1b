"""Pictures come out of the source record under the name that stands in their placeholder."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.importers.shapes.content import placeholder
from reviewer.importers.shapes.pictures import pictures
from tests.conftest import Ran
from tests.importers.reading import put

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(60))
TEXT = base64.b64encode(PNG).decode()
ANTHROPIC = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": TEXT}}
OPENAI = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{TEXT}"}}
PLAIN = {"type": "image", "data": TEXT, "mimeType": "image/png"}


@pytest.mark.parametrize("block", [ANTHROPIC, OPENAI, PLAIN], ids=["anthropic", "openai", "mime"])
def test_the_placeholder_names_the_file(block: dict[str, Any]) -> None:
    (found,) = pictures({"messages": [{"content": [{"type": "text", "text": "see " * 20}, block]}]})
    assert found.data == PNG
    assert found.file_name == f"{found.name}.png"
    assert placeholder(block) == f"[image/png {found.name}, 68 B]"


def test_what_is_no_data_is_left_alone() -> None:
    words = {
        "type": "text",
        "text": "abcdefghijklmnopqrstuvwx",
        "mime": "text/plain; charset=x",
        "id": "a" * 40,
    }
    assert list(pictures([words, {"signature": TEXT}, {"format": "json", "body": "deadbeef" * 4}])) == []
    assert len(list(pictures([ANTHROPIC, OPENAI]))) == 1


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.text() | st.none() | st.just(TEXT),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["data", "media_type", "url"]), inner)
        ),
        max_leaves=20,
    )
)
def test_any_record_gives_pictures_or_none(record: Any) -> None:
    for found in pictures(record):
        assert "/" not in found.file_name


def test_from_the_command_line(reviewer: Callable[..., Ran], tmp_path: Path) -> None:
    talk = [{"role": "user", "content": [OPENAI]}, {"role": "assistant", "content": "a jetty"}]
    reviewer("import", put(tmp_path, "x.json", {"messages": talk}))
    trace = json.loads(reviewer("traces", "--json").out)[0]["id"]
    ran = reviewer("show", trace, "--images", tmp_path / "out")
    (saved,) = (tmp_path / "out").iterdir()
    assert (ran.status, ran.out.strip()) == (0, str(saved))
    assert saved.read_bytes() == PNG
    assert saved.stem in reviewer("show", trace).out
