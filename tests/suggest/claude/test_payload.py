"""`suggest --show-payload`: what would be sent can be read with the eyes, and nothing of it is hidden."""

import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from reviewer.cli.payloads import show_readably
from tests.conftest import SAMPLES, Ran

Run = Callable[..., Ran]
SHOW = ("suggest", "--with", "claude", "--show-payload")


def untagged(text: str) -> str:
    return re.sub(r"\b[0-9a-f]{16}\b", "tag", text)  # each request draws one of its own


def texts(body: Any) -> list[str]:
    return [part["text"] for message in body["messages"] for part in message["content"]]


@pytest.mark.parametrize(
    "how", [(), ("--ask-as", "tool", "--effort", "low", "--batch")], ids=["usual", "other"]
)
def test_all_that_would_be_sent_is_in_it_as_it_is(reviewer: Run, how: tuple[str, ...]) -> None:
    assert reviewer("import", SAMPLES / "plain").status == 0
    exact = json.loads(reviewer(*SHOW, *how, "--json").out)
    said = untagged(reviewer(*SHOW, *how).out)
    each = said.split(f"\n{'═' * 78}\n")
    assert len(each) == len(exact) > 2
    for number, (request, shown) in enumerate(zip(exact, each, strict=True), 1):
        body = request["body"]
        assert shown.startswith(f"request {number} of {len(exact)}, about trace {request['trace']}\n")
        assert f"\nPOST {request['url']}\nmodel: {body['model']}\nmax_tokens: {body['max_tokens']}\n" in shown
        for text in texts(body):
            assert f"\n── user, {len(text):,} characters ──\n{untagged(text)}\n" in shown
        assert ("── system: as in request 1 ──" in shown) == (number > 1)
        assert body["system"] == exact[0]["body"]["system"]
    for part in exact[0]["body"]["system"]:
        assert f" ──\n{part['text']}\n" in each[0]
        assert json.dumps(part["cache_control"]) in each[0]
    for key in exact[0]["body"].keys() & {"tools", "tool_choice", "output_config"}:
        assert f"\n── {key} ──\n{json.dumps(exact[0]['body'][key], indent=2)}\n" in each[0] + "\n"
        assert f"── {key}: as in request 1 ──" in each[1]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_acts_on_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\x1b[2Jone\ntwo\u202e"
    body = {"model": "m", "system": [], "messages": [{"role": "user", "content": [{"text": text}]}]}
    payload = {"trace": "t1-0", "url": "u", "omitted": "steps 2 to 4", "masked": {"key": 2}, "body": body}
    terminal = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    show_readably([payload])
    shown = terminal.getvalue()
    assert "left out of the trace: steps 2 to 4\nmasked: 2 key\n" in shown
    assert "\x1b" not in shown and "\u202e" not in shown
    assert "\n── user, 12 characters ──\n␛[2Jone\ntwo" in shown


def test_nothing_to_send_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    show_readably([])
    assert capsys.readouterr() == ("", "nothing would be sent\n")
