"""Templates and flows as they are handed in, decided on and taken away."""

import json
from typing import Any

import pytest

from core.providers.platform import (
    ConversationPlatform,
    FlowDraft,
    SenderAccount,
    TemplateDraft,
    TemplateSubmission,
    UpstreamError,
)
from tests.core.providers.meta.recorded_shapes import answer
from tests.fakes.graph import FakeGraph, says, streams

TEMPLATES = "102290129340398/message_templates"
FLOWS = "102290129340398/flows"
ID = "1689556908129832"
FLOW = "6627390910605886"
BODY = {"type": "BODY", "payload": {"text": "Seu pedido {{1}} saiu.", "example": ["1042"]}}


async def submit(
    platform: ConversationPlatform, sender: SenderAccount, *components: Any, **more: Any
) -> TemplateSubmission:
    fields: dict[str, Any] = {
        "name": "pedido_enviado",
        "language": "pt-BR",
        "category": "utility",
        "components": components,
    }
    return await platform.submit_template(sender, TemplateDraft(**(fields | more)))


async def test_a_template_is_handed_in_in_the_platforms_shape(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", TEMPLATES, says(answer("template_created")))

    submitted = await submit(
        platform,
        number,
        {"type": "HEADER", "payload": {"format": "TEXT", "text": "Olá, {{1}}", "example": "Ana"}},
        BODY,
        {"type": "FOOTER", "payload": {"text": "Loja Exemplo"}},
        {
            "type": "BUTTONS",
            "payload": {
                "buttons": [
                    {"type": "QUICK_REPLY", "text": "Parar"},
                    {
                        "type": "URL",
                        "text": "Abrir",
                        "url": "https://loja.example.com/{{1}}",
                        "example": "https://loja.example.com/1042",
                    },
                    {"type": "PHONE_NUMBER", "text": "Ligar", "phoneNumber": "+551140000000"},
                    {"type": "COPY_CODE", "example": "VERAO20"},
                    {"type": "FLOW", "text": "Agendar", "flowId": FLOW, "navigateScreen": "DIA"},
                ]
            },
        },
        {"type": "LIMITED_TIME_OFFER", "payload": {"limited_time_offer": {"text": "Só hoje"}}},
    )

    assert submitted == TemplateSubmission(ID, "pending")
    assert graph.last.body == {
        "name": "pedido_enviado",
        "language": "pt_BR",
        "category": "UTILITY",
        "components": [
            {
                "type": "HEADER",
                "format": "TEXT",
                "text": "Olá, {{1}}",
                "example": {"header_text": ["Ana"]},
            },
            {
                "type": "BODY",
                "text": "Seu pedido {{1}} saiu.",
                "example": {"body_text": [["1042"]]},
            },
            {"type": "FOOTER", "text": "Loja Exemplo"},
            {
                "type": "BUTTONS",
                "buttons": [
                    {"type": "QUICK_REPLY", "text": "Parar"},
                    {
                        "type": "URL",
                        "text": "Abrir",
                        "url": "https://loja.example.com/{{1}}",
                        "example": ["https://loja.example.com/1042"],
                    },
                    {"type": "PHONE_NUMBER", "text": "Ligar", "phone_number": "+551140000000"},
                    {"type": "COPY_CODE", "example": "VERAO20"},
                    {
                        "type": "FLOW",
                        "text": "Agendar",
                        "flow_id": FLOW,
                        "flow_action": "navigate",
                        "navigate_screen": "DIA",
                    },
                ],
            },
            {"type": "LIMITED_TIME_OFFER", "limited_time_offer": {"text": "Só hoje"}},
        ],
    }
    assert graph.last.proven


async def test_a_template_for_log_ins_has_the_platforms_own_text(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", TEMPLATES, says(answer("template_created")))
    app = {"packageName": "com.example.loja", "signatureHash": "K8a/AINcGX7"}
    buttons = {"buttons": [{"type": "OTP", "otpType": "ONE_TAP", "text": "Copiar", **app}]}

    await submit(
        platform,
        number,
        BODY,
        {"type": "FOOTER", "payload": {"text": "Vale 5 minutos"}},
        {"type": "BUTTONS", "payload": buttons},
        category="authentication",
    )

    apps = [{"package_name": "com.example.loja", "signature_hash": "K8a/AINcGX7"}]
    assert graph.last.body["components"] == [
        {"type": "BODY"},
        {
            "type": "BUTTONS",
            "buttons": [
                {"type": "OTP", "otp_type": "ONE_TAP", "text": "Copiar", "supported_apps": apps}
            ],
        },
    ]


async def test_the_example_of_a_file_is_uploaded_before(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("GET", "/example.jpg", streams(70_000))
    graph.at("POST", "893650231/uploads", says({"id": "upload:MTphdHRhY2htZW50"}))
    graph.at("POST", "upload:MTphdHRhY2htZW50", says({"h": "4::aW1hZ2UvanBlZw=="}))
    graph.at("POST", TEMPLATES, says(answer("template_created")))
    header = {
        "type": "HEADER",
        "payload": {"format": "IMAGE", "example": f"{graph.url}/example.jpg"},
    }

    assert await submit(platform, number, header, BODY) == TemplateSubmission(ID, "pending")

    fetched, begun, sent, handed_in = graph.seen
    assert "Authorization" not in fetched.headers
    assert (begun.query["file_length"], begun.query["file_type"]) == ("70000", "image/jpeg")
    assert sent.body == b"x" * 70_000
    assert sent.headers["file_offset"] == "0"
    assert handed_in.body["components"][0] == {
        "type": "HEADER",
        "format": "IMAGE",
        "example": {"header_handle": ["4::aW1hZ2UvanBlZw=="]},
    }


@pytest.mark.parametrize("path", ["/missing.jpg", "/page"])
async def test_an_example_that_cannot_be_fetched_is_said_to_be_one(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, path: str
) -> None:
    graph.at("GET", "/page", says(b"<h1>", headers={"Content-Type": "text/html"}))
    header = {"type": "HEADER", "payload": {"format": "IMAGE", "example": f"{graph.url}{path}"}}
    with pytest.raises(UpstreamError) as failed:
        await submit(platform, number, header, BODY)
    assert (failed.value.code, failed.value.retryable) == ("example", False)
    assert len(graph.seen) == 1


async def test_an_example_is_not_fetched_from_a_port_of_something_else(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    header = {
        "type": "HEADER",
        "payload": {"format": "IMAGE", "example": "http://127.0.0.1:22/example.jpg"},
    }
    with pytest.raises(UpstreamError) as failed:
        await submit(platform, number, header, BODY)
    assert (failed.value.code, failed.value.retryable) == ("example", False)
    assert graph.seen == []


async def test_a_newer_version_edits_what_is_there(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", ID, says({"success": True}))
    assert await submit(platform, number, BODY, template_id=ID) == TemplateSubmission(ID, "pending")
    assert set(graph.last.body) == {"components"}


async def test_a_template_whose_answer_was_lost_is_found_again(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", TEMPLATES, says(answer("template_exists"), status=400))
    graph.at("GET", TEMPLATES, says(answer("templates")))
    assert await submit(platform, number, BODY) == TemplateSubmission(ID, "approved")


async def test_another_template_of_the_same_name_is_not_taken_for_ours(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", TEMPLATES, says(answer("template_exists"), status=400))
    graph.at("GET", TEMPLATES, says(answer("templates")))
    other = {"type": "BODY", "payload": {"text": "Outro texto"}}
    with pytest.raises(UpstreamError) as failed:
        await submit(platform, number, other)
    assert failed.value.error == "A template of this name and language is there already."


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("APPROVED", "approved"),
        ("PENDING", "pending"),
        ("IN_APPEAL", "pending"),
        ("PAUSED", "paused"),
        ("DISABLED", "disabled"),
        ("UNHEARD_OF", "pending"),
    ],
)
async def test_a_decision_is_told_in_the_interfaces_words(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount, theirs: str, ours: str
) -> None:
    graph.at("GET", ID, says({"status": theirs, "rejected_reason": "NONE", "id": ID}))
    assert await platform.template_status(number, ID) == TemplateSubmission(ID, ours)


async def test_a_rejection_has_its_reason(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("GET", ID, says(answer("template_rejected")))
    assert await platform.template_status(number, ID) == TemplateSubmission(
        ID, "rejected", "INVALID_FORMAT"
    )


async def test_a_template_is_removed_by_name_and_id(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("DELETE", TEMPLATES, says({"success": True}))
    await platform.remove_template(number, name="pedido_enviado", template_id=ID)
    assert (graph.last.query["name"], graph.last.query["hsm_id"]) == ("pedido_enviado", ID)
    await platform.remove_template(number, name="pedido_enviado", template_id=None)
    assert "hsm_id" not in graph.last.query


async def test_an_instagram_account_has_no_templates(
    graph: FakeGraph, platform: ConversationPlatform, account: SenderAccount
) -> None:
    with pytest.raises(UpstreamError):
        await submit(platform, account, BODY)
    assert graph.seen == []


# Flows ---------------------------------------------------------------------------------------------

SCREENS: list[Any] = [
    {"id": "DIA", "terminal": True, "layout": {"type": "SingleColumnLayout", "children": []}}
]
DOCUMENT = {"version": "6.2", "data_api_version": "3.0", "routing_model": {}, "screens": SCREENS}


async def publish(
    platform: ConversationPlatform,
    sender: SenderAccount,
    flow_id: str | None = None,
    document: Any = DOCUMENT,
) -> str:
    draft = FlowDraft(
        flow_id=flow_id,
        name="Agenda",
        categories=["APPOINTMENT_BOOKING"],
        flow_json=document,
    )
    return await platform.publish_flow(sender, draft)


async def test_a_flow_is_created_and_published(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", FLOWS, says({"id": FLOW, "success": True, "validation_errors": []}))
    graph.at("POST", f"{FLOW}/publish", says({"success": True}))

    assert await publish(platform, number) == FLOW

    created, _ = graph.seen
    assert (created.body["name"], created.body["categories"]) == ("Agenda", ["APPOINTMENT_BOOKING"])
    # The version of a protocol that this flow does not speak would make the platform ask for a
    # server.
    assert json.loads(created.body["flow_json"]) == {
        "version": "6.2",
        "routing_model": {},
        "screens": SCREENS,
    }


async def test_a_flow_that_asks_a_server_keeps_the_version_of_that_protocol(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", FLOWS, says({"id": FLOW, "success": True}))
    graph.at("POST", f"{FLOW}/publish", says({"success": True}))
    document = {
        **DOCUMENT,
        "screens": [{"id": "DIA", "on-click-action": {"name": "data_exchange"}}],
    }
    await publish(platform, number, document=document)
    assert json.loads(graph.seen[0].body["flow_json"]) == document


async def test_a_flow_gets_new_content_and_is_published_again(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", f"{FLOW}/assets", says({"success": True, "validation_errors": []}))
    graph.at("POST", FLOW, says({"success": True}))
    graph.at("POST", f"{FLOW}/publish", says({"success": True}))

    assert await publish(platform, number, FLOW) == FLOW

    replaced, renamed, _ = graph.seen
    assert replaced.form["asset_type"].text == "FLOW_JSON"
    assert json.loads(replaced.form["file"].text or "")["version"] == "6.2"
    assert renamed.body == {"name": "Agenda", "categories": ["APPOINTMENT_BOOKING"]}


async def test_a_flow_with_errors_is_named_and_leaves_nothing_behind(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", FLOWS, says(answer("flow_invalid")))
    graph.at("DELETE", FLOW, says({"success": True}))
    with pytest.raises(UpstreamError) as failed:
        await publish(platform, number)
    assert (failed.value.code, failed.value.error) == (
        "validation",
        "Invalid value found for property 'type'.",
    )
    assert [seen.method for seen in graph.seen] == ["POST", "DELETE"]


async def test_a_flow_that_cannot_be_published_leaves_nothing_behind(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", FLOWS, says({"id": FLOW, "success": True}))
    with pytest.raises(UpstreamError):
        await publish(platform, number)
    assert [(seen.method, seen.path) for seen in graph.seen][-1] == ("DELETE", FLOW)


TAKEN = {"error": {"message": "Flow name is not unique", "code": 100, "error_subcode": 4016019}}


def named(name: str, id: str, status: str) -> dict[str, Any]:
    return {
        "id": id,
        "name": name,
        "status": status,
        "categories": ["OTHER"],
        "validation_errors": [],
    }


async def test_a_flow_that_an_earlier_try_published_is_found_by_its_name(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    first = {
        "data": [named("Outra", "1", "PUBLISHED")],
        "paging": {"cursors": {"after": "x"}, "next": "https://…"},
    }
    graph.will(
        says(TAKEN, status=400),
        says(first),
        says({"data": [named("Agenda", "2", "DEPRECATED"), named("Agenda", FLOW, "PUBLISHED")]}),
    )

    assert await publish(platform, number) == FLOW

    assert [(seen.method, seen.path, seen.query.get("after")) for seen in graph.seen] == [
        ("POST", FLOWS, None),
        ("GET", FLOWS, None),
        ("GET", FLOWS, "x"),
    ]


async def test_a_flow_that_an_earlier_try_only_created_is_published(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", FLOWS, says(TAKEN, status=400))
    graph.at("GET", FLOWS, says({"data": [named("Agenda", FLOW, "DRAFT")]}))
    graph.at("POST", f"{FLOW}/publish", says({"success": True}))

    assert await publish(platform, number) == FLOW

    assert (graph.last.method, graph.last.path) == ("POST", f"{FLOW}/publish")


async def test_a_wrong_flow_is_not_taken_for_another(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", FLOWS, says(TAKEN, status=400))
    graph.at("GET", FLOWS, says({"data": [named("Agenda 2", FLOW, "PUBLISHED")]}))
    with pytest.raises(UpstreamError) as failed:
        await publish(platform, number)
    assert failed.value.code == "100"


async def test_a_flow_is_deprecated(
    graph: FakeGraph, platform: ConversationPlatform, number: SenderAccount
) -> None:
    graph.at("POST", f"{FLOW}/deprecate", says({"success": True}))
    await platform.deprecate_flow(number, FLOW)
    assert graph.last.proven
