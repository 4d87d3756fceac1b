"""What nothing had given and a run was built on is shown, unless something speaks against it."""

from __future__ import annotations

import pytest

from reviewer.suggest.rules.seen.scene import Scene
from reviewer.suggest.rules.signals.fabricated import called_made_up, made_up
from reviewer.suggest.rules.signals.invented import file_in_doubt, file_not_there, not_there, written_call
from reviewer.trace import Step, Trace
from tests.suggest.rules.expected import proven
from tests.traces import FAILED, PASSED, bash, call, says, trace, user

GUESS = call("get_user", {"user_id": "ann_smith_872"}, "Error: user not found", error=True)
SAMPLE = bash("# hypothetical values for demo purposes\ncounts = [45, 50, 47]\nprint(dev(counts))", "2.516")


def agent(name: str, message: str) -> Step:
    return Step(0, "agent", message, name=name)


def test_an_id_that_nobody_gave_is_named_although_the_error_does_not() -> None:
    one = trace(user("Cancel all, I am Ann Smith."), GUESS, GUESS, says("I hand you over."))
    fired = proven(one, not_there(Scene.of(one, FAILED)))
    assert fired.step == 2 and "nothing before step 2 names ann_smith_872" in fired.says
    assert [item.shows for item in fired.evidence] == ["used", "answered", "goes on"]


def test_an_id_that_was_given_or_tried_once_is_none() -> None:
    given = trace(user("I am ANN_SMITH_872."), GUESS, GUESS)
    assert not_there(Scene.of(given, FAILED)) is None
    once = trace(user("I am Ann Smith."), GUESS, says("I hand you over."))
    assert not_there(Scene.of(once, FAILED)) is None


def opened(*before: Step, name: str = "wyrm.pdf") -> Trace:
    gone = agent("Files", f"Address: file:///w/{name}\n## Error 404\n\nFile not found: /w/{name}")
    order = agent("Lead (-> Files)", "Open the downloaded PDF file and read the second page.")
    return trace(user("Which word?"), *before, order, gone, order, gone)


def test_a_file_that_was_never_saved_shows_the_order_and_both_answers() -> None:
    one = opened()
    fired = proven(one, file_not_there(Scene.of(one)))
    assert [(item.step_n, item.shows) for item in fired.evidence] == [
        (2, "ordered"), (3, "answered"),
    ]  # fmt: skip
    assert not fired.but
    assert fired.step == 2, "it is taken for a saved file there, before it is opened"
    assert fired.evidence[0].quote == "Open the downloaded PDF file" and "wyrm" in fired.evidence[1].quote
    assert fired.says == (
        "wrong path: it orders “the downloaded PDF” opened (2), but no step had downloaded one"
    )
    assert file_in_doubt(Scene.of(one)) is None
    asked = agent("Lead (-> Files)", "Which file has the word? Look closely. Open the saved scan of it all.")
    spoken = trace(
        user("Which?"), *(asked if one.name.startswith("Lead") else one for one in opened().steps[1:])
    )
    fired = proven(spoken, file_not_there(Scene.of(spoken)))
    assert "“the saved scan” opened (2), but no step had saved one" in fired.says
    assert fired.evidence[0].quote == "Open the saved scan of it all.", (
        "the words that are told, of all orders"
    )
    gone = agent("Files", "File not found: /w/wyrm.pdf")
    bare = trace(user("Which?"), gone, gone)
    fired = proven(bare, file_not_there(Scene.of(bare)))
    assert "wyrm.pdf is opened (2), but no step had saved one" in fired.says


def test_a_file_that_was_saved_or_that_the_task_gives_is_no_invention() -> None:
    saved = opened(agent("Web", "Successfully downloaded 'wyrm.pdf' to local path: /w/wyrm.pdf"))
    assert file_not_there(Scene.of(saved)) is None
    spaced = opened(agent("Web", "Saved file to '/w/a%20wyrm.pdf'"), name="a wyrm.pdf")
    assert file_not_there(Scene.of(spaced)) is None
    once = trace(user("Which?"), agent("Files", "File not found: /w/wyrm.pdf"), says("I look elsewhere."))
    assert file_not_there(Scene.of(once)) is None


def test_a_file_that_is_opened_later_was_to_be_had() -> None:
    page = agent("Web", "I clicked 'PDF'.\n\nHere is a screenshot of [Wyrms](https://wyrm.example/view/7/6).")
    back = trace(*opened(page).steps, page)
    assert file_not_there(Scene.of(back)) is None
    assert file_not_there(Scene.of(opened(page))) is not None, "never again"
    assert file_not_there(Scene.of(trace(*opened().steps, page))) is not None, "it may be another document"
    named = agent("Files", "Address: file:///w/down/wyrm.pdf\nViewport position: page 1\nOnce there was")
    assert file_not_there(Scene.of(trace(*opened().steps, named))) is None


def test_made_up_values_show_themselves_and_the_answer_that_rests_on_them() -> None:
    one = trace(user("How far apart?"), SAMPLE, says("FINAL ANSWER: the deviation is 2.516."))
    fired = proven(one, made_up(Scene.of(one, FAILED)))
    assert [item.shows for item in fired.evidence] == ["in its code", "the result", "answered"]
    assert fired.evidence[0].quote == "# hypothetical values for demo purposes", "the whole remark"
    assert "2.516 (3) comes from values that it called “hypothetical” (2)" in fired.says and not fired.but
    assert "2.516" in fired.evidence[1].quote and "2.516" in fired.evidence[2].quote


def test_what_calls_values_made_up_is_quoted_with_its_bracket() -> None:
    text = "# The counts of all works (hypothetical values for now)\nx = [45, 50]\nprint(dev(x))"
    one = trace(user("How far apart?"), bash(text, "2.516"), says("FINAL ANSWER: the deviation is 2.516."))
    fired = proven(one, made_up(Scene.of(one, FAILED)))
    assert fired.evidence[0].quote == "(hypothetical values for now)" and not fired.but
    long = f"# hypothetical values, {'as in the tables of old, ' * 6}\nx = [45, 50]\nprint(dev(x))"
    one = trace(user("How far apart?"), bash(long, "2.516"), says("FINAL ANSWER: the deviation is 2.516."))
    assert "hypothetical values" in proven(one, made_up(Scene.of(one, FAILED))).evidence[0].quote


def test_made_up_values_that_the_answer_leaves_out_owns_up_to_or_had_from_elsewhere() -> None:
    def fires(*steps: Step, asked: str = "How far apart?") -> bool:
        return made_up(Scene.of(trace(user(asked), *steps), FAILED)) is not None

    assert not fires(SAMPLE, says("FINAL ANSWER: the deviation is 7.1."))
    assert not fires(SAMPLE, says("With hypothetical counts the deviation is 2.516."))
    assert not fires(SAMPLE, says("FINAL ANSWER: 2.516."), asked="Is it 2.516?")
    template = bash("# replace the placeholder values with your own\nrun('/path/to/file')", "")
    assert not fires(template, says("FINAL ANSWER: 2.516."))
    found = called_made_up(Scene.of(trace(user("x"), SAMPLE, says("It is 7.1.")), FAILED))
    assert found is not None and found[0] == 2 and "hypothetical values" in found[1]


def test_a_blank_for_a_key_is_not_made_up() -> None:
    def fires(text: str) -> bool:
        sample = trace(bash(text + "\nx = [2.5, 4]", "2.5"), says("FINAL ANSWER: 2.5 miles"))
        return made_up(Scene.of(sample, FAILED)) is not None

    assert not fires("export TOKEN=YOUR_API_KEY")
    assert fires("# simulated distances as data, with YOUR_API_KEY")


def test_an_answer_behind_a_file_that_is_not_there_is_shown() -> None:
    one = trace(*opened().steps, says("FINAL ANSWER: scaly"))
    fired = proven(one, file_not_there(Scene.of(one)))
    assert fired.step == 2 and not fired.but
    assert (fired.evidence[-1].quote, fired.evidence[-1].shows) == ("FINAL ANSWER: scaly", "still answered")
    fault = "requests.exceptions.ConnectionError: Connection broken\nRUN EXITED WITH CODE: 1"
    lost = trace(*opened().steps, says(fault))
    fired = proven(lost, file_not_there(Scene.of(lost)))
    assert fired.but == "a fault of the network or machine cut it off at 6, the file still missing"


@pytest.mark.parametrize(
    ("before", "last", "why"),
    [
        ("x", "BadRequestError: {'code': 'content_filter'}\nFINAL ANSWER: scaly", "a content filter ended"),
        ("“Scaly Wyrms”, a paper", "FINAL ANSWER: scaly", "the answer stands elsewhere before"),
    ],
)
def test_a_file_that_may_not_be_what_decided_is_a_pointer(before: str, last: str, why: str) -> None:
    run = trace(*opened(agent("Web", before)).steps, says(last))
    assert file_not_there(Scene.of(run, FAILED)) is not None, "what comes later only follows from it"
    one = Scene.of(run)
    assert file_not_there(one) is None
    found = file_in_doubt(one)
    assert found is not None and found[0] == 3 and why in found[1]


def test_a_call_that_stands_as_text_comes_before_the_name_that_nobody_gave() -> None:
    look = call("find_user", {"mail": "a@b.example"}, "Error: user not found", error=True)
    text = says('<function_call>{"action": "find_user", "input": "ann@b.example"}')
    steps = (
        user("I am Ann Smith."),
        look,
        text,
        says("I found you."),
        GUESS,
        GUESS,
        says("I hand you over."),
    )
    one = trace(*steps)
    assert not_there(Scene.of(one, FAILED)) is None
    found = written_call(Scene.of(one, FAILED))
    assert found is not None and found[0] == 3 and "find_user" in found[1]
    assert written_call(Scene.of(one, PASSED)) is None
    went = trace(*steps, call("find_user", {"mail": "ann@b.example"}, "ann_7"))
    assert written_call(Scene.of(went, FAILED)) is None, "it was made all the same"
    about = says('<function_call>{"action": "find_boat"}')
    other = trace(user("I am Ann Smith."), look, about, GUESS, GUESS, says("I hand you over."))
    assert written_call(Scene.of(other, FAILED)) is None, "no tool of this run"
    assert not_there(Scene.of(other, FAILED)) is not None
