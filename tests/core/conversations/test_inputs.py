"""A message is read as a whole: everything that is wrong with it is named at once."""

from typing import Any

import orjson
import pytest

from core.conversations.inputs import NewMessage
from core.foundation.errors import ValidationFailed
from core.foundation.validation.inputs import read_body

TEXT = {"text": "Oi"}
IMAGE = {"kind": "image", "media": {"id": "med_1"}}
NAMED: list[tuple[dict[str, Any], dict[str, str]]] = [
    ({}, {"/numberId": "required", "/to": "required", "/type": "required"}),
    ({"type": "text"}, {"/numberId": "required", "/to": "required", "/payload": "required"}),
    (
        {"type": "template", "foo": 1, "to": "12"},
        {
            "/numberId": "required",
            "/to": "invalid_phone",
            "/templateId": "required",
            "/foo": "unknown_field",
        },
    ),
    (
        {
            "numberId": "num_1",
            "instagramAccountId": "iga_1",
            "to": "ana",
            "type": "text",
            "payload": {},
        },
        {"/numberId": "required", "/to": "wrong_format", "/payload/text": "required"},
    ),
    (
        {
            "numberId": "num_1",
            "type": "text",
            "payload": TEXT,
            "templateId": "tpl_1",
            "templateVars": [],
        },
        {"/to": "required", "/templateId": "not_allowed", "/templateVars": "not_allowed"},
    ),
    (
        {
            "instagramAccountId": "iga_1",
            "type": "template",
            "templateId": "tpl_1",
            "number_id": "num_1",
        },
        {"/to": "required", "/type": "not_allowed", "/number_id": "unknown_field"},
    ),
    (
        {"instagramAccountId": "iga_1", "contactId": "con_1", "type": "media"}
        | {"payload": {**IMAGE, "media": {"id": "med_1", "caption": "Veja"}}, "priority": 1},
        {"/to": "required", "/payload/media/caption": "not_allowed", "/priority": "not_allowed"},
    ),
    (
        {"numberId": 1, "to": 1, "type": 1},
        {"/numberId": "wrong_type", "/to": "wrong_type", "/type": "not_allowed"},
    ),
]


@pytest.mark.parametrize(("body", "wrong"), NAMED)
def test_all_that_is_wrong_is_named_at_once(body: dict[str, Any], wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        read_body(NewMessage, orjson.dumps(body))

    assert {error.where: error.code for error in refusal.value.errors} == wrong


@pytest.mark.parametrize(
    "body",
    [
        {"numberId": "num_1", "contactId": "con_1", "type": "text", "payload": TEXT},
        {
            "instagramAccountId": "iga_1",
            "to": "17841400000000001",
            "type": "media",
            "payload": IMAGE,
        },
        {"numberId": "num_1", "to": "+5511987650005", "type": "template", "templateId": "tpl_1"},
    ],
)
def test_nothing_is_wrong_with_the_least_of_each_kind(body: dict[str, Any]) -> None:
    message = read_body(NewMessage, orjson.dumps(body))

    assert message.model_dump(by_alias=True, exclude_unset=True) == body
