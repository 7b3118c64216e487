"""Which language a header asks for."""

import pytest

from core.foundation.language import language_asked, language_noted, language_of_page, note_header

PORTUGUESE_WANTED = [
    "pt-BR",
    "pt",
    "PT-br",
    "pt-PT",
    "pt-BR,pt;q=0.9,en;q=0.8",
    "en;q=0.5, pt-BR;q=0.6",
    "de, pt;q=0.2",
    " pt-BR ; q=1.000 ",
    "en;q=0, *",
    "en;q=x, pt;q=0.1",
]
ENGLISH_WANTED = [
    None,
    "",
    "*",
    "en",
    "en-US,en;q=0.9,pt;q=0.8",
    "de",
    "pt;q=0",
    "pt-BR;q=0.5,en;q=0.5",
    "pt;q=2",
    "pt;q=0.1234",
    "pt;level=1",
    "ptx",
    ",;,=;q,",
    "\xff\xfe",
    "x," * 10_000 + "pt",
]


@pytest.mark.parametrize("header", PORTUGUESE_WANTED)
def test_portuguese_is_answered_where_it_is_wanted_most(header: str) -> None:
    assert language_asked(header) == "pt-BR"


@pytest.mark.parametrize("header", ENGLISH_WANTED)
def test_english_is_answered_otherwise(header: str | None) -> None:
    assert language_asked(header) == "en"


@pytest.mark.parametrize("header", [None, "", "*", "de", "en;q=0", "en,pt;q=0.1", "pt-BR", ",;q"])
def test_a_page_is_portuguese_unless_english_alone_is_asked_for(header: str | None) -> None:
    assert language_of_page(header) == "pt-BR"


@pytest.mark.parametrize("header", ["en", "en-GB,en;q=0.9", "de,en;q=0.1", "en,pt;q=0"])
def test_a_page_is_english_where_english_is_asked_for_and_portuguese_is_not(header: str) -> None:
    assert language_of_page(header) == "en"


def test_what_was_noted_is_read_when_there_is_something_to_say() -> None:
    note_header("pt-BR")
    assert language_noted() == "pt-BR"
    note_header(None)
    assert language_noted() == "en"
