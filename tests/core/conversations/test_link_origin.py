"""Which advertisement or link a message came from."""

from typing import Any

import pytest

from core.conversations.inbound.link_origin import link_origin


@pytest.mark.parametrize(
    ("referral", "origin"),
    [
        (
            {"source_url": "https://fb.me/3cr4Wqqkv", "source_id": "120226305854810726", "source_type": "ad",
             "headline": "Bolo", "ctwa_clid": "Aff-n8ZTODiE"},
            {"fonte": "meta", "anuncio": "120226305854810726", "codigo": "Aff-n8ZTODiE"},
        ),
        ({"source_type": "post", "source_id": "77", "source_url": "https://fb.me/x"}, {"fonte": "meta"}),
        ({"ref": "natal", "source": "ADS", "type": "OPEN_THREAD", "ad_id": "61"},
         {"fonte": "meta", "anuncio": "61", "codigo": "natal"}),
        (
            {"source_url": "https://loja.test/?utm_source=google&utm_campaign=natal&utm_adgroup=bolos"
                           "&utm_content=a1&utm_term=bolo%20de%20rolo&gclid=Cj0"},
            {"fonte": "google", "campanha": "natal", "grupo": "bolos", "anuncio": "a1",
             "palavraChave": "bolo de rolo", "codigo": "Cj0"},
        ),
        ({"source_url": "https://loja.test/?gclid=Cj0"}, {"fonte": "google", "codigo": "Cj0"}),
        ({"source_url": "https://loja.test/?ttclid=E.C"}, {"fonte": "tiktok", "codigo": "E.C"}),
        ({"source_url": "https://loja.test/?utm_source=Panfleto+da+feira"},
         {"fonte": "outra", "fonteRotulo": "Panfleto da feira"}),
        ({"fonte": "google", "campanha": "natal", "grupo": "g", "anuncio": "a", "palavraChave": "p", "codigo": "c"},
         {"fonte": "google", "campanha": "natal", "grupo": "g", "anuncio": "a", "palavraChave": "p", "codigo": "c"}),
        ({"fonte": "outra", "fonteRotulo": "rádio"}, {"fonte": "outra", "fonteRotulo": "rádio"}),
        ({"source_url": "https://loja.test/?utm_campaign=natal"}, {"fonte": "outra", "campanha": "natal"}),
        ({"source_url": "https://loja.test/"}, None),
        ({"source_url": "https://[x"}, None),
        ({"headline": 5}, None),
    ],
)  # fmt: skip
def test_a_referral_tells_where_somebody_came_from(
    referral: dict[str, Any], origin: dict[str, str] | None
) -> None:
    assert link_origin(referral, "Olá [utm_source=tiktok]") == origin


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        (
            "Quero saber mais [utm_source=instagram&utm_campaign=natal]",
            {"fonte": "meta", "campanha": "natal"},
        ),
        ("[codigo=A1]", {"fonte": "outra", "codigo": "A1"}),
        ("Custa [R$ 10]?", None),
        ("Custa [a=b]?", None),
        ("Olá", None),
        (None, None),
    ],
)
def test_a_mark_in_the_text_tells_it_too(text: str | None, origin: dict[str, str] | None) -> None:
    assert link_origin(None, text) == origin


def test_an_escaped_nul_becomes_what_the_database_takes() -> None:
    origin = {"fonte": "outra", "fonteRotulo": "r\ufffddio", "campanha": "\ufffd"}
    assert link_origin(None, "Olá [utm_source=r%00dio&utm_campaign=%00]") == origin
    assert (
        link_origin({"source_url": "https://loja.test/?utm_source=r%00dio&utm_campaign=%00"}, None)
        == origin
    )


def test_a_value_has_at_most_200_characters() -> None:
    origin = link_origin({"fonte": "x" * 300, "campanha": "y" * 300}, None)
    assert origin == {"fonte": "outra", "fonteRotulo": "x" * 200, "campanha": "y" * 200}
