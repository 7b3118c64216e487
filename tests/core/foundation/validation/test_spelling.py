"""Patterns that match a text in any spelling, as PostgreSQL reads them."""

import string

import pytest

from core.foundation.database import db
from core.foundation.validation.spelling import any_spelling

pytestmark = pytest.mark.usefixtures("clean_slate")


async def matches(stored: str, text: str) -> bool:
    found: bool = await db.fetchval("SELECT $1::text ~ $2", stored, f"^{any_spelling(text)}$")
    return found


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("São Paulo", "sao paulo"),
        ("sao paulo", "SÃO PAULO"),
        ("Conceição", "CONCEICAO"),
        ("conceicao", "Conceic\u0327a\u0303o"),
        ("Müller", "muller"),
        ("Ñandú", "nandu"),
        ("straße", "straße"),
        ("日本", "日本"),
        ("🙂", "🙂"),
    ],
)
async def test_case_and_accents_make_no_difference(stored: str, text: str) -> None:
    assert await matches(stored, text)


@pytest.mark.parametrize(
    ("stored", "text"), [("Sao Paulo", "Sao Paula"), ("axb", "a.b"), ("ab", "a+b"), ("a", "[ab]")]
)
async def test_other_texts_do_not_match(stored: str, text: str) -> None:
    assert not await matches(stored, text)


async def test_every_character_stands_for_itself() -> None:
    whole = string.printable + "***(?i)\\d"

    assert await matches(whole, whole)


async def test_the_fold_of_the_database_has_the_same_spellings() -> None:
    for text in ("ÁÀÂÃÄÅ", "ÉÈÊË", "ÍÌÎÏ", "ÓÒÔÕÖ", "ÚÙÛÜ", "ÇÑ", "Ýÿ"):
        folded = await db.fetchval("SELECT svc_fold($1)", text)
        assert folded.isascii()
        assert await matches(text, folded)
