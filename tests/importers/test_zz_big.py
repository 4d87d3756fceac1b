"""Whatever the bytes: traces come out, or an `InputError` of one line; nothing else."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reviewer.errors import InputError
from reviewer.importers import FORMATS
from reviewer.importers.files import open_source

WORDS = """
    task trajectory messages steps step thought action observation result role content tool_calls
    function name arguments id type text thinking tool_use tool_result tool_use_id input is_error
    image source data info extra actions command response usage prompt_tokens exit_status submission
    config model model_name mini_version trajectory_format instance_id uuid parentUuid sessionId
    isSidechain isMeta message timestamp agentId toolUseResult prompt subtype returncode passed
    score final_state attempt ended error exit_code cost
"""
NAMES = """
    user assistant system tool exit text thinking tool_use tool_result image Task mini-swe-agent-1.1
    u1 u2 u3 Submitted 2026-01-01T00:00:00Z progress summary attachment queued_command base64
"""
KEYS = st.sampled_from(WORDS.split())
TEXTS = st.sampled_from(NAMES.split()) | st.text(max_size=6)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | TEXTS
    | st.just("```bash\nls\n```")
    | st.just(2**80)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)
SMALL = LEAVES | st.lists(LEAVES, max_size=2) | st.dictionaries(KEYS, LEAVES, max_size=2)
MINI = st.fixed_dictionaries(
    {
        "trajectory_format": st.just("mini-swe-agent-1.1"),
        "info": VALUES,
        "messages": st.lists(VALUES, max_size=6),
    }
)
ROW = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["user", "assistant", "system", "attachment", "summary", "odd"]),
        "message": SMALL,
    },
    optional={
        "uuid": st.sampled_from(["u1", "u2", "u3", "u4"]) | SMALL,
        "parentUuid": st.sampled_from(["u1", "u2", "u3", "u4", None]) | SMALL,
        "isSidechain": st.booleans() | SMALL,
        "sessionId": TEXTS | SMALL,
        "agentId": SMALL,
        "timestamp": SMALL,
        "attachment": SMALL,
        "content": SMALL,
        "toolUseResult": SMALL,
    },
)
BLOCKS = st.lists(st.dictionaries(KEYS, SMALL, max_size=6), max_size=4)
TALK = st.fixed_dictionaries(
    {"role": TEXTS, "content": BLOCKS | SMALL}, optional={"id": TEXTS, "usage": SMALL}
)
PLAIN = st.dictionaries(KEYS, VALUES, max_size=5).flatmap(
    lambda rest: st.lists(VALUES, max_size=5).map(lambda entries: {**rest, "trajectory": entries})
)


def _consume(data: bytes) -> int:
    """Read `data` as each format and as none; count the traces."""
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "any.json")
        path.write_bytes(data)
        for name in (None, *FORMATS):
            try:
                importer, source = open_source(path, name)
                for imported in importer.read(source):
                    count += 1
                    json.loads(imported.trace.raw, strict=False, parse_int=str)
                    json.dumps(
                        [imported.trace.info.meta, [dict(step.extra) for step in imported.trace.steps]]
                    )
                    assert all(step.source_ids for step in imported.trace.steps)
            except InputError as error:
                assert "any.json" in str(error)
                assert "\n" not in str(error)
    return count


def _fuzz(examples: int) -> Any:
    return settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


@_fuzz(2500)
@given(st.binary(max_size=200))
@example(b"\xff\xfe\x00\x00")
@example(b"\xef\xbb\xbf")
@example(b"[1, 2")
@example(b"-" * 5000)
@example(b'{"a":' * 5000)
@example(b"\x00" * 100)
@example(b'[{"messages": [{"role": "user", "content": 1e999}]}]')
def test_bytes(data: bytes) -> None:
    _consume(data)


@_fuzz(2500)
@given(MINI | PLAIN | st.lists(PLAIN, max_size=3) | VALUES)
def test_objects(value: Any) -> None:
    _consume(json.dumps(value).encode())


@_fuzz(4000)
@given(
    st.lists(
        st.one_of(ROW, ROW.flatmap(lambda row: TALK.map(lambda talk: {**row, "message": talk}))), max_size=8
    )
)
def test_session_rows(rows: list[Any]) -> None:
    _consume("\n".join(json.dumps(row) for row in rows).encode())


def test_the_fuzzer_reaches_the_importers() -> None:
    assert _consume(b'{"task": "t", "trajectory": ["a"]}') >= 2
