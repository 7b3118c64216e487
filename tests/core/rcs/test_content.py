"""What a message may hold."""

from typing import Any

import orjson
import pytest

from core import rcs
from core.foundation.errors import ValidationFailed
from core.foundation.validation.inputs import read_body
from tests.factories.rcs import CARD

BODY = {"to": "+5511987650001", "content": {"text": "Hello"}, "route": "easy_rcs"}


def wrong(**changes: Any) -> list[str]:
    """The fields that a body with these changes is refused for."""
    with pytest.raises(ValidationFailed) as refused:
        read_body(rcs.NewRcs, orjson.dumps({**BODY, **changes}))
    return [error.where for error in refused.value.errors]


def taken(**changes: Any) -> rcs.NewRcs:
    return read_body(rcs.NewRcs, orjson.dumps({**BODY, **changes}))


def card(**changes: Any) -> dict[str, Any]:
    return {"card": {**CARD, **changes}}


def button(**changes: Any) -> dict[str, Any]:
    return card(
        suggestions=[{"type": "openUrl", "text": "Ver", "url": "https://example.com", **changes}]
    )


def test_a_text_has_160_characters_at_most() -> None:
    taken(content={"text": "ã" * 160})
    assert wrong(content={"text": "a" * 161}) == ["/content/text"]
    assert wrong(content={"text": ""}) == ["/content/text"]


def test_a_fallback_has_160_characters_at_most() -> None:
    taken(fallback={"text": "ã" * 160})
    assert wrong(fallback={"text": "a" * 161}) == ["/fallback/text"]
    assert wrong(fallback={}) == ["/fallback/text"]


def test_content_is_either_a_text_or_a_card() -> None:
    assert wrong(content={}) == ["/content"]
    assert wrong(content={"text": "Hello", **card()}) == ["/content"]


def test_a_card_has_a_title_and_a_description() -> None:
    taken(content={"card": {"title": "T", "description": "D"}})
    assert wrong(content={"card": {}}) == ["/content/card/title", "/content/card/description"]


@pytest.mark.parametrize(
    "url",
    [
        "http://cdn.example.com/a.png",
        "https://localhost/a.png",
        "https://intranet/a.png",
        "https://cdn.internal/a.png",
        "https://10.0.0.1/a.png",
        "https://203.0.113.7/a.png",
        "https://[2001:db8::1]/a.png",
        "https://user:secret@example.com/a.png",
        "ftp://example.com/a.png",
        "example.com/a.png",
        "",
    ],
)
def test_an_image_lies_on_https_on_a_public_domain(url: str) -> None:
    assert wrong(content=card(fileUrl=url)) == ["/content/card/fileUrl"]


@pytest.mark.parametrize(
    "url", ["https://cdn.example.com/a.png", "https://example.com.br:8443/a.png?x=1"]
)
def test_an_image_on_a_public_domain_is_taken(url: str) -> None:
    taken(content=card(fileUrl=url))


def test_a_card_has_four_buttons_at_most() -> None:
    reply = {"type": "reply", "text": "Sim"}
    taken(content=card(suggestions=[reply] * 4))
    assert wrong(content=card(suggestions=[reply] * 5)) == ["/content/card/suggestions"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"text": "x" * 26}, "text"),
        ({"url": "http://example.com"}, "url"),
        ({"url": "javascript:alert(1)"}, "url"),
        ({"postback": "x" * 121}, "postback"),
        ({"phone": "+5511987650001"}, "phone"),
    ],
)
def test_a_button_obeys_its_limits(changes: dict[str, Any], field: str) -> None:
    assert wrong(content=button(**changes)) == [f"/content/card/suggestions/0/{field}"]


def test_buttons_open_call_or_reply() -> None:
    assert wrong(content=button(type="share")) == ["/content/card/suggestions/0/type"]
    call = {"type": "call", "text": "Ligar"}
    assert wrong(content=card(suggestions=[call])) == ["/content/card/suggestions/0/phone"]
    assert wrong(content=card(suggestions=[{**call, "phone": "12"}])) == [
        "/content/card/suggestions/0/phone"
    ]


@pytest.mark.parametrize("route", ["premium", "easy", "", None])
def test_there_are_two_routes(route: str | None) -> None:
    assert wrong(route=route) == ["/route"]


def test_a_masked_phone_is_named_as_one() -> None:
    with pytest.raises(ValidationFailed) as refused:
        taken(to="+5511*****0001")
    assert refused.value.meta["code"] == "VALOR_MASCARADO"
