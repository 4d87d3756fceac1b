"""Looking through many texts as one finds what looking through each of them finds."""

from hypothesis import example, given
from hypothesis import strategies as st

from reviewer import redact
from reviewer.redact import names
from reviewer.suggest.cleaning import Cleaner
from reviewer.suggest.sifting import Sieve, Telltale

PIECES = st.sampled_from(
    [
        *(
            *redact.LITERALS,
            *redact.WORDS,
            "API",
            "_",
            "-",
            " ",
            "\n",
            "=",
            ":",
            '"',
            "\u0130",
            "\u212a",
            "é",
        ),
        *(
            "MTk4NjIyNDgzNDcxOTI1MjQ4",
            ".Cl2FMQ.",
            "js46LmuezqpGHoPZgPDcgaE40o1",
            "application",
            "\u200b",
            "пароль",
        ),
        *("passw", "ord", "phrase", "access", "PRIVATE", "_PAT", "_PWD", "abc123def456", "\r\n", "\x00"),
        *("A" * 60 + "\n", "b" * 130, "credentials", "s", "max_tokens", "sk-ant-api03-" + "x1" * 12),
    ]
)
TEXTS = st.lists(st.lists(PIECES, max_size=12).map("".join), max_size=12)


@given(TEXTS)
def test_a_sieve_finds_the_texts_that_hold_a_literal(texts: list[str]) -> None:
    sieve = Sieve(texts)
    assert sieve.holding(redact.LITERALS) == {
        n for n, text in enumerate(texts) if any(one in text for one in redact.LITERALS)
    }
    assert sieve.holding_any_case(redact.WORDS) >= {
        n for n, text in enumerate(texts) if any(one in text.lower() for one in redact.WORDS)
    }
    assert sieve.without_blank(90) >= {
        n for n, text in enumerate(texts) if any(len(run) >= 180 for run in text.split(" "))
    }


@given(st.lists(TEXTS, max_size=4))
def test_what_stands_in_texts_is_found_whatever_was_looked_through_before(rows: list[list[str]]) -> None:
    exact, small = Telltale(redact.LITERALS), Telltale(redact.WORDS, any_case=True)
    for texts in rows:
        whole = "\n".join(texts)
        assert exact.among(Sieve(texts)) == {one for one in redact.LITERALS if one in whole}
        assert small.among(Sieve(texts)) >= {one for one in redact.WORDS if one in whole.lower()}


@given(TEXTS)
def test_texts_looked_through_before_are_cleaned_alike(texts: list[str]) -> None:
    once, each = Cleaner(4_000, False, texts), Cleaner(4_000, False)
    assert [once(text) for text in texts] == [each(text) for text in texts]
    assert (once.masked, once.blobs) == (each.masked, each.blobs)


@given(st.lists(PIECES, max_size=20).map("".join))
@example("_PWDpplx-_PATsk-")
@example("my encryption_key=abc")
def test_names_are_found_around_their_words_as_in_the_whole_text(text: str) -> None:
    near = [found.span() for found in names.names_in(text)]
    assert near == [found.span() for found in names._NAME.finditer(text)]
