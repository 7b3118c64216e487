"""Interface: Template; GET /v2/templates. Decisions: Templates; States and moves, Template; Sandbox
approvals.
"""

from typing import Any

from core import templates
from core.flows.models import Flow
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from core.messaging import Message
from core.templates import Template, TemplateChanges
from tests.contract.table import Answer, Endpoint, Event, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.stored_messages import stored_message
from tests.factories.templates import BODY, a_flow, a_template


async def a_template_id(caller: Caller) -> str:
    """A draft."""
    return str((await a_template(caller))["id"])


RECORDS = {"template": a_template_id}

LISTED, CREATE, READ = "GET /v2/templates", "POST /v2/templates", "GET /v2/templates/{id}"
CHANGE, SUBMIT, DELETE = (
    "PATCH /v2/templates/{id}",
    "POST /v2/templates/{id}/submit",
    "DELETE /v2/templates/{id}",
)
OF_TEMPLATE = {"id": "<template>"}
NEW = {
    "numberId": "<number>",
    "name": "novo",
    "language": "pt-BR",
    "category": "utility",
    "components": [BODY],
}
OTHER = [{"type": "BODY", "payload": {"text": "Até logo."}}]

ENDPOINTS = [
    Endpoint(
        address=LISTED,
        scope="templates:read",
        errors="400 401 403",
        parameters="status* category* language* numberId limit* skip* cursor",
    ),
    Endpoint(
        address=CREATE,
        scope="templates:write",
        status=201,
        errors="401 403 409 422",
        fields="numberId! name! language! category! components[]! headerExampleUrl",
        body=NEW,
        unknown_is=422,
    ),
    Endpoint(address=READ, scope="templates:read", errors="401 403 404", ids=OF_TEMPLATE),
    Endpoint(
        address=CHANGE,
        scope="templates:write",
        errors="401 403 404 409 422",
        ids=OF_TEMPLATE,
        fields="name language category components[] headerExampleUrl",
        body={"name": "outro"},
    ),
    Endpoint(
        address=SUBMIT, scope="templates:write", errors="401 403 404 409 503", ids=OF_TEMPLATE
    ),
    Endpoint(
        address=DELETE,
        scope="templates:write",
        status=204,
        errors="401 403 404 409 502 503",
        ids=OF_TEMPLATE,
    ),
]


async def the_name_is_taken(world: World) -> None:
    template = await Template.get(id=await world.record("template"))
    world.records["number"] = template.number_id
    await a_template(world.caller, template.number_id, name="novo")


def it_is(status: str, **fields: Any) -> Any:
    """The template got into this status."""

    async def before(world: World) -> None:
        await Template.filter(id=await world.record("template")).update(status=status, **fields)

    return before


async def a_newer_version_exists(world: World) -> None:
    await it_is("approved")(world)
    changes = TemplateChanges.model_validate({"components": OTHER})
    await templates.change_template(world.caller, await world.record("template"), changes)


async def messages_wait(world: World) -> None:
    message = await stored_message(world.caller, now())
    leaving = {
        "template_id": await world.record("template"),
        "status": "sending",
        "settle_at": now(),
    }
    await Message.filter(id=message).update(**leaving)


async def it_opens_an_unpublished_flow(world: World) -> None:
    flow = await a_flow(world.caller)
    button = {"type": "FLOW", "text": "Abrir", "flowId": flow["id"]}
    components = [BODY, {"type": "BUTTONS", "payload": {"buttons": [button]}}]
    world.records["template"] = (
        await a_template(world.caller, flow["numberId"], components=components)
    )["id"]
    assert not await Flow.filter(status="active").exists()


STAYS = {"code": "STATUS_NAO_PERMITE"}
SENDING = "tests/core/templates/test_sending.py::"

REFUSALS = [
    Refusal(
        status=422, address=CREATE, change={"numberId": "num_x"}, wrong={"/numberId": "not_found"}
    ),
    Refusal(
        status=422,
        address=CREATE,
        change={"category": "authentication"},
        wrong={"/components/0/payload/text": "wrong_format", "/components": "required"},
    ),
    Refusal(
        status=422,
        address=CHANGE,
        change={"category": "authentication"},
        wrong={"/components/0/payload/text": "wrong_format", "/components": "required"},
    ),
    Refusal(status=409, address=CREATE, before=the_name_is_taken, meta={"code": "NOME_JA_USADO"}),
    Refusal(
        status=409,
        address=CHANGE,
        before=the_name_is_taken,
        change={"name": "novo"},
        meta={"code": "NOME_JA_USADO"},
    ),
    Refusal(status=409, address=CHANGE, before=it_is("approved"), meta={"code": "NOME_IMUTAVEL"}),
    Refusal(
        status=409,
        address=CHANGE,
        before=it_is("approved"),
        change={"name": ..., "category": "marketing"},
        meta={"code": "CATEGORIA_IMUTAVEL"},
    ),
    Refusal(
        status=409,
        address=CHANGE,
        before=a_newer_version_exists,
        change={"name": ..., "components": OTHER},
        meta={"code": "VERSAO_EM_EDICAO", "templateId": ...},
    ),
    *(
        Refusal(status=409, address=CHANGE, before=it_is(status), meta={**STAYS, "status": status})
        for status in ("submitted", "pending", "disabled")
    ),
    *(
        Refusal(status=409, address=SUBMIT, before=it_is(status), meta={**STAYS, "status": status})
        for status in ("submitted", "pending", "approved", "rejected", "paused", "disabled")
    ),
    *(
        Refusal(status=409, address=DELETE, before=it_is(status), meta={**STAYS, "status": status})
        for status in ("submitted", "pending")
    ),
    Refusal(
        status=409,
        address=SUBMIT,
        before=it_opens_an_unpublished_flow,
        meta={"code": "FLOW_INDISPONIVEL"},
    ),
    Refusal(status=409, address=DELETE, before=messages_wait, meta={"code": "TEMPLATE_EM_USO"}),
    Refusal(status=503, address=SUBMIT, env="live"),
    Refusal(
        status=503, address=DELETE, env="live", before=it_is("approved", meta_template_id="711")
    ),
    Refusal(
        status=502,
        address=DELETE,
        proven_by="tests/core/templates/test_review.py::test_the_platform_forgets_a_template_first",
    ),
    Refusal(
        status=409,
        meta={"code": "TEMPLATE_INDISPONIVEL"},
        proven_by=f"{SENDING}test_no_other_may_be_sent",
    ),
    Refusal(
        status=422,
        meta={"code": "VARIAVEIS_DIVERGENTES"},
        proven_by=f"{SENDING}test_each_variable_has_exactly_one_text",
    ),
]


def decided(name: str) -> Any:
    """A template of this name is submitted, and the sandbox decides."""

    async def cause(world: World) -> None:
        template = await a_template(world.caller, name=name)
        await templates.submit_template(world.caller, template["id"])
        await Template.filter(id=template["id"]).update(due_at=now())
        await templates.review_templates(at=now())

    return cause


TOLD = "templateId name language version env"
EVENTS = [
    Event(name="template.approved", data=TOLD, cause=decided("pedido")),
    Event(name="template.rejected", data=f"{TOLD} rejectionReason", cause=decided("pedido_reject")),
]


def text(text: str, *examples: str) -> list[dict[str, Any]]:
    """A body alone."""
    return [
        {
            "type": "BODY",
            "payload": {"text": text, **({"example": list(examples)} if examples else {})},
        }
    ]


def with_header(header: str) -> list[dict[str, Any]]:
    return [BODY, {"type": "HEADER", "payload": {"format": "TEXT", "text": header}}]


def with_footer(footer: str) -> list[dict[str, Any]]:
    return [BODY, {"type": "FOOTER", "payload": {"text": footer}}]


def with_buttons(count: int) -> list[dict[str, Any]]:
    return [BODY, {"type": "BUTTONS", "payload": {"buttons": [REPLY] * count}}]


REPLY = {"type": "QUICK_REPLY", "text": "Sim"}
CALL = {"type": "PHONE_NUMBER", "text": "Ligar", "phoneNumber": "+5511987654321"}
OUT_OF_ORDER = [BODY, {"type": "BUTTONS", "payload": {"buttons": [REPLY, CALL, REPLY]}}]

BORDERS = [
    limit
    for address in (CREATE, CHANGE)
    for limit in (
        Limit(
            address=address,
            field="/name",
            takes=["a", "pedido_2", "x" * 512],
            refuses=[
                ("", "too_short"),
                ("x" * 513, "too_long"),
                ("Pedido", "wrong_format"),
                ("um pedido", "wrong_format"),
                ("pedido\n", "wrong_format"),
            ],
        ),
        Limit(
            address=address,
            field="/language",
            takes=["pt-BR", "en-US", "es-ES"],
            refuses=[("pt_BR", "not_allowed"), ("de-DE", "not_allowed")],
        ),
        Limit(
            address=address,
            field="/category",
            takes=["marketing", "utility"],
            refuses=[("service", "not_allowed")],
        ),
        Limit(
            address=address,
            field="/headerExampleUrl",
            takes=["https://example.com/a.png"],
            refuses=[
                ("http://example.com/a.png", "wrong_format"),
                ("https://x/" + "x" * 2039, "too_long"),
            ],
        ),
        Limit(
            address=address,
            field="/components",
            takes=[
                text("x" * 1024),
                text("De {{1}} a {{2}}.", "a", "b"),
                with_header("x" * 60),
                with_footer("x" * 60),
                with_buttons(10),
            ],
            refuses=[
                ([], "too_few"),
                (with_footer("x")[1:], "required"),
                ([{"type": "SHOE"}], "not_allowed", "/0/type"),
                (text("x" * 1025), "too_long", "/0/payload/text"),
                (text("{{1}} veio.", "a"), "at_the_edge", "/0/payload/text"),
                (text("Veio {{1}}", "a"), "at_the_edge", "/0/payload/text"),
                (text("De {{1}} a {{3}}.", "a", "b"), "not_contiguous", "/0/payload/text"),
                (text("De {{1}} a."), "required", "/0/payload/example/0"),
                (with_header("x" * 61), "too_long", "/1/payload/text"),
                (with_footer("x" * 61), "too_long", "/1/payload/text"),
                (with_footer("Até {{1}}."), "not_allowed", "/1/payload/text"),
                (with_buttons(11), "too_many", "/1/payload/buttons"),
                (OUT_OF_ORDER, "wrong_order", "/1/payload/buttons"),
            ],
        ),
    )
]

LIMITS = [
    Limit(
        address=LISTED,
        field="?status",
        takes=["draft", "submitted", "pending", "approved", "rejected", "paused", "disabled"],
        refuses=[("sent", "not_allowed")],
    ),
    Limit(
        address=LISTED,
        field="?category",
        takes=["marketing", "utility", "authentication"],
        refuses=[("service", "not_allowed")],
    ),
    Limit(
        address=LISTED,
        field="?language",
        takes=["pt-BR", "en-US", "es-ES"],
        refuses=[("pt_BR", "not_allowed")],
    ),
    Limit(address=CREATE, field="/numberId", refuses=[("", "too_short"), ("x" * 31, "too_long")]),
    *BORDERS,
]

PAGES = [
    Page(
        address=LISTED,
        fill=lambda world, count: world.rows(
            "template", count, table="templates", unique=("name",)
        ),
    )
]

ANSWERS = [
    Answer(
        address=CREATE, tells={"status": "draft", "version": 1, "variaveis/1/componente": "BODY"}
    ),
    Answer(address=SUBMIT, tells={"status": "submitted", "version": 1}),
    Answer(
        address=CHANGE,
        before=it_is("rejected"),
        change={"name": ..., "components": OTHER},
        tells={"status": "draft", "version": 2},
    ),
    Answer(
        address=CHANGE,
        before=it_is("approved"),
        change={"name": ..., "components": OTHER},
        tells={"status": "draft", "version": 2},
    ),
]
