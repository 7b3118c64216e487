"""What a message says, what a template is made of and what a person is given have shapes, and what
is answered fits.
"""

from typing import Any

import httpx
import pytest
from openapi_schema_validator import OAS31Validator

from core import contacts, conversations
from core.conversations.inputs import payload_of
from core.foundation.security.caller import Caller
from core.providers.meta.webhook import notices_of, split
from core.providers.platform import InboundMessage
from core.templates.models import Template
from core.templates.sending import TemplateForm
from rest_api.contact_imports import examples as import_examples
from rest_api.conversations import examples as message_examples
from tests.core.providers.meta.recorded_shapes import NOTICES, notice
from tests.factories.accounts import a_session
from tests.factories.conversations import a_window
from tests.factories.conversations_inbound import an_inbound
from tests.factories.numbers import a_number
from tests.factories.push import a_device
from tests.factories.sms import a_send
from tests.rest_api.contract import must_fit, the_closed_document, the_document
from tests.rest_api.speaking import a_client

PHONE = "+5511987654321"
FLOW = "flw_8kLz3XcV6bNm1QwErTy5U"
HEADER = {"kind": "image", "media": {"id": "med_1"}}
SENT: list[dict[str, Any]] = [
    {"type": "text", "payload": {"text": "https://example.com", "previewUrl": True}},
    {
        "type": "media",
        "payload": {
            "kind": "document",
            "media": {"id": "med_1", "caption": "A", "filename": "a.pdf"},
        },
    },
    {"type": "media", "payload": {"kind": "audio", "media": {"id": "med_1", "voice": True}}},
    {
        "type": "interactive",
        "payload": {
            "kind": "buttons",
            "header": HEADER,
            "body": "Hoje?",
            "buttons": [{"id": "1", "title": "Sim"}],
        },
    },
    {
        "type": "interactive",
        "payload": {
            "kind": "list",
            "header": "Horários",
            "body": "Quando?",
            "footer": "Até logo",
            "buttonText": "Ver",
            "sections": [
                {"title": "Manhã", "rows": [{"id": "1", "title": "8h", "description": "Cedo"}]}
            ],
        },
    },
    {
        "type": "interactive",
        "payload": {
            "kind": "cta_url",
            "header": {"text": "Olá"},
            "body": "Veja",
            "buttonText": "Abrir",
            "url": "https://example.com",
        },
    },
    {
        "type": "interactive",
        "payload": {
            "kind": "flow",
            "body": "Marque",
            "buttonText": "Abrir",
            "flowId": FLOW,
            "screen": "FIM",
            "data": {"a": [1]},
            "token": "t",
        },
    },
]
COMPONENTS: list[dict[str, Any]] = [
    {"type": "HEADER", "payload": {"format": "IMAGE", "example": "https://example.com/a.png"}},
    {"type": "BODY", "payload": {"text": "Olá {{1}}, chega {{2}}.", "example": ["Ana", "hoje"]}},
    {"type": "FOOTER", "payload": {"text": "Loja"}},
    {
        "type": "BUTTONS",
        "payload": {
            "buttons": [
                {"type": "QUICK_REPLY", "text": "Sim"},
                {
                    "type": "URL",
                    "text": "Ver",
                    "url": "https://example.com/{{1}}",
                    "example": "https://example.com/1",
                },
                {"type": "URL", "text": "Loja", "url": "https://example.com/", "example": None},
                {"type": "PHONE_NUMBER", "text": "Ligar", "phoneNumber": PHONE},
                {"type": "COPY_CODE", "example": "NATAL"},
            ]
        },
    },
    {"type": "CAROUSEL", "payload": {"cards": [{"components": []}]}},
    {
        "type": "LIMITED_TIME_OFFER",
        "payload": {"limited_time_offer": {"text": "Só hoje", "has_expiration": True}},
    },
]
CODE = [
    {"type": "BODY", "payload": {"text": "Seu código é {{1}}.", "example": "482913"}},
    {
        "type": "BUTTONS",
        "payload": {
            "buttons": [
                {
                    "type": "OTP",
                    "otpType": "ONE_TAP",
                    "text": None,
                    "packageName": "a.b",
                    "signatureHash": "K8a/AINcGX7",
                }
            ]
        },
    },
]


def named_shapes(union: str) -> list[str]:
    """The members of a union that have a name, which is all but any object."""
    return [
        one["$ref"].rpartition("/")[2]
        for one in the_closed_document()["components"]["schemas"][union]["anyOf"][:-1]
    ]


def fitting(payload: Any, union: str) -> list[str]:
    """Which of them a payload has the form of."""
    document = {"components": the_closed_document()["components"]}
    return [
        name
        for name in named_shapes(union)
        if OAS31Validator({"$ref": f"#/components/schemas/{name}", **document}).is_valid(payload)
    ]


def heard() -> list[tuple[str, InboundMessage]]:
    """What people write, as the platform tells it."""
    return [
        (name, one)
        for name in NOTICES
        for change in split(notice(name))
        for one in notices_of(change)
        if isinstance(one, InboundMessage)
    ]


@pytest.mark.parametrize(
    ("name", "inbound"), heard(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_the_platform_hands_over_has_one_shape_with_a_name(
    name: str, inbound: InboundMessage
) -> None:
    for union in ("ReceivedPayload", "MessagePayload"):
        assert len(fitting(inbound.payload, union)) == 1, f"{name}: {inbound.payload}"


@pytest.mark.parametrize("body", SENT, ids=lambda body: body["payload"].get("kind", "text"))
def test_what_is_sent_has_one_shape_with_a_name(body: dict[str, Any]) -> None:
    new = conversations.NewMessage.model_validate(
        {"numberId": "num_1", "to": PHONE, **body}, by_alias=True
    )

    assert len(fitting(payload_of(new.payload), "MessagePayload")) == 1


@pytest.mark.parametrize("components", [COMPONENTS, CODE], ids=["every part", "a code"])
def test_a_template_that_is_filled_in_has_a_shape_with_a_name(
    components: list[dict[str, Any]],
) -> None:
    template = Template(name="a", language="pt-BR", components=components, header_example_url=None)
    texts = ["1"] * (4 if components is COMPONENTS else 1)

    assert fitting(TemplateForm.of(template).filled(texts), "MessagePayload") == ["TemplateSaid"]


def test_the_payloads_of_the_examples_have_shapes_with_names() -> None:
    answers = [*message_examples.SENT_ANSWERS.values(), message_examples.READ]

    assert all(fitting(answer["payload"], "MessagePayload") for answer in answers)


@pytest.mark.parametrize(
    "payload", [{}, {"kind": "something new", "text": 1}], ids=["erased", "of a new kind"]
)
def test_a_payload_that_nobody_foresaw_fits_all_the_same(payload: dict[str, Any]) -> None:
    assert fitting(payload, "MessagePayload") == []
    for union in ("ReceivedPayload", "MessagePayload"):
        must_fit(payload, {"$ref": f"#/components/schemas/{union}"})


def test_where_payloads_stand_they_are_those_shapes() -> None:
    schemas = the_document()["components"]["schemas"]

    def shape(place: str) -> str:
        name, _, field = place.partition(".")
        reference: str = schemas[name]["properties"][field]["$ref"]
        return reference.rpartition("/")[2]

    assert {shape(f"{name}.payload") for name in ("ConversationMessage", "SentMessage")} == {
        "MessagePayload"
    }
    assert {shape(f"{name}.payload") for name in ("MessageReceived", "NewInbound")} == {
        "ReceivedPayload"
    }
    assert schemas["NewInbound"]["properties"]["payload"]["description"]


@pytest.mark.parametrize(
    ("category", "components"),
    [("marketing", COMPONENTS), ("authentication", CODE)],
    ids=["every part", "a code"],
)
async def test_a_template_reads_back_in_the_shape_of_its_parts(
    rest: httpx.AsyncClient, category: str, components: list[dict[str, Any]]
) -> None:
    number = await a_number(await a_client(rest))
    body = {
        "numberId": number.id,
        "name": "a",
        "language": "pt-BR",
        "category": category,
        "components": components,
    }

    answer = await rest.post("/v2/templates", json=body)  # which the client holds to the document

    assert (answer.status_code, answer.json()["components"]) == (201, components)
    with pytest.raises(AssertionError):
        must_fit(
            {"type": "BODY", "payload": {"format": "TEXT"}},
            {"$ref": "#/components/schemas/BodyComponent"},
        )


def test_the_lines_of_imports_are_what_creation_takes() -> None:
    schemas = the_document()["components"]["schemas"]

    assert schemas["ContactImport"]["properties"]["contatos"]["items"] == {
        "$ref": "#/components/schemas/NewContact"
    }
    assert schemas["CompanyImport"]["properties"]["empresas"]["items"] == {
        "$ref": "#/components/schemas/NewCompany"
    }
    for line in import_examples.TWO_LINES["contatos"]:
        must_fit(line, {"$ref": "#/components/schemas/NewContact"})


async def a_person_everywhere(caller: Caller) -> str:
    """A contact that is in each part of the export but the lists, which the tests of contacts fill."""
    opt_in = contacts.OptIn(status=contacts.OptInStatus.GRANTED, source="shop", ip="203.0.113.77")
    new = contacts.NewContact(
        phone=PHONE, cpf="52998224725", birth_date="1980-02-03", opt_in=opt_in
    )
    id: str = (await contacts.create_contact(caller, new))["id"]
    await a_send(caller, to=PHONE, contactId=id, body="See https://example.com/x", trackLinks=True)
    ad = {"source_url": "https://fb.me/x", "source_type": "ad", "headline": "Oferta"}
    await an_inbound(caller, None, **{"from": PHONE}, referral=ad)
    number = await a_number(caller)
    await an_inbound(
        caller,
        number,
        **{"from": PHONE},
        type="media",
        payload={"kind": "image", "media": {"id": "1", "mime_type": "image/png"}},
    )
    await a_window(caller, number.id, PHONE)
    await a_device(caller, contactId=id)
    await contacts.opt_out(
        caller, contacts.OptOut.model_validate({"phones": [PHONE], "motivo": "asked"})
    )
    return id


async def test_a_persons_data_has_the_shape_that_is_documented(rest: httpx.AsyncClient) -> None:
    caller = await a_client(rest)
    id = await a_person_everywhere(caller)
    rest.headers["Authorization"] = (
        f"Bearer {await a_session(organization_id=caller.organization_id)}"
    )

    answer = await rest.get(f"/contacts/{id}/dados")  # which the client holds to the document

    data = answer.json()
    filled_in = {name for name, found in data.items() if isinstance(found, list) and found}
    assert filled_in == {
        "consentimentos",
        "recusas",
        "mensagens",
        "conversas",
        "cliques",
        "dispositivos",
    }
    assert [
        fitting(one["conteudo"], "MessagePayload") for one in data["mensagens"] if "conteudo" in one
    ] == [
        ["TextSaid"],
        ["FileSaid"],
    ]
