"""A trace as text: every step seen, the budget kept, and what is left out counted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewer.suggest.cleaning import restored
from reviewer.suggest.excerpt import Excerpt, excerpt, shorten
from reviewer.trace import Result, Step, ToolCall, Trace
from tests.traces import bash, call, says, trace, user


def size(shown: Excerpt) -> int:
    return sum(part.cost for part in shown.parts)


def test_a_short_trace_is_shown_whole_in_order() -> None:
    step = Step(
        0,
        "agent",
        "I look.",
        "Where is it?",
        calls=(ToolCall("read", {"path": "a.py"}, "1"), ToolCall("bash", "ls", "2")),
        results=(Result("two files", "2"), Result("no such file", "1", error=True, exit_code=2)),
    )
    shown = excerpt(trace(user("Fix it."), step, task="Fix it."))
    assert [(part.step, part.label, part.text) for part in shown.parts] == [
        (1, "user, message", "Fix it."),
        (2, "agent, reasoning", "Where is it?"),
        (2, "agent, message", "I look."),
        (2, "call read", '{"path": "a.py"}'),
        (2, "result, error, exit code 2", "no such file"),
        (2, "call bash", "ls"),
        (2, "result", "two files"),
    ]
    assert (shown.omitted, shown.masked) == ("", {})


def test_the_task_is_shown_unless_a_first_step_says_it() -> None:
    assert excerpt(trace(says("Hello."), task="Cook.")).parts[0].text == "Cook."
    assert len(excerpt(trace(user("Please: Cook. Now."), task="Cook.")).parts) == 1


def test_long_results_are_shown_by_head_and_tail() -> None:
    long = "HEAD " + "middle " * 20_000 + " TAIL"
    shown = excerpt(trace(says("Start."), bash("make", long), says("Done.")), budget=10_000)
    texts = [part.text for part in shown.parts]
    assert any(text.startswith("HEAD") and text.endswith("TAIL") and "left out …]" in text for text in texts)
    assert "Start." in texts and "Done." in texts
    assert size(shown) <= 10_000
    assert "of 140," in shown.omitted and "characters not shown" in shown.omitted


def test_every_step_has_at_least_a_line_and_errors_and_the_end_have_more() -> None:
    steps = [bash(f"step number {n}", "output line\n" * 200) for n in range(1, 400)]
    steps[99] = bash("breaks here", "BOOM " * 100, 1)
    shown = excerpt(trace(*steps, says("All done.")), budget=60_000)
    assert {part.step for part in shown.parts} == set(range(1, 401))
    assert [part.step for part in shown.parts] == sorted(part.step for part in shown.parts)
    assert size(shown) <= 60_000
    assert any(part.step == 100 and "BOOM" in part.text for part in shown.parts)
    assert any(part.step == 399 and "output line" in part.text for part in shown.parts)
    assert any(part.step == 50 and part.label == "agent, as one line" for part in shown.parts)
    assert "389 steps shown as one line" in shown.omitted


def test_the_least_is_the_first_and_the_last_step() -> None:
    for count in range(1, 5):
        steps = [says(f"{n} " * 100) for n in range(count)]
        shown = excerpt(trace(*steps, task="Go on. " * 1000), budget=100)
        assert {1, count} <= {part.step for part in shown.parts}
        assert ("not shown at all" in shown.omitted) == (count > 2)


def test_a_run_in_the_middle_is_folded_only_when_lines_do_not_fit() -> None:
    shown = excerpt(trace(*[says(f"Turn {n}.") for n in range(5000)], says("The end.")), budget=20_000)
    assert size(shown) <= 20_500
    assert "not shown at all" in shown.omitted
    assert any("are left out" in part.label for part in shown.parts)
    assert shown.parts[-1].text == "The end." and shown.parts[0].text == "Turn 0."


def test_unbroken_data_is_counted_and_not_sent() -> None:
    wrapped = "\n".join(["QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5"] * 6)
    shown = excerpt(trace(bash("cat", "x" * 1000 + " end"), bash("base64", f"begin\n{wrapped}\nend")))
    assert "xxxx" not in shown.text and "QUJD" not in shown.text
    assert "[1,000 characters of unbroken data] end" in shown.text
    assert "2 blocks of unbroken data" in shown.omitted
    path = "src/" + "package/" * 12 + "module.py"
    assert path in excerpt(trace(bash("ls", path))).text


def test_secrets_are_masked_and_never_half_shown_at_a_cut() -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    shown = excerpt(trace(bash("env", f"GITHUB_TOKEN={secret}\n" * 4000)), budget=5_000)
    assert "ghp_" not in shown.text and "a1B2" not in shown.text
    assert shown.masked and "secrets masked" in shown.omitted


@pytest.mark.parametrize("shift", range(0, 60, 7))
def test_a_secret_on_the_edge_of_what_is_looked_at_is_not_shown(shift: int) -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    blob = "Z" * 900_000  # shrinks to a few words, so that the edge comes on show
    shown = excerpt(trace(bash("x", "." * shift + f" {secret}" * 2000 + f" {blob} {secret}")), budget=2_000)
    assert "a1B2" not in shown.text and "ZZ" not in shown.text


# A secret that is known by what stands before it: a name and a blank, the first line of a key.
NAMED = "DB_PASSWORD = hunter2-and-more"
LETTERS = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0z+/" * 2
KIND = "EC PRIVATE KEY-----"
KEYED = f"-----BEGIN {KIND}\n{LETTERS[:64]}\n{LETTERS[1:65]}\nk2mN5pQ8==\n-----END {KIND}"


@pytest.mark.parametrize(("secret", "parts"), [(NAMED, ["hunter2"]), (KEYED, ["aB3dE6", "k2mN5pQ8"])])
def test_a_secret_whose_name_lies_beyond_the_edge_is_not_shown(secret: str, parts: list[str]) -> None:
    window = 4_000
    for shift in range(-2, len(secret) + 2, 3):
        tail = "so it ended " * 1000
        text = "x " * 100_000 + secret + " " + tail[: window - len(secret) + shift]
        begun = "x " * 2000
        head = begun[: window - shift] + " " + secret + " y" * 100_000
        for one in (text, head):
            clean = excerpt(trace(bash("env", one)), budget=8_000).text
            assert not [part for part in parts if part in clean], shift


def test_the_name_of_a_tool_is_masked_as_everything_else() -> None:
    secret = "ghp_" + "a1B2c3D4" * 5
    shown = excerpt(trace(call(secret, "{}")))
    assert not [part for part in shown.parts if "a1B2" in part.label] and shown.masked == {"token": 1}


def test_control_characters_become_signs_and_come_back_in_quotes() -> None:
    shown = excerpt(trace(bash("ls", "\x1b[31mred\x1b[0m\x00\x9b \ud800\r\nnext")))
    assert shown.parts[-1].text == "␛[31mred␛[0m␀\ufffd \ufffd\nnext"
    assert restored("␛[31mred␛[0m") == "\x1b[31mred\x1b[0m"
    shown.text.encode("utf-8")


def test_a_step_without_words_has_its_line() -> None:
    shown = excerpt(trace(Step(0, "agent"), Step(0, "agent", fault=True), call("ping")))
    assert [part.label for part in shown.parts] == [
        "agent, nothing", "agent, message, provider error", "call ping", "result",
    ] or [part.step for part in shown.parts] == [1, 2, 3, 3]  # fmt: skip


def test_an_empty_trace_is_an_empty_excerpt() -> None:
    assert excerpt(trace()).parts == ()


def test_shorten_counts_what_it_drops() -> None:
    text = "a" * 100 + "b" * 900
    assert shorten(text, 1000) == text
    cut = shorten(text, 100)
    assert cut.startswith("a" * 40 + "\n") and cut.endswith("\n" + "b" * 60) and "900 characters" in cut


TEXTS = st.text(max_size=400)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    step = st.one_of(
        TEXTS.map(says), TEXTS.map(user), st.builds(bash, TEXTS, TEXTS.map(lambda text: text * 40))
    )  # fmt: skip
    return trace(*draw(st.lists(step, max_size=60)), task=draw(TEXTS))


@settings(deadline=None)
@given(traces(), st.integers(2_000, 40_000))
def test_any_trace_fits_any_budget(one: Trace, budget: int) -> None:
    shown = excerpt(one, budget=budget)
    assert size(shown) <= budget * 1.05
    numbers = [part.step for part in shown.parts if part.step]
    assert numbers == sorted(numbers)
    assert set(numbers) == {step.n for step in one.steps} or "not shown at all" in shown.omitted


@pytest.mark.parametrize("budget", [2_000, 150_000])
def test_a_huge_trace_takes_seconds_at_most(budget: int) -> None:
    import time

    huge = trace(*[bash("cat", "some words and a token here\n" * 1000) for _ in range(500)])  # 14 MB
    begun = time.process_time()
    excerpt(huge, budget=budget)
    assert time.process_time() - begun < 15
