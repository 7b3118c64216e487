"""Interface: Static list; Endpoints, Static lists."""

from core import lists
from core.foundation.security.caller import Caller
from tests.contract.table import Answer, Endpoint, Limit, Page, Refusal
from tests.contract.world import World


async def a_list(caller: Caller) -> str:
    """The id of an empty list."""
    return str((await lists.create_list(caller, lists.NewList(name="Clientes")))["id"])


RECORDS = {"list": a_list}

# The interface lists 404 for creation too, where nothing is looked up.
NOTHING_TO_FIND = "404"

EDITS = (
    "POST /v2/lists/{id}/members",
    "PUT /v2/lists/{id}/members",
    "POST /v2/lists/{id}/members/remove",
)
MEMBERS = "externalIds[] contactIds[] phones[]"
LIMIT = 15_000_000

ENDPOINTS = [
    Endpoint(
        address="GET /v2/lists",
        scope="contacts:read",
        errors="401 403 422",
        parameters="q limit* skip* cursor",
    ),
    Endpoint(
        address="POST /v2/lists",
        scope="contacts:write",
        status=201,
        errors="400 401 403 404 409 422",
        never=NOTHING_TO_FIND,
        fields="name! description",
        body={"name": "Outros clientes"},
    ),
    Endpoint(
        address="GET /v2/lists/{id}",
        scope="contacts:read",
        errors="401 403 404",
        ids={"id": "<list>"},
    ),
    Endpoint(
        address="PATCH /v2/lists/{id}",
        scope="contacts:write",
        errors="400 401 403 404 409 422",
        ids={"id": "<list>"},
        fields="name description",
        body={"name": "Clientes de novembro"},
    ),
    Endpoint(
        address="DELETE /v2/lists/{id}",
        scope="contacts:write",
        status=204,
        errors="401 403 404",
        ids={"id": "<list>"},
    ),
    *(
        Endpoint(
            address=address,
            scope="contacts:write",
            errors="400 401 403 404 422",
            ids={"id": "<list>"},
            fields=MEMBERS,
            body={"contactIds": ["<contact>"]},
            body_limit=LIMIT,
        )
        for address in EDITS
    ),
]


async def the_name_is_taken(world: World) -> None:
    await lists.create_list(world.caller, lists.NewList(name="VIP"))


REFUSALS = [
    *(
        Refusal(status=409, address=address, before=the_name_is_taken, change={"name": "VIP"})
        for address in ("POST /v2/lists", "PATCH /v2/lists/{id}")
    ),
    Refusal(
        status=422,
        address="PUT /v2/lists/{id}/members",
        change={"contactIds": ["cnt_000000000000000000000"]},
    ),
]

MANY = [f"{n:05}" for n in range(50_001)]

LIMITS = [
    *(
        limit
        for address in ("POST /v2/lists", "PATCH /v2/lists/{id}")
        for limit in (
            Limit(
                address=address,
                field="/name",
                takes=["x", "x" * 120],
                refuses=[
                    ("", "too_short"),
                    (" ", "too_short"),
                    ("\u200b\u2060", "too_short"),
                    ("x" * 121, "too_long"),
                    (None, "wrong_type"),
                ],
            ),
            Limit(
                address=address,
                field="/description",
                takes=["", "x" * 500],
                refuses=[("x" * 501, "too_long")],
            ),
        )
    ),
    *(
        limit
        for address in EDITS
        for limit in (
            Limit(
                address=address,
                field="/",
                # To replace all by nobody is refused.
                takes=[] if address.startswith("PUT") else [{"externalIds": MANY[:50_000]}],
                refuses=[
                    ({}, "required"),
                    ({"externalIds": [], "contactIds": [], "phones": []}, "required"),
                    ({"externalIds": MANY[:25_000], "phones": MANY[25_000:]}, "too_many"),
                ],
            ),
            *(
                Limit(
                    address=address,
                    field=f"/{name}",
                    refuses=[
                        (MANY, "too_many"),
                        (None, "wrong_type"),
                        (["x", True], "wrong_type", "/1"),
                        (["a\x00"], "nul", "/0"),
                    ],
                )
                for name in ("externalIds", "contactIds", "phones")
            ),
            Limit(
                address=address,
                field="/phones",
                refuses=[(["+5511*****0005"], "VALOR_MASCARADO")],
            ),
        )
    ),
]

PAGES = [
    Page(
        address="GET /v2/lists",
        fill=lambda world, count: world.rows(
            "list", count, table="contact_lists", unique=("name",)
        ),
    )
]

STRANGERS = {
    "externalIds": MANY[:101],
    "contactIds": [f"cnt_{n:021d}" for n in range(101)],
    "phones": ["<phone>"],
}

ANSWERS = [
    Answer(
        address="POST /v2/lists/{id}/members",
        change=STRANGERS,
        tells={
            "matched": 0,
            "added": 0,
            "notFoundCount": 203,
            "notFound/externalIds": MANY[:100],
            "notFound/contactIds": STRANGERS["contactIds"][:100],
        },
    )
]
