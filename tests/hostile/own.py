"""Our own hostile inputs, a case of each kind: the suite proves the same where no folder of cases is."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

from tests.hostile import own_exchange, own_files, own_judge
from tests.hostile.case import Case, Check

CONTROLS = {
    "op": "rendered_has_no",
    "codepoints": ["U+0000-U+0008", "U+000B-U+001F", "U+007F-U+009F", "U+D800-U+DFFF"],
}
OPENS: Check = {"op": "tui_opens", "sizes": [[80, 24], [20, 5]]}
IN: tuple[Check, ...] = ({"op": "import_exit", "eq": 0}, {"op": "no_traceback"})
PIECES = (  # what must never reach a terminal as it is
    *("\x1b]52;c;c3Vkbw==\x07", "\x1b]0;owned\x1b\\", "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\"),
    *("\x1b[6n", "\x1b[5n", "\x1b[c", "\x1b[>c", "\x1bP$qm\x1b\\", "\x1b]11;?\x07", "\x1bc", "\x1b[2J\x1b[H"),
    *(
        "\x9b6n",
        "\x9d0;owned\x9c",
        "\x90$qm\x9c",
        "\x07",
        "\x0e",
        "\x7f",
        "\x1b[?1049h",
        "\x1b[200~1\x1b[201~",
    ),
)
TERMINAL = "before " + " ".join(PIECES) + " after"
# The app itself enters the alternate screen; a single character may be part of anything.
BYTES = [piece.encode().hex() for piece in PIECES if len(piece) > 1 and "1049" not in piece]
ACTIONS = (
    "[@click=app.quit]bye[/] [@click=screen.confirm]yes[/] [@click=app.bell][b]ding[/b][/] "
    "[@click=app.open_url('http://evil.example')]go[/] [link=http://evil.example]there[/link] "
    "[@click=app.run_action('app.quit')]x[/]"
)
BRACKETS = (
    "[/usr/lib] [red [/] [] [[x]] [a=b:c] [@click=] [ ] [x](y) [bold]\\[/bold] $[0] [/] \\[ :smile: [#]"
)


def document(value: Any) -> bytes:
    return json.dumps(value).encode()


def plain(*texts: str, **more: Any) -> bytes:
    """A plain trace with these texts in every place of every step."""
    steps = [{"thought": text, "action": text, "observation": text} for text in texts]
    return document({"task": "look", "id": "own-1", "trajectory": steps, **more})


def mini(*messages: Any, **info: Any) -> bytes:
    """A mini-swe-agent trajectory."""
    known = {"exit_status": "Submitted", "submission": "", "model_stats": {"api_calls": 1}}
    record = {"info": {**known, **info}, "messages": list(messages), "trajectory_format": "mini-swe-agent-1"}
    return document(record)


def chat(*texts: str) -> list[dict[str, str]]:
    roles = ("system", "user", *("assistant", "user") * len(texts))
    return [{"role": role, "content": text} for role, text in zip(roles, texts, strict=False)]


def rows(*contents: Any, twice: bool = False, first: int = 0) -> bytes:
    """A Claude Code session: each content a message, user and assistant by turns, each on its own row."""
    lines = []
    for n, content in enumerate(contents, first):
        role = "assistant" if n % 2 else "user"
        message: dict[str, Any] = {"role": role, "content": content}
        if role == "assistant":
            message |= {
                "id": f"msg_{n}",
                "type": "message",
                "model": "made-up",
                "usage": {"output_tokens": 3},
            }
        common = {"sessionId": "11111111-2222-4333-8444-555555555555", "cwd": "/w", "version": "2.0.1"}
        line = {
            **{"parentUuid": f"u{n - 1}" if n else None, "isSidechain": False, "type": role, "uuid": f"u{n}"},
            **{"timestamp": f"2026-03-01T08:{n:02}:00.000Z", "message": message, **common},
        }
        lines.append(line)
    forked = [{**line, "forkedFrom": {"messageUuid": line["uuid"]}} for line in lines] if twice else []
    return b"".join(json.dumps(line).encode() + b"\n" for line in [*lines, *forked])


def session(*texts: str) -> bytes:
    """A session in which the texts are the results of commands."""
    contents: list[Any] = ["start"]
    for n, text in enumerate(texts):
        call = {"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": text}}
        contents += [[call], [{"type": "tool_result", "tool_use_id": f"t{n}", "content": text}]]
    return rows(*contents)


def _terminal() -> Iterable[Case]:
    everywhere: list[Check] = [OPENS, CONTROLS, {"op": "rendered_contains", "text": "␛]52;c;"}]
    yield Case("sequences-plain", {"a.json": plain(TERMINAL)}, [*IN, *everywhere])
    never: Check = {"op": "pty_output_has_no", "hex": BYTES}
    viewed: Check = {"op": "labels_unchanged_after", "when": "view"}
    yield Case("sequences-session", {"s.jsonl": session(TERMINAL)}, [*IN, *everywhere, never, viewed])
    over = "step one\rSTEP\b\b\b\b2 cd /srv; rm -r x\x08\x08\x08\r\nls     done"
    checks: list[Check] = [OPENS, CONTROLS, {"op": "rendered_contains", "text": "rm -r x"}]
    checks += [{"op": "rendered_contains", "text": "step one␍STEP␈"}, {"op": "raw_preserved"}]
    yield Case("overwritten", {"r.traj.json": mini(*chat("s", "t", over, over))}, [*IN, *checks])


def _markup() -> Iterable[Case]:
    final = {"state": ACTIONS, ACTIONS: 1}
    states = {"final_state": final, "expected_state": {"state": "x"}, "model": ACTIONS, "benchmark": ACTIONS}
    clicked: list[Check] = [
        *(OPENS, {"op": "no_action_on_click"}),
        *({"op": "labels_unchanged_after", "when": when} for when in ("click_all_cells", "view")),
        {"op": "rendered_contains", "text": "[@click=app.quit]bye[/]"},
        {"op": "rendered_contains", "text": "[link=http://evil.example]"},
    ]
    hostile = plain(ACTIONS, **{**states, "id": ACTIONS, "task": ACTIONS})
    yield Case("actions", {"a.json": hostile}, [*IN, *clicked])
    shown: list[Check] = [{"op": "rendered_contains", "text": text} for text in ("[/usr/lib]", "[a=b:c]")]
    texts = chat("s", BRACKETS, BRACKETS, BRACKETS)
    yield Case("brackets", {"b.traj.json": mini(*texts)}, [*IN, OPENS, *shown, {"op": "raw_preserved"}])


def _json() -> Iterable[Case]:
    good = mini(*chat("s", "t", "fine", "ok"))
    deep = mini(*chat("s", "t", "deep", "ok"), log="HERE").replace(b'"HERE"', b"[" * 5000 + b"]" * 5000)
    refused: list[Check] = [
        *({"op": "import_exit", "ne": 0}, {"op": "no_traceback"}, {"op": "n_traces", "eq": 1}),
        *({"op": "import_output_contains", "text": "deep.traj.json"}, {"op": "max_seconds", "value": 10}),
    ]
    yield Case("deep", {"deep.traj.json": deep, "good.traj.json": good}, refused)
    many, big = b"7" * 6000, 2**80 + 1
    digits = mini(*chat("s", "t", "digits", "ok"), count="HERE").replace(b'"HERE"', many)
    exact = mini(*chat("s", "t", "exact", "ok"), count=big)
    kept: list[Check] = [
        *({"op": "no_traceback"}, {"op": "n_traces_min", "value": 1}, {"op": "import_atomic_per_file"}),
        {"op": "export_contains", "format": "jsonl", "text": str(big)},
        {"op": "json_strict"},
    ]
    yield Case("integers", {"digits.traj.json": digits, "exact.traj.json": exact}, kept)
    states = b'{"a": 1e400, "b": -1e999, "c": -0.0, "d": NaN, "e": -Infinity, "f": 5e-324}'
    floats = plain("x", final_state=0, expected_state=1)
    floats = floats.replace(b'"final_state": 0', b'"final_state": ' + states)
    strict: list[Check] = [OPENS, {"op": "json_strict"}, {"op": "n_traces", "eq": 1}]
    yield Case("floats", {"f.json": floats}, [*IN, *strict])
    lone = "caf\udce9 \ud83d half \udc00\ud800 turned"
    utf8: Check = {"op": "export_utf8", "formats": ["csv", "jsonl", "parquet"]}
    yield Case("surrogates", {"l.jsonl": session(lone)}, [*IN, OPENS, CONTROLS, utf8, {"op": "json_strict"}])
    control = mini(*chat("s", "t", "HERE", "ok")).replace(b"HERE", b"\x1b]0;t\x07\t\x01")
    either: list[Check] = [
        {"op": "any_of", "of": [{"op": "n_traces", "eq": 1}, {"op": "import_exit", "ne": 0}]},
        *({"op": "no_traceback"}, {"op": "import_output_has_no_bytes", "hex": ["1b", "01", "07"]}),
    ]
    yield Case("raw-controls", {"c.traj.json": control}, either)


def _shapes() -> Iterable[Case]:
    hollow = {
        **{
            "empty": b"",
            "space": b" \n\t\n",
            "null": b"null",
            "list": b"[]",
            "object": b"{}",
            "number": b"7",
        },
        **{"text": b'"x"', "half": b'{"messages": [', "bytes": b"\xff\xfe\x00", "true": b"true"},
    }
    files = {f"{name}.traj.json": data for name, data in hollow.items()}
    files |= {"good.traj.json": mini(*chat("s", "t", "fine", "ok")), "none.traj.json": mini()}
    named: list[Check] = [{"op": "import_output_contains", "text": f"{name}.traj.json"} for name in hollow]
    kept: list[Check] = [{"op": "n_traces_between", "min": 1, "max": 2}, OPENS, {"op": "no_traceback"}]
    yield Case("hollow", files, [{"op": "import_exit", "ne": 0}, *named, *kept])
    image = base64.b64encode(bytes(range(256)) * 6000).decode()
    source = {"type": "base64", "media_type": "image/png", "data": image}
    picture = rows([{"type": "text", "text": "see the picture"}, {"type": "image", "source": source}], "seen")
    quick: list[Check] = [
        *(OPENS, {"op": "n_messages", "eq": 2}, {"op": "max_seconds_per_step", "value": 1.0}),
        {"op": "rendered_contains", "text": "see the picture"},
        {"op": "rendered_lacks", "text": image[400:440]},
    ]
    yield Case("long-line", {"p.jsonl": picture}, [*IN, *quick])
    odd = [
        *({"role": "user", "content": None}, {"role": "assistant", "content": 3.5, "tool_calls": None}),
        *({"role": "user", "content": {"k": "in an object"}}, {"role": "oracle", "content": "odd role"}),
        *({"role": "assistant", "content": [None, 1, {"type": "hologram", "x": "odd block"}]}, "bare text"),
        *({"content": "no role"}, None, 17, ["a list"], {"role": ["x"], "content": True}, {}),
    ]
    texts = ("in an object", "odd role", "odd block", "bare text", "no role")
    visible: list[Check] = [{"op": "rendered_contains", "text": text} for text in texts]
    visible += [{"op": "n_messages", "eq": 12 + 2}, {"op": "raw_preserved"}, OPENS]
    wrong = mini(*chat("s", "t"), *odd, trajectory=5)
    yield Case("types", {"w.traj.json": wrong}, [*IN, *visible])


def _identity() -> Iterable[Case]:
    one, two = (mini(*chat("s", "the same task", text, "ok")) for text in ("first", "second"))
    files = {"a/x.traj.json": one, "b/x.traj.json": two}
    yield Case("same-name", files, [*IN, {"op": "n_traces", "eq": 2}, {"op": "label_isolated"}])
    texts = ("go", "one", "more", "two", "more", "three")
    grown: list[Mapping[str, Any]] = [
        {"do": "import", "files": ["v1/s.jsonl"]},
        {"do": "label", "as": "ana", "trace": 0, "step": 2, "value": "stuck"},
        {"do": "import", "files": ["v2/s.jsonl"]},
        {"do": "expect_labels", "n": 1, "of": {"ana": "stuck"}},
    ]
    stays: list[Check] = [{"op": "labels_equal_before_after"}, {"op": "label_points_to_same_message"}]
    files = {"v1/s.jsonl": rows(*texts[:4]), "v2/s.jsonl": rows(*texts)}
    yield Case("grown", files, [*IN, {"op": "n_traces_in", "values": [1, 2]}, *stays], grown)
    once: list[Check] = [{"op": "n_traces", "eq": 1}, {"op": "n_messages", "eq": 4}]
    doubled = rows(*texts[:4], twice=True)
    said: Check = {"op": "import_output_matches", "regex": "duplicat"}
    yield Case("twice", {"d.jsonl": doubled}, [*IN, *once, said])


def _people() -> Iterable[Case]:
    keys = b"9\n1\nyyy\r8sqw: it went on\nu\nn1\x7f:q!\n"
    files = {"a.json": plain("x"), "keys.bin": keys, "bracketed.bin": b"\x1b[200~" + keys + b"\x1b[201~"}
    nothing = {"op": "labels_unchanged_after", "when": "paste"}
    pasted: list[Check] = [
        {"op": "pty_feed", "file": "bracketed.bin", "then": nothing},
        {"op": "pty_feed", "file": "keys.bin", "then": {"op": "undo_restores_all"}},
    ]
    yield Case("paste", files, [*IN, *pasted])
    # Ten traces: ana and ben agree on 4 + 3; by chance 0.5*0.6 + 0.5*0.4 = 0.5, so kappa = 0.2 / 0.5 = 0.4.
    ana = ["drift"] * 5 + ["tool"] * 5
    ben = ["drift"] * 4 + ["tool"] + ["tool"] * 3 + ["drift"] * 2
    known: list[Check] = [
        {"op": "kappa", "pair": ["ana", "ben"], "approx": 0.4, "tol": 1e-9},
        *({"op": "percent_agreement", "eq": 0.7}, {"op": "n_items", "eq": 10}, {"op": "json_strict"}),
    ]
    yield _labelled("known-kappa", 10, {"ana": ana, "ben": ben}, known)
    same: list[Check] = [
        *({"op": "kappa", "pair": ["ana", "ben"], "is": "undefined"}, {"op": "percent_agreement", "eq": 1.0}),
        {"op": "json_strict"},
    ]
    yield _labelled("one-label-only", 4, {"ana": ["none"] * 4, "ben": ["none"] * 4}, same)
    more = [
        *(
            {"trace": "n0", "annotator": "ana", "label": "tool"},
            {"trace": "n3", "annotator": "ben", "label": None},
        ),
        {"trace": "n1", "annotator": "machine", "label": "tool", "source": "suggestion"},
        {"trace": "n1", "annotator": "cleo", "label": "tool", "source": "adjudication"},
    ]
    # ana: tool drift none drift; ben: tool tool none -. Agree on 2 of 3; chance 3/9; kappa 0.5.
    history: list[Check] = [
        *({"op": "pair_n", "pair": ["ana", "ben"], "eq": 3}, {"op": "raters", "eq": ["ana", "ben"]}),
        *(
            {"op": "kappa", "pair": ["ana", "ben"], "approx": 0.5, "tol": 1e-9},
            {"op": "history_events", "eq": 12},
        ),
    ]
    given = {"ana": ["drift", "drift", "none", "drift"], "ben": ["tool", "tool", "none", "drift"]}
    yield _labelled("history", 4, given, history, more)


def _labelled(
    id: str, n: int, given: Mapping[str, list[str]], checks: list[Check], more: Iterable[Any] = ()
) -> Case:
    """`n` traces, the labels of each annotator in their order, then `more` labels."""
    labels = [
        {"trace": f"n{place}", "annotator": name, "label": label}
        for name, listed in given.items()
        for place, label in enumerate(listed)
    ]
    files = {f"n{place}.json": plain(f"text {place}", id=f"n{place}") for place in range(n)}
    files["labels.json"] = document([*labels, *more])
    play: list[Mapping[str, Any]] = [
        {"do": "import", "files": sorted(files)[1:]},
        {"do": "label_from", "file": "labels.json"},
        {"do": "agreement"},
    ]
    return Case(id, files, [*IN, {"op": "n_traces", "eq": n}, *checks], play)


CASES = [
    *(case for kind in (_terminal, _markup, _json, _shapes, _identity, _people) for case in kind()),
    *own_exchange.cases(plain, IN),
    *own_files.cases(plain, IN),
    *own_judge.cases(plain, IN),
]
