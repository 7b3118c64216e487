"""Every event row, replayed: its cause stores one event, and it is delivered as the interface
describes.
"""

from typing import Any

import pytest

from core import webhooks
from core.foundation.database import db
from rest_api.openapi.events import EVENTS as DOCUMENTED
from tests.contract.domains import EVENTS
from tests.contract.event_fields import FIELDS, INSIDE, SENT_BY_CUSTOMERS, owed
from tests.contract.event_names import EVENT_NAMES
from tests.contract.table import Event
from tests.contract.world import ANY_METADATA, World
from tests.factories.webhooks import a_subscription
from tests.fakes.provider import ScriptedProvider
from tests.rest_api.contract import must_fit, resolved, the_closed_document
from tests.support.receiver import Receiver, signed_by
from tests.support.subscriptions import deliver_all, standard_accepts

EACH = pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)

ENVELOPE = {"id", "type", "timestamp", "env", "organizationId", "apiVersion", "data"}
PERSONAL = ("to", "from", "phone")


LARGEST = 20_000
"""Bytes of a body; the decisions bound the data, which is smaller."""


def data_schema(name: str) -> dict[str, Any]:
    """The documented form of an event's data."""
    body = the_closed_document()["webhooks"][name]["post"]["requestBody"]["content"][
        "application/json"
    ]
    schema: dict[str, Any] = body["schema"]["properties"]["data"]
    return schema


async def stored(name: str) -> list[dict[str, Any]]:
    rows = await db.fetch("SELECT * FROM webhook_events WHERE type = $1", name)
    return [dict(row) for row in rows]


@EACH
async def test_its_cause_stores_one_event_with_the_data_of_its_row(
    clean_slate: None, provider: ScriptedProvider, event: Event
) -> None:
    world = await World.open(event.env, provider)

    await event.cause(world)

    (row,) = await stored(event.name)
    assert (row["organization_id"], row["env"]) == (world.caller.organization_id, event.env)
    assert event.always <= set(row["data"]) <= event.always | event.sometimes
    assert row["data"]["env"] == event.env
    assert (row["data"].get("metadata") == ANY_METADATA) is (event.name in SENT_BY_CUSTOMERS)


@EACH
async def test_its_data_holds_what_the_table_of_events_tells(
    clean_slate: None, provider: ScriptedProvider, event: Event
) -> None:
    world = await World.open(event.env, provider)

    await event.cause(world)

    (row,) = await stored(event.name)
    assert owed(event.name) - set(row["data"]) == set()
    for name, inside in INSIDE.get(event.name, {}).items():
        assert set(row["data"][name]) == set(inside.split())
    schema = resolved(data_schema(event.name))
    assert owed(event.name) - set(schema["properties"]) == set(), (
        "add it to rest_api/openapi/event_shapes.py"
    )
    assert set(schema.get("required", ())) <= owed(event.name) | {"replacedById"}


@EACH
@pytest.mark.parametrize("unmasked", [False, True], ids=["masked", "pii:full"])
async def test_it_is_delivered_signed_and_in_its_envelope(
    clean_slate: None, provider: ScriptedProvider, receiver: Receiver, event: Event, unmasked: bool
) -> None:
    world = await World.open(event.env, provider)
    subscriber = world.caller if unmasked else world.without_pii()
    made = await a_subscription(
        subscriber,
        receiver.url,
        events=[event.name],
        headers=[{"key": "X-Tenant", "value": "loja-7"}],
    )

    await event.cause(world)
    await deliver_all()

    (arrival,) = receiver.arrivals
    (row,) = await stored(event.name)
    assert arrival.headers["content-type"] == "application/json"
    assert {
        name: arrival.headers[name] for name in ("x-svc-webhook-id", "x-svc-event", "x-tenant")
    } == {
        "x-svc-webhook-id": made["webhook"]["id"],
        "x-svc-event": event.name,
        "x-tenant": "loja-7",
    }
    assert arrival.headers["x-svc-delivery-id"].startswith("dlv_")
    assert (arrival.headers["x-svc-attempt"], arrival.headers["webhook-id"]) == ("1", row["id"])
    assert signed_by(made["reveal"]["secret"], arrival)
    assert standard_accepts(made["reveal"]["secret"], arrival)

    body = arrival.event
    assert set(body) == ENVELOPE
    assert len(arrival.body) <= LARGEST
    assert (body["data"].get("metadata") == ANY_METADATA) is (event.name in SENT_BY_CUSTOMERS)
    assert (body["id"], body["type"], body["env"], body["organizationId"], body["apiVersion"]) == (
        row["id"],
        event.name,
        event.env,
        world.caller.organization_id,
        webhooks.API_VERSION,
    )
    # `from` and `to` may be states too, which are nobody's address.
    for value in (value for value in map(row["data"].get, PERSONAL) if isinstance(value, str)):
        assert (value.encode() in arrival.body) is unmasked
    assert {name for name in body["data"] if body["data"][name] != row["data"][name]} == (
        set()
        if unmasked
        else {"providerReceipt", *PERSONAL} & set(row["data"]) - set(INSIDE.get(event.name, ()))
    )
    described = the_closed_document()["webhooks"][event.name]["post"]
    must_fit(body, described["requestBody"]["content"]["application/json"]["schema"])
    for header in described["parameters"]:
        assert header["name"].lower() in arrival.headers


@EACH
async def test_the_other_environment_never_hears_of_it(
    clean_slate: None, provider: ScriptedProvider, event: Event
) -> None:
    world = await World.open(event.env, provider)
    other = await a_subscription(world.in_the_other_environment(), events=[event.name])

    await event.cause(world)

    heard = webhooks.WebhookDelivery.filter(subscription_id=other["webhook"]["id"])
    assert await heard.count() == 0


ALIKE_IN_BOTH = (
    "contact.created",
    "contact.opted_out",
    "apikey.created",
    "apikey.rotated",
    "wallet.low_balance",
)


@pytest.mark.parametrize(
    "event", [event for event in EVENTS if event.name in ALIKE_IN_BOTH], ids=lambda row: row.name
)
async def test_in_production_the_same_is_told_as_live(
    clean_slate: None, provider: ScriptedProvider, receiver: Receiver, event: Event
) -> None:
    world = await World.open("live", provider)
    await a_subscription(world.caller, receiver.url, events=[event.name])

    await event.cause(world)
    await deliver_all()

    (arrival,) = receiver.arrivals
    assert (arrival.event["env"], arrival.event["data"]["env"]) == ("live", "live")
    assert event.always <= set(arrival.event["data"])


# The closed set -----------------------------------------------------------------------------------


def test_a_subscription_may_name_exactly_the_events_of_the_interface() -> None:
    assert tuple(webhooks.EventType) == EVENT_NAMES


def test_every_event_of_the_closed_set_has_one_cause() -> None:
    assert len(EVENT_NAMES) == 36
    assert sorted(event.name for event in EVENTS) == sorted(EVENT_NAMES)
    assert set(FIELDS) == set(EVENT_NAMES)


def test_the_events_of_rows_are_those_of_the_document() -> None:
    assert {event.name for event in EVENTS} == set(DOCUMENTED) - {"webhook.ping"}
