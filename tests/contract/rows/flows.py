"""Interface: Flow; GET /v2/flows. Decisions: Flows; States and moves, Flow."""

from typing import Any

from core import flows
from core.flows import Flow
from core.foundation.clock import now
from core.foundation.security.caller import Caller
from tests.contract.table import Answer, Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.templates import a_flow, a_screen


async def a_draft(caller: Caller) -> str:
    """A draft without errors."""
    return str((await a_flow(caller))["id"])


def a_flow_in(status: str, meta_status: str | None = "PUBLISHED") -> Any:
    """A flow that got into this status."""

    async def made(caller: Caller) -> str:
        id = await a_draft(caller)
        await Flow.filter(id=id).update(
            status=status, meta_status=meta_status, meta_flow_id=meta_status and "9"
        )
        return id

    return made


RECORDS = {
    "flow": a_draft,
    "active flow": a_flow_in("active"),
    "paused flow": a_flow_in("paused"),
    "deprecated flow": a_flow_in("deprecated", "DEPRECATED"),
}

LISTED, CREATE, READ = "GET /v2/flows", "POST /v2/flows", "GET /v2/flows/{id}"
CHANGE, DELETE = "PATCH /v2/flows/{id}", "DELETE /v2/flows/{id}"
VALIDATE, PUBLISH, PAUSE, RESUME, DEPRECATE, ARCHIVE = (
    f"POST /v2/flows/{{id}}/{use_case}"
    for use_case in ("validate", "publish", "pause", "resume", "deprecate", "archive")
)
DRAFT, ACTIVE, PAUSED = {"id": "<flow>"}, {"id": "<active flow>"}, {"id": "<paused flow>"}
WRITE = "flows:write"

ENDPOINTS = [
    Endpoint(
        address=LISTED,
        scope="flows:read",
        errors="400 401 403",
        parameters="status* metaStatus* category* numberId limit* skip* cursor",
    ),
    Endpoint(
        address=CREATE,
        scope=WRITE,
        status=201,
        errors="401 403 422",
        fields="numberId! name! description metaCategories[] flowJson",
        body={"numberId": "<number>", "name": "Pesquisa"},
        unknown_is=422,
    ),
    Endpoint(address=READ, scope="flows:read", errors="401 403 404", ids=DRAFT),
    Endpoint(
        address=CHANGE,
        scope=WRITE,
        errors="401 403 404 409 422",
        ids=DRAFT,
        fields="name description metaCategories[] flowJson",
        body={"name": "Outra"},
    ),
    Endpoint(address=VALIDATE, scope=WRITE, errors="401 403 404", ids=DRAFT),
    Endpoint(address=PUBLISH, scope=WRITE, errors="401 403 404 409 502 503", ids=DRAFT),
    Endpoint(address=PAUSE, scope=WRITE, errors="401 403 404 409", ids=ACTIVE),
    Endpoint(address=RESUME, scope=WRITE, errors="401 403 404 409", ids=PAUSED),
    Endpoint(address=DEPRECATE, scope=WRITE, errors="401 403 404 409 502 503", ids=ACTIVE),
    Endpoint(address=ARCHIVE, scope=WRITE, errors="401 403 404 409", ids=DRAFT),
    Endpoint(address=DELETE, scope=WRITE, status=204, errors="401 403 404 409", ids=DRAFT),
]


def it_is(status: str, word: str = "flow", **fields: Any) -> Any:
    """The flow got into this status."""

    async def before(world: World) -> None:
        await Flow.filter(id=await world.record(word)).update(status=status, **fields)

    return before


async def a_newer_version_exists(world: World) -> None:
    await it_is("active")(world)
    await flows.change_flow(world.caller, await world.record("flow"), flows.FlowChanges(name="b"))


async def it_has_no_end(world: World) -> None:
    broken = {"version": "6.2", "data_api_version": "3.0", "screens": [a_screen(terminal=False)]}
    await Flow.filter(id=await world.record("flow")).update(flow_json=broken)


async def it_is_being_published(world: World) -> None:
    await Flow.filter(id=await world.record("flow")).update(meta_status="DRAFT", updated_at=now())


def stays(address: str, status: str, word: str = "flow") -> Refusal:
    meta = {"code": "STATUS_NAO_PERMITE", "status": status}
    return Refusal(status=409, address=address, before=it_is(status, word), meta=meta)


USE_CASES = "tests/core/flows/test_use_cases.py::"

REFUSALS = [
    Refusal(
        status=422, address=CREATE, change={"numberId": "num_x"}, wrong={"/numberId": "not_found"}
    ),
    Refusal(
        status=409,
        address=CHANGE,
        before=a_newer_version_exists,
        meta={"code": "VERSAO_EM_EDICAO", "flowId": ...},
    ),
    Refusal(
        status=409,
        address=PUBLISH,
        before=it_has_no_end,
        meta={"code": "FLOW_INVALIDO"},
        wrong={"/flowJson/screens": "terminal_missing"},
    ),
    *(
        Refusal(
            status=409,
            address=address,
            before=it_is_being_published,
            meta={"code": "PUBLICACAO_EM_ANDAMENTO"},
        )
        for address in (CHANGE, PUBLISH, ARCHIVE, DELETE)
    ),
    *(stays(CHANGE, status) for status in ("deprecated", "archived")),
    *(stays(address, "active") for address in (PUBLISH, ARCHIVE, DELETE)),
    stays(PAUSE, "paused", "active flow"),
    stays(RESUME, "active", "paused flow"),
    stays(DEPRECATE, "deprecated", "active flow"),
    Refusal(status=503, address=PUBLISH, env="live"),
    Refusal(status=503, address=DEPRECATE, env="live"),
    Refusal(
        status=502,
        address=PUBLISH,
        proven_by=f"{USE_CASES}test_what_the_platform_does_not_take_stays_a_draft",
    ),
    Refusal(
        status=502,
        address=DEPRECATE,
        proven_by=f"{USE_CASES}test_a_live_flow_is_deprecated_there_first",
    ),
    Refusal(
        status=409,
        meta={"code": "FLOW_INDISPONIVEL"},
        proven_by=f"{USE_CASES}test_only_an_active_published_flow_may_be_sent",
    ),
]


def screens(*screens: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"screens": list(screens), **more}


BORDERS = [
    limit
    for address in (CREATE, CHANGE)
    for limit in (
        Limit(
            address=address,
            field="/name",
            takes=["x", "x" * 200],
            refuses=[("", "too_short"), ("x" * 201, "too_long")],
        ),
        Limit(
            address=address,
            field="/description",
            takes=["x" * 1000],
            refuses=[("x" * 1001, "too_long")],
        ),
        Limit(
            address=address,
            field="/metaCategories",
            takes=[["SURVEY"], ["SIGN_UP", "OTHER"]],
            refuses=[
                ([], "too_few"),
                (["survey"], "not_allowed", "/0"),
                (["OTHER"] * 9, "too_many"),
            ],
        ),
        Limit(
            address=address,
            field="/flowJson",
            takes=[screens(), screens(a_screen(), version="7.0"), screens(*[a_screen()] * 50)],
            refuses=[
                ({}, "required", "/screens"),
                (screens(*[a_screen()] * 51), "too_many", "/screens"),
                (screens(version="six"), "wrong_format", "/version"),
                (screens(endpoint_secret="s"), "unknown_field", "/endpoint_secret"),
                (screens({"title": "x"}), "required", "/screens/0/id"),
                (
                    screens(a_screen(layout={"type": "Grid", "children": []})),
                    "not_allowed",
                    "/screens/0/layout/type",
                ),
                (screens(a_screen(send_config=1)), "unknown_field", "/screens/0/send_config"),
            ],
        ),
    )
]

LIMITS = [
    Limit(
        address=LISTED,
        field="?status",
        takes=["draft", "active", "paused", "deprecated", "archived"],
        refuses=[("published", "not_allowed")],
    ),
    Limit(
        address=LISTED,
        field="?metaStatus",
        takes=["DRAFT", "PUBLISHED", "DEPRECATED", "BLOCKED", "THROTTLED"],
        refuses=[("draft", "not_allowed")],
    ),
    Limit(
        address=LISTED,
        field="?category",
        takes=["SIGN_UP", "SURVEY", "OTHER"],
        refuses=[("sign_up", "not_allowed")],
    ),
    Limit(address=CREATE, field="/numberId", refuses=[("", "too_short"), ("x" * 31, "too_long")]),
    *BORDERS,
]

PAGES = [Page(address=LISTED, fill=lambda world, count: world.rows("flow", count, table="flows"))]

ANSWERS = [
    Answer(
        address=CREATE,
        change={"flowJson": {"screens": []}},
        tells={"status": "draft", "flowJson/version": "6.2", "flowJson/data_api_version": "3.0"},
    ),
    Answer(address=VALIDATE, tells={"valido": True, "erros": [], "avisos": []}),
    Answer(
        address=VALIDATE,
        before=it_has_no_end,
        tells={
            "valido": False,
            "erros/0/pointer": "/flowJson/screens",
            "erros/0/codigo": "terminal_missing",
        },
    ),
    Answer(address=PUBLISH, tells={"status": "active", "metaStatus": "PUBLISHED", "version": 1}),
    Answer(address=DEPRECATE, tells={"status": "deprecated", "metaStatus": "DEPRECATED"}),
    Answer(
        address=CHANGE,
        before=it_is("active"),
        tells={"status": "draft", "version": 2},
    ),
]
