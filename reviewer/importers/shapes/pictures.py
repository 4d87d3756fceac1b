"""The pictures, documents and sounds inside a source record, for a viewer outside the terminal.

Each has the name that stands in its placeholder: the beginning of a hash of its data. Walks any JSON;
knows no format.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reviewer.trace import Json

NAME = 8  # hex digits
_LEAST = 16  # a shorter text is no picture
_DATA_URL = re.compile(r"\Adata:(?P<media>[\w.+/-]*)(?:;[\w=.-]+)*;base64,", re.ASCII)
_BASE64 = re.compile(r"\A[A-Za-z0-9+/_=\s-]+\Z")
MEDIA_KEYS = ("media_type", "mimeType", "mime_type", "mime", "format", "mediaType")
_MAGIC = (
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"GIF8", "gif"),
    (b"RIFF", "webp"),
    (b"%PDF", "pdf"),
    (b"PK\x03\x04", "zip"),
    (b"ID3", "mp3"),
)


@dataclass(frozen=True, slots=True)
class Picture:
    """Data that a placeholder stands for."""

    name: str
    media: str
    data: bytes

    @property
    def file_name(self) -> str:
        """Its name with the ending of what the data is, whatever the record says it is."""
        known = next((ending for magic, ending in _MAGIC if self.data.startswith(magic)), "")
        word = re.sub(r"[^a-z0-9]", "", self.media.rpartition("/")[2].lower())[:8]
        return f"{self.name}.{known or word or 'bin'}"


def name_of(data: str) -> str:
    """The name of data as it stands in a record: of its text without white space, base64 or not."""
    return hashlib.sha256("".join(data.split()).encode("utf-8", "replace")).hexdigest()[:NAME]


def pictures(record: Json) -> Iterator[Picture]:
    """Everything in a record that is data of its own, each once."""
    seen: set[str] = set()
    for media, text in _texts(record, ""):
        found = _picture(media, text)
        if found is not None and found.name not in seen:
            seen.add(found.name)
            yield found


def _texts(value: Json, media: str) -> Iterator[tuple[str, str]]:
    """Every text that may be data, with the type that stands beside it."""
    level = [(value, media)]
    while level:
        node, said = level.pop()
        if isinstance(node, str):
            if len(node) >= _LEAST:
                yield said, node
        elif isinstance(node, dict):
            own = next((node[key] for key in MEDIA_KEYS if isinstance(node.get(key), str)), said)
            level.extend((item, own) for item in reversed(node.values()))
        elif isinstance(node, list):
            level.extend((item, said) for item in reversed(node))


def _picture(media: str, text: str) -> Picture | None:
    if match := _DATA_URL.match(text):
        media, text = match["media"], text[match.end() :]
    elif not media or not _BASE64.match(text):
        return None
    try:
        data = base64.b64decode("".join(text.split()).translate(str.maketrans("-_", "+/")) + "===")
    except (binascii.Error, ValueError):
        return None
    told = bool(match) or media.partition("/")[0] in ("image", "audio", "video")
    looks = any(data.startswith(magic) for magic, _ in _MAGIC)
    return Picture(name_of(text), media, data) if told or looks else None
