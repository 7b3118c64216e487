"""Interface: Customer event; Endpoints, Customer events."""

import json

from core import customer_events
from core.customer_events import NewCustomerEvent
from tests.contract.rows.sms_limits import METADATA, METADATA_TAKES
from tests.contract.table import Answer, Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.contacts import a_contact

PERIOD = {"from": "2026-01-01T00:00:00Z", "to": "2026-02-01T00:00:00Z"}

ENDPOINTS = [
    Endpoint(
        address="GET /v2/events",
        scope="contacts:read",
        errors="400 401 403",
        parameters="from!* to!* name contactId limit* cursor",
        query=PERIOD,
    ),
    Endpoint(
        address="POST /v2/events",
        scope="contacts:write",
        status=201,
        again=200,
        errors="400 401 403 422",
        fields="name! contact! eventId! occurredAt value currency properties attributionWindowHours",
        body={
            "name": "compra",
            "contact": {"contactId": "<contact>"},
            "eventId": "pedido-1042",
            "value": 129.9,
        },
    ),
]


async def two_contacts(world: World) -> None:
    await a_contact(world.caller, phone="+5511987650005", email="ana@example.com")
    await a_contact(
        world.caller, phone="+5511987650006", email="ana@example.com", externalId="cliente-1042"
    )


RECORD = "POST /v2/events"
DIFFERENT = "CONTATOS_DIFERENTES"

REFUSALS = [
    Refusal(
        status=422,
        address=RECORD,
        before=two_contacts,
        change={"contact": {"phone": "+5511987650005", "externalId": "cliente-1042"}},
        meta={"code": DIFFERENT},
        wrong={"/contact/externalId": DIFFERENT, "/contact/phone": DIFFERENT},
    ),
    Refusal(
        status=422,
        address=RECORD,
        before=two_contacts,
        change={"contact": {"email": "ana@example.com"}},
        meta={"code": "CONTATO_AMBIGUO"},
        wrong={"/contact/email": "CONTATO_AMBIGUO"},
    ),
    Refusal(
        status=422,
        address=RECORD,
        change={"occurredAt": "2999-01-01T00:00:00Z"},
        wrong={"/occurredAt": "in_the_future"},
    ),
    Refusal(
        status=422,
        address=RECORD,
        change={"contact": {"phone": "+5511*****0005"}},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/contact/phone": "VALOR_MASCARADO"},
    ),
    Refusal(
        status=422,
        address=RECORD,
        change={"contact": {"email": "s***1042@x.example"}},
        meta={"code": "VALOR_MASCARADO"},
        wrong={"/contact/email": "VALOR_MASCARADO"},
    ),
]

LIMITS = [
    Limit(
        address=RECORD,
        field="/attributionWindowHours",
        takes=[1, 168, 720],
        refuses=[(0, "too_small"), (721, "too_large")],
    ),
    Limit(
        address=RECORD,
        field="/name",
        takes=["x", "x" * 120],
        refuses=[("", "too_short"), (" ", "too_short"), ("x" * 121, "too_long")],
    ),
    Limit(
        address=RECORD,
        field="/eventId",
        takes=["x", "x" * 200],
        refuses=[("", "too_short"), ("x" * 201, "too_long")],
    ),
    Limit(
        address=RECORD,
        field="/value",
        takes=[0, -1, 10**12, 129.99, 0.0001],
        refuses=[
            (10**12 + 1, "too_large"),
            (-(10**12) - 1, "too_small"),
            (0.00001, "too_precise"),
            ("129.9", "wrong_type"),
        ],
    ),
    Limit(
        address=RECORD, field="/currency", takes=["BRL", "USD"], refuses=[("XYZ", "not_allowed")]
    ),
    Limit(address=RECORD, field="/properties", takes=METADATA_TAKES, refuses=METADATA),
    Limit(
        address=RECORD,
        field="/contact",
        refuses=[({}, "required"), ({"phone": "1042"}, "invalid_phone", "/phone")],
    ),
    Limit(address=RECORD, field="/occurredAt", refuses=[(1042, "wrong_type")]),
    *(
        Limit(
            address="GET /v2/events",
            field=f"?{name}",
            takes=["2026-11-21", "2026-11-21T12:00:00-03:00"],
            refuses=[("2026", "wrong_format")],
        )
        for name in ("from", "to")
    ),
]


async def events(world: World, count: int) -> None:
    """So many, in the period of the list."""
    contact = {"contactId": await world.record("contact")}
    at = "2026-01-15T12:00:00Z"
    new = NewCustomerEvent.model_validate_json(
        json.dumps({"name": "compra", "contact": contact, "eventId": "e", "occurredAt": at})
    )
    recorded = await customer_events.record_event(world.caller, new)
    await world.copies(recorded["id"], count - 1, table="customer_events", unique=("event_id",))


PAGES = [Page(address="GET /v2/events", skips=False, fill=events)]

ANSWERS = [
    Answer(address=RECORD, tells={"duplicate": False, "currency": "BRL", "attribution": None})
]
