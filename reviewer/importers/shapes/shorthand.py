"""What frameworks take for messages beside messages: a pair of role and words, a request under some key.

LangChain and LangGraph take `["user", "Book a table"]`, and logs keep what they were given. Knows no format.
"""

from __future__ import annotations

from typing import Any

from reviewer.importers.opening.values import as_dict, as_str
from reviewer.trace import Json

# As they are written: a list of two of which the first is such a word says nothing else.
_ROLES = {"system", "developer", "user", "human", "assistant", "ai"}
# Where the request stands beside what is carried along.
_ASKED = ("message", "user_message", "user_input", "user_query", "user_prompt", "request", "task", "goal")


def paired(row: Json) -> dict[str, Any] | None:
    """The message that a pair stands for; None for anything else."""
    if not isinstance(row, list) or len(row) != 2:
        return None
    role, content = row
    if isinstance(role, str) and role in _ROLES and isinstance(content, str | list):
        return {"role": role, "content": content}
    return None


def asked_in(value: Json) -> str:
    """What a user asked for, in an object that holds other things too; "" where it is not said so."""
    texts = (as_str(as_dict(value).get(key)) for key in _ASKED)
    return next((text for text in texts if text.strip()), "")
