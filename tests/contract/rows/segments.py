"""Interface: Dynamic segment; Endpoints, Dynamic segments."""

from typing import Any

from core import segments
from core.foundation.security.caller import Caller
from tests.contract.table import Answer, Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.organizations import a_caller
from tests.factories.stored_contacts import stored_contact

VIP = [{"field": "tag", "operator": "is", "value": "vip"}]


async def a_segment(caller: Caller) -> str:
    """The id of a segment."""
    new = segments.NewSegment.model_validate({"name": "Ativos", "filters": VIP})
    return str((await segments.create_segment(caller, new))["id"])


RECORDS = {"segment": a_segment}

ENDPOINTS = [
    Endpoint(
        address="GET /v2/segments",
        scope="contacts:read",
        errors="401 403 422",
        parameters="q limit* skip* cursor",
    ),
    Endpoint(
        address="POST /v2/segments",
        scope="contacts:write",
        errors="401 403 409 422",
        whole="required",
        fields="name! description filters[] filterTree",
        body={"name": "Especiais", "filters": VIP},
    ),
    Endpoint(
        address="POST /v2/segments/preview",
        scope="contacts:read",
        errors="401 403 422",
        fields="filters[] filterTree",
        body={"filters": VIP},
    ),
    Endpoint(
        address="GET /v2/segments/{segmentId}",
        scope="contacts:read",
        errors="401 403 404",
        ids={"segmentId": "<segment>"},
    ),
    Endpoint(
        address="PATCH /v2/segments/{segmentId}",
        scope="contacts:write",
        errors="401 403 404 409 422",
        ids={"segmentId": "<segment>"},
        fields="name description filters[] filterTree",
        body={"name": "Muito ativos"},
    ),
    Endpoint(
        address="DELETE /v2/segments/{segmentId}",
        scope="contacts:write",
        status=204,
        errors="401 403 404",
        ids={"segmentId": "<segment>"},
    ),
]


async def the_name_is_taken(world: World) -> None:
    new = segments.NewSegment.model_validate({"name": "VIP", "filters": VIP})
    await segments.create_segment(world.caller, new)


UNKNOWN = [{"field": "segment", "operator": "is", "value": "seg_000000000000000000000"}]
WRITES = ("POST /v2/segments", "PATCH /v2/segments/{segmentId}")

REFUSALS = [
    Refusal(
        status=422,
        address="PATCH /v2/segments/{segmentId}",
        change={"filters": None},
        wrong={"/filters": "required", "/filterTree": "required"},
    ),
    *(
        Refusal(status=409, address=address, before=the_name_is_taken, change={"name": "VIP"})
        for address in WRITES
    ),
    *(
        refusal
        for address in (*WRITES, "POST /v2/segments/preview")
        for refusal in (
            Refusal(
                status=422,
                address=address,
                change={"filters": UNKNOWN},
                meta={"code": "VINCULO_INVALIDO"},
            ),
            Refusal(
                status=422,
                address=address,
                change={"filters": VIP * 51},
                meta={"code": "FILTRO_COMPLEXO"},
                wrong={"/filters": "FILTRO_COMPLEXO"},
            ),
        )
    ),
]


def nested(depth: int) -> dict[str, Any]:
    """A tree with so many nodes on its longest way."""
    node: dict[str, Any] = {"kind": "leaf", "filter": VIP[0]}
    for _ in range(depth - 1):
        node = {"kind": "not", "child": node}
    return node


def leaf(**changes: Any) -> list[dict[str, Any]]:
    """One condition, changed."""
    return [{**VIP[0], **changes}]


LIMITS = [
    *(
        limit
        for address in WRITES
        for limit in (
            Limit(
                address=address,
                field="/name",
                takes=["x", "x" * 120],
                refuses=[
                    ("", "too_short"),
                    (" ", "too_short"),
                    ("x" * 121, "too_long"),
                    (None, "wrong_type"),
                ],
            ),
            Limit(
                address=address,
                field="/description",
                takes=["x" * 500],
                refuses=[("x" * 501, "too_long")],
            ),
        )
    ),
    *(
        limit
        for address in (*WRITES, "POST /v2/segments/preview")
        for limit in (
            Limit(
                address=address,
                field="/filters",
                takes=[VIP, VIP * 50],
                refuses=[
                    ([], "too_few"),
                    (leaf(field="shoe"), "not_allowed", "/0/field"),
                    (leaf(operator="was"), "not_allowed", "/0/operator"),
                    (leaf(value=1), "wrong_type", "/0/value"),
                    (leaf(value="a\x00"), "nul", "/0/value"),
                    (
                        [{"field": "attribute.x", "operator": "gt", "value": [1042]}],
                        "wrong_type",
                        "/0/value",
                    ),
                    (leaf(nope=1), "unknown_field", "/0/nope"),
                ],
            ),
            Limit(
                address=address,
                field="/filterTree",
                takes=[nested(1), nested(5)],
                refuses=[
                    (nested(6), "FILTRO_COMPLEXO"),
                    ({"kind": "xor"}, "not_allowed", "/kind"),
                    ({"kind": "and", "children": [nested(1)] * 51}, "wrong_type", "/children"),
                ],
            ),
        )
    ),
]

LIMITS.append(Limit(address="POST /v2/segments/preview", field="/", refuses=[({}, "required")]))

PAGES = [
    Page(
        address="GET /v2/segments",
        fill=lambda world, count: world.rows("segment", count, table="segments", unique=("name",)),
    )
]


async def others_have_it(world: World) -> None:
    """The tag, on contacts of another organization and of the other environment."""
    for caller in (await a_caller(world.caller.env), world.in_the_other_environment()):
        await stored_contact(caller, tags=["vip"])


ANSWERS = [
    Answer(
        address="POST /v2/segments/preview",
        before=others_have_it,
        tells={"count": 0, "sample": []},
    )
]
