"""What is quoted: known modes only, a source with each, and nothing where we have nothing."""

from reviewer import taxonomy
from reviewer.report.quoted import Quotes, _entries, quoted


def test_every_quote_is_about_a_mode_of_its_taxonomy_and_has_a_source() -> None:
    for name, quotes in _entries().items():
        known = {mode.id for mode in taxonomy.load(name).failures}
        assert quotes.source and quotes.missing
        assert "not measured on your agent" in quotes.remark
        for quote in quotes.quotes:
            assert quote.mode in known
            assert quote.measure and quote.effect and quote.place


def test_only_what_we_have_is_quoted() -> None:
    figures = " ".join(quote.effect for quote in quoted("six-modes").quotes)
    assert [word for word in figures.replace("(", "").split() if word.isdigit()] == ["64", "71", "8"]
    modes = [mode.id for mode in taxonomy.load("six-modes").failures]
    assert len(quoted("six-modes").lacking(modes)) == len(modes) - 1


def test_another_taxonomy_has_nothing_quoted() -> None:
    assert quoted("kitchen") == Quotes()
