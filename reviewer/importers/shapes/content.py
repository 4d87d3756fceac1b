"""From the content of a message to text: strings, lists of blocks, images, whatever stands there.

Pictures and other data become a placeholder that names their type and size, never their base64.
Knows the block types that providers share; importers warn of those it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from reviewer.importers.opening.values import as_dict, as_list, as_str, dumped, kind_of
from reviewer.importers.shapes.pictures import MEDIA_KEYS, name_of
from reviewer.trace import Json

TEXT_TYPES = {"text", "input_text", "output_text", "refusal"}
DATA_TYPES = {
    "image",
    "image_url",
    "input_image",
    "document",
    "file",
    "input_file",
    "audio",
    "input_audio",
    "video",
}
# A text of this length without a single blank is data, not something to read.
LONG = 4096
_DATA_URL = re.compile(r"data:([\w.+/-]*)[;,]")


def text_of(content: Json, unknown: Callable[[str], None]) -> str:
    """The text of a message's content; `unknown` is told the name of each kind of block not known here."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if not isinstance(content, list):
        unknown(f"content that is {kind_of(content)} is shown as JSON")
        return readable(content)
    return "\n".join(_block(block, unknown) for block in content)


def _block(block: Json, unknown: Callable[[str], None]) -> str:
    if isinstance(block, str):
        return block
    kind = as_str(as_dict(block).get("type"))
    if kind in TEXT_TYPES:
        text = block.get("text", block.get("refusal"))
        return text if isinstance(text, str) else readable(text)
    if kind in DATA_TYPES:
        return placeholder(block)
    if kind == "tool_reference":
        return f"[tool {as_str(block.get('tool_name') or block.get('name'))}]"
    if isinstance(block, dict) and not kind and isinstance(block.get("text"), str):
        return str(block["text"])
    unknown(
        f"unknown block type {kind[:80]!r} is shown as JSON"
        if kind
        else f"a block that is {kind_of(block)} is shown as JSON"
    )
    return readable(block)


def placeholder(block: dict[str, Any]) -> str:
    """`[image/png 0f3a9c21, 1.5 MB]` for a block that holds a picture, a document or a sound.

    The name is that of the data in `pictures`, which gets it out again.
    """
    kind = as_str(block.get("type")).removeprefix("input_").removesuffix("_url")
    source = block.get("source", block.get(f"{kind}_url", block.get(kind, block)))
    if isinstance(source, str):
        source = {"url": source}
    source = as_dict(source)
    media = next(filter(None, (as_str(source.get(key)) for key in MEDIA_KEYS)), kind)
    data = as_str(source.get("data") or source.get("file_data"))
    url = as_str(source.get("url"))
    if match := _DATA_URL.match(url):
        media, data = match[1] or media, url[url.find(",") + 1 :]
    elif url:
        return f"[{media}, {url[:200]}]"
    if source.get("type") == "text":  # a document given as plain text is to be read
        return data
    if not data:
        name = as_str(source.get("file_id") or source.get("filename") or block.get("title"))
        return f"[{media}, {name or 'no data'}]"
    return f"[{media} {name_of(data)}, {size(len(data) * 3 // 4 - data[-2:].count('='))}]"


def size(count: int) -> str:
    """A number of bytes for people, in decimal units."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def readable(value: Json) -> str:
    """JSON for reading in which data (very long texts without a blank) is replaced by its size."""
    return dumped(slim(value))


def slim(value: Json) -> Json:
    """The same value with each text that is data, not words, replaced by a note of its length."""
    if isinstance(value, dict):
        return {key: slim(item) for key, item in value.items()}
    if isinstance(value, list):
        return [slim(item) for item in value]
    if isinstance(value, str) and len(value) > LONG and not re.search(r"\s", value[:LONG]):
        return f"[{len(value)} characters of data, kept in the raw record]"
    return value


def calls_in(content: Json) -> list[dict[str, Any]]:
    """The `tool_use` blocks of a content list."""
    return [block for block in as_list(content) if as_dict(block).get("type") == "tool_use"]
