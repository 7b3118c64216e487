"""What a send needs of a template."""

from typing import Any

import pytest

from core import flows, templates
from core.flows.models import Flow
from core.foundation.security.caller import Caller
from core.templates import (
    TemplateForm,
    TemplateUnavailable,
    TemplateVariableMismatch,
    UnknownTemplate,
)
from core.templates.errors import HeaderFileMissing, HeaderLocationMissing, InvalidTemplateVariables
from core.templates.models import Template
from tests.factories.organizations import a_caller
from tests.factories.templates import BODY, a_flow, a_template, the_template

URL = {
    "type": "URL",
    "text": "Abrir",
    "url": "https://example.com/{{1}}",
    "example": "https://example.com/7",
}


def filled(template: Template, vars: list[str], **more: Any) -> dict[str, Any]:
    return TemplateForm.of(template).filled(vars, **more)


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def test_an_approved_template_of_the_number_may_be_sent(caller: Caller) -> None:
    template = await a_template(caller, status="approved")

    found = await templates.template_for_sending(caller, template["id"], template["numberId"])

    assert (found.id, TemplateForm.of(found).placeholders) == (template["id"], 2)


@pytest.mark.parametrize(
    "status", ["draft", "submitted", "pending", "rejected", "paused", "disabled"]
)
async def test_no_other_may_be_sent(caller: Caller, status: str) -> None:
    template = await a_template(caller, status=status)

    with pytest.raises(TemplateUnavailable) as refusal:
        await templates.template_for_sending(caller, template["id"], template["numberId"])

    assert refusal.value.meta == {"code": "TEMPLATE_INDISPONIVEL", "status": status}


async def test_an_unknown_template_is_named_by_its_field(caller: Caller) -> None:
    template = await a_template(caller, status="approved")
    other = await a_template(caller, status="approved")

    for asking, id, number_id in (
        (caller, "tpl_nope", template["numberId"]),
        (caller, template["id"], other["numberId"]),
        (await a_caller(), template["id"], template["numberId"]),
    ):
        with pytest.raises(UnknownTemplate) as refusal:
            await templates.template_for_sending(asking, id, number_id)
        assert [error.where for error in refusal.value.errors] == ["/templateId"]


async def test_a_template_whose_flow_is_held_back_cannot_be_sent(caller: Caller) -> None:
    flow = await a_flow(caller, active=True)
    button = {"type": "FLOW", "text": "Abrir", "flowId": flow["id"]}
    components = [BODY, {"type": "BUTTONS", "payload": {"buttons": [button]}}]
    template = await a_template(caller, flow["numberId"], status="approved", components=components)

    await templates.template_for_sending(caller, template["id"], template["numberId"])
    await flows.pause_flow(caller, flow["id"])
    with pytest.raises(TemplateUnavailable):
        await templates.template_for_sending(caller, template["id"], template["numberId"])
    await Flow.filter(id=flow["id"]).update(status="active", meta_status="THROTTLED")
    with pytest.raises(TemplateUnavailable):
        await templates.template_for_sending(caller, template["id"], template["numberId"])


async def test_texts_fill_the_variables_in_their_order(caller: Caller) -> None:
    header = {
        "type": "HEADER",
        "payload": {"format": "TEXT", "text": "Olá {{1}}", "example": "Ana"},
    }
    buttons = {
        "type": "BUTTONS",
        "payload": {"buttons": [{"type": "COPY_CODE", "example": "A1"}, URL]},
    }
    template = await a_template(caller, name="completo", components=[buttons, BODY, header])

    leaving = filled(await the_template(template["id"]), ["Bia", "você", "77", "VOLTA", "abc"])

    assert leaving == {
        "name": "completo",
        "language": "pt-BR",
        "components": [
            {"type": "header", "parameters": [{"type": "text", "text": "Bia"}]},
            {
                "type": "body",
                "parameters": [{"type": "text", "text": "você"}, {"type": "text", "text": "77"}],
            },
            {
                "type": "button",
                "sub_type": "copy_code",
                "index": "0",
                "parameters": [{"type": "coupon_code", "coupon_code": "VOLTA"}],
            },
            {
                "type": "button",
                "sub_type": "url",
                "index": "1",
                "parameters": [{"type": "text", "text": "abc"}],
            },
        ],
    }


async def test_the_code_of_a_log_in_fills_text_and_button(caller: Caller) -> None:
    code = {"type": "BODY", "payload": {"text": "O código é {{1}}.", "example": ["123456"]}}
    otp = {"type": "BUTTONS", "payload": {"buttons": [{"type": "OTP"}]}}
    template = await a_template(caller, category="authentication", components=[code, otp])

    leaving = filled(await the_template(template["id"]), ["987654"])

    parameters = [{"type": "text", "text": "987654"}]
    assert leaving["components"] == [
        {"type": "body", "parameters": parameters},
        {"type": "button", "sub_type": "url", "index": "0", "parameters": parameters},
    ]


@pytest.mark.parametrize("vars", [[], ["x"], ["x"] * 3])
async def test_each_variable_has_exactly_one_text(caller: Caller, vars: list[str]) -> None:
    template = await the_template((await a_template(caller))["id"])

    with pytest.raises(TemplateVariableMismatch) as refusal:
        filled(template, vars)

    assert refusal.value.meta == {
        "code": "VARIAVEIS_DIVERGENTES",
        "esperadas": 2,
        "recebidas": len(vars),
    }


async def test_every_variable_that_the_platform_refuses_is_named(caller: Caller) -> None:
    template = await the_template((await a_template(caller))["id"])
    unfit = ("", " ", "a\nb", "a\rb", "a\tb", "a     b")

    for text in unfit:
        with pytest.raises(InvalidTemplateVariables) as refusal:
            filled(template, ["Ana", text])
        assert [error.where for error in refusal.value.errors] == ["/templateVars/1"]
    with pytest.raises(InvalidTemplateVariables) as both:
        filled(template, ["", ""])
    assert len(both.value.errors) == 2
    assert filled(template, ["Ana", "a    b"])


@pytest.mark.parametrize(
    ("payload", "fields", "media", "parameter"),
    [
        ({"format": "IMAGE"}, {}, {"id": "9"}, {"type": "image", "image": {"id": "9"}}),
        (
            {"format": "DOCUMENT", "example": "https://example.com/a.pdf"},
            {},
            None,
            {"type": "document", "document": {"link": "https://example.com/a.pdf"}},
        ),
        (
            {"format": "VIDEO"},
            {"headerExampleUrl": "https://example.com/a.mp4"},
            None,
            {"type": "video", "video": {"link": "https://example.com/a.mp4"}},
        ),
    ],
)
async def test_a_header_shows_the_file_given_or_its_example(
    caller: Caller,
    payload: dict[str, Any],
    fields: dict[str, Any],
    media: Any,
    parameter: dict[str, Any],
) -> None:
    body = {"type": "BODY", "payload": {"text": "Olá."}}
    template = await a_template(
        caller, components=[{"type": "HEADER", "payload": payload}, body], **fields
    )

    leaving = filled(await the_template(template["id"]), [], media=media)

    assert leaving["components"] == [{"type": "header", "parameters": [parameter]}]


async def test_a_header_without_any_file_is_refused(caller: Caller) -> None:
    body = {"type": "BODY", "payload": {"text": "Olá."}}
    header = {"type": "HEADER", "payload": {"format": "IMAGE"}}
    template = await a_template(caller, components=[header, body])

    with pytest.raises(HeaderFileMissing):
        filled(await the_template(template["id"]), [])


async def test_a_header_shows_the_place_of_the_send(caller: Caller) -> None:
    body = {"type": "BODY", "payload": {"text": "Olá."}}
    header = {"type": "HEADER", "payload": {"format": "LOCATION"}}
    template = await the_template((await a_template(caller, components=[header, body]))["id"])
    place = {"latitude": -23.5, "longitude": -46.6, "name": "Loja", "address": "Rua A, 1"}

    leaving = filled(template, [], location=place)

    assert leaving["components"] == [
        {"type": "header", "parameters": [{"type": "location", "location": place}]}
    ]
    with pytest.raises(HeaderLocationMissing) as refusal:
        filled(template, [], media={"id": "9"})
    assert [(error.where, error.code) for error in refusal.value.errors] == [
        ("/payload/location", "required")
    ]


async def test_a_button_that_opens_a_flow_leaves_with_the_token_that_the_platform_wants(
    caller: Caller,
) -> None:
    flow = await a_flow(caller, active=True)
    buttons = [
        {"type": "QUICK_REPLY", "text": "Não"},
        {"type": "FLOW", "text": "Abrir", "flowId": flow["id"]},
    ]
    components = [BODY, {"type": "BUTTONS", "payload": {"buttons": buttons}}]
    template = await a_template(caller, flow["numberId"], components=components)

    leaving = filled(await the_template(template["id"]), ["Bia", "77"])

    assert leaving["components"][1:] == [
        {
            "type": "button",
            "sub_type": "flow",
            "index": "1",
            "parameters": [{"type": "action", "action": {"flow_token": "unused"}}],
        }
    ]
